/* class.c - the page of a class or of a group of classes. Rows in routes.c; templates/guide/class.mustache. */
#include "json/object.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/class_picker.h"
#include "web/parts/tree_kept.h"

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

/* GET /guide/:wnid */
enum err_code page_guide_class(struct ctx *c)
{
    struct class_level l;
    struct class_info k = {.id = 0};
    enum err_code rc = class_level_get(c, c->req->params[0], &l);
    rc = rc == OK && l.here.is_class ? classes_find(c->db, l.here.wnid, c->arena, &k, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const char *name = data_class_name(c->arena, l.here.words, l.here.wnid);
    json_t *page = object(field_json("here", class_entry_json(c, &l.here)), field_json("path", class_entries_json(c, l.above, l.n_above)),
                          field_json("wikipedia", wikipedia_json(k.wikipedia)), field_bool("any", l.n > 0),
                          field_json("rows", class_entries_json(c, l.rows, l.n)));
    return reply_page(c, 200, "guide/class", name, page);
}
