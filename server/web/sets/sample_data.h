/* sample_data.h - a plan for a revision as page data and as JSON: what there is and what is
 * missing, by class and cell. */
#ifndef WEB_SETS_SAMPLE_DATA_H
#define WEB_SETS_SAMPLE_DATA_H

#include "sets/sampling/sample.h"
#include "web/core/app.h"

struct sample_part {        /* which classes are shown */
    bool short_only;
    int64_t from;
    size_t most;
};
/* {tiles, excluded [{reason, label, count}], any_excluded, heads [{label}], classes [{wnid, synset, url, wanted, chosen,
 * missing, is_short, originals, few_originals, cells [{label, target, carried, available, drawn, upward, missing,
 * is_short}], lacks [{text}], left_out}], warnings [{text}] of the view's filters, any_warnings, n (classes that there are to show), valid, as_of, view, parent, replaces "1: 1 blacklisted" (with a parent), removed [{reason, label,
 * count}], changes [{name, was, is}] in how it is sampled, any_changes}. `against` is empty without a parent. heads are
 * the cells that every class has (none for `keyword`). New reference. */
json_t *sample_plan_json(struct ctx *c, const struct sample_job *job, const struct sample_against *against,
                         const struct sample_part *part);

#endif
