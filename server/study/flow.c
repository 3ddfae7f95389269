/* flow.c - leasing and submitting. Runs on the writer thread, where "exactly N" is an
 * if: nobody else can lend or count between the check and the row. */
#include "study/flow.h"

#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "crypto/crypto.h"
#include "domain/labels/objects.h"
#include "store/work/flags.h"
#include "study/end.h"
#include "study/quarantine.h"

enum { CLIENT_ID_LEAST = 8, CLIENT_ID_MOST = 64, ACTIVE_MOST_MS = 24 * 3600 * 1000 };

enum err_code flow_token(struct sv text, unsigned char token[WORK_TOKEN], struct err *err)
{
    if (crypto_unbase64url(text, token, WORK_TOKEN)) {
        return OK;
    }
    return err_rule(err, ERR_NOT_FOUND, "token",
                    "This address is not complete. Open the link of the study again.");
}

const char *flow_token_text(struct arena *a, const unsigned char token[WORK_TOKEN])
{
    char *text = arena_alloc(a, CRYPTO_TOKEN_TEXT);
    crypto_base64url(token, WORK_TOKEN, text);
    return text;
}

void flow_order(const struct assignment *as, unsigned n, uint8_t order[GRID_CELLS])
{
    grid_order(as->seed, as->has_seed, n, order);
}

bool flow_is_open(const struct campaign *k, int64_t now_ms)
{
    return sv_is(k->state, "open") && (k->opens_at == 0 || now_ms >= k->opens_at) &&
           (k->closes_at == 0 || now_ms < k->closes_at);
}

/* Most grids one person may answer: the campaign's own number, the share of all answers, or all that there are. */
static int64_t grids_allowed(const struct campaign *k, const struct desk_progress *p)
{
    return plan_grids_a_person(k->grids_per_place, k->max_share, p->wanted, p->grids);
}

int64_t flow_grids_now(const struct study *study, const struct campaign *k)
{
    struct desk_progress progress;
    board_progress_of(study->board, study->tally, k, &progress);
    return grids_allowed(k, &progress);
}

static enum err_code finished(struct flow_next *out, const char *reason)
{
    out->done = true;
    out->reason = reason;
    return OK;
}

/* The lease of an assignment goes on, or begins again: the row first, the desk last. */
static enum err_code hold(const struct study *study, struct assignment *as, int64_t now,
                          int64_t until)
{
    struct desk *desk = study->desk;
    bool live = as->lease_until > now;
    as->lease_until = until;
    enum err_code rc = work_assignment_lease(study->db, as, study->err);
    if (rc == OK && !(live && desk_extend(desk, as->id, until)) &&
        desk_has_slot(desk, as->campaign, as->grid)) {
        struct desk_asker who = {.campaign = as->campaign, .person = as->person};
        desk_lend(desk, study->tally, &who, as->grid, as->id, until);
    }
    return rc;
}

static enum err_code lend(const struct study *study, const struct place *p,
                          const struct campaign *k, int64_t grid, int64_t now,
                          struct assignment *as)
{
    struct desk_asker who = {.campaign = p->campaign, .person = p->person};
    crypto_random(as->token, WORK_TOKEN);
    as->grid = grid;
    as->campaign = p->campaign;
    as->person = p->person;
    as->place = p->id;
    as->visit = p->visit;
    as->leased_at = now;
    as->classify = k->classify;
    as->has_seed = k->shuffle;
    as->seed = rng_fresh_seed();
    enum err_code rc = work_assignment_create(study->db, as, study->err);
    if (rc == OK) {
        desk_lend(study->desk, study->tally, &who, grid, as->id, as->lease_until);
    }
    return rc;
}

/* One request for a grid: what is known, and what comes out. */
struct asking {
    const struct study *study;
    const struct place *p;
    const struct campaign *k;
    bool ahead, again;  /* again: a lapsed place that counts again from this grid */
    int64_t now, until; /* of the lease that is asked for */
    struct place_open open;
    struct flow_next *out;
};

/* A grid that comes to another secret than it was lent to proves nothing about either. */
static void shared(const struct asking *a, struct assignment *as)
{
    as->visit = as->visit == a->p->visit ? as->visit : VISIT_SEVERAL;
}

/* The place holds as much as it may. A grid whose turn it is gets a full lease; one ahead of its
 * turn keeps its short one, but not for ever. */
static enum err_code give_held(struct asking *a)
{
    struct assignment *as = &a->open.live[a->ahead ? WORK_LIVE - 1 : 0];
    int64_t last = as->leased_at + FLOW_EXTENSIONS * a->k->lease_seconds * 1000;
    enum err_code rc = OK;
    bool other = as->visit != a->p->visit && as->visit != VISIT_SEVERAL;
    shared(a, as);
    if (as->ahead && !a->ahead) {
        as->ahead = false;
        as->leased_at = a->now;
        rc = hold(a->study, as, a->now, a->until);
    } else if (as->ahead && a->until > as->lease_until && a->until <= last) {
        rc = hold(a->study, as, a->now, a->until);
    } else if (other) {
        rc = work_assignment_lease(a->study->db, as, a->study->err);
    }
    a->out->assignment = *as;
    return rc;
}

/* Lends another grid; first choice is one that was lent ahead, never shown and let go. */
static enum err_code give_another(struct asking *a)
{
    struct desk *desk = a->study->desk;
    struct assignment *as = &a->out->assignment;
    if (a->open.lapsed.id && desk_has_slot(desk, a->p->campaign, a->open.lapsed.grid)) {
        *as = a->open.lapsed;
        shared(a, as);
        as->ahead = a->ahead;
        as->leased_at = a->now;
        return hold(a->study, as, a->now, a->until);
    }
    int64_t grid = 0;
    struct desk_asker who = {a->p->campaign, a->p->person, quarantine_hides, a->study->quarantine};
    enum err_code rc = desk_pick(desk, a->study->tally, a->study->db, &who, &grid, a->study->err);
    if (rc != OK) {
        return rc;
    }
    if (grid == 0) {
        return finished(a->out, "none-left");
    }
    *as = (struct assignment){.ahead = a->ahead, .lease_until = a->until};
    return lend(a->study, a->p, a->k, grid, a->now, as);
}

/* The campaign has more grids, and a place too. */
static bool limited_by_share(const struct campaign *k, const struct desk_progress *p, int64_t total)
{
    return total < k->grids_per_place && total < p->grids;
}

static enum err_code ask(struct asking *a)
{
    const struct study *study = a->study;
    struct flow_next *out = a->out;
    struct desk_progress progress;
    const char *reason = NULL;
    enum err_code rc = work_place_open(study->db, a->p->id, a->now, study->arena, &a->open,
                                       study->err);
    rc = rc == OK ? end_refusal(study, a->p, &reason, &a->again) : rc;
    if (rc != OK) {
        return rc;
    }
    out->finished = a->open.answered;
    out->holds = a->open.n_live > 0;
    if (!a->k || !desk_progress(study->desk, a->p->campaign, &progress)) {
        return finished(out, "not-open");
    }
    out->total = grids_allowed(a->k, &progress);
    if (reason) {
        return finished(out, reason);
    }
    int64_t seconds = a->k->lease_seconds;
    if (a->ahead && study->ahead_seconds < seconds) {
        seconds = study->ahead_seconds;
    }
    a->until = a->now + seconds * 1000;
    if (a->open.n_live >= (a->ahead ? WORK_LIVE : 1u)) {
        return give_held(a);
    }
    if (a->open.answered + a->open.n_live >= out->total) {
        return finished(out, limited_by_share(a->k, &progress, out->total) ? "share" : "finished");
    }
    return flow_is_open(a->k, a->now) ? give_another(a) : finished(out, "not-open");
}

static enum err_code next(const struct study *study, const struct place *p, bool ahead,
                          struct flow_next *out)
{
    struct desk *desk = study->desk;
    const struct tally *tally = study->tally; /* this thread folds it: no lock needed */
    struct asking a = {
        .study = study, .p = p, .ahead = ahead, .now = clock_wall_ms(), .out = out,
        .k = desk_campaign(desk, p->campaign),
    };
    *out = (struct flow_next){0};
    desk_expire(desk, a.now);
    enum err_code rc = ask(&a);
    if (rc == OK && out->done && !ahead) {
        rc = end_reached(study, p, out);
    } else if (rc == OK && !out->done && a.again) {
        desk_joined(desk, p->campaign);
    }
    const struct tally_grid *g = rc == OK ? tally_grid(tally, out->assignment.grid) : NULL;
    out->cells = g ? tally_images(g) : 0;
    return rc;
}

enum err_code flow_next(const struct study *study, const struct place *p, struct flow_next *out)
{
    return next(study, p, false, out);
}

enum err_code flow_next_ahead(const struct study *study, const struct place *p,
                              struct flow_next *out)
{
    return next(study, p, true, out);
}

enum err_code flow_release(const struct study *study, const struct place *p)
{
    struct place_open open;
    int64_t now = clock_wall_ms();
    enum err_code rc = work_place_open(study->db, p->id, now, study->arena, &open, study->err);
    for (unsigned i = 0; i < open.n_live && rc == OK; i++) {
        open.live[i].lease_until = now;
        rc = work_assignment_lease(study->db, &open.live[i], study->err);
    }
    for (unsigned i = 0; i < open.n_live && rc == OK; i++) {
        desk_release(study->desk, open.live[i].id);
    }
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

/* One label for each object and the main one of them, or, where the campaign offers it, none. */
static enum err_code check_labels(const struct study *study, const struct flow_submission *s, bool none_offered)
{
    struct err *err = study->err;
    if (s->shown == 0 && !none_offered) {
        return err_rule(err, ERR_INPUT, "no-label", "No label is ticked. Tick one label for each object that you see; if "
                        "none fits well, the one that comes closest.");
    }
    if (__builtin_popcountll(s->shown) > OBJECT_TICKS) {
        return err_rule(err, ERR_INPUT, "labels-most", "More than %d labels are ticked. Tick one label for each of the %d "
                        "most visible objects.", OBJECT_TICKS, OBJECT_TICKS);
    }
    if (s->has_main != (s->shown != 0)) {
        return err_rule(err, ERR_INPUT, "main-label",
                        s->has_main ? "A main object is chosen, but no label is ticked. Tick its label."
                                    : "The main object is not chosen. Choose it among the ticked labels.");
    }
    if (s->has_main && (s->main >= GRID_OPTIONS || !(s->shown >> s->main & 1))) {
        return err_rule(err, ERR_INPUT, "main-label", "The main object's label is not ticked. Tick it, or choose another main "
                        "object.");
    }
    return OK;
}

/* What a CONTAINS answer must not say, what a CLASSIFY answer must. */
static enum err_code check_task(const struct study *study, const struct assignment *as, const struct flow_submission *s)
{
    const struct campaign *k = desk_campaign(study->desk, as->campaign);
    if (as->classify) {
        return check_labels(study, s, k && k->none_of_these);
    }
    return s->has_main ? err_rule(study->err, ERR_INPUT, "main-label", "This task has no main object.") : OK;
}

static enum err_code check_submission(const struct study *study, const struct assignment *as,
                                      const struct flow_submission *s, unsigned n)
{
    if (!client_id_ok(s->client_id)) {
        return err_rule(study->err, ERR_INPUT, "client-id",
                        "client_id must be %d to %d letters, digits, - or _.", CLIENT_ID_LEAST,
                        CLIENT_ID_MOST);
    }
    if (!grid_mask_fits(s->shown, n)) {
        return err_rule(study->err, ERR_INPUT, as->classify ? "label-unknown" : "mask",
                        as->classify ? "The answer ticks a label beyond the %u labels of this task."
                                     : "The answer selects a cell beyond the %u cells of this grid.", n);
    }
    if (s->active_ms > ACTIVE_MOST_MS) {
        return err_rule(study->err, ERR_INPUT, "active-ms",
                        "active_ms must be at most one day, in milliseconds.");
    }
    return check_task(study, as, s);
}

/* An answer that comes after its lease was not among those that were within the person's share
 * when it was lent out again: it counts if it still is. */
static enum err_code check_share(const struct study *study, const struct assignment *as,
                                 int64_t now, bool *counts)
{
    struct desk *desk = study->desk;
    const struct campaign *k = desk_campaign(desk, as->campaign);
    struct desk_progress progress;
    struct place_open open;
    enum err_code rc = work_place_open(study->db, as->place, now, study->arena, &open, study->err);
    if (rc == OK && k && desk_progress(desk, as->campaign, &progress)) {
        *counts = open.answered + open.n_live < grids_allowed(k, &progress);
    }
    return rc;
}

enum err_code flow_submit(const struct study *study, struct assignment *as,
                          const struct flow_submission *s, int64_t *event, bool *surplus)
{
    struct desk *desk = study->desk;
    const struct tally_grid *g = tally_grid(study->tally, as->grid);
    if (!g) {
        return err_set(study->err, ERR_BUG, "grid %lld is not in the tally", (long long)as->grid);
    }
    unsigned n = tally_bits(g);
    if (check_submission(study, as, s, n) != OK) {
        return study->err->code;
    }
    if (as->answer) {
        if (!sv_eq(as->client_id, s->client_id)) {
            return err_rule(study->err, ERR_CONFLICT, "already-answered",
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
    flow_order(as, n, order);
    bool counts = desk_counts(desk, as->campaign, as->grid, as->id);
    enum err_code rc = counts && as->lease_until <= now ? check_share(study, as, now, &counts) : OK;
    if (rc != OK) {
        return rc;
    }
    rc = work_answer_create(study->db, as->id, s->client_id,
                            grid_mask_stored(s->shown, order, n), s->has_main ? order[s->main] : OPTION_NONE, !counts,
                            s->active_ms,
                            s->device, now, event, study->err);
    if (rc == OK) {
        rc = flags_answered(study->db, as->person, as->id, *event, study->flags_per_person,
                            study->err);
    }
    if (rc == OK) {
        desk_answered(desk, as->campaign, as->grid, as->id, counts);
        *surplus = !counts;
    }
    return rc;
}

/* Whether a lease that is over may begin again: as if the grid were asked for again. */
static enum err_code may_lend_again(const struct study *study, const struct assignment *as,
                                    const struct campaign *k, int64_t now, bool *may, bool *again)
{
    struct desk *desk = study->desk;
    struct desk_progress progress;
    struct place_open open;
    struct place place;
    const char *reason = NULL;
    *may = *again = false;
    if (!flow_is_open(k, now) || !desk_progress(desk, as->campaign, &progress)) {
        return OK;
    }
    enum err_code rc = work_place_open(study->db, as->place, now, study->arena, &open, study->err);
    rc = rc == OK ? work_place_get(study->db, as->place, study->arena, &place, study->err) : rc;
    rc = rc == OK ? end_refusal(study, &place, &reason, again) : rc;
    *may = rc == OK && !reason && open.n_live < WORK_LIVE &&
           open.answered + open.n_live < grids_allowed(k, &progress) &&
           desk_has_slot(desk, as->campaign, as->grid);
    return rc;
}

static enum err_code check_extension(const struct study *study, const struct assignment *as,
                                     const struct campaign *k, int64_t now, bool *again)
{
    bool may = as->lease_until > now;
    *again = false;
    if (k && !may && may_lend_again(study, as, k, now, &may, again) != OK) {
        return study->err->code;
    }
    if (!k || !may) {
        return err_rule(study->err, ERR_CONFLICT, "lease-over",
                        "The reservation is over. An answer is still kept and paid.");
    }
    int64_t lease = k->lease_seconds * 1000;
    if (as->lease_until > now && !as->ahead &&
        now + lease > as->leased_at + FLOW_EXTENSIONS * lease) {
        return err_rule(study->err, ERR_CONFLICT, "lease-longest",
                        "This grid was reserved long enough. Please submit what you have.");
    }
    return OK;
}

enum err_code flow_extend(const struct study *study, struct assignment *as, int64_t *until)
{
    struct desk *desk = study->desk;
    const struct campaign *k = desk_campaign(desk, as->campaign);
    int64_t now = clock_wall_ms();
    desk_expire(desk, now);
    if (as->answer) {
        return err_rule(study->err, ERR_CONFLICT, "already-answered", "This task is answered.");
    }
    bool again;
    if (check_extension(study, as, k, now, &again) != OK) {
        return study->err->code;
    }
    *until = now + k->lease_seconds * 1000;
    if (as->ahead || as->lease_until <= now) {
        as->ahead = false;
        as->leased_at = now;
    }
    enum err_code rc = hold(study, as, now, *until);
    if (rc == OK && again) {
        desk_joined(desk, k->id);
    }
    return rc;
}

enum err_code flow_outcome(const struct study *study, const struct assignment *as,
                           struct flow_outcome *out)
{
    *out = (struct flow_outcome){NULL, SV("")};
    if (!as->answer) {
        return OK;
    }
    enum err_code rc = work_answer_rule(study->db, as->answer, study->arena, &out->rule,
                                        study->err);
    out->state = out->rule.n ? "out" : as->surplus ? "surplus" : "stored";
    return rc;
}
