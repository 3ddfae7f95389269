/* near_metrics.c - SQL for near_metric. */
#include "store/duplicates/near_metrics.h"

#include "store/core/events.h"

static int metric_of(struct sv word)
{
    for (int m = 0; m < REVIEW_METRICS; m++) {
        if (sv_is(word, review_metrics[m])) {
            return m;
        }
    }
    return REVIEW_METRICS;
}

enum err_code near_metrics_get(struct db *db, int64_t as_of, struct review_gate *out,
                               struct err *err)
{
    struct db_rows r;
    *out = (struct review_gate){0};
    /* SQLite takes the other columns from the row that has the max(). */
    db_begin(db,
             "SELECT metric, max(event), enabled, searched_until FROM near_metric"
             " WHERE event <= ?1 GROUP BY metric",
             DB_VALS(db_int(as_of > 0 ? as_of : INT64_MAX)), &r, err);
    while (db_step(&r, err)) {
        int m = metric_of(db_col_text(&r, 0));
        if (m < REVIEW_METRICS) {
            out->metric[m] = (struct review_metric_state){
                .enabled = db_col_int(&r, 2) != 0,
                .declared = !db_col_null(&r, 3),
                .searched_until = db_col_int(&r, 3)};
        }
    }
    return db_end(&r);
}

/* searched_until -1: nothing is declared. */
static enum err_code put(struct db *db, int64_t event, int m, int64_t searched_until,
                         struct err *err)
{
    return db_run(db,
                  "INSERT INTO near_metric (metric, event, enabled, searched_until)"
                  " VALUES (?1, ?2, 1, nullif(?3, -1))",
                  DB_VALS(db_str(review_metrics[m]), db_int(event), db_int(searched_until)), err);
}

enum err_code near_metrics_enable(struct db *db, int64_t event, struct sv metric, struct err *err)
{
    struct review_gate gate;
    int m = metric_of(metric);
    enum err_code rc = near_metrics_get(db, 0, &gate, err);
    BUG_IF(m == REVIEW_METRICS);
    return rc != OK || gate.metric[m].enabled ? rc : put(db, event, m, -1, err);
}

enum err_code near_metrics_newest(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT coalesce(max(id), 0) FROM image", DB_NONE, out, err);
}

enum err_code near_metrics_extend(struct db *db, int64_t before, struct err *err)
{
    struct review_gate gate;
    int64_t newest = 0, event = 0;
    enum err_code rc = near_metrics_get(db, 0, &gate, err);
    rc = rc == OK ? near_metrics_newest(db, &newest, err) : rc;
    rc = rc == OK ? db_one_int(db, "SELECT max(id) FROM event", DB_NONE, &event, err) : rc;
    for (int m = 0; m < REVIEW_METRICS && rc == OK && newest > before; m++) {
        const struct review_metric_state *s = &gate.metric[m];
        if (s->enabled && s->declared && s->searched_until == before) {
            rc = put(db, event, m, newest, err);
        }
    }
    return rc;
}

static enum err_code cover(struct db *db, unsigned metrics, int64_t now, bool *changed,
                           struct err *err)
{
    struct review_gate gate;
    int64_t newest = 0, event = 0;
    enum err_code rc = near_metrics_get(db, 0, &gate, err);
    rc = rc == OK ? near_metrics_newest(db, &newest, err) : rc;
    for (int m = 0; m < REVIEW_METRICS && rc == OK; m++) {
        const struct review_metric_state *s = &gate.metric[m];
        if ((!s->enabled && !(metrics >> m & 1)) ||
            (s->enabled && s->declared && s->searched_until == newest)) {
            continue;
        }
        if (event == 0) {
            rc = events_add(db, now, 0, "near-metrics.searched", 0, NULL, &event, err);
        }
        rc = rc == OK ? put(db, event, m, newest, err) : rc;
    }
    *changed = rc == OK && event > 0;
    return rc;
}

enum err_code near_metrics_cover(struct db *db, unsigned metrics, int64_t now, bool *changed,
                                 struct err *err)
{
    *changed = false;
    enum err_code rc = db_tx_begin(db, err);
    if (rc != OK) {
        return rc;
    }
    rc = cover(db, metrics, now, changed, err);
    return db_tx_end(db, rc, err);
}
