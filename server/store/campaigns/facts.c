/* facts.c - SQL for what a published set says of its campaigns. */
#include "store/campaigns/facts.h"

#include "db/rows.h"
#include "store/core/events.h"

#define ANSWERS                                                                                    \
    "SELECT count(*), coalesce(sum(w.surplus), 0), coalesce(sum((SELECT s.value FROM answer_state" \
    " s WHERE s.answer = w.id AND s.field = 'analysis' AND s.id <= ?2 ORDER BY s.id DESC LIMIT 1)" \
    " = 'out'), 0), count(DISTINCT a.person),"                                                     \
    " count(DISTINCT CASE p.kind WHEN 'simulated' THEN a.person END),"                             \
    " count(DISTINCT CASE p.kind WHEN 'imported' THEN a.person END),"                              \
    " coalesce(min(w.at), 0), coalesce(max(w.at), 0)"                                              \
    " FROM grid g JOIN assignment a ON a.grid = g.id JOIN answer w ON w.assignment = a.id"         \
    " JOIN person p ON p.id = a.person WHERE g.campaign = ?1 AND w.id <= ?2"

DB_ROW(answers_row, struct campaign_facts, answers, surplus, out, people, simulated, imported,
       first_at, last_at);
DB_ROW(dates_row, struct campaign_facts, grids, excluded, opened_at, closed_at);

static enum err_code read_dates(struct db *db, struct campaign_facts *f, struct err *err)
{
    enum err_code rc = db_maybe(
        db, dates_row, f, NULL,
        "SELECT (SELECT count(*) FROM grid WHERE campaign = ?1),"
        " (SELECT count(*) FROM grid WHERE campaign = ?1 AND excluded IS NOT NULL),"
        " coalesce((SELECT min(e.at) FROM event e WHERE e.kind = 'campaign.open'"
        "  AND e.subject = ?1 AND " EVENTS_TOLD "), 0),"
        " coalesce((SELECT max(e.at) FROM event e WHERE e.kind = 'campaign.closed'"
        "  AND e.subject = ?1 AND " EVENTS_TOLD "), 0)",
        DB_VALS(db_int(f->terms.id)), err);
    f->closed_at = sv_is(f->terms.state, "closed") ? f->closed_at : 0;
    return rc;
}

DB_ROW(campaign_consent_row, struct campaign_consent, version, text, places);

/* Texts that were written, and what places agreed to. */
static enum err_code read_consents(struct db *db, struct arena *a, struct campaign_facts *f,
                                   struct err *err)
{
    return db_list(
        db, campaign_consent_row, &f->consents, &f->n_consents, a,
        "SELECT v.version, coalesce(c.text, ''), (SELECT count(*) FROM place p"
        "  WHERE p.campaign = ?1 AND p.consent_version = v.version)"
        " FROM (SELECT version FROM consent WHERE campaign = ?1"
        "  UNION SELECT consent_version FROM place WHERE campaign = ?1) v"
        " LEFT JOIN consent c ON c.campaign = ?1 AND c.version = v.version ORDER BY v.version",
        DB_VALS(db_int(f->terms.id)), err);
}

enum err_code campaign_facts_get(struct db *db, int64_t campaign, int64_t as_of, struct arena *a,
                                 struct campaign_facts *out, struct err *err)
{
    *out = (struct campaign_facts){0};
    enum err_code rc = campaigns_get(db, campaign, a, &out->terms, err);
    rc = rc == OK ? db_maybe(db, answers_row, out, NULL, ANSWERS,
                             DB_VALS(db_int(campaign), db_int(as_of)), err)
                  : rc;
    rc = rc == OK ? read_dates(db, out, err) : rc;
    return rc == OK ? read_consents(db, a, out, err) : rc;
}

const char *campaign_facts_source(const struct campaign_facts *f)
{
    if (f->people == 0) {
        return f->terms.simulated ? "simulated" : f->terms.imported ? "imported" : "people";
    }
    return f->simulated == f->people                    ? "simulated"
           : f->simulated                               ? "mixed"
           : f->imported == f->people                   ? "imported"
           : f->imported                                ? "mixed"
                                                        : "people";
}
