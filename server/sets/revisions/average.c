/* average.c - which votes an average counts, and how it is written down. */
#include "sets/revisions/average.h"

#include <math.h>
#include <string.h>

#include "live/votes/view_ask.h"
#include "store/sets/sets.h"

/* ---- counting ---- */

static void set_all(struct set_average *out, size_t n, const struct vote_view *view, int64_t as_of,
                    const struct set_frequency *f)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = (struct set_average){.view = view->name,
                                      .view_version = view->id,
                                      .as_of = as_of,
                                      .has_interval = true,
                                      .f = f[i]};
    }
}

enum err_code set_average_of(struct db *db, struct tally *t, const struct vote_view *view,
                             int64_t as_of, const struct set_members *sets, size_t n,
                             struct set_average *out, struct err *err)
{
    struct arena a;
    struct view_ask ask;
    struct view_counts counts;
    arena_init(&a, SIZE_MAX / 2);
    enum err_code rc = view_ask_of(db, view, as_of, &a, &ask, err);
    rc = rc == OK ? view_count(t, &ask, &counts, err) : rc;
    if (rc == OK) {
        struct set_frequency *f = arena_calloc(&a, n + 1, sizeof *f);
        set_frequencies(t, &ask, &counts, sets, n, f);
        set_all(out, n, view, counts.cursor, f);
        view_counts_release(&counts);
    }
    arena_release(&a);
    return rc;
}

enum err_code set_average_make(struct db *db, struct tally *t, int64_t view_version, int64_t as_of,
                               const int64_t *revisions, size_t n, struct arena *a,
                               struct set_average *out, struct err *err)
{
    struct vote_view view;
    struct arena own;
    arena_init(&own, SIZE_MAX / 2);
    struct set_members *sets = arena_calloc(&own, n + 1, sizeof *sets);
    enum err_code rc = view_version ? views_version(db, view_version, SV(""), a, &view, err)
                                    : views_find(db, SV("default"), a, &view, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct revision_image *images;
        rc = revisions_images(db, revisions[i], &own, &images, &sets[i].n, err);
        sets[i].images = images;
    }
    rc = rc == OK ? set_average_of(db, t, &view, as_of, sets, n, out, err) : rc;
    arena_release(&own);
    return rc;
}

/* Those of list[from..] that count under versions[from], at once. */
static enum err_code count_version(struct db *db, struct tally *t, const struct revision_row *list, const int64_t *versions,
                                   size_t from, size_t n, struct arena *a, struct set_average *out, struct err *err)
{
    int64_t *ids = arena_calloc(a, n + 1, sizeof *ids);
    struct set_average *made = arena_calloc(a, n + 1, sizeof *made);
    size_t found = 0;
    for (size_t i = from; i < n; i++) {
        if (versions[i] == versions[from]) {
            ids[found++] = list[i].id;
        }
    }
    enum err_code rc = set_average_make(db, t, versions[from], 0, ids, found, a, made, err);
    for (size_t i = n; i > from && rc == OK; i--) {
        if (versions[i - 1] == versions[from]) {
            out[i - 1] = made[--found];
        }
    }
    return rc;
}

enum err_code set_averages_own(struct db *db, struct tally *t, const struct revision_row *list, size_t n, struct arena *a,
                               struct set_average *out, struct err *err)
{
    int64_t *versions = arena_calloc(a, n + 1, sizeof *versions);
    enum err_code rc = OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct revision_facts f;
        rc = revision_facts_get(db, list[i].id, a, &f, err);
        versions[i] = rc == OK && f.sampled ? f.vote_view : 0;
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        size_t first = 0;
        while (versions[first] != versions[i]) {
            first++;
        }
        rc = first == i ? count_version(db, t, list, versions, i, n, a, out, err) : OK;
    }
    return rc;
}

/* ---- on record ---- */

struct average_face {
    struct set_average s;
    bool known, bounded;
};
#define OF(member) RECORD_OF(struct average_face, member)
#define IF(member) RECORD_IF(struct average_face, member)
RECORD(set_average_record, struct average_face, "average_frequency", "The average selection frequency of a set of images.",
       {"mean", OF(s.f.mean), IF(known), .about = "Mean over its images that have votes; null: none has."},
       {"lo", OF(s.f.ci.lo), IF(bounded), .about = "Lower bound of its interval, 95 %; null: not known."},
       {"hi", OF(s.f.ci.hi), IF(bounded), .about = "Upper bound."},
       {"images", OF(s.f.measured), .about = "Images with votes."},
       {"votes", OF(s.f.shown), .about = "Votes about them."},
       {"groups", OF(s.f.groups), .about = "Groups of people; each was left out once for the interval."},
       {"view", OF(s.view), .about = "The vote view that counts."},
       {"view_version", OF(s.view_version), .about = "The event that made its version."},
       {"event", OF(s.as_of), .about = "The last event that was counted."});
#undef OF
#undef IF

json_t *set_average_json(const struct set_average *s)
{
    const struct average_face face = {*s, s->f.measured > 0, s->f.measured > 0 && s->has_interval};
    return record_json(&set_average_record, &face);
}

static size_t size_of(const json_t *o, const char *name)
{
    json_int_t n = json_integer_value(json_object_get(o, name));
    return n > 0 ? (size_t)n : 0;
}

static bool is_share(const json_t *v)
{
    return json_is_number(v) && json_number_value(v) >= 0 && json_number_value(v) <= 1;
}

bool set_average_read(const json_t *facts, int64_t view_version, int64_t as_of, struct arena *a,
                      struct set_average *out)
{
    const json_t *o = json_object_get(facts, "average");
    const json_t *mean = json_object_get(facts, "average_frequency"), *lo, *hi;
    lo = json_object_get(o, "lo");
    hi = json_object_get(o, "hi");
    const char *view = json_string_value(json_object_get(o, "view"));
    *out = (struct set_average){.view_version = view_version, .as_of = as_of};
    if (!json_is_number(mean) && !json_is_null(mean)) {
        return false;
    }
    out->view = view ? arena_sv(a, sv_of(view)) : SV("");
    out->f.measured = json_is_number(mean) ? size_of(facts, "with_votes") : 0;
    out->f.mean = json_number_value(mean);
    out->f.shown = size_of(o, "votes");
    out->f.groups = (unsigned)size_of(o, "groups");
    out->as_of = json_is_integer(json_object_get(o, "event"))
                     ? json_integer_value(json_object_get(o, "event"))
                     : as_of;
    out->has_interval = is_share(lo) && is_share(hi);
    if (out->has_interval) {
        out->f.ci = (struct interval){json_number_value(lo), json_number_value(hi)};
    }
    return true;
}

/* ---- in words ---- */

const char *set_average_value(const struct set_average *s, struct arena *a)
{
    return s->f.measured ? arena_printf(a, "%.3f", s->f.mean) : "\xe2\x80\x93";
}

const char *set_average_note(const struct set_average *s, struct arena *a)
{
    return !s->f.measured ? "no votes about its images"
           : s->has_interval
               ? arena_printf(a, "n %zu, %.3f\xe2\x80\x93%.3f", s->f.measured, s->f.ci.lo, s->f.ci.hi)
               : arena_printf(a, "n %zu", s->f.measured);
}

const char *set_average_method(const struct set_average *s)
{
    return s->f.jackknife ? "delete-a-group jackknife over workers" : "votes clustered by worker";
}

const char *set_average_basis(const struct set_average *s, struct arena *a)
{
    return arena_printf(a, "view " SV_FMT ", event %lld", SV_ARG(s->view), (long long)s->as_of);
}

bool set_average_differ(const struct set_average *a, const struct set_average *b,
                        struct arena *arena)
{
    return strcmp(set_average_value(a, arena), set_average_value(b, arena)) != 0 ||
           a->f.measured != b->f.measured ||
           (a->has_interval && b->has_interval &&
            strcmp(set_average_note(a, arena), set_average_note(b, arena)) != 0);
}
