/* review_gate.c - the review gate. */
#include "domain/review/review_gate.h"

#include <string.h>

const char *const near_kinds[NEAR_KINDS] = {"l2", "feature", "dssim"};

static const struct review_metric published[REVIEW_METRICS] = {
    [REVIEW_L2] = {.name = "l2", .kind = NEAR_L2, .side = 256, .threshold = 1.2e8},
    [REVIEW_FC7] = {.name = "fc7", .kind = NEAR_FEATURE, .threshold = 1.32e4},
    [REVIEW_DSSIM] = {.name = "dssim", .kind = NEAR_DSSIM, .side = 256, .window = 35, .threshold = 0.2205},
};

void review_gate_usual(struct review_gate *out)
{
    *out = (struct review_gate){.n = REVIEW_METRICS};
    memcpy(out->metric, published, sizeof published);
}

size_t review_gate_find(const struct review_gate *gate, struct sv name)
{
    size_t m = 0;
    while (m < gate->n && !sv_is(name, gate->metric[m].name)) {
        m++;
    }
    return m;
}

struct review_metric review_metric_usual(enum near_kind kind)
{
    struct review_metric out = {0};
    for (int m = 0; m < REVIEW_METRICS; m++) {
        if (published[m].kind == kind) {
            out = published[m];
        }
    }
    memset(out.name, 0, sizeof out.name);
    return out;
}

double review_reach(double threshold)
{
    return REVIEW_REACH_PERCENT / 100. * threshold;
}

bool review_passes(double distance, double threshold)
{
    return distance > threshold; /* so that what is no number does not pass */
}

bool review_unsearched(const struct review_gate *gate, unsigned known, int64_t image)
{
    for (size_t m = 0; m < gate->n; m++) {
        const struct review_metric *s = &gate->metric[m];
        if (s->enabled && !(known >> m & 1) && image > s->searched_until) {
            return true;
        }
    }
    return false;
}
