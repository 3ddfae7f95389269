/* predictions.c - SQL for prediction sources and blocks, and the bytes of a block:
 * records of image u32, classes u16[k], with scores f32[k]; little-endian. */
#include "store/models/predictions.h"

#include <stdlib.h>
#include <string.h>

#include "base/le.h"
#include "base/list.h"
#include "base/sorted.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/sets/seals.h"

enum { RECORD_MOST = 4 + PREDICTION_K * (2 + 4) };

/* ---- bytes ---- */

static size_t record_size(int k, bool scored)
{
    return 4 + (size_t)k * (scored ? 6 : 2);
}

static void put_u16(unsigned char *to, uint16_t v)
{
    to[0] = (unsigned char)v;
    to[1] = (unsigned char)(v >> 8);
}

static uint16_t get_u16(const unsigned char *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static void encode(unsigned char *to, const struct prediction *p, int k, bool scored)
{
    le_put_u32(to, p->image);
    to += 4;
    for (int i = 0; i < k; i++, to += 2) {
        put_u16(to, p->labels[i]);
    }
    for (int i = 0; i < k && scored; i++, to += 4) {
        uint32_t bits;
        memcpy(&bits, &p->scores[i], 4);
        le_put_u32(to, bits);
    }
}

/* `out` has PREDICTION_NONE and zeros behind the first k, as before the first record. */
static void decode(const unsigned char *from, struct prediction *out, int k, bool scored)
{
    out->image = le_u32(from);
    from += 4;
    for (int i = 0; i < k; i++, from += 2) {
        out->labels[i] = get_u16(from);
    }
    for (int i = 0; i < k && scored; i++, from += 4) {
        uint32_t bits = le_u32(from);
        memcpy(&out->scores[i], &bits, 4);
    }
}

/* ---- sources ---- */

#define SOURCE                                                                                     \
    "SELECT s.id, s.model, coalesce(s.revision, 0), e.at, (SELECT coalesce(sum(b.records), 0)"     \
    "  FROM prediction_block b WHERE b.source = s.id), s.kind, s.bytes, s.engine, s.recipe,"       \
    " s.digest, s.k, s.scored, coalesce(e.account, 0), coalesce(l.digest, x'') FROM"               \
    " prediction_source s JOIN event e ON e.id = s.id LEFT JOIN revision v ON v.id = s.revision"   \
    " LEFT JOIN set_list l ON l.id = v.list "

DB_ROW(prediction_source_row, struct prediction_source, id, model, revision, at, records, kind,
       bytes, engine, recipe, digest, k, scored, account, list);

enum err_code predictions_sources(struct db *db, int64_t model, struct arena *a,
                                  struct prediction_source **out, size_t *n, struct err *err)
{
    return db_list(db, prediction_source_row, out, n, a,
                   SOURCE "WHERE ?1 = 0 OR s.model = ?1 ORDER BY s.id", DB_VALS(db_int(model)), err);
}

static enum err_code find_source(struct db *db, struct prediction_source *s, struct err *err)
{
    int64_t shape = 0;
    enum err_code rc =
        db_one_int(db, "SELECT id FROM prediction_source WHERE model = ?1 AND digest = ?2",
                   DB_VALS(db_int(s->model), db_blob(s->digest, PREDICTION_DIGEST)), &s->id, err);
    if (rc == OK) {
        rc = db_one_int(db, "SELECT k * 2 + scored FROM prediction_source WHERE id = ?1",
                        DB_VALS(db_int(s->id)), &shape, err);
    }
    if (rc == OK && shape != 2 * s->k + s->scored) {
        rc = err_rule(
            err, ERR_CONFLICT, "prediction-shape",
            "Predictions with the same digest are stored with %lld labels %s scores, but these have %d %s: "
            "they were not made in the same way. Nothing was written.",
            (long long)shape / 2, shape % 2 ? "and" : "without", s->k,
            s->scored ? "and scores" : "without");
    }
    return rc;
}

static enum err_code add_source(struct db *db, struct prediction_source *s, int64_t account,
                                int64_t now, struct err *err)
{
    const char *kind = sv_is(s->kind, "engine") ? "predictions.make" : "predictions.import";
    enum err_code rc = events_add(db, now, account, kind, s->model, NULL, &s->id, err);
    return rc == OK
               ? db_run(
                     db,
                     "INSERT INTO prediction_source (id, model, kind, bytes, engine, recipe, "
                     "digest,"
                     " revision, k, scored) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, nullif(?8, 0), ?9,"
                     " ?10)",
                     DB_VALS(db_int(s->id), db_int(s->model), db_text(s->kind), db_text(s->bytes),
                             db_text(s->engine), db_text(s->recipe),
                             db_blob(s->digest, PREDICTION_DIGEST), db_int(s->revision),
                             db_int(s->k), db_int(s->scored)),
                     err)
               : rc;
}

static enum err_code find_or_add(struct db *db, struct prediction_source *s, int64_t account,
                                 int64_t now, bool *added, struct err *err)
{
    enum err_code rc = find_source(db, s, err);
    *added = rc == ERR_NOT_FOUND;
    return *added ? add_source(db, s, account, now, err) : rc;
}

enum err_code predictions_source(struct db *db, struct prediction_source *s, int64_t account,
                                 int64_t now, bool *added, struct err *err)
{
    BUG_IF(s->k < 1 || s->k > PREDICTION_K);
    if (db_in_tx(db)) {
        return find_or_add(db, s, account, now, added, err);
    }
    enum err_code rc = db_tx_begin(db, err);
    rc = rc == OK ? find_or_add(db, s, account, now, added, err) : rc;
    return db_tx_end(db, rc, err);
}

/* ---- records ---- */

enum err_code predictions_append(struct db *db, const struct prediction_source *s,
                                 const struct prediction *p, size_t n, struct err *err)
{
    unsigned char data[PREDICTION_BLOCK * RECORD_MOST];
    size_t size = record_size(s->k, s->scored);
    uint32_t least = p->image, most = p->image;
    BUG_IF(n < 1 || n > PREDICTION_BLOCK);
    for (size_t i = 0; i < n; i++) {
        encode(data + i * size, &p[i], s->k, s->scored);
        least = p[i].image < least ? p[i].image : least;
        most = p[i].image > most ? p[i].image : most;
    }
    return db_run(db,
                  "INSERT INTO prediction_block (source, records, least, most, data)"
                  " VALUES (?1, ?2, ?3, ?4, ?5)",
                  DB_VALS(db_int(s->id), db_int((int64_t)n), db_int(least), db_int(most),
                          db_blob(data, n * size)),
                  err);
}

struct blocks_wanted {
    int64_t model, source; /* 0: all */
    int64_t after, until;
    int64_t *last;
};

/* The blocks that are asked for, oldest first. The newest of a model lie together in its sources'
 * index; those of all models are the table in its own order. */
static enum err_code begin_blocks(struct db *db, const struct blocks_wanted *w, struct db_rows *r,
                                  struct err *err)
{
    static const char all[] = "SELECT id, source, records, data, least, most FROM prediction_block "
                              "WHERE id > ?1 AND id <= ?2 ORDER BY id";
    static const char some[] =
        "SELECT b.id, b.source, b.records, b.data, b.least, b.most FROM (SELECT b.id AS block FROM "
        "prediction_source s"
        "  JOIN prediction_block b ON b.source = s.id WHERE s.model = ?2 AND (?3 = 0 OR s.id = ?3)"
        "   AND b.id > ?1 AND b.id <= ?4) o CROSS JOIN prediction_block b ON b.id = o.block ORDER BY o.block";
    return w->model ? db_begin(db, some,
                               DB_VALS(db_int(w->after), db_int(w->model), db_int(w->source), db_int(w->until)), r, err)
                    : db_begin(db, all, DB_VALS(db_int(w->after), db_int(w->until)), r, err);
}

static const struct prediction_source *source_of(const struct prediction_source *list, size_t n,
                                                 int64_t id)
{
    for (size_t lo = 0; lo < n;) {
        size_t middle = lo + (n - lo) / 2;
        if (list[middle].id == id) {
            return &list[middle];
        }
        if (list[middle].id < id) {
            lo = middle + 1;
        } else {
            n = middle;
        }
    }
    return NULL;
}

static enum err_code each_record(const struct db_rows *r, const struct prediction_source *s,
                                 void (*each)(void *arg, const struct prediction_source *s,
                                              const struct prediction *p),
                                 void *arg, struct err *err)
{
    struct prediction p = {0};
    struct sv data = db_col_blob(r, 3);
    size_t n = (size_t)db_col_int(r, 2);
    int64_t least = db_col_int(r, 4), most = db_col_int(r, 5);
    if (!s || data.n != n * record_size(s->k, s->scored)) {
        return err_set(err, ERR_IO,
                       "the block %lld of predictions is damaged: %zu bytes for %zu records",
                       (long long)db_col_int(r, 0), data.n, n);
    }
    memset(p.labels, 0xff, sizeof p.labels);
    for (size_t i = 0; i < n; i++) {
        decode((const unsigned char *)data.p + i * record_size(s->k, s->scored), &p, s->k,
               s->scored);
        if (p.image < least || p.image > most) {
            return err_set(err, ERR_IO,
                           "the block %lld of predictions is damaged: image %u is not one "
                           "of those that its row names",
                           (long long)db_col_int(r, 0), p.image);
        }
        each(arg, s, &p);
    }
    return OK;
}

/* Sources and blocks of one moment: a block never comes before its source. */
static enum err_code each_of_snapshot(struct db *db, const struct blocks_wanted *w, struct arena *a,
                                      void (*each)(void *arg, const struct prediction_source *s,
                                                   const struct prediction *p),
                                      void *arg, struct err *err)
{
    struct prediction_source *sources;
    size_t n;
    struct db_rows r;
    enum err_code rc = predictions_sources(db, w->model, a, &sources, &n, err);
    if (rc != OK || (rc = begin_blocks(db, w, &r, err)) != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        rc = each_record(&r, source_of(sources, n, db_col_int(&r, 1)), each, arg, err);
        *w->last = rc == OK ? db_col_int(&r, 0) : *w->last;
    }
    return db_end_after(&r, rc);
}

static enum err_code each_wanted(struct db *db, const struct blocks_wanted *w,
                                 void (*each)(void *arg, const struct prediction_source *s,
                                              const struct prediction *p),
                                 void *arg, struct err *err)
{
    struct arena a;
    arena_init(&a, (size_t)1 << 28);
    *w->last = w->after;
    enum err_code rc = db_snapshot(db, err);
    if (rc == OK) {
        rc = each_of_snapshot(db, w, &a, each, arg, err);
        db_snapshot_end(db);
    }
    arena_release(&a);
    return rc;
}

enum err_code predictions_each(struct db *db, int64_t model, int64_t source, int64_t after,
                               int64_t *last,
                               void (*each)(void *arg, const struct prediction_source *s,
                                            const struct prediction *p),
                               void *arg, struct err *err)
{
    const struct blocks_wanted w = {model, source, after, INT64_MAX, last};
    BUG_IF(source && !model);
    return each_wanted(db, &w, each, arg, err);
}

enum err_code predictions_between(struct db *db, int64_t model, int64_t after, int64_t until, int64_t *last,
                                  void (*each)(void *arg, const struct prediction_source *s,
                                               const struct prediction *p),
                                  void *arg, struct err *err)
{
    const struct blocks_wanted w = {model, 0, after, until, last};
    return each_wanted(db, &w, each, arg, err);
}

/* ---- some images ---- */

struct about {
    const uint32_t *images; /* rising */
    size_t n;
    struct arena *arena;
    struct list found;
};

static void keep_wanted(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct about *w = arg;
    if (sorted_has_u32(w->images, w->n, p->image)) {
        struct prediction_found *to = list_add(&w->found, w->arena, sizeof *to);
        *to = (struct prediction_found){s->model, s->id, *p, s->k, s->scored};
    }
}

static int by_source(const void *a, const void *b)
{
    const struct prediction_found *x = a, *y = b;
    return x->model != y->model     ? (x->model > y->model) - (x->model < y->model)
           : x->source != y->source ? (x->source > y->source) - (x->source < y->source)
                                    : (x->p.image > y->p.image) - (x->p.image < y->p.image);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static enum err_code each_about(struct db *db, int64_t model, struct about *w, struct err *err)
{
    struct prediction_source *sources;
    size_t n;
    struct db_rows r;
    enum err_code rc = predictions_sources(db, model, w->arena, &sources, &n, err);
    if (rc != OK) {
        return rc;
    }
    rc = db_begin(
        db,
        "SELECT b.id, b.source, b.records, b.data, b.least, b.most FROM (SELECT b.id AS block"
        "  FROM prediction_source s JOIN prediction_block b ON b.source = s.id"
        "  WHERE (?1 = 0 OR s.model = ?1) AND b.least <= ?3 AND b.most >= ?2) o"
        " CROSS JOIN prediction_block b ON b.id = o.block ORDER BY o.block",
        DB_VALS(db_int(model), db_int(w->images[0]), db_int(w->images[w->n - 1])), &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each_record(&r, source_of(sources, n, db_col_int(&r, 1)), keep_wanted, w, err);
    }
    return db_end_after(&r, rc);
}

enum err_code predictions_about(struct db *db, int64_t model, const uint32_t *images, size_t n,
                                struct arena *a, struct prediction_found **out, size_t *n_out,
                                struct err *err)
{
    uint32_t *sorted = arena_alloc(a, (n + 1) * sizeof *sorted);
    struct about w = {.images = sorted, .n = n, .arena = a};
    enum err_code rc = n ? db_snapshot(db, err) : OK;
    if (n && rc == OK) {
        memcpy(sorted, images, n * sizeof *sorted);
        rc = seals_leave_out(db, sorted, &w.n, err);
        if (rc == OK && w.n) {
            qsort(sorted, w.n, sizeof *sorted, by_number);
            rc = each_about(db, model, &w, err);
        }
        db_snapshot_end(db);
    }
    if (w.found.n) {
        qsort(w.found.items, w.found.n, sizeof(struct prediction_found), by_source);
    }
    *out = w.found.items;
    *n_out = w.found.n;
    return rc;
}

enum err_code predictions_newest(struct db *db, int64_t *block, struct err *err)
{
    return db_one_int(db, "SELECT coalesce(max(id), 0) FROM prediction_block", DB_NONE, block, err);
}

enum err_code predictions_newest_of(struct db *db, int64_t model, int64_t *block, struct err *err)
{
    return db_one_int(db,
                      "SELECT coalesce(max(b.id), 0) FROM prediction_source s CROSS JOIN prediction_block b"
                      " ON b.source = s.id WHERE s.model = ?1",
                      DB_VALS(db_int(model)), block, err);
}

enum err_code predictions_others(struct db *db, int64_t model, int64_t source, uint32_t least, uint32_t most,
                                 bool *out, struct err *err)
{
    int64_t found = 0;
    enum err_code rc = db_one_int(
        db,
        "SELECT EXISTS (SELECT 1 FROM prediction_source s CROSS JOIN prediction_block b ON b.source = s.id"
        " WHERE s.model = ?1 AND s.id <> ?2 AND b.most >= ?3 AND b.least <= ?4)",
        DB_VALS(db_int(model), db_int(source), db_int(least), db_int(most)), &found, err);
    *out = found != 0;
    return rc;
}
