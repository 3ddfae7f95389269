/* subsets.c - subsets of images under a name: which there are, what their versions mean, making one. Rows in routes.c;
 * templates/measures/subsets, subset. */
#include "base/clock.h"
#include "formats/csv.h"
#include "json/object.h"
#include "sets/subsets/named.h"
#include "view/escape.h"
#include "view/people_texts.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/set_data.h"

/* ---- what is asked for ---- */

struct asked {
    struct set_shown on;
    struct named_face *faces;
    size_t n;
};

/* The newest version of each, or all of one, with how many images of the set they mean. */
static enum err_code read_asked(struct ctx *c, struct sv name, struct asked *out)
{
    struct subset_row *rows;
    enum err_code rc = set_shown_read(c, &out->on);
    rc = rc == OK ? subsets_list(c->db, name, c->arena, &rows, &out->n, &c->err) : rc;
    if (rc == OK && name.n && out->n == 0) {
        rc = err_rule(&c->err, ERR_NOT_FOUND, "no-subset", "There is no subset of that name.");
    }
    out->faces = rc == OK ? arena_calloc(c->arena, out->n + 1, sizeof *out->faces) : NULL;
    for (size_t i = 0; i < out->n && rc == OK; i++) {
        out->faces[i] = named_face(&rows[i], c->arena);
        rc = out->on.set.id ? named_count(c->db, &out->on.set, c->arena, &out->faces[i], &c->err) : OK;
    }
    return rc;
}

/* ---- pages ---- */

static const char *page_url(struct ctx *c, struct sv name)
{
    return arena_printf(c->arena, "/measures/subsets/" SV_FMT, SV_ARG(name));
}

static json_t *face_json(struct ctx *c, const struct named_face *f, const struct asked *a)
{
    const char *word = arena_printf(c->arena, "%%40" SV_FMT "/%lld", SV_ARG(f->row.name), (long long)f->row.number);
    const char *set = a->on.set.id ? set_title(c->arena, &a->on.set) : NULL;
    return object(field_sv("name", f->row.name), field_text("url", page_url(c, f->row.name)), field_int("version", f->row.number),
                  field_text("word", f->word), field_sv("definition", f->row.definition), field_sv("words", f->row.words),
                  field_bool("pinned", !sv_eq(f->row.definition, f->row.words)), field_sv("note", f->row.note),
                  field_text("sha256", f->sha256), field_text("images", f->asked ? data_count(c->arena, f->images) : NULL),
                  field_text("at", people_minute(c->arena, f->row.at)), field_sv("by", f->row.login.n ? f->row.login : SV("command line")),
                  field_text("models_url", arena_printf(c->arena, "/models?subset=%s", word)),
                  field_text("csv_url", set ? arena_printf(c->arena, "/api/v1/subsets/" SV_FMT "/images.csv?version=%lld&set=%s",
                                                           SV_ARG(f->row.name), (long long)f->row.number, set)
                                            : NULL));
}

static json_t *faces_json(struct ctx *c, const struct asked *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < a->n; i++) {
        json_array_append_new(list, face_json(c, &a->faces[i], a));
    }
    return list;
}

static enum err_code show(struct ctx *c, const struct asked *a, const char *template, const char *title, const char *json_url)
{
    const bool may = c->user.role >= ROLE_LEAD;
    json_t *page = object(field_text("title", title), field_json("subsets", faces_json(c, a)), field_bool("any", a->n > 0), field_bool("may", may),
                          field_json("newest", a->n ? face_json(c, &a->faces[0], a) : json_null()),
                          field_json("sets", set_shown_choices(c, &a->on)),
                          field_text("set", a->on.set.id ? set_title(c->arena, &a->on.set) : NULL), field_text("json_url", json_url));
    return reply_page(c, 200, template, title, page);
}

/* GET /measures/subsets?set= */
enum err_code page_subsets(struct ctx *c)
{
    struct asked a;
    return read_asked(c, SV(""), &a) == OK ? show(c, &a, "measures/subsets", "Subsets", "/api/v1/subsets") : c->err.code;
}

/* GET /measures/subsets/:subset?set= */
enum err_code page_subset(struct ctx *c)
{
    struct asked a;
    const struct sv name = c->req->params[0];
    return read_asked(c, name, &a) == OK ? show(c, &a, "measures/subset", arena_cstr(c->arena, name),
                                                arena_printf(c->arena, "/api/v1/subsets/" SV_FMT, SV_ARG(name)))
                                         : c->err.code;
}

/* ---- making one ---- */

struct making {
    struct named_draft draft;
    int64_t seen; /* the newest version when the form was made; 0: a new name */
};

/* POST /measures/subsets, first step: what the words mean */
enum err_code page_subset_check(struct ctx *c)
{
    struct making *m = arena_calloc(c->arena, 1, sizeof *m);
    const struct subset_when when = set_part_when(c);
    const struct named_ask ask = {.name = form_get(&c->form, "name"),
                                  .definition = form_get(&c->form, "definition"),
                                  .note = form_get(&c->form, "note"),
                                  .account = c->user.account};
    if (!sv_i64(form_get(&c->form, "seen"), &m->seen) || m->seen < 0) {
        return err_rule(&c->err, ERR_INPUT, "subset-seen", "The form does not say which version it is after. Reload the page.");
    }
    enum err_code rc = named_make(c->db, &when, &ask, c->arena, &m->draft, &c->err);
    if (rc != OK && strcmp(c->err.rule, "subset-name") != 0) {
        return form_wrong(c, "definition", "%s", c->err.msg);
    }
    c->state = m;
    return rc;
}

/* Its second step, on the writer's thread: name, definition, note, seen */
enum err_code page_subset_store(struct ctx *c)
{
    const struct making *m = c->state;
    const struct sv name = m->draft.row.name;
    struct subset_row newest = {.number = 0};
    int64_t number = 0;
    bool added = false;
    enum err_code rc = subsets_find(c->db, name, 0, c->arena, &newest, &c->err);
    if (rc != OK && rc != ERR_NOT_FOUND) {
        return rc;
    }
    err_clear(&c->err);
    if (newest.number != m->seen) {
        return err_rule(&c->err, ERR_CONFLICT, m->seen ? "subset-version" : "subset-name",
                        m->seen ? "Somebody else has stored another version of this subset. Nothing was stored; look at theirs first."
                                : "There is already a subset with this name. Nothing was stored. Choose another name, or make a version of it on "
                                  "its own page.");
    }
    rc = named_store(c->db, &m->draft, clock_wall_ms(), &number, &added, &c->err);
    return rc == OK ? reply_did(c, page_url(c, name), NULL, "%s @" SV_FMT "/%lld.", added ? "Stored" : "These words mean the same as", SV_ARG(name),
                                (long long)number)
                    : rc;
}

/* ---- for scripts ---- */

struct subsets_reply {
    struct named_face *items;
    size_t n;
    const char *set;
};
RECORD(named_subsets_record, struct subsets_reply, "named_subsets", "Subsets of images under a name.",
       {"items", RECORD_ROWS(struct subsets_reply, items, n), .of = &named_subset_record,
        .about = "The newest version of each, by name; or all versions of one, newest first."},
       {"set", RECORD_OF(struct subsets_reply, set), .maybe = true, .about = "The set that their numbers of images are of, SET/NUMBER; null: there is none."});

static enum err_code reply_subsets(struct ctx *c, struct sv name)
{
    struct asked a;
    if (read_asked(c, name, &a) != OK) {
        return c->err.code;
    }
    const struct subsets_reply r = {a.faces, a.n, a.on.set.id ? set_title(c->arena, &a.on.set) : NULL};
    return reply_json(c, 200, record_json(&named_subsets_record, &r));
}

/* GET /api/v1/subsets?set= */
enum err_code api_subsets(struct ctx *c)
{
    return reply_subsets(c, SV(""));
}

/* GET /api/v1/subsets/:subset?set= */
enum err_code api_subset(struct ctx *c)
{
    return reply_subsets(c, c->req->params[0]);
}

static enum err_code add_image(void *arg, struct sv image, struct sv wnid, struct err *err)
{
    struct str *body = arg;
    if (body->n > HTTP_BODY_OUT / 2) {
        return err_rule(err, ERR_LIMIT, "subset-large", "This subset has too many images for one reply: use `holdout subset --images-of`.");
    }
    csv_cell(body, image);
    str_addc(body, ',');
    csv_cell(body, wnid);
    str_addc(body, '\n');
    return OK;
}

/* GET /api/v1/subsets/:subset/images.csv?set=&version= */
enum err_code api_subset_images(struct ctx *c)
{
    struct set_shown on;
    struct subset subset;
    const struct sv name = c->req->params[0], version = request_query(c->req, "version");
    const struct subset_when when = set_part_when(c);
    const char *word = arena_printf(c->arena, "@" SV_FMT "%s" SV_FMT, SV_ARG(name), version.n ? "/" : "", SV_ARG(version));
    if (set_shown_read(c, &on) != OK || subset_find(c->db, &when, sv_of(word), c->arena, &subset, &c->err) != OK) {
        return c->err.code;
    }
    if (on.set.id == 0) {
        return err_rule(&c->err, ERR_NOT_FOUND, "set", "There is no set yet. Import or sample one.");
    }
    str_addz(&c->res->body, "image,wnid\n");
    enum err_code rc = named_images(c->db, &subset, &on.set, add_image, &c->res->body, &c->err);
    return rc == OK ? reply_table_file(c, arena_printf(c->arena, SV_FMT "-images.csv", SV_ARG(name)), "text/csv; charset=utf-8") : rc;
}
