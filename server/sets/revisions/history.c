/* history.c - the revisions of a set beside their parents, and any two beside each other. */
#include "sets/revisions/history.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "store/review/blacklist.h"
#include "store/review/class_reviews.h"

/* Classes in order of wnid. */
struct class_index {
    struct class_info *list;
    uint32_t n;
    struct map_u64 by_id;
};

/* The members of one revision. */
struct members {
    struct revision_member *list;
    size_t n;
};

struct history_work {
    struct db *db;
    struct arena *out, keep; /* keep: members of all revisions */
    struct class_index classes;
    struct members *members; /* by revision */
    struct set_history_row *rows;
    size_t n;
    struct map_u64 banned; /* ids of images */
    bool *of_set;          /* of each class: a revision of the set has it */
    uint32_t n_of_set;
};

/* ---- classes and members ---- */

static int by_wnid(const void *a, const void *b)
{
    return sv_cmp(((const struct class_info *)a)->wnid, ((const struct class_info *)b)->wnid);
}

static enum err_code read_classes(struct db *db, struct arena *a, struct class_index *out,
                                  struct err *err)
{
    size_t n = 0;
    enum err_code rc = classes_list(db, a, &out->list, &n, err);
    if (rc == OK && n) {
        qsort(out->list, n, sizeof *out->list, by_wnid);
    }
    out->n = (uint32_t)n;
    for (uint32_t i = 0; i < out->n; i++) {
        map_u64_put(&out->by_id, (uint64_t)out->list[i].id, i);
    }
    return rc;
}

static enum err_code read_members(struct db *db, const struct class_index *classes,
                                  int64_t revision, struct arena *a, struct members *out,
                                  struct err *err)
{
    struct revision_image *images = NULL;
    enum err_code rc = revisions_images(db, revision, a, &images, &out->n, err);
    out->list = arena_calloc(a, out->n + 1, sizeof *out->list);
    for (size_t i = 0; i < out->n && rc == OK; i++) {
        out->list[i] = (struct revision_member){map_u64_get(&classes->by_id, images[i].class_id),
                                                images[i].image};
    }
    return rc;
}

/* ---- how complete ---- */

/* How many images most of the set's classes have here; of two such numbers the larger. */
static uint32_t usual_size(const struct history_work *w, const struct members *m, struct arena *a)
{
    uint32_t *have = arena_calloc(a, w->classes.n + (size_t)1, sizeof *have), size = 0, most = 0;
    uint32_t *classes = arena_calloc(a, m->n + 2, sizeof *classes);
    for (size_t i = 0; i < m->n; i++) {
        have[m->list[i].class_index]++;
    }
    for (uint32_t k = 0; k < w->classes.n; k++) {
        classes[have[k]] += have[k] > 0;
    }
    for (uint32_t s = 1; s <= m->n; s++) {
        size = classes[s] > 0 && classes[s] >= most ? s : size;
        most = classes[s] > most ? classes[s] : most;
    }
    return size;
}

/* What the parameters say of a class's size: `size` of ours, `target_size` of a published dataset,
 * which is that of all classes. 0: nothing. */
static uint32_t said_size(const json_t *parameters, uint32_t n_classes)
{
    const json_t *own = json_object_get(parameters, "size");
    const json_t *all = json_object_get(json_object_get(parameters, "dataset"), "target_size");
    json_int_t size = json_is_integer(own) ? json_integer_value(own)
                      : n_classes && json_integer_value(all) % n_classes == 0
                          ? json_integer_value(all) / n_classes
                          : 0;
    return size > 0 && size < UINT32_MAX ? (uint32_t)size : 0;
}

static void add_short(struct history_work *w, struct set_history_row *row, struct sv wnid,
                      int64_t missing)
{
    row->short_classes[row->classes_short++] = arena_sv(w->out, wnid);
    row->missing += (size_t)missing;
}

/* The plan has said which classes lack how many. */
static void sizes_of_plan(struct history_work *w, struct set_history_row *row, const json_t *list)
{
    const json_t *one;
    size_t i;
    row->short_classes = arena_calloc(w->out, json_array_size(list) + 1, sizeof(struct sv));
    json_array_foreach(list, i, one)
    {
        json_int_t missing = json_integer_value(json_object_get(one, "missing"));
        if (missing > 0) {
            add_short(w, row, sv_of(json_string_value(json_object_get(one, "wnid"))), missing);
        }
    }
}

static void sizes_of_members(struct history_work *w, size_t at, uint32_t size, struct arena *a)
{
    struct set_history_row *row = &w->rows[at];
    const struct members *m = &w->members[at];
    struct revision_size s;
    uint32_t per_class = size ? size : usual_size(w, m, a);
    uint32_t *have = arena_calloc(a, w->classes.n + (size_t)1, sizeof *have);
    revision_size(m->list, m->n, w->classes.n, per_class, a, &s);
    for (size_t i = 0; i < m->n; i++) {
        have[m->list[i].class_index]++;
    }
    row->short_classes = arena_calloc(w->out, s.n_short + 1, sizeof(struct sv));
    for (size_t i = 0; i < s.n_short; i++) {
        uint32_t k = s.short_classes[i];
        if (w->of_set[k]) {
            add_short(w, row, w->classes.list[k].wnid, per_class - have[k]);
        }
    }
    row->valid = row->classes_short == 0 && s.n_over == 0;
}

static enum err_code take_sizes(struct history_work *w, size_t at, struct arena *a, struct err *err)
{
    struct set_history_row *row = &w->rows[at];
    struct revision_facts facts;
    enum err_code rc = revision_facts_get(w->db, row->revision.id, a, &facts, err);
    if (rc != OK) {
        return rc;
    }
    struct sv text = row->revision.parameters;
    json_t *parameters = json_loadb(text.n ? text.p : "", text.n, 0, NULL);
    json_t *said = json_loadb(facts.facts.n ? facts.facts.p : "", facts.facts.n, 0, NULL);
    const json_t *lacking = json_object_get(said, "short");
    if (facts.sampled && json_is_array(lacking)) {
        sizes_of_plan(w, row, lacking);
        row->valid = row->classes_short == 0;
    } else {
        sizes_of_members(w, at, said_size(parameters, w->n_of_set), a);
    }
    row->valid = facts.valid >= 0 ? facts.valid : row->valid;
    json_decref(parameters);
    json_decref(said);
    return OK;
}

/* ---- against the parent ---- */

static size_t find_row(const struct history_work *w, int64_t revision)
{
    size_t i = 0;
    while (i < w->n && w->rows[i].revision.id != revision) {
        i++;
    }
    return i;
}

static enum err_code reviews_of(struct history_work *w, int64_t revision, int64_t as_of,
                                struct arena *a, struct class_review *out, size_t *reviewed,
                                size_t *problematic, struct err *err)
{
    struct class_review_row *list;
    size_t n = 0;
    enum err_code rc = class_reviews_list(w->db, revision, as_of, a, &list, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        uint32_t k = map_u64_get(&w->classes.by_id, (uint64_t)list[i].class_id);
        out[k] = (struct class_review){list[i].reviewed, list[i].problematic};
        *reviewed += list[i].reviewed;
        *problematic += list[i].problematic;
    }
    return rc;
}

/* What was sampled here has its carried-over reviews on record: those that its own event wrote. An
 * import has the final state of its parent's review, to which the rule is applied. */
static enum err_code take_carried(struct history_work *w, struct set_history_row *row,
                                  const struct revision_diff *diff, struct arena *a,
                                  struct err *err)
{
    const struct revision_row *r = &row->revision;
    size_t n = 0, none = 0;
    struct class_review *old = arena_calloc(a, w->classes.n + (size_t)1, sizeof *old);
    struct class_review *new = arena_calloc(a, w->classes.n + (size_t)1, sizeof *new);
    bool imported = sv_is(r->strategy, "import");
    enum err_code rc =
        reviews_of(w, imported ? r->parent : r->id, imported ? 0 : r->id, a, old, &n, &none, err);
    row->carried = imported ? revision_carry_reviews(old, w->classes.n, diff, new) : n;
    return rc;
}

static enum err_code take_changes(struct history_work *w, size_t at, struct arena *a,
                                  struct err *err)
{
    struct set_history_row *row = &w->rows[at];
    struct members none = {0};
    struct revision_diff diff;
    size_t parent = find_row(w, row->revision.parent);
    const struct members *old = parent < w->n ? &w->members[parent] : &none;
    revision_diff(old->list, old->n, w->members[at].list, w->members[at].n, a, &diff);
    row->added = diff.n_added;
    row->removed = diff.n_removed;
    row->changed = diff.n_changed;
    return parent < w->n ? take_carried(w, row, &diff, a, err) : OK;
}

static enum err_code take_row(struct history_work *w, size_t at, struct err *err)
{
    struct set_history_row *row = &w->rows[at];
    struct arena a;
    arena_init(&a, SIZE_MAX / 2);
    struct class_review *now = arena_calloc(&a, w->classes.n + (size_t)1, sizeof *now);
    enum err_code rc = take_sizes(w, at, &a, err);
    rc = rc == OK ? take_changes(w, at, &a, err) : rc;
    rc = rc == OK
             ? reviews_of(w, row->revision.id, 0, &a, now, &row->reviewed, &row->problematic, err)
             : rc;
    bool *seen = arena_calloc(&a, w->classes.n + (size_t)1, sizeof *seen);
    for (size_t i = 0; i < w->members[at].n; i++) {
        uint32_t k = w->members[at].list[i].class_index;
        row->classes += !seen[k];
        seen[k] = true;
        row->blacklisted += map_u64_get(&w->banned, w->members[at].list[i].image) != MAP_NONE;
    }
    arena_release(&a);
    return rc;
}

/* ---- the whole history ---- */

static enum err_code take_banned(void *arg, int64_t image, struct err *err)
{
    (void)err;
    map_u64_put(arg, (uint64_t)image, 1);
    return OK;
}

static enum err_code read_lists(struct history_work *w, struct err *err)
{
    enum err_code rc = OK;
    w->members = arena_calloc(&w->keep, w->n + 1, sizeof *w->members);
    w->of_set = arena_calloc(&w->keep, w->classes.n + (size_t)1, sizeof *w->of_set);
    for (size_t i = 0; i < w->n && rc == OK; i++) {
        struct members *m = &w->members[i];
        rc = read_members(w->db, &w->classes, w->rows[i].revision.id, &w->keep, m, err);
        for (size_t k = 0; k < m->n && rc == OK; k++) {
            w->n_of_set += !w->of_set[m->list[k].class_index];
            w->of_set[m->list[k].class_index] = true;
        }
    }
    return rc;
}

enum err_code set_history_make(struct db *db, const struct set_row *set, struct arena *a,
                               struct set_history_row **out, size_t *n, struct err *err)
{
    struct history_work w = {.db = db, .out = a};
    struct revision_row *list = NULL;
    arena_init(&w.keep, SIZE_MAX / 2);
    map_u64_init(&w.classes.by_id);
    map_u64_init(&w.banned);
    enum err_code rc = revisions_list(db, set->id, a, &list, &w.n, err);
    w.rows = arena_calloc(a, w.n + 1, sizeof *w.rows);
    for (size_t i = 0; i < w.n; i++) {
        w.rows[i].revision = list[i];
    }
    rc = rc == OK ? read_classes(db, &w.keep, &w.classes, err) : rc;
    rc = rc == OK ? blacklist_images(db, take_banned, &w.banned, err) : rc;
    rc = rc == OK ? read_lists(&w, err) : rc;
    for (size_t i = 0; i < w.n && rc == OK; i++) {
        rc = take_row(&w, i, err);
    }
    map_u64_release(&w.banned);
    map_u64_release(&w.classes.by_id);
    arena_release(&w.keep);
    *out = w.rows;
    *n = w.n;
    return rc;
}

/* ---- any two ---- */

static int by_class_and_image(const void *a, const void *b)
{
    const struct revision_removal *x = a, *y = b;
    return x->class_id != y->class_id ? (x->class_id > y->class_id) - (x->class_id < y->class_id)
                                      : (x->image > y->image) - (x->image < y->image);
}

/* Reasons of what a child has lost; between any other two there are none on record. */
static enum err_code take_reasons(struct db *db, const struct revision_row *a,
                                  const struct revision_row *b, struct arena *arena,
                                  struct set_diff *out, struct err *err)
{
    struct revision_facts facts = {0};
    size_t n = out->diff.n_removed;
    enum err_code rc = b->parent == a->id ? revision_facts_get(db, b->id, arena, &facts, err) : OK;
    out->reasons = arena_calloc(arena, n + 1, sizeof *out->reasons);
    if (rc == OK && facts.n_removals) {
        qsort(facts.removals, facts.n_removals, sizeof *facts.removals, by_class_and_image);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct revision_member *m = &out->diff.removed[i];
        const struct revision_removal key = {.image = m->image,
                                             .class_id = (uint32_t)out->classes[m->class_index].id};
        const struct revision_removal *found =
            facts.n_removals ? bsearch(&key, facts.removals, facts.n_removals,
                                       sizeof *facts.removals, by_class_and_image)
                             : NULL;
        out->reasons[i] = found ? found->reason : REMOVED_UNKNOWN;
        out->n_recorded += found != NULL;
    }
    return rc;
}

enum err_code set_diff_make(struct db *db, const struct revision_row *a,
                            const struct revision_row *b, struct set_diff *out, struct err *err)
{
    struct class_index classes = {0};
    struct members old = {0}, new = {0};
    struct arena *arena = &out->arena;
    *out = (struct set_diff){0};
    arena_init(arena, SIZE_MAX / 2);
    map_u64_init(&classes.by_id);
    enum err_code rc = read_classes(db, arena, &classes, err);
    rc = rc == OK ? read_members(db, &classes, a->id, arena, &old, err) : rc;
    rc = rc == OK ? read_members(db, &classes, b->id, arena, &new, err) : rc;
    if (rc == OK) {
        revision_diff(old.list, old.n, new.list, new.n, arena, &out->diff);
        out->classes = classes.list;
        out->n_classes = classes.n;
        rc = take_reasons(db, a, b, arena, out, err);
    }
    map_u64_release(&classes.by_id);
    return rc;
}

void set_diff_free(struct set_diff *d)
{
    arena_release(&d->arena);
    *d = (struct set_diff){0};
}
