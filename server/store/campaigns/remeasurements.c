/* remeasurements.c - SQL for remeasurement and campaign_apart. */
#include "store/campaigns/remeasurements.h"

#include "db/rows.h"

/* *revision 0: the campaign measures no set again. */
static enum err_code measured_again(struct db *db, int64_t campaign, int64_t *revision,
                                     struct err *err)
{
    return db_one_int(
        db, "SELECT coalesce((SELECT revision FROM remeasurement WHERE campaign = ?1), 0)",
        DB_VALS(db_int(campaign)), revision, err);
}

enum err_code remeasurements_add(struct db *db, int64_t campaign, int64_t revision,
                                 const int64_t *apart, size_t n, struct err *err)
{
    int64_t there = 0;
    enum err_code rc = measured_again(db, campaign, &there, err);
    if (rc == OK && there && there != revision) {
        return err_rule(err, ERR_CONFLICT, "remeasurement-differs",
                        "This campaign was planned to measure a different set again. Nothing was written; "
                        "choose another name with --campaign.");
    }
    if (rc == OK && !there) {
        rc = db_run(db, "INSERT INTO remeasurement (campaign, revision) VALUES (?1, ?2)",
                    DB_VALS(db_int(campaign), db_int(revision)), err);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = db_run(db, "INSERT OR IGNORE INTO campaign_apart (campaign, other) VALUES (?1, ?2)",
                    DB_VALS(db_int(campaign), db_int(apart[i])), err);
    }
    return rc;
}

enum err_code remeasurements_list(struct db *db, int64_t revision, struct arena *a, int64_t **out,
                                  size_t *n, struct err *err)
{
    return db_list_int(db, "SELECT campaign FROM remeasurement WHERE revision = ?1 ORDER BY campaign",
                       DB_VALS(db_int(revision)), a, out, n, err);
}

enum err_code remeasurements_met(struct db *db, int64_t campaign, int64_t person, bool *met,
                                 struct err *err)
{
    int64_t found = 0;
    enum err_code rc = db_one_int(
        db,
        "SELECT EXISTS (SELECT 1 FROM campaign_apart p WHERE p.campaign = ?1) AND EXISTS"
        " (SELECT 1 FROM assignment a JOIN grid g ON g.id = a.grid"
        "  JOIN campaign_apart p ON p.campaign = ?1 AND p.other = g.campaign WHERE a.person = ?2)",
        DB_VALS(db_int(campaign), db_int(person)), &found, err);
    *met = found != 0;
    return rc;
}

enum err_code remeasurements_people(struct db *db, int64_t revision, struct arena *a,
                                    int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db,
                       "SELECT DISTINCT a.person FROM assignment a JOIN grid g ON g.id = a.grid"
                       " WHERE g.campaign IN (SELECT p.other FROM campaign_apart p JOIN remeasurement r"
                       "  ON r.campaign = p.campaign WHERE r.revision = ?1) ORDER BY a.person",
                       DB_VALS(db_int(revision)), a, out, n, err);
}
