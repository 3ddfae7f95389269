/* cards.c - the images of a class in the final review. */
#include "web/review/cards.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/rng.h"
#include "json/object.h"
#include "store/images/images.h"
#include "store/review/shown.h"
#include "web/core/page_data.h"
#include "web/parts/decided_data.h"
#include "web/parts/set_data.h"

/* ---- what is asked for ---- */

static enum err_code no_class(struct ctx *c, const struct review_class_asked *q)
{
    return err_rule(&c->err, ERR_NOT_FOUND, "review-class",
                    "%s has no image of " SV_FMT ". The final review lists the classes that it has.",
                    set_title(c->arena, &q->way.revision), SV_ARG(q->k.wnid));
}

/* The set's images that a blind turn shows: those with pixels, as originals without are never mixed
 * in and a card without a picture would be known. Where none has pixels, all: every card is alike.
 */
static int64_t *choose_images(struct ctx *c, const struct review_class_asked *q, bool *pixels,
                              size_t *n)
{
    int64_t *ids = arena_alloc(c->arena, (q->n_images + 1) * sizeof *ids);
    *pixels = false;
    *n = 0;
    for (size_t i = 0; i < q->n_images; i++) {
        *pixels = *pixels || q->images[i].has_pixels;
    }
    for (size_t i = 0; i < q->n_images; i++) {
        if (q->images[i].has_pixels == *pixels) {
            ids[(*n)++] = q->images[i].image;
        }
    }
    return ids;
}

/* The images of the set, then the originals that are mixed in, as the round says. */
static enum err_code make_mix(struct ctx *c, struct review_class_asked *q)
{
    int64_t *originals;
    size_t n, n_images, n_places;
    bool pixels;
    uint32_t *places, class_index = q->way.turns[q->at].class_index;
    const int64_t *images = choose_images(c, q, &pixels, &n_images);
    if (review_originals(c->db, q->k.id, q->way.revision.list, c->arena, &originals, &n, &c->err) !=
        OK) {
        return c->err.code;
    }
    n = pixels ? n : 0;
    round_mix((uint64_t)q->way.round.seed, class_index, q->again, (uint32_t)n_images, (uint32_t)n,
              q->way.round.originals, c->arena, &places, &n_places);
    struct review_mark *marks = arena_calloc(c->arena, n_places + 1, sizeof *marks);
    for (size_t i = 0; i < n_places; i++) {
        marks[i].probe = places[i] >= n_images;
        marks[i].image = marks[i].probe ? originals[places[i] - n_images] : images[places[i]];
    }
    q->mix = (struct review_mix){marks, n_places, (int64_t)(n_images + n)};
    return OK;
}

enum err_code review_class_asked(struct ctx *c, bool again, struct review_class_asked *out)
{
    *out = (struct review_class_asked){.again = again};
    if (review_way_make(c, false, &out->way) != OK ||
        classes_find(c->db, c->req->params[2], c->arena, &out->k, &c->err) != OK ||
        set_images_list(c->db, out->way.revision.list, out->k.id, 0, REVIEW_IMAGES_MOST + 1,
                        c->arena, &out->images, &out->n_images, &c->err) != OK) {
        return c->err.code;
    }
    out->cut = out->n_images > REVIEW_IMAGES_MOST;
    out->n_images = out->cut ? REVIEW_IMAGES_MOST : out->n_images;
    out->at = review_way_find(&out->way, out->k.id, again);
    if (!out->n_images || out->at >= out->way.n_turns) {
        return no_class(c, out);
    }
    out->blind = out->way.round.id && !out->way.done[out->at];
    return out->blind ? make_mix(c, out)
                      : review_shown_of(c->db, out->way.revision.id, out->k.id, c->user.account,
                                        &out->shown, &c->err);
}

/* ---- cards by name ---- */

struct card {
    struct image_row image;
    const struct class_fact *fact; /* NULL: collected for another class */
    bool banned, is_new;
    struct sv reason, note;
};

static int by_date(const void *pa, const void *pb)
{
    const struct card *a = pa, *b = pb;
    int order = sv_cmp(a->image.taken_at, b->image.taken_at);
    return order ? order : sv_cmp(a->image.name, b->image.name);
}

static enum err_code fill_card(struct ctx *c, const struct class_facts *facts, int64_t image,
                               struct card *out)
{
    struct blacklist_entry e;
    bool found = false;
    if (images_get(c->db, image, c->arena, &out->image, &c->err) != OK) {
        return c->err.code;
    }
    out->fact = class_facts_find(facts, (uint32_t)image);
    enum err_code rc = blacklist_of(c->db, out->image.name, 0, c->arena, &e, &found, &c->err);
    out->banned = found && e.banned;
    out->reason = out->banned ? e.reason : SV("");
    out->note = out->banned ? e.note : SV("");
    return rc;
}

/* The text of the image's near-duplicate set, empty: it is of none. */
static const char *set_of(struct arena *a, const struct class_fact *fact)
{
    return fact && fact->component != NEAR_NONE ? arena_printf(a, "%u", fact->component + 1) : "";
}

/* With its answers; null while they are hidden. */
static json_t *frequency_json(struct ctx *c, const struct class_fact *f, bool shown)
{
    if (!shown) {
        return json_null();
    }
    json_t *frequency = data_frequency(c->arena, f ? f->selected : 0, f ? f->shown : 0);
    json_t *text = json_incref(json_object_get(frequency, "text"));
    json_decref(frequency);
    return text;
}

static json_t *card_json(struct ctx *c, const struct card *card, size_t number, bool shown)
{
    struct arena *a = c->arena;
    const struct image_row *i = &card->image;
    const struct class_fact *f = card->fact;
    const char *url = arena_printf(a, "/images/%lld", (long long)i->id), *set = set_of(a, f);
    enum blacklist_reason reason = blacklist_reason_of(card->reason);
    return object(
        field_int("id", i->id), field_count("number", number), field_sv("name", i->name),
        field_text("url", shown ? url : NULL),
        field_text("thumb_url", i->source ? arena_printf(a, "%s/grid", url) : NULL),
        field_text("large_url", i->source ? arena_printf(a, "%s/view", url) : NULL),
        field_sv("date", i->taken_at), field_json("frequency", frequency_json(c, f, shown)),
        field_bool("is_new", card->is_new), field_sv("reason", card->reason),
        field_text("label", reason < BLACKLIST_REASONS ? blacklist_labels[reason] : ""),
        field_sv("note", card->note), field_text("set", set),
        field_text("was", arena_printf(a, SV_FMT "|%s|" SV_FMT, SV_ARG(card->reason), set,
                                       SV_ARG(card->note))),
        field_bool("banned", card->banned), field_bool("hidden", app_image_hidden(c->app, i->id)),
        field_json("reasons", decided_reasons_json(card->reason)));
}

static enum err_code load_facts(struct ctx *c, struct review_class_asked *q)
{
    struct class_facts_ask ask = {.class_id = q->k.id,
                                  .flags_to_quarantine = c->config->flags_to_quarantine};
    if (q->facts) {
        return OK;
    }
    q->facts = arena_calloc(c->arena, 1, sizeof *q->facts);
    return class_facts_make(c->db, app_tally(c->app), &ask, c->arena, q->facts, &c->err);
}

/* Marks the cards whose images the parent does not have under the class. */
static enum err_code mark_new(struct ctx *c, const struct review_class_asked *q, struct card *cards,
                              size_t n)
{
    struct revision_row parent;
    struct set_image *had;
    struct map_u64 ids;
    size_t n_had;
    int64_t id = q->way.revision.parent;
    if (!q->shown || !id) {
        return OK;
    }
    if (revisions_get(c->db, id, c->arena, &parent, &c->err) != OK ||
        set_images_list(c->db, parent.list, q->k.id, 0, SET_IMAGES, c->arena, &had, &n_had,
                        &c->err) != OK) {
        return c->err.code;
    }
    map_u64_init(&ids);
    for (size_t i = 0; i < n_had; i++) {
        map_u64_put(&ids, (uint64_t)had[i].image, (uint32_t)i);
    }
    for (size_t i = 0; i < n; i++) {
        cards[i].is_new = map_u64_get(&ids, (uint64_t)cards[i].image.id) == MAP_NONE;
    }
    map_u64_release(&ids);
    return OK;
}

static json_t *cards_json(struct ctx *c, struct review_class_asked *q, const int64_t *ids, size_t n,
                          bool in_set)
{
    struct card *cards = arena_calloc(c->arena, n + 1, sizeof *cards);
    if (load_facts(c, q) != OK) {
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (fill_card(c, q->facts, ids[i], &cards[i]) != OK) {
            return NULL;
        }
    }
    if (in_set) {
        if (mark_new(c, q, cards, n) != OK) {
            return NULL;
        }
        qsort(cards, n, sizeof *cards, by_date);
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, card_json(c, &cards[i], i + 1, q->shown));
    }
    return list;
}

json_t *review_cards_json(struct ctx *c, struct review_class_asked *q)
{
    int64_t *ids = arena_alloc(c->arena, (q->n_images + 1) * sizeof *ids);
    for (size_t i = 0; i < q->n_images; i++) {
        ids[i] = q->images[i].image;
    }
    return cards_json(c, q, ids, q->n_images, true);
}

/* ---- originals beside ---- */

static bool is_mixed_in(const struct review_mix *m, int64_t image)
{
    for (size_t i = 0; i < m->n; i++) {
        if (m->marks[i].probe && m->marks[i].image == image) {
            return true;
        }
    }
    return false;
}

/* In an order of the class's own, page by page, so that others are others; never one that is mixed
 * in: it would be seen twice. */
json_t *review_originals_json(struct ctx *c, struct review_class_asked *q, int64_t page)
{
    int64_t *all, ids[REVIEW_ORIGINALS];
    size_t n, kept = 0, chosen = 0;
    struct rng r;
    if (review_originals(c->db, q->k.id, q->way.revision.list, c->arena, &all, &n, &c->err) != OK) {
        return NULL;
    }
    uint32_t *order = arena_alloc(c->arena, (n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++) {
        if (!is_mixed_in(&q->mix, all[i])) {
            order[kept++] = (uint32_t)i;
        }
    }
    rng_seed(&r, (uint64_t)q->k.id);
    rng_shuffle_u32(&r, order, kept);
    size_t pages = kept ? (kept + REVIEW_ORIGINALS - 1) / REVIEW_ORIGINALS : 1;
    for (size_t i = (size_t)page % pages * REVIEW_ORIGINALS; i < kept && chosen < REVIEW_ORIGINALS;
         i++) {
        ids[chosen++] = all[order[i]];
    }
    return cards_json(c, q, ids, chosen, false);
}

/* ---- a blind turn ---- */

/* What is known by name only has no picture; then no card of the turn has one. */
static enum err_code blind_card(struct ctx *c, const struct review_class_asked *q, size_t place,
                                const char *base, json_t *list)
{
    struct image_source source;
    if (sources_of_image(c->db, q->mix.marks[place].image, &source, &c->err) != OK) {
        return c->err.code;
    }
    bool found = source.source != 0;
    const char *again = q->again ? "&again=1" : "";
    const char *grid = arena_printf(c->arena, "%s/%zu?size=grid%s", base, place, again);
    const char *view = arena_printf(c->arena, "%s/%zu?size=view%s", base, place, again);
    object_add(list, field_count("id", place), field_int("number", (json_int_t)place + 1),
               field_text("thumb_url", found ? grid : NULL),
               field_text("large_url", found ? view : NULL),
               field_json("reasons", decided_reasons_json(SV(""))));
    return OK;
}

json_t *review_blind_json(struct ctx *c, const struct review_class_asked *q)
{
    json_t *list = json_array();
    const char *base = arena_printf(c->arena, "%s/" SV_FMT "/shown",
                                    set_url(c->arena, &q->way.revision), SV_ARG(q->k.wnid));
    for (size_t i = 0; i < q->mix.n; i++) {
        if (blind_card(c, q, i, base, list) != OK) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}
