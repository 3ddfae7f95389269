/* review_distances.c - SQL for what is left to review of images' neighbours, and for who looked at
 * which. */
#include "store/duplicates/review_distances.h"

#include "db/rows.h"
#include "domain/review/review_gate.h"
#include "store/duplicates/near_metrics.h"

static enum err_code check_metric(struct db *db, struct sv metric, struct err *err)
{
    struct review_gate gate;
    enum err_code rc = near_metrics_get(db, 0, &gate, err);
    return rc == OK ? near_metrics_known(&gate, metric, err) : rc;
}

/* ---- distances ---- */

static enum err_code holds(struct db *db, const struct review_distance_row *row, int64_t *event,
                           bool *out, struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT event, distance FROM review_distance WHERE name = ?1 AND metric = ?2"
             " ORDER BY event DESC LIMIT 1",
             DB_VALS(db_text(row->name), db_text(row->metric)), &r, err);
    *event = 0;
    *out = false;
    if (db_step(&r, err)) {
        bool searched = !db_col_null(&r, 1);
        *event = db_col_int(&r, 0);
        *out = searched == row->searched && (!searched || !(db_col_real(&r, 1) < row->distance ||
                                                            db_col_real(&r, 1) > row->distance));
    }
    return db_end(&r);
}

enum err_code review_distances_put(struct db *db, int64_t event,
                                   const struct review_distance_row *r, bool *added,
                                   struct err *err)
{
    int64_t last = 0;
    bool held = false;
    *added = false;
    enum err_code rc = check_metric(db, r->metric, err);
    if (rc == OK && r->searched && !(r->distance >= 0)) {
        rc = err_rule(err, ERR_INPUT, "review-distance",
                      "The distance of a neighbour of " SV_FMT " is below 0. Nothing was stored.",
                      SV_ARG(r->name));
    }
    rc = rc == OK ? holds(db, r, &last, &held, err) : rc;
    if (rc != OK || held || event == 0) {
        *added = rc == OK && !held;
        return rc;
    }
    if (last == event) {
        return err_rule(err, ERR_INPUT, "review-distance",
                        "The input gives two distances by " SV_FMT " for " SV_FMT ". Nothing was stored.",
                        SV_ARG(r->metric), SV_ARG(r->name));
    }
    rc = near_metrics_enable(db, event, r->metric, err);
    rc = rc == OK ? db_run(
   db, "INSERT INTO review_distance (name, metric, event, distance) VALUES (?1, ?2, ?3, ?4)",
   DB_VALS(db_text(r->name), db_text(r->metric), db_int(event),
           r->searched ? db_real(r->distance) : db_null()),
   err)
                  : rc;
    *added = rc == OK;
    return rc;
}

/* SQLite takes `distance` from the row that has the max(). */
#define NEWEST "SELECT d.name, d.metric, max(d.event), d.distance FROM "

static struct review_distance_row row_of(struct db_rows *r)
{
    bool searched = !db_col_null(r, 3);
    return (struct review_distance_row){.name = db_col_text(r, 0),
                                        .metric = db_col_text(r, 1),
                                        .distance = searched ? db_col_real(r, 3) : REVIEW_NEVER,
                                        .searched = searched};
}

static enum err_code each_newest(struct db *db, const char *sql, int64_t key,
                                 enum err_code (*each)(void *arg,
                                                       const struct review_distance_row *r,
                                                       struct err *err),
                                 void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, sql, DB_VALS(db_int(key)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        const struct review_distance_row row = row_of(&r);
        rc = each(arg, &row, err);
    }
    return db_end_after(&r, rc);
}

enum err_code review_distances_each(struct db *db, int64_t as_of,
                                    enum err_code (*each)(void *arg,
                                                          const struct review_distance_row *r,
                                                          struct err *err),
                                    void *arg, struct err *err)
{
    return each_newest(db,
                       NEWEST "review_distance d WHERE d.event <= ?1"
                              " GROUP BY d.name, d.metric ORDER BY d.name, d.metric",
                       as_of > 0 ? as_of : INT64_MAX, each, arg, err);
}

enum err_code review_distances_of_candidates(struct db *db, const char *metric,
                                             enum err_code (*each)(void *arg, int64_t image, bool banned,
                                                                   const struct review_distance_row *r, struct err *err),
                                             void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT i.name, d.metric, max(d.event), d.distance, i.id, coalesce((SELECT x.banned FROM blacklisting x"
        "  WHERE x.name = i.name ORDER BY x.event DESC LIMIT 1), 0) FROM review_distance d CROSS JOIN image i"
        " ON i.name = d.name WHERE d.metric = ?1 AND i.role = 'candidate' GROUP BY d.name",
        DB_VALS(db_str(metric)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        const struct review_distance_row row = row_of(&r);
        rc = each(arg, db_col_int(&r, 4), db_col_int(&r, 5) != 0, &row, err);
    }
    return db_end_after(&r, rc);
}

enum err_code review_distances_of_class(struct db *db, int64_t class_id,
                                        enum err_code (*each)(void *arg,
                                                              const struct review_distance_row *r,
                                                              struct err *err),
                                        void *arg, struct err *err)
{
    return each_newest(db,
                       NEWEST "image i CROSS JOIN review_distance d ON d.name = i.name"
                              " WHERE i.class = ?1 GROUP BY d.name, d.metric",
                       class_id, each, arg, err);
}

/* ---- who looked at which ---- */

/* ERR_NOT_FOUND, without saying so, when there is no such review. */
static enum err_code same_review(struct db *db, const struct neighbour_review *v, bool *same,
                                 struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT neighbours FROM neighbour_review WHERE name = ?1"
             " AND metric = ?2 AND reviewer = ?3 AND date = ?4",
             DB_VALS(db_text(v->name), db_text(v->metric), db_text(v->reviewer), db_text(v->date)),
             &r, err);
    bool found = db_step(&r, err);
    *same = found && sv_eq(db_col_text(&r, 0), v->neighbours);
    enum err_code rc = db_end(&r);
    return rc == OK && !found ? ERR_NOT_FOUND : rc;
}

enum err_code neighbour_reviews_put(struct db *db, int64_t event, const struct neighbour_review *v,
                                    bool *added, struct err *err)
{
    bool same = false;
    *added = false;
    enum err_code rc = check_metric(db, v->metric, err);
    rc = rc == OK ? same_review(db, v, &same, err) : rc;
    if (rc == OK && !same) {
        return err_rule(err, ERR_CONFLICT, "neighbour-review",
                        "The review by " SV_FMT " of the neighbours (" SV_FMT ") of " SV_FMT " on " SV_FMT " "
                               "is already stored with other neighbours. The stored one was kept.",
                        SV_ARG(v->reviewer), SV_ARG(v->metric), SV_ARG(v->name), SV_ARG(v->date));
    }
    if (rc != ERR_NOT_FOUND || event == 0) {
        *added = rc == ERR_NOT_FOUND;
        return *added ? OK : rc;
    }
    rc = db_run(db,
                "INSERT INTO neighbour_review (name, metric, reviewer, date, event, neighbours)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                DB_VALS(db_text(v->name), db_text(v->metric), db_text(v->reviewer),
                        db_text(v->date), db_int(event), db_text(v->neighbours)),
                err);
    *added = rc == OK;
    return rc;
}
