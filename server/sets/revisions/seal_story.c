/* seal_story.c - where images of a revision had been scored before. */
#include "sets/revisions/seal_story.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "store/models/predictions.h"

enum { SETS_NAMED = 5, TEXT_MOST = 1 << 16 };

/* A set that shares images with the revision. */
struct shared_set {
    const struct seal_shared *facts;
    bool *has;             /* by position in the revision */
    struct map_u64 models; /* that said something of one of them */
};
struct reading {
    int64_t before; /* event */
    struct map_u64 positions, models;
    bool *predicted, *in_any; /* by position */
    struct shared_set *sets;
    size_t n, n_sets;
};

/* ---- what is shared, and what was predicted ---- */

static enum err_code read_set(struct reading *w, struct db *db, struct shared_set *s, struct err *err)
{
    struct arena a;
    struct revision_image *images = NULL;
    size_t n = 0;
    arena_init(&a, (size_t)1 << 28);
    s->has = xcalloc(w->n + 1, sizeof *s->has);
    map_u64_init(&s->models);
    enum err_code rc = revisions_images(db, s->facts->revision, &a, &images, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        uint32_t at = map_u64_get(&w->positions, images[i].image);
        if (at != MAP_NONE) {
            s->has[at] = w->in_any[at] = true;
        }
    }
    arena_release(&a);
    return rc;
}

static void take_prediction(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct reading *w = arg;
    uint32_t at = s->id < w->before ? map_u64_get(&w->positions, p->image) : MAP_NONE;
    if (at == MAP_NONE || !w->in_any[at]) {
        return;
    }
    w->predicted[at] = true;
    map_u64_put(&w->models, (uint64_t)s->model, 0);
    for (size_t i = 0; i < w->n_sets; i++) {
        if (w->sets[i].has[at]) {
            map_u64_put(&w->sets[i].models, (uint64_t)s->model, 0);
        }
    }
}

static void take_positions(struct reading *w, const struct revision_image *images, size_t n)
{
    w->n = n;
    w->predicted = xcalloc(n + 1, sizeof *w->predicted);
    w->in_any = xcalloc(n + 1, sizeof *w->in_any);
    for (size_t i = 0; i < n; i++) {
        map_u64_put(&w->positions, images[i].image, (uint32_t)i);
    }
}

static void count(const struct reading *w, struct arena *a, struct seal_story *out)
{
    out->models = w->models.n;
    for (size_t at = 0; at < w->n; at++) {
        out->images += w->predicted[at];
    }
    out->sets = arena_calloc(a, w->n_sets + 1, sizeof *out->sets);
    for (size_t i = 0; i < w->n_sets; i++) {
        struct seal_scored s = {.name = w->sets[i].facts->name, .models = w->sets[i].models.n};
        for (size_t at = 0; at < w->n; at++) {
            s.images += w->sets[i].has[at] && w->predicted[at];
        }
        if (s.images) {
            out->sets[out->n_sets++] = s;
        }
    }
}

static enum err_code read_scored(struct reading *w, struct db *db, const struct revision_row *r,
                                 struct arena *a, struct err *err)
{
    struct seal_shared *shared;
    struct revision_image *images;
    size_t n = 0, n_shared = 0;
    int64_t last;
    enum err_code rc = seals_shared(db, r->list, r->id, w->before, a, &shared, &n_shared, err);
    if (rc != OK || n_shared == 0) {
        return rc;
    }
    rc = revisions_images(db, r->id, a, &images, &n, err);
    if (rc != OK) {
        return rc;
    }
    take_positions(w, images, n);
    w->sets = xcalloc(n_shared, sizeof *w->sets);
    for (size_t i = 0; i < n_shared && rc == OK; i++) {
        w->sets[w->n_sets].facts = &shared[i];
        rc = read_set(w, db, &w->sets[w->n_sets++], err);
    }
    return rc == OK ? predictions_each(db, 0, 0, 0, &last, take_prediction, w, err) : rc;
}

static void release(struct reading *w)
{
    for (size_t i = 0; i < w->n_sets; i++) {
        free(w->sets[i].has);
        map_u64_release(&w->sets[i].models);
    }
    free(w->sets);
    free(w->predicted);
    free(w->in_any);
    map_u64_release(&w->positions);
    map_u64_release(&w->models);
}

enum err_code seal_story_read(struct db *db, const struct revision_row *r, struct arena *a,
                              struct seal_story *out, struct err *err)
{
    struct reading w = {.before = 0};
    *out = (struct seal_story){.of = (size_t)r->images};
    map_u64_init(&w.positions);
    map_u64_init(&w.models);
    enum err_code rc = seals_frozen_at(db, r->id, &w.before, err);
    rc = rc == OK ? read_scored(&w, db, r, a, err) : rc;
    rc = rc == OK ? seals_openings(db, r->id, a, &out->openings, &out->n_openings, err) : rc;
    rc = rc == OK ? seals_copies(db, r->id, a, &out->copies, &out->n_copies, err) : rc;
    if (rc == OK) {
        out->frozen = w.before != INT64_MAX;
        count(&w, a, out);
    }
    release(&w);
    return rc;
}

/* ---- in words ---- */

const char *seal_scored_text(struct arena *a, const struct seal_story *s)
{
    struct str text;
    str_init(&text, TEXT_MOST);
    str_printf(&text, "%zu of its %zu images %s", s->images, s->of,
               s->frozen ? "had been scored in other sets before it was frozen"
                         : "have been scored in other sets already");
    if (s->images) {
        str_printf(&text, " (%zu %s):", s->models, s->models == 1 ? "model" : "models");
    }
    for (size_t i = 0; i < s->n_sets && i < SETS_NAMED; i++) {
        str_printf(&text, "%s %zu in " SV_FMT, i ? "," : "", s->sets[i].images, SV_ARG(s->sets[i].name));
    }
    if (s->n_sets > SETS_NAMED) {
        str_printf(&text, " and in %zu further sets", s->n_sets - SETS_NAMED);
    }
    str_addc(&text, '.');
    const char *kept = arena_cstr(a, str_sv(&text));
    str_release(&text);
    return kept;
}

const char *seal_opening_text(struct arena *a, const struct seal_opening *o)
{
    return arena_printf(a, SV_FMT " was unsealed through " SV_FMT ", which has %lld of its images: " SV_FMT,
                        SV_ARG(o->name), SV_ARG(o->through_name), (long long)o->shared, SV_ARG(o->reason));
}

/* ---- as JSON ---- */

#define OF(member) RECORD_OF(struct seal_scored, member)
static RECORD(scored_set_record, struct seal_scored, "seal_scored_in", "Another set on which models had been scored before.",
              {"set", OF(name), .about = "The revision, SET/NUMBER."},
              {"images", OF(images), .about = "Images of both that some model had predicted."},
              {"models", OF(models), .about = "How many models these are."});
#undef OF

#define OF(member) RECORD_OF(struct seal_story, member)
RECORD(seal_scored_record, struct seal_story, "seal_scored", "Whether models had been scored on images of a revision before it was frozen.",
       {"images", OF(images), .about = "Images of it that some model had predicted in another set."},
       {"of", OF(of), .about = "Images in it."},
       {"models", OF(models), .about = "How many models these are."},
       {"sets", RECORD_ROWS(struct seal_story, sets, n_sets), .of = &scored_set_record,
        .about = "In which sets."});
#undef OF

#define OF(member) RECORD_OF(struct seal_opening, member)
RECORD(seal_opening_record, struct seal_opening, "seal_opening", "A sealed revision that was unsealed through another.",
       {"set", OF(name), .about = "The revision that was unsealed, SET/NUMBER."},
       {"through", OF(through_name), .about = "The one that has images of it."},
       {"images", OF(shared), .about = "How many of its images that one has."},
       {"at", OF(at), RECORD_MOMENT, .about = "When."},
       {"reason", OF(reason), .about = "Why, as it was given."});
#undef OF

json_t *seal_scored_json(const struct seal_story *s)
{
    return record_json(&seal_scored_record, s);
}

json_t *seal_openings_json(const struct seal_story *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n_openings; i++) {
        json_array_append_new(list, record_json(&seal_opening_record, &s->openings[i]));
    }
    return list;
}

json_t *seal_copies_json(const struct seal_story *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n_copies; i++) {
        json_array_append_new(list, json_stringn(s->copies[i].p, s->copies[i].n));
    }
    return list;
}
