/* near_searches.c - SQL for near_search, near_search_end, near_list, near_close and near_unread, and the bytes of a
 * block: of each query u32 n, then n of (u32 reference, f64 distance); little-endian. */
#include "store/duplicates/near_searches.h"

#include "base/le.h"
#include "base/list.h"
#include "db/rows.h"
#include "store/core/events.h"

enum { COUNT_BYTES = 4, NEIGHBOR_BYTES = 12, LIST_MOST = COUNT_BYTES + NEAR_MOST * NEIGHBOR_BYTES };

/* ------------------------------------------------------------------ bytes */

static size_t encode(unsigned char *to, const struct near_list *l)
{
    le_put_u32(to, l->n);
    to += COUNT_BYTES;
    for (uint32_t i = 0; i < l->n; i++, to += NEIGHBOR_BYTES) {
        le_put_u32(to, l->at[i].image);
        le_put_f64(to + 4, l->at[i].distance);
    }
    return COUNT_BYTES + (size_t)l->n * NEIGHBOR_BYTES;
}

/* Takes the first list off the bytes; false where they hold none. `room`: NEAR_MOST neighbours. */
static bool decode(struct sv *bytes, struct near_neighbor *room, struct near_list *out)
{
    const unsigned char *p = (const unsigned char *)bytes->p;
    uint32_t n = bytes->n < COUNT_BYTES ? NEAR_MOST + 1 : le_u32(p);
    if (n > NEAR_MOST || bytes->n - COUNT_BYTES < (size_t)n * NEIGHBOR_BYTES) {
        return false;
    }
    p += COUNT_BYTES;
    for (uint32_t i = 0; i < n; i++, p += NEIGHBOR_BYTES) {
        room[i] = (struct near_neighbor){le_u32(p), le_f64(p + 4)};
    }
    *out = (struct near_list){room, n};
    size_t taken = COUNT_BYTES + (size_t)n * NEIGHBOR_BYTES;
    *bytes = sv_make(bytes->p + taken, bytes->n - taken);
    return true;
}

static enum err_code damaged(int64_t search, int64_t first, struct err *err)
{
    return err_set(err, ERR_IO, "the neighbours of search %lld from query %lld on are damaged; restore a backup",
                   (long long)search, (long long)first);
}

/* ------------------------------------------------------------------ writing */

enum err_code near_searches_put(struct db *db, struct near_search *s, int64_t account, int64_t now, struct err *err)
{
    struct arena a;
    BUG_IF(!db_in_tx(db) || s->k < 1 || s->k > NEAR_MOST);
    enum err_code rc = events_add(db, now, account, "near-search.begin", 0, NULL, &s->id, err);
    if (rc != OK) {
        return rc;
    }
    arena_init(&a, (size_t)1 << 30);
    struct sv queries = ranges_bytes(&s->queries, &a), refs = ranges_bytes(&s->refs, &a);
    rc = db_run(db,
                "INSERT INTO near_search (id, metric, space, engine, k, within, queries, refs)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                DB_VALS(db_int(s->id), db_text(s->metric), db_text(s->space), db_text(s->engine), db_int(s->k),
                        db_real(s->within), db_blob(queries.p, queries.n), db_blob(refs.p, refs.n)),
                err);
    arena_release(&a);
    return rc;
}

/* Those of a list that are farther than `beyond` and at most `within`; lists are in order of distances. */
static enum err_code put_close(struct db *db, int64_t search, uint32_t query, const struct near_list *l, double beyond,
                               double within, struct err *err)
{
    enum err_code rc = OK;
    for (uint32_t i = 0; i < l->n && l->at[i].distance <= within && rc == OK; i++) {
        if (l->at[i].distance > beyond) {
            rc = db_run(db, "INSERT INTO near_close (query, search, reference, distance) VALUES (?1, ?2, ?3, ?4)",
                        DB_VALS(db_int(query), db_int(search), db_int(l->at[i].image), db_real(l->at[i].distance)), err);
        }
    }
    return rc;
}

enum err_code near_searches_append(struct db *db, const struct near_search *s, uint32_t first,
                                   const struct near_list *lists, uint32_t n, struct err *err)
{
    unsigned char data[NEAR_BLOCK * LIST_MOST];
    size_t size = 0;
    BUG_IF(!db_in_tx(db) || n < 1 || n > NEAR_BLOCK || first + n > s->queries.numbers);
    for (uint32_t i = 0; i < n; i++) {
        BUG_IF(lists[i].n > NEAR_MOST);
        size += encode(data + size, &lists[i]);
    }
    enum err_code rc = db_run(db, "INSERT INTO near_list (search, first, records, data) VALUES (?1, ?2, ?3, ?4)",
                              DB_VALS(db_int(s->id), db_int(first), db_int(n), db_blob(data, size)), err);
    for (uint32_t i = 0; i < n && rc == OK; i++) {
        rc = put_close(db, s->id, ranges_at(&s->queries, first + i), &lists[i], -1, s->within, err);
    }
    return rc;
}

enum err_code near_searches_unread(struct db *db, int64_t search, uint32_t image, struct err *err)
{
    return db_run(db, "INSERT INTO near_unread (search, image) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                  DB_VALS(db_int(search), db_int(image)), err);
}

enum err_code near_searches_end(struct db *db, int64_t search, int64_t account, int64_t now, struct err *err)
{
    int64_t id = 0;
    BUG_IF(!db_in_tx(db));
    enum err_code rc = events_add(db, now, account, "near-search.end", search, NULL, &id, err);
    return rc == OK ? db_run(db, "INSERT INTO near_search_end (id, search) VALUES (?1, ?2)",
                             DB_VALS(db_int(id), db_int(search)), err)
                    : rc;
}

/* ------------------------------------------------------------------ more of it close */

/* The block that begins at or after `first`, as a copy; *records 0: there is none. */
static enum err_code next_block(struct db *db, int64_t search, int64_t *first, struct arena *a, struct sv *data,
                                int64_t *records, struct err *err)
{
    struct db_rows r;
    *records = 0;
    db_begin(db, "SELECT first, records, data FROM near_list WHERE search = ?1 AND first >= ?2 ORDER BY first LIMIT 1",
             DB_VALS(db_int(search), db_int(*first)), &r, err);
    if (db_step(&r, err)) {
        *first = db_col_int(&r, 0);
        *records = db_col_int(&r, 1);
        *data = arena_sv(a, db_col_blob(&r, 2));
    }
    return db_end(&r);
}

static enum err_code widen_block(struct db *db, const struct near_search *s, double within, int64_t first,
                                 int64_t records, struct sv data, struct err *err)
{
    struct near_neighbor room[NEAR_MOST];
    struct near_list l;
    enum err_code rc = OK;
    for (int64_t i = 0; i < records && rc == OK; i++) {
        rc = decode(&data, room, &l)
                 ? put_close(db, s->id, ranges_at(&s->queries, (uint32_t)(first + i)), &l, s->within, within, err)
                 : damaged(s->id, first, err);
    }
    return rc;
}

enum err_code near_searches_widen(struct db *db, const struct near_search *s, double within, int64_t *next, bool *more,
                                  struct err *err)
{
    struct arena a;
    struct sv data = {0};
    int64_t records = 0;
    BUG_IF(!db_in_tx(db));
    arena_init(&a, (size_t)1 << 20);
    enum err_code rc = next_block(db, s->id, next, &a, &data, &records, err);
    rc = rc == OK ? widen_block(db, s, within, *next, records, data, err) : rc;
    arena_release(&a);
    *next += records;
    *more = rc == OK && records > 0;
    return rc != OK || *more ? rc
                             : db_run(db, "UPDATE near_search SET within = ?2 WHERE id = ?1",
                                      DB_VALS(db_int(s->id), db_real(within)), err);
}

/* ------------------------------------------------------------------ reading searches */

struct search_row {
    int64_t id, end, k;
    double within;
    struct sv metric, space, engine, queries, refs;
};
DB_ROW(search_row, struct search_row, id, end, k, within, metric, space, engine, queries, refs);

#define SEARCH                                                                                                         \
    "SELECT s.id, coalesce(e.id, 0), s.k, s.within, s.metric, s.space, s.engine, s.queries, s.refs"                    \
    " FROM near_search s LEFT JOIN near_search_end e ON e.search = s.id "

static enum err_code decode_searches(const struct search_row *rows, size_t n, struct arena *a, struct near_search **out,
                                     struct err *err)
{
    *out = arena_calloc(a, n + 1, sizeof **out);
    for (size_t i = 0; i < n; i++) {
        const struct search_row *r = &rows[i];
        struct near_search *s = &(*out)[i];
        *s = (struct near_search){.id = r->id, .end = r->end, .k = r->k, .within = r->within, .metric = r->metric,
                                  .space = r->space, .engine = r->engine};
        if (!ranges_read(r->queries, a, &s->queries) || !ranges_read(r->refs, a, &s->refs)) {
            return damaged(r->id, 0, err);
        }
    }
    return OK;
}

enum err_code near_searches_newest(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT coalesce(max(id), 0) FROM near_search_end", DB_NONE, out, err);
}

enum err_code near_searches_whole(struct db *db, struct sv space, int64_t as_of, struct arena *a,
                                  struct near_search **out, size_t *n, struct err *err)
{
    struct search_row *rows;
    enum err_code rc = db_list(db, search_row, &rows, n, a,
                               SEARCH "WHERE s.space = ?1 AND s.engine = ?2 AND e.id <= ?3 ORDER BY s.id",
                               DB_VALS(db_text(space), db_str(NEAR_ENGINE), db_int(as_of > 0 ? as_of : INT64_MAX)), err);
    return rc == OK ? decode_searches(rows, *n, a, out, err) : rc;
}

enum err_code near_searches_begun(struct db *db, struct sv space, struct arena *a, struct near_search **out, size_t *n,
                                  struct err *err)
{
    struct search_row *rows;
    enum err_code rc = db_list(db, search_row, &rows, n, a,
                               SEARCH "WHERE s.space = ?1 AND s.engine = ?2 AND e.id IS NULL ORDER BY s.id",
                               DB_VALS(db_text(space), db_str(NEAR_ENGINE)), err);
    return rc == OK ? decode_searches(rows, *n, a, out, err) : rc;
}

enum err_code near_searches_stored(struct db *db, int64_t search, uint32_t *out, struct err *err)
{
    int64_t stored = 0;
    enum err_code rc = db_maybe_int(db, "SELECT first + records FROM near_list WHERE search = ?1 ORDER BY first DESC LIMIT 1",
                                    DB_VALS(db_int(search)), &stored, err);
    *out = (uint32_t)stored;
    return rc;
}

enum err_code near_searches_unread_list(struct db *db, int64_t search, struct arena *a, int64_t **out, size_t *n,
                                        struct err *err)
{
    return db_list_int(db, "SELECT image FROM near_unread WHERE search = ?1 ORDER BY image", DB_VALS(db_int(search)), a,
                       out, n, err);
}

/* ------------------------------------------------------------------ reading lists */

static bool before(struct near_neighbor a, struct near_neighbor b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.image < b.image;
}

/* Into a list that has room for k; a reference that is there already stays as it is. */
static void merge(struct near_list *to, uint32_t k, const struct near_list *from)
{
    for (uint32_t i = 0; i < from->n; i++) {
        uint32_t at = 0;
        while (at < to->n && before(to->at[at], from->at[i])) {
            at++;
        }
        bool known = at < to->n && to->at[at].image == from->at[i].image;
        if (at == k || known) {
            continue;
        }
        to->n += to->n < k;
        memmove(&to->at[at + 1], &to->at[at], (to->n - at - 1) * sizeof *to->at);
        to->at[at] = from->at[i];
    }
}

/* The list of the query at a place. */
static enum err_code read_list(struct db *db, const struct near_search *s, uint32_t place, struct near_neighbor *room,
                               struct near_list *out, struct err *err)
{
    struct db_rows r;
    bool good = false;
    db_begin(db,
             "SELECT first, records, data FROM near_list WHERE search = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1",
             DB_VALS(db_int(s->id), db_int(place)), &r, err);
    if (db_step(&r, err)) {
        struct sv data = db_col_blob(&r, 2);
        uint32_t skip = place - (uint32_t)db_col_int(&r, 0);
        good = skip < db_col_int(&r, 1) && decode(&data, room, out);
        for (; skip > 0 && good; skip--) {
            good = decode(&data, room, out);
        }
    }
    enum err_code rc = db_end(&r);
    return rc != OK || good ? rc : damaged(s->id, place, err);
}

enum err_code near_searches_nearest(struct db *db, const struct near_search *searches, size_t n, uint32_t image,
                                    uint32_t k, struct arena *a, struct near_list *out, struct err *err)
{
    struct near_neighbor room[NEAR_MOST];
    enum err_code rc = OK;
    *out = (struct near_list){arena_alloc(a, (k + 1) * sizeof *out->at), 0};
    for (size_t i = 0; i < n && rc == OK; i++) {
        uint32_t place = ranges_place(&searches[i].queries, image);
        struct near_list l = {0};
        if (place != RANGES_NONE) {
            rc = read_list(db, &searches[i], place, room, &l, err);
            merge(out, k, &l);
        }
    }
    return rc;
}

enum err_code near_searches_count_close(struct db *db, const struct near_search *searches, size_t n, double distance,
                                        int64_t *out, struct err *err)
{
    enum err_code rc = OK;
    *out = 0;
    for (size_t i = 0; i < n && rc == OK; i++) {
        int64_t found = 0;
        rc = db_one_int(db, "SELECT count(*) FROM near_close WHERE search = ?1 AND distance <= ?2",
                        DB_VALS(db_int(searches[i].id), db_real(distance)), &found, err);
        *out += found;
    }
    return rc;
}

DB_ROW(hidden_row, struct near_hidden, class_id, name, path, sha256);

enum err_code near_searches_hidden(struct db *db,
                                   enum err_code (*each)(void *arg, const struct near_hidden *h, struct err *err), void *arg,
                                   struct err *err)
{
    struct db_rows r;
    struct near_hidden h;
    enum err_code rc = db_begin(db,
                                "SELECT i.class, i.name, s.path, s.sha256 FROM image i JOIN source s ON s.id = i.source"
                                " WHERE i.id IN (SELECT reference FROM near_close) AND i.role = 'training'"
                                " AND s.gray IS NULL AND s.path IS NOT NULL ORDER BY i.id",
                                DB_NONE, &r, err);
    while (rc == OK && db_next(&r, hidden_row, &h, NULL, err)) {
        rc = each(arg, &h, err);
    }
    return db_end_after(&r, rc);
}

/* ------------------------------------------------------------------ is all of it there? */

struct verifying {
    const struct near_search *search;
    uint32_t next;  /* query whose list comes */
    int64_t close;  /* pairs that must be in near_close */
};

static bool is_list_good(struct verifying *v, const struct near_list *l)
{
    const struct near_search *s = v->search;
    uint32_t query = ranges_at(&s->queries, v->next);
    bool good = true;
    for (uint32_t i = 0; i < l->n && good; i++) {
        good = l->at[i].image != query && ranges_has(&s->refs, l->at[i].image) && (i == 0 || before(l->at[i - 1], l->at[i]));
        v->close += l->at[i].distance <= s->within;
    }
    return good;
}

static bool is_block_good(struct verifying *v, int64_t first, int64_t records, struct sv data)
{
    struct near_neighbor room[NEAR_MOST];
    bool good = first == v->next && first + records <= v->search->queries.numbers;
    for (int64_t i = 0; i < records && good; i++, v->next++) {
        struct near_list l;
        good = decode(&data, room, &l) && is_list_good(v, &l);
    }
    return good && data.n == 0;
}

/* *what stays NULL when all of the search is good. */
static enum err_code check_search(struct db *db, const struct near_search *s, const char **what, struct err *err)
{
    struct verifying v = {.search = s};
    struct db_rows r;
    int64_t close = 0;
    enum err_code rc = db_begin(db, "SELECT first, records, data FROM near_list WHERE search = ?1 ORDER BY first",
                                DB_VALS(db_int(s->id)), &r, err);
    while (rc == OK && !*what && db_step(&r, err)) {
        *what = is_block_good(&v, db_col_int(&r, 0), db_col_int(&r, 1), db_col_blob(&r, 2)) ? NULL : "its lists are damaged";
    }
    rc = db_end_after(&r, rc);
    if (rc == OK && !*what && s->end && v.next != s->queries.numbers) {
        *what = "it is whole, and lists are missing";
    }
    rc = rc == OK ? db_one_int(db, "SELECT count(*) FROM near_close WHERE search = ?1 AND distance <= ?2",
                               DB_VALS(db_int(s->id), db_real(s->within)), &close, err)
                  : rc;
    if (rc == OK && !*what && close != v.close) {
        *what = "its close pairs are not those of its lists";
    }
    return rc;
}

enum err_code near_searches_check(struct db *db,
                                  enum err_code (*found)(void *arg, int64_t search, const char *what, struct err *err),
                                  void *arg, struct err *err)
{
    struct search_row *rows;
    struct arena a;
    size_t n = 0;
    arena_init(&a, (size_t)1 << 31);
    enum err_code rc = db_list(db, search_row, &rows, &n, &a, SEARCH "ORDER BY s.id", DB_NONE, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct near_search s = {.id = rows[i].id, .end = rows[i].end, .within = rows[i].within};
        bool good = ranges_read(rows[i].queries, &a, &s.queries) && ranges_read(rows[i].refs, &a, &s.refs);
        const char *what = good ? NULL : "the images that it compares cannot be read";
        rc = good ? check_search(db, &s, &what, err) : OK;
        rc = rc == OK && what ? found(arg, s.id, what, err) : rc;
    }
    arena_release(&a);
    return rc;
}
