/* participants.c - SQL that puts places, outcomes, answers and pay together. */
#include "store/people/participants.h"

#include <stdlib.h>

#include "db/rows.h"

#define HOUR_MS INT64_C(3600000)

/* The newest outcome and decision of each place `p`. */
#define NEWEST                                                                                     \
    " LEFT JOIN place_outcome o ON o.id = "                                                        \
    "(SELECT x.id FROM place_outcome x WHERE x.place = p.id ORDER BY x.id DESC LIMIT 1)"           \
    " LEFT JOIN pay y ON y.id = "                                                                  \
    "(SELECT x.id FROM pay x WHERE x.place = p.id ORDER BY x.id DESC LIMIT 1) "

/* The filters of PARTICIPANTS_*; which one is bound as ?4. */
#define TO_DECIDE                                                                                  \
    "o.outcome IN ('complete', 'partial') AND coalesce(y.state, 'pending') = 'pending'"
#define APPROVED "y.state = 'approved'"
#define REJECTED "y.state = 'rejected'"
#define IN_IT "o.outcome IS NULL"
#define FITS                                                                                       \
    "CASE ?4 WHEN 1 THEN " TO_DECIDE " WHEN 2 THEN " APPROVED " WHEN 3 THEN " REJECTED             \
    " WHEN 4 THEN " IN_IT " ELSE 1 END "

#define COLUMNS                                                                                    \
    "SELECT p.id, p.person, p.campaign, p.joined_at, "                                             \
    "coalesce((SELECT at FROM event WHERE id = o.id), n.last_at), coalesce(n.grids, 0), "          \
    "coalesce(n.active_ms, 0), "                                                                   \
    "CASE o.outcome WHEN 'complete' THEN c.pay_cents ELSE 0 END, coalesce(y.bonus_cents, 0), "     \
    "coalesce(s.floor_cents, 0), coalesce(y.id, 0), "                                              \
    "EXISTS (SELECT 1 FROM participant l WHERE l.campaign = p.campaign AND l.person = p.person), " \
    "EXISTS (SELECT 1 FROM blocked b WHERE b.person = p.person), "                                 \
    "w.forgotten_at IS NOT NULL, "                                                                 \
    "w.pseudonym, i.external_id, p.consent_version, o.outcome, "                                   \
    "CASE WHEN o.outcome = 'complete' THEN coalesce(nullif(k.code, ''), p.code) ELSE k.code END, " \
    "coalesce(y.state, 'pending'), y.reason, r.parameters, c.name, c.title, c.currency "

#define TABLES                                                                                     \
    "JOIN campaign c ON c.id = p.campaign JOIN person w ON w.id = p.person " NEWEST                \
    "LEFT JOIN identity i ON i.person = p.person LEFT JOIN study s ON s.campaign = p.campaign "    \
    "LEFT JOIN study_code k ON k.campaign = p.campaign AND k.outcome = o.outcome "                 \
    "LEFT JOIN arrival r ON r.place = p.id LEFT JOIN worked n ON n.place = p.id "

DB_ROW(participant_row, struct participant, place, person, campaign, joined_at, ended_at, grids,
       active_ms, pay_cents, bonus_cents, floor_cents, pay_event, listed, blocked, forgotten,
       pseudonym, external_id, consent_version, outcome, code, pay_state, pay_reason, arrival,
       campaign_name, campaign_title, currency);

/* What the places of the table `chosen` answered: of the rows of a page alone, and in one walk. CROSS
 * keeps SQLite from walking all assignments instead. */
#define WORKED                                                                                     \
    "worked AS MATERIALIZED (SELECT a.place AS place, count(*) AS grids, "                         \
    "sum(w.active_ms) AS active_ms, max(w.at) AS last_at FROM chosen h "                           \
    "CROSS JOIN assignment a ON a.place = h.id CROSS JOIN answer w ON w.assignment = a.id "        \
    "GROUP BY a.place) "

/* A figure of the place `p` to sort by. */
#define ANSWERED(figure)                                                                           \
    "(SELECT " figure " FROM assignment a JOIN answer w ON w.assignment = a.id WHERE a.place = p.id)"
/* As participant_rate. */
#define RATE                                                                                       \
    "CASE WHEN o.outcome = 'complete' AND coalesce(y.state, '') <> 'rejected' "                    \
    "AND (c.pay_cents + coalesce(y.bonus_cents, 0) > 0 OR s.floor_cents > 0) THEN "                \
    "1.0 * (c.pay_cents + coalesce(y.bonus_cents, 0)) / nullif(" ANSWERED("sum(w.active_ms)")      \
    ", 0) END"
#define PAGE(key, way)                                                                             \
    "WITH chosen AS MATERIALIZED (SELECT p.id, " key " AS key FROM place p" NEWEST                 \
    "JOIN campaign c ON c.id = p.campaign LEFT JOIN study s ON s.campaign = p.campaign "           \
    "WHERE p.campaign = ?1 AND p.person > ?2 AND " FITS                                            \
    "ORDER BY key" way ", p.person LIMIT ?3 OFFSET ?5), "                                          \
    WORKED COLUMNS "FROM chosen h JOIN place p ON p.id = h.id " TABLES                             \
    "ORDER BY h.key" way ", p.person"

enum err_code participants_page(struct db *db, int64_t campaign, const struct participants_ask *ask,
                                struct arena *a, struct participant **out, size_t *n,
                                struct err *err)
{
    static const char *const sql[PARTICIPANTS_SORTS][2] = {
        [PARTICIPANTS_BY_PERSON] = {PAGE("p.person", ""), PAGE("p.person", " DESC")},
        [PARTICIPANTS_BY_GRIDS] = {PAGE(ANSWERED("count(*)"), ""), PAGE(ANSWERED("count(*)"), " DESC")},
        [PARTICIPANTS_BY_ACTIVE] = {PAGE(ANSWERED("total(w.active_ms)"), ""),
                                    PAGE(ANSWERED("total(w.active_ms)"), " DESC")},
        [PARTICIPANTS_BY_RATE] = {PAGE(RATE, " NULLS LAST"), PAGE(RATE, " DESC NULLS LAST")},
    };
    return db_list(db, participant_row, out, n, a, sql[ask->sort][ask->falling],
                   DB_VALS(db_int(campaign), db_int(ask->after), db_int((int64_t)ask->most),
                           db_int((int64_t)ask->filter), db_int((int64_t)ask->skip)),
                   err);
}

enum err_code participants_of(struct db *db, int64_t person, struct arena *a,
                              struct participant **out, size_t *n, struct err *err)
{
    return db_list(db, participant_row, out, n, a,
                   "WITH chosen AS MATERIALIZED (SELECT id FROM place WHERE person = ?1), " WORKED
                       COLUMNS "FROM chosen h JOIN place p ON p.id = h.id " TABLES
                               "ORDER BY p.id DESC",
                   DB_VALS(db_int(person)), err);
}

int64_t participant_rate(const struct participant *p)
{
    bool paid = sv_is(p->outcome, "complete") && !sv_is(p->pay_state, "rejected");
    int64_t cents = p->pay_cents + p->bonus_cents;
    return paid && p->active_ms > 0 && (cents || p->floor_cents) ? cents * HOUR_MS / p->active_ms
                                                                 : -1;
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t median(int64_t *values, size_t n)
{
    if (n == 0) {
        return 0;
    }
    qsort(values, n, sizeof *values, by_size);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* The newest complete places: a campaign may have thousands, and a page must not wait for them. */
static enum err_code times(struct db *db, int64_t campaign, struct participants_summary *out,
                           struct err *err)
{
    struct db_rows rows;
    int64_t active[PARTICIPANTS_TIMED], rate[PARTICIPANTS_TIMED];
    size_t n = 0;
    bool promised = false; /* something is paid, or should be */
    enum err_code rc = db_begin(
        db,
        "WITH done AS MATERIALIZED (SELECT p.id, coalesce(y.bonus_cents, 0) AS bonus "
        "FROM place p" NEWEST "WHERE p.campaign = ?1 AND o.outcome = 'complete' "
        "AND coalesce(y.state, '') <> 'rejected' ORDER BY o.id DESC LIMIT ?2) "
        "SELECT (SELECT sum(w.active_ms) FROM assignment a JOIN answer w ON w.assignment = a.id "
        "WHERE a.place = d.id) AS ms, c.pay_cents + d.bonus, coalesce(s.floor_cents, 0) FROM done d "
        "JOIN campaign c ON c.id = ?1 LEFT JOIN study s ON s.campaign = ?1",
        DB_VALS(db_int(campaign), db_int(PARTICIPANTS_TIMED)), &rows, err);
    while (rc == OK && n < PARTICIPANTS_TIMED && db_step(&rows, err)) {
        int64_t ms = db_col_int(&rows, 0);
        if (ms > 0) {
            active[n] = ms;
            rate[n++] = db_col_int(&rows, 1) * HOUR_MS / ms;
            promised = promised || db_col_int(&rows, 1) || db_col_int(&rows, 2);
        }
    }
    out->timed = (int64_t)n;
    out->median_active_ms = median(active, n);
    out->median_rate_cents = promised ? median(rate, n) : -1;
    return db_end_after(&rows, rc);
}

DB_ROW(summary_row, struct participants_summary, fit[PARTICIPANTS_ALL], fit[PARTICIPANTS_TO_DECIDE],
       fit[PARTICIPANTS_APPROVED], fit[PARTICIPANTS_REJECTED], fit[PARTICIPANTS_IN_IT], complete, ready);

enum err_code participants_summary(struct db *db, int64_t campaign,
                                   struct participants_summary *out, struct err *err)
{
    *out = (struct participants_summary){0};
    enum err_code rc = db_maybe(db, summary_row, out, NULL,
                                "SELECT count(*), sum(" TO_DECIDE "), sum(" APPROVED "), "
                                "sum(" REJECTED "), sum(" IN_IT "), sum(o.outcome = 'complete'), "
                                "sum(o.outcome = 'complete' "
                                "AND coalesce(y.state, 'pending') = 'pending') FROM place p" NEWEST
                                "WHERE p.campaign = ?1",
                                DB_VALS(db_int(campaign)), err);
    return rc == OK ? times(db, campaign, out, err) : rc;
}

DB_ROW(underpaid_row, struct underpaid, place, grids, active_ms, rate_cents, floor_cents, pseudonym,
       kind, campaign_name, campaign_title, currency, forgotten);

/* The walk goes back from the newest outcome and ends early, so that it costs the same in a long
 * project; without any floor it does not begin. */
enum err_code participants_underpaid(struct db *db, size_t most, struct arena *a,
                                     struct underpaid **out, size_t *n, int64_t *all,
                                     struct err *err)
{
    enum err_code rc = db_list(
        db, underpaid_row, out, n, a,
        "WITH done AS MATERIALIZED (SELECT o.place, p.person, p.campaign, s.floor_cents, "
        "coalesce(y.bonus_cents, 0) AS bonus FROM place_outcome o "
        "CROSS JOIN place p ON p.id = o.place CROSS JOIN study s ON s.campaign = p.campaign "
        "LEFT JOIN pay y ON y.id = "
        "(SELECT x.id FROM pay x WHERE x.place = p.id ORDER BY x.id DESC LIMIT 1) "
        "WHERE EXISTS (SELECT 1 FROM study WHERE floor_cents > 0) AND s.floor_cents > 0 "
        "AND o.outcome = 'complete' AND NOT EXISTS "
        "(SELECT 1 FROM place_outcome l WHERE l.place = o.place AND l.id > o.id) "
        "AND o.id > coalesce((SELECT id FROM place_outcome ORDER BY id DESC LIMIT 1 OFFSET 2000), 0) "
        "AND coalesce(y.state, '') <> 'rejected' ORDER BY o.id DESC LIMIT ?1), "
        "timed AS MATERIALIZED (SELECT d.*, (SELECT sum(w.active_ms) FROM assignment a "
        "JOIN answer w ON w.assignment = a.id WHERE a.place = d.place) AS ms, (SELECT count(*) "
        "FROM assignment a JOIN answer w ON w.assignment = a.id WHERE a.place = d.place) AS grids "
        "FROM done d) "
        "SELECT t.place, t.grids, t.ms, (c.pay_cents + t.bonus) * 3600000 / t.ms AS rate, "
        "t.floor_cents, w.pseudonym, w.kind, c.name, c.title, c.currency, "
        "w.forgotten_at IS NOT NULL FROM timed t JOIN campaign c ON c.id = t.campaign "
        "JOIN person w ON w.id = t.person WHERE t.ms > 0 AND rate < t.floor_cents "
        "ORDER BY 1.0 * rate / t.floor_cents, t.place",
        DB_VALS(db_int(PARTICIPANTS_TIMED)), err);
    *all = (int64_t)*n;
    *n = *n < most ? *n : most;
    return rc;
}
