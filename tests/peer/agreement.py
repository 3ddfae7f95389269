#!/usr/bin/python3
"""Agreement, McNemar's test and intervals of paired shares as statsmodels, NLTK and SciPy count them.

    tests/peer/agreement.py SEED >tests/data/agreement/peers.jsonl

writes a case a line: what was said, and each figure by who counted it. The file in tests/data is seed 1; tests/unit/stats
holds our figures against it without these packages, and `make peer` against another seed. Needs Debian's
python3-statsmodels, python3-nltk and python3-scipy."""
import json
import math
import random
import sys

import numpy
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa
from statsmodels.stats.proportion import proportion_confint

MISSING = '.'


def said(rng, items, people, categories, missing, alike):
    """Rows of one character for each person: somebody says the item's own category, or anything."""
    rows = []
    for _ in range(items):
        own = rng.randrange(categories)
        rows.append(''.join(
            MISSING if rng.random() < missing else str(own if rng.random() < alike else rng.randrange(categories))
            for _ in range(people)))
    return rows


def triples(rows):
    return [(who, item, c) for item, row in enumerate(rows) for who, c in enumerate(row) if c != MISSING]


def agreement(rng):
    people, categories = rng.randint(2, 6), rng.randint(2, 5)
    rows = said(rng, rng.randint(8, 60), people, categories, rng.choice([0, 0, 0.2, 0.5]), rng.random())
    case = {'rows': rows}
    twice = [row for row in rows if sum(c != MISSING for c in row) > 1]
    if len({c for row in twice for c in row if c != MISSING}) > 1:
        case['krippendorff_nltk'] = AnnotationTask(data=triples(twice), distance=binary_distance).alpha()
    most = max(sum(c != MISSING for c in row) for row in rows)
    full = [[int(c) for c in row if c != MISSING] for row in rows if sum(c != MISSING for c in row) == most]
    if most > 1 and len({c for row in full for c in row}) > 1:
        table, _ = aggregate_raters(numpy.array(full), n_cat=categories)
        case['fleiss_statsmodels'] = fleiss_kappa(table)
    both = [row[:2] for row in rows if MISSING not in row[:2]]
    if len({c for row in both for c in row}) > 1:
        table = numpy.zeros((categories, categories))
        for first, second in both:
            table[int(first), int(second)] += 1
        case['cohen_statsmodels'] = cohens_kappa(table, return_results=False)
        case['cohen_nltk'] = AnnotationTask(data=triples(both), distance=binary_distance).kappa()
    return {k: v for k, v in case.items() if not isinstance(v, float) or math.isfinite(v)}


def newcombe(both, first, second, neither):
    """Newcombe 1998, method 10, of Wilson's intervals as statsmodels has them."""
    n = both + first + second + neither
    p, q = (both + first) / n, (both + second) / n
    (l1, u1), (l2, u2) = (proportion_confint(k, n, method='wilson') for k in (both + first, both + second))
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    top = both * neither - first * second
    phi = 0 if margins == 0 else (max(top - n / 2, 0) if top > 0 else top) / math.sqrt(margins)
    lo = math.sqrt((p - l1) ** 2 - 2 * phi * (p - l1) * (u2 - q) + (u2 - q) ** 2)
    hi = math.sqrt((q - l2) ** 2 - 2 * phi * (q - l2) * (u1 - p) + (u1 - p) ** 2)
    return p - q - lo, p - q + hi


def paired(rng):
    counts = [rng.choice([0, rng.randint(0, 9), rng.randint(0, 400)]) for _ in range(4)]
    counts[0] += sum(counts) == 0
    both, first, second, neither = counts
    case = {'paired': counts, 'mcnemar_statsmodels': float(mcnemar([[both, first], [second, neither]], exact=True).pvalue)}
    if first + second:
        case['mcnemar_scipy'] = binomtest(first, first + second).pvalue
    case['newcombe'] = [float(v) for v in newcombe(*counts)]
    case['clopper_pearson_statsmodels'] = [float(v) for v in proportion_confint(both, sum(counts), method='beta')]
    return case


def main():
    rng = random.Random(int(sys.argv[1]))
    for i in range(80):
        print(json.dumps(paired(rng) if i % 2 else agreement(rng)))


main()
