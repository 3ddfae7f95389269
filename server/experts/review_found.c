/* review_found.c - one pass over the images in the order in which they were chosen. */
#include "experts/review_found.h"

#include "base/list.h"
#include "stats/binomial.h"

#define OF(member) RECORD_OF(struct review_found, member)
RECORD(review_found_record, struct review_found, "label_review_found", "Label errors among the first images of a list by likely errors.",
       {"k", OF(k), .about = "The first so many images in the order of likely errors."},
       {"reviewed", OF(reviewed), .about = "Those that enough people have reviewed."},
       {"wrong", OF(wrong), .about = "Those of them whose set label is wrong."},
       {"precision", OF(precision), .maybe = true, .about = "In percent."},
       {"lo", OF(lo), .maybe = true, .about = "Lower bound: Clopper-Pearson, 95 %."}, {"hi", OF(hi), .maybe = true, .about = "Upper bound."});
#undef OF

static bool is_wrong(const struct label_book *book, const struct label_image *image, uint32_t class_id)
{
    bool wrong = false;
    for (uint32_t k = 0; k < image->n; k++) {
        const struct label *l = &book->labels[image->first + k];
        wrong = wrong || (l->class_id == class_id && l->verdict == VERDICT_WRONG);
    }
    return wrong && !image->problematic;
}

static struct review_found row_of(int64_t k, int64_t reviewed, int64_t wrong)
{
    const struct proportion p = binomial_proportion(wrong, reviewed);
    return (struct review_found){k, reviewed, wrong, 100 * p.value, 100 * p.lo, 100 * p.hi};
}

/* 10, 20, 50, 100, ... */
static int64_t next_step(int64_t k)
{
    int64_t first = k;
    while (first >= 10) {
        first /= 10;
    }
    return first == 2 ? k / 2 * 5 : 2 * k;
}

void review_found_list(const struct label_arm *ranked, size_t n_ranked, const struct label_book *book, struct arena *a,
                       struct review_found **out, size_t *n)
{
    struct list rows = {0};
    int64_t reviewed = 0, wrong = 0, step = 10;
    for (size_t i = 0; i < n_ranked; i++) {
        const struct label_image *image = book && ranked[i].position < book->n ? &book->images[ranked[i].position] : NULL;
        if (image && !image->partial) {
            reviewed++;
            wrong += is_wrong(book, image, ranked[i].class_id);
        }
        if ((int64_t)i + 1 == step || i + 1 == n_ranked) {
            *LIST_ADD(&rows, a, struct review_found) = row_of((int64_t)i + 1, reviewed, wrong);
            step = next_step(step);
        }
    }
    *out = rows.items;
    *n = rows.n;
}
