/* read.c - SQL that reads decisions, what they wrote and what they could be about. */
#include <string.h>

#include "base/list.h"
#include "db/rows.h"
#include "store/decisions/decisions_list.h"

enum { CHAIN_MOST = 10000 }; /* undos of undos */

/* ---- the list of subjects ---- */

void subjects_pack(const int64_t *subjects, size_t n, struct str *out)
{
    int64_t last = 0;
    str_init(out, 10 * n + 1);
    for (size_t i = 0; i < n; i++) {
        BUG_IF(subjects[i] <= last);
        uint64_t d = (uint64_t)(subjects[i] - last);
        last = subjects[i];
        for (; d >= 0x80; d >>= 7) {
            str_addc(out, (char)(unsigned char)(0x80 | (d & 0x7f)));
        }
        str_addc(out, (char)d);
    }
    BUG_IF(out->over);
}

bool subjects_unpack(struct sv bytes, int64_t *subjects, size_t n)
{
    const unsigned char *p = (const unsigned char *)bytes.p, *end = p + bytes.n;
    uint64_t last = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t d = 0;
        unsigned shift = 0;
        bool more = true;
        while (more) {
            if (p == end || shift > 56) {
                return false;
            }
            d |= (uint64_t)(*p & 0x7f) << shift;
            more = *p++ & 0x80;
            shift += 7;
        }
        last += d;
        if (d == 0 || last > INT64_MAX) {
            return false;
        }
        subjects[i] = (int64_t)last;
    }
    return p == end;
}

enum err_code decisions_last_written(struct db *db, const struct decision *d, int64_t *subject,
                                     struct err *err)
{
    *subject = 0;
    return d->pay ? db_maybe_int(db, "SELECT place FROM pay WHERE decision = ?1 ORDER BY id DESC LIMIT 1",
                                 DB_VALS(db_int(d->id)), subject, err)
                  : db_maybe_int(db,
                                 "SELECT answer FROM answer_state WHERE decision = ?1"
                                 " ORDER BY id DESC LIMIT 1",
                                 DB_VALS(db_int(d->id)), subject, err);
}

/* ---- decisions ---- */

#define LAST_WRITTEN                                                                               \
    "CASE d.field WHEN 'pay' THEN"                                                                 \
    " (SELECT y.place FROM pay y WHERE y.decision = d.id ORDER BY y.id DESC LIMIT 1)"              \
    " ELSE (SELECT s.answer FROM answer_state s WHERE s.decision = d.id"                           \
    "  ORDER BY s.id DESC LIMIT 1) END"

#define COLUMNS                                                                                    \
    "SELECT d.id, e.at, e.account, d.field = 'pay', d.rule, d.criteria, i.external_id,"   \
    " d.as_of, d.subjects, d.people, d.last_subject, d.bonus_cents, d.reopen, d.undoes,"           \
    " (SELECT max(u.id) FROM decision u WHERE u.undoes = d.id), " LAST_WRITTEN     \
    ", d.value"

/* Joined to the decision `d`. */
#define TABLES                                                                                     \
    " JOIN event e ON e.id = d.id LEFT JOIN account c ON c.id = e.account"                         \
    " LEFT JOIN identity i ON i.person = c.person "

static void read_value(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    struct decision *d = out;
    bool known = decision_value_parse(db_col_text(r, 16), &d->value);
    BUG_IF(!known); /* the table allows no other */
    d->whole = d->last_written == d->last_subject;
}
DB_ROW_THEN(decision_row, struct decision, read_value, id, at, account, pay, rule, criteria, login,
            as_of, subjects, people, last_subject, bonus_cents, reopen, undoes, undone_by,
            last_written);

enum err_code decisions_get(struct db *db, int64_t id, struct arena *a, struct decision *out,
                            struct err *err)
{
    enum err_code rc = db_find(db, decision_row, out, a, COLUMNS " FROM decision d" TABLES "WHERE d.id = ?1",
                               DB_VALS(db_int(id)), err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "no-decision", "There is no such decision.") : rc;
}

#define UNDONE "EXISTS (SELECT 1 FROM decision u WHERE u.undoes = d.id)"
/* The filters; which one is bound as ?1. */
#define FITS                                                                                       \
    "CASE ?1 WHEN 1 THEN d.field = 'analysis' WHEN 2 THEN d.field = 'pay' WHEN 3 THEN " UNDONE     \
    " ELSE 1 END"
/* What is in the columns is looked up for the page alone. */
#define PAGE(key, way)                                                                             \
    "WITH chosen AS MATERIALIZED (SELECT d.id, " key " AS key FROM decision d"                     \
    " WHERE d.id < ?2 AND " FITS " ORDER BY key" way ", d.id DESC LIMIT ?3 OFFSET ?4) "            \
    COLUMNS " FROM chosen h JOIN decision d ON d.id = h.id" TABLES "ORDER BY h.key" way ", d.id DESC"

enum err_code decisions_list(struct db *db, const struct decisions_ask *ask, struct arena *a,
                             struct decision **out, size_t *n, struct err *err)
{
    static const char *const sql[DECISIONS_SORTS][2] = {
        [DECISIONS_BY_TIME] = {PAGE("d.id", ""), PAGE("d.id", " DESC")},
        [DECISIONS_BY_SUBJECTS] = {PAGE("d.subjects", ""), PAGE("d.subjects", " DESC")},
    };
    return db_list(db, decision_row, out, n, a, sql[ask->sort][ask->falling],
                   DB_VALS(db_int((int64_t)ask->filter), db_int(ask->before ? ask->before : INT64_MAX),
                           db_int((int64_t)ask->most), db_int((int64_t)ask->skip)),
                   err);
}

enum err_code decisions_count(struct db *db, enum decision_filter filter, int64_t *n, struct err *err)
{
    return db_one_int(db, "SELECT count(*) FROM decision d WHERE " FITS, DB_VALS(db_int((int64_t)filter)), n,
                      err);
}

enum err_code decisions_of(struct db *db, int64_t person, size_t most, struct arena *a,
                           struct decision **out, int64_t **rows, size_t *n, struct err *err)
{
    struct db_rows r;
    struct decision d;
    struct list list = {0}, counts = {0};
    db_begin(
        db,
        "WITH about AS MATERIALIZED (SELECT decision, count(*) AS n FROM ("
        "  SELECT s.decision FROM assignment a JOIN answer w ON w.assignment = a.id"
        "   JOIN answer_state s ON s.answer = w.id AND s.field = 'analysis'"
        "   WHERE a.person = ?1 AND s.decision IS NOT NULL"
        "  UNION ALL SELECT y.decision FROM place p JOIN pay y ON y.place = p.id"
        "   WHERE p.person = ?1 AND y.decision IS NOT NULL) GROUP BY decision"
        "  ORDER BY decision DESC LIMIT ?2) "
        COLUMNS ", b.n FROM about b JOIN decision d ON d.id = b.decision" TABLES "ORDER BY d.id DESC",
        DB_VALS(db_int(person), db_int((int64_t)most)), &r, err);
    while (db_next(&r, decision_row, &d, a, err)) {
        *LIST_ADD(&list, a, struct decision) = d;
        *LIST_ADD(&counts, a, int64_t) = db_col_int(&r, 17);
    }
    *out = list.items;
    *rows = counts.items;
    *n = list.n;
    return db_end(&r);
}

enum err_code decisions_unfinished(struct db *db, int64_t *id, struct err *err)
{
    *id = 0;
    return db_maybe_int(
        db,
        "SELECT d.id FROM decision d WHERE d.last_subject IS NOT (" LAST_WRITTEN ")"
        " AND NOT EXISTS (SELECT 1 FROM decision u WHERE u.undoes = d.id)"
        " ORDER BY d.id DESC LIMIT 1",
        DB_NONE, id, err);
}

enum err_code decisions_written(struct db *db, const struct decision *d, int64_t *n,
                                struct err *err)
{
    return d->pay ? db_one_int(db, "SELECT count(*) FROM pay WHERE decision = ?1",
                               DB_VALS(db_int(d->id)), n, err)
                  : db_one_int(db, "SELECT count(*) FROM answer_state WHERE decision = ?1",
                               DB_VALS(db_int(d->id)), n, err);
}

enum err_code decisions_in_effect(struct db *db, const struct decision *d, bool *in_effect,
                                  struct err *err)
{
    enum err_code rc = OK;
    int64_t by = d->undone_by;
    *in_effect = true;
    for (int i = 0; by && rc == OK && i < CHAIN_MOST; i++) {
        *in_effect = !*in_effect;
        rc = db_one_int(db, "SELECT coalesce(max(id), 0) FROM decision WHERE undoes = ?1",
                        DB_VALS(db_int(by)), &by, err);
    }
    return rc;
}

enum err_code decisions_load(struct db *db, int64_t id, struct arena *a, struct decision_work *out,
                             struct err *err)
{
    struct db_rows r;
    enum err_code rc = decisions_get(db, id, a, &out->d, err);
    if (rc != OK) {
        return rc;
    }
    int64_t *subjects = arena_calloc(a, (size_t)out->d.subjects, sizeof *subjects);
    db_begin(db, "SELECT list FROM decision WHERE id = ?1", DB_VALS(db_int(id)), &r, err);
    bool good = db_step(&r, err) &&
                subjects_unpack(db_col_blob(&r, 0), subjects, (size_t)out->d.subjects) &&
                subjects[out->d.subjects - 1] == out->d.last_subject;
    rc = db_end(&r);
    out->subjects = subjects;
    return rc == OK && !good
               ? err_set(err, ERR_BUG, "the list of decision %lld is damaged", (long long)id)
               : rc;
}

/* ---- rows ---- */

DB_ROW(written_row, struct decision_row, event, subject, person, campaign, assignment, pseudonym,
       campaign_name, state, before);

/* The rows of decision ?1 in `table` that are on the page: counted off in the index. */
#define WRITTEN(table)                                                                             \
    "WITH chosen AS MATERIALIZED (SELECT id FROM " table " WHERE decision = ?1 ORDER BY id"        \
    " LIMIT ?2 OFFSET ?3) "

enum err_code decisions_rows(struct db *db, const struct decision *d, size_t skip, size_t most,
                             struct arena *a, struct decision_row **out, size_t *n,
                             struct err *err)
{
    const char *pay = WRITTEN("pay") "SELECT y.id, y.place, p.person, p.campaign, 0, w.pseudonym, k.name,"
                      " y.state, coalesce((SELECT x.state FROM pay x WHERE x.place = y.place"
                      "  AND x.id < y.id ORDER BY x.id DESC LIMIT 1), 'pending')"
                      " FROM chosen h JOIN pay y ON y.id = h.id JOIN place p ON p.id = y.place"
                      " JOIN person w ON w.id = p.person JOIN campaign k ON k.id = p.campaign ORDER BY y.id";
    const char *answers = WRITTEN("answer_state") "SELECT s.id, s.answer, a.person, g.campaign, a.id,"
                          " p.pseudonym, k.name, s.value, coalesce((SELECT x.value FROM answer_state x"
                          "  WHERE x.answer = s.answer AND x.field = 'analysis' AND x.id < s.id"
                          "  ORDER BY x.id DESC LIMIT 1), 'in')"
                          " FROM chosen h JOIN answer_state s ON s.id = h.id JOIN answer w ON w.id = s.answer"
                          " JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid"
                          " JOIN campaign k ON k.id = g.campaign JOIN person p ON p.id = a.person ORDER BY s.id";
    return db_list(db, written_row, out, n, a, d->pay ? pay : answers,
                   DB_VALS(db_int(d->id), db_int((int64_t)most), db_int((int64_t)skip)), err);
}

/* ---- what an undo is about ---- */

/* One row about a subject: which decision wrote it, and which that undoes. 0: none. */
struct written {
    int64_t decision, undoes;
};

/* The decision whose state holds after these rows: an undo's row brings back what stood before the one
 * it undid. 0: none, or something decided singly. */
static int64_t holds(const struct written *rows, size_t n)
{
    while (n && rows[n - 1].undoes) {
        int64_t undone = rows[n - 1].undoes;
        do {
            n--;
        } while (n && rows[n - 1].decision != undone);
        n -= n > 0; /* the row that was undone */
    }
    return n ? rows[n - 1].decision : 0;
}

DB_ROW(undoes_row, struct written, decision, undoes);

static enum err_code holds_of(struct db *db, bool pay, int64_t subject, int64_t *decision,
                              struct err *err)
{
    struct written *rows;
    size_t n;
    struct arena scratch;
    arena_init(&scratch, 1 << 20);
    enum err_code rc = db_list(db, undoes_row, &rows, &n, &scratch,
                               pay ? "SELECT y.decision, d.undoes FROM pay y LEFT JOIN decision d"
                                     " ON d.id = y.decision WHERE y.place = ?1 ORDER BY y.id"
                                   : "SELECT s.decision, d.undoes FROM answer_state s LEFT JOIN decision d"
                                     " ON d.id = s.decision WHERE s.answer = ?1 AND s.field = 'analysis'"
                                     " ORDER BY s.id",
                               DB_VALS(db_int(subject)), err);
    *decision = holds(rows, n);
    arena_release(&scratch);
    return rc;
}

/* What the decision wrote about; `newest` says that nothing was decided about it after. */
struct candidate {
    struct decision_undoable u;
    bool newest;
};

DB_ROW(candidate_row, struct candidate, u.subject, u.person, u.out, newest);

static enum err_code candidates(struct db *db, const struct decision *d, struct arena *a,
                                struct candidate **out, size_t *n, struct err *err)
{
    return db_list(db, candidate_row, out, n, a,
                   d->pay ? "SELECT y.place, p.person, 0, NOT EXISTS"
                            " (SELECT 1 FROM pay x WHERE x.place = y.place AND x.id > y.id)"
                            " FROM pay y JOIN place p ON p.id = y.place WHERE y.decision = ?1"
                            " ORDER BY y.place"
                          : "SELECT s.answer, a.person, coalesce((SELECT x.value = 'out'"
                            "  FROM answer_state x WHERE x.answer = s.answer"
                            "  AND x.field = 'analysis' AND x.id < s.id ORDER BY x.id DESC LIMIT 1),"
                            " 0), NOT EXISTS (SELECT 1 FROM answer_state x"
                            "  WHERE x.answer = s.answer AND x.field = 'analysis' AND x.id > s.id)"
                            " FROM answer_state s JOIN answer w ON w.id = s.answer"
                            " JOIN assignment a ON a.id = w.assignment WHERE s.decision = ?1"
                            " ORDER BY s.answer",
                   DB_VALS(db_int(d->id)), err);
}

enum err_code decisions_undoable(struct db *db, const struct decision *d, struct arena *a,
                                 struct decision_undoable **out, size_t *n, struct err *err)
{
    struct candidate *found;
    size_t all;
    enum err_code rc = candidates(db, d, a, &found, &all, err);
    *out = arena_calloc(a, all + 1, sizeof **out);
    *n = 0;
    for (size_t i = 0; i < all && rc == OK; i++) {
        int64_t by = d->id;
        if (!found[i].newest) {
            rc = holds_of(db, d->pay, found[i].u.subject, &by, err);
        }
        if (by == d->id) {
            (*out)[(*n)++] = found[i].u;
        }
    }
    return rc;
}

/* ---- places ---- */

#define PLACE                                                                                      \
    "SELECT p.id, p.person, p.campaign, k.pay_cents, coalesce(y.bonus_cents, 0),"                  \
    " coalesce(y.state, 'pending'), o.outcome, k.currency, y.reason, k.name,"                      \
    " (SELECT count(*) FROM assignment a JOIN answer w ON w.assignment = a.id"                     \
    "  WHERE a.place = p.id), q.pseudonym FROM place p JOIN campaign k ON k.id = p.campaign"       \
    " JOIN person q ON q.id = p.person"                                                            \
    " LEFT JOIN place_outcome o ON o.id ="                                                         \
    " (SELECT x.id FROM place_outcome x WHERE x.place = p.id ORDER BY x.id DESC LIMIT 1)"          \
    " LEFT JOIN pay y ON y.id ="                                                                   \
    " (SELECT x.id FROM pay x WHERE x.place = p.id ORDER BY x.id DESC LIMIT 1) "

DB_ROW(place_row, struct decision_place, place, person, campaign, pay_cents, bonus_cents, state,
       outcome, currency, reason, campaign_name, grids, pseudonym);

enum err_code decisions_places(struct db *db, int64_t campaign, int64_t person, struct arena *a,
                               struct decision_place **out, size_t *n, struct err *err)
{
    return campaign ? db_list(db, place_row, out, n, a,
                              PLACE "WHERE p.campaign = ?1 AND (?2 = 0 OR p.person = ?2) ORDER BY p.id",
                              DB_VALS(db_int(campaign), db_int(person)), err)
                    : db_list(db, place_row, out, n, a, PLACE "WHERE p.person = ?1 ORDER BY p.id",
                              DB_VALS(db_int(person)), err);
}

enum err_code decisions_place(struct db *db, int64_t place, struct arena *a,
                              struct decision_place *out, struct err *err)
{
    enum err_code rc = db_find(db, place_row, out, a, PLACE "WHERE p.id = ?1",
                               DB_VALS(db_int(place)), err);
    return rc == ERR_NOT_FOUND
               ? err_rule(err, rc, "no-place", "There is no participant with that number.")
               : rc;
}

enum err_code decisions_pay_before(struct db *db, const struct decision *undone,
                                   struct decision_place *p, struct err *err)
{
    p->bonus_before = 0;
    return db_maybe_int(db,
                        "SELECT bonus_cents FROM pay WHERE place = ?1 AND id <"
                        " (SELECT max(u.id) FROM pay u WHERE u.place = ?1"
                        "  AND u.decision = ?2) ORDER BY id DESC LIMIT 1",
                        DB_VALS(db_int(p->place), db_int(undone->id)), &p->bonus_before, err);
}

/* ---- what others ask ---- */

enum err_code decisions_broken(struct db *db,
                               enum err_code (*each)(void *arg, int64_t id, int64_t written,
                                                     int64_t subjects, struct err *err),
                               void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT d.id, coalesce(s.n, 0) + coalesce(y.n, 0) AS written, d.subjects FROM decision d"
        " LEFT JOIN (SELECT decision, count(*) AS n FROM answer_state"
        "  WHERE decision IS NOT NULL GROUP BY decision) s ON s.decision = d.id"
        " LEFT JOIN (SELECT decision, count(*) AS n FROM pay"
        "  WHERE decision IS NOT NULL GROUP BY decision) y ON y.decision = d.id"
        " WHERE written <> d.subjects"
        " AND NOT EXISTS (SELECT 1 FROM decision u WHERE u.undoes = d.id) ORDER BY d.id LIMIT 100",
        DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), db_col_int(&r, 1), db_col_int(&r, 2), err);
    }
    return db_end_after(&r, rc);
}

DB_ROW(reopened_row, struct reopened_row, id, grid, campaign, n);

enum err_code decisions_reopened(struct db *db, int64_t after,
                                 enum err_code (*each)(void *arg, const struct reopened_row *r,
                                                       struct err *err),
                                 void *arg, struct err *err)
{
    struct db_rows r;
    struct reopened_row row;
    enum err_code rc = db_begin(db,
                                "SELECT r.id, r.grid, g.campaign, r.n FROM grid_reopened r"
                                " JOIN grid g ON g.id = r.grid WHERE r.id > ?1 ORDER BY r.id",
                                DB_VALS(db_int(after)), &r, err);
    while (rc == OK && db_next(&r, reopened_row, &row, NULL, err)) {
        rc = each(arg, &row, err);
    }
    return db_end_after(&r, rc);
}
