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
/* A plan_record. `against` is empty without a parent. heads are the cells that every class has (one for all of them for
 * `keyword`). New reference. */
json_t *sample_plan_json(struct ctx *c, const struct sample_job *job, const struct sample_against *against,
                         const struct sample_part *part);

#endif
