/* job_data.c - jobs as JSON, and starting them. */
#include "web/parts/job_data.h"

#include <string.h>

#include "base/clock.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/pace.h"
#include "web/parts/people_data.h"

enum { GIVEN_MOST = 16 };

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

enum err_code job_start_form(struct ctx *c, const char *kind, const struct job_given *first, size_t n_first,
                             const char *const *fields, const char *title, const char *does)
{
    struct job_given given[GIVEN_MOST];
    size_t n = 0;
    int64_t id;
    for (; n < n_first; n++) {
        given[n] = first[n];
    }
    for (; *fields; fields++) {
        struct sv value = sv_trim(form_get(&c->form, *fields));
        if (value.n) {
            BUG_IF(n == GIVEN_MOST);
            given[n++] = (struct job_given){sv_of(*fields), value};
        }
    }
    enum err_code rc = job_start(c, sv_of(kind), given, n, sv_of(title), &id);
    for (size_t i = n_first; i < n && rc != OK && strcmp(c->err.rule, "job-value") == 0; i++) {
        const char *name = arena_cstr(c->arena, given[i].name);
        if (strstr(c->err.msg, arena_printf(c->arena, "\"%s\"", name))) { /* what it must be */
            return form_wrong_field(c, name);
        }
    }
    return rc == OK ? reply_did(c, job_url(c->arena, id), NULL, "Job %lld %s.", (long long)id, does) : rc;
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

static const char *progress_text(struct arena *a, const struct job_row *j, int64_t done)
{
    const char *left = left_text(a, j);
    if (j->total <= 0) {
        return j->state == JOB_QUEUED ? "waits for its turn" : j->state == JOB_RUNNING ? "starting" : "";
    }
    return arena_printf(a, "%s of %s%s%s%s", data_count(a, done), data_count(a, j->total), *left ? ", " : "", left,
                        j->state == JOB_QUEUED ? ", resumes when it is its turn" : "");
}

static const char *state_text(const struct job_row *j)
{
    return j->state == JOB_RUNNING && j->asked_to_stop ? "stopping" : job_state_word(j->state);
}

/* Where one sees what came of a finished job: by an option of its kind. */
static const struct {
    const char *kind, *option, *text, *url; /* text and url: with the option's value */
} results[] = {
    {"sample", "--set", "The set %s", "/sets/%s"},
    {"grids", "--campaign", "The campaign %s", "/campaigns/%s"},
    {"classify", "--campaign", "The campaign %s", "/campaigns/%s"},
    {"potential freeze", "--name", "The plan %s", "/label-plans/potential/%s"},
    {"candidates freeze", "--name", "The plan %s", "/label-plans/candidates/%s"},
};

struct job_result {
    const char *text, *url; /* NULL: there is nothing to see */
};

/* `form` has one %s. */
static const char *replaced(struct arena *a, const char *form, const char *value)
{
    const char *at = strstr(form, "%s");
    return arena_printf(a, "%.*s%s%s", (int)(at - form), form, value, at + 2);
}

static const char *option_of(struct arena *a, const struct job_row *j, const char *option)
{
    const char **words;
    size_t n;
    if (job_words(j->arguments, "DIR", a, &words, &n, NULL) != OK) {
        return NULL;
    }
    for (size_t i = 0; i + 1 < n; i++) {
        if (strcmp(words[i], option) == 0) {
            return words[i + 1];
        }
    }
    return NULL;
}

static struct job_result result_of(struct arena *a, const struct job_row *j)
{
    struct job_result out = {NULL, NULL};
    for (size_t i = 0; j->state == JOB_DONE && i < sizeof results / sizeof *results; i++) {
        const char *value = sv_is(j->kind, results[i].kind) ? option_of(a, j, results[i].option) : NULL;
        if (value) {
            out = (struct job_result){replaced(a, results[i].text, value), replaced(a, results[i].url, value)};
        }
    }
    return out;
}

/* ---- the record ---- */

struct job_face {
    struct job_row j;
    const char *url, *command, *state, *at_text, *took, *left;
    bool is_open, is_running, is_failed, is_done, stopping, restarted, can_cancel, can_again, has_result;
    struct sv by;
    struct job_progress {
        struct progress bar;
        bool known;
    } progress;
    struct job_result result;
};

static RECORD(job_progress_record, struct job_progress, "job_progress", "How far a job is.",
              {NULL, RECORD_PART(struct job_progress, bar), RECORD_BESIDE, .of = &progress_record},
              {"known", RECORD_OF(struct job_progress, known), .about = "Whether it has said yet how much there is to do."});
static RECORD(job_result_record, struct job_result, "job_result", "Where to see what came of a job.",
              {"text", RECORD_OF(struct job_result, text), .about = "What it is, for people."},
              {"url", RECORD_OF(struct job_result, url), .about = "The address of its page."});
#define OF(member) RECORD_OF(struct job_face, member)
RECORD(job_record, struct job_face, "job", "A command that the server runs.",
       {"id", OF(j.id), .about = "The job's number."},
       {"url", OF(url), .about = "The address of its page."},
       {"kind", OF(j.kind), .about = "Which command, such as predict, sample, grids or classify."},
       {"title", OF(j.title), .about = "What it does, for people."},
       {"command", OF(command), .about = "The command line that does the same."},
       {"state", OF(state), .about = "queued, running, stopping, done, failed or cancelled."},
       {"is_open", OF(is_open), .about = "Whether it waits or runs."},
       {"is_running", OF(is_running), .about = "Whether it runs."},
       {"is_failed", OF(is_failed), .about = "Whether it failed."},
       {"is_done", OF(is_done), .about = "Whether it ended as it should."},
       {"stopping", OF(stopping), .about = "Whether somebody asked it to stop and it has not ended yet."},
       {"at", OF(j.at), RECORD_MOMENT, .about = "When it was asked for."},
       {"at_text", OF(at_text), .about = "The same to the minute, in UTC."},
       {"by", OF(by), .about = "The login of whoever asked for it; `erased` or `command line` where there is none."},
       {"starts", OF(j.starts), .about = "How often it was started."},
       {"restarted", OF(restarted), .about = "Whether it was started more than once."},
       {"started_at", OF(j.started_at), RECORD_MOMENT, .maybe = true, .about = "When it was first started; null: not yet."},
       {"ended_at", OF(j.ended_at), RECORD_MOMENT, .maybe = true, .about = "When it ended; null: not yet."},
       {"took_text", OF(took), .about = "How long it took or has taken so far; empty: not known."},
       {"left_text", OF(left), .about = "How long it still takes at its pace; empty: not known."},
       {"note", OF(j.note), .about = "What it said last."},
       {"progress", RECORD_PART(struct job_face, progress), .of = &job_progress_record, .about = "How far it is."},
       {"can_cancel", OF(can_cancel), .about = "Whether it can be asked to stop."},
       {"can_again", OF(can_again), .about = "Whether it has ended and can be started again."},
       {"result", RECORD_PART(struct job_face, result), RECORD_IF(struct job_face, has_result), .of = &job_result_record,
        .about = "Where to see what came of it; null: nothing to see."});
#undef OF

json_t *job_json(struct ctx *c, const struct job_row *j)
{
    struct arena *a = c->arena;
    bool known = j->total > 0;
    int64_t total = known ? j->total : 1;
    int64_t done = j->done < 0 ? 0 : j->done > total ? total : j->done;
    const struct job_result result = result_of(a, j);
    const struct job_face face = {
        .j = *j,
        .url = job_url(a, j->id),
        .command = job_command(j->kind, j->arguments, a),
        .state = state_text(j),
        .is_open = is_open(j),
        .is_running = j->state == JOB_RUNNING,
        .is_failed = j->state == JOB_FAILED,
        .is_done = j->state == JOB_DONE,
        .stopping = is_open(j) && j->asked_to_stop,
        .at_text = people_minute(a, j->at),
        .by = j->who.n ? j->who : sv_of(j->account ? "erased" : "command line"),
        .restarted = j->starts > 1,
        .took = took_text(a, j),
        .left = left_text(a, j),
        .progress = {data_bar(done, total, progress_text(a, j, done)), known},
        .can_cancel = is_open(j) && !j->asked_to_stop,
        .can_again = !is_open(j),
        .result = result,
        .has_result = result.text != NULL};
    return record_json(&job_record, &face);
}
