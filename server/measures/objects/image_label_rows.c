/* image_label_rows.c - matrices and pairs as text. */
#include "measures/objects/image_label_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "stats/binomial.h"
#include "stats/line.h"

#define OF(member) RECORD_OF(struct together_row, member)
RECORD(together_record, struct together_row, "cooccurring_pair", "Two classes that are labels of objects of the same image.",
       {"class_a", OF(a), .about = "The class that comes first."}, {"class_b", OF(b), .about = "The other."},
       {"images", OF(images), .about = "Images with an object of each."},
       {"n_a", OF(n_a), .face = RECORD_JSON, .about = "Images with an object of class_a."},
       {"n_b", OF(n_b), .face = RECORD_JSON, .about = "Images with an object of class_b."},
       {"lift", OF(lift), .face = RECORD_JSON, .about = "How many times as often they come together as if they were independent."});
#undef OF

struct together_row together_row(const struct together_pair *p, size_t all, const struct sv *text)
{
    double expected = (double)p->n_a * p->n_b;
    return (struct together_row){text[p->a], text[p->b], p->images, p->n_a, p->n_b, (double)p->images * (double)all / expected};
}

#define OF(member) RECORD_OF(struct confused_row, member)
RECORD(confused_record, struct confused_row, "confused_pair", "Two classes whose images people call by the other's name.",
       {"class_a", OF(a), .about = "The class that comes first."}, {"class_b", OF(b), .about = "The other."},
       {"n_a", OF(n_a), .about = "Images of class_a."}, {"n_b", OF(n_b), .about = "Images of class_b."},
       {"a_labelled_b", OF(a_as_b), .about = "Images of class_a whose main label is class_b."},
       {"b_labelled_a", OF(b_as_a), .about = "Images of class_b whose main label is class_a."},
       {"share", OF(share), .face = RECORD_JSON, .about = "Both as a share of the images of both."});
#undef OF

struct confused_row confused_row(const struct confused_pair *p, const struct sv *text)
{
    return (struct confused_row){text[p->a], text[p->b], p->n_a, p->n_b, p->a_as_b, p->b_as_a,
                                 (double)(p->a_as_b + p->b_as_a) / (p->n_a + p->n_b)};
}

#define OF(member) RECORD_OF(struct found_pair_row, member)
RECORD(found_pair_record, struct found_pair_row, "ambiguous_pair", "Two classes that people find in the images of either.",
       {"class_a", OF(a), .about = "The class that comes first."}, {"class_b", OF(b), .about = "The other."},
       {"n_a", OF(pair.n_a), .about = "Images of class_a."}, {"n_b", OF(pair.n_b), .about = "Images of class_b."},
       {"a_in_a", OF(pair.a_in_a), .about = "How often people find class_a in its own images: the mean over these."},
       {"b_in_a", OF(pair.b_in_a), .about = "How often they find class_b there; 0 for images about which nobody was asked."},
       {"b_in_b", OF(pair.b_in_b), .about = "Class_b in its own images."},
       {"a_in_b", OF(pair.a_in_b), .about = "Class_a in images of class_b."},
       {"asked", OF(pair.asked), .about = "The share of images of both about whose other class people were asked."});
#undef OF

#define OF(member) RECORD_OF(struct pair_accuracy_row, member)
RECORD(pair_accuracy_record, struct pair_accuracy_row, "pair_accuracy", "How a model tells two classes apart.",
       {"class_a", OF(a), .maybe = true, .about = "The class that comes first; null: all pairs together."},
       {"class_b", OF(b), .maybe = true, .about = "The other."},
       {"model", OF(model), .about = "The model."}, {"images", OF(counts.images), .about = "Images of both classes."},
       {"correct", OF(counts.correct), .about = "Answers that are the set's label."},
       {"predicted_in_pair", OF(counts.in_pair), .about = "Answers that are either class."},
       {"accuracy", OF(accuracy), .maybe = true, .face = RECORD_JSON, .about = "correct / images."},
       {"accuracy_lo", OF(lo), .maybe = true, .face = RECORD_JSON, .about = "Lower bound, 95 %, by Clopper and Pearson."},
       {"accuracy_hi", OF(hi), .maybe = true, .face = RECORD_JSON, .about = "Upper bound."},
       {"pairwise", OF(pairwise), .maybe = true, .face = RECORD_JSON, .about = "correct / predicted_in_pair; by chance 0.5."},
       {"pairwise_lo", OF(pairwise_lo), .maybe = true, .face = RECORD_JSON, .about = "Lower bound."},
       {"pairwise_hi", OF(pairwise_hi), .maybe = true, .face = RECORD_JSON, .about = "Upper bound."});
#undef OF

struct pair_accuracy_row pair_accuracy_row(struct sv a, struct sv b, struct sv model, const struct pair_accuracy *p)
{
    struct proportion all = binomial_proportion(p->correct, p->images), pair = binomial_proportion(p->correct, p->in_pair);
    return (struct pair_accuracy_row){a, b, model, *p, all.value, all.lo, all.hi, pair.value, pair.lo, pair.hi};
}

#define OF(member) RECORD_OF(struct correlation_row, member)
RECORD(correlation_record, struct correlation_row, "matrix_correlation", "How alike two matrices of superclasses are off the diagonal.",
       {"first", OF(first), .about = "A matrix: human (main labels), any or other (objects that come together), or a model's name."},
       {"second", OF(second), .about = "The other."},
       {"r", OF(r), .maybe = true, .about = "Pearson's correlation of shares of rows; null: one of them is constant."},
       {"cells", OF(cells), .about = "Cells that were compared."});
#undef OF

struct correlation_row correlation_row(struct sv first, struct sv second, const struct superclass_matrix *a,
                                       const struct superclass_matrix *b)
{
    double *x = xcalloc((size_t)2 * a->n * a->n + 2, sizeof *x), *y = x + (size_t)a->n * a->n + 1;
    struct line line;
    size_t n = superclass_shares(a, b, x, y);
    double r = line_fit(x, y, n, &line) ? line.r : (double)NAN;
    free(x);
    return (struct correlation_row){first, second, r, (uint32_t)n};
}

#define OF(member) RECORD_OF(struct within_row, member)
RECORD(within_record, struct within_row, "within_superclass", "Answers that are another class of the right superclass.",
       {"who", OF(who), .about = "human: the main label; or a model's name."}, {"superclass", OF(superclass), .about = "The superclass."},
       {"images", OF(images), .about = "Images whose label is of it."},
       {"within", OF(within), .about = "Those that are called another class of it."},
       {"share", OF(share), .maybe = true, .about = "within / images."});
#undef OF
