/* features.c - SQL for feature_source and feature_block. */
#include "store/models/features.h"

#include <string.h>

#include "base/le.h"
#include "db/rows.h"
#include "store/core/events.h"

#define SOURCE                                                                                     \
    "SELECT s.id, s.model, e.at, s.dim, (SELECT coalesce(sum(b.records), 0) FROM feature_block b"  \
    " WHERE b.source = s.id), s.output, s.engine, s.recipe, s.digest"                              \
    " FROM feature_source s JOIN event e ON e.id = s.id "

char *path_features(struct arena *a, const char *dir, int64_t source)
{
    return arena_printf(a, "%s/features/%lld.f32", dir, (long long)source);
}

static enum err_code insert(struct db *db, struct feature_source *f, int64_t account, int64_t now,
                            struct err *err)
{
    enum err_code rc = events_add(db, now, account, "features.make", f->model, NULL, &f->id, err);
    f->at = now;
    return rc == OK
               ? db_run(
                     db,
                     "INSERT INTO feature_source (id, model, output, dim, engine, recipe, digest)"
                     " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                     DB_VALS(db_int(f->id), db_int(f->model), db_text(f->output), db_int(f->dim),
                             db_text(f->engine), db_text(f->recipe),
                             db_blob(f->digest, FEATURE_DIGEST)),
                     err)
               : rc;
}

DB_ROW(feature_source_row, struct feature_source, id, model, at, dim, rows, output, engine, recipe,
       digest);

/* Inside a transaction: looks, and inserts what is not there. */
static enum err_code find_or_insert(struct db *db, struct feature_source *f, int64_t account,
                                    int64_t now, struct err *err)
{
    struct arena a;
    struct feature_source there = {.dim = f->dim};
    arena_init(&a, 1 << 20);
    enum err_code rc = db_maybe(db, feature_source_row, &there, &a, SOURCE "WHERE s.digest = ?1",
                                DB_VALS(db_blob(f->digest, FEATURE_DIGEST)), err);
    arena_release(&a);
    f->id = there.id;
    f->rows = there.rows;
    f->at = there.id ? there.at : f->at;
    if (rc == OK && there.dim != f->dim) {
        return err_set(err, ERR_BUG, "features of one digest have %lld and %lld numbers",
                       (long long)there.dim, (long long)f->dim);
    }
    return rc == OK && f->id == 0 ? insert(db, f, account, now, err) : rc;
}

enum err_code features_source(struct db *db, struct feature_source *f, int64_t account, int64_t now,
                              struct err *err)
{
    if (db_in_tx(db)) {
        return find_or_insert(db, f, account, now, err);
    }
    enum err_code rc = db_tx_begin(db, err);
    rc = rc == OK ? find_or_insert(db, f, account, now, err) : rc;
    return db_tx_end(db, rc, err);
}

enum err_code features_sources(struct db *db, int64_t model, struct arena *a,
                               struct feature_source **out, size_t *n, struct err *err)
{
    return db_list(db, feature_source_row, out, n, a, SOURCE "WHERE ?1 = 0 OR s.model = ?1 ORDER BY s.id",
                   DB_VALS(db_int(model)), err);
}

enum err_code features_newest(struct db *db, int64_t model, struct arena *a, struct feature_source *out, struct err *err)
{
    struct feature_source *sources;
    size_t n = 0;
    enum err_code rc = features_sources(db, model, a, &sources, &n, err);
    while (rc == OK && n > 0 && sources[n - 1].rows == 0) {
        n--;
    }
    *out = rc == OK && n > 0 ? sources[n - 1] : (struct feature_source){0};
    return rc;
}

enum err_code features_append(struct db *db, int64_t source, int64_t first, const uint32_t *images,
                              size_t n, struct err *err)
{
    unsigned char bytes[FEATURE_BLOCK * 4];
    BUG_IF(n == 0 || n > FEATURE_BLOCK || !db_in_tx(db));
    for (size_t i = 0; i < n; i++) {
        le_put_u32(bytes + i * 4, images[i]);
    }
    return db_run(
        db, "INSERT INTO feature_block (source, first, records, images) VALUES (?1, ?2, ?3, ?4)",
        DB_VALS(db_int(source), db_int(first), db_int((int64_t)n), db_blob(bytes, n * 4)), err);
}

enum err_code features_each(struct db *db, int64_t source,
                            enum err_code (*each)(void *arg, int64_t row, uint32_t image,
                                                  struct err *err),
                            void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db, "SELECT first, images FROM feature_block WHERE source = ?1 ORDER BY id",
                 DB_VALS(db_int(source)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        int64_t first = db_col_int(&r, 0);
        struct sv images = db_col_blob(&r, 1);
        const unsigned char *p = (const unsigned char *)images.p;
        for (size_t i = 0; i + 4 <= images.n && rc == OK; i += 4, p += 4) {
            rc = each(arg, first + (int64_t)(i / 4), le_u32(p), err);
        }
    }
    return db_end_after(&r, rc);
}
