/* pair.c - two classes side by side: what each means, and how they relate. Row in routes.c; templates/guide/pair.mustache. */
#include "json/object.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/naming/class_picker.h"
#include "web/naming/guide_text.h"
#include "web/naming/relation_data.h"

/* NULL with c->err set. */
static json_t *side_json(struct ctx *c, const struct class_info *k)
{
    const struct class_entry e = class_entry_of(k);
    struct guide_version v;
    json_t *text = guide_newest(c->db, k->wnid, c->arena, &v, &c->err) == OK ? guide_text_json(c, v.text) : NULL;
    json_t *examples = text ? guide_examples_json(c, k) : NULL;
    if (!examples) {
        json_decref(text);
        return NULL;
    }
    return object(field_json("entry", class_entry_json(c, &e)), field_json("examples", examples), field_json("guide", text));
}

/* GET /guide/:wnid/with/:other */
enum err_code page_guide_pair(struct ctx *c)
{
    struct class_info k[2];
    struct relation_row r;
    enum err_code rc = classes_find(c->db, c->req->params[0], c->arena, &k[0], &c->err);
    rc = rc == OK ? classes_find(c->db, c->req->params[1], c->arena, &k[1], &c->err) : rc;
    rc = rc == OK ? relations_between(c->db, k[0].id, k[1].id, c->arena, &r, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    json_t *first = side_json(c, &k[0]), *second = first ? side_json(c, &k[1]) : NULL;
    if (!second) {
        json_decref(first);
        return c->err.code;
    }
    const char *names[2] = {data_class_name(c->arena, k[0].synset, k[0].wnid), data_class_name(c->arena, k[1].synset, k[1].wnid)};
    const char *relation = r.id && !sv_is(r.kind, relation_words[RELATION_NONE])
                               ? arena_printf(c->arena, "%s: %s %s", names[0], relation_text(&r, k[0].id), names[1])
                               : NULL;
    json_t *page = object(field_text("a", names[0]), field_text("b", names[1]), field_text("relation", relation), field_sv("note", r.note),
                          field_json("sides", list(first, second)));
    return reply_page(c, 200, "guide/pair", arena_printf(c->arena, "%s and %s", names[0], names[1]), page);
}
