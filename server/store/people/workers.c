/* workers.c - SQL for lists of people. A person's answers are walked by the index of their
 * assignments: a page of people costs what those people answered, whatever the project holds. */
#include "store/people/workers.h"

#include "base/list.h"

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

static void read_worker(const struct db_rows *r, struct arena *a, struct worker *out)
{
    *out = (struct worker){.person = db_col_int(r, 0),
                           .created_at = db_col_int(r, 1),
                           .pseudonym = arena_sv(a, db_col_text(r, 2)),
                           .kind = arena_sv(a, db_col_text(r, 3)),
                           .source = arena_sv(a, db_col_text(r, 4)),
                           .external_id = arena_sv(a, db_col_text(r, 5)),
                           .blocked = db_col_int(r, 6),
                           .forgotten = db_col_int(r, 7)};
}

/* What the person did, by place: answers without one were imported. */
static enum err_code add_work(struct db *db, struct arena *a, struct worker *w, struct err *err)
{
    struct db_rows r;
    int64_t paid = 0, paid_ms = 0;
    enum err_code rc = db_begin(
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
    while (rc == OK && db_step(&r, err)) {
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
    return db_end_after(&r, rc);
}

enum err_code workers_page(struct db *db, enum worker_filter filter, struct sv query,
                           int64_t after, size_t most, struct arena *a, struct worker **out,
                           size_t *n, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    enum err_code rc = db_begin(
        db,
        COLUMNS "WHERE p.id > ?1 AND CASE ?2 WHEN 1 THEN p.id IN (SELECT person FROM blocked) "
                "WHEN 2 THEN p.forgotten_at IS NOT NULL ELSE 1 END "
                "AND (?3 = '' OR p.pseudonym = ?3 OR i.external_id = ?3) AND (p.kind <> 'staff' "
                "OR EXISTS (SELECT 1 FROM place l WHERE l.person = p.id)) ORDER BY p.id LIMIT ?4",
        DB_VALS(db_int(after), db_int((int64_t)filter), db_text(query), db_int((int64_t)most)),
        &r, err);
    while (rc == OK && db_step(&r, err)) {
        read_worker(&r, a, list_add(&list, a, sizeof(struct worker)));
    }
    rc = db_end_after(&r, rc);
    *out = list.items;
    *n = list.n;
    for (size_t i = 0; i < list.n && rc == OK; i++) {
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
    struct db_rows r;
    enum err_code rc = db_begin(db, COLUMNS "WHERE p.id = ?1", DB_VALS(db_int(person)), &r, err);
    bool found = rc == OK && db_step(&r, err);
    if (found) {
        read_worker(&r, a, out);
    }
    rc = db_end_after(&r, rc);
    return rc == OK && !found
               ? err_rule(err, ERR_NOT_FOUND, "no-person", "There is no such person.")
               : rc;
}

enum err_code workers_get(struct db *db, int64_t person, struct arena *a, struct worker *out,
                          struct err *err)
{
    enum err_code rc = workers_name(db, person, a, out, err);
    return rc == OK ? add_work(db, a, out, err) : rc;
}

enum err_code workers_answers(struct db *db, int64_t person, int64_t before, size_t most,
                              struct arena *a, struct worker_answer **out, size_t *n,
                              struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    enum err_code rc = db_begin(
        db,
        "WITH chosen AS MATERIALIZED (SELECT w.id, w.assignment, a.grid, w.at, w.active_ms, "
        "w.surplus FROM assignment a JOIN answer w ON w.assignment = a.id WHERE a.person = ?1 "
        "AND (?2 = 0 OR w.id < ?2) ORDER BY w.id DESC LIMIT ?3) "
        "SELECT w.id, w.assignment, w.grid, w.at, w.active_ms, w.surplus, "
        "coalesce(s.value = 'out', 0), s.rule, c.name, k.synset FROM chosen w "
        "JOIN grid g ON g.id = w.grid JOIN campaign c ON c.id = g.campaign "
        "JOIN class k ON k.id = g.class LEFT JOIN answer_state s ON s.id = "
        "(SELECT max(x.id) FROM answer_state x WHERE x.answer = w.id AND x.field = 'analysis') "
        "ORDER BY w.id DESC",
        DB_VALS(db_int(person), db_int(before), db_int((int64_t)most)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        struct worker_answer *w = list_add(&list, a, sizeof *w);
        bool is_out = db_col_int(&r, 6);
        *w = (struct worker_answer){.id = db_col_int(&r, 0),
                                    .assignment = db_col_int(&r, 1),
                                    .grid = db_col_int(&r, 2),
                                    .at = db_col_int(&r, 3),
                                    .active_ms = db_col_int(&r, 4),
                                    .surplus = db_col_int(&r, 5),
                                    .out = is_out,
                                    .rule = is_out ? arena_sv(a, db_col_text(&r, 7)) : SV(""),
                                    .campaign = arena_sv(a, db_col_text(&r, 8)),
                                    .class_words = arena_sv(a, db_col_text(&r, 9))};
    }
    *out = list.items;
    *n = list.n;
    return db_end_after(&r, rc);
}
