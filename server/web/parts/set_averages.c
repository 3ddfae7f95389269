/* set_averages.c - averages at the draw and now. A kept one is right while the version of the view, its campaigns, the
 * blocked people and the last event are those it was made of (as in view_choice.c). */
#include "web/parts/set_averages.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "json/object.h"
#include "live/votes/view_ask.h"
#include "store/sets/revision_facts.h"
#include "web/core/records.h"
#include "web/parts/set_tree.h"

enum { KEPT_MOST = 4 };

struct kept {
    int64_t version, cursor;   /* of the view, of the last event; 0: nothing */
    uint64_t lists;            /* of the view's campaigns and the blocked people */
    struct map_u64 at;         /* revision -> place */
    struct set_frequency *f;
    int64_t as_of;             /* last event counted */
    size_t n, cap;
};
struct averages_kept {
    pthread_mutex_t lock; /* held while one thread counts: who waited finds the result */
    struct map_u64 drawn; /* revision -> place: draws that an earlier program stored */
    struct set_frequency *draw;
    size_t n_draw, cap_draw;
    struct kept slots[KEPT_MOST];
    unsigned next; /* the oldest */
};

struct averages_kept *averages_kept_new(void)
{
    struct averages_kept *k = xcalloc(1, sizeof *k);
    pthread_mutex_init(&k->lock, NULL);
    map_u64_init(&k->drawn);
    for (int i = 0; i < KEPT_MOST; i++) {
        map_u64_init(&k->slots[i].at);
    }
    return k;
}

static void clear(struct kept *k)
{
    map_u64_release(&k->at);
    free(k->f);
    *k = (struct kept){0};
    map_u64_init(&k->at);
}

void averages_kept_free(struct averages_kept *k)
{
    for (int i = 0; k && i < KEPT_MOST; i++) {
        clear(&k->slots[i]);
        map_u64_release(&k->slots[i].at);
    }
    if (k) {
        map_u64_release(&k->drawn);
        free(k->draw);
        pthread_mutex_destroy(&k->lock);
    }
    free(k);
}

/* ---- now ---- */

static uint64_t mixed(uint64_t hash, const int64_t *ids, size_t n)
{
    hash = (hash ^ n) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ (uint64_t)ids[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* What a kept result must have been made of. */
static enum err_code key_of(struct ctx *c, const struct vote_view *v, struct kept *out)
{
    struct view_ask ask;
    enum err_code rc = view_ask_of(c->db, v, 0, c->arena, &ask, &c->err);
    if (rc == OK) {
        out->lists = mixed(mixed(UINT64_C(0xcbf29ce484222325), ask.campaigns, ask.n_campaigns),
                           ask.blocked, ask.n_blocked);
        out->cursor = app_totals(c->app).cursor;
        out->version = v->id;
    }
    return rc;
}

static struct kept *slot_for(struct averages_kept *k, const struct kept *key)
{
    int i = 0;
    while (i < KEPT_MOST && k->slots[i].version != key->version) {
        i++;
    }
    struct kept *slot = &k->slots[i < KEPT_MOST ? i : (int)(k->next++ % KEPT_MOST)];
    if (slot->version != key->version || slot->cursor != key->cursor || slot->lists != key->lists) {
        clear(slot);
        slot->version = key->version;
        slot->cursor = key->cursor;
        slot->lists = key->lists;
    }
    return slot;
}

/* Counts those that the slot lacks. */
static enum err_code complete(struct ctx *c, struct kept *slot, const int64_t *revisions, size_t n)
{
    int64_t *lacking = arena_calloc(c->arena, n + 1, sizeof *lacking);
    size_t lacks = 0;
    for (size_t i = 0; i < n; i++) {
        if (map_u64_get(&slot->at, (uint64_t)revisions[i]) == MAP_NONE) {
            lacking[lacks++] = revisions[i];
        }
    }
    struct set_average *made = arena_calloc(c->arena, lacks + 1, sizeof *made);
    enum err_code rc = lacks ? set_average_make(c->db, app_tally(c->app), slot->version,
                                                slot->cursor, lacking, lacks, c->arena, made,
                                                &c->err)
                             : OK;
    for (size_t i = 0; i < lacks && rc == OK; i++) {
        xgrow(&slot->f, &slot->cap, slot->n + 1, sizeof *slot->f);
        map_u64_put(&slot->at, (uint64_t)lacking[i], (uint32_t)slot->n);
        slot->f[slot->n++] = made[i].f;
        slot->as_of = made[i].as_of;
    }
    return rc;
}

/* The revisions that count under the version, as of now. */
static enum err_code count_now(struct ctx *c, const struct vote_view *v, const int64_t *versions,
                               const struct revision_row *list, size_t n,
                               struct revision_averages *out)
{
    struct averages_kept *k = app_averages_kept(c->app);
    struct kept key = {0};
    int64_t *ids = arena_calloc(c->arena, n + 1, sizeof *ids);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (versions[i] == v->id) {
            ids[m++] = list[i].id;
        }
    }
    enum err_code rc = key_of(c, v, &key);
    if (rc != OK) {
        return rc;
    }
    pthread_mutex_lock(&k->lock);
    struct kept *slot = slot_for(k, &key);
    rc = complete(c, slot, ids, m);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (versions[i] == v->id) {
            out[i].now = (struct set_average){
                .view = v->name,
                .view_version = v->id,
                .as_of = slot->as_of,
                .has_interval = true,
                .f = slot->f[map_u64_get(&slot->at, (uint64_t)list[i].id)]};
        }
    }
    pthread_mutex_unlock(&k->lock);
    return rc;
}

/* ---- at the draw ---- */

/* An earlier program stored the mean alone. What was counted then does not change, so it is counted again once. */
static enum err_code find_interval(struct ctx *c, const struct revision_row *r,
                                   const struct revision_facts *f, struct set_average *draw)
{
    struct averages_kept *k = app_averages_kept(c->app);
    struct set_average again;
    enum err_code rc = OK;
    pthread_mutex_lock(&k->lock);
    uint32_t at = map_u64_get(&k->drawn, (uint64_t)r->id);
    if (at == MAP_NONE) {
        rc = set_average_make(c->db, app_tally(c->app), f->vote_view, f->as_of, &r->id, 1, c->arena,
                              &again, &c->err);
        at = (uint32_t)k->n_draw;
        if (rc == OK) {
            xgrow(&k->draw, &k->cap_draw, k->n_draw + 1, sizeof *k->draw);
            k->draw[k->n_draw++] = again.f;
            map_u64_put(&k->drawn, (uint64_t)r->id, at);
        }
    }
    if (rc == OK) {
        draw->f = k->draw[at];
        draw->has_interval = true;
    }
    pthread_mutex_unlock(&k->lock);
    return rc;
}

static enum err_code take_draw(struct ctx *c, const struct revision_row *r,
                               const struct revision_facts *f, struct revision_averages *out)
{
    json_t *said = set_facts_json(f->facts);
    out->drawn = f->sampled &&
                 set_average_read(said, f->vote_view, f->as_of, c->arena, &out->draw);
    json_decref(said);
    return out->drawn && !out->draw.has_interval && out->draw.f.measured
               ? find_interval(c, r, f, &out->draw)
               : OK;
}

/* Every revision under its own version of a view, version by version. */
static enum err_code take_now(struct ctx *c, const struct revision_row *list, size_t n,
                              const int64_t *versions, struct revision_averages *out)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct vote_view v;
        size_t first = 0;
        while (versions[first] != versions[i]) {
            first++;
        }
        if (first == i) {
            rc = views_version(c->db, versions[i], SV(""), c->arena, &v, &c->err);
            rc = rc == OK ? count_now(c, &v, versions, list, n, out) : rc;
        }
    }
    return rc;
}

enum err_code set_averages_get(struct ctx *c, const struct revision_row *list, size_t n,
                               struct revision_averages *out)
{
    int64_t *versions = arena_calloc(c->arena, n + 1, sizeof *versions);
    struct vote_view usual;
    enum err_code rc = views_find(c->db, SV("default"), c->arena, &usual, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct revision_facts f;
        out[i] = (struct revision_averages){.drawn = false};
        rc = revision_facts_get(c->db, list[i].id, c->arena, &f, &c->err);
        versions[i] = rc == OK && f.sampled && f.vote_view ? f.vote_view : usual.id;
        rc = rc == OK ? take_draw(c, &list[i], &f, &out[i]) : rc;
    }
    rc = rc == OK ? take_now(c, list, n, versions, out) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        out[i].draw.view = out[i].now.view;
        out[i].differ = out[i].drawn && set_average_differ(&out[i].draw, &out[i].now, c->arena);
    }
    return rc;
}

/* ---- as data ---- */

static void add_value(struct arena *a, json_t *list, const struct set_average *s, const char *when)
{
    object_add(list, field_text("value", set_average_value(s, a)), field_text("when", when),
               field_text("note", set_average_note(s, a)),
               field_text("basis", set_average_basis(s, a)));
}

json_t *set_averages_data(struct arena *a, const struct revision_averages *r)
{
    json_t *list = json_array();
    if (!r->drawn || !r->differ) {
        add_value(a, list, r->drawn ? &r->draw : &r->now,
                  r->drawn ? "at the draw, and now" : "now");
    } else {
        add_value(a, list, &r->draw, "at the draw");
        add_value(a, list, &r->now, "now");
    }
    return object(field_json("values", list), field_bool("differ", r->differ));
}

struct averages_face {
    json_t *at_draw, *now;
    bool differ;
};
#define OF(member) RECORD_OF(struct averages_face, member)
RECORD(averages_record, struct averages_face, "averages", "The average frequency of a revision at its draw and now.",
       {"at_draw", OF(at_draw), .maybe = true, .of = &set_average_record, .about = "At the draw, which never changes; null for an import."},
       {"now", OF(now), .of = &set_average_record, .about = "Under the same version of the view; of an import under the default view."},
       {"differ", OF(differ), .about = "Whether people would read something else in them."});
#undef OF

json_t *set_averages_json(const struct revision_averages *r)
{
    const struct averages_face face = {r->drawn ? set_average_json(&r->draw) : NULL, set_average_json(&r->now), r->differ};
    return record_json(&averages_record, &face);
}

json_t *set_averages_stored(struct arena *a, const json_t *facts)
{
    struct set_average s;
    json_t *list = json_array();
    if (!set_average_read(facts, 0, 0, a, &s) || !s.f.measured) {
        json_decref(list);
        return json_null();
    }
    object_add(list, field_text("value", set_average_value(&s, a)),
               field_text("when", "at the draw"), field_text("note", set_average_note(&s, a)),
               field_text("basis", s.as_of ? set_average_basis(&s, a) : ""));
    return object(field_json("values", list), field_bool("differ", false));
}
