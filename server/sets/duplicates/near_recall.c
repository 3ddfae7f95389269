/* near_recall.c - counts what is within a threshold. */
#include "sets/duplicates/near_recall.h"

#include <string.h>

#include "base/list.h"
#include "store/duplicates/near_calibrations.h"
#include "store/duplicates/near_space.h"

#define OF(member) RECORD_OF(struct near_recall, member)
RECORD(near_recall_record, struct near_recall, "near_recall", "How many changed copies of images a near-duplicate metric finds.",
       {"metric", OF(metric), .about = "The metric."},
       {"distortion", OF(distortion), .about = "How the copies were changed."},
       {"threshold", OF(threshold), .about = "Copies up to this distance are found."},
       {"images", OF(images), .about = "Images with a copy."},
       {"found", OF(found), .about = "Copies that are found."},
       {"recall", OF(share.value), .maybe = true, .about = "Their share, from 0 to 1; null: no image."},
       {"recall_lo", OF(share.lo), .maybe = true, .about = "Lower end of its 95 % interval by Clopper and Pearson."},
       {"recall_hi", OF(share.hi), .maybe = true, .about = "Upper end of it."});
#undef OF

struct near_recall near_recall_of(const char *metric, const char *distortion, double threshold, const double *distances,
                                  size_t n)
{
    size_t found = 0;
    while (found < n && distances[found] <= threshold) {
        found++;
    }
    return (struct near_recall){.metric = metric, .distortion = distortion, .threshold = threshold, .images = (int64_t)n,
                                .found = (int64_t)found, .share = binomial_proportion((int64_t)found, (int64_t)n)};
}

enum err_code near_recall_list(struct db *db, const struct review_gate *gate, struct arena *a, struct near_recall **out,
                               size_t *n, struct err *err)
{
    struct list list = {0};
    enum err_code rc = OK;
    for (size_t m = 0; m < gate->n && rc == OK; m++) {
        const struct review_metric *metric = &gate->metric[m];
        struct near_calibration *c = NULL;
        size_t n_c = 0;
        struct sv space;
        rc = metric->enabled ? near_space(db, metric, 0, a, &space, err) : OK;
        rc = rc == OK && metric->enabled ? near_calibrations_get(db, sv_of(metric->name), space, a, &c, &n_c, err) : rc;
        for (size_t i = 0; i < n_c && rc == OK; i++) {
            *LIST_ADD(&list, a, struct near_recall) = near_recall_of(metric->name, arena_cstr(a, c[i].distortion),
                                                                     metric->threshold, c[i].distances, c[i].n);
        }
    }
    *out = list.items;
    *n = list.n;
    return rc;
}

bool near_recall_has(const struct near_recall *list, size_t n, const char *metric)
{
    size_t i = 0;
    while (i < n && strcmp(list[i].metric, metric) != 0) {
        i++;
    }
    return i < n;
}
