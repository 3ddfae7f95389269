/* workers.c - SQL for lists of people. A person's answers are walked by the index of their
 * assignments: a page of people costs what those people answered, whatever the project holds. */
#include "store/people/workers.h"

#include "db/rows.h"

#define HOUR_MS INT64_C(3600000)

static const char *const filter_names[WORKERS_FILTERS] = {"all", "blocked", "forgotten"};

const char *worker_filter_name(enum worker_filter f)
{
    BUG_IF((unsigned)f >= WORKERS_FILTERS);
    return filter_names[f];
}

#define COLUMNS                                                                                    \
    "SELECT p.id, p.created_at, p.pseudonym, p.kind, i.source, i.external_id, "                    \
    "EXISTS (SELECT 1 FROM blocked b WHERE b.person = p.id), p.forgotten_at IS NOT NULL "          \
    "FROM person p LEFT JOIN identity i ON i.person = p.id "

DB_ROW(worker_row, struct worker, person, created_at, pseudonym, kind, source, external_id, blocked,
       forgotten);
DB_ROW(worker_answer_row, struct worker_answer, id, assignment, grid, at, active_ms, surplus, out,
       rule, campaign, class_words);

/* What the person did, by place: answers without one were imported. */
static enum err_code add_work(struct db *db, struct arena *a, struct worker *w, struct err *err)
{
    struct db_rows r;
    int64_t paid = 0, paid_ms = 0;
    db_begin(
        db,
        "SELECT d.place IS NOT NULL, d.grids, d.ms, d.last, o.outcome, "
        "c.pay_cents + coalesce(y.bonus_cents, 0), coalesce(s.floor_cents, 0), c.currency, "
        "coalesce(y.state, '') FROM (SELECT a.place AS place, count(*) AS grids, "
        "coalesce(sum(w.active_ms), 0) AS ms, max(w.at) AS last FROM assignment a "
        "JOIN answer w ON w.assignment = a.id WHERE a.person = ?1 GROUP BY a.place "
        "UNION ALL SELECT p.id, 0, 0, 0 FROM place p WHERE p.person = ?1 AND NOT EXISTS "
        "(SELECT 1 FROM assignment a JOIN answer w ON w.assignment = a.id WHERE a.place = p.id)) d "
        "LEFT JOIN place p ON p.id = d.place LEFT JOIN campaign c ON c.id = p.campaign "
        "LEFT JOIN study s ON s.campaign = p.campaign LEFT JOIN place_outcome o ON o.id = "
        "(SELECT x.id FROM place_outcome x WHERE x.place = p.id ORDER BY x.id DESC LIMIT 1) "
        "LEFT JOIN pay y ON y.id = "
        "(SELECT x.id FROM pay x WHERE x.place = p.id ORDER BY x.id DESC LIMIT 1)",
        DB_VALS(db_int(w->person)), &r, err);
    while (db_step(&r, err)) {
        w->places += db_col_int(&r, 0);
        w->grids += db_col_int(&r, 1);
        w->active_ms += db_col_int(&r, 2);
        w->last_at = db_col_int(&r, 3) > w->last_at ? db_col_int(&r, 3) : w->last_at;
        if (!sv_is(db_col_text(&r, 4), "complete") || sv_is(db_col_text(&r, 8), "rejected") ||
            (w->currency.n && !sv_eq(w->currency, db_col_text(&r, 7)))) {
            continue; /* unpaid, or paid in another currency */
        }
        paid += db_col_int(&r, 5);
        paid_ms += db_col_int(&r, 2);
        w->floor_cents = db_col_int(&r, 6) > w->floor_cents ? db_col_int(&r, 6) : w->floor_cents;
        w->currency = arena_sv(a, db_col_text(&r, 7));
    }
    w->rate_cents =
        paid_ms > 0 && (paid || w->floor_cents) ? paid * HOUR_MS / paid_ms : -1;
    return db_end(&r);
}

enum err_code workers_page(struct db *db, enum worker_filter filter, struct sv query,
                           int64_t after, size_t most, struct arena *a, struct worker **out,
                           size_t *n, struct err *err)
{
    enum err_code rc = db_list(
        db, worker_row, out, n, a,
        COLUMNS "WHERE p.id > ?1 AND CASE ?2 WHEN 1 THEN p.id IN (SELECT person FROM blocked) "
                "WHEN 2 THEN p.forgotten_at IS NOT NULL ELSE 1 END "
                "AND (?3 = '' OR p.pseudonym = ?3 OR i.external_id = ?3) AND (p.kind <> 'staff' "
                "OR EXISTS (SELECT 1 FROM place l WHERE l.person = p.id)) ORDER BY p.id LIMIT ?4",
        DB_VALS(db_int(after), db_int((int64_t)filter), db_text(query), db_int((int64_t)most)), err);
    for (size_t i = 0; i < *n && rc == OK; i++) {
        rc = add_work(db, a, &(*out)[i], err);
    }
    return rc;
}

enum err_code workers_search(struct db *db, struct sv query, int64_t *person, struct err *err)
{
    enum err_code rc = db_one_int(db,
                                  "SELECT id FROM person WHERE pseudonym = ?1 UNION ALL"
                                  " SELECT person FROM identity WHERE external_id = ?1 LIMIT 1",
                                  DB_VALS(db_text(query)), person, err);
    *person = rc == OK ? *person : -1;
    return rc == ERR_NOT_FOUND ? OK : rc;
}

enum err_code workers_name(struct db *db, int64_t person, struct arena *a, struct worker *out,
                           struct err *err)
{
    enum err_code rc = db_find(db, worker_row, out, a, COLUMNS "WHERE p.id = ?1",
                               DB_VALS(db_int(person)), err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "no-person", "There is no such person.") : rc;
}

enum err_code workers_get(struct db *db, int64_t person, struct arena *a, struct worker *out,
                          struct err *err)
{
    enum err_code rc = workers_name(db, person, a, out, err);
    return rc == OK ? add_work(db, a, out, err) : rc;
}

enum err_code workers_answer(struct db *db, int64_t id, struct arena *a, struct worker_answer *out,
                             struct err *err)
{
    return db_find(
        db, worker_answer_row, out, a,
        "SELECT w.id, w.assignment, a.grid, w.at, w.active_ms, w.surplus, "
        "coalesce(s.value = 'out', 0), CASE s.value WHEN 'out' THEN s.rule END, c.name, k.synset "
        "FROM answer w JOIN assignment a ON a.id = w.assignment "
        "JOIN grid g ON g.id = a.grid JOIN campaign c ON c.id = g.campaign "
        "JOIN class k ON k.id = g.class LEFT JOIN answer_state s ON s.id = "
        "(SELECT max(x.id) FROM answer_state x WHERE x.answer = w.id AND x.field = 'analysis') "
        "WHERE w.id = ?1",
        DB_VALS(db_int(id)), err);
}
