/* worker.c - the requests of one simulated person: join, next, answer, and the answer once more.
 * work.c decides the order. */
#include "load/worker.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "load/journal.h"
#include "load/json.h"

enum { RETRY_LOST_MS = 50, RETRY_MOST_MS = 5000, FRUITLESS_MS = 200, FRUITLESS_TRIES = 5 };

static bool chance(struct work *w, double share)
{
    return share > 0 && rng_unit(&w->rng) < share;
}

static bool set_text(struct text *t, struct sv v)
{
    if (v.n == 0 || v.n > sizeof t->p) {
        return false;
    }
    memcpy(t->p, v.p, v.n);
    t->n = v.n;
    return true;
}

static struct sv text_sv(const struct text *t)
{
    return (struct sv){t->p, t->n};
}

static void count(struct work *w, struct hist *h, const struct client_reply *r)
{
    BUG_IF(r->status < 0 || r->status >= WORK_STATUSES);
    w->s.statuses[r->status]++;
    if (r->status != 0) {
        hist_add(h, r->latency_ns);
    }
}

static void repeat(void *arg)
{
    struct worker *k = arg;
    const struct work *w = k->w;
    /* An answer is sent until it is acknowledged or the run gives up; other things end early. */
    if (w->dead || (w->stopping && k->step != worker_answer)) {
        work_continue(k);
    } else {
        k->step(k);
    }
}

/* True for replies that say "not now": the request may be sent again as it was. */
static bool is_temporary(int status)
{
    return status == 0 || status == 429 || status >= 500;
}

static void retry(struct worker *k, int status, int64_t retry_after_ms)
{
    int64_t ms = k->w->o.retry_ms;
    if (ms < 0) {
        ms = status == 0 || retry_after_ms < 0 ? RETRY_LOST_MS : retry_after_ms;
    }
    client_after(k->w->client, ms < RETRY_MOST_MS ? ms : RETRY_MOST_MS, repeat, k);
}

/* A reply that is neither what was asked for nor temporary. The person is given up; a pause keeps
 * a server that refuses everything from being flooded. */
static void refused(struct worker *k)
{
    k->place.n = 0;
    k->step = work_continue;
    client_after(k->w->client, RETRY_LOST_MS, repeat, k);
}

/* ------------------------------------------------------------ join */

static void on_join(struct client_conn *conn, const struct client_reply *r, void *arg)
{
    (void)conn;
    struct worker *k = arg;
    struct sv place;
    count(k->w, &k->w->s.join, r);
    if (is_temporary(r->status)) {
        retry(k, r->status, r->retry_after_ms);
    } else if (r->status != 201 && r->status != 200) {
        refused(k);
    } else if (!json_text(r->body, "place", &place) || !set_text(&k->place, place)) {
        work_mismatch(k->w, "join gave no place", r->status, r->body);
        refused(k);
    } else {
        k->w->s.places++;
        work_continue(k);
    }
}

void worker_join(struct worker *k)
{
    struct work *w = k->w;
    k->step = worker_join;
    str_clear(&w->path);
    str_printf(&w->path, "/api/v1/campaigns/%s/places", w->o.campaign);
    str_clear(&w->buf);
    str_printf(&w->buf, "{\"source\":\"load\",\"external_id\":\"w%llx-%llu\"}",
               (unsigned long long)w->o.seed, (unsigned long long)k->person);
    client_send(k->conn, "POST", str_sv(&w->path), str_sv(&w->buf), on_join, k);
}

/* ------------------------------------------------------------ next */

static void new_client_id(struct work *w, char out[UUID_SIZE])
{
    uint64_t a = rng_u64(&w->rng), b = rng_u64(&w->rng);
    snprintf(out, UUID_SIZE, "%08x-%04x-4%03x-%04x-%04x%08x", (unsigned)(a >> 32),
             (unsigned)(a >> 16) & 0xffffu, (unsigned)a & 0xfffu,
             ((unsigned)(b >> 48) & 0x3fffu) | 0x8000u, (unsigned)(b >> 32) & 0xffffu, (unsigned)b);
}

/* The labels of a CLASSIFY task; 0 of a grid. */
static int64_t count_options(struct sv body)
{
    static const char each[] = "{\"position\":";
    int64_t n = 0;
    for (size_t i = 0; i + sizeof each <= body.n; i++) {
        n += memcmp(body.p + i, each, sizeof each - 1) == 0;
    }
    return n;
}

/* About a quarter of the cells are selected; of labels at least one. */
static bool read_lease(struct work *w, struct sv body, struct lease *lease)
{
    struct sv token;
    int64_t cells;
    if (!json_text(body, "assignment", &token) || !set_text(&lease->token, token) ||
        !json_number(body, "cells", &cells) || cells < 1 || cells > 48 ||
        !json_number(body, "lease_until", &lease->until_ms)) {
        return false;
    }
    int64_t options = count_options(body);
    uint64_t of = (UINT64_C(1) << (options ? options : cells)) - 1;
    lease->mask = rng_u64(&w->rng) & rng_u64(&w->rng) & of;
    lease->has_main = options > 0;
    lease->mask |= options && !lease->mask ? 1 : 0;
    new_client_id(w, lease->client_id);
    return true;
}

static void on_lease(struct worker *k)
{
    struct work *w = k->w;
    k->fruitless = 0;
    w->fruitless = 0;
    w->s.leases++;
    w->last_good_ns = client_now_ns(w->client);
    if (w->mode == WORK_LEASE || chance(w, w->o.late)) {
        work_hold(k);
    } else if (chance(w, w->o.abandon)) {
        w->s.abandoned++;
        k->place.n = 0;
        work_continue(k);
    } else {
        k->on_place = true;
        worker_answer(k);
    }
}

/* Nothing for this person. One who has seen nothing yet could take any grid, so others hold them
 * all: asking again helps once their leases are over. */
static void on_done(struct worker *k)
{
    struct work *w = k->w;
    w->fruitless += k->answered == 0;
    if (k->answered > 0 || ++k->fruitless >= FRUITLESS_TRIES) {
        k->place.n = 0;
        k->fruitless = 0;
    }
    if (k->answered > 0) {
        work_continue(k);
        return;
    }
    if (w->fruitless >= w->o.clients) {
        w->s.exhausted = true;
    }
    k->step = work_continue;
    client_after(w->client, FRUITLESS_MS, repeat, k);
}

static void on_next(struct client_conn *conn, const struct client_reply *r, void *arg)
{
    (void)conn;
    struct worker *k = arg;
    count(k->w, &k->w->s.next, r);
    if (is_temporary(r->status)) {
        retry(k, r->status, r->retry_after_ms);
    } else if (r->status != 200) {
        refused(k);
    } else if (json_true(r->body, "done")) {
        on_done(k);
    } else if (!read_lease(k->w, r->body, &k->lease)) {
        work_mismatch(k->w, "next gave no assignment", r->status, r->body);
        refused(k);
    } else {
        on_lease(k);
    }
}

void worker_next(struct worker *k)
{
    struct work *w = k->w;
    k->step = worker_next;
    str_clear(&w->path);
    str_addz(&w->path, "/api/v1/places/");
    str_addsv(&w->path, text_sv(&k->place));
    str_addz(&w->path, "/next");
    client_send(k->conn, "POST", str_sv(&w->path), SV("{}"), on_next, k);
}

/* ------------------------------------------------------------ answer */

static void send_answer(struct worker *k, struct client_conn *conn, const char *client_id,
                        client_done_fn *done)
{
    struct work *w = k->w;
    str_clear(&w->path);
    str_addz(&w->path, "/api/v1/assignments/");
    str_addsv(&w->path, text_sv(&k->lease.token));
    str_addz(&w->path, "/answer");
    str_clear(&w->buf);
    str_addz(&w->buf, "{\"client_id\":\"");
    str_addz(&w->buf, client_id);
    str_addz(&w->buf, "\",\"selected\":");
    journal_selected(&w->buf, k->lease.mask);
    if (k->lease.has_main) {
        str_addz(&w->buf, ",\"main\":");
        str_addi(&w->buf, __builtin_ctzll(k->lease.mask));
    }
    str_addz(&w->buf, ",\"active_ms\":");
    str_addi(&w->buf, (int64_t)(500 + rng_below(&w->rng, 60000)));
    str_addc(&w->buf, '}');
    client_send(conn, "POST", str_sv(&w->path), str_sv(&w->buf), done, k);
}

/* The same client id again must get the same body, whenever and wherever it is sent. */
static void on_again(struct client_conn *conn, const struct client_reply *r, void *arg)
{
    (void)conn;
    struct worker *k = arg;
    count(k->w, &k->w->s.answer, r);
    if (!is_temporary(r->status) &&
        (r->status != 200 || !sv_eq(r->body, (struct sv){k->reply, k->reply_n}))) {
        work_mismatch(k->w, "the same answer again got another reply", r->status, r->body);
    }
    work_continue(k);
}

static void on_conflict(struct client_conn *conn, const struct client_reply *r, void *arg)
{
    (void)conn;
    struct worker *k = arg;
    count(k->w, &k->w->s.answer, r);
    if (!is_temporary(r->status) && r->status != 409) {
        work_mismatch(k->w, "a second answer to an assignment was not refused", r->status, r->body);
    }
    work_continue(k);
}

static void after_acknowledged(struct worker *k)
{
    struct work *w = k->w;
    if (k->again) {
        w->s.duplicates++;
        send_answer(k, k->conn, k->lease.client_id, on_again);
    } else if (chance(w, w->o.conflict)) {
        char other[UUID_SIZE];
        new_client_id(w, other);
        w->s.conflicts++;
        send_answer(k, k->conn, other, on_conflict);
    } else if (w->o.think_ms > 0) {
        k->step = work_continue;
        client_after(w->client, w->o.think_ms, repeat, k);
    } else {
        work_continue(k);
    }
}

/* All ways that the answer was sent by have replied. */
static void on_all_replies(struct worker *k)
{
    struct sv body = {k->reply, k->reply_n}, status;
    int64_t event;
    if (k->good == 0) {
        if (is_temporary(k->bad_status)) {
            retry(k, k->bad_status, k->retry_after_ms);
        } else {
            work_mismatch(k->w, "an answer was refused", k->bad_status, body);
            refused(k);
        }
        return;
    }
    if (k->bad > 0 && !is_temporary(k->bad_status)) {
        work_mismatch(k->w, "one of two equal answers was refused", k->bad_status, body);
    }
    if (!json_text(body, "status", &status) || !json_number(body, "event", &event)) {
        work_mismatch(k->w, "an acknowledgement without status or event", 200, body);
        refused(k);
        return;
    }
    work_acknowledged(k, status, event);
    after_acknowledged(k);
}

static void on_answer(struct client_conn *conn, const struct client_reply *r, void *arg)
{
    (void)conn;
    struct worker *k = arg;
    count(k->w, &k->w->s.answer, r);
    if (r->status == 200 && k->good++ == 0) {
        k->reply_n = r->body.n < REPLY_MAX ? r->body.n : REPLY_MAX;
        memcpy(k->reply, r->body.p, k->reply_n);
    } else if (r->status == 200) {
        if (!sv_eq(r->body, (struct sv){k->reply, k->reply_n})) {
            work_mismatch(k->w, "two equal answers got two replies", r->status, r->body);
        }
    } else {
        k->bad++;
        k->bad_status = r->status;
        k->retry_after_ms = r->retry_after_ms;
        if (k->good == 0) {
            k->reply_n = r->body.n < REPLY_MAX ? r->body.n : REPLY_MAX;
            memcpy(k->reply, r->body.p, k->reply_n);
        }
    }
    if (--k->waiting == 0) {
        on_all_replies(k);
    }
}

void worker_answer(struct worker *k)
{
    struct work *w = k->w;
    bool twice = chance(w, w->o.duplicate);
    bool at_once = twice && chance(w, 0.5);
    k->step = worker_answer;
    k->good = k->bad = 0;
    k->waiting = at_once ? 2 : 1;
    k->again = twice && !at_once;
    send_answer(k, k->conn, k->lease.client_id, on_answer);
    if (at_once) {
        w->s.duplicates++;
        send_answer(k, k->twin, k->lease.client_id, on_answer);
    }
}
