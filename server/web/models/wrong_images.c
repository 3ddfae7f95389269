/* wrong_images.c - mistakes with the pictures and the names of both classes. */
#include "web/models/wrong_images.h"

#include "json/object.h"
#include "measures/model_scores.h"
#include "store/images/images.h"
#include "web/core/page_data.h"

enum { MISTAKES_SHOWN = 24 };

static json_t *short_class(struct ctx *c, const struct class_info *k)
{
    return k ? object(
                   field_text("synset", data_synset(c->arena, k->synset, ", ")),
                   field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(k->wnid))))
             : json_null();
}

static const struct class_info *by_id(const struct class_info *classes, size_t n, int64_t id)
{
    for (size_t i = 0; i < n; i++) {
        if (classes[i].id == id) {
            return &classes[i];
        }
    }
    return NULL;
}

static const struct class_info *by_cid(const struct class_info *classes, size_t n, int64_t cid)
{
    for (size_t i = 0; i < n; i++) {
        if (classes[i].cid == cid) {
            return &classes[i];
        }
    }
    return NULL;
}

static json_t *card(struct ctx *c, const struct confident_mistake *m, const struct image_row *image,
                    const struct class_info *label, const struct class_info *said)
{
    const char *url = arena_printf(c->arena, "/images/%u", m->image);
    const char *thumb = arena_printf(c->arena, "%s/grid", url);
    return object(field_sv("name", image->name), field_text("url", url),
                  field_text("thumb_url", image->source ? thumb : NULL),
                  field_bool("hidden", app_image_hidden(c->app, m->image)),
                  field_json("label", short_class(c, label)),
                  field_json("said", short_class(c, said)),
                  field_text("probability", arena_printf(c->arena, "%.3f", (double)m->score)));
}

/* Why some are not there; null when none was left out. */
static json_t *left_out_json(struct ctx *c, size_t sealed)
{
    return sealed == 0 ? json_null()
                       : json_string(arena_printf(
                             c->arena,
                             "%s of these images %s in a sealed revision too. What models say about "
                             "%s is not shown until that is frozen.",
                             data_count(c->arena, (int64_t)sealed), sealed == 1 ? "is" : "are",
                             sealed == 1 ? "it" : "them"));
}

json_t *wrong_images_json(struct ctx *c, const struct revision_row *r, const struct model_row *m,
                          int64_t class_id, json_t **left_out)
{
    struct confident_mistake *list;
    struct class_info *classes;
    size_t n, n_classes, sealed;
    if (model_scores_mistakes(app_model_scores(c->app), c->db, r, m->id, class_id, MISTAKES_SHOWN,
                              c->arena, &list, &n, &sealed, &c->err) != OK ||
        classes_list(c->db, c->arena, &classes, &n_classes, &c->err) != OK) {
        return NULL;
    }
    json_t *cards = json_array();
    for (size_t i = 0; i < n; i++) {
        int64_t id = list[i].image;
        struct image_row image;
        if (images_names(c->db, &id, 1, c->arena, &image, &c->err) != OK) {
            json_decref(cards);
            return NULL;
        }
        json_array_append_new(cards, card(c, &list[i], &image,
                                          by_id(classes, n_classes, list[i].class_id),
                                          by_cid(classes, n_classes, list[i].said)));
    }
    *left_out = left_out_json(c, sealed);
    return cards;
}
