/* neighbors_metric.c - kinds of metrics and of searches have the same meaning under two names. */
#include "transfer/duplicates/neighbors_metric.h"

struct search_metric neighbors_metric(const struct review_metric *m)
{
    static const enum search_kind kinds[] = {[NEAR_L2] = SEARCH_PIXELS, [NEAR_FEATURE] = SEARCH_FEATURES,
                                             [NEAR_DSSIM] = SEARCH_SSIM};
    return (struct search_metric){.kind = kinds[m->kind], .side = m->side, .window = m->window};
}

enum err_code neighbors_metric_find(const struct review_gate *gate, const char *name, const struct transfer *tr,
                                    const struct review_metric **out)
{
    size_t at = review_gate_find(gate, sv_of(name));
    if (at < gate->n) {
        *out = &gate->metric[at];
        return OK;
    }
    return err_rule(tr->err, ERR_NOT_FOUND, "near-metric",
                    "The project has no metric %s; `holdout near-metrics %s` lists those that it has, and defines others",
                    name, tr->dir);
}
