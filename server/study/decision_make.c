/* decision_make.c - who a decision is about and what it would change. */
#include "study/decision_make.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/list.h"
#include "base/xalloc.h"
#include "live/votes/view_ask.h"
#include "store/campaigns/campaigns.h"
#include "store/decisions/pay.h"
#include "store/people/names.h"
#include "store/people/people.h"
#include "store/people/workers.h"
#include "store/votes/views.h"

static int by_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts and drops what appears twice. */
static size_t sort_ids(int64_t *ids, size_t n)
{
    size_t kept = 0;
    if (n) {
        qsort(ids, n, sizeof *ids, by_id);
    }
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || ids[kept - 1] != ids[i]) {
            ids[kept++] = ids[i];
        }
    }
    return kept;
}

/* ---- who ---- */

enum err_code draft_fit(struct draft_ask *ask, struct people *people, const struct stats *s,
                        struct err *err)
{
    const struct people_words *words = &ask->choice->words;
    struct people_ask list;
    struct people_row *rows;
    enum err_code rc = people_words_ask(words, &list, err);
    if (rc == OK && words->query.n) {
        rc = workers_search(ask->db, words->query, &list.only, err);
    }
    if (rc != OK || list.only < 0) {
        return rc;
    }
    rc = people_find(people, ask->db, ask->tally, s, &list, ask->arena, &rows, &ask->n_fit, err);
    int64_t *fit = arena_alloc(ask->arena, (ask->n_fit + 1) * sizeof *fit);
    for (size_t i = 0; i < ask->n_fit && rc == OK; i++) {
        fit[i] = rows[i].person;
    }
    ask->fit = fit;
    return rc;
}

struct who {
    int64_t *people;      /* rising */
    size_t n_people;
    int64_t campaign;     /* 0: any */
    uint32_t *answers;    /* rising; of a view or one answer */
    size_t n_answers;
};

/* A participant stands for their answers in that campaign. */
static enum err_code people_of_places(const struct draft_ask *ask, struct list *people,
                                      struct who *out, struct err *err)
{
    const struct choice *c = ask->choice;
    enum err_code rc = OK;
    for (size_t i = 0; i < c->n_places && rc == OK; i++) {
        struct decision_place p;
        rc = decisions_place(ask->db, c->places[i], ask->arena, &p, err);
        if (rc == OK && out->campaign && out->campaign != p.campaign) {
            rc = err_rule(err, ERR_INPUT, "decision-choice",
                          "The participants belong to different campaigns. Nothing was changed; decide about "
                          "one campaign at a time.");
        }
        if (rc == OK) {
            out->campaign = p.campaign;
            *LIST_ADD(people, ask->arena, int64_t) = p.person;
        }
    }
    return rc;
}

static enum err_code need_campaign(const struct draft_ask *ask, struct who *out, struct err *err)
{
    struct campaign k;
    if (ask->choice->campaign.n == 0) {
        return OK;
    }
    enum err_code rc = campaigns_find(ask->db, ask->choice->campaign, ask->arena, &k, err);
    out->campaign = rc == OK ? k.id : 0;
    return rc;
}

static bool place_listed(const struct decision_place *p, struct sv show)
{
    bool ended = sv_is(p->outcome, "complete") || sv_is(p->outcome, "partial");
    return sv_is(show, "ready")      ? sv_is(p->outcome, "complete") && sv_is(p->state, "pending")
           : sv_is(show, "to-decide") ? ended && sv_is(p->state, "pending")
           : sv_is(show, "approved") ? sv_is(p->state, "approved")
           : sv_is(show, "rejected") ? sv_is(p->state, "rejected")
           : sv_is(show, "in-it")    ? p->outcome.n == 0
                                     : true;
}

/* All participants of a list: their people. */
static enum err_code people_of_list(const struct draft_ask *ask, struct list *people,
                                    struct who *out, struct err *err)
{
    struct decision_place *places;
    size_t n;
    if (!out->campaign) {
        return err_rule(err, ERR_INPUT, "decision-choice",
                        "To choose all participants, name their campaign. Nothing was changed.");
    }
    enum err_code rc = decisions_places(ask->db, out->campaign, 0, ask->arena, &places, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (place_listed(&places[i], ask->choice->show)) {
            *LIST_ADD(people, ask->arena, int64_t) = places[i].person;
        }
    }
    return rc;
}

static enum err_code find_people(const struct draft_ask *ask, struct who *out, struct err *err)
{
    const struct choice *c = ask->choice;
    struct list people = {0};
    enum err_code rc = need_campaign(ask, out, err);
    for (size_t i = 0; i < c->n_people && rc == OK; i++) {
        int64_t person = 0;
        rc = people_find_pseudonym(ask->db, c->people[i], &person, err);
        *LIST_ADD(&people, ask->arena, int64_t) = person;
    }
    for (size_t i = 0; i < ask->n_fit && c->fit; i++) {
        *LIST_ADD(&people, ask->arena, int64_t) = ask->fit[i];
    }
    if (rc == OK && c->all_places) {
        rc = people_of_list(ask, &people, out, err);
    }
    if (rc == OK && c->n_places) {
        rc = people_of_places(ask, &people, out, err);
    }
    out->people = people.items;
    out->n_people = sort_ids(people.items, people.n);
    return rc;
}

/* ---- answers ---- */

static void warn_of_filters(struct draft *out, const struct view_rules *rules)
{
    for (size_t i = 0; i < rules->n; i++) {
        const char *warning = view_rule_infos[rules->filters[i].rule].warning;
        if (warning) {
            out->filter_warnings[out->n_filter_warnings++] = warning;
        }
    }
}

/* People who were listed by how they answered are a filter too, of the same rule. */
static void warn_of_figure(struct draft *out, const struct people_words *w)
{
    static const struct {
        enum people_key by;
        enum view_rule rule;
    } same[] = {{PEOPLE_CONTROL, RULE_POSITIVE_LEAST},
                {PEOPLE_NEGATIVE, RULE_NEGATIVE_LEAST},
                {PEOPLE_RELATIVE, RULE_RELATIVE_LEAST},
                {PEOPLE_AGREEMENT, RULE_RELATIVE_LEAST}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        if (w->by == same[i].by && (w->least.n || w->most.n)) {
            out->filter_warnings[out->n_filter_warnings++] =
                view_rule_infos[same[i].rule].warning;
        }
    }
}

/* What the view's filters leave out, of its campaigns. */
static enum err_code answers_of_view(const struct draft_ask *ask, struct draft *out,
                                     struct who *who, struct err *err)
{
    struct vote_view view;
    struct view_ask how;
    struct view_counts counts;
    enum err_code rc = views_find(ask->db, ask->choice->view, ask->arena, &view, err);
    rc = rc == OK ? view_ask_of(ask->db, &view, 0, ask->arena, &how, err) : rc;
    rc = rc == OK ? view_count(ask->tally, &how, &counts, err) : rc;
    if (rc != OK) {
        return rc;
    }
    warn_of_filters(out, &view.rules);
    who->answers = arena_alloc(ask->arena, (counts.n_dropped + 1) * sizeof *who->answers);
    who->n_answers = counts.n_dropped;
    if (counts.n_dropped) {
        memcpy(who->answers, counts.dropped, counts.n_dropped * sizeof *who->answers);
    }
    view_counts_release(&counts);
    return OK;
}

static enum err_code find_answers(const struct draft_ask *ask, struct draft *out, struct who *who,
                                  struct err *err)
{
    const struct choice *c = ask->choice;
    if (c->view.n && (c->answer || c->value == DECISION_IN)) {
        return err_rule(err, ERR_INPUT, "decision-choice",
                        "A view only chooses answers to exclude, and cannot be combined with a single "
                        "answer. Nothing was changed. To include answers again, undo the decision that "
                        "excluded them.");
    }
    if (c->answer) {
        who->answers = arena_alloc(ask->arena, sizeof *who->answers);
        who->answers[0] = c->answer > UINT32_MAX ? 0 : (uint32_t)c->answer;
        who->n_answers = 1;
    }
    return c->view.n ? answers_of_view(ask, out, who, err) : OK;
}

/* Marks what an undo is about. */
static enum err_code mark_undone(const struct draft_ask *ask, const struct walk *w, struct draft *out,
                                 uint8_t *marks, struct err *err)
{
    struct decision_undoable *list;
    size_t n;
    memset(marks, EFFECT_STAYS, w->ledger.n);
    enum err_code rc = decisions_undoable(ask->db, &out->undone, ask->arena, &list, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        size_t at = ledger_find(&w->ledger, list[i].subject);
        if (at < w->ledger.n) {
            marks[at] = list[i].out ? EFFECT_OUT : EFFECT_IN;
        }
    }
    return rc;
}

static void add_hash(uint64_t *hash, const void *p, size_t n)
{
    uint64_t both[2] = {*hash, hash_stable(p, n)};
    *hash = hash_stable(both, sizeof both);
}

static void take_answers(const struct draft_ask *ask, const struct walk *w, const uint8_t *marks,
                         struct draft *out)
{
    uint64_t hash = (uint64_t)out->d.value;
    size_t n = 0;
    out->subjects = xcalloc(out->effect.answers, sizeof *out->subjects);
    for (size_t i = 0; i < w->ledger.n; i++) {
        if (marks[i] != EFFECT_STAYS) {
            uint64_t said = (uint64_t)w->ledger.answers[i].id << 2 | marks[i];
            add_hash(&hash, &said, sizeof said);
            out->subjects[n++] = w->ledger.answers[i].id;
        }
    }
    out->d.subjects = (int64_t)n;
    out->d.people = (int64_t)out->effect.people;
    out->d.as_of = w->cursor;
    out->d.reopen = ask->choice->reopen && out->d.value == DECISION_OUT;
    snprintf(out->digest, sizeof out->digest, "%016llx", (unsigned long long)hash);
}

/* How many answers a reopening decision asks for again. */
static enum err_code count_reopened(const struct draft_ask *ask, struct draft *out, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < out->effect.n_campaigns && out->d.value == DECISION_OUT && rc == OK;
         i++) {
        const struct effect_campaign *e = &out->effect.campaigns[i];
        struct campaign k;
        rc = campaigns_get(ask->db, e->campaign, ask->arena, &k, err);
        out->reopened += rc == OK && !k.imported ? e->answers - e->surplus : 0;
    }
    return rc;
}

static enum err_code draft_answers(const struct draft_ask *ask, const struct who *who,
                                   struct draft *out, struct err *err)
{
    struct walk w;
    walk_take(&w, ask->tally);
    walk_sort(&w);
    uint8_t *marks = xcalloc(w.ledger.n, 1);
    enum err_code rc = OK;
    if (out->d.value == DECISION_UNDO) {
        rc = mark_undone(ask, &w, out, marks, err);
    } else {
        const struct effect_ask choose = {
            .out = out->d.value == DECISION_OUT,
            .people = who->people,
            .n_people = who->n_people,
            .answers = who->answers,
            .n_answers = who->n_answers,
            .campaign = who->campaign,
            .before_ms = ask->choice->before_ms,
        };
        effect_choose(&w, &choose, marks);
    }
    if (rc == OK) {
        effect_compute(&w, marks, &out->effect);
        out->has_effect = true;
        take_answers(ask, &w, marks, out);
        rc = count_reopened(ask, out, err);
    }
    free(marks);
    walk_release(&w);
    return rc;
}

/* ---- places ---- */

static bool place_changes(const struct draft *d, const struct decision_place *p, struct sv reason)
{
    switch (d->d.value) {
    case DECISION_BONUS: return p->bonus_cents != d->d.bonus_cents;
    case DECISION_REJECTED: return !sv_is(p->state, "rejected") || !sv_eq(p->reason, reason);
    case DECISION_APPROVED:
    case DECISION_PENDING: return !sv_is(p->state, decision_value_name(d->d.value));
    case DECISION_UNDO: return true;
    case DECISION_IN:
    case DECISION_OUT:
    case DECISION_VALUES: break;
    }
    return false;
}

static int by_place(const void *a, const void *b)
{
    const struct decision_place *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static enum err_code places_of(const struct draft_ask *ask, const struct who *who,
                               struct list *out, struct err *err)
{
    const struct choice *c = ask->choice;
    enum err_code rc = OK;
    for (size_t i = 0; i < c->n_places && rc == OK; i++) {
        rc = decisions_place(ask->db, c->places[i], ask->arena,
                             list_add(out, ask->arena, sizeof(struct decision_place)), err);
    }
    for (size_t i = 0; i < who->n_people && rc == OK && c->n_places == 0; i++) {
        struct decision_place *some;
        size_t n;
        rc = decisions_places(ask->db, who->campaign, who->people[i], ask->arena, &some, &n, err);
        for (size_t k = 0; k < n && rc == OK; k++) {
            *LIST_ADD(out, ask->arena, struct decision_place) = some[k];
        }
    }
    return rc;
}

static enum err_code undone_places(const struct draft_ask *ask, struct draft *d, struct list *out,
                                   struct err *err)
{
    struct decision_undoable *list;
    size_t n;
    enum err_code rc = decisions_undoable(ask->db, &d->undone, ask->arena, &list, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct decision_place *p = list_add(out, ask->arena, sizeof *p);
        rc = decisions_place(ask->db, list[i].subject, ask->arena, p, err);
        rc = rc == OK ? decisions_pay_before(ask->db, &d->undone, p, err) : rc;
    }
    return rc;
}

static void add_money(struct draft *out, const struct decision_place *p)
{
    size_t i = 0;
    while (i < out->n_money && !sv_eq(out->money[i].currency, p->currency)) {
        i++;
    }
    if (i == DRAFT_CURRENCIES) {
        return;
    }
    if (i == out->n_money) {
        out->money[out->n_money++] = (struct draft_money){.currency = p->currency};
    }
    out->money[i].places++;
    out->money[i].pay_cents += p->pay_cents;
    out->money[i].bonus_before += p->bonus_cents;
    out->money[i].bonus_after += out->d.value == DECISION_BONUS  ? out->d.bonus_cents
                                 : out->d.value == DECISION_UNDO ? p->bonus_before
                                                                 : p->bonus_cents;
}

static void take_places(struct draft *out, struct decision_place *list, size_t n, struct sv reason)
{
    uint64_t hash = (uint64_t)out->d.value;
    int64_t *people = xcalloc(n, sizeof *people);
    out->subjects = xcalloc(n, sizeof *out->subjects);
    out->places = list;
    if (n) {
        qsort(list, n, sizeof *list, by_place);
    }
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const struct decision_place p = list[i];
        if (!place_changes(out, &p, reason) || (kept && list[kept - 1].place == p.place)) {
            continue;
        }
        add_hash(&hash, &p.place, sizeof p.place);
        add_hash(&hash, p.state.p, p.state.n);
        add_hash(&hash, &p.bonus_cents, sizeof p.bonus_cents);
        add_money(out, &p);
        out->counted_answers += p.grids;
        people[kept] = p.person;
        out->subjects[kept] = p.place;
        list[kept++] = p;
    }
    out->d.subjects = (int64_t)kept;
    out->d.people = (int64_t)sort_ids(people, kept);
    snprintf(out->digest, sizeof out->digest, "%016llx", (unsigned long long)hash);
    free(people);
}

static enum err_code draft_places(const struct draft_ask *ask, const struct who *who,
                                  struct draft *out, struct err *err)
{
    struct list list = {0};
    struct tally_totals totals;
    /* Taken first: what is decided while the places are read makes this out of date. */
    tally_read_lock(ask->tally);
    tally_totals(ask->tally, &totals);
    tally_read_unlock(ask->tally);
    out->d.as_of = totals.cursor;
    if (ask->choice->view.n || ask->choice->answer || ask->choice->before.n) {
        return err_rule(err, ERR_INPUT, "decision-choice",
                        "Pay is decided for people and participants, not for answers, views or "
                        "days; nothing was changed.");
    }
    enum err_code rc = out->d.value == DECISION_UNDO ? undone_places(ask, out, &list, err)
                                                     : places_of(ask, who, &list, err);
    if (rc == OK) {
        take_places(out, list.items, list.n, ask->choice->reason);
    }
    return rc;
}

/* ---- all of it ---- */

static enum err_code check_text(const struct draft_ask *ask, const struct who *who,
                                struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < who->n_people && rc == OK && ask->choice->reason.n; i++) {
        rc = names_refuse(ask->db, who->people[i], ask->choice->reason, err);
    }
    return rc;
}

static enum err_code count_blocked(const struct draft_ask *ask, const struct who *who,
                                   struct draft *out, struct err *err)
{
    int64_t *blocked;
    size_t n, at = 0;
    enum err_code rc = views_blocked(ask->db, 0, ask->arena, &blocked, &n, err);
    for (size_t i = 0; i < who->n_people && rc == OK; i++) {
        while (at < n && blocked[at] < who->people[i]) {
            at++;
        }
        out->blocked += at < n && blocked[at] == who->people[i];
    }
    out->chosen_people = (int64_t)who->n_people;
    return rc;
}

static enum err_code begin(const struct draft_ask *ask, struct draft *out, struct err *err)
{
    const struct choice *c = ask->choice;
    out->d = (struct decision){.pay = c->pay,
                               .value = c->value,
                               .rule = c->reason,
                               .criteria = sv_of(choice_criteria(c, ask->arena)),
                               .bonus_cents = c->bonus_cents,
                               .undoes = c->undo};
    if (!c->undo) {
        return OK;
    }
    enum err_code rc = decisions_get(ask->db, c->undo, ask->arena, &out->undone, err);
    out->d.pay = out->undone.pay;
    bool exported = false;
    if (rc == OK && out->d.pay) {
        rc = pay_exported_after(ask->db, c->undo, &exported, err);
    }
    return exported ? err_rule(err, ERR_CONFLICT, "pay-exported",
                               "The list for the panel was downloaded after decision %lld, so people may "
                               "have been paid by it and it cannot be undone. Nothing was changed. Make a "
                               "new decision about these participants instead.",
                               (long long)c->undo)
                    : rc;
}

enum err_code draft_make(const struct draft_ask *ask, struct draft *out, struct err *err)
{
    struct who who = {0};
    *out = (struct draft){.n_money = 0};
    enum err_code rc = begin(ask, out, err);
    if (rc == OK && !ask->choice->undo) {
        rc = find_people(ask, &who, err);
    }
    if (rc == OK && !ask->choice->undo && !out->d.pay) {
        rc = find_answers(ask, out, &who, err);
    }
    rc = rc == OK ? check_text(ask, &who, err) : rc;
    rc = rc == OK ? count_blocked(ask, &who, out, err) : rc;
    if (rc == OK) {
        rc = out->d.pay ? draft_places(ask, &who, out, err) : draft_answers(ask, &who, out, err);
    }
    if (rc == OK && out->d.subjects > DECISION_SUBJECTS_MOST) {
        rc = err_rule(err, ERR_LIMIT, "decision-most",
                      "A decision can be about at most %d answers. Nothing was changed; choose one campaign "
                      "or a day.", DECISION_SUBJECTS_MOST);
    }
    if (rc == OK && ask->choice->fit) {
        warn_of_figure(out, &ask->choice->words);
    }
    return rc;
}

void draft_release(struct draft *d)
{
    free(d->subjects);
    effect_release(&d->effect);
    d->subjects = NULL;
}
