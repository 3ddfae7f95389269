/* near_calibrations.c - SQL for near_calibration. */
#include "store/duplicates/near_calibrations.h"

#include <stdlib.h>

#include "base/le.h"
#include "base/list.h"
#include "base/xalloc.h"
#include "db/rows.h"
#include "store/core/events.h"

enum { DISTANCE = 8 /* bytes */ };

static enum err_code put_one(struct db *db, const struct near_calibration *c, int64_t event, struct err *err)
{
    unsigned char *bytes = xmalloc(c->n * DISTANCE + 1);
    for (size_t i = 0; i < c->n; i++) {
        le_put_f64(bytes + i * DISTANCE, c->distances[i]);
    }
    enum err_code rc = db_run(
        db, "INSERT INTO near_calibration (metric, event, distortion, space, distances) VALUES (?1, ?2, ?3, ?4, ?5)",
        DB_VALS(db_text(c->metric), db_int(event), db_text(c->distortion), db_text(c->space),
                db_blob(bytes, c->n * DISTANCE)),
        err);
    free(bytes);
    return rc;
}

enum err_code near_calibrations_put(struct db *db, const struct near_calibration *list, size_t n, int64_t account,
                                    int64_t now, struct err *err)
{
    int64_t event;
    enum err_code rc = db_tx_begin(db, err);
    if (rc != OK) {
        return rc;
    }
    rc = events_add(db, now, account, "near-metrics.calibrated", 0, NULL, &event, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = put_one(db, &list[i], event, err);
    }
    return db_tx_end(db, rc, err);
}

static enum err_code read_distances(struct sv bytes, struct arena *a, struct near_calibration *out, struct err *err)
{
    if (bytes.n % DISTANCE) {
        return err_set(err, ERR_IO, "the calibration of the near-duplicate metric " SV_FMT
                       " is damaged; calibrate again, or restore a backup", SV_ARG(out->metric));
    }
    double *distances = arena_alloc(a, bytes.n + 1);
    out->n = bytes.n / DISTANCE;
    for (size_t i = 0; i < out->n; i++) {
        distances[i] = le_f64((const unsigned char *)bytes.p + i * DISTANCE);
    }
    out->distances = distances;
    return OK;
}

enum err_code near_calibrations_get(struct db *db, struct sv metric, struct sv space, struct arena *a,
                                    struct near_calibration **out, size_t *n, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    enum err_code rc = db_begin(db,
                                "SELECT distortion, distances FROM near_calibration WHERE metric = ?1 AND space = ?2"
                                " AND event = (SELECT max(event) FROM near_calibration WHERE metric = ?1)"
                                " ORDER BY distortion",
                                DB_VALS(db_text(metric), db_text(space)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        struct near_calibration *c = LIST_ADD(&list, a, struct near_calibration);
        *c = (struct near_calibration){.metric = metric, .space = space, .distortion = arena_sv(a, db_col_text(&r, 0))};
        rc = read_distances(db_col_blob(&r, 1), a, c, err);
    }
    *out = list.items;
    *n = list.n;
    return db_end_after(&r, rc);
}
