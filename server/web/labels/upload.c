/* upload.c - label sources that come as a file, by the page's form and by the API: all of it is read before anything is
 * started, so that a wrong row is told at once; a job writes it. Rows in routes.c. */
#include <string.h>

#include "base/fs.h"
#include "json/object.h"
#include "store/labels/labels.h"
#include "transfer/imports/imports.h"
#include "web/core/form_refused.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"
#include "web/parts/uploads.h"

enum { NAME_SHOWN = 80, TELL_BYTES = 300, TOLD_MOST = 50 /* as transfer/imports/lines.c names */ };

struct upload {
    struct sv name;   /* of the source */
    const char *kept; /* its file in the folder uploads */
    int64_t version;  /* one that says the same is there; 0: none */
};

/* ---- reading it ---- */

/* What an import says of the kept file, about the file that was sent. */
struct reading {
    struct ctx *c;
    const char *path, *sent;
    struct str rows; /* the first wrong ones */
    size_t n;
};

/* Fields of the form or members of the JSON body. */
static struct sv given(struct ctx *c, const char *field)
{
    return c->json ? object_text(c->json, field) : form_get(&c->form, field);
}

/* The last part of the name that the client gave, where it can be shown. */
static const char *sent_name(struct ctx *c)
{
    struct sv name = given(c, "file");
    for (size_t i = 0; i < c->form.n; i++) {
        name = sv_is(c->form.fields[i].name, "labels") ? c->form.fields[i].filename : name;
    }
    for (size_t i = name.n; i > 0; i--) {
        if (name.p[i - 1] == '/' || name.p[i - 1] == '\\') {
            name = sv_make(name.p + i, name.n - i);
            break;
        }
    }
    return name.n && name.n <= NAME_SHOWN && sv_utf8(name) ? arena_cstr(c->arena, name) : "labels";
}

static const char *as_sent(const struct reading *r, const char *text)
{
    const char *at = strstr(text, r->path);
    return at ? arena_printf(r->c->arena, "%.*s%s%s", (int)(at - text), text, r->sent, at + strlen(r->path)) : text;
}

static void take_said(void *arg, enum transfer_say how, const char *text)
{
    struct reading *r = arg;
    if (how == TRANSFER_SKIPPED) {
        const char *row = as_sent(r, text);
        if (r->n == 0 || r->rows.n + strlen(row) < TELL_BYTES) {
            str_printf(&r->rows, "%s%s", r->n ? "; " : "", row);
        }
        r->n++;
    }
}

static enum err_code tell_wrong(struct reading *r)
{
    struct ctx *c = r->c;
    const enum err_code rc = c->err.code;
    const char *rule = arena_strdup(c->arena, c->err.rule);
    const char *text = r->n ? arena_printf(c->arena, "%zu%s row%s of %s cannot be imported, so nothing was written. %.*s", r->n,
                                           r->n == TOLD_MOST ? " or more" : "", r->n == 1 ? "" : "s", r->sent, (int)r->rows.n, r->rows.p)
                            : as_sent(r, arena_strdup(c->arena, c->err.msg));
    err_clear(&c->err);
    return err_rule(&c->err, rc, r->n ? "labels-rows" : rule, "%s", text);
}

static const char *given_or_null(struct ctx *c, const char *field)
{
    struct sv value = sv_trim(given(c, field));
    return value.n ? arena_cstr(c->arena, value) : NULL;
}

/* As the job will read it, without writing. */
static enum err_code read_it(struct ctx *c, struct upload *u)
{
    const char *path = fs_join(c->arena, fs_join(c->arena, app_dir(c->app), "uploads"), u->kept);
    struct reading r = {.c = c, .path = path, .sent = sent_name(c)};
    struct transfer tr = {.db = c->db, .arena = c->arena, .err = &c->err, .dir = app_dir(c->app), .dry_run = true, .say = take_said, .arg = &r};
    const struct labels_ask ask = {.path = path, .name = u->name, .kind = given_or_null(c, "kind"), .set = given_or_null(c, "set"),
                                   .reason = given_or_null(c, "reason"), .replace = given_or_null(c, "reason") != NULL,
                                   .account = c->user.account};
    str_init(&r.rows, TELL_BYTES + 1024);
    struct label_version_row newest;
    bool there;
    enum err_code rc = labels_import(&tr, &ask, &there) == OK ? OK : tell_wrong(&r);
    str_release(&r.rows);
    rc = rc == OK && there ? label_versions_find(c->db, u->name, c->arena, &newest, &c->err) : rc;
    u->version = rc == OK && there ? newest.number : 0;
    return rc;
}

/* Which field of the form a refusal is about. */
static enum err_code wrong(struct ctx *c)
{
    static const struct {
        const char *rule, *field;
    } rules[] = {{"label-name", "name"}, {"label-kind", "kind"}, {"usage", "kind"}, {"label-replace", "reason"}, {"label-reason", "reason"}, {"set", "set"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(c->err.rule, rules[i].rule) == 0) {
            return form_wrong_field(c, rules[i].field);
        }
    }
    return form_wrong_field(c, "labels");
}

static enum err_code check(struct ctx *c)
{
    struct upload *u = arena_calloc(c->arena, 1, sizeof *u);
    const struct sv labels = given(c, "labels");
    u->name = sv_trim(given(c, "name"));
    c->state = u;
    if (label_name_check(u->name, &c->err) != OK) {
        return c->err.code;
    }
    if (sv_trim(labels).n == 0) {
        return err_rule(&c->err, ERR_INPUT, "labels-file", "Choose a file of labels. Nothing was started.");
    }
    enum err_code rc = upload_keep(c, u->name, labels, "labels", &u->kept);
    return rc == OK ? read_it(c, u) : rc;
}

/* ---- the form ---- */

/* POST /label-sources, first step */
enum err_code page_label_source_check(struct ctx *c)
{
    return check(c) == OK ? OK : wrong(c);
}

static const char *const fields[] = {"set", "kind", "reason"};
enum { FIELDS = sizeof fields / sizeof *fields, GIVEN = FIELDS + 3 };

static size_t given_of(struct ctx *c, const struct upload *u, struct job_given *out)
{
    size_t n = 0;
    out[n++] = (struct job_given){SV("upload"), sv_of(u->kept)};
    out[n++] = (struct job_given){SV("name"), u->name};
    for (int i = 0; i < FIELDS; i++) {
        const char *value = given_or_null(c, fields[i]);
        if (value) {
            out[n++] = (struct job_given){sv_of(fields[i]), sv_of(value)};
        }
    }
    if (given_or_null(c, "reason")) {
        out[n++] = (struct job_given){SV("replace"), SV("true")};
    }
    return n;
}

static const char *title_of(struct ctx *c, const struct upload *u) { return arena_printf(c->arena, "Labels " SV_FMT, SV_ARG(u->name)); }

/* Its second step: a job writes it: name, labels (a file), set, kind, reason (of another version of a source that is there) */
enum err_code page_label_source_import(struct ctx *c)
{
    static const char *const none[] = {NULL};
    const struct upload *u = c->state;
    struct job_given first[GIVEN];
    return job_start_form(c, "import labels", first, given_of(c, u, first), none, title_of(c, u), "imports the labels");
}

/* ---- for scripts ---- */

struct upload_face {
    struct sv source;
    int64_t version, job;
    const char *url;
};
#define OF(member) RECORD_OF(struct upload_face, member)
RECORD(label_upload_record, struct upload_face, "label_upload", "What comes of a file of labels that was sent.",
       {"source", OF(source), .about = "The label source."},
       {"version", OF(version), .maybe = true, .about = "The version of it that says the same and is there already; null: a job adds one."},
       {"job", OF(job), .maybe = true, .about = "The job that writes it; null: there is nothing to write."},
       {"url", OF(url), .about = "Where to look: the job, or the label source."});
#undef OF

/* POST /api/v1/labels, first step: name, labels (the file's text), file (its name), set, kind, reason */
enum err_code api_label_upload_check(struct ctx *c)
{
    return gate_need_json(c) == OK ? check(c) : c->err.code;
}

/* Its second step: 202 with the job, or 200 with the version that is there */
enum err_code api_label_upload(struct ctx *c)
{
    const struct upload *u = c->state;
    struct job_given first[GIVEN];
    struct upload_face f = {.source = u->name, .version = u->version, .url = arena_printf(c->arena, "/api/v1/labels/" SV_FMT, SV_ARG(u->name))};
    if (u->version) {
        return reply_json(c, 200, record_json(&label_upload_record, &f));
    }
    if (job_start(c, SV("import labels"), first, given_of(c, u, first), sv_of(title_of(c, u)), &f.job) != OK) {
        return c->err.code;
    }
    f.url = arena_printf(c->arena, "/api/v1/jobs/%lld", (long long)f.job);
    response_header(c->res, "Location", f.url);
    return reply_json(c, 202, record_json(&label_upload_record, &f));
}
