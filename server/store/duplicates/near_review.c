/* near_review.c - SQL for what is left to review of near_close. */
#include "store/duplicates/near_review.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/rows.h"
#include "store/duplicates/feature_only.h"
#include "store/duplicates/near_close_private.h"
#include "store/duplicates/near_searches.h"
#include "store/duplicates/near_space.h"

/* ---- what is open ---- */

/* Pairs of the space within the threshold; ?3 is the event. `from` leads to c, the pair, and q, its query, by the shortest
 * way for what is asked. */
#define CLOSE_PAIRS(from, of)                                                                                          \
    "SELECT c.query, c.reference, c.distance FROM " from " JOIN near_search_end e ON e.search = s.id"                  \
    " JOIN image r ON r.id = c.reference"                                                                              \
    " WHERE " of " AND" NEAR_CLOSE_SPACE " AND e.id <= ?3 AND c.distance <= ?2" NEAR_CLOSE_APART
#define IN_ORDER " GROUP BY c.query, c.reference ORDER BY c.distance, c.query, c.reference"

/* Of a few candidates: what holds of a pair or a name is looked up for each, by its newest row. */
#define OF_PAIR " WHERE x.a = min(q.name, r.name) AND x.b = max(q.name, r.name) AND x.event <= ?3"
#define VERDICT                                                                                                        \
    "(SELECT x.verdict FROM near_verdict x" OF_PAIR " AND x.repeat = 0 ORDER BY x.event DESC LIMIT 1)"
#define RECORDED "(SELECT x.same FROM near_duplicate x" OF_PAIR " ORDER BY x.event DESC LIMIT 1)"
#define BANNED(image)                                                                                                  \
    "coalesce((SELECT x.banned FROM blacklisting x WHERE x.name = " image ".name AND x.event <= ?3"                    \
    " ORDER BY x.event DESC LIMIT 1), 0)"
#define LOOKED_AT                                                                                                      \
    "EXISTS (SELECT 1 FROM neighbour_review x, json_each(x.neighbours) j WHERE x.name = q.name AND x.metric = ?4"      \
    " AND x.event <= ?3 AND j.value = r.name)"
#define OF_FEW(of)                                                                                                     \
    CLOSE_PAIRS("image q CROSS JOIN near_close c ON c.query = q.id CROSS JOIN near_search s ON s.id = c.search", of)   \
    " AND (?7 OR (coalesce(" VERDICT ", 'open') IN ('open', 'unsure') AND coalesce(" RECORDED ", 0) = 0"               \
    " AND NOT " BANNED("r") " AND NOT " LOOKED_AT "))"                                                                 \
    " AND (?6 = 0 OR NOT " BANNED("q") ")" IN_ORDER

/* Of all: everything that was said is read once, and pairs are looked for in it: by one number, because SQLite reads all
 * of a list of pairs for each NOT IN. */
#define KEY(query, reference) "(" query " << 32 | " reference ")"
#define OF_ALL                                                                                                         \
    "WITH verdict AS (SELECT a, b, verdict, max(event) FROM near_verdict WHERE event <= ?3 AND repeat = 0"             \
    " GROUP BY a, b),"                                                                                                 \
    " recorded AS (SELECT a, b, same, max(event) FROM near_duplicate WHERE event <= ?3 GROUP BY a, b),"                \
    " said(a, b) AS (SELECT a, b FROM verdict WHERE verdict IN ('duplicate', 'not')"                                   \
    " UNION ALL SELECT a, b FROM recorded WHERE same),"                                                                \
    " pair(a, b) AS MATERIALIZED (SELECT i.id, j.id FROM said CROSS JOIN image i ON i.name = said.a"                   \
    " CROSS JOIN image j ON j.name = said.b),"                                                                         \
    " closed(key) AS (SELECT " KEY("a", "b") " FROM pair UNION ALL SELECT " KEY("b", "a") " FROM pair UNION ALL"        \
    " SELECT " KEY("i.id", "j.id") " FROM neighbour_review x CROSS JOIN image i ON i.name = x.name"                    \
    " CROSS JOIN json_each(x.neighbours) n CROSS JOIN image j ON j.name = n.value"                                     \
    " WHERE x.metric = ?4 AND x.event <= ?3),"                                                                         \
    NEAR_CLOSE_BANNED(" WHERE event <= ?3") " "                                                                        \
    CLOSE_PAIRS("near_search s CROSS JOIN near_close c ON c.search = s.id CROSS JOIN image q ON q.id = c.query",       \
                "?5 = 0")                                                                                              \
    " AND (?7 OR (" KEY("c.query", "c.reference") " NOT IN (SELECT key FROM closed)"                                   \
    " AND c.reference NOT IN (SELECT i FROM banned)))"                                                                 \
    " AND (?6 = 0 OR c.query NOT IN (SELECT i FROM banned))" IN_ORDER

static const char *open_pairs(const struct near_open_ask *ask)
{
    return ask->image ? OF_FEW("q.id = ?5") : ask->class_id ? OF_FEW("q.class = ?5") : OF_ALL;
}

enum err_code near_open_each(struct db *db, const struct near_open_ask *ask,
                             enum err_code (*each)(void *arg, const struct near_open_pair *p, struct err *err), void *arg,
                             struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, open_pairs(ask),
                                DB_VALS(db_text(ask->space), db_real(ask->metric->threshold),
                                        db_int(ask->as_of > 0 ? ask->as_of : INT64_MAX), db_str(ask->metric->name),
                                        db_int(ask->image ? ask->image : ask->class_id), db_int(ask->in_play),
                                        db_int(ask->judged)),
                                &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, &(struct near_open_pair){db_col_int(&r, 0), db_col_int(&r, 1), db_col_real(&r, 2)}, err);
    }
    return db_end_after(&r, rc);
}

enum err_code near_distances_each(struct db *db, struct sv space,
                                  enum err_code (*each)(void *arg, double distance, struct err *err), void *arg,
                                  struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db,
                                "SELECT c.distance FROM near_search s JOIN near_search_end e ON e.search = s.id"
                                " CROSS JOIN near_close c ON c.search = s.id WHERE" NEAR_CLOSE_SPACE,
                                DB_VALS(db_text(space)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_real(&r, 0), err);
    }
    return db_end_after(&r, rc);
}

static enum err_code read_compared(struct db *db, struct arena *a, const uint32_t **out, size_t *n, struct err *err)
{
    struct db_rows r;
    struct list l = {0};
    db_begin(db, "SELECT id FROM image WHERE role IN ('original', 'reference', 'training') AND source IS NOT NULL ORDER BY id", DB_NONE, &r, err);
    while (db_step(&r, err)) {
        *LIST_ADD(&l, a, uint32_t) = (uint32_t)db_col_int(&r, 0);
    }
    *out = l.items;
    *n = l.n;
    return db_end(&r);
}

/* ---- which images are covered ---- */

struct covering {
    struct db *db;
    const struct near_search *searches;
    struct ranges *unread; /* of each search: images that it could not read */
    size_t n;
    const uint32_t *compared, *feature_only; /* what queries must be compared with: with pixels, and without */
    size_t n_compared, n_feature_only;
    struct arena *arena;
    bool *having, *last; /* of each search: whether the images at hand are its queries; the images before them */
    bool complete;       /* what came out of `last` */
};

/* Whether the searches at hand compared their common queries with all of a list. */
static bool has_all(const struct covering *c, const uint32_t *images, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool has = false;
        for (size_t s = 0; s < c->n && !has; s++) {
            has = c->having[s] && ranges_has(&c->searches[s].refs, images[i]);
        }
        if (!has) {
            return false;
        }
    }
    return true;
}

static bool is_complete(const struct covering *c)
{
    return has_all(c, c->compared, c->n_compared) && has_all(c, c->feature_only, c->n_feature_only);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void add_edges(const struct ranges *r, uint32_t *edges, size_t *n)
{
    for (size_t k = 0; k < r->n; k++) {
        edges[(*n)++] = r->at[k].first;
        edges[(*n)++] = r->at[k].first + r->at[k].count;
    }
}

/* Where ranges begin and end: from one of these to the next all images have the same searches. */
static uint32_t *edges_of(const struct covering *c, size_t *n)
{
    size_t most = 0;
    *n = 0;
    for (size_t s = 0; s < c->n; s++) {
        most += 2 * (c->searches[s].queries.n + c->unread[s].n);
    }
    uint32_t *edges = arena_alloc(c->arena, (most + 1) * sizeof *edges);
    for (size_t s = 0; s < c->n; s++) {
        add_edges(&c->searches[s].queries, edges, n);
        add_edges(&c->unread[s], edges, n);
    }
    if (*n) {
        qsort(edges, *n, sizeof *edges, by_number);
    }
    return edges;
}

static bool covers(struct covering *c, uint32_t image)
{
    bool any = false;
    for (size_t s = 0; s < c->n; s++) {
        c->having[s] = ranges_has(&c->searches[s].queries, image) && !ranges_has(&c->unread[s], image);
        any = any || c->having[s];
    }
    if (memcmp(c->having, c->last, c->n * sizeof *c->having) != 0) {
        c->complete = any && is_complete(c);
        memcpy(c->last, c->having, c->n * sizeof *c->having);
    }
    return c->complete;
}

static enum err_code read_unread(struct covering *c, struct err *err)
{
    enum err_code rc = OK;
    c->unread = arena_calloc(c->arena, c->n, sizeof *c->unread);
    for (size_t s = 0; s < c->n && rc == OK; s++) {
        struct ranges_build build = {0};
        int64_t *images;
        size_t n = 0;
        rc = near_searches_unread_list(c->db, c->searches[s].id, c->arena, &images, &n, err);
        for (size_t i = 0; i < n && rc == OK; i++) {
            ranges_add(&build, c->arena, (uint32_t)images[i]);
        }
        c->unread[s] = build.ranges;
    }
    return rc;
}

static enum err_code cover(struct covering *c, struct ranges *out, struct err *err)
{
    struct ranges_build build = {0};
    enum err_code rc = read_unread(c, err);
    if (rc != OK) {
        return rc;
    }
    size_t n = 0;
    const uint32_t *edges = edges_of(c, &n);
    c->having = arena_calloc(c->arena, c->n, sizeof *c->having);
    c->last = arena_calloc(c->arena, c->n, sizeof *c->last);
    for (size_t i = 0; i + 1 < n; i++) {
        bool whole = edges[i] < edges[i + 1] && covers(c, edges[i]);
        for (uint32_t image = edges[i]; whole && image < edges[i + 1]; image++) {
            ranges_add(&build, c->arena, image);
        }
    }
    *out = build.ranges;
    return OK;
}

/* Keeps those whose pairs up to the threshold are in near_close; how many these are. */
static size_t reach_threshold(struct near_search *searches, size_t n, double threshold)
{
    size_t kept = 0;
    for (size_t s = 0; s < n; s++) {
        if (searches[s].within >= threshold) {
            searches[kept++] = searches[s];
        }
    }
    return kept;
}

/* The whole searches of a metric that reach its threshold. */
static enum err_code find_searches(struct db *db, const struct review_metric *m, int64_t as_of, struct arena *a,
                                   struct near_covered *out, struct near_search **searches, size_t *n, struct err *err)
{
    *out = (struct near_covered){0};
    *n = 0;
    enum err_code rc = near_space(db, m, as_of, a, &out->space, err);
    rc = rc == OK && out->space.n ? near_searches_whole(db, out->space, as_of, a, searches, n, err) : rc;
    *n = rc == OK && *n ? reach_threshold(*searches, *n, m->threshold) : 0;
    out->any = *n > 0;
    return rc;
}

enum err_code near_review_searched(struct db *db, const struct review_gate *gate, int64_t as_of, struct arena *a,
                                   struct near_covered out[REVIEW_METRICS_MOST], struct err *err)
{
    enum err_code rc = OK;
    for (size_t m = 0; m < gate->n && rc == OK; m++) {
        struct near_search *searches;
        size_t n;
        rc = find_searches(db, &gate->metric[m], as_of, a, &out[m], &searches, &n, err);
    }
    return rc;
}

/* By a model's features queries must be compared with images without pixels, too. */
static enum err_code find_feature_only(struct covering *c, const struct review_metric *m, int64_t as_of, struct err *err)
{
    uint32_t *images = NULL;
    enum err_code rc = m->kind == NEAR_FEATURE
                           ? feature_only_list(c->db, m->model, as_of, c->arena, &images, &c->n_feature_only, err)
                           : OK;
    c->feature_only = images;
    return rc;
}

enum err_code near_review_covered(struct db *db, const struct review_gate *gate, int64_t as_of, const uint32_t *compared,
                                  size_t n, struct arena *a, struct near_covered out[REVIEW_METRICS_MOST],
                                  struct err *err)
{
    enum err_code rc = OK;
    for (size_t m = 0; m < gate->n && rc == OK; m++) {
        struct near_search *searches = NULL;
        struct covering c = {.db = db, .arena = a};
        rc = find_searches(db, &gate->metric[m], as_of, a, &out[m], &searches, &c.n, err);
        rc = rc == OK && out[m].any && !compared ? read_compared(db, a, &compared, &n, err) : rc;
        c.searches = searches;
        c.compared = compared;
        c.n_compared = n;
        rc = rc == OK && out[m].any ? find_feature_only(&c, &gate->metric[m], as_of, err) : rc;
        rc = rc == OK && out[m].any ? cover(&c, &out[m].queries, err) : rc;
    }
    return rc;
}
