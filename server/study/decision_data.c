/* decision_data.c - decisions and drafts as JSON with texts. */
#include "study/decision_data.h"

#include "domain/grids/grid.h"
#include "json/object.h"
#include "store/campaigns/campaigns.h"
#include "store/classes/classes.h"
#include "store/decisions/pay.h"
#include "view/data.h"
#include "view/people_texts.h"

enum { LOSING_SHOWN = 20 };

static const char *plural(struct arena *a, int64_t n, const char *one, const char *many)
{
    return arena_printf(a, "%s %s", data_count(a, n), n == 1 ? one : many);
}

static const char *subjects_text(struct arena *a, bool pay, int64_t n)
{
    return pay ? plural(a, n, "participant", "participants") : plural(a, n, "answer", "answers");
}

const char *decision_title(const struct decision *d, struct arena *a)
{
    switch (d->value) {
    case DECISION_IN: return "Include in the analysis again";
    case DECISION_OUT: return "Exclude from the analysis";
    case DECISION_PENDING: return "Set pay back to pending";
    case DECISION_APPROVED: return "Approve pay";
    case DECISION_REJECTED: return "Reject pay";
    case DECISION_BONUS: return "Bonus";
    case DECISION_UNDO: return arena_printf(a, "Undo decision %lld", (long long)d->undoes);
    case DECISION_VALUES: break;
    }
    return "";
}

/* ---- a decision ---- */

static const char *state_of(const struct decision *d, bool in_effect)
{
    return !d->undone_by ? (d->whole ? "in effect" : "unfinished")
           : in_effect   ? "in effect again"
                         : "undone";
}

static json_t *criteria_of(const struct decision *d)
{
    json_t *o = json_loadb(d->criteria.p, d->criteria.n, 0, NULL);
    return o ? o : json_object();
}

struct decision_face {
    struct decision d;
    const char *url, *at_text, *field, *value, *title, *criteria_text, *subjects_text, *people_text, *written_text,
        *state, *bonus;
    struct sv by;
    json_t *criteria;
    int64_t written;
    bool in_effect, open, can_undo, undone, exported;
};

#define OF(member) RECORD_OF(struct decision_face, member)
RECORD(decision_record, struct decision_face, "decision", "A decision about many answers, or about the pay of many places.",
       {"id", OF(d.id), .about = "The decision's number: that of its event."},
       {"url", OF(url), .about = "The address of its page."},
       {"at", OF(d.at), RECORD_MOMENT, .about = "When it was made."},
       {"at_text", OF(at_text), .about = "The same to the minute, in UTC."},
       {"by", OF(by), .about = "The login of whoever decided; `erased` or `command line` where there is none."},
       {"field", OF(field), .about = "analysis or pay."},
       {"value", OF(value), .about = "in, out, pending, approved, rejected, bonus or undo."},
       {"title", OF(title), .about = "The same for people."},
       {"reason", OF(d.rule), .about = "Why."},
       {"criteria", OF(criteria), .about = "Whom it was about, as it was asked for."},
       {"criteria_text", OF(criteria_text), .about = "The same for people."},
       {"subjects", OF(d.subjects), .about = "Answers, or places, that it is about."},
       {"subjects_text", OF(subjects_text), .about = "The same for people."},
       {"people", OF(d.people), .about = "People whose answers or places these are."},
       {"written", OF(written), .about = "Subjects that are written."},
       {"written_text", OF(written_text), .about = "The same for people."},
       {"whole", OF(d.whole), .about = "Whether all of them are."},
       {"state", OF(state), .about = "in effect, unfinished, undone or in effect again."},
       {"in_effect", OF(in_effect), .about = "Whether it is in effect."},
       {"open", OF(open), .about = "Whether it was cut off and waits to be continued or undone."},
       {"can_undo", OF(can_undo), .about = "Whether it can be undone."},
       {"undone", OF(undone), .about = "Whether it was undone."},
       {"reopen", OF(d.reopen), .about = "Whether grids get other answers instead of those that it excludes."},
       {"bonus", OF(bonus), .maybe = true, .about = "The bonus of each place in its currency, as text; null: it gives none."},
       {"undoes", OF(d.undoes), .maybe = true, .about = "The decision that it undoes; null: none."},
       {"undone_by", OF(d.undone_by), .maybe = true, .about = "The newest decision that undoes it; null: none."},
       {"as_of", OF(d.as_of), .about = "The number of the last event that it knew of."},
       {"people_text", OF(people_text), .about = "`people` for people."},
       {"exported", OF(exported), .about = "Whether a list for the panel was taken since, so that pay cannot be undone."});
#undef OF

json_t *decision_json(struct db *db, const struct decision *d, struct arena *a, struct err *err)
{
    bool in_effect = true, exported = false;
    int64_t written = d->subjects;
    enum err_code rc = decisions_in_effect(db, d, &in_effect, err);
    if (rc == OK && d->pay) {
        rc = pay_exported_after(db, d->id, &exported, err);
    }
    if (rc == OK && !d->whole) {
        rc = decisions_written(db, d, &written, err);
    }
    if (rc != OK) {
        return NULL;
    }
    bool open = !d->whole && !d->undone_by;
    const struct decision_face face = {
        .d = *d,
        .url = arena_printf(a, "/decisions/%lld", (long long)d->id),
        .at_text = people_minute(a, d->at),
        .field = d->pay ? "pay" : "analysis",
        .value = decision_value_name(d->value),
        .title = decision_title(d, a),
        .criteria_text = choice_criteria_text(d->criteria, a),
        .subjects_text = subjects_text(a, d->pay, d->subjects),
        .people_text = plural(a, d->people, "person", "people"),
        .written_text = data_count(a, written),
        .state = state_of(d, in_effect),
        .bonus = d->value == DECISION_BONUS ? arena_printf(a, "%lld.%02lld", (long long)d->bonus_cents / 100,
                                                           (long long)d->bonus_cents % 100)
                                            : NULL,
        .by = d->login.n ? d->login : sv_of(d->account ? "erased" : "command line"),
        .criteria = criteria_of(d),
        .written = written,
        .in_effect = in_effect && !open,
        .open = open,
        .can_undo = in_effect && d->whole && !exported,
        .undone = !in_effect,
        .exported = exported};
    return record_json(&decision_record, &face);
}

/* ---- the effect on the default view ---- */

struct mean_face {
    const char *label;
    json_t *before, *after;
};

static RECORD(mean_record, struct mean_face, "effect_frequency", "What a frequency becomes.",
              {"label", RECORD_OF(struct mean_face, label), .about = "Of what."},
              {"before", RECORD_OF(struct mean_face, before), .of = &frequency_record, .about = "What it is."},
              {"after", RECORD_OF(struct mean_face, after), .of = &frequency_record, .about = "What it becomes."});

static void add_mean(json_t *rows, struct arena *a, const struct effect *e, const char *label, enum cell_role role)
{
    const struct mean_face row = {
        label,
        data_clustered(a, (int64_t)e->before.selected[role], (int64_t)e->before.shown[role], e->before.ci[role]),
        data_clustered(a, (int64_t)e->after.selected[role], (int64_t)e->after.shown[role], e->after.ci[role])};
    json_array_append_new(rows, record_json(&mean_record, &row));
}

static json_t *mean_rows(struct arena *a, const struct effect *e)
{
    json_t *rows = json_array();
    add_mean(rows, a, e, "Originals", CELL_POSITIVE);
    add_mean(rows, a, e, "Candidates", CELL_CANDIDATE);
    add_mean(rows, a, e, "Negative controls", CELL_NEGATIVE);
    if (e->before.shown[CELL_GOLD] || e->after.shown[CELL_GOLD]) {
        add_mean(rows, a, e, "Gold answered right", CELL_GOLD);
    }
    return rows;
}

struct bin_face {
    uint32_t before, after;
    const char *label, *before_text, *after_text;
};

#define OF(member) RECORD_OF(struct bin_face, member)
static RECORD(bin_record, struct bin_face, "effect_bin", "Images with a selection frequency in one range.",
              {"label", OF(label), .about = "The range."},
              {"before", OF(before), .about = "How many images there are."},
              {"after", OF(after), .about = "How many there will be."},
              {"before_text", OF(before_text), .about = "`before` for people."},
              {"after_text", OF(after_text), .about = "`after` for people."});
#undef OF

struct moves_face {
    uint64_t moved, lost, gained;
    const char *label, *moved_text, *lost_text, *gained_text;
    json_t *bins;
};

#define OF(member) RECORD_OF(struct moves_face, member)
static RECORD(moves_record, struct moves_face, "effect_images", "Images whose selection frequency changes.",
              {"label", OF(label), .about = "Originals or Candidates."},
              {"moved", OF(moved), .about = "Images that change their range."},
              {"lost", OF(lost), .about = "Images that have too few answers then."},
              {"gained", OF(gained), .about = "Images that have enough answers then."},
              {"moved_text", OF(moved_text), .about = "`moved` for people."},
              {"lost_text", OF(lost_text), .about = "`lost` for people."},
              {"gained_text", OF(gained_text), .about = "`gained` for people."},
              {"bins", OF(bins), RECORD_LIST, .of = &bin_record, .about = "The ranges."});
#undef OF

static json_t *images_row(struct arena *a, const struct effect *e, unsigned kind)
{
    static const char *const bins[STATS_BINS] = {"0 to 0.2", "0.2 to 0.4", "0.4 to 0.6",
                                                 "0.6 to 0.8", "0.8 to 1"};
    json_t *list = json_array();
    for (unsigned b = 0; b < STATS_BINS; b++) {
        uint32_t before = e->bins_before[kind][b], after = e->bins_after[kind][b];
        const struct bin_face bin = {before, after, bins[b], data_count(a, before), data_count(a, after)};
        json_array_append_new(list, record_json(&bin_record, &bin));
    }
    uint64_t moved = e->moved[kind], lost = e->lost[kind], gained = e->gained[kind];
    const struct moves_face face = {
        moved, lost, gained, kind ? "Candidates" : "Originals", data_count(a, (int64_t)moved),
        data_count(a, (int64_t)lost), data_count(a, (int64_t)gained), list};
    return record_json(&moves_record, &face);
}

struct losing_face {
    struct class_info k;
    uint32_t before, after;
    const char *words, *url;
};

#define OF(member) RECORD_OF(struct losing_face, member)
static RECORD(losing_record, struct losing_face, "effect_class", "A class that loses answered originals.",
              {"wnid", OF(k.wnid), .about = "The class."},
              {"words", OF(words), .about = "Its words."},
              {"url", OF(url), .about = "The address of its page."},
              {"before", OF(before), .about = "Originals that have their answers."},
              {"after", OF(after), .about = "Those that will have them."});
#undef OF

static enum err_code losing_rows(struct db *db, const struct effect *e, struct arena *a,
                                 json_t *rows, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < e->n_losing && i < LOSING_SHOWN && rc == OK; i++) {
        const struct effect_class *l = &e->losing[i];
        struct losing_face row = {.before = l->covered_before, .after = l->covered_after};
        rc = classes_get(db, l->class_id, a, &row.k, err);
        if (rc == OK) {
            row.words = data_synset(a, row.k.synset, ", ");
            row.url = arena_printf(a, "/classes/" SV_FMT, SV_ARG(row.k.wnid));
            json_array_append_new(rows, record_json(&losing_record, &row));
        }
    }
    return rc;
}

struct effect_campaign_face {
    struct effect_campaign x;
    struct campaign k;
    const char *url, *answers_text;
};

#define OF(member) RECORD_OF(struct effect_campaign_face, member)
static RECORD(effect_campaign_record, struct effect_campaign_face, "effect_campaign", "Chosen answers of a campaign.",
              {"name", OF(k.name), .about = "The campaign's name."},
              {"title", OF(k.title), .about = "Its title."},
              {"url", OF(url), .about = "The address of its page."},
              {"answers", OF(x.answers), .about = "Chosen answers."},
              {"answers_text", OF(answers_text), .about = "The same for people."},
              {"surplus", OF(x.surplus), .about = "Surplus ones among them."},
              {"grids", OF(x.grids), .about = "Grids that they answer."});
#undef OF

static enum err_code campaign_rows(struct db *db, const struct effect *e, struct arena *a,
                                   json_t *rows, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < e->n_campaigns && rc == OK; i++) {
        struct effect_campaign_face row = {.x = e->campaigns[i]};
        rc = campaigns_get(db, row.x.campaign, a, &row.k, err);
        if (rc == OK) {
            row.url = arena_printf(a, "/campaigns/" SV_FMT, SV_ARG(row.k.name));
            row.answers_text = data_count(a, row.x.answers);
            json_array_append_new(rows, record_json(&effect_campaign_record, &row));
        }
    }
    return rc;
}

struct effect_face {
    struct effect e;
    json_t *rows, *images, *losing, *campaigns;
    int64_t reopened;
    bool reopens;
    const char *losing_more, *reopened_text, *counts_before, *counts_after;
};

#define OF(member) RECORD_OF(struct effect_face, member)
static RECORD(effect_record, struct effect_face, "decision_effect", "What a decision would do to the default vote view.",
              {"rows", OF(rows), RECORD_LIST, .of = &mean_record, .about = "Average frequencies."},
              {"images", OF(images), RECORD_LIST, .of = &moves_record, .about = "Originals and candidates."},
              {"losing", OF(losing), RECORD_LIST, .of = &losing_record,
               .about = "The classes that lose most answered originals, the largest loss first."},
              {"n_losing", OF(e.n_losing), .about = "How many classes lose some."},
              {"losing_more", OF(losing_more), .maybe = true, .about = "How many of them are not listed, for people; null: none."},
              {"campaigns", OF(campaigns), RECORD_LIST, .of = &effect_campaign_record, .about = "Campaigns with chosen answers."},
              {"surplus", OF(e.surplus), .about = "Surplus answers among the chosen ones."},
              {"uncounted", OF(e.uncounted), .about = "Chosen answers that the default view does not count."},
              {"reopened", OF(reopened), .about = "Answers that are asked for again."},
              {"reopened_text", OF(reopened_text), .about = "The same for people."},
              {"reopens", OF(reopens), .about = "Whether there are any."},
              {"answers_before", OF(e.before.answers), .about = "Answers in the default view."},
              {"answers_after", OF(e.after.answers), .about = "Those that will be."},
              {"people_before", OF(e.before.people), .about = "People who gave them."},
              {"people_after", OF(e.after.people), .about = "Those whose answers will be."},
              {"counts_before", OF(counts_before), .about = "The numbers before for people."},
              {"counts_after", OF(counts_after), .about = "The numbers after for people."});
#undef OF

/* "1,200 answers by 30 people" */
static const char *counts_text(struct arena *a, const struct effect_mean *m)
{
    return arena_printf(a, "%s by %s", plural(a, (int64_t)m->answers, "answer", "answers"),
                        plural(a, (int64_t)m->people, "person", "people"));
}

static json_t *effect_json(struct db *db, const struct draft *f, struct arena *a, struct err *err)
{
    const struct effect *e = &f->effect;
    json_t *losing = json_array(), *campaigns = json_array();
    enum err_code rc = losing_rows(db, e, a, losing, err);
    rc = rc == OK ? campaign_rows(db, e, a, campaigns, err) : rc;
    if (rc != OK) {
        json_decref(losing);
        json_decref(campaigns);
        return NULL;
    }
    size_t hidden = e->n_losing > LOSING_SHOWN ? e->n_losing - LOSING_SHOWN : 0;
    const struct effect_face face = {
        .e = *e,
        .rows = mean_rows(a, e),
        .images = list(images_row(a, e, 0), images_row(a, e, 1)),
        .losing = losing,
        .campaigns = campaigns,
        .reopened = f->reopened,
        .reopens = f->reopened > 0,
        .losing_more = hidden ? data_count(a, (int64_t)hidden) : NULL,
        .reopened_text = plural(a, f->reopened, "answer", "answers"),
        .counts_before = counts_text(a, &e->before),
        .counts_after = counts_text(a, &e->after)};
    return record_json(&effect_record, &face);
}

/* ---- warnings ---- */

struct warning {
    const char *code, *text;
};

static RECORD(warning_record, struct warning, "decision_warning", "Something to know before deciding.",
              {"code", RECORD_OF(struct warning, code), .about = "What it is about, for programs."},
              {"text", RECORD_OF(struct warning, text), .about = "What it says."});

static void warn(json_t *list, const char *code, const char *text)
{
    const struct warning warning = {code, text};
    json_array_append_new(list, record_json(&warning_record, &warning));
}

static void warn_analysis(const struct draft *f, struct arena *a, json_t *list)
{
    const struct effect *e = &f->effect;
    if (f->d.value == DECISION_OUT) {
        warn(list, "paid-still", "Excluded answers are still paid: pay is decided separately.");
        warn(list, "not-blocked",
             f->chosen_people && f->blocked == f->chosen_people
                 ? "Everybody chosen is already blocked; blocking and excluding are separate."
                 : "Excluding does not block. To block someone, open their page.");
    }
    for (size_t i = 0; i < f->n_filter_warnings; i++) {
        warn(list, "measured", f->filter_warnings[i]);
    }
    if (e->answers && e->uncounted == e->answers) {
        warn(list, "uncounted",
             "The default view counts none of these answers, so its numbers stay as they are.");
    }
    if (e->n_losing) {
        warn(list, "coverage",
             arena_printf(a, "%s covered originals: images with at least %d answers.",
                          e->n_losing == 1 ? "One class loses"
                                           : arena_printf(a, "%zu classes lose", e->n_losing),
                          STATS_LEAST_ANSWERS));
    }
}

static void warn_pay(const struct draft *f, struct arena *a, json_t *list)
{
    if (f->d.value != DECISION_REJECTED) {
        return;
    }
    if (f->d.rule.n < DRAFT_REASON_PANEL) {
        warn(list, "short-reason",
             arena_printf(a, "Panels require a reason of at least %d characters for a rejection; participants read "
                             "it.", DRAFT_REASON_PANEL));
    }
    if (f->counted_answers) {
        warn(list, "counted-still",
             arena_printf(a, "Their %s stay in the analysis: rejecting pay does not exclude answers.",
                          plural(a, f->counted_answers, "answer", "answers")));
    }
}

/* ---- money ---- */

struct money_face {
    struct draft_money m;
    const char *pay_text, *before_text, *after_text, *sum_text;
};

#define OF(member) RECORD_OF(struct money_face, member)
static RECORD(money_record, struct money_face, "decision_money", "What a decision about pay comes to in a currency.",
              {"currency", OF(m.currency), .about = "The currency."},
              {"places", OF(m.places), .about = "Places whose pay changes."},
              {"pay", OF(m.pay_cents), RECORD_AMOUNT, .about = "Their pay by the campaigns' terms."},
              {"bonus_before", OF(m.bonus_before), RECORD_AMOUNT, .about = "Their bonuses."},
              {"bonus_after", OF(m.bonus_after), RECORD_AMOUNT, .about = "The bonuses that they will have."},
              {"pay_text", OF(pay_text), .about = "`pay` for people."},
              {"bonus_before_text", OF(before_text), .about = "`bonus_before` for people."},
              {"bonus_after_text", OF(after_text), .about = "`bonus_after` for people."},
              {"sum_text", OF(sum_text), .about = "Pay and bonuses together, for people."});
#undef OF

static json_t *money_rows(const struct draft *f, struct arena *a)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < f->n_money; i++) {
        const struct draft_money *m = &f->money[i];
        const struct money_face row = {
            *m, people_amount(a, m->pay_cents, m->currency), people_amount(a, m->bonus_before, m->currency),
            people_amount(a, m->bonus_after, m->currency),
            people_amount(a, m->pay_cents + m->bonus_after, m->currency)};
        json_array_append_new(rows, record_json(&money_record, &row));
    }
    return rows;
}

enum { PLACES_SHOWN = 50 };

struct paid_face {
    struct decision_place p;
    const char *url, *outcome, *grids, *pay, *bonus;
};

#define OF(member) RECORD_OF(struct paid_face, member)
static RECORD(paid_record, struct paid_face, "decision_place", "A place whose pay changes.",
              {"pseudonym", OF(p.pseudonym), .about = "The person's pseudonym."},
              {"url", OF(url), .about = "The address of the person's page."},
              {"campaign", OF(p.campaign_name), .about = "The campaign's name."},
              {"outcome", OF(outcome), .about = "How the place ended, or `still in it`."},
              {"state", OF(p.state), .about = "What its pay is now: pending, approved or rejected."},
              {"grids", OF(grids), .about = "Grids that it answered, for people."},
              {"pay", OF(pay), .about = "Its pay by the campaign's terms, for people."},
              {"bonus", OF(bonus), .maybe = true, .about = "The bonus that it will have, for people; null: none."});
#undef OF

/* Whose pay changes, the first of them. */
static json_t *place_rows(const struct draft *f, struct arena *a)
{
    json_t *rows = json_array();
    for (int64_t i = 0; f->d.pay && i < f->d.subjects && i < PLACES_SHOWN; i++) {
        const struct decision_place *p = &f->places[i];
        int64_t bonus = f->d.value == DECISION_BONUS  ? f->d.bonus_cents
                        : f->d.value == DECISION_UNDO ? p->bonus_before
                                                      : p->bonus_cents;
        const struct paid_face row = {*p, people_url(a, p->pseudonym),
                                      p->outcome.n ? arena_cstr(a, p->outcome) : "still in it", data_count(a, p->grids),
                                      people_amount(a, p->pay_cents, p->currency),
                                      bonus ? people_amount(a, bonus, p->currency) : NULL};
        json_array_append_new(rows, record_json(&paid_record, &row));
    }
    return rows;
}

/* ---- a draft ---- */

struct draft_face {
    struct decision d;
    const char *field, *value, *title, *subjects_text, *people_text, *digest, *places_more;
    bool nothing, any_warnings;
    json_t *effect, *warnings, *money, *places;
};

#define OF(member) RECORD_OF(struct draft_face, member)
RECORD(draft_record, struct draft_face, "decision_preview", "What a decision would change.",
       {"field", OF(field), .about = "analysis or pay."},
       {"value", OF(value), .about = "in, out, pending, approved, rejected, bonus or undo."},
       {"title", OF(title), .about = "The same for people."},
       {"undoes", OF(d.undoes), .maybe = true, .about = "The decision that it undoes; null: none."},
       {"subjects", OF(d.subjects), .about = "Answers, or places, that would change."},
       {"subjects_text", OF(subjects_text), .about = "The same for people."},
       {"people", OF(d.people), .about = "People whose answers or places these are."},
       {"people_text", OF(people_text), .about = "The same for people."},
       {"as_of", OF(d.as_of), .about = "The number of the last event that is known of."},
       {"digest", OF(digest), .about = "What it would change, as a digest: sent with the decision, it is refused once that is another."},
       {"nothing", OF(nothing), .about = "Whether nothing would change."},
       {"effect", OF(effect), .maybe = true, .of = &effect_record,
        .about = "What becomes of the default vote view; null: of a decision about pay."},
       {"warnings", OF(warnings), RECORD_LIST, .of = &warning_record, .about = "What to know before deciding."},
       {"any_warnings", OF(any_warnings), .about = "Whether there are any."},
       {"money", OF(money), RECORD_LIST, .of = &money_record, .about = "What it comes to, by currency."},
       {"places", OF(places), RECORD_LIST, .of = &paid_record, .about = "The first places whose pay changes."},
       {"places_more", OF(places_more), .maybe = true, .about = "How many others there are, for people; null: none."});
#undef OF

json_t *draft_json(struct db *db, const struct draft *f, struct arena *a, struct err *err)
{
    json_t *effect = f->has_effect ? effect_json(db, f, a, err) : json_null();
    if (!effect) {
        return NULL;
    }
    json_t *warnings = json_array();
    if (f->d.pay) {
        warn_pay(f, a, warnings);
    } else if (f->d.subjects) {
        warn_analysis(f, a, warnings);
    }
    const struct draft_face face = {
        .d = f->d,
        .field = f->d.pay ? "pay" : "analysis",
        .value = decision_value_name(f->d.value),
        .title = decision_title(&f->d, a),
        .subjects_text = subjects_text(a, f->d.pay, f->d.subjects),
        .people_text = plural(a, f->d.people, "person", "people"),
        .digest = f->digest,
        .places_more = f->d.pay && f->d.subjects > PLACES_SHOWN ? data_count(a, f->d.subjects - PLACES_SHOWN) : NULL,
        .nothing = f->d.subjects == 0,
        .any_warnings = json_array_size(warnings) > 0,
        .effect = effect,
        .warnings = warnings,
        .money = money_rows(f, a),
        .places = place_rows(f, a)};
    return record_json(&draft_record, &face);
}
