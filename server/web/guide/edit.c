/* edit.c - writing the guide: experts and leads may, each version stays. Whoever was slower gets their text back beside what
 * others changed. Rows in routes.c; templates/guide/edit.mustache, history.mustache. */
#include "base/clock.h"
#include "experts/guide_pictures.h"
#include "json/object.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/naming/class_picker.h"
#include "web/naming/guide_text.h"
#include "web/naming/tree_kept.h"

/* ---- the form ---- */

struct editing {
    struct class_entry here;
    struct guide_version newest;
    struct guide_new v;
};

static enum err_code read_page(struct ctx *c, struct editing *e)
{
    struct class_level l;
    enum err_code rc = class_level_get(c, c->req->params[0], &l);
    e->here = l.here;
    rc = rc == OK ? guide_newest(c->db, l.here.wnid, c->arena, &e->newest, &c->err) : rc;
    return rc == OK ? guide_shown(c, &e->newest, 1) : rc;
}

/* What others changed since the author began; null: nothing. */
static json_t *changed_json(struct ctx *c, const struct editing *e)
{
    struct guide_version was = {.id = 0};
    struct err none = {OK, "", ""};
    if (e->v.was < 0 || e->v.was == e->newest.id) {
        return json_null();
    }
    if (e->v.was > 0) { /* a number that never was one is as an empty page */
        guide_get(c->db, e->here.wnid, e->v.was, c->arena, &was, &none);
    }
    if (guide_shown(c, &was, 1) != OK) {
        return NULL;
    }
    return object(field_json("version", guide_version_json(c, &e->newest)), field_json("lines", guide_diff_json(c, was.text, e->newest.text)));
}

static enum err_code reply_edit(struct ctx *c, const struct editing *e, bool preview, int status)
{
    json_t *shown = preview ? guide_text_json(c, e->v.text) : json_null(), *changed = shown ? changed_json(c, e) : NULL;
    if (!changed) {
        json_decref(shown);
        return c->err.code;
    }
    json_t *page = object(field_json("here", class_entry_json(c, &e->here)), field_sv("text", e->v.text), field_sv("reason", e->v.reason),
                          field_text("was", arena_printf(c->arena, "%lld", (long long)e->newest.id)), field_json("preview", shown),
                          field_json("changed", changed));
    return reply_page(c, status, "guide/edit",
                      arena_printf(c->arena, "Write about %s", data_class_name(c->arena, e->here.words, e->here.wnid)), page);
}

/* GET /guide/:wnid/edit?version= */
enum err_code page_guide_edit(struct ctx *c)
{
    struct editing e;
    struct guide_version old;
    int64_t version;
    enum err_code rc = read_page(c, &e);
    if (rc == OK) {
        e.v = (struct guide_new){.wnid = e.here.wnid, .text = e.newest.text, .reason = SV(""), .was = e.newest.id};
    }
    if (rc == OK && sv_i64(request_query(c->req, "version"), &version)) {
        rc = guide_get(c->db, e.here.wnid, version, c->arena, &old, &c->err);
        rc = rc == OK ? guide_shown(c, &old, 1) : rc;
        e.v.text = old.text;
        e.v.reason = sv_of(arena_printf(c->arena, "Back to version %lld", (long long)version));
    }
    return rc == OK ? reply_edit(c, &e, false, 200) : rc;
}

/* Line ends as on paper: browsers send CRLF. */
static struct sv plain_lines(struct ctx *c, struct sv text)
{
    char *out = arena_alloc(c->arena, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] != '\r') {
            out[n++] = text.p[i];
        }
    }
    return sv_make(out, n);
}

/* POST, first step: a preview, what others changed, or what is to be stored. */
enum err_code page_guide_write_check(struct ctx *c)
{
    struct editing *e = arena_calloc(c->arena, 1, sizeof *e);
    c->state = e;
    enum err_code rc = read_page(c, e);
    if (rc != OK) {
        return rc;
    }
    e->v = (struct guide_new){.wnid = e->here.wnid, .text = plain_lines(c, form_get(&c->form, "text")), .reason = form_get(&c->form, "reason"),
                              .account = c->user.account};
    if (!sv_i64(form_get(&c->form, "was"), &e->v.was)) {
        return form_wrong(c, "", "The form is not whole. Reload the page; your text is kept if you copy it first.");
    }
    rc = guide_text_check(c->db, e->v.text, &c->err);
    if (rc != OK) {
        return rc;
    }
    if (sv_is(form_get(&c->form, "do"), "preview")) {
        return reply_edit(c, e, true, 200);
    }
    return e->v.was != e->newest.id && !sv_eq(e->v.text, e->newest.text) ? reply_edit(c, e, false, 412) : OK;
}

/* POST /guide/:wnid/edit */
enum err_code page_guide_write(struct ctx *c)
{
    const struct editing *e = c->state;
    int64_t id;
    enum err_code rc = guide_put(c->db, &e->v, clock_wall_ms(), &id, &c->err);
    return rc == OK ? reply_did(c, class_entry_url(c, e->here.wnid), NULL, id ? "Stored a new version." : "Nothing changed: the page says that already.")
                    : rc;
}

/* ---- history ---- */

static json_t *versions_json(struct ctx *c, const struct guide_version *list, size_t n, int64_t a, int64_t b)
{
    json_t *out = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *one = guide_version_json(c, &list[i]);
        json_object_set_new(one, "first", json_boolean(i == 0));
        json_object_set_new(one, "is_a", json_boolean(list[i].id == a));
        json_object_set_new(one, "is_b", json_boolean(list[i].id == b));
        json_object_set_new(one, "edit_url", json_string(arena_printf(c->arena, "%s/edit?version=%lld", class_entry_url(c, list[i].wnid),
                                                                     (long long)list[i].id)));
        json_array_append_new(out, one);
    }
    return out;
}

/* GET /guide/:wnid/history?a=&b=: what changed from version b to a; without b from the one before. */
enum err_code page_guide_history(struct ctx *c)
{
    struct class_level l;
    struct guide_version *list;
    size_t n = 0, at = 0, from = 0;
    int64_t a = 0, b = 0;
    enum err_code rc = class_level_get(c, c->req->params[0], &l);
    rc = rc == OK ? guide_versions(c->db, l.here.wnid, c->arena, &list, &n, &c->err) : rc;
    rc = rc == OK ? guide_shown(c, list, n) : rc;
    if (rc != OK) {
        return rc;
    }
    sv_i64(request_query(c->req, "a"), &a);
    sv_i64(request_query(c->req, "b"), &b);
    while (a && at < n && list[at].id != a) {
        at++;
    }
    at = at < n ? at : 0;
    from = at + 1;
    for (size_t i = 0; i < n; i++) {
        from = b && list[i].id == b ? i : from;
    }
    const struct sv old = from < n ? list[from].text : SV("");
    json_t *page = object(field_json("here", class_entry_json(c, &l.here)), field_bool("any", n > 0),
                          field_json("versions", versions_json(c, list, n, n ? list[at].id : 0, from < n ? list[from].id : 0)),
                          field_json("shown", n ? guide_version_json(c, &list[at]) : json_null()),
                          field_json("before", from < n ? guide_version_json(c, &list[from]) : json_null()),
                          field_json("lines", n ? guide_diff_json(c, old, list[at].text) : json_array()));
    return reply_page(c, 200, "guide/history",
                      arena_printf(c->arena, "History of %s", data_class_name(c->arena, l.here.words, l.here.wnid)), page);
}
