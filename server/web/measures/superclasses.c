/* superclasses.c - superclasses under a name: which there are, storing some. Rows in routes.c; templates/measures/superclasses. */
#include "base/clock.h"
#include "json/object.h"
#include "sets/subsets/superclasses.h"
#include "view/people_texts.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"

/* The newest version of each; *last: the event of the newest of them, 0: there is none. */
static enum err_code read_faces(struct ctx *c, struct superclasses_face **out, size_t *n, int64_t *last)
{
    struct superclass_list_row *rows;
    enum err_code rc = superclass_lists_newest(c->db, c->arena, &rows, n, &c->err);
    *last = 0;
    *out = rc == OK ? arena_calloc(c->arena, *n + 1, sizeof **out) : NULL;
    for (size_t i = 0; i < *n && rc == OK; i++) {
        (*out)[i] = superclasses_face(&rows[i], c->arena);
        *last = rows[i].id > *last ? rows[i].id : *last;
    }
    return rc;
}

/* GET /measures/superclasses */
enum err_code page_superclasses(struct ctx *c)
{
    struct superclasses_face *faces;
    size_t n = 0;
    int64_t last;
    if (read_faces(c, &faces, &n, &last) != OK) {
        return c->err.code;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct superclass_list_row *r = &faces[i].row;
        const char *word = arena_printf(c->arena, "%%40" SV_FMT "/%lld", SV_ARG(r->name), (long long)r->number);
        object_add(list, field_sv("name", r->name), field_text("word", faces[i].word), field_int("version", r->number),
                   field_text("superclasses", data_count(c->arena, r->superclasses)), field_text("classes", data_count(c->arena, r->classes)),
                   field_sv("note", r->note), field_text("at", people_minute(c->arena, r->at)),
                   field_sv("by", r->login.n ? r->login : SV("command line")),
                   field_text("confusions_url", arena_printf(c->arena, "/measures/confusions?groups=%s", word)),
                   field_text("cooccurrence_url", arena_printf(c->arena, "/measures/cooccurrence?groups=%s", word)),
                   field_text("csv_url", arena_printf(c->arena, "/api/v1/superclasses/" SV_FMT "/file.csv?version=%lld", SV_ARG(r->name),
                                                      (long long)r->number)));
    }
    json_t *page = object(field_json("lists", list), field_bool("any", n > 0), field_bool("may", c->user.role >= ROLE_LEAD),
                          field_int("seen", last), field_text("json_url", "/api/v1/superclasses"));
    return reply_page(c, 200, "measures/superclasses", "Superclasses", page);
}

/* ---- storing some ---- */

struct storing {
    struct superclasses_draft draft;
    int64_t seen; /* the newest version of any list when the form was made */
};

/* POST /measures/superclasses, first step: what the lines say */
enum err_code page_superclasses_check(struct ctx *c)
{
    struct storing *s = arena_calloc(c->arena, 1, sizeof *s);
    const struct superclasses_ask ask = {.name = form_get(&c->form, "name"), .note = form_get(&c->form, "note"), .file = "list",
                                         .text = form_get(&c->form, "list"), .account = c->user.account};
    if (!sv_i64(form_get(&c->form, "seen"), &s->seen) || s->seen < 0) {
        return err_rule(&c->err, ERR_INPUT, "superclasses-seen", "The form does not say which version it is after. Reload the page.");
    }
    enum err_code rc = superclasses_make(c->db, &ask, c->arena, &s->draft, &c->err);
    c->state = s;
    return rc == ERR_INPUT ? form_wrong(c, sv_is(sv_of(c->err.rule), "superclasses-name") ? "name" : "list", "%s", c->err.msg) : rc;
}

/* Its second step, on the writer's thread: name, list (CSV class,superclass), note, seen */
enum err_code page_superclasses_store(struct ctx *c)
{
    const struct storing *s = c->state;
    const struct sv name = s->draft.row.name;
    struct superclass_list_row newest = {.number = 0};
    int64_t number = 0;
    bool added = false;
    enum err_code rc = superclass_lists_find(c->db, name, c->arena, &newest, &c->err);
    if (rc != OK && rc != ERR_NOT_FOUND) {
        return rc;
    }
    err_clear(&c->err);
    if (newest.id > s->seen) {
        return err_rule(&c->err, ERR_CONFLICT, "superclasses-version",
                        "Somebody else has stored superclasses with this name. Nothing was stored; look at theirs first.");
    }
    rc = superclasses_store(c->db, &s->draft, clock_wall_ms(), &number, &added, &c->err);
    return rc == OK ? reply_did(c, "/measures/superclasses", NULL, "%s @" SV_FMT "/%lld: %s classes have a superclass.",
                                added ? "Stored" : "These are already", SV_ARG(name), (long long)number,
                                data_count(c->arena, (int64_t)s->draft.n))
                    : rc;
}

/* ---- for scripts ---- */

struct superclasses_reply {
    struct superclasses_face *items;
    size_t n;
};
RECORD(superclasses_list_record, struct superclasses_reply, "superclasses_list", "Superclasses under a name.",
       {"items", RECORD_ROWS(struct superclasses_reply, items, n), .of = &superclasses_record, .about = "The newest version of each, by name."});

/* GET /api/v1/superclasses */
enum err_code api_superclasses(struct ctx *c)
{
    struct superclasses_reply r;
    int64_t last;
    enum err_code rc = read_faces(c, &r.items, &r.n, &last);
    return rc == OK ? reply_json(c, 200, record_json(&superclasses_list_record, &r)) : rc;
}

/* GET /api/v1/superclasses/:superclasses/file.csv?version= */
enum err_code api_superclasses_file(struct ctx *c)
{
    const struct sv name = c->req->params[0], version = request_query(c->req, "version");
    const char *word = arena_printf(c->arena, SV_FMT "%s" SV_FMT, SV_ARG(name), version.n ? "/" : "", SV_ARG(version));
    struct superclass_list_row row;
    enum err_code rc = superclass_lists_find(c->db, sv_of(word), c->arena, &row, &c->err);
    rc = rc == OK ? superclasses_csv(c->db, row.id, c->arena, &c->res->body, &c->err) : rc;
    return rc == OK ? reply_table_file(c, arena_printf(c->arena, SV_FMT ".csv", SV_ARG(name)), "text/csv; charset=utf-8") : rc;
}
