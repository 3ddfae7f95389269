/* campaigns.c - SQL for campaigns. */
#include "store/campaigns/campaigns.h"

#include "base/xalloc.h"
#include "db/rows.h"
#include "store/campaigns/studies.h"
#include "store/core/events.h"

/* Of the terms that can be changed, as the options of `holdout grids` have them. */
enum { TITLE_MOST = 200, GRIDS_MOST = 10000, PAY_MOST = 1000000, MINUTES_MOST = 1000 };

#define COLUMNS                                                                                    \
    "id, name, kind, title, population, currency, layout, rule_text, instruction_version, "        \
    "completion_code, state, imported, simulated, same_image_again, shuffle, bulk_select, "        \
    "answers_per_grid, grids_per_place, places, lease_seconds, pay_cents, min_screen, "            \
    "gold_per_grid, coverage, max_share, expected_minutes, opens_at, closes_at, seed, created_at, "  \
    "task = 'classify', none_of_these"

void campaign_defaults(struct campaign *c)
{
    *c = (struct campaign){
        .kind = SV("main"),
        .currency = SV("USD"),
        .layout = SV("overview"),
        .rule_text = SV("Select an image if it contains at least one such object, regardless of "
                        "occlusion, other objects, clutter or text. Only photographs count: no "
                        "drawings or paintings."),
        .instruction_version = SV("1"),
        .state = SV("draft"),
        .shuffle = true,
        .answers_per_grid = 10,
        .grids_per_place = 20,
        .places = 1000000,
        .lease_seconds = 600,
        .coverage = 20,
        .max_share = 0.02,
        .expected_minutes = 15,
    };
}

void campaign_defaults_classify(struct campaign *c)
{
    campaign_defaults(c);
    c->classify = true;
    c->coverage = 0;
    c->answers_per_grid = 9;
    c->grids_per_place = 30;
    c->expected_minutes = 8;
    c->rule_text = SV("Tick exactly one label for each distinct object in the photo, the likeliest one when you are not sure. "
                      "Parts count as objects of their own: a \"car\" and its \"car wheel\" are two. Then choose the label of "
                      "the main object.");
}

bool campaign_name_ok(struct sv name)
{
    bool good = name.n > 0 && name.n <= 64 && !sv_is(name, "new");
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        good = good && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
    }
    return good;
}

/* What pages show later without looking again. */
static enum err_code check_texts(const struct campaign *c, struct err *err)
{
    const struct sv texts[] = {c->title, c->population, c->currency, c->rule_text,
                               c->instruction_version, c->completion_code};
    if (!campaign_name_ok(c->name)) {
        return err_rule(err, ERR_INPUT, "campaign-name",
                        "A campaign's name must be " CAMPAIGN_NAME ".");
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!sv_utf8(texts[i])) {
            return err_rule(err, ERR_INPUT, "utf-8", "A text of campaign " SV_FMT
                            " is not UTF-8.", SV_ARG(c->name));
        }
    }
    return OK;
}

enum err_code campaigns_create(struct db *db, struct campaign *c, int64_t account, int64_t now,
                               struct err *err)
{
    int64_t there = 0;
    if (check_texts(c, err) != OK) {
        return ERR_INPUT;
    }
    enum err_code rc = db_one_int(db, "SELECT 1 FROM campaign WHERE name = ?1",
                                  DB_VALS(db_text(c->name)), &there, err);
    if (rc == OK) {
        return err_rule(err, ERR_CONFLICT, "campaign-exists",
                        "There is already a campaign named " SV_FMT ".", SV_ARG(c->name));
    }
    if (rc != ERR_NOT_FOUND) {
        return rc;
    }
    rc = db_run(db,
                "INSERT INTO campaign (name, kind, title, population, currency, layout, rule_text,"
                " instruction_version, completion_code, state, imported, simulated,"
                " same_image_again, shuffle, answers_per_grid, grids_per_place, places,"
                " lease_seconds, pay_cents, min_screen, max_share, expected_minutes, opens_at,"
                " closes_at, seed, created_at, bulk_select, gold_per_grid, coverage, task,"
                " none_of_these)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,"
                " ?17, ?18, ?19, ?20, ?21, ?22, nullif(?23, 0), nullif(?24, 0), ?25, ?26, ?27,"
                " ?28, ?29, ?30, ?31)",
                DB_VALS(db_text(c->name), db_text(c->kind), db_text(c->title),
                        db_text(c->population), db_text(c->currency), db_text(c->layout),
                        db_text(c->rule_text), db_text(c->instruction_version),
                        db_text(c->completion_code), db_text(c->state), db_int(c->imported),
                        db_int(c->simulated), db_int(c->same_image_again), db_int(c->shuffle),
                        db_int(c->answers_per_grid), db_int(c->grids_per_place),
                        db_int(c->places), db_int(c->lease_seconds), db_int(c->pay_cents),
                        db_int(c->min_screen), db_real(c->max_share),
                        db_real(c->expected_minutes), db_int(c->opens_at), db_int(c->closes_at),
                        db_int(c->seed), db_int(now), db_int(c->bulk_select),
                        db_int(c->gold_per_grid), db_int(c->coverage),
                        db_str(c->classify ? "classify" : "contains"), db_int(c->none_of_these)),
                err);
    if (rc != OK) {
        return rc;
    }
    c->id = db_last_id(db);
    c->created_at = now;
    rc = c->imported ? OK : studies_create(db, c->id, c->completion_code, err);
    return rc == OK ? events_add(db, now, account, "campaign.create", c->id, NULL, NULL, err) : rc;
}

DB_ROW(campaign_row, struct campaign, id, name, kind, title, population, currency, layout,
       rule_text, instruction_version, completion_code, state, imported, simulated,
       same_image_again, shuffle, bulk_select, answers_per_grid, grids_per_place, places,
       lease_seconds, pay_cents, min_screen, gold_per_grid, coverage, max_share, expected_minutes,
       opens_at, closes_at, seed, created_at, classify, none_of_these);

static enum err_code find_one(struct db *db, const char *sql, struct db_val key, struct arena *a,
                              struct campaign *out, struct err *err)
{
    enum err_code rc = db_find(db, campaign_row, out, a, sql, &key, 1, err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "no-campaign", "There is no such campaign.") : rc;
}

enum err_code campaigns_find(struct db *db, struct sv name, struct arena *a, struct campaign *out,
                             struct err *err)
{
    return find_one(db, "SELECT " COLUMNS " FROM campaign WHERE name = ?1", db_text(name), a, out,
                    err);
}

enum err_code campaigns_get(struct db *db, int64_t id, struct arena *a, struct campaign *out,
                            struct err *err)
{
    return find_one(db, "SELECT " COLUMNS " FROM campaign WHERE id = ?1", db_int(id), a, out, err);
}

enum err_code campaigns_list(struct db *db, bool own_only, struct arena *a, struct campaign **out,
                             size_t *n, struct err *err)
{
    return db_list(db, campaign_row, out, n, a,
                   "SELECT " COLUMNS " FROM campaign WHERE ?1 = 0 OR (state <> 'draft' AND imported"
                   " = 0) ORDER BY id DESC",
                   DB_VALS(db_int(own_only)), err);
}

enum err_code campaigns_answered(struct db *db, int64_t id, int64_t *answers, int64_t *wanted,
                                 struct err *err)
{
    enum err_code rc =
        db_one_int(db,
                   "SELECT count(*) FROM grid g JOIN assignment a ON a.grid = g.id"
                   " JOIN answer w ON w.assignment = a.id WHERE g.campaign = ?1 AND w.surplus = 0",
                   DB_VALS(db_int(id)), answers, err);
    return rc == OK ? db_one_int(db,
                                 "SELECT k.answers_per_grid * (SELECT count(*) FROM grid g"
                                 " WHERE g.campaign = k.id) FROM campaign k WHERE k.id = ?1",
                                 DB_VALS(db_int(id)), wanted, err)
                    : rc;
}

bool campaign_titled(const struct campaign *c)
{
    return c->title.n > 0 && !sv_eq(c->title, c->name);
}

struct plan_terms campaign_plan_terms(const struct campaign *c)
{
    return (struct plan_terms){c->answers_per_grid, c->grids_per_place, c->pay_cents, c->max_share,
                               c->expected_minutes};
}

static enum err_code check_terms(const struct campaign *c, struct err *err)
{
    if (c->title.n == 0 || c->title.n > TITLE_MOST || !sv_utf8(c->title)) {
        return err_rule(err, ERR_INPUT, "title", "The title must be 1 to %d bytes of text.", TITLE_MOST);
    }
    if (c->pay_cents < 0 || c->pay_cents > PAY_MOST) {
        return err_rule(err, ERR_INPUT, "pay", "The pay must be 0 to %d.00.", PAY_MOST / 100);
    }
    if (c->grids_per_place < 1 || c->grids_per_place > GRIDS_MOST) {
        return err_rule(err, ERR_INPUT, "grids_per_place", "Grids per person must be 1 to %d.", GRIDS_MOST);
    }
    if (!(c->expected_minutes >= 0.1 && c->expected_minutes <= MINUTES_MOST)) {
        return err_rule(err, ERR_INPUT, "minutes", "The minutes must be 0.1 to %d.", MINUTES_MOST);
    }
    if (!(c->max_share > 0 && c->max_share <= 1)) {
        return err_rule(err, ERR_INPUT, "max_share", "The share must be more than 0 %% and at most 100 %%.");
    }
    return OK;
}

enum err_code campaigns_set_terms(struct db *db, const struct campaign *c, int64_t account, int64_t now,
                                  struct err *err)
{
    enum err_code rc = check_terms(c, err);
    if (rc == OK) {
        rc = db_run(db,
                    "UPDATE campaign SET title = ?2, grids_per_place = ?3, max_share = ?4, pay_cents = ?5,"
                    " expected_minutes = ?6 WHERE id = ?1 AND state = 'draft' AND imported = 0",
                    DB_VALS(db_int(c->id), db_text(c->title), db_int(c->grids_per_place),
                            db_real(c->max_share), db_int(c->pay_cents), db_real(c->expected_minutes)),
                    err);
    }
    if (rc == OK && db_changes(db) == 0) {
        rc = err_rule(err, ERR_CONFLICT, "not-a-draft",
                      "The campaign is not a draft, so its terms have been promised to people. Nothing was "
                      "changed. For other terms, plan another campaign.");
    }
    return rc == OK ? events_add(db, now, account, "campaign.terms", c->id, NULL, NULL, err) : rc;
}

enum err_code campaigns_set_state(struct db *db, int64_t id, const char *state, int64_t account,
                                  int64_t now, struct err *err)
{
    enum err_code rc = db_run(db, "UPDATE campaign SET state = ?2 WHERE id = ?1",
                              DB_VALS(db_int(id), db_str(state)), err);
    if (rc != OK) {
        return rc;
    }
    char kind[32];
    snprintf(kind, sizeof kind, "campaign.%s", state);
    return events_add(db, now, account, kind, id, NULL, NULL, err);
}
