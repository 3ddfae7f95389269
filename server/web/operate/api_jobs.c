/* api_jobs.c - jobs as JSON: start, read, cancel. Rows in routes.c. */
#include "base/clock.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"

enum { LIMIT_DEFAULT = 50, LIMIT_MOST = 200 };

/* {job} with status 202 and where to look, as for all long work. */
static enum err_code reply_started(struct ctx *c, int64_t id)
{
    struct job_row j;
    if (jobs_get(c->db, id, c->arena, &j, &c->err) != OK) {
        return c->err.code;
    }
    response_header(c->res, "Location",
                    arena_printf(c->arena, "/api/v1/jobs/%lld", (long long)id));
    return reply_json(c, 202, job_json(c, &j));
}

/* Values come as text, whole numbers or true; job_arguments checks what they say. */
static bool read_value(const json_t *v, struct arena *a, struct sv *out)
{
    if (json_is_string(v)) {
        *out = arena_sv(a, sv_make(json_string_value(v), json_string_length(v)));
    } else if (json_is_integer(v)) {
        *out = sv_of(arena_printf(a, "%lld", (long long)json_integer_value(v)));
    } else {
        *out = SV("true");
    }
    return json_is_string(v) || json_is_integer(v) || json_is_true(v);
}

static enum err_code read_given(struct ctx *c, struct job_given *given, size_t *n)
{
    json_t *arguments = json_object_get(c->json, "arguments");
    const char *name;
    json_t *value;
    *n = 0;
    if (arguments && !json_is_object(arguments)) {
        return err_rule(&c->err, ERR_INPUT, "job-arguments",
                        "\"arguments\" must be an object such as {\"model\": \"resnet50\"}. "
                        "Nothing was started.");
    }
    json_object_foreach(arguments, name, value) {
        if (*n == JOB_OPTIONS || !read_value(value, c->arena, &given[*n].value)) {
            return err_rule(&c->err, ERR_INPUT, "job-value",
                            "An argument is a text, a whole number or true, and there are at most "
                            "%d. Nothing was started.",
                            JOB_OPTIONS);
        }
        given[(*n)++].name = arena_sv(c->arena, sv_of(name));
    }
    return OK;
}

/* POST /api/v1/jobs: kind, arguments {option: value} */
enum err_code api_job_create(struct ctx *c)
{
    struct job_given given[JOB_OPTIONS];
    size_t n = 0;
    int64_t id = 0;
    if (gate_need_json(c) != OK || read_given(c, given, &n) != OK) {
        return c->err.code;
    }
    const json_t *kind = json_object_get(c->json, "kind");
    struct sv word = sv_make(json_is_string(kind) ? json_string_value(kind) : "",
                             json_string_length(kind));
    enum err_code rc = job_start(c, word, given, n, SV(""), &id);
    return rc == OK ? reply_started(c, id) : rc;
}

/* GET /api/v1/jobs?before=&limit=: open ones (only without `before`), then ended ones, newest first */
enum err_code api_jobs(struct ctx *c)
{
    struct job_row *open = NULL, *ended;
    size_t n_open = 0, n;
    struct cursor at;
    if (cursor_read(c, "before", LIMIT_DEFAULT, LIMIT_MOST, &at) != OK) {
        return c->err.code;
    }
    const struct jobs_ask ask = {.state = JOB_STATES, .falling = true, .before = at.from, .most = at.limit + 1};
    if ((!at.from && jobs_open(c->db, c->arena, &open, &n_open, &c->err) != OK) ||
        jobs_ended(c->db, &ask, c->arena, &ended, &n, &c->err) != OK) {
        return c->err.code;
    }
    bool more = n > at.limit;
    json_t *list = json_array();
    for (size_t i = 0; i < n_open; i++) {
        json_array_append_new(list, job_json(c, &open[i]));
    }
    for (size_t i = 0; i < n - more; i++) {
        json_array_append_new(list, job_json(c, &ended[i]));
    }
    return reply_items(c, list, more ? ended[at.limit - 1].id : 0);
}

/* GET /api/v1/jobs/:job */
enum err_code api_job(struct ctx *c)
{
    struct job_row j;
    int64_t id = 0;
    if (job_asked(c, &id) != OK || jobs_get(c->db, id, c->arena, &j, &c->err) != OK) {
        return c->err.code;
    }
    return reply_json(c, 200, job_json(c, &j));
}

/* POST /api/v1/jobs/:job/cancel */
enum err_code api_job_cancel(struct ctx *c)
{
    int64_t id = 0;
    if (job_asked(c, &id) != OK ||
        jobs_ask_to_stop(c->db, id, c->user.account, clock_wall_ms(), &c->err) != OK) {
        return c->err.code;
    }
    app_jobs_changed(c->app);
    return reply_started(c, id);
}
