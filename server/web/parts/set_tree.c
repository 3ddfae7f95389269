/* set_tree.c - sets and their revisions as page data. The numbers come from sets/revisions/history.h; where a
 * row stands is decided here. */
#include "web/parts/set_tree.h"

#include "json/object.h"
#include "sets/revisions/history.h"
#include "store/review/class_reviews.h"
#include "store/sets/images.h"
#include "store/sets/revision_facts.h"
#include "web/core/page_data.h"
#include "web/core/records.h"
#include "web/parts/bias_data.h"
#include "web/parts/set_averages.h"
#include "web/parts/set_data.h"

enum { DEPTH_SHOWN = 6, SHORT_NAMED = 5 };
#define NBSP "\xc2\xa0"

/* ---- pieces ---- */

json_t *set_facts_json(struct sv facts)
{
    json_t *all = facts.n ? json_loadb(facts.p, facts.n, 0, NULL) : NULL;
    if (json_is_object(all)) {
        return all;
    }
    json_decref(all);
    return json_object();
}

/* {progress}: how many of the project's classes are reviewed. */
static json_t *review_json(struct arena *a, int64_t reviewed, int64_t classes)
{
    int64_t total = classes > 0 ? classes : 1;
    int64_t done = reviewed < total ? reviewed : total;
    const struct progress bar = data_bar(
        done, total, arena_printf(a, "%s of %s classes", data_count(a, reviewed), data_count(a, classes)));
    return object(field_json("progress", record_json(&progress_record, &bar)));
}

static json_t *short_json(struct arena *a, uint64_t classes, uint64_t missing, const char *which)
{
    return classes ? object(field_text("text", arena_printf(a, "%s class%s",
                                                            data_count(a, (int64_t)classes),
                                                            classes == 1 ? "" : "es")),
                            field_text("note", arena_printf(a, "%s image%s missing%s%s",
                                                            data_count(a, (int64_t)missing),
                                                            missing == 1 ? "" : "s",
                                                            *which ? ": " : "", which)))
                   : json_null();
}

/* "tench, goldfish and 3 more" */
static const char *names_text(struct ctx *c, const struct sv *wnids, size_t n)
{
    struct arena *a = c->arena;
    const char *text = "";
    for (size_t i = 0; i < n && i < SHORT_NAMED; i++) {
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", data_class_called(c, wnids[i]));
    }
    return n > SHORT_NAMED ? arena_printf(a, "%s and %zu more", text, n - SHORT_NAMED) : text;
}

/* ---- where a row stands ---- */

struct branch {
    size_t row, depth;
};
struct tree {
    const struct set_history_row *rows; /* by number */
    const struct revision_averages *averages; /* of each row; NULL for originals */
    size_t n;
    size_t *child,
        *sibling; /* of each row: its newest child, the next older child of its parent; n: none */
};

static size_t row_of(const struct tree *t, int64_t revision)
{
    for (size_t i = 0; revision && i < t->n; i++) {
        if (t->rows[i].revision.id == revision) {
            return i;
        }
    }
    return t->n;
}

/* Rows go in by number, so the newest child of each ends up first. */
static void tree_make(struct tree *t, struct arena *a)
{
    t->child = arena_calloc(a, t->n + 1, sizeof *t->child);
    t->sibling = arena_calloc(a, t->n + 1, sizeof *t->sibling);
    for (size_t i = 0; i <= t->n; i++) {
        t->child[i] = t->sibling[i] = t->n;
    }
    for (size_t i = 0; i < t->n; i++) {
        size_t parent = row_of(t, t->rows[i].revision.parent);
        if (parent < t->n) {
            t->sibling[i] = t->child[parent];
            t->child[parent] = i;
        }
    }
}

/* From a root down. The newest child goes on in its parent's column: a line of revisions stays
 * straight, and what was given up stands indented before it. */
static size_t tree_walk(const struct tree *t, size_t root, struct branch *stack, struct branch *out)
{
    size_t n = 0, waiting = 1;
    stack[0] = (struct branch){root, 0};
    while (waiting) {
        struct branch at = stack[--waiting];
        out[n++] = at;
        for (size_t k = t->child[at.row], first = k; k < t->n; k = t->sibling[k]) {
            stack[waiting++] = (struct branch){k, at.depth + (k != first)};
        }
    }
    return n;
}

static const char *twigs(struct arena *a, size_t depth)
{
    const char *text = "";
    for (size_t i = 1; i < depth && i < DEPTH_SHOWN; i++) {
        text = arena_printf(a, "%s" NBSP NBSP NBSP, text);
    }
    return depth ? arena_printf(a, "%s\xe2\x94\x94" NBSP, text) : "";
}

/* ---- rows ---- */

static json_t *changes_json(struct arena *a, const struct set_history_row *h)
{
    return h->revision.parent ? object(field_text("added", data_count(a, (int64_t)h->added)),
                                       field_text("removed", data_count(a, (int64_t)h->removed)),
                                       field_text("classes", data_count(a, (int64_t)h->changed)))
                              : json_null();
}

static json_t *parent_json(struct arena *a, const struct tree *t, const struct set_history_row *h)
{
    size_t at = row_of(t, h->revision.parent);
    return at < t->n
               ? object(field_text("name",
                                   arena_printf(a, "%lld", (long long)t->rows[at].revision.number)),
                        field_text("url", set_url(a, &t->rows[at].revision)))
               : json_null();
}

/* What keeps a revision from being valid; null for one that is, or of which nobody knows. */
static json_t *lacks_json(struct ctx *c, const struct set_history_row *h, const json_t *said)
{
    struct arena *a = c->arena;
    json_int_t few = json_integer_value(json_object_get(said, "classes_few_originals"));
    if (sv_is(h->revision.role, "original")) {
        return json_null();
    }
    if (!h->classes_short && h->valid == 0 && few > 0) {
        return object(
            field_text("text", "not valid"),
            field_text("note", arena_printf(a, "%s class%s too few measured originals",
                                            data_count(a, few), few == 1 ? " has" : "es have")));
    }
    return short_json(a, h->classes_short, h->missing,
                      names_text(c, h->short_classes, h->classes_short));
}

/* The figure that belongs beside an average by which images were chosen; empty where there is none at hand. */
static const char *bias_text(struct ctx *c, const struct revision_row *r)
{
    struct bias_leading l;
    return bias_at_hand(c, r, false, &l) ? bias_leading_text(c->arena, &l) : "";
}

/* NULL with c->err set. */
static json_t *row_json(struct ctx *c, const struct tree *t, const struct branch *at)
{
    const struct set_history_row *h = &t->rows[at->row];
    bool original = sv_is(h->revision.role, "original");
    struct arena *a = c->arena;
    struct revision_facts facts;
    if (revision_facts_get(c->db, h->revision.id, a, &facts, &c->err) != OK) {
        return NULL;
    }
    json_t *row = set_data_revision(c, &h->revision);
    if (!row) {
        return NULL;
    }
    json_t *said = set_facts_json(facts.facts);
    json_t *more = object(
        field_text("bias", original ? "" : bias_text(c, &h->revision)),
        field_text("bias_url", arena_printf(a, "%s/bias", set_url(a, &h->revision))),
        field_text("twigs", twigs(a, at->depth)), field_json("parent", parent_json(a, t, h)),
        field_json("changes", changes_json(a, h)),
        field_json("frequency",
                   original ? json_null() : set_averages_data(a, &t->averages[at->row])),
        field_json("review", original ? json_null()
                                      : review_json(a, (int64_t)h->reviewed, (int64_t)h->classes)),
        field_json("short", lacks_json(c, h, said)),
        field_text("blacklisted", h->blacklisted ? data_count(a, (int64_t)h->blacklisted) : ""),
        field_bool("complete", !original && h->valid == 1), field_sv("published", h->revision.published));
    json_object_update(row, more);
    json_decref(more);
    json_decref(said);
    return row;
}

/* Roots by number, each with all that came of it. NULL with c->err set. */
static json_t *rows_json(struct ctx *c, struct tree *t)
{
    struct branch *stack = arena_calloc(c->arena, t->n + 1, sizeof *stack);
    struct branch *order = arena_calloc(c->arena, t->n + 1, sizeof *order);
    json_t *rows = json_array();
    tree_make(t, c->arena);
    for (size_t i = 0; i < t->n; i++) {
        bool root = row_of(t, t->rows[i].revision.parent) == t->n;
        size_t n = root ? tree_walk(t, i, stack, order) : 0;
        for (size_t k = 0; k < n; k++) {
            json_t *row = row_json(c, t, &order[k]);
            if (!row) {
                json_decref(rows);
                return NULL;
            }
            json_array_append_new(rows, row);
        }
    }
    return rows;
}

static enum err_code read_averages(struct ctx *c, struct tree *t)
{
    struct revision_averages *all = arena_calloc(c->arena, t->n + 1, sizeof *all);
    struct revision_row *list = arena_calloc(c->arena, t->n + 1, sizeof *list);
    for (size_t i = 0; i < t->n; i++) {
        list[i] = t->rows[i].revision;
    }
    t->averages = all;
    return set_averages_get(c, list, t->n, all);
}

json_t *set_tree(struct ctx *c, const struct set_row *set)
{
    struct set_history_row *rows;
    struct tree t = {0};
    if (set_history_make(c->db, set, c->arena, &rows, &t.n, &c->err) != OK) {
        return NULL;
    }
    t.rows = rows;
    if (!sv_is(set->role, "original") && read_averages(c, &t) != OK) {
        return NULL;
    }
    json_t *list = rows_json(c, &t);
    return list ? object(
                      field_sv("name", set->name),
                      field_text("url", arena_printf(c->arena, "/sets/" SV_FMT, SV_ARG(set->name))),
                      field_sv("role", set->role),
                      field_bool("is_original", sv_is(set->role, "original")),
                      field_bool("any", t.n > 0), field_json("rows", list))
                : NULL;
}

/* ---- the newest ---- */

static int64_t reviewed_of(const struct review_count *counts, size_t n, int64_t revision)
{
    for (size_t i = 0; i < n; i++) {
        if (counts[i].revision == revision) {
            return counts[i].reviewed;
        }
    }
    return 0;
}

/* NULL with c->err set. */
static json_t *newest_row(struct ctx *c, int64_t id, const struct review_count *counts, size_t n)
{
    struct arena *a = c->arena;
    struct revision_row r;
    struct revision_facts facts;
    int64_t classes;
    if (revisions_get(c->db, id, a, &r, &c->err) != OK ||
        set_images_classes(c->db, r.list, &classes, &c->err) != OK ||
        revision_facts_get(c->db, id, a, &facts, &c->err) != OK) {
        return NULL;
    }
    json_t *said = set_facts_json(facts.facts);
    json_int_t lacks = json_integer_value(json_object_get(said, "classes_short"));
    json_int_t missing = json_integer_value(json_object_get(said, "missing"));
    json_t *row = object(field_text("name", set_title(a, &r)), field_text("url", set_url(a, &r)),
                         field_text("state", revision_state_word(r.state)),
                         field_bool("is_sealed", !set_scoreable(&r)),
                         field_text("images_text", data_count(a, r.images)),
                         field_json("frequency", set_averages_stored(a, said)),
                         field_json("review", review_json(a, reviewed_of(counts, n, id), classes)),
                         field_json("short", short_json(a, lacks > 0 ? (uint64_t)lacks : 0,
                                                        missing > 0 ? (uint64_t)missing : 0, "")));
    json_decref(said);
    return row;
}

json_t *set_tree_newest(struct ctx *c)
{
    struct set_row *sets;
    struct review_count *counts;
    size_t n, n_counts;
    if (sets_list(c->db, c->arena, &sets, &n, &c->err) != OK ||
        class_reviews_count(c->db, c->arena, &counts, &n_counts, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        if (sv_is(sets[i].role, "original") || !sets[i].newest) {
            continue;
        }
        json_t *row = newest_row(c, sets[i].newest, counts, n_counts);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, row);
    }
    return rows;
}
