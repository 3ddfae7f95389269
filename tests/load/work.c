/* work.c - who does what when: people, held answers, limits and the end of a run. worker.c does the requests. */
#include "load/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/xalloc.h"
#include "load/journal.h"
#include "load/worker.h"

enum { REQUEST_MAX = 4096, HELD_MARGIN_MS = 50, HELD_PATIENCE_S = 10 };

struct work *work_new(struct client *c, const struct work_options *o)
{
    struct work *w = xcalloc(1, sizeof *w);
    w->client = c;
    w->o = *o;
    /* Two runs with a seed have the same people, but their own choices and client ids on another campaign. */
    rng_seed(&w->rng, o->seed ^ hash_bytes(o->campaign, o->campaign ? strlen(o->campaign) : 0));
    str_init(&w->buf, REQUEST_MAX);
    str_init(&w->path, REQUEST_MAX);
    w->workers = xcalloc(o->clients, sizeof *w->workers);
    for (unsigned i = 0; i < o->clients; i++) {
        w->workers[i] = (struct worker){.w = w,
                                        .conn = client_conn(c, i),
                                        .twin = client_conn(c, o->clients + i),
                                        .parked = true};
    }
    return w;
}

void work_free(struct work *w)
{
    if (!w) {
        return;
    }
    str_release(&w->buf);
    str_release(&w->path);
    free(w->workers);
    free(w->held);
    free(w->put_by);
    free(w);
}

void work_limit(struct work *w, uint64_t count, double seconds)
{
    w->o.count = count;
    w->o.seconds = seconds;
}

static void unpark(struct worker *k)
{
    k->parked = false;
    k->w->busy++;
    work_continue(k);
}

static void park(struct worker *k)
{
    k->parked = true;
    k->w->busy--;
}

void work_start(struct work *w, enum work_mode mode)
{
    memset(&w->s, 0, sizeof w->s);
    w->mode = mode;
    w->stopping = w->dead = false;
    w->fruitless = 0;
    w->s.started_ns = w->last_good_ns = clock_mono_ns();
    w->deadline_ns = w->o.seconds > 0 ? w->s.started_ns + (int64_t)(w->o.seconds * 1e9) : INT64_MAX;
    for (unsigned i = 0; i < w->o.clients; i++) {
        w->workers[i].place.n = 0;
        unpark(&w->workers[i]);
    }
}

static uint64_t replies(const struct work_stats *s)
{
    return s->join.n + s->next.n + s->answer.n;
}

void work_stop(struct work *w)
{
    if (w->stopping) {
        return;
    }
    w->stopping = true;
    w->s.stopped_ns = clock_mono_ns();
    w->s.requests_then = replies(&w->s);
    w->s.answers_then = w->s.stored + w->s.surplus;
    w->s.leases_then = w->s.leases;
}

bool work_active(const struct work *w)
{
    return !w->dead && (w->busy > 0 || w->n_held > 0);
}

const struct work_stats *work_stats(const struct work *w)
{
    return &w->s;
}

enum err_code work_failed(const struct work *w, struct err *err)
{
    return w->err.code == OK ? OK : err_set(err, w->err.code, "%s", w->err.msg);
}

void work_mismatch(struct work *w, const char *what, int status, struct sv body)
{
    if (w->s.mismatches++ == 0) {
        snprintf(w->s.mismatch, sizeof w->s.mismatch, "%s: %d " SV_FMT, what, status, SV_ARG(body));
    }
}

/* ------------------------------------------------------------ held answers */

void work_hold(struct worker *k)
{
    struct work *w = k->w;
    if (w->mode == WORK_LEASE) {
        xgrow(&w->put_by, &w->put_by_cap, w->n_put_by + 1, sizeof *w->put_by);
        w->put_by[w->n_put_by++] = k->lease;
    } else {
        int64_t ms = w->o.late_ms;
        if (ms < 0) {
            ms = k->lease.until_ms - clock_wall_ms() + HELD_MARGIN_MS;
        }
        int64_t due = client_now_ns(w->client) + ms * 1000000;
        xgrow(&w->held, &w->held_cap, w->n_held + 1, sizeof *w->held);
        w->held[w->n_held++] = (struct held){k->lease, due};
        if (w->n_held == 1 || due < w->next_due_ns) {
            w->next_due_ns = due;
        }
        w->s.held++;
    }
    k->place.n = 0; /* somebody else goes on; this person comes back with the answer only */
    work_continue(k);
}

/* Takes a held answer whose time has come. */
static bool take_due(struct work *w, struct lease *out)
{
    int64_t now = client_now_ns(w->client);
    if (w->n_held == 0 || now < w->next_due_ns) {
        return false;
    }
    bool found = false;
    w->next_due_ns = INT64_MAX;
    for (size_t i = 0; i < w->n_held; i++) {
        if (!found && w->held[i].due_ns <= now) {
            found = true;
            *out = w->held[i].lease;
            w->held[i--] = w->held[--w->n_held];
        } else if (w->held[i].due_ns < w->next_due_ns) {
            w->next_due_ns = w->held[i].due_ns;
        }
    }
    return found;
}

/* ------------------------------------------------------------ order of work */

void work_acknowledged(struct worker *k, struct sv status, int64_t event)
{
    struct work *w = k->w;
    bool stored = sv_is(status, "stored");
    if (!stored && !sv_is(status, "surplus")) {
        work_mismatch(w, "an unknown status", 200, status);
    }
    w->s.stored += stored;
    w->s.surplus += !stored;
    k->answered += k->on_place;
    w->last_good_ns = client_now_ns(w->client);
    if (w->o.journal && w->err.code == OK) {
        journal_write(w->o.journal, (struct sv){k->lease.token.p, k->lease.token.n},
                      sv_of(k->lease.client_id), k->lease.mask, status, event, &w->err);
    }
    if (w->mode == WORK_CYCLE && w->o.count > 0 && w->s.stored >= w->o.count) {
        work_stop(w);
    }
}

static void continue_submit(struct worker *k)
{
    struct work *w = k->w;
    if (w->put_by_taken == w->n_put_by) {
        work_stop(w);
        park(k);
        return;
    }
    k->lease = w->put_by[w->put_by_taken++];
    k->on_place = false;
    worker_answer(k);
}

static void continue_people(struct worker *k)
{
    struct work *w = k->w;
    if (k->place.n == 0) {
        k->person = w->people++;
        k->answered = 0;
        worker_join(k);
    } else {
        worker_next(k);
    }
}

void work_continue(struct worker *k)
{
    struct work *w = k->w;
    bool enough_leases = w->mode == WORK_LEASE && w->o.count > 0 && w->s.leases >= w->o.count;
    if (enough_leases || (w->mode == WORK_LEASE && w->s.exhausted)) {
        work_stop(w);
    }
    if (!w->dead && take_due(w, &k->lease)) {
        k->on_place = false;
        worker_answer(k);
    } else if (w->stopping || w->dead) {
        park(k);
    } else if (w->mode == WORK_SUBMIT) {
        continue_submit(k);
    } else {
        continue_people(k);
    }
}

/* The end of a run does not wait for answers that are to come much later. */
static void drop_far_held(struct work *w)
{
    if (w->stopping && w->n_held > 0 &&
        w->next_due_ns - client_now_ns(w->client) > HELD_PATIENCE_S * INT64_C(1000000000)) {
        w->s.held_left += w->n_held;
        w->n_held = 0;
    }
}

/* Somebody must bring the held answers when all others have stopped. */
static void wake_for_held(struct work *w)
{
    if (w->n_held == 0 || client_now_ns(w->client) < w->next_due_ns) {
        return;
    }
    for (unsigned i = 0; i < w->o.clients && w->n_held > 0; i++) {
        if (w->workers[i].parked) {
            unpark(&w->workers[i]);
        }
    }
}

void work_turn(struct work *w)
{
    int64_t now = client_now_ns(w->client);
    if (now >= w->deadline_ns || w->err.code != OK) {
        work_stop(w);
    }
    drop_far_held(w);
    bool waits_for_held = w->n_held > 0 && now < w->next_due_ns;
    if (!w->dead && !waits_for_held && now - w->last_good_ns > (int64_t)(w->o.give_up * 1e9)) {
        work_stop(w);
        w->s.gave_up = true;
        w->s.held_left = w->n_held;
        w->dead = true;
    }
    if (!w->dead) {
        wake_for_held(w);
    }
}
