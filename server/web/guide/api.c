/* api.c - classes and the guide for programs, and for pages on which people choose classes. Rows in routes.c. */
#include "base/clock.h"
#include "experts/guide_pictures.h"
#include "json/object.h"
#include "store/classes/guide.h"
#include "store/classes/relations.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/naming/class_picker.h"
#include "web/naming/guide_text.h"
#include "web/naming/tree_kept.h"

struct entry_face {
    struct sv wnid, gloss;
    const char *name, *synset, *url;
    int64_t classes;
    bool is_class, opens;
};
#define OF(member) RECORD_OF(struct entry_face, member)
static RECORD(entry_record, struct entry_face, "guide_entry", "A class, or a group of classes in the hierarchy.",
              {"wnid", OF(wnid), .about = "Of the class or the synset."}, {"name", OF(name), .about = "Its first word."},
              {"synset", OF(synset), .about = "Its words, joined by commas."}, {"gloss", OF(gloss), .about = "What it means."},
              {"is_class", OF(is_class), .about = "The project asks about it."},
              {"classes", OF(classes), .about = "Classes at it and below it in the tree."},
              {"opens", OF(opens), .about = "Something is below it: ask with under."}, {"url", OF(url), .about = "Its page in the guide."});
#undef OF

struct listing_face {
    struct entry_face *path, *items;
    size_t n_path, n;
};
RECORD(guide_classes_record, struct listing_face, "guide_classes", "Classes that fit a search, or one level of the tree of classes.",
       {"path", RECORD_ROWS(struct listing_face, path, n_path), .of = &entry_record, .about = "From the top to `under`, with it; empty at the top and for a search."},
       {"items", RECORD_ROWS(struct listing_face, items, n), .of = &entry_record, .about = "Found, the best first; else what is directly below `under`, by words."});

static struct entry_face *faces(struct ctx *c, const struct class_entry *list, size_t n)
{
    struct entry_face *out = arena_calloc(c->arena, n + 1, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        const struct class_entry *e = &list[i];
        out[i] = (struct entry_face){e->wnid, e->gloss, data_class_name(c->arena, e->words, e->wnid), data_synset(c->arena, e->words, ", "),
                                     class_entry_url(c, e->wnid), e->classes, e->is_class, e->opens};
    }
    return out;
}

/* GET /api/v1/guide/classes?q=&under= */
enum err_code api_guide_classes(struct ctx *c)
{
    struct class_listing l;
    enum err_code rc = class_listing_read(c, sv_trim(request_query(c->req, "q")), request_query(c->req, "under"), &l);
    const struct listing_face f = {rc == OK ? faces(c, l.path, l.n_path) : NULL, rc == OK ? faces(c, l.items, l.n) : NULL,
                                   rc == OK ? l.n_path : 0, rc == OK ? l.n : 0};
    return rc == OK ? reply_json(c, 200, record_json(&guide_classes_record, &f)) : rc;
}

/* ---- pages ---- */

struct page_face {
    struct sv wnid, text, reason, by;
    int64_t version, at;
};
#define OF(member) RECORD_OF(struct page_face, member)
RECORD(guide_page_record, struct page_face, "guide_page", "What the guide says of a class or of a group of classes.",
       {"wnid", OF(wnid), .about = "Of the class or the synset."}, {"version", OF(version), .about = "Its number, to be sent as was; 0: nothing was ever written."},
       {"text", OF(text), .about = "Markdown; empty: the page was taken out."}, {"reason", OF(reason), .about = "What changed, as its author said."},
       {"at", OF(at), RECORD_MOMENT, .maybe = true, .about = "When it was written."}, {"by", OF(by), .maybe = true, .about = "Login of its author; null: an import."});
#undef OF
struct pages_face {
    struct page_face *items;
    size_t n;
};
RECORD(guide_pages_record, struct pages_face, "guide_pages", "All pages of the guide that say something.",
       {"items", RECORD_ROWS(struct pages_face, items, n), .of = &guide_page_record, .about = "The newest version of each, by name."});

static struct page_face page_of(const struct guide_version *v)
{
    return (struct page_face){v->wnid, v->text, v->reason, v->by, v->id, v->at};
}

/* GET /api/v1/guide */
enum err_code api_guide(struct ctx *c)
{
    struct guide_page *list;
    struct pages_face f = {.n = 0};
    enum err_code rc = guide_pages(c->db, c->arena, &list, &f.n, &c->err);
    f.items = arena_calloc(c->arena, f.n + 1, sizeof *f.items);
    for (size_t i = 0; i < f.n && rc == OK; i++) {
        rc = guide_shown(c, &list[i].v, 1);
        f.items[i] = page_of(&list[i].v);
    }
    return rc == OK ? reply_json(c, 200, record_json(&guide_pages_record, &f)) : rc;
}

/* GET /api/v1/guide/:wnid?version= */
enum err_code api_guide_page(struct ctx *c)
{
    struct class_level l;
    struct guide_version v;
    int64_t version;
    enum err_code rc = class_level_get(c, c->req->params[0], &l);
    if (rc == OK) {
        rc = sv_i64(request_query(c->req, "version"), &version) ? guide_get(c->db, l.here.wnid, version, c->arena, &v, &c->err)
                                                               : guide_newest(c->db, l.here.wnid, c->arena, &v, &c->err);
    }
    rc = rc == OK ? guide_shown(c, &v, 1) : rc;
    const struct page_face f = rc == OK ? page_of(&v) : (struct page_face){.version = 0};
    return rc == OK ? reply_json(c, 200, record_json(&guide_page_record, &f)) : rc;
}

/* First step of both: the body is JSON, and a text is one that the guide can show. */
enum err_code api_guide_check(struct ctx *c)
{
    return gate_need_json(c) == OK ? guide_text_check(c->db, object_text(c->json, "text"), &c->err) : c->err.code;
}

/* POST /api/v1/guide/:wnid: text, reason, was */
enum err_code api_guide_write(struct ctx *c)
{
    const json_t *was = json_object_get(c->json, "was");
    struct guide_version newest;
    const struct guide_new v = {.wnid = c->req->params[0], .text = object_text(c->json, "text"), .reason = object_text(c->json, "reason"),
                                .account = c->user.account, .was = json_integer_value(was)};
    int64_t id = 0;
    if (!json_is_string(json_object_get(c->json, "text")) || !json_is_integer(was)) {
        return err_rule(&c->err, ERR_INPUT, "guide-members", "Send text (Markdown) and was (the version that it was made from, 0 for none). Nothing was stored.");
    }
    enum err_code rc = guide_put(c->db, &v, clock_wall_ms(), &id, &c->err);
    rc = rc == OK ? guide_newest(c->db, v.wnid, c->arena, &newest, &c->err) : rc;
    rc = rc == OK ? guide_shown(c, &newest, 1) : rc; /* the reason may be somebody else's: nothing changed */
    const struct page_face f = rc == OK ? page_of(&newest) : (struct page_face){.version = 0};
    return rc == OK ? reply_json(c, id ? 201 : 200, record_json(&guide_page_record, &f)) : rc;
}

/* ---- relations ---- */

#define OF(member) RECORD_OF(struct relation_row, member)
RECORD(class_relation_record, struct relation_row, "class_relation", "How two classes relate.",
       {"a", OF(a_wnid), .about = "A class."}, {"b", OF(b_wnid), .about = "Another one."},
       {"kind", OF(kind), .about = "equal, contains (a has b in it), confusable, redefined (images of a show what b means), or none."},
       {"note", OF(note), .about = "Why."}, {"at", OF(at), RECORD_MOMENT, .about = "When it was said."},
       {"by", OF(by), .maybe = true, .about = "Login of who said it; null: an import."});
#undef OF
struct relations_face {
    struct relation_row *items;
    size_t n;
};
RECORD(class_relations_record, struct relations_face, "class_relations", "How classes relate, as it holds now.",
       {"items", RECORD_ROWS(struct relations_face, items, n), .of = &class_relation_record, .about = "By wnids."});

/* GET /api/v1/guide/relations */
enum err_code api_guide_relations(struct ctx *c)
{
    struct relations_face f = {.n = 0};
    enum err_code rc = relations_list(c->db, 0, c->arena, &f.items, &f.n, &c->err);
    return rc == OK ? reply_json(c, 200, record_json(&class_relations_record, &f)) : rc;
}

/* POST /api/v1/guide/relations: a, b, kind, note */
enum err_code api_guide_relate(struct ctx *c)
{
    struct class_info a, b;
    struct relation_row row;
    int64_t id = 0;
    const enum relation kind = relation_of(object_text(c->json, "kind"));
    if (gate_need_json(c) != OK) {
        return c->err.code;
    }
    if (kind == RELATIONS) {
        return err_rule(&c->err, ERR_INPUT, "relation-kind", "kind is equal, contains, confusable, redefined or none. Nothing was stored.");
    }
    enum err_code rc = classes_find(c->db, object_text(c->json, "a"), c->arena, &a, &c->err);
    rc = rc == OK ? classes_find(c->db, object_text(c->json, "b"), c->arena, &b, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct relation_new r = {a.id, b.id, kind, object_text(c->json, "note")};
    rc = relations_put(c->db, &r, c->user.account, -1, clock_wall_ms(), &id, &c->err);
    rc = rc == OK ? relations_between(c->db, a.id, b.id, c->arena, &row, &c->err) : rc;
    if (rc == OK && row.id == 0) { /* none, and nobody ever said anything else */
        row = (struct relation_row){.a_wnid = a.wnid, .b_wnid = b.wnid, .kind = SV("none"), .note = SV(""), .by = SV("")};
    }
    return rc == OK ? reply_json(c, id ? 201 : 200, record_json(&class_relation_record, &row)) : rc;
}
