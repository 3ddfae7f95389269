/* list.c - the list of images of all classes. Its first order, as they were imported, needs
 * nothing in memory; the others come from the kept catalogue. */
#include "json/object.h"
#include "web/core/catalogues.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"
#include "web/gallery/image_list.h"

/* GET /images?view= and what image_list.h knows */
enum err_code page_images(struct ctx *c)
{
    struct image_query q;
    struct image_list l = {0};
    if (image_query_read(c, &image_usual_all, &q) != OK) {
        return c->err.code;
    }
    catalogues_warm(c);
    json_t *choice = view_choice_json(c, q.view, "/images", image_query_keep(c)), *list = NULL;
    const char *here = NULL;
    if (choice && image_list_make(c, &q, 0, IMAGE_LIST_PAGE, &l) == OK) {
        here = q.as_of ? image_list_url(c, "/images", &q, &l, l.page)
                       : image_query_url(c, "/images", &q);
        list = image_list_json(c, "/images", &q, 0, &l);
    }
    image_list_put(&l);
    if (!list) {
        json_decref(choice);
        return c->err.code;
    }
    json_t *page =
        object(field_json("live", data_live("votes", here)), field_json("view_choice", choice),
               field_json("list", list), field_text("pages_label", "Pages of images"));
    return reply_page(c, 200, "images/index", "Images", page);
}
