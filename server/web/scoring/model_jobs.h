/* model_jobs.h - the jobs that are about a model: waiting or running. */
#ifndef WEB_SCORING_MODEL_JOBS_H
#define WEB_SCORING_MODEL_JOBS_H

#include "store/operate/jobs.h"
#include "web/core/app.h"

struct model_jobs {
    struct job_row *jobs; /* open ones that name a model or a model's file, oldest first */
    struct sv *models;    /* of each: what follows --model; of one that adds a model: its name */
    size_t n;
};
enum err_code model_jobs_open(struct ctx *c, struct model_jobs *out);
/* The first that is about the model, as job_json says; null for none. New reference. */
json_t *model_jobs_json(struct ctx *c, const struct model_jobs *jobs, struct sv model);

#endif
