/* decisions.c - SQL for the decision table and for the rows that decisions write. What is read of
 * decisions for pages is in read.c. */
#include "store/decisions/decisions.h"

#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/decisions/decisions_list.h"

static const char *const names[DECISION_VALUES] = {"in",       "out",      "pending", "approved",
                                                   "rejected", "bonus",    "undo"};
static const char *const kinds[DECISION_VALUES] = {
    "decision.in",       "decision.out",   "decision.pending", "decision.approved",
    "decision.rejected", "decision.bonus", "decision.undo"};

const char *decision_value_name(enum decision_value v)
{
    BUG_IF((unsigned)v >= DECISION_VALUES);
    return names[v];
}

bool decision_value_parse(struct sv name, enum decision_value *out)
{
    for (unsigned i = 0; i < DECISION_VALUES; i++) {
        if (sv_is(name, names[i])) {
            *out = (enum decision_value)i;
            return true;
        }
    }
    return false;
}

enum err_code decisions_reason(struct sv reason, struct err *err)
{
    if (sv_trim(reason).n == 0) {
        return err_rule(err, ERR_INPUT, "decision-reason",
                        "A decision needs a reason, which reports and the people affected will see later. "
                        "Nothing was changed; write one and send it again.");
    }
    if (reason.n > DECISION_REASON_MOST || !sv_utf8(reason)) {
        return err_rule(err, ERR_INPUT, "decision-reason",
                        "A reason must be text of at most %d bytes. Nothing was changed.",
                        DECISION_REASON_MOST);
    }
    return OK;
}

/* ---- beginning ---- */

/* Whether something was decided after what the caller looked at. */
static enum err_code check_fresh(struct db *db, const struct decision *d, struct err *err)
{
    int64_t newest = 0;
    enum err_code rc =
        d->pay ? db_one_int(db, "SELECT coalesce(max(id), 0) FROM pay", DB_NONE, &newest, err)
               : db_one_int(db, "SELECT coalesce(max(id), 0) FROM answer_state", DB_NONE, &newest,
                            err);
    return rc == OK && newest > d->as_of
               ? err_rule(err, ERR_CONFLICT, "decision-changed",
                          "Another decision was made since you looked at the effect. Nothing was changed; "
                          "look at it again.")
               : rc;
}

static enum err_code check_none_open(struct db *db, int64_t undoes, struct err *err)
{
    int64_t open = 0;
    enum err_code rc = decisions_unfinished(db, &open, err);
    return rc == OK && open && open != undoes
               ? err_rule(err, ERR_CONFLICT, "decision-unfinished",
                          "Decision %lld is not fully written yet. Nothing was changed; wait for it, or "
                          "finish or undo it on the page Decisions.",
                          (long long)open)
               : rc;
}

enum err_code decisions_create(struct db *db, const struct decision *d, const int64_t *subjects,
                               int64_t now, int64_t *id, struct err *err)
{
    struct str list;
    BUG_IF(d->subjects < 1 || d->subjects > DECISION_SUBJECTS_MOST);
    enum err_code rc = check_none_open(db, d->undoes, err);
    rc = rc == OK ? check_fresh(db, d, err) : rc;
    if (rc != OK) {
        return rc;
    }
    subjects_pack(subjects, (size_t)d->subjects, &list);
    rc = events_add(db, now, d->account, kinds[d->value], 0, NULL, id, err);
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO decision (id, field, value, rule, criteria, as_of, subjects,"
                    " people, last_subject, list, bonus_cents, reopen, undoes)"
                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                    DB_VALS(db_int(*id), db_str(d->pay ? "pay" : "analysis"),
                            db_str(names[d->value]), db_text(d->rule), db_text(d->criteria),
                            db_int(d->as_of), db_int(d->subjects), db_int(d->people),
                            db_int(subjects[d->subjects - 1]), db_blob(list.p, list.n),
                            d->value == DECISION_BONUS ? db_int(d->bonus_cents) : db_null(),
                            db_int(d->reopen), d->undoes ? db_int(d->undoes) : db_null()),
                    err);
    }
    str_release(&list);
    return rc;
}

/* ---- writing ---- */

struct writing {
    struct db *db;
    const struct decision *d;
    int64_t account, now;
    struct decision_piece *piece;
    struct arena arena; /* of one subject */
};

/* What stood before the row `event`, which is about the same answer. */
static enum err_code state_before(struct writing *w, int64_t answer, int64_t event,
                                  struct sv *value, struct sv *rule, struct err *err)
{
    struct db_rows r;
    db_begin(w->db,
             "SELECT value, rule FROM answer_state WHERE answer = ?1"
             " AND field = 'analysis' AND id < ?2 ORDER BY id DESC LIMIT 1",
             DB_VALS(db_int(answer), db_int(event)), &r, err);
    *value = SV("in");
    *rule = w->d->rule;
    if (db_step(&r, err)) {
        *value = arena_sv(&w->arena, db_col_text(&r, 0));
        *rule = arena_sv(&w->arena, db_col_text(&r, 1));
    }
    return db_end(&r);
}

/* The grid of a counted answer that this program hands out; *grid 0: none such. */
static enum err_code grid_of(struct db *db, int64_t answer, int64_t *campaign, int64_t *grid,
                             struct err *err)
{
    *grid = 0;
    return db_maybe_ints(
        db,
        "SELECT g.id, g.campaign FROM answer w JOIN assignment a ON a.id = w.assignment"
        " JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign"
        " WHERE w.id = ?1 AND w.surplus = 0 AND k.imported = 0 AND g.excluded IS NULL",
        DB_VALS(db_int(answer)), grid, campaign, err);
}

/* How many answers may still be lent or counted on the grid. */
static enum err_code free_slots(struct writing *w, int64_t grid, int64_t *n, struct err *err)
{
    return db_one_int(
        w->db,
        "SELECT k.answers_per_grid"
        " + (SELECT coalesce(sum(r.n), 0) FROM grid_reopened r WHERE r.grid = g.id)"
        " - (SELECT count(*) FROM assignment a LEFT JOIN answer w ON w.assignment = a.id"
        "    WHERE a.grid = g.id AND CASE WHEN w.id IS NULL THEN a.lease_until > ?2"
        "                                 ELSE w.surplus = 0 END)"
        " FROM grid g JOIN campaign k ON k.id = g.campaign WHERE g.id = ?1",
        DB_VALS(db_int(grid), db_int(w->now)), n, err);
}

/* One answer more (n 1) or less (-1) is asked for; less only while nobody answered or holds it. */
static enum err_code reopen(struct writing *w, int64_t event, int64_t campaign, int64_t grid, int n,
                            struct err *err)
{
    int64_t slots = 1;
    enum err_code rc = n < 0 ? free_slots(w, grid, &slots, err) : OK;
    if (rc != OK || slots < 1) {
        return rc;
    }
    rc = db_run(w->db, "INSERT INTO grid_reopened (id, grid, n, decision) VALUES (?1, ?2, ?3, ?4)",
                DB_VALS(db_int(event), db_int(grid), db_int(n), db_int(w->d->id)), err);
    if (rc == OK) {
        w->piece->reopened[w->piece->n_reopened++] =
            (struct reopened_row){event, grid, campaign, n};
    }
    return rc;
}

DB_ROW(reopened_row, struct reopened_row, grid, campaign, n);

/* What the row `undone` asked for is taken back; what it took back is asked for again. */
static enum err_code reopen_undone(struct writing *w, int64_t event, int64_t undone,
                                   struct err *err)
{
    struct reopened_row was = {0};
    enum err_code rc = db_maybe(w->db, reopened_row, &was, NULL,
                                "SELECT r.grid, g.campaign, r.n FROM grid_reopened r"
                                " JOIN grid g ON g.id = r.grid WHERE r.id = ?1",
                                DB_VALS(db_int(undone)), err);
    return rc == OK && was.n ? reopen(w, event, was.campaign, was.grid, -was.n, err) : rc;
}

static enum err_code add_state(struct writing *w, int64_t answer, struct sv value, struct sv rule,
                               int64_t *event, struct err *err)
{
    enum err_code rc =
        events_add(w->db, w->now, w->account, "answer.state", answer, NULL, event, err);
    return rc == OK ? db_run(w->db,
                             "INSERT INTO answer_state (id, answer, field, value, rule, decision)"
                             " VALUES (?1, ?2, 'analysis', ?3, ?4, ?5)",
                             DB_VALS(db_int(*event), db_int(answer), db_text(value), db_text(rule),
                                     db_int(w->d->id)),
                             err)
                    : rc;
}

static enum err_code undo_answer(struct writing *w, int64_t answer, struct err *err)
{
    int64_t undone = 0, event = 0;
    struct sv value, rule;
    enum err_code rc = db_one_int(w->db,
                                  "SELECT max(id) FROM answer_state WHERE answer = ?1 AND"
                                  " field = 'analysis' AND decision = ?2",
                                  DB_VALS(db_int(answer), db_int(w->d->undoes)), &undone, err);
    rc = rc == OK ? state_before(w, answer, undone, &value, &rule, err) : rc;
    rc = rc == OK ? add_state(w, answer, value, rule, &event, err) : rc;
    return rc == OK ? reopen_undone(w, event, undone, err) : rc;
}

static enum err_code write_answer(struct writing *w, int64_t answer, struct err *err)
{
    int64_t event = 0, grid = 0, campaign = 0;
    if (w->d->value == DECISION_UNDO) {
        return undo_answer(w, answer, err);
    }
    enum err_code rc =
        add_state(w, answer, sv_of(names[w->d->value]), w->d->rule, &event, err);
    if (rc == OK && w->d->reopen) {
        rc = grid_of(w->db, answer, &campaign, &grid, err);
    }
    return rc == OK && grid ? reopen(w, event, campaign, grid, 1, err) : rc;
}

struct pay_row {
    struct sv state, reason;
    int64_t bonus;
};

DB_ROW(pay_row, struct pay_row, state, reason, bonus);

/* The newest row of the place, or the newest before the one that decision `undoes` wrote. */
static enum err_code pay_now(struct writing *w, int64_t place, int64_t undoes, struct pay_row *out,
                             struct err *err)
{
    *out = (struct pay_row){SV("pending"), SV(""), 0};
    return db_maybe(w->db, pay_row, out, &w->arena,
                    "SELECT state, reason, bonus_cents FROM pay WHERE place = ?1 AND (?2 = 0 OR id <"
                    " (SELECT max(u.id) FROM pay u WHERE u.place = ?1 AND u.decision = ?2))"
                    " ORDER BY id DESC LIMIT 1",
                    DB_VALS(db_int(place), db_int(undoes)), err);
}

static enum err_code write_place(struct writing *w, int64_t place, struct err *err)
{
    struct pay_row to;
    int64_t event = 0;
    enum err_code rc = pay_now(w, place, w->d->undoes, &to, err);
    if (rc == OK && w->d->value == DECISION_BONUS) {
        to.bonus = w->d->bonus_cents;
    } else if (rc == OK && w->d->value != DECISION_UNDO) {
        to.state = sv_of(names[w->d->value]);
        to.reason = w->d->value == DECISION_REJECTED ? w->d->rule : SV("");
    }
    if (rc == OK) {
        rc = events_add(w->db, w->now, w->account, "place.pay", place, NULL, &event, err);
    }
    return rc == OK ? db_run(w->db,
                             "INSERT INTO pay (id, place, state, bonus_cents, reason, decision)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                             DB_VALS(db_int(event), db_int(place), db_text(to.state),
                                     db_int(to.bonus), db_text(to.reason), db_int(w->d->id)),
                             err)
                    : rc;
}

/* How many subjects are written: their rows were written in order. */
static enum err_code position(struct db *db, const struct decision_work *w, size_t *at,
                              struct err *err)
{
    int64_t last = 0;
    enum err_code rc = decisions_last_written(db, &w->d, &last, err);
    size_t lo = 0, hi = (size_t)w->d.subjects;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (w->subjects[mid] <= last) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    *at = lo;
    return rc;
}

static enum err_code check_not_undone(struct db *db, int64_t id, struct err *err)
{
    bool undone = false;
    enum err_code rc = db_exists(db, "SELECT 1 FROM decision WHERE undoes = ?1",
                                 DB_VALS(db_int(id)),
                                 &undone, err);
    return undone ? err_rule(err, ERR_CONFLICT, "decision-undone",
                             "Decision %lld was undone before it was fully written. What it had changed is "
                             "changed back.",
                             (long long)id)
                  : rc;
}

enum err_code decisions_write(struct db *db, const struct decision_work *w, int64_t account,
                              int64_t now, int64_t ms, struct decision_piece *out,
                              struct err *err)
{
    int64_t until = clock_mono_ns() + ms * 1000000;
    size_t at = 0, n = (size_t)w->d.subjects;
    struct writing x = {.db = db, .d = &w->d, .account = account, .now = now, .piece = out};
    out->written = out->n_reopened = 0;
    out->more = false;
    enum err_code rc = position(db, w, &at, err);
    if (rc != OK || at == n) {
        return rc;
    }
    rc = check_not_undone(db, w->d.id, err);
    arena_init(&x.arena, 1 << 16);
    while (rc == OK && at < n && out->written < DECISION_PIECE_MOST) {
        arena_clear(&x.arena);
        rc = w->d.pay ? write_place(&x, w->subjects[at], err)
                      : write_answer(&x, w->subjects[at], err);
        at++;
        out->written++;
        if (clock_mono_ns() >= until) {
            break;
        }
    }
    arena_release(&x.arena);
    out->more = at < n;
    return rc;
}
