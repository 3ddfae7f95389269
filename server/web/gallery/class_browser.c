/* class_browser.c - the parts of a class's page that are about sampling and decisions. */
#include "web/gallery/class_browser.h"

#include "base/rng.h"
#include "json/object.h"
#include "store/images/images.h"
#include "store/review/blacklist.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/gallery/image_words.h"
#include "web/parts/decided_data.h"

enum { DECISIONS_TOLD = 10, CHANGES_TOLD = 5 };

/* ---- bins ---- */

json_t *class_browser_bins(struct ctx *c, const struct class_bins *b)
{
    json_t *bins = json_array();
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        const struct class_bin *bin = &b->bin[i];
        object_add(bins, field_text("name", words_bin[i].label),
                   field_text("originals", arena_printf(c->arena, "%u", bin->originals)),
                   field_text("target", arena_printf(c->arena, "%u", bin->target)),
                   field_text("valid", arena_printf(c->arena, "%u", bin->valid)),
                   field_text("unreviewed", bin->unreviewed
                                                ? arena_printf(c->arena, "%u", bin->unreviewed)
                                                : NULL),
                   field_text("shown", arena_printf(c->arena, "%u", bin->shown)),
                   field_bool("few", bin->valid < bin->target));
    }
    return bins;
}

json_t *class_browser_excluded(struct ctx *c, json_t *tiles, const struct image_list *l)
{
    static const char *const labels[SAMPLE_REASONS] = {
        [SAMPLE_BLACKLISTED] = "blacklisted",
        [SAMPLE_FEW_ASSIGNMENTS] = "fewer than 10 answers",
        [SAMPLE_NEAR_DUPLICATE] = "near-duplicates",
        [SAMPLE_UNREVIEWED] = "neighbours not reviewed",
        [SAMPLE_UNSEARCHED] = "not searched for near-duplicates",
        [SAMPLE_HIDDEN] = "hidden",
    };
    json_t *list = json_array();
    for (int i = 0; i < SAMPLE_REASONS; i++) {
        if (labels[i] && l->bins.excluded[i]) {
            object_add(list, field_text("label", labels[i]),
                       field_text("count", data_count(c->arena, l->bins.excluded[i])));
        }
    }
    data_tile(tiles, "Candidates", data_count(c->arena, l->facts.candidates),
              arena_printf(c->arena, "%s may be sampled; %s blacklisted, %s near-duplicate%s",
                           data_count(c->arena, l->bins.valid),
                           data_count(c->arena, l->facts.blacklisted),
                           data_count(c->arena, l->facts.near_duplicates),
                           l->facts.near_duplicates == 1 ? "" : "s"));
    return list;
}

/* ---- one picture ---- */

/* "kept of 3": it stays, and others of its photo do not. */
static const char *kept_text(struct ctx *c, const struct class_facts *f, const struct class_fact *i)
{
    return i->component == NEAR_NONE || i->near_duplicate || i->original
               ? NULL
               : arena_printf(c->arena, "kept of %zu", f->components[i->component].n);
}

static json_t *fields_json(struct ctx *c, const struct class_fact *i, const char *set)
{
    struct sv reason = i->entry ? i->entry->reason : SV(""),
              note = i->entry ? i->entry->note : SV("");
    struct sv was =
        sv_of(arena_printf(c->arena, SV_FMT "|%s|" SV_FMT, SV_ARG(reason), set, SV_ARG(note)));
    return object(field_int("id", i->image), field_sv("was", was),
                  field_json("reasons", decided_reasons_json(reason)), field_sv("note", note),
                  field_int("note_max", BLACKLIST_NOTE_MOST), field_text("set", set),
                  field_bool("candidate", !i->original));
}

json_t *class_browser_state(struct ctx *c, const struct class_facts *f, uint32_t image, bool fields)
{
    const struct class_fact *i = class_facts_find(f, image);
    if (!i) {
        return json_null();
    }
    enum blacklist_reason why =
        i->entry ? blacklist_reason_of(i->entry->reason) : BLACKLIST_REASONS;
    const char *set =
        i->component == NEAR_NONE ? "" : arena_printf(c->arena, "%u", i->component + 1);
    return object(field_text("blacklisted", why < BLACKLIST_REASONS ? blacklist_labels[why] : NULL),
                  field_bool("near_duplicate", i->near_duplicate),
                  field_text("kept", kept_text(c, f, i)),
                  field_bool("unreviewed", (i->unreviewed || i->unsearched) && !i->original),
                  field_text("set", set),
                  field_json("fields", fields ? fields_json(c, i, set) : json_null()));
}

/* ---- originals beside ---- */

#define AT(member) .at = offsetof(struct browser_query, member)
static const struct list_param params[] = {
    {"originals", LIST_NUMBER, AT(originals), .most = BROWSER_ORIGINALS_MOST},
    {"others", LIST_NUMBER, AT(others), .most = INT32_MAX},
    {"seen", LIST_NUMBER, AT(seen), .most = INT64_MAX},
    {0},
};
static const struct list_table table = {.params = params, .size = sizeof(struct browser_query)};
static const struct browser_query usual = {.originals = BROWSER_ORIGINALS, .seen = -1};

enum err_code browser_query_read(struct ctx *c, struct browser_query *out)
{
    return list_read(c, &table, &usual, out);
}

/* The originals of a draw, as indices of facts: another order for every class and draw, the same
 * whenever. */
static uint32_t *draw_originals(struct ctx *c, int64_t class_id, int64_t draw,
                                const struct class_facts *f, size_t *n)
{
    uint32_t *list = arena_calloc(c->arena, f->n + 1, sizeof *list);
    struct rng r;
    *n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (f->images[i].original) {
            list[(*n)++] = (uint32_t)i;
        }
    }
    rng_seed(&r, (uint64_t)class_id);
    for (int64_t i = 0; i < draw % 64;
         i++) { /* a 65th draw shows the first again: enough to see them all */
        rng_u64(&r);
    }
    rng_seed(&r, rng_u64(&r));
    rng_shuffle_u32(&r, list, *n);
    return list;
}

static json_t *original_json(struct ctx *c, const struct class_facts *f, const struct class_fact *i,
                             bool decide)
{
    struct image_row image;
    int64_t id = i->image;
    if (images_names(c->db, &id, 1, c->arena, &image, &c->err) != OK) {
        return NULL;
    }
    const char *url = arena_printf(c->arena, "/images/%u", i->image);
    return object(
        field_sv("name", i->name), field_text("url", url),
        field_text("thumb_url", image.source ? arena_printf(c->arena, "%s/grid", url) : NULL),
        field_json("frequency", data_frequency(c->arena, i->selected, i->shown)),
        field_json("state", class_browser_state(c, f, i->image, decide)));
}

json_t *class_browser_originals(struct ctx *c, const struct class_info *k,
                                const struct image_query *q, const struct browser_query *b,
                                const struct class_facts *f, bool decide)
{
    size_t n;
    uint32_t *drawn = draw_originals(c, k->id, b->others, f, &n);
    json_t *rows = json_array();
    for (size_t i = 0; i < n && i < (size_t)b->originals; i++) {
        json_t *row = original_json(c, f, &f->images[drawn[i]], decide);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, row);
    }
    const char *path = arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(k->wnid));
    const char *others = arena_printf(c->arena, "%s&originals=%lld&others=%lld#originals",
                                      image_query_url(c, path, q), (long long)b->originals,
                                      (long long)(b->others + 1));
    bool more = b->originals > 0 && n > (size_t)b->originals;
    return object(field_json("rows", rows),
                  field_text("count", arena_printf(c->arena, "%lld", (long long)b->originals)),
                  field_int("most", BROWSER_ORIGINALS_MOST),
                  field_text("others_url", more ? others : NULL), field_bool("any", n > 0),
                  field_text("total", data_count(c->arena, (int64_t)n)));
}

/* ---- who decided what ---- */

json_t *class_browser_decisions(struct ctx *c, int64_t class_id, int64_t seen, int64_t version)
{
    json_t *list = decided_list_json(c, class_id, 0, DECISIONS_TOLD), *changed = NULL;
    if (list) {
        changed = seen < 0 ? json_array() : decided_by_others_json(c, class_id, seen, CHANGES_TOLD);
    }
    if (!changed) {
        json_decref(list);
        return NULL;
    }
    return object(field_int("version", version), field_bool("any", json_array_size(list) > 0),
                  field_bool("any_changed", json_array_size(changed) > 0), field_json("list", list),
                  field_json("changed", changed));
}
