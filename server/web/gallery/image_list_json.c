/* image_list_json.c - a list of images as page data and as JSON for scripts. */
#include <string.h>

#include "json/object.h"
#include "live/votes/stats.h"
#include "stats/binomial.h"
#include "store/images/images.h"
#include "web/core/page_data.h"
#include "web/core/records.h"
#include "web/core/view_choice.h"
#include "web/gallery/class_browser.h"
#include "web/gallery/image_list.h"
#include "web/gallery/image_words.h"

/* ---- one image ---- */

/* {sharpness, brightness, saturation, gray}: texts, null when nothing was measured. */
static void add_statistics(struct ctx *c, json_t *row, const struct catalogue_image *i)
{
    bool known = i->sharpness >= 0;
    const char *sharpness = arena_printf(c->arena, "%.0f", (double)i->sharpness);
    const char *brightness = arena_printf(c->arena, "%.2f", i->brightness / 65535.0);
    const char *saturation = arena_printf(c->arena, "%.2f", i->saturation / 65535.0);
    json_object_set_new(row, "sharpness", known ? json_string(sharpness) : json_null());
    json_object_set_new(row, "brightness", known ? json_string(brightness) : json_null());
    json_object_set_new(row, "saturation", known ? json_string(saturation) : json_null());
    json_object_set_new(row, "gray", json_boolean(known && i->gray));
}

static void add_frequency(struct ctx *c, json_t *row, const struct listing_row *r)
{
    json_object_set_new(row, "selected", json_integer(r->selected));
    json_object_set_new(row, "shown", json_integer(r->shown));
    if (r->shown == 0) {
        json_object_set_new(row, "frequency", json_null());
        json_object_set_new(row, "interval", json_null());
        return;
    }
    struct interval ci = binomial_clopper_pearson(r->selected, r->shown, 0.05);
    json_object_set_new(row, "frequency",
                        json_string(arena_printf(c->arena, "%.2f",
                                                 (double)r->selected / (double)r->shown)));
    json_object_set_new(row, "interval",
                        json_string(arena_printf(c->arena, "n %u, %.2f\xe2\x80\x93%.2f", r->shown,
                                                 ci.lo, ci.hi)));
}

static json_t *row_json(struct ctx *c, const struct image_row *image, const struct listing_row *r,
                        const struct catalogue_image *facts, const struct class_info *k)
{
    const char *url = arena_printf(c->arena, "/images/%lld", (long long)image->id);
    json_t *row = json_object();
    json_object_set_new(row, "name", data_text(image->name));
    json_object_set_new(row, "url", json_string(url));
    json_object_set_new(row, "thumb_url",
                        image->source ? json_string(arena_printf(c->arena, "%s/grid", url))
                                      : json_null());
    json_object_set_new(row, "role", data_text(image->role));
    json_object_set_new(
        row, "class",
        k ? object(field_sv("wnid", k->wnid),
                   field_text("synset", data_synset(c->arena, k->synset, ", ")),
                   field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(k->wnid))))
          : json_null());
    json_object_set_new(row, "taken",
                        image->taken_at.n ? data_text(image->taken_at) : json_null());
    json_object_set_new(row, "hidden", json_boolean(app_image_hidden(c->app, image->id)));
    add_frequency(c, row, r);
    add_statistics(c, row, facts);
    return row;
}

/* The same as class_browser_state for an image in the list of all. */
static json_t *banned_state(struct ctx *c, struct sv name)
{
    struct blacklist_entry e;
    bool found = false;
    if (blacklist_of(c->db, name, 0, c->arena, &e, &found, &c->err) != OK) {
        return NULL;
    }
    enum blacklist_reason why = found && e.banned ? blacklist_reason_of(e.reason) : BLACKLIST_REASONS;
    return why < BLACKLIST_REASONS ? object(field_text("blacklisted", blacklist_labels[why]),
                                            field_bool("near_duplicate", false), field_null("kept"),
                                            field_bool("unreviewed", false), field_text("set", ""),
                                            field_null("fields"))
                                   : json_null();
}

/* The rows with their images and, in a list of all, their classes; pictures of a class with the fields in which
 * people decide. */
static json_t *rows_json(struct ctx *c, const struct image_query *q, const struct image_list *l, bool classes)
{
    json_t *rows = json_array();
    struct class_info k = {0};
    for (size_t i = 0; i < l->listing.n; i++) {
        const struct listing_row *r = &l->listing.rows[i];
        const struct catalogue_image *facts = &l->catalogue->images[r->at];
        struct image_row image;
        int64_t id = facts->image;
        enum err_code rc = images_names(c->db, &id, 1, c->arena, &image, &c->err);
        if (rc == OK && classes && k.id != facts->class_id) {
            rc = classes_get(c->db, facts->class_id, c->arena, &k, &c->err);
        }
        json_t *state = rc != OK  ? NULL
                        : classes ? banned_state(c, image.name)
                                  : class_browser_state(c, &l->facts, facts->image, q->cards);
        if (!state) {
            json_decref(rows);
            return NULL;
        }
        json_t *row = row_json(c, &image, r, facts, classes ? &k : NULL);
        json_object_set_new(row, "state", state);
        json_array_append_new(rows, row);
    }
    return rows;
}

/* ---- the form of filters ---- */

/* Images of other classes, the last of the roles, are of a class's list. */
static json_t *roles_json(int role, bool of_class)
{
    json_t *roles = list_options(words_role, role);
    if (!of_class) {
        json_array_remove(roles, json_array_size(roles) - 1);
    }
    return roles;
}

/* Boxes of bins, each ticked by itself; those with a target are a class's. */
static json_t *bins_json(const struct image_query *q, bool of_class)
{
    json_t *list = json_array();
    for (const struct list_word *w = words_bin; w->word; w++) {
        bool targets = w->value == BIN_TARGETS;
        if (of_class || !targets) {
            object_add(list, field_text("value", w->word), field_text("label", w->label),
                       field_bool("targets", targets), field_bool("current", q->bins >> w->value & 1));
        }
    }
    return list;
}

/* How many originals stand beside a class's candidates is no matter of the list, but its form carries it along. */
static json_t *originals_json(struct ctx *c)
{
    json_t *keep = json_array();
    struct sv originals = request_query(c->req, "originals");
    if (originals.n) {
        object_add(keep, field_text("name", "originals"), field_sv("value", originals));
    }
    return keep;
}

static json_t *form_json(struct ctx *c, const char *path, const struct image_query *q,
                         int64_t class_id)
{
    const struct listing_ask *a = &q->ask;
    return object(
        field_text("action", path),
        field_json("sorts", list_options(words_sort, (int)a->sort)),
        field_json("orders", list_options(list_orders, a->falling)),
        field_json("roles", roles_json(a->role, class_id != 0)),
        field_json("bins", bins_json(q, class_id != 0)),
        field_json("grays", list_options(words_gray, a->gray)),
        field_json("states", list_options(words_state, (int)q->state)),
        field_json("blacklists", list_options(words_blacklist, (int)q->blacklist)),
        field_json("nears",
                   class_id ? object(field_json("options", list_options(words_near, (int)q->near)))
                            : json_null()),
        field_json("keep", originals_json(c)),
        field_text("least", arena_printf(c->arena, "%.15g", a->least)),
        field_text("most", arena_printf(c->arena, "%.15g", a->most)), field_sv("from", q->from),
        field_bool("answered", a->least_answers >= STATS_LEAST_ANSWERS), field_sv("to", q->to),
        field_text("answers", arena_printf(c->arena, "%d", STATS_LEAST_ANSWERS)),
        field_json("view", view_choice_is_default(q->view) ? json_null() : data_text(q->view)),
        field_text("show", list_word_of(words_show, q->cards)));
}

/* ---- pages ---- */

static json_t *pages_json(struct ctx *c, const char *path, const struct image_query *q,
                          const struct image_list *l)
{
    const char *moment = arena_printf(c->arena, "&as_of=%lld&images=%lld", (long long)l->as_of,
                                      (long long)l->images);
    return list_pages(c, l->page, l->pages, image_query_url(c, path, q), moment);
}

static json_t *shows_json(struct ctx *c, const char *path, const struct image_query *q,
                          const struct image_list *l)
{
    json_t *list = json_array();
    for (const struct list_word *w = words_show; w->word; w++) {
        struct image_query other = *q;
        other.cards = w->value;
        object_add(list, field_text("label", w->label),
                   field_text("url", image_list_url(c, path, &other, l, l->page)),
                   field_bool("current", other.cards == q->cards));
    }
    return list;
}

static bool filtered(const struct image_query *q)
{
    const struct listing_ask *a = &q->ask;
    return a->role != LISTING_ALL || a->bins || a->ranged || q->targets || a->gray != LISTING_ALL ||
           a->least_answers || q->from.n || q->to.n || q->state != STATE_ANY || q->blacklist != MARK_ANY ||
           q->near != MARK_ANY;
}

/* The list without any filter, which is not what a class's page opens with. */
static const char *all_url(struct ctx *c, const char *path, const struct image_query *q)
{
    struct image_query all = *q->usual;
    all.usual = q->usual;
    all.ask.role = LISTING_ALL;
    all.blacklist = all.near = MARK_ANY;
    all.cards = q->cards;
    all.view = q->view;
    return image_query_url(c, path, &all);
}

json_t *image_list_json(struct ctx *c, const char *path, const struct image_query *q,
                        int64_t class_id, const struct image_list *l)
{
    json_t *rows = rows_json(c, q, l, class_id == 0);
    if (!rows) {
        return NULL;
    }
    size_t total = l->listing.total;
    const char *newer = l->newer && q->as_of ? image_query_url(c, path, q) : NULL;
    return object(field_json("rows", rows), field_json("form", form_json(c, path, q, class_id)),
                  field_json("pages", pages_json(c, path, q, l)),
                  field_json("shows", shows_json(c, path, q, l)), field_bool("cards", q->cards),
                  field_bool("filtered", filtered(q)),
                  field_text("count_text", arena_printf(c->arena, "%s image%s",
                                                        data_count(c->arena, (int64_t)total),
                                                        total == 1 ? "" : "s")),
                  field_text("newer_url", newer), field_text("all_url", all_url(c, path, q)),
                  field_text("as_of", arena_printf(c->arena, "%lld", (long long)l->as_of)),
                  field_bool("of_classes", class_id == 0));
}

/* ---- for scripts ---- */

struct image_item {
    json_t *frequency;
    struct image_row image;
    double sharpness, brightness, saturation;
    bool pixels, measured, gray, hidden, banned, of_class, near_duplicate, unreviewed;
    struct sv view, reason;
};
#define OF(member) RECORD_OF(struct image_item, member)
#define IF(member) RECORD_IF(struct image_item, member)
static RECORD(item_record, struct image_item, "image", "An image and its selection frequency.",
              {NULL, OF(frequency), RECORD_BESIDE, .of = &frequency_record},
              {"id", OF(image.id), .about = "Its number."},
              {"image", OF(image.name), .about = "Its name."},
              {"role", OF(image.role), .about = IMAGE_ROLE_LIST "."},
              {"class", OF(image.class_id), .about = "The number of the class that it was collected for."},
              {"pixels", OF(pixels), .about = "Whether its file is here; otherwise only its name is."},
              {"source_id", OF(image.source_id), .about = "What it is called where it came from."},
              {"taken_at", OF(image.taken_at), .about = "When it was taken, as far as that is known; empty: not at all."},
              {"sharpness", OF(sharpness), IF(measured), .about = "Variance of the Laplacian; null: not measured."},
              {"brightness", OF(brightness), IF(measured), .about = "Mean luma, from 0 to 1."},
              {"saturation", OF(saturation), IF(measured), .about = "Mean saturation, from 0 to 1."},
              {"gray", OF(gray), IF(measured), .about = "Whether it has no colour."},
              {"hidden", OF(hidden), .about = "Whether it is in quarantine or was taken down."},
              {"view", OF(view), .about = "The vote view that counts."},
              {"blacklisted", OF(banned), .about = "Whether it is on the blacklist."},
              {"blacklist_reason", OF(reason), IF(banned), .about = "Why; null: it is not on the blacklist."},
              {"near_duplicate", OF(near_duplicate), IF(of_class),
               .about = "Whether another image of the same photo is kept instead; null in the list of all images."},
              {"unreviewed", OF(unreviewed), IF(of_class),
               .about = "Whether neighbours of it are still to be reviewed; null in the list of all images."});
#undef OF
#undef IF

/* Of a class's list also near-duplicates: which of a photo stays depends on the votes of all its classes. */
static enum err_code read_state(struct ctx *c, const struct image_list *l, struct image_item *item)
{
    const struct class_fact *f = class_facts_find(&l->facts, (uint32_t)item->image.id);
    struct blacklist_entry e = {.banned = f && f->entry};
    if (e.banned) {
        e = *f->entry;
    } else if (!f && blacklist_of(c->db, item->image.name, 0, c->arena, &e, &(bool){false}, &c->err) != OK) {
        return c->err.code;
    }
    item->banned = e.banned;
    item->reason = e.reason;
    item->of_class = f != NULL;
    item->near_duplicate = f && f->near_duplicate;
    item->unreviewed = f && f->unreviewed;
    return OK;
}

/* NULL with c->err set. */
static json_t *item_json(struct ctx *c, const struct image_list *l, const struct listing_row *r, struct sv view)
{
    const struct catalogue_image *f = &l->catalogue->images[r->at];
    struct image_item item = {.sharpness = (double)f->sharpness,
                              .brightness = f->brightness / 65535.0,
                              .saturation = f->saturation / 65535.0,
                              .measured = f->sharpness >= 0,
                              .gray = f->gray,
                              .hidden = app_image_hidden(c->app, f->image),
                              .view = view};
    int64_t id = f->image;
    if (images_names(c->db, &id, 1, c->arena, &item.image, &c->err) != OK || read_state(c, l, &item) != OK) {
        return NULL;
    }
    item.pixels = item.image.source != 0;
    item.frequency = data_frequency(c->arena, r->selected, r->shown);
    return record_json(&item_record, &item);
}

struct image_page {
    json_t *items;
    size_t total;
    int64_t next, as_of, images;
    const char *next_url;
};
#define OF(member) RECORD_OF(struct image_page, member)
RECORD(images_record, struct image_page, "images", "Part of a list of images.",
       {"items", OF(items), RECORD_LIST, .of = &item_record, .about = "The images, in the order asked for."},
       {"total", OF(total), .about = "Images in the whole list."},
       {"next", OF(next), .maybe = true, .about = "What `after` must be for the images that follow; null: these are the last."},
       {"as_of", OF(as_of), .about = "The last event that the order counts."},
       {"images", OF(images), .about = "The number of the newest image that the list has."},
       {"next_url", OF(next_url), .maybe = true, .about = "Where the images that follow are; null: these are the last."});
#undef OF

json_t *image_list_items(struct ctx *c, const char *path, const struct image_query *q,
                         size_t limit, const struct image_list *l)
{
    struct image_page page = {json_array(), l->listing.total, 0, l->as_of, l->images, NULL};
    for (size_t i = 0; i < l->listing.n; i++) {
        json_t *item = item_json(c, l, &l->listing.rows[i], q->view);
        if (!item) {
            json_decref(page.items);
            return NULL;
        }
        json_array_append_new(page.items, item);
    }
    int64_t end = (q->skip > 0 ? q->skip : 0) + (int64_t)l->listing.n;
    if (l->listing.n && (size_t)end < l->listing.total) {
        page.next = end;
        page.next_url = arena_printf(c->arena, "%s&after=%lld&limit=%zu", image_list_url(c, path, q, l, 1),
                                     (long long)end, limit);
    }
    return record_json(&images_record, &page);
}
