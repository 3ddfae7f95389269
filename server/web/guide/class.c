/* class.c - the page of a class or of a group of classes: what it means, examples, the guide, how it relates. Says nothing of
 * images that are or could be evaluated. Row in routes.c; templates/guide/class.mustache. */
#include "json/object.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/guide/confused.h"
#include "web/naming/class_picker.h"
#include "web/naming/guide_text.h"
#include "web/naming/relation_data.h"
#include "web/naming/tree_kept.h"

/* Addresses joined by "|". */
static json_t *wikipedia_json(struct sv list)
{
    json_t *out = json_array();
    while (list.n) {
        struct sv one = sv_cut(&list, '|');
        if (sv_starts(one, "https://") || sv_starts(one, "http://")) {
            json_array_append_new(out, json_stringn(one.p, one.n));
        }
    }
    return out;
}

struct found {
    struct class_level l;
    struct class_info k; /* id 0: a group that is no class */
    struct guide_version v;
    struct relation_row *relations;
    size_t n_relations;
};

static enum err_code find(struct ctx *c, struct found *f)
{
    *f = (struct found){.n_relations = 0};
    enum err_code rc = class_level_get(c, c->req->params[0], &f->l);
    rc = rc == OK && f->l.here.is_class ? classes_find(c->db, f->l.here.wnid, c->arena, &f->k, &c->err) : rc;
    rc = rc == OK ? guide_newest(c->db, f->l.here.wnid, c->arena, &f->v, &c->err) : rc;
    return rc == OK && f->k.id ? relations_list(c->db, f->k.id, c->arena, &f->relations, &f->n_relations, &c->err) : rc;
}

/* GET /guide/:wnid */
enum err_code page_guide_class(struct ctx *c)
{
    struct found f;
    if (find(c, &f) != OK) {
        return c->err.code;
    }
    json_t *text = guide_text_json(c, f.v.text), *examples = text ? guide_examples_json(c, &f.k) : NULL;
    json_t *confused = examples ? guide_confused_json(c, &f.k) : NULL;
    if (!confused) {
        json_decref(text);
        json_decref(examples);
        return c->err.code;
    }
    json_t *page = object(field_json("here", class_entry_json(c, &f.l.here)), field_json("path", class_entries_json(c, f.l.above, f.l.n_above)),
                          field_json("wikipedia", wikipedia_json(f.k.wikipedia)), field_json("examples", examples), field_json("guide", text),
                          field_json("version", guide_version_json(c, &f.v)),
                          field_bool("any_confused", json_array_size(confused) > 0), field_json("confused", confused),
                          field_json("relations", relations_json(c, f.relations, f.n_relations, f.k.id)), field_bool("related", f.n_relations > 0),
                          field_bool("relates", f.k.id && c->user.role >= ROLE_LEAD), field_bool("any", f.l.n > 0),
                          field_json("rows", class_entries_json(c, f.l.rows, f.l.n)));
    return reply_page(c, 200, "guide/class", data_class_name(c->arena, f.l.here.words, f.l.here.wnid), page);
}
