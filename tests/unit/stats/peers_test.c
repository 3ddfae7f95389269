/* peers_test.c - agreement, McNemar's test and paired intervals against statsmodels, NLTK and SciPy: what they said is kept
 * in tests/data/agreement (tests/peer/agreement.py makes it), so that nobody needs them here. HOLDOUT_PEERS names another
 * file, which `make peer` makes anew. */
#include "unit.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stats/binomial.h"
#include "stats/kappa.h"
#include "stats/paired.h"
#include "stats/raters.h"

enum { CATEGORIES = 8 };

struct compared {
    size_t n;
    double most;
};

static void same(struct compared *c, const json_t *peer, double ours)
{
    if (peer) {
        double off = fabs(json_number_value(peer) - ours);
        assert_true(off < 1e-9); /* not NAN */
        c->most = off > c->most ? off : c->most;
        c->n++;
    }
}

/* A row of characters is an item, a column a person. */
static struct ratings read_rows(const json_t *rows)
{
    size_t items = json_array_size(rows), people = json_string_length(json_array_get(rows, 0));
    uint16_t *said = arena_alloc(&unit_arena, items * people * sizeof *said);
    for (size_t i = 0; i < items * people; i++) {
        char one = json_string_value(json_array_get(rows, i / people))[i % people];
        said[i] = one == '.' ? RATERS_NONE : (uint16_t)(one - '0');
    }
    return (struct ratings){.items = items, .people = people, .categories = CATEGORIES, .said = said};
}

static double cohen_of(const struct ratings *r)
{
    int64_t table[CATEGORIES * CATEGORIES] = {0};
    struct judged *both = arena_alloc(&unit_arena, r->items * sizeof *both);
    size_t n = 0;
    for (size_t i = 0; i < r->items; i++) {
        const uint16_t *said = &r->said[i * r->people];
        if (said[0] != RATERS_NONE && said[1] != RATERS_NONE) {
            table[said[0] * CATEGORIES + said[1]]++;
            both[n++] = (struct judged){(uint32_t)i, (uint8_t)said[0], (uint8_t)said[1]};
        }
    }
    double kappa = kappa_cohen(table, CATEGORIES);
    assert_true(fabs(kappa - kappa_interval(both, n, 20, 1, 0.05, &unit_arena).value) < 1e-15);
    return kappa;
}

static void compare_agreement(const json_t *peer, struct compared *c)
{
    struct ratings r = read_rows(json_object_get(peer, "rows"));
    same(c, json_object_get(peer, "krippendorff_nltk"), raters_agree(&r, RATERS_KRIPPENDORFF, 20, 1, 0.05, &unit_arena).at.value);
    same(c, json_object_get(peer, "fleiss_statsmodels"), raters_agree(&r, RATERS_FLEISS, 20, 1, 0.05, &unit_arena).at.value);
    if (json_object_get(peer, "cohen_statsmodels")) {
        same(c, json_object_get(peer, "cohen_statsmodels"), cohen_of(&r));
        same(c, json_object_get(peer, "cohen_nltk"), cohen_of(&r));
    }
}

static void compare_paired(const json_t *peer, struct compared *c)
{
    const json_t *counts = json_object_get(peer, "paired"), *newcombe = json_object_get(peer, "newcombe"),
                 *exact = json_object_get(peer, "clopper_pearson_statsmodels");
    int64_t n[4], all = 0;
    for (size_t i = 0; i < 4; i++) {
        all += n[i] = json_integer_value(json_array_get(counts, i));
    }
    const struct paired_counts p = {n[0], n[1], n[2], n[3]};
    const struct proportion d = paired_difference(&p, 0.05);
    same(c, json_object_get(peer, "mcnemar_statsmodels"), paired_mcnemar(&p));
    same(c, json_object_get(peer, "mcnemar_scipy"), paired_mcnemar(&p));
    same(c, json_array_get(newcombe, 0), d.lo);
    same(c, json_array_get(newcombe, 1), d.hi);
    same(c, json_array_get(exact, 0), binomial_clopper_pearson(n[0], all, 0.05).lo);
    same(c, json_array_get(exact, 1), binomial_clopper_pearson(n[0], all, 0.05).hi);
}

ARENA_TEST(peers)
{
    const char *other = getenv("HOLDOUT_PEERS"), *path = other ? other : "tests/data/agreement/peers.jsonl";
    struct compared agreement = {0, 0}, paired = {0, 0};
    char line[16384];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        json_t *peer = json_loads(line, 0, NULL);
        assert_non_null(peer);
        if (json_object_get(peer, "rows")) {
            compare_agreement(peer, &agreement);
        } else {
            compare_paired(peer, &paired);
        }
        json_decref(peer);
    }
    fclose(f);
    print_message("%zu coefficients, at most %.1e apart; %zu figures of pairs, at most %.1e\n", agreement.n, agreement.most, paired.n,
                  paired.most);
    assert_true(agreement.n > 100 && paired.n > 200);
}
