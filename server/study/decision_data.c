/* decision_data.c - decisions and drafts as JSON with texts. */
#include "study/decision_data.h"

#include "base/clock.h"
#include "domain/grid.h"
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
    case DECISION_IN: return "Bring back into the analysis";
    case DECISION_OUT: return "Take out of the analysis";
    case DECISION_PENDING: return "Pay pending again";
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

json_t *decision_json(struct db *db, const struct decision *d, struct arena *a, struct err *err)
{
    bool in_effect = true;
    int64_t written = d->subjects;
    char iso[CLOCK_ISO_SIZE];
    enum err_code rc = decisions_in_effect(db, d, &in_effect, err);
    bool exported = false;
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
    json_t *o = json_pack(
        "{s:I, s:s, s:s, s:s, s:o, s:s, s:s, s:s, s:o, s:o, s:s, s:I, s:s, s:I}", "id",
        (json_int_t)d->id, "url", arena_printf(a, "/decisions/%lld", (long long)d->id), "at",
        clock_iso(d->at, iso), "at_text", people_minute(a, d->at), "by",
        d->login.n ? data_text(d->login) : json_string(d->account ? "erased" : "command line"),
        "field", d->pay ? "pay" : "analysis", "value", decision_value_name(d->value), "title",
        decision_title(d, a), "reason", data_text(d->rule), "criteria", criteria_of(d),
        "criteria_text", choice_criteria_text(d->criteria, a), "subjects",
        (json_int_t)d->subjects, "subjects_text", subjects_text(a, d->pay, d->subjects), "people",
        (json_int_t)d->people);
    json_t *rest = json_pack(
        "{s:I, s:s, s:b, s:s, s:b, s:b, s:b, s:b, s:b, s:o, s:o, s:o, s:I, s:s, s:b}", "written",
        (json_int_t)written, "written_text", data_count(a, written), "whole", d->whole, "state",
        state_of(d, in_effect), "in_effect", in_effect && !open, "open", open, "can_undo",
        in_effect && d->whole && !exported, "undone", !in_effect, "reopen", d->reopen, "bonus",
        d->value == DECISION_BONUS
            ? json_string(arena_printf(a, "%lld.%02lld", (long long)d->bonus_cents / 100,
                                       (long long)d->bonus_cents % 100))
            : json_null(),
        "undoes", d->undoes ? json_integer(d->undoes) : json_null(), "undone_by",
        d->undone_by ? json_integer(d->undone_by) : json_null(), "as_of", (json_int_t)d->as_of,
        "people_text", plural(a, d->people, "person", "people"), "exported", exported);
    json_object_update(o, rest);
    json_decref(rest);
    return o;
}

/* ---- the effect on the default view ---- */

static json_t *mean_row(struct arena *a, const struct effect *e, const char *label,
                        enum cell_role role)
{
    return json_pack("{s:s, s:o, s:o}", "label", label, "before",
                     data_clustered(a, (int64_t)e->before.selected[role],
                                    (int64_t)e->before.shown[role], e->before.ci[role]),
                     "after",
                     data_clustered(a, (int64_t)e->after.selected[role],
                                    (int64_t)e->after.shown[role], e->after.ci[role]));
}

static json_t *mean_rows(struct arena *a, const struct effect *e)
{
    json_t *rows = json_array();
    json_array_append_new(rows, mean_row(a, e, "Originals", CELL_POSITIVE));
    json_array_append_new(rows, mean_row(a, e, "Candidates", CELL_CANDIDATE));
    json_array_append_new(rows, mean_row(a, e, "Negative controls", CELL_NEGATIVE));
    if (e->before.shown[CELL_GOLD] || e->after.shown[CELL_GOLD]) {
        json_array_append_new(rows, mean_row(a, e, "Gold answered right", CELL_GOLD));
    }
    return rows;
}

static json_t *images_row(struct arena *a, const struct effect *e, unsigned kind)
{
    static const char *const bins[STATS_BINS] = {"0 to 0.2", "0.2 to 0.4", "0.4 to 0.6",
                                                 "0.6 to 0.8", "0.8 to 1"};
    json_t *list = json_array();
    for (unsigned b = 0; b < STATS_BINS; b++) {
        json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:s, s:s}", "label", bins[b], "before",
                                              (json_int_t)e->bins_before[kind][b], "after",
                                              (json_int_t)e->bins_after[kind][b], "before_text",
                                              data_count(a, e->bins_before[kind][b]), "after_text",
                                              data_count(a, e->bins_after[kind][b])));
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:s, s:s, s:s, s:o}", "label",
                     kind ? "Candidates" : "Originals", "moved", (json_int_t)e->moved[kind], "lost",
                     (json_int_t)e->lost[kind], "gained", (json_int_t)e->gained[kind], "moved_text",
                     data_count(a, (int64_t)e->moved[kind]), "lost_text",
                     data_count(a, (int64_t)e->lost[kind]), "gained_text",
                     data_count(a, (int64_t)e->gained[kind]), "bins", list);
}

static enum err_code losing_rows(struct db *db, const struct effect *e, struct arena *a,
                                 json_t *rows, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < e->n_losing && i < LOSING_SHOWN && rc == OK; i++) {
        const struct effect_class *l = &e->losing[i];
        struct class_info k;
        rc = classes_get(db, l->class_id, a, &k, err);
        if (rc == OK) {
            json_array_append_new(
                rows, json_pack("{s:o, s:s, s:s, s:I, s:I}", "wnid", data_text(k.wnid), "words",
                                data_synset(a, k.synset, ", "), "url",
                                arena_printf(a, "/classes/" SV_FMT, SV_ARG(k.wnid)), "before",
                                (json_int_t)l->covered_before, "after",
                                (json_int_t)l->covered_after));
        }
    }
    return rc;
}

static enum err_code campaign_rows(struct db *db, const struct effect *e, struct arena *a,
                                   json_t *rows, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < e->n_campaigns && rc == OK; i++) {
        const struct effect_campaign *x = &e->campaigns[i];
        struct campaign k;
        rc = campaigns_get(db, x->campaign, a, &k, err);
        if (rc == OK) {
            json_array_append_new(
                rows, json_pack("{s:o, s:o, s:s, s:I, s:s, s:I, s:I}", "name", data_text(k.name),
                                "title", data_text(k.title), "url",
                                arena_printf(a, "/campaigns/" SV_FMT, SV_ARG(k.name)), "answers",
                                (json_int_t)x->answers, "answers_text", data_count(a, x->answers),
                                "surplus", (json_int_t)x->surplus, "grids", (json_int_t)x->grids));
        }
    }
    return rc;
}

static json_t *effect_json(struct db *db, const struct draft *f, struct arena *a, struct err *err)
{
    const struct effect *e = &f->effect;
    json_t *losing = json_array(), *campaigns = json_array(), *images = json_array();
    enum err_code rc = losing_rows(db, e, a, losing, err);
    if (rc == OK) {
        rc = campaign_rows(db, e, a, campaigns, err);
    }
    json_array_append_new(images, images_row(a, e, 0));
    json_array_append_new(images, images_row(a, e, 1));
    size_t hidden = e->n_losing > LOSING_SHOWN ? e->n_losing - LOSING_SHOWN : 0;
    json_t *o = json_pack(
        "{s:o, s:o, s:o, s:I, s:o, s:o, s:I, s:I, s:I, s:s, s:b}", "rows", mean_rows(a, e), "images",
        images, "losing", losing, "n_losing", (json_int_t)e->n_losing, "losing_more",
        hidden ? json_string(data_count(a, (int64_t)hidden)) : json_null(), "campaigns", campaigns,
        "surplus", (json_int_t)e->surplus, "uncounted", (json_int_t)e->uncounted, "reopened",
        (json_int_t)f->reopened, "reopened_text", plural(a, f->reopened, "answer", "answers"),
        "reopens", f->reopened > 0);
    json_object_set_new(o, "answers_before", json_integer((json_int_t)e->before.answers));
    json_object_set_new(o, "answers_after", json_integer((json_int_t)e->after.answers));
    json_object_set_new(o, "people_before", json_integer((json_int_t)e->before.people));
    json_object_set_new(o, "people_after", json_integer((json_int_t)e->after.people));
    json_object_set_new(o, "counts_before",
                        json_string(arena_printf(a, "%s by %s",
                                                 plural(a, (int64_t)e->before.answers, "answer",
                                                        "answers"),
                                                 plural(a, (int64_t)e->before.people, "person",
                                                        "people"))));
    json_object_set_new(o, "counts_after",
                        json_string(arena_printf(a, "%s by %s",
                                                 plural(a, (int64_t)e->after.answers, "answer",
                                                        "answers"),
                                                 plural(a, (int64_t)e->after.people, "person",
                                                        "people"))));
    if (rc != OK) {
        json_decref(o);
    }
    return rc == OK ? o : NULL;
}

/* ---- warnings ---- */

static void warn(json_t *list, const char *code, const char *text)
{
    json_array_append_new(list, json_pack("{s:s, s:s}", "code", code, "text", text));
}

static void warn_analysis(const struct draft *f, struct arena *a, json_t *list)
{
    const struct effect *e = &f->effect;
    if (f->d.value == DECISION_OUT) {
        warn(list, "paid-still", "Excluded answers are still paid: pay is decided separately.");
        warn(list, "not-blocked",
             f->chosen_people && f->blocked == f->chosen_people
                 ? "Everybody chosen is blocked already; blocking and excluding are two things."
                 : "Excluding does not block. To block someone, open their page.");
    }
    for (size_t i = 0; i < f->n_filter_warnings; i++) {
        warn(list, "measured", f->filter_warnings[i]);
    }
    if (e->answers && e->uncounted == e->answers) {
        warn(list, "uncounted",
             "The default view counts none of these answers: its numbers stay as they are.");
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
             arena_printf(a, "Panels want a reason of at least %d characters with a rejection; "
                             "participants read it.", DRAFT_REASON_PANEL));
    }
    if (f->counted_answers) {
        warn(list, "counted-still",
             arena_printf(a, "Their %s stay in the analysis: rejecting pay excludes nothing.",
                          plural(a, f->counted_answers, "answer", "answers")));
    }
}

/* ---- money ---- */

static json_t *money_rows(const struct draft *f, struct arena *a)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < f->n_money; i++) {
        const struct draft_money *m = &f->money[i];
        json_array_append_new(
            rows,
            json_pack("{s:o, s:I, s:f, s:f, s:f, s:s, s:s, s:s, s:s}", "currency",
                      data_text(m->currency), "places", (json_int_t)m->places, "pay",
                      (double)m->pay_cents / 100, "bonus_before", (double)m->bonus_before / 100,
                      "bonus_after", (double)m->bonus_after / 100, "pay_text",
                      people_amount(a, m->pay_cents, m->currency), "bonus_before_text",
                      people_amount(a, m->bonus_before, m->currency), "bonus_after_text",
                      people_amount(a, m->bonus_after, m->currency), "sum_text",
                      people_amount(a, m->pay_cents + m->bonus_after, m->currency)));
    }
    return rows;
}

enum { PLACES_SHOWN = 50 };

/* Whose pay changes, the first of them. */
static json_t *place_rows(const struct draft *f, struct arena *a)
{
    json_t *rows = json_array();
    for (int64_t i = 0; f->d.pay && i < f->d.subjects && i < PLACES_SHOWN; i++) {
        const struct decision_place *p = &f->places[i];
        int64_t bonus = f->d.value == DECISION_BONUS  ? f->d.bonus_cents
                        : f->d.value == DECISION_UNDO ? p->bonus_before
                                                      : p->bonus_cents;
        json_array_append_new(
            rows, json_pack("{s:o, s:s, s:o, s:s, s:o, s:s, s:s, s:s?}", "pseudonym",
                            data_text(p->pseudonym), "url", people_url(a, p->pseudonym), "campaign",
                            data_text(p->campaign_name), "outcome",
                            p->outcome.n ? arena_cstr(a, p->outcome) : "still in it", "state",
                            data_text(p->state), "grids", data_count(a, p->grids), "pay",
                            people_amount(a, p->pay_cents, p->currency), "bonus",
                            bonus ? people_amount(a, bonus, p->currency) : NULL));
    }
    return rows;
}

json_t *draft_json(struct db *db, const struct draft *f, struct arena *a, struct err *err)
{
    json_t *effect = f->has_effect ? effect_json(db, f, a, err) : json_null();
    json_t *warnings = json_array();
    if (!effect) {
        json_decref(warnings);
        return NULL;
    }
    if (f->d.pay) {
        warn_pay(f, a, warnings);
    } else if (f->d.subjects) {
        warn_analysis(f, a, warnings);
    }
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:I, s:s, s:I, s:s, s:I, s:s, s:b, s:o, s:o, s:b, s:o, s:o, s:o}", "field",
        f->d.pay ? "pay" : "analysis", "value", decision_value_name(f->d.value), "title",
        decision_title(&f->d, a), "undoes", f->d.undoes ? json_integer(f->d.undoes) : json_null(),
        "subjects", (json_int_t)f->d.subjects, "subjects_text",
        subjects_text(a, f->d.pay, f->d.subjects), "people", (json_int_t)f->d.people,
        "people_text", plural(a, f->d.people, "person", "people"), "as_of",
        (json_int_t)f->d.as_of, "digest", f->digest, "nothing", f->d.subjects == 0, "effect", effect,
        "warnings", warnings, "any_warnings", json_array_size(warnings) > 0, "money",
        money_rows(f, a), "places", place_rows(f, a), "places_more",
        f->d.pay && f->d.subjects > PLACES_SHOWN
            ? json_string(data_count(a, f->d.subjects - PLACES_SHOWN))
            : json_null());
}
