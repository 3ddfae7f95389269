/* fill.c - what surrounds the answers: the study's texts, the people, their pay. */
#include "demo/fill.h"

#include "db/bulk.h"
#include "store/campaigns/studies.h"
#include "store/decisions/pay.h"
#include "store/people/participants.h"
#include "store/people/people.h"

static const char consent[] =
    "This is a demonstration: the pictures are drawn by the program, and most of the people in it are "
    "simulated. If you take part yourself, your selections are stored in this project on this computer, with "
    "the time you took and the size of your window, and nothing leaves it.\n\n"
    "You can stop at any time, and ask to be forgotten on your own page.";

enum err_code fill_study(const struct fill *f, const struct campaign *k, int64_t now,
                         struct err *err)
{
    struct study_settings s;
    enum err_code rc = studies_get(f->db, k->id, f->arena, &s, err);
    s.contact = SV("the person who started this demo");
    s.protocol = SV("DEMO-1");
    s.floor_cents = k->pay_cents ? 600 : 0;
    rc = rc == OK ? db_tx_begin(f->db, err) : rc;
    rc = rc == OK ? studies_put(f->db, &s, 0, now, err) : rc;
    rc = rc == OK ? studies_consent(f->db, k->id, SV("1"), sv_of(consent), 0, now, err) : rc;
    return db_tx_end(f->db, rc, err);
}

/* ------------------------------------------------------------------ people */

struct crew {
    const struct fill *f;
    unsigned at, end;
    int64_t now;
};

static enum err_code add_person(struct db *db, void *arg, bool *more, struct err *err)
{
    struct crew *c = arg;
    char name[CROWD_NAME];
    int64_t person;
    crowd_name(c->at, name);
    enum err_code rc = people_find_external(db, SV("panel"), sv_of(name), &person, err);
    bool known = rc == OK;
    if (rc == ERR_NOT_FOUND) {
        rc = people_create(db, c->now, 0, "simulated", &person, err);
    }
    if (rc == OK && !known) {
        rc = people_identify(db, c->now, 0, person, SV("panel"), sv_of(name), SV(""), err);
    }
    *more = ++c->at < c->end;
    return rc;
}

enum err_code fill_people(const struct fill *f, unsigned first, unsigned n, int64_t now,
                          struct err *err)
{
    struct crew c = {f, first, first + n, now};
    return n ? bulk_write(f->db, true, add_person, &c, err) : OK;
}

/* ------------------------------------------------------------------ pay */

enum { PAY_PAGE = 500, BONUS_CENTS = 100 };

struct payroll {
    const struct fill *f;
    struct participant *all;
    size_t n, at;
    int64_t joined_before, account, now;
    bool bonus; /* given */
};

static bool is_earned(const struct payroll *p, const struct participant *who)
{
    int index = crowd_index(who->external_id);
    enum crowd_habit habit = index < 0 ? CROWD_ALL : crowd_member(p->f->seed, (unsigned)index).habit;
    return sv_is(who->outcome, "complete") && who->joined_at < p->joined_before &&
           habit != CROWD_ALL && habit != CROWD_RANDOM;
}

static enum err_code pay_one(struct db *db, void *arg, bool *more, struct err *err)
{
    struct payroll *p = arg;
    const struct participant *who = &p->all[p->at];
    enum err_code rc = OK;
    bool changed;
    if (is_earned(p, who)) {
        struct pay_change change = {.state = SV("approved"), .bonus_cents = p->bonus ? -1 : BONUS_CENTS,
                                    .reason = p->bonus ? SV("") : SV("helped to test the instructions")};
        p->bonus = true;
        rc = pay_decide(db, who->place, &change, p->account, p->now, &changed, err);
    }
    *more = ++p->at < p->n;
    return rc;
}

enum err_code fill_pay(const struct fill *f, const struct campaign *k, int64_t joined_before,
                       int64_t account, int64_t now, struct err *err)
{
    static const struct participants_ask to_decide = {.filter = PARTICIPANTS_TO_DECIDE, .most = PAY_PAGE};
    struct payroll p = {.f = f, .joined_before = joined_before, .account = account, .now = now};
    enum err_code rc = participants_page(f->db, k->id, &to_decide, f->arena, &p.all, &p.n, err);
    return rc == OK && p.n ? bulk_write(f->db, true, pay_one, &p, err) : rc;
}
