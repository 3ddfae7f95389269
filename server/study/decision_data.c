/* decision_data.c - decisions and drafts as JSON with texts. */
#include "study/decision_data.h"

#include "base/clock.h"
#include "domain/grid.h"
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
    json_t *o = object(
        field_int("id", d->id),
        field_text("url", arena_printf(a, "/decisions/%lld", (long long)d->id)),
        field_text("at", clock_iso(d->at, iso)), field_text("at_text", people_minute(a, d->at)),
        field_json("by", d->login.n ? data_text(d->login)
                                    : json_string(d->account ? "erased" : "command line")),
        field_text("field", d->pay ? "pay" : "analysis"),
        field_text("value", decision_value_name(d->value)),
        field_text("title", decision_title(d, a)), field_sv("reason", d->rule),
        field_json("criteria", criteria_of(d)),
        field_text("criteria_text", choice_criteria_text(d->criteria, a)),
        field_int("subjects", d->subjects),
        field_text("subjects_text", subjects_text(a, d->pay, d->subjects)),
        field_int("people", d->people));
    json_t *rest = object(
        field_int("written", written), field_text("written_text", data_count(a, written)),
        field_bool("whole", d->whole), field_text("state", state_of(d, in_effect)),
        field_bool("in_effect", in_effect && !open), field_bool("open", open),
        field_bool("can_undo", in_effect && d->whole && !exported),
        field_bool("undone", !in_effect), field_bool("reopen", d->reopen),
        field_text("bonus", d->value == DECISION_BONUS
                                ? arena_printf(a, "%lld.%02lld", (long long)d->bonus_cents / 100,
                                               (long long)d->bonus_cents % 100)
                                : NULL),
        field_json("undoes", d->undoes ? json_integer(d->undoes) : json_null()),
        field_json("undone_by", d->undone_by ? json_integer(d->undone_by) : json_null()),
        field_int("as_of", d->as_of),
        field_text("people_text", plural(a, d->people, "person", "people")),
        field_bool("exported", exported));
    json_object_update(o, rest);
    json_decref(rest);
    return o;
}

/* ---- the effect on the default view ---- */

static json_t *mean_row(struct arena *a, const struct effect *e, const char *label,
                        enum cell_role role)
{
    return object(
        field_text("label", label),
        field_json("before", data_clustered(a, (int64_t)e->before.selected[role],
                                            (int64_t)e->before.shown[role], e->before.ci[role])),
        field_json("after", data_clustered(a, (int64_t)e->after.selected[role],
                                           (int64_t)e->after.shown[role], e->after.ci[role])));
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
        object_add(list, field_text("label", bins[b]), field_int("before", e->bins_before[kind][b]),
                   field_int("after", e->bins_after[kind][b]),
                   field_text("before_text", data_count(a, e->bins_before[kind][b])),
                   field_text("after_text", data_count(a, e->bins_after[kind][b])));
    }
    return object(field_text("label", kind ? "Candidates" : "Originals"),
                  field_count("moved", e->moved[kind]), field_count("lost", e->lost[kind]),
                  field_count("gained", e->gained[kind]),
                  field_text("moved_text", data_count(a, (int64_t)e->moved[kind])),
                  field_text("lost_text", data_count(a, (int64_t)e->lost[kind])),
                  field_text("gained_text", data_count(a, (int64_t)e->gained[kind])),
                  field_json("bins", list));
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
            object_add(
                rows, field_sv("wnid", k.wnid), field_text("words", data_synset(a, k.synset, ", ")),
                field_text("url", arena_printf(a, "/classes/" SV_FMT, SV_ARG(k.wnid))),
                field_int("before", l->covered_before), field_int("after", l->covered_after));
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
            object_add(rows, field_sv("name", k.name), field_sv("title", k.title),
                       field_text("url", arena_printf(a, "/campaigns/" SV_FMT, SV_ARG(k.name))),
                       field_int("answers", x->answers),
                       field_text("answers_text", data_count(a, x->answers)),
                       field_int("surplus", x->surplus), field_int("grids", x->grids));
        }
    }
    return rc;
}

static json_t *effect_json(struct db *db, const struct draft *f, struct arena *a, struct err *err)
{
    const struct effect *e = &f->effect;
    json_t *losing = json_array(), *campaigns = json_array(), *images = json_array();
    enum err_code rc = losing_rows(db, e, a, losing, err);
    rc = rc == OK ? campaign_rows(db, e, a, campaigns, err) : rc;
    json_array_append_new(images, images_row(a, e, 0));
    json_array_append_new(images, images_row(a, e, 1));
    size_t hidden = e->n_losing > LOSING_SHOWN ? e->n_losing - LOSING_SHOWN : 0;
    json_t *o = object(field_json("rows", mean_rows(a, e)), field_json("images", images),
                       field_json("losing", losing), field_count("n_losing", e->n_losing),
                       field_text("losing_more", hidden ? data_count(a, (int64_t)hidden) : NULL),
                       field_json("campaigns", campaigns), field_count("surplus", e->surplus),
                       field_count("uncounted", e->uncounted), field_int("reopened", f->reopened),
                       field_text("reopened_text", plural(a, f->reopened, "answer", "answers")),
                       field_bool("reopens", f->reopened > 0));
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
    object_add(list, field_text("code", code), field_text("text", text));
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

static json_t *money_rows(const struct draft *f, struct arena *a)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < f->n_money; i++) {
        const struct draft_money *m = &f->money[i];
        object_add(
            rows, field_sv("currency", m->currency), field_int("places", m->places),
            field_real("pay", (double)m->pay_cents / 100),
            field_real("bonus_before", (double)m->bonus_before / 100),
            field_real("bonus_after", (double)m->bonus_after / 100),
            field_text("pay_text", people_amount(a, m->pay_cents, m->currency)),
            field_text("bonus_before_text", people_amount(a, m->bonus_before, m->currency)),
            field_text("bonus_after_text", people_amount(a, m->bonus_after, m->currency)),
            field_text("sum_text", people_amount(a, m->pay_cents + m->bonus_after, m->currency)));
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
        object_add(rows, field_sv("pseudonym", p->pseudonym),
                   field_text("url", people_url(a, p->pseudonym)),
                   field_sv("campaign", p->campaign_name),
                   field_text("outcome", p->outcome.n ? arena_cstr(a, p->outcome) : "still in it"),
                   field_sv("state", p->state), field_text("grids", data_count(a, p->grids)),
                   field_text("pay", people_amount(a, p->pay_cents, p->currency)),
                   field_text("bonus", bonus ? people_amount(a, bonus, p->currency) : NULL));
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
    return object(field_text("field", f->d.pay ? "pay" : "analysis"),
                  field_text("value", decision_value_name(f->d.value)),
                  field_text("title", decision_title(&f->d, a)),
                  field_json("undoes", f->d.undoes ? json_integer(f->d.undoes) : json_null()),
                  field_int("subjects", f->d.subjects),
                  field_text("subjects_text", subjects_text(a, f->d.pay, f->d.subjects)),
                  field_int("people", f->d.people),
                  field_text("people_text", plural(a, f->d.people, "person", "people")),
                  field_int("as_of", f->d.as_of), field_text("digest", f->digest),
                  field_bool("nothing", f->d.subjects == 0), field_json("effect", effect),
                  field_json("warnings", warnings),
                  field_bool("any_warnings", json_array_size(warnings) > 0),
                  field_json("money", money_rows(f, a)), field_json("places", place_rows(f, a)),
                  field_text("places_more", f->d.pay && f->d.subjects > PLACES_SHOWN
                                                ? data_count(a, f->d.subjects - PLACES_SHOWN)
                                                : NULL));
}
