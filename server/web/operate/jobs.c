/* jobs.c - the queue of jobs and one of them. Rows in routes.c (all need the role lead);
 * templates/jobs/. Their JSON is in api_jobs.c. */
#include "base/clock.h"
#include "jobs/job_log.h"
#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"

enum { ENDED_A_PAGE = 25 };

static json_t *list_json(struct ctx *c, const struct job_row *jobs, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, job_json(c, &jobs[i]));
    }
    return list;
}

/* GET /jobs?before= */
enum err_code page_jobs(struct ctx *c)
{
    struct job_row *open, *ended;
    size_t n_open, n;
    int64_t before = list_cursor(c, "before");
    if (jobs_open(c->db, c->arena, &open, &n_open, &c->err) != OK ||
        jobs_ended(c->db, before, ENDED_A_PAGE + 1, c->arena, &ended, &n, &c->err) != OK) {
        return c->err.code;
    }
    bool more = n > ENDED_A_PAGE;
    json_t *next = more ? json_string(arena_printf(c->arena, "/jobs?before=%lld",
                                                   (long long)ended[ENDED_A_PAGE - 1].id))
                        : json_null();
    const char *here = before ? arena_printf(c->arena, "/jobs?before=%lld", (long long)before)
                              : "/jobs";
    return reply_page(c, 200, "jobs/index", "Jobs",
                      object(field_json("live", data_live("jobs", here)),
                             field_json("open", list_json(c, open, n_open)),
                             field_json("ended", list_json(c, ended, n - more)),
                             field_bool("any_open", n_open > 0), field_bool("any", n_open + n > 0),
                             field_bool("later", before > 0),
                             field_bool("none_start", c->config->jobs_at_once == 0),
                             field_json("next_url", next)));
}

/* GET /jobs/:job */
enum err_code page_job(struct ctx *c)
{
    struct job_row j;
    struct sv log;
    bool cut;
    int64_t id = 0;
    if (job_asked(c, &id) != OK || jobs_get(c->db, id, c->arena, &j, &c->err) != OK ||
        job_log_tail(app_dir(c->app), id, JOB_LOG_TAIL, c->arena, &log, &cut, &c->err) != OK) {
        return c->err.code;
    }
    return reply_page(
        c, 200, "jobs/show", arena_printf(c->arena, "Job %lld", (long long)id),
        object(field_json("live", j.state == JOB_QUEUED || j.state == JOB_RUNNING
                                      ? data_live("jobs", job_url(c->arena, id))
                                      : json_null()),
               field_json("job", job_json(c, &j)),
               field_json("log", log.n ? data_text(log) : json_null()), field_bool("log_cut", cut),
               field_bool("none_start", c->config->jobs_at_once == 0 && j.state == JOB_QUEUED)));
}

/* POST /jobs/:job/cancel */
enum err_code page_job_cancel(struct ctx *c)
{
    int64_t id = 0;
    if (job_asked(c, &id) != OK ||
        jobs_ask_to_stop(c->db, id, c->user.account, clock_wall_ms(), &c->err) != OK) {
        return c->err.code;
    }
    app_jobs_changed(c->app);
    return reply_did(c, job_url(c->arena, id), NULL,
                     "Job %lld stops as soon as it can; what it did is kept.", (long long)id);
}

/* POST /jobs/:job/again */
enum err_code page_job_again(struct ctx *c)
{
    int64_t id = 0, again = 0;
    if (job_asked(c, &id) != OK || job_start_again(c, id, &again) != OK) {
        return c->err.code;
    }
    return reply_did(c, job_url(c->arena, again), NULL, "Job %lld runs again, as job %lld.",
                     (long long)id, (long long)again);
}
