/* job_data.c - jobs as JSON, and starting them. */
#include "web/parts/job_data.h"

#include <string.h>

#include "base/clock.h"
#include "json/object.h"
#include "web/core/page_data.h"
#include "web/parts/pace.h"
#include "web/parts/people_data.h"

const char *job_url(struct arena *a, int64_t id)
{
    return arena_printf(a, "/jobs/%lld", (long long)id);
}

enum err_code job_asked(struct ctx *c, int64_t *id)
{
    return sv_i64(c->req->params[0], id) && *id > 0
               ? OK
               : err_rule(&c->err, ERR_NOT_FOUND, "no-job", "There is no such job.");
}

/* ---- starting ---- */

static enum err_code add(struct ctx *c, struct sv kind, struct sv arguments, struct sv title,
                         int64_t *id)
{
    enum err_code rc = jobs_find_open(c->db, kind, arguments, id, &c->err);
    if (rc == OK && *id == 0) {
        rc = jobs_add(c->db, kind, arguments, title, c->user.account, clock_wall_ms(), id, &c->err);
    }
    if (rc == OK) {
        app_jobs_changed(c->app);
    }
    return rc;
}

enum err_code job_start(struct ctx *c, struct sv kind, const struct job_given *given, size_t n,
                        struct sv title, int64_t *id)
{
    struct sv arguments;
    const struct job_kind *k = job_kind_find(kind);
    if (!k) {
        return err_rule(&c->err, ERR_INPUT, "job-kind",
                        "There is no such kind of job. Nothing was started.");
    }
    enum err_code rc = job_arguments(k, given, n, c->arena, &arguments, &c->err);
    if (rc != OK) {
        return rc;
    }
    title = title.n ? title : sv_of(job_title(k, given, n, c->arena));
    return add(c, kind, arguments, title, id);
}

enum err_code job_start_again(struct ctx *c, int64_t id, int64_t *again)
{
    struct job_row j;
    enum err_code rc = jobs_get(c->db, id, c->arena, &j, &c->err);
    if (rc == OK && !job_kind_find(j.kind)) {
        rc = err_rule(&c->err, ERR_INPUT, "job-kind",
                      "This version of holdout cannot run this kind of job. Nothing was started.");
    }
    return rc == OK ? add(c, j.kind, j.arguments, j.title, again) : rc;
}

/* ---- showing ---- */

static bool is_open(const struct job_row *j)
{
    return j->state == JOB_QUEUED || j->state == JOB_RUNNING;
}

/* The pace of this process, whatever was done before it. */
static const char *left_text(struct arena *a, const struct job_row *j)
{
    int64_t done = j->done - j->first_done, ms = j->beat_at - j->first_at;
    if (j->state != JOB_RUNNING || j->total <= j->done || done <= 0 || ms < 1000) {
        return "";
    }
    double minutes = (double)(j->total - j->done) * ((double)ms / (double)done) / 60000;
    return arena_printf(a, minutes < 1 ? "%s left" : "about %s left", pace_span(a, minutes));
}

static const char *took_text(struct arena *a, const struct job_row *j)
{
    int64_t until = j->ended_at ? j->ended_at : j->state == JOB_RUNNING ? j->beat_at : 0;
    if (!j->started_at || until < j->started_at) {
        return "";
    }
    int64_t s = (until - j->started_at) / 1000;
    return s < 60 ? arena_printf(a, "%lld s", (long long)s) : pace_span(a, (double)s / 60);
}

static json_t *progress_json(struct arena *a, const struct job_row *j)
{
    bool known = j->total > 0;
    int64_t total = known ? j->total : 1;
    int64_t done = j->done < 0 ? 0 : j->done > total ? total : j->done;
    const char *left = left_text(a, j);
    const char *text = known ? arena_printf(a, "%s of %s%s%s", data_count(a, done),
                                            data_count(a, total), *left ? ", " : "", left)
                       : j->state == JOB_QUEUED  ? "waits for its turn"
                       : j->state == JOB_RUNNING ? "starting"
                                                 : "";
    if (known && j->state == JOB_QUEUED) {
        text = arena_printf(a, "%s, resumes when it is its turn", text);
    }
    return object(field_int("done", done), field_int("total", total),
                  field_int("percent", 100 * done / total), field_text("text", text),
                  field_bool("known", known));
}

static const char *state_text(const struct job_row *j)
{
    return j->state == JOB_RUNNING && j->asked_to_stop ? "stopping" : job_state_word(j->state);
}

static json_t *moment(int64_t ms)
{
    char iso[CLOCK_ISO_SIZE];
    return ms ? json_string(clock_iso(ms, iso)) : json_null();
}

/* Of jobs that are about a set: where one sees what came of it. */
static json_t *result_json(struct arena *a, const struct job_row *j)
{
    const char **words;
    size_t n;
    bool samples = sv_is(j->kind, "sample");
    if (!samples || job_words(j->arguments, "DIR", a, &words, &n, NULL) != OK) {
        return json_null();
    }
    for (size_t i = 0; i + 1 < n; i++) {
        if (strcmp(words[i], "--set") == 0) {
            return object(field_text("text", arena_printf(a, "The set %s", words[i + 1])),
                          field_text("url", arena_printf(a, "/sets/%s", words[i + 1])));
        }
    }
    return json_null();
}

json_t *job_json(struct ctx *c, const struct job_row *j)
{
    struct arena *a = c->arena;
    json_t *o = object(field_int("id", j->id), field_text("url", job_url(a, j->id)),
                       field_sv("kind", j->kind), field_sv("title", j->title),
                       field_text("command", job_command(j->kind, j->arguments, a)),
                       field_text("state", state_text(j)), field_bool("is_open", is_open(j)),
                       field_bool("is_running", j->state == JOB_RUNNING),
                       field_bool("is_failed", j->state == JOB_FAILED),
                       field_bool("is_done", j->state == JOB_DONE),
                       field_bool("stopping", is_open(j) && j->asked_to_stop));
    json_t *rest =
        object(field_json("at", moment(j->at)), field_text("at_text", people_minute(a, j->at)),
               field_json("by", j->who.n ? data_text(j->who)
                                         : json_string(j->account ? "erased" : "command line")),
               field_int("starts", j->starts), field_bool("restarted", j->starts > 1),
               field_json("started_at", moment(j->started_at)),
               field_json("ended_at", moment(j->ended_at)),
               field_text("took_text", took_text(a, j)), field_text("left_text", left_text(a, j)),
               field_sv("note", j->note), field_json("progress", progress_json(a, j)),
               field_bool("can_cancel", is_open(j) && !j->asked_to_stop),
               field_bool("can_again", !is_open(j)),
               field_json("result", j->state == JOB_DONE ? result_json(a, j) : json_null()));
    json_object_update(o, rest);
    json_decref(rest);
    return o;
}
