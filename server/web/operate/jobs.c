/* jobs.c - the queue of jobs and one of them. Rows in routes.c (all need the role lead);
 * templates/jobs/. Their JSON is in api_jobs.c. */
#include <string.h>

#include "base/clock.h"
#include "jobs/job_log.h"
#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"

enum { ENDED_A_PAGE = 25 };

/* ---- what the list asks for ---- */

struct query {
    int show, kind, sort; /* show: an enum job_state */
    bool falling;
    int64_t page;
};

/* JOB_QUEUED: of those that are open, JOB_STATES: of all. */
static const struct list_word shows[] = {
    {"all", "All", JOB_STATES},
    {"open", "Waiting and running", JOB_QUEUED},
    {"done", "Done", JOB_DONE},
    {"failed", "Failed", JOB_FAILED},
    {"cancelled", "Cancelled", JOB_CANCELLED},
    {0},
};
static const struct list_word sorts[] = {
    {"when", "When", JOBS_BY_TIME},
    {"took", "Took", JOBS_BY_TOOK},
    {0},
};

static bool falls(int sort)
{
    (void)sort; /* the newest, the longest */
    return true;
}

/* "export-set" for "export set"; 0 is any kind, n + 1 row n of the job table. */
static const struct list_word *kind_words(struct arena *a)
{
    struct list_word *words = arena_calloc(a, job_kinds_count + 2, sizeof *words);
    words[0] = (struct list_word){"all", "All", 0};
    for (size_t i = 0; i < job_kinds_count; i++) {
        char *word = arena_printf(a, "%s", job_kinds[i].name);
        for (char *p = word; *p; p++) {
            *p = *p == ' ' ? '-' : *p;
        }
        words[i + 1] = (struct list_word){word, job_kinds[i].name, (int)i + 1};
    }
    return words;
}

#define AT(member) .at = offsetof(struct query, member)
enum { PARAMS = 6, SORT = 2 };
static struct list_table table_of(struct arena *a)
{
    const struct list_param params[PARAMS] = {
        {"show", LIST_WORD, AT(show), .words = shows, .chips = "Which jobs"},
        {"kind", LIST_WORD, AT(kind), .words = kind_words(a), .chips = "Kind"},
        [SORT] = {"sort", LIST_WORD, AT(sort), .words = sorts},
        {"order", LIST_ORDER, AT(falling)},
        {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    };
    struct list_param *own = arena_alloc(a, sizeof params);
    memcpy(own, params, sizeof params);
    return (struct list_table){own, sizeof(struct query), &own[SORT], falls};
}
static const struct query usual = {.show = JOB_STATES, .falling = true, .page = 1};

/* ---- the page ---- */

struct found {
    struct job_row *open, *ended;
    size_t n_open, n_ended;
    struct list_page part; /* of those that have ended */
};

static enum err_code find(struct ctx *c, const struct query *q, struct found *out)
{
    struct jobs_ask ask = {.state = q->show, .sort = q->sort, .falling = q->falling};
    int64_t all = 0;
    size_t n = 0;
    ask.kind = q->kind ? sv_of(job_kinds[q->kind - 1].name) : SV("");
    *out = (struct found){0};
    enum err_code rc = OK;
    if (q->show == JOB_STATES || q->show == JOB_QUEUED) {
        rc = jobs_open(c->db, c->arena, &out->open, &n, &c->err);
    }
    for (size_t i = 0; i < n; i++) {
        if (!ask.kind.n || sv_eq(out->open[i].kind, ask.kind)) {
            out->open[out->n_open++] = out->open[i];
        }
    }
    if (rc == OK && q->show != JOB_QUEUED) {
        rc = jobs_ended_count(c->db, &ask, &all, &c->err);
    }
    out->part = list_page_of(all, ENDED_A_PAGE, q->page);
    ask.skip = out->part.skip;
    ask.most = out->part.most;
    return rc == OK && all ? jobs_ended(c->db, &ask, c->arena, &out->ended, &out->n_ended, &c->err) : rc;
}

static json_t *list_json(struct ctx *c, const struct job_row *jobs, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, job_json(c, &jobs[i]));
    }
    return list;
}

/* GET /jobs?show=&kind=&sort=&order=&page= */
enum err_code page_jobs(struct ctx *c)
{
    const struct list_table table = table_of(c->arena);
    struct query q;
    struct found f;
    if (list_read(c, &table, &usual, &q) != OK || find(c, &q, &f) != OK) {
        return c->err.code;
    }
    const char *base = list_url(c, &table, "/jobs", &usual, &q, false);
    const char *here = list_url(c, &table, "/jobs", &usual, &q, q.page > 1);
    size_t n = f.n_open + f.n_ended;
    return reply_page(
        c, 200, "jobs/index", "Jobs",
        object(field_json("live", data_live("jobs", here)),
               field_json("chips", list_chips(c, &table, "/jobs", &q)),
               field_json("heads", list_heads(c, &table, "/jobs", &usual, &q)),
               field_json("open", list_json(c, f.open, f.n_open)),
               field_json("ended", list_json(c, f.ended, f.n_ended)), field_bool("any", n > 0),
               field_bool("any_open", f.n_open > 0), field_bool("with_ended", n && q.show != JOB_QUEUED),
               field_bool("narrowed", q.kind || q.show != JOB_STATES),
               field_bool("none_start", c->config->jobs_at_once == 0),
               field_json("pages", list_page_links(c, &f.part, base, "")),
               field_text("pages_label", "Pages of jobs")));
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
