/* work_flow.c - joining, leasing, submitting. Runs on the writer thread, where "exactly N" is an
 * if: nobody else can lend or count between the check and the row. */
#include "web/work_flow.h"

#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "store/people.h"

enum { CLIENT_ID_LEAST = 8, CLIENT_ID_MOST = 64, ACTIVE_MOST_MS = 24 * 3600 * 1000 };

enum err_code work_token(struct ctx *c, struct sv text, unsigned char token[WORK_TOKEN])
{
    if (crypto_unbase64url(text, token, WORK_TOKEN)) {
        return OK;
    }
    return err_rule(&c->err, ERR_NOT_FOUND, "token",
                    "This address is not complete. Open the link of the study again.");
}

const char *work_token_text(struct arena *a, const unsigned char token[WORK_TOKEN])
{
    char *text = arena_alloc(a, CRYPTO_TOKEN_TEXT);
    crypto_base64url(token, WORK_TOKEN, text);
    return text;
}

void work_order(const struct assignment *as, unsigned n, uint8_t order[GRID_CELLS])
{
    grid_order(as->seed, as->has_seed, n, order);
}

bool work_is_open(const struct campaign *k, int64_t now_ms)
{
    return sv_is(k->state, "open") && (k->opens_at == 0 || now_ms >= k->opens_at) &&
           (k->closes_at == 0 || now_ms < k->closes_at);
}

static enum err_code check_open(const struct campaign *k, int64_t now, struct err *err)
{
    if (work_is_open(k, now)) {
        return OK;
    }
    return err_rule(err, ERR_CONFLICT, "campaign-not-open",
                    "This study is not open at the moment. What you answered is kept.");
}

static enum err_code find_person(struct ctx *c, const struct work_joiner *who, int64_t now,
                                 int64_t *person)
{
    *person = 0;
    if (who->external_id.n) {
        enum err_code rc =
            people_find_external(c->db, who->source, who->external_id, person, &c->err);
        if (rc != ERR_NOT_FOUND) {
            return rc;
        }
    }
    enum err_code rc = people_create(c->db, now, 0, "worker", person, &c->err);
    if (rc == OK && who->external_id.n) {
        rc = people_identify(c->db, now, 0, *person, who->source, who->external_id, SV(""),
                             &c->err);
    }
    return rc;
}

/* The code that the worker takes back to the panel: the campaign's, or one of this place alone. */
static struct sv completion_code(struct ctx *c, const struct campaign *k)
{
    static const char letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    if (k->completion_code.n) {
        return k->completion_code;
    }
    unsigned char raw[10];
    char *code = arena_alloc(c->arena, sizeof raw + 1);
    crypto_random(raw, sizeof raw);
    for (size_t i = 0; i < sizeof raw; i++) {
        code[i] = letters[raw[i] % 32];
    }
    code[sizeof raw] = '\0';
    return sv_make(code, sizeof raw);
}

enum err_code work_join(struct ctx *c, const struct work_joiner *who, struct place *out)
{
    struct desk *desk = app_desk(c->app);
    int64_t now = clock_wall_ms();
    const struct campaign *k = desk_campaign_named(desk, who->campaign);
    if (!k) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-campaign",
                        "There is no such study here. Check the link you were given.");
    }
    if (check_open(k, now, &c->err) != OK) {
        return c->err.code;
    }
    int64_t person;
    enum err_code rc = find_person(c, who, now, &person);
    bool found = false;
    if (rc == OK) {
        rc = work_place_of(c->db, k->id, person, c->arena, out, &found, &c->err);
    }
    if (rc != OK || found) {
        return rc;
    }
    if (desk_places(desk, k->id) >= k->places) {
        return err_rule(&c->err, ERR_CONFLICT, "study-full",
                        "All places of this study are taken. Please return the task to your "
                        "panel; nothing was recorded about you.");
    }
    *out = (struct place){.campaign = k->id,
                          .person = person,
                          .code = completion_code(c, k),
                          .consent_version = k->instruction_version};
    crypto_random(out->token, WORK_TOKEN);
    rc = work_place_create(c->db, out, now, &c->err);
    if (rc == OK) {
        desk_joined(desk, k->id);
    }
    return rc;
}

int64_t work_grids_allowed(const struct campaign *k, const struct desk_progress *p)
{
    int64_t share = (int64_t)(k->max_share * (double)p->wanted);
    share = share < 1 ? 1 : share;
    return p->wanted && share < k->grids_per_place ? share : k->grids_per_place;
}

static enum err_code finished(struct work_next *out, const char *reason)
{
    out->done = true;
    out->reason = reason;
    return OK;
}

static enum err_code lend(struct ctx *c, const struct place *p, const struct campaign *k,
                          int64_t grid, int64_t now, struct work_next *out)
{
    struct desk_asker who = {p->campaign, p->person};
    struct assignment *as = &out->assignment;
    *as = (struct assignment){
        .grid = grid,
        .campaign = p->campaign,
        .person = p->person,
        .place = p->id,
        .leased_at = now,
        .lease_until = now + k->lease_seconds * 1000,
        .has_seed = k->shuffle,
        .seed = rng_fresh_seed(),
    };
    crypto_random(as->token, WORK_TOKEN);
    enum err_code rc = work_assignment_create(c->db, as, &c->err);
    if (rc == OK) {
        desk_lend(app_desk(c->app), app_tally(c->app), &who, grid, as->id, as->lease_until);
    }
    return rc;
}

enum err_code work_next(struct ctx *c, const struct place *p, struct work_next *out)
{
    *out = (struct work_next){0};
    struct desk *desk = app_desk(c->app);
    const struct tally *tally = app_tally(c->app); /* this thread folds it: no lock needed */
    int64_t now = clock_wall_ms();
    desk_expire(desk, now);
    const struct campaign *k = desk_campaign(desk, p->campaign);
    struct desk_progress progress;
    struct place_work work;
    enum err_code rc = work_place_state(c->db, p->id, c->arena, &work, &c->err);
    if (rc != OK) {
        return rc;
    }
    out->finished = work.answered;
    if (!k || !desk_progress(desk, p->campaign, &progress)) {
        return finished(out, "not-open");
    }
    out->total = work_grids_allowed(k, &progress);
    if (work.newest.id && work.newest.answer == 0 && work.newest.lease_until > now) {
        out->assignment = work.newest;
    } else if (work.answered >= out->total) {
        return finished(out, out->total < k->grids_per_place ? "share" : "finished");
    } else if (check_open(k, now, NULL) != OK) {
        return finished(out, "not-open");
    } else {
        int64_t grid = 0;
        struct desk_asker who = {p->campaign, p->person};
        rc = desk_pick(desk, tally, c->db, &who, &grid, &c->err);
        if (rc != OK) {
            return rc;
        }
        if (grid == 0) {
            return finished(out, "none-left");
        }
        rc = lend(c, p, k, grid, now, out);
    }
    const struct tally_grid *g = tally_grid(tally, out->assignment.grid);
    out->cells = g ? g->n : 0;
    return rc;
}

static bool client_id_ok(struct sv id)
{
    if (id.n < CLIENT_ID_LEAST || id.n > CLIENT_ID_MOST) {
        return false;
    }
    for (size_t i = 0; i < id.n; i++) {
        char ch = id.p[i];
        if (!((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
              ch == '-' || ch == '_')) {
            return false;
        }
    }
    return true;
}

static enum err_code check_submission(struct ctx *c, const struct work_submission *s, unsigned n)
{
    if (!client_id_ok(s->client_id)) {
        return err_rule(&c->err, ERR_INPUT, "client-id",
                        "client_id must be %d to %d letters, digits, - or _.", CLIENT_ID_LEAST,
                        CLIENT_ID_MOST);
    }
    if (!grid_mask_fits(s->shown, n)) {
        return err_rule(&c->err, ERR_INPUT, "mask",
                        "The answer selects a cell beyond the %u cells of this grid.", n);
    }
    if (s->active_ms > ACTIVE_MOST_MS) {
        return err_rule(&c->err, ERR_INPUT, "active-ms",
                        "active_ms must be at most a day in milliseconds.");
    }
    return OK;
}

enum err_code work_submit(struct ctx *c, struct assignment *as, const struct work_submission *s,
                          int64_t *event, bool *surplus)
{
    struct desk *desk = app_desk(c->app);
    const struct tally_grid *g = tally_grid(app_tally(c->app), as->grid);
    if (!g) {
        return err_set(&c->err, ERR_BUG, "grid %lld is not in the tally", (long long)as->grid);
    }
    if (check_submission(c, s, g->n) != OK) {
        return c->err.code;
    }
    if (as->answer) {
        if (!sv_eq(as->client_id, s->client_id)) {
            return err_rule(&c->err, ERR_CONFLICT, "already-answered",
                            "This task was answered already, perhaps in another tab. The first "
                            "answer is kept.");
        }
        *event = as->answer;
        *surplus = as->surplus;
        return OK;
    }
    int64_t now = clock_wall_ms();
    desk_expire(desk, now);
    uint8_t order[GRID_CELLS];
    work_order(as, g->n, order);
    bool counts = desk_counts(desk, as->campaign, as->grid, as->id);
    enum err_code rc =
        work_answer_create(c->db, as->id, s->client_id, grid_mask_stored(s->shown, order, g->n),
                           !counts, s->active_ms, s->device, now, event, &c->err);
    if (rc == OK) {
        desk_answered(desk, as->campaign, as->grid, as->id, counts);
        *surplus = !counts;
    }
    return rc;
}

enum err_code work_extend(struct ctx *c, const struct assignment *as, int64_t *until)
{
    struct desk *desk = app_desk(c->app);
    const struct campaign *k = desk_campaign(desk, as->campaign);
    int64_t now = clock_wall_ms();
    desk_expire(desk, now);
    if (as->answer) {
        return err_rule(&c->err, ERR_CONFLICT, "already-answered", "This task is answered.");
    }
    if (!k || as->lease_until <= now) {
        return err_rule(&c->err, ERR_CONFLICT, "lease-over",
                        "The reservation is over. An answer is kept and paid all the same.");
    }
    int64_t lease = k->lease_seconds * 1000;
    *until = now + lease;
    if (*until > as->leased_at + WORK_EXTENSIONS * lease) {
        return err_rule(&c->err, ERR_CONFLICT, "lease-longest",
                        "This grid was reserved long enough. Please submit what you have.");
    }
    enum err_code rc = work_assignment_extend(c->db, as->id, *until, &c->err);
    if (rc == OK) {
        desk_extend(desk, as->id, *until);
    }
    return rc;
}
