/* job_data.h - starting jobs from pages and the API, and jobs as JSON with texts. */
#ifndef WEB_PARTS_JOB_DATA_H
#define WEB_PARTS_JOB_DATA_H

#include "jobs/kinds.h"
#include "store/operate/jobs.h"
#include "web/core/app.h"

/* In a write step: queues a job of a kind in jobs/kinds.c with what was given, or finds an open one that
 * does the same. An empty title: job_title. The runner hears of it when it is stored. */
enum err_code job_start(struct ctx *c, struct sv kind, const struct job_given *given, size_t n,
                        struct sv title, int64_t *id);
/* The job once more, as it was asked for: another row. */
enum err_code job_start_again(struct ctx *c, int64_t id, int64_t *again);

/* In a write step: starts a job with those of the form's fields that are filled in, by the names of the job's options, after
 * `first`; says on the job's page that it `does` something. */
enum err_code job_start_form(struct ctx *c, const char *kind, const struct job_given *first, size_t n_first,
                             const char *const *fields, const char *title, const char *does);

/* The job as job_record (web/core/records.h). New reference. */
json_t *job_json(struct ctx *c, const struct job_row *j);
/* The number in the address; ERR_NOT_FOUND (rule "no-job") for anything else. */
enum err_code job_asked(struct ctx *c, int64_t *id);
const char *job_url(struct arena *a, int64_t id);

#endif
