/* near_metrics.c - SQL for near_metric. */
#include "store/duplicates/near_metrics.h"

#include <stdio.h>
#include <string.h>

#include "store/core/events.h"

/* ---- reading ---- */

static void take_text(char *out, size_t size, struct sv text)
{
    size_t n = text.n < size ? text.n : size - 1;
    memcpy(out, text.n ? text.p : "", n);
    out[n] = '\0';
}

static enum near_kind kind_of(struct sv word)
{
    int k = 0;
    while (k < NEAR_KINDS - 1 && !sv_is(word, near_kinds[k])) {
        k++;
    }
    return (enum near_kind)k;
}

static void read_metric(struct db_rows *r, struct review_metric *out)
{
    *out = (struct review_metric){.enabled = db_col_int(r, 2) != 0,
                                  .kind = kind_of(db_col_text(r, 3)),
                                  .side = (uint32_t)db_col_int(r, 4),
                                  .window = (uint32_t)db_col_int(r, 5),
                                  .threshold = db_col_real(r, 7),
                                  .declared = !db_col_null(r, 8),
                                  .searched_until = db_col_int(r, 8)};
    take_text(out->name, sizeof out->name, db_col_text(r, 0));
    take_text(out->model, sizeof out->model, db_col_text(r, 6));
}

enum err_code near_metrics_get(struct db *db, int64_t as_of, struct review_gate *out,
                               struct err *err)
{
    struct db_rows r;
    review_gate_usual(out);
    /* SQLite takes the other columns from the row that has the max(). */
    db_begin(db,
             "SELECT metric, max(event), enabled, kind, side, window, model, threshold, searched_until FROM near_metric"
             " WHERE event <= ?1 GROUP BY metric ORDER BY metric",
             DB_VALS(db_int(as_of > 0 ? as_of : INT64_MAX)), &r, err);
    while (db_step(&r, err)) {
        size_t m = review_gate_find(out, db_col_text(&r, 0));
        if (m < REVIEW_METRICS_MOST) {
            read_metric(&r, &out->metric[m]);
            out->n += m == out->n;
        }
    }
    return db_end(&r);
}

enum err_code near_metrics_known(const struct review_gate *gate, struct sv metric, struct err *err)
{
    char names[REVIEW_METRICS_MOST * (REVIEW_NAME + 2)] = "";
    size_t at = 0;
    if (review_gate_find(gate, metric) < gate->n) {
        return OK;
    }
    for (size_t m = 0; m < gate->n; m++) {
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", m ? ", " : "", gate->metric[m].name);
    }
    return err_rule(err, ERR_INPUT, "review-metric",
                    "This project finds neighbours by %s, not by \"" SV_FMT "\". Nothing was stored.", names,
                    SV_ARG(metric));
}

/* ---- writing ---- */

static enum err_code put(struct db *db, int64_t event, const struct review_metric *m, struct err *err)
{
    return db_run(db,
                  "INSERT INTO near_metric (metric, event, enabled, kind, side, window, model, threshold,"
                  " searched_until) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                  DB_VALS(db_str(m->name), db_int(event), db_int(m->enabled), db_str(near_kinds[m->kind]),
                          db_int(m->side), db_int(m->window), db_str(m->model), db_real(m->threshold),
                          m->declared ? db_int(m->searched_until) : db_null()),
                  err);
}

static bool is_name(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    return n > 0 && name[n] == '\0';
}

static enum err_code check(const struct review_metric *m, struct err *err)
{
    bool pixels = m->kind != NEAR_FEATURE;
    if (!is_name(m->name)) {
        return err_rule(err, ERR_INPUT, "near-metric-name",
                        "The name of a metric has 1 to %d letters, digits, \"-\" and \"_\". Nothing was changed.",
                        REVIEW_NAME);
    }
    if (pixels ? m->side < NEAR_SIDE_LEAST || m->side > NEAR_SIDE_MOST : m->side != 0) {
        return err_rule(err, ERR_INPUT, "near-metric-size",
                        pixels ? "Pictures are compared at %d to %d pixels. Nothing was changed."
                               : "Features have no size in pixels. Nothing was changed.",
                        NEAR_SIDE_LEAST, NEAR_SIDE_MOST);
    }
    bool fits = m->window % 2 == 1 && m->window >= 3 && m->window <= NEAR_WINDOW_MOST && m->window <= m->side;
    if (m->kind == NEAR_DSSIM ? !fits : m->window != 0) {
        return err_rule(err, ERR_INPUT, "near-metric-window",
                        m->kind == NEAR_DSSIM
                            ? "The window of dssim is odd, from 3 to %d, and at most the size. Nothing was changed."
                            : "Only dssim has a window. Nothing was changed.",
                        NEAR_WINDOW_MOST);
    }
    if (pixels && m->model[0]) {
        return err_rule(err, ERR_INPUT, "near-metric-model", "Only features come from a model. Nothing was changed.");
    }
    return m->threshold > 0 && m->threshold < REVIEW_CLEAR
               ? OK
               : err_rule(err, ERR_INPUT, "near-metric-threshold", "A threshold is greater than 0. Nothing was changed.");
}

static bool compares_alike(const struct review_metric *a, const struct review_metric *b)
{
    return a->kind == b->kind && a->side == b->side && a->window == b->window && strcmp(a->model, b->model) == 0;
}

static bool is_same(double a, double b)
{
    return !(a < b) && !(a > b);
}

static enum err_code change(struct db *db, struct review_metric m, int64_t account, int64_t now, bool *changed,
                            struct err *err)
{
    struct review_gate gate;
    int64_t event = 0;
    enum err_code rc = near_metrics_get(db, 0, &gate, err);
    if (rc != OK) {
        return rc;
    }
    size_t at = review_gate_find(&gate, sv_of(m.name));
    if (at == REVIEW_METRICS_MOST) {
        return err_rule(err, ERR_CONFLICT, "near-metrics-full",
                        "A project has at most %d metrics, with the published ones. Nothing was changed.",
                        REVIEW_METRICS_MOST);
    }
    const struct review_metric *was = at < gate.n ? &gate.metric[at] : NULL;
    bool alike = was && compares_alike(was, &m);
    m.declared = alike && was->declared;
    m.searched_until = m.declared ? was->searched_until : 0;
    if (alike && was->enabled == m.enabled && is_same(was->threshold, m.threshold)) {
        return OK;
    }
    char detail[REVIEW_NAME + 16];
    snprintf(detail, sizeof detail, "{\"metric\":\"%s\"}", m.name);
    rc = events_add(db, now, account, "near-metrics.changed", 0, detail, &event, err);
    rc = rc == OK ? put(db, event, &m, err) : rc;
    *changed = rc == OK;
    return rc;
}

enum err_code near_metrics_put(struct db *db, const struct review_metric *m, int64_t account, int64_t now, bool *changed,
                               struct err *err)
{
    *changed = false;
    enum err_code rc = check(m, err);
    rc = rc == OK ? db_tx_begin(db, err) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = change(db, *m, account, now, changed, err);
    return db_tx_end(db, rc, err);
}

enum err_code near_metrics_enable(struct db *db, int64_t event, struct sv metric, struct err *err)
{
    struct review_gate gate;
    enum err_code rc = near_metrics_get(db, 0, &gate, err);
    size_t at = rc == OK ? review_gate_find(&gate, metric) : 0;
    BUG_IF(rc == OK && at == gate.n);
    struct review_metric *m = &gate.metric[at];
    if (rc != OK || m->enabled) {
        return rc;
    }
    m->enabled = true;
    return put(db, event, m, err);
}

enum err_code near_metrics_candidates(struct db *db, int64_t until, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT count(*) FROM image WHERE role = 'candidate' AND id <= ?1", DB_VALS(db_int(until)), out, err);
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
    for (size_t m = 0; m < gate.n && rc == OK && newest > before; m++) {
        struct review_metric *s = &gate.metric[m];
        if (s->enabled && s->declared && s->searched_until == before) {
            s->searched_until = newest;
            rc = put(db, event, s, err);
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
    for (size_t m = 0; m < gate.n && rc == OK; m++) {
        struct review_metric *s = &gate.metric[m];
        if ((!s->enabled && !(metrics >> m & 1)) ||
            (s->enabled && s->declared && s->searched_until == newest)) {
            continue;
        }
        if (event == 0) {
            rc = events_add(db, now, 0, "near-metrics.searched", 0, NULL, &event, err);
        }
        s->enabled = s->declared = true;
        s->searched_until = newest;
        rc = rc == OK ? put(db, event, s, err) : rc;
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
