/* review_gate.c - the review gate. */
#include "domain/review_gate.h"

const char *const review_metrics[REVIEW_METRICS] = {"l2", "fc7", "dssim"};
const double review_targets[REVIEW_METRICS] = {1.2e8, 1.32e4, 0.2205};

bool review_passes(const double distance[REVIEW_METRICS], const double target[REVIEW_METRICS])
{
    for (int m = 0; m < REVIEW_METRICS; m++) {
        if (!(distance[m] > target[m])) { /* so that what is no number does not pass */
            return false;
        }
    }
    return true;
}

bool review_unsearched(const struct review_gate *gate, unsigned known, int64_t image)
{
    for (int m = 0; m < REVIEW_METRICS; m++) {
        const struct review_metric_state *s = &gate->metric[m];
        if (s->enabled && !(known >> m & 1) && image > s->searched_until) {
            return true;
        }
    }
    return false;
}
