/* index.c - the guide's first page: classes by search and by the tree, what the reader chose lately, what is written. Says
 * nothing of images or models: experts at work on a label review use it. Row in routes.c; templates/guide/index.mustache. */
#include "json/object.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/guide/written.h"
#include "web/naming/class_picker.h"

/* GET /guide?q=&text=&show=&sort=&order=&page= */
enum err_code page_guide(struct ctx *c)
{
    struct class_listing found = {.n = 0}, tree;
    struct sv query = sv_trim(request_query(c->req, "q"));
    enum err_code rc = class_listing_read(c, SV(""), SV(""), &tree);
    rc = rc == OK && query.n ? class_listing_read(c, query, SV(""), &found) : rc;
    json_t *recent = rc == OK ? class_recent_json(c) : NULL, *written = recent ? guide_written_json(c) : NULL;
    if (!written) {
        json_decref(recent);
        return c->err.code;
    }
    json_t *page = object(field_sv("query", query), field_bool("searched", query.n > 0), field_bool("none", query.n > 0 && found.n == 0),
                          field_json("found", class_entries_json(c, found.items, found.n)), field_bool("any_recent", json_array_size(recent) > 0),
                          field_json("recent", recent), field_json("written", written), field_bool("any", tree.n > 0), field_json("rows", class_entries_json(c, tree.items, tree.n)));
    return reply_page(c, 200, "guide/index", "Guide", page);
}
