/* people.c - the list of people in memory. */
#include "live/people/people.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"

#define HOUR_MS INT64_C(3600000)

enum { NONE = UINT32_MAX };

const char *const people_keys[PEOPLE_KEYS] = {
    "joined",   "answers",   "active", "rate", "control", "negative", "gold",
    "relative", "agreement", "share",  "last", "out"};
const char *const people_shows[PEOPLE_SHOWS] = {
    "all", "answered", "blocked", "out", "simulated", "imported", "forgotten"};

struct known {           /* a person */
    uint32_t id, first;  /* first: of their places, NONE */
    uint32_t places;
    uint8_t kind;
    bool blocked, forgotten;
};
struct part {            /* a place */
    uint32_t id, owner, campaign, next; /* owner: index of the person; next place of theirs */
    bool complete, rejected;
    int64_t pay_cents, bonus_cents, active_ms;
};
struct people {
    pthread_mutex_t lock;
    struct people_seen seen;
    struct known *known;
    struct part *parts;
    size_t n, cap, n_parts, cap_parts;
};

struct people *people_new(void)
{
    struct people *p = xcalloc(1, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

void people_free(struct people *p)
{
    if (p) {
        pthread_mutex_destroy(&p->lock);
        free(p->known);
        free(p->parts);
        free(p);
    }
}

/* ---- following the database ---- */

/* Numbers have few gaps: the guess is mostly right. */
static struct known *find(const struct people *p, int64_t id)
{
    if (p->n && id >= p->known[0].id && (uint64_t)(id - p->known[0].id) < p->n) {
        struct known *guess = &p->known[id - p->known[0].id];
        if (guess->id == id) {
            return guess;
        }
    }
    if (id < 0 || id > UINT32_MAX) {
        return NULL;
    }
    size_t at = sorted_u32(p->known, p->n, sizeof *p->known, offsetof(struct known, id),
                           (uint32_t)id);
    return at < p->n && p->known[at].id == id ? &p->known[at] : NULL;
}

static struct part *find_part(const struct people *p, int64_t id)
{
    if (id < 0 || id > UINT32_MAX) {
        return NULL;
    }
    size_t at = sorted_u32(p->parts, p->n_parts, sizeof *p->parts, offsetof(struct part, id),
                           (uint32_t)id);
    return at < p->n_parts && p->parts[at].id == id ? &p->parts[at] : NULL;
}

static void add_person(void *arg, int64_t id, enum person_kind kind)
{
    struct people *p = arg;
    xgrow(&p->known, &p->cap, p->n + 1, sizeof *p->known);
    p->known[p->n++] =
        (struct known){.id = (uint32_t)id, .first = NONE, .kind = (uint8_t)kind};
}

static void add_place(void *arg, int64_t id, int64_t person, int64_t campaign, int64_t pay_cents)
{
    struct people *p = arg;
    struct known *k = find(p, person);
    BUG_IF(!k); /* a place names a person who was there before */
    xgrow(&p->parts, &p->cap_parts, p->n_parts + 1, sizeof *p->parts);
    p->parts[p->n_parts] = (struct part){.id = (uint32_t)id,
                                         .owner = (uint32_t)(k - p->known),
                                         .campaign = (uint32_t)campaign,
                                         .next = k->first,
                                         .pay_cents = pay_cents};
    k->first = (uint32_t)p->n_parts++;
    k->places++;
}

static void set_outcome(void *arg, int64_t place, bool complete)
{
    struct part *l = find_part(arg, place);
    if (l) {
        l->complete = complete;
    }
}

static void set_pay(void *arg, int64_t place, bool rejected, int64_t bonus_cents)
{
    struct part *l = find_part(arg, place);
    if (l) {
        l->rejected = rejected;
        l->bonus_cents = bonus_cents;
    }
}

static void set_block(void *arg, int64_t person, bool blocked)
{
    struct known *k = find(arg, person);
    if (k) {
        k->blocked = blocked;
    }
}

static void set_forgotten(void *arg, int64_t person)
{
    struct known *k = find(arg, person);
    if (k) {
        k->forgotten = true;
    }
}

static enum err_code follow(struct people *p, struct db *db, struct err *err)
{
    const struct people_news to = {p,       add_person, add_place,    set_outcome,
                                   set_pay, set_block,  set_forgotten};
    return people_news(db, &p->seen, &to, err);
}

/* ---- pay per hour ---- */

static bool is_paid(const struct part *l)
{
    return l->complete && !l->rejected;
}

/* Active time of each paid place: a person has one place in a campaign, and answers say of which
 * campaign they are. */
static void add_times(struct people *p, struct tally *t)
{
    size_t n_grids;
    for (size_t i = 0; i < p->n_parts; i++) {
        p->parts[i].active_ms = 0;
    }
    if (p->n_parts == 0) {
        return;
    }
    tally_read_lock(t);
    const struct ledger *l = tally_ledger(t);
    const struct tally_grid *grids = tally_grids(t, &n_grids);
    for (size_t i = 0; i < l->n; i++) {
        const struct ledger_answer *w = &l->answers[i];
        const struct known *k = find(p, w->person);
        for (uint32_t at = k ? k->first : NONE; at != NONE; at = p->parts[at].next) {
            if (p->parts[at].campaign == grids[w->grid].campaign) {
                p->parts[at].active_ms += w->active_ms;
            }
        }
    }
    tally_read_unlock(t);
}

static int64_t rate_of(const struct people *p, const struct known *k)
{
    int64_t paid = 0, ms = 0;
    for (uint32_t at = k->first; at != NONE; at = p->parts[at].next) {
        const struct part *l = &p->parts[at];
        if (is_paid(l)) {
            paid += l->pay_cents + l->bonus_cents;
            ms += l->active_ms;
        }
    }
    return ms > 0 && paid > 0 ? paid * HOUR_MS / ms : -1;
}

/* ---- the list ---- */

static double share_of(uint32_t right, uint32_t n)
{
    return n ? (double)right / (double)n : (double)NAN;
}

double people_value(const struct people_row *r, enum people_key key, uint64_t all)
{
    const struct stats_person *s = r->s;
    if (key == PEOPLE_JOINED) {
        return (double)r->person;
    }
    if (key == PEOPLE_RATE) {
        return r->rate_cents >= 0 ? (double)r->rate_cents : (double)NAN;
    }
    if (!s) {
        return key == PEOPLE_ANSWERS || key == PEOPLE_OUT ? 0 : (double)NAN;
    }
    switch (key) {
    case PEOPLE_ANSWERS: return s->answers;
    case PEOPLE_ACTIVE: return s->active_ms ? (double)s->active_ms : (double)NAN;
    case PEOPLE_CONTROL: return share_of(s->pos_right + s->neg_right, s->pos + s->neg);
    case PEOPLE_NEGATIVE: return share_of(s->neg_right, s->neg);
    case PEOPLE_GOLD: return share_of(s->gold_right, s->gold);
    case PEOPLE_RELATIVE: return s->compared ? s->relative : (double)NAN;
    case PEOPLE_AGREEMENT: return s->compared ? s->agreement : (double)NAN;
    case PEOPLE_SHARE: return all ? (double)s->answers / (double)all : (double)NAN;
    case PEOPLE_LAST: return s->last_s;
    case PEOPLE_OUT: return s->out;
    case PEOPLE_JOINED:
    case PEOPLE_RATE:
    case PEOPLE_KEYS: break;
    }
    return (double)NAN;
}

static bool is_shown(const struct people_row *r, enum people_show show)
{
    /* Staff who neither took part nor answered are no people of the study. */
    if (r->kind == PERSON_STAFF && r->places == 0 && !r->s) {
        return false;
    }
    switch (show) {
    case PEOPLE_ANSWERED: return r->s != NULL;
    case PEOPLE_BLOCKED: return r->blocked;
    case PEOPLE_WITH_OUT: return r->s && r->s->out;
    case PEOPLE_SIMULATED: return r->kind == PERSON_SIMULATED;
    case PEOPLE_IMPORTED: return r->kind == PERSON_IMPORTED;
    case PEOPLE_FORGOTTEN: return r->forgotten;
    case PEOPLE_ALL:
    case PEOPLE_SHOWS: break;
    }
    return true;
}

static bool fits(const struct people_row *r, const struct people_ask *ask, uint64_t all)
{
    if (!is_shown(r, ask->show) || (ask->only && r->person != ask->only)) {
        return false;
    }
    if (!ask->has_least && !ask->has_most) {
        return true;
    }
    double v = people_value(r, ask->by, all);
    return !isnan(v) && (!ask->has_least || v >= ask->least) && (!ask->has_most || v <= ask->most);
}

/* Rises; without a value at the end. */
static int by_value(const void *a, const void *b)
{
    const struct people_row *x = a, *y = b;
    if (isnan(x->value) != isnan(y->value)) {
        return isnan(x->value) ? 1 : -1;
    }
    if (!isnan(x->value) && (x->value < y->value || x->value > y->value)) {
        return x->value < y->value ? -1 : 1;
    }
    return (x->person > y->person) - (x->person < y->person);
}

static int by_value_falling(const void *a, const void *b)
{
    const struct people_row *x = a, *y = b;
    if (!isnan(x->value) && !isnan(y->value) && (x->value < y->value || x->value > y->value)) {
        return x->value > y->value ? -1 : 1;
    }
    return by_value(a, b);
}

static size_t collect(const struct people *p, const struct stats *s, const struct people_ask *ask,
                      struct people_row *rows)
{
    size_t n = 0, at = 0;
    uint64_t all = 0;
    for (size_t i = 0; i < s->n_people; i++) {
        all += s->people[i].answers;
    }
    for (size_t i = 0; i < p->n; i++) {
        const struct known *k = &p->known[i];
        while (at < s->n_people && s->people[at].person < k->id) {
            at++;
        }
        struct people_row r = {
            .person = k->id,
            .kind = (enum person_kind)k->kind,
            .blocked = k->blocked,
            .forgotten = k->forgotten,
            .places = k->places,
            .rate_cents = rate_of(p, k),
            .s = at < s->n_people && s->people[at].person == k->id ? &s->people[at] : NULL,
        };
        if (fits(&r, ask, all)) {
            r.value = people_value(&r, ask->sort, all);
            rows[n++] = r;
        }
    }
    return n;
}

enum err_code people_find(struct people *p, struct db *db, struct tally *t, const struct stats *s,
                          const struct people_ask *ask, struct arena *a, struct people_row **out,
                          size_t *n, struct err *err)
{
    pthread_mutex_lock(&p->lock);
    enum err_code rc = follow(p, db, err);
    *n = 0;
    *out = NULL;
    if (rc == OK) {
        add_times(p, t);
        *out = arena_calloc(a, p->n + 1, sizeof **out);
        *n = collect(p, s, ask, *out);
    }
    pthread_mutex_unlock(&p->lock);
    if (*n) {
        qsort(*out, *n, sizeof **out, ask->falling ? by_value_falling : by_value);
    }
    return rc;
}
