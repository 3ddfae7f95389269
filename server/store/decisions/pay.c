/* pay.c - SQL for the pay table. Knows nothing of panels. */
#include "store/decisions/pay.h"

#include "base/arena.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/people/names.h"

static const char *const states[] = {"pending", "approved", "rejected"};
static const char *const kinds[] = {"pay.pending", "pay.approved", "pay.rejected"};

static int state_number(struct sv state)
{
    for (int i = 0; i < 3; i++) {
        if (sv_is(state, states[i])) {
            return i;
        }
    }
    return -1;
}

bool pay_amount(struct sv text, int64_t *cents)
{
    struct sv rest = text;
    struct sv whole = sv_cut(&rest, '.');
    int64_t units = 0, part = 0;
    bool digits = whole.n > 0 && whole.p[0] != '-' && whole.p[0] != '+';
    if (!digits || !sv_i64(whole, &units) || units > PAY_BONUS_MOST / 100) {
        return false;
    }
    if (rest.p && (rest.n < 1 || rest.n > 2 || rest.p[0] == '-' || rest.p[0] == '+' ||
                   !sv_i64(rest, &part))) {
        return false;
    }
    *cents = units * 100 + (rest.n == 1 ? 10 * part : part);
    return *cents <= PAY_BONUS_MOST;
}

enum err_code pay_check(const struct pay_change *change, struct err *err)
{
    if (change->state.n && state_number(change->state) < 0) {
        return err_rule(err, ERR_INPUT, "pay-state",
                        "Pay must be pending, approved or rejected. Nothing was changed.");
    }
    if (change->bonus_cents < -1 || change->bonus_cents > PAY_BONUS_MOST) {
        return err_rule(err, ERR_INPUT, "pay-bonus",
                        "A bonus must be an amount from 0 to %d. Nothing was changed.",
                        PAY_BONUS_MOST / 100);
    }
    if (change->reason.n > PAY_REASON_MOST || !sv_utf8(change->reason)) {
        return err_rule(err, ERR_INPUT, "pay-reason",
                        "A reason must be text of at most %d bytes. Nothing was changed.",
                        PAY_REASON_MOST);
    }
    if (sv_is(change->state, "rejected") && change->reason.n == 0) {
        return err_rule(err, ERR_INPUT, "pay-reason",
                        "A rejection needs a reason, which the person can read. Nothing was changed.");
    }
    return OK;
}

struct decided {
    int64_t person, bonus;
    struct sv state, reason;
};

DB_ROW(decided_row, struct decided, person, state, bonus, reason);

static enum err_code no_place(struct err *err)
{
    return err_rule(err, ERR_NOT_FOUND, "no-place", "There is no such participant in this campaign.");
}

static enum err_code current(struct db *db, int64_t place, struct arena *a, struct decided *out,
                             struct err *err)
{
    enum err_code rc = db_find(db, decided_row, out, a,
                               "SELECT p.person, coalesce(y.state, 'pending'), y.bonus_cents, "
                               "y.reason FROM place p LEFT JOIN pay y ON y.id = "
                               "(SELECT max(id) FROM pay WHERE place = p.id) WHERE p.id = ?1",
                               DB_VALS(db_int(place)), err);
    return rc == ERR_NOT_FOUND ? no_place(err) : rc;
}

static enum err_code add(struct db *db, int64_t place, int state, int64_t bonus, struct sv reason,
                         int64_t account, int64_t now, struct err *err)
{
    int64_t id;
    enum err_code rc = events_add(db, now, account, kinds[state], place, NULL, &id, err);
    return rc == OK ? db_run(db,
                             "INSERT INTO pay (id, place, state, bonus_cents, reason) "
                             "VALUES (?1, ?2, ?3, ?4, ?5)",
                             DB_VALS(db_int(id), db_int(place), db_str(states[state]),
                                     db_int(bonus), db_text(reason)),
                             err)
                    : rc;
}

enum err_code pay_decide(struct db *db, int64_t place, const struct pay_change *change,
                         int64_t account, int64_t now, bool *changed, struct err *err)
{
    struct arena arena;
    struct decided was = {0};
    arena_init(&arena, 1 << 16);
    enum err_code rc = pay_check(change, err);
    rc = rc == OK ? current(db, place, &arena, &was, err) : rc;
    rc = rc == OK ? names_refuse(db, was.person, change->reason, err) : rc;
    if (rc == OK) {
        int was_state = state_number(was.state);
        int state = change->state.n ? state_number(change->state) : was_state;
        int64_t bonus = change->bonus_cents >= 0 ? change->bonus_cents : was.bonus;
        struct sv reason = change->state.n || change->reason.n ? change->reason : was.reason;
        *changed = state != was_state || bonus != was.bonus || !sv_eq(reason, was.reason);
        rc = *changed ? add(db, place, state, bonus, reason, account, now, err) : OK;
    }
    arena_release(&arena);
    return rc;
}

DB_ROW(pay_now_row, struct pay_now, id, bonus_cents, state, reason);

enum err_code pay_get(struct db *db, int64_t campaign, int64_t place, struct arena *a,
                      struct pay_now *out, struct err *err)
{
    enum err_code rc = db_find(db, pay_now_row, out, a,
                               "SELECT coalesce(y.id, 0), coalesce(y.bonus_cents, 0), "
                               "coalesce(y.state, 'pending'), coalesce(y.reason, '') FROM place p "
                               "LEFT JOIN pay y ON y.id = (SELECT max(id) FROM pay WHERE place = "
                               "p.id) WHERE p.id = ?1 AND p.campaign = ?2",
                               DB_VALS(db_int(place), db_int(campaign)), err);
    return rc == ERR_NOT_FOUND ? no_place(err) : rc;
}

/* Lists for the panel, as the event of whoever took one names them. */
#define PAY_LIST_TAKEN                                                                             \
    EVENTS_TOLD " AND e.kind = 'export.panel-ids' AND json_extract(e.detail, '$.what') IN "        \
                "('approve', 'reject', 'bonus') "

enum err_code pay_exported(struct db *db, int64_t campaign, int64_t event, bool *exported,
                           struct err *err)
{
    int64_t n = 0;
    enum err_code rc = db_one_int(db,
                                  "SELECT EXISTS (SELECT 1 FROM event e WHERE e.subject = ?1 AND "
                                  "e.id > ?2 AND " PAY_LIST_TAKEN ")",
                                  DB_VALS(db_int(campaign), db_int(event)), &n, err);
    *exported = n > 0;
    return rc;
}

enum err_code pay_exported_after(struct db *db, int64_t decision, bool *exported, struct err *err)
{
    int64_t n = 0;
    enum err_code rc = db_one_int(db,
                                  "SELECT EXISTS (SELECT 1 FROM event e WHERE e.subject IN "
                                  "(SELECT DISTINCT p.campaign FROM pay y JOIN place p ON p.id = "
                                  "y.place WHERE y.decision = ?1) AND e.id > ?1 AND " PAY_LIST_TAKEN
                                  ")",
                                  DB_VALS(db_int(decision)), &n, err);
    *exported = n > 0;
    return rc;
}

#define COMPLETE_AND_PENDING                                                                       \
    "FROM place p WHERE p.campaign = ?1 AND "                                                      \
    "(SELECT o.outcome FROM place_outcome o WHERE o.place = p.id ORDER BY o.id DESC LIMIT 1) = "   \
    "'complete' AND coalesce((SELECT y.state FROM pay y WHERE y.place = p.id "                     \
    "ORDER BY y.id DESC LIMIT 1), 'pending') = 'pending'"

enum err_code pay_count_complete(struct db *db, int64_t campaign, int64_t *n, struct err *err)
{
    return db_one_int(db, "SELECT count(*) " COMPLETE_AND_PENDING, DB_VALS(db_int(campaign)), n,
                      err);
}

enum err_code pay_approve_complete(struct db *db, int64_t campaign, size_t most, int64_t account,
                                   int64_t now, size_t *n, struct err *err)
{
    static const struct pay_change approve = {{"approved", 8}, -1, {NULL, 0}};
    struct arena arena;
    int64_t *places;
    bool changed;
    arena_init(&arena, 1 << 20);
    enum err_code rc = db_list_int(db, "SELECT p.id " COMPLETE_AND_PENDING " LIMIT ?2",
                                   DB_VALS(db_int(campaign), db_int((int64_t)most)), &arena, &places,
                                   n, err);
    for (size_t i = 0; i < *n && rc == OK; i++) {
        rc = pay_decide(db, places[i], &approve, account, now, &changed, err);
    }
    arena_release(&arena);
    return rc;
}
