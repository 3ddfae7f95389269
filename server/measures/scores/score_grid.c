/* score_grid.c - reads all scores once; the two layouts. */
#include "measures/scores/score_grid.h"

#include <stdlib.h>

#include "domain/scores/score_table.h"
#include "stats/binomial.h"
#include "store/operate/health.h"

/* ---- reading ---- */

static enum err_code read_sets(struct model_scores *s, struct db *db, struct arena *a, struct score_grid *g, struct err *err)
{
    struct revision_row *list;
    size_t n;
    enum err_code rc = revisions_list(db, 0, a, &list, &n, err);
    g->sets = rc == OK ? arena_calloc(a, n + 1, sizeof *g->sets) : NULL;
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (revision_may_be_scored(&list[i], NULL) != OK) {
            g->sealed++;
            continue;
        }
        struct err why = {.code = OK};
        rc = g->subset ? label_pick_covers(db, &g->subset->labels, list[i].id, &why) : OK;
        if (rc == ERR_INPUT) { /* labels-missing */
            g->unlabelled++;
            rc = OK;
            continue;
        }
        struct scored_set *set = &g->sets[g->n_sets++];
        set->r = list[i];
        rc = rc == OK ? model_scores_of(s, db, &set->r, g->subset, a, &set->scores, &set->n, err) : err_set(err, rc, "%s", why.msg);
    }
    return rc;
}

enum err_code score_grid_read(struct model_scores *s, struct db *db, const struct subset *subset, struct arena *a,
                              struct score_grid *out, struct err *err)
{
    int64_t schema;
    *out = (struct score_grid){.subset = subset};
    enum err_code rc = health_moment(db, &out->event, &schema, err);
    rc = rc == OK ? models_list(db, false, a, &out->models, &out->n_models, err) : rc;
    rc = rc == OK ? model_facts_list(db, a, &out->facts, &out->n_facts, err) : rc;
    return rc == OK ? read_sets(s, db, a, out, err) : rc;
}

/* ---- long ---- */

struct long_row {
    struct revision_row set;
    struct sv model, subset, labels;
    const char *state;
    struct model_facts facts;
    int top, complete;
    uint32_t images, predicted, correct;
    double accuracy, lo, hi, alpha;
    int64_t event;
};
#define OF(member) RECORD_OF(struct long_row, member)
static RECORD(long_record, struct long_row, "long_score", "A model on a revision.",
              {"set", OF(set.set)},
              {"revision", OF(set.number)},
              {"role", OF(set.role)},
              {"state", OF(state)},
              {"strategy", OF(set.strategy)},
              {"made_at", OF(set.at), RECORD_MOMENT},
              {"subset", OF(subset)},
              {"model", OF(model)},
              {"group", OF(facts.group)},
              {"family", OF(facts.family)},
              {"architecture", OF(facts.architecture)},
              {"year", OF(facts.year), .maybe = true},
              {"training_data", OF(facts.training_data)},
              {"parameters", OF(facts.parameters), .maybe = true},
              {"top", OF(top)},
              {"images", OF(images)},
              {"predicted", OF(predicted)},
              {"complete", OF(complete)},
              {"correct", OF(correct)},
              {"accuracy", OF(accuracy)},
              {"accuracy_lo", OF(lo)},
              {"accuracy_hi", OF(hi)},
              {"alpha", OF(alpha)},
              {"as_of_event", OF(event)},
              {"labels", OF(labels)});
#undef OF

static void add_row(const struct score_grid *g, const struct scored_set *set, const struct model_row *m, int top,
                    const struct score_level *level, struct str *out)
{
    const struct model_score *s = scored_set_find(set, m->id);
    if (!s || s->predicted == 0 || !model_score_knows(s, top)) {
        return;
    }
    const struct model_facts *facts = model_facts_find(g->facts, g->n_facts, m->id);
    uint32_t right = model_score_right(s, top);
    struct interval ci = binomial_clopper_pearson(right, s->predicted, level->alpha);
    struct long_row row = {.set = set->r,
                           .model = m->name,
                           .subset = g->subset ? g->subset->name : (struct sv){0},
                           .labels = g->subset ? g->subset->labels.name : (struct sv){0},
                           .state = revision_state_word(set->r.state),
                           .top = top,
                           .complete = s->predicted == s->images,
                           .images = s->images,
                           .predicted = s->predicted,
                           .correct = right,
                           .accuracy = score_percent(right, s->predicted),
                           .lo = 100 * ci.lo,
                           .hi = 100 * ci.hi,
                           .alpha = level->alpha,
                           .event = g->event};
    if (facts) {
        row.facts = *facts;
    }
    record_csv_cells(&long_record, &row, out);
    str_addc(out, '\n');
}

void score_grid_long(const struct score_grid *g, const struct score_level *level, struct str *out)
{
    record_csv_names(&long_record, out);
    str_addc(out, '\n');
    for (size_t i = 0; i < g->n_sets; i++) {
        for (size_t m = 0; m < g->n_models; m++) {
            add_row(g, &g->sets[i], &g->models[m], 1, level, out);
            add_row(g, &g->sets[i], &g->models[m], 5, level, out);
        }
    }
}

/* ---- models times settings ---- */

struct setting_row {
    const struct model_row *model;
    double first; /* accuracy on the first setting; -1: none */
};

static int best_first(const void *a, const void *b)
{
    const struct setting_row *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first) - (x->first > y->first) : sv_cmp(x->model->name, y->model->name);
}

/* -1: it has not predicted all of it, so far down. */
static double accuracy_on(const struct scored_set *set, int64_t model, int top)
{
    const struct model_score *s = scored_set_find(set, model);
    return s && s->images && s->predicted == s->images && model_score_knows(s, top)
               ? score_percent(model_score_right(s, top), s->images)
               : -1;
}

/* The newest of each set, originals first. */
static size_t settings_of(const struct score_grid *g, struct arena *a, const struct scored_set ***out)
{
    size_t n = 0;
    *out = arena_calloc(a, g->n_sets + 1, sizeof **out);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < g->n_sets; i++) {
            const struct scored_set *set = &g->sets[i];
            bool newest = i + 1 == g->n_sets || g->sets[i + 1].r.image_set != set->r.image_set; /* by set and number */
            if (newest && sv_is(set->r.role, "original") == (pass == 0)) {
                (*out)[n++] = set;
            }
        }
    }
    return n;
}

void score_grid_testbed(const struct score_grid *g, int top, struct arena *a, struct str *out)
{
    const struct scored_set **settings;
    struct setting_row *rows = arena_calloc(a, g->n_models + 1, sizeof *rows);
    size_t n = settings_of(g, a, &settings);
    for (size_t i = 0; i < g->n_models; i++) {
        rows[i] = (struct setting_row){&g->models[i], n ? accuracy_on(settings[0], g->models[i].id, top) : -1};
    }
    if (g->n_models) {
        qsort(rows, g->n_models, sizeof *rows, best_first);
    }
    str_addz(out, "model");
    for (size_t k = 0; k < n; k++) {
        str_addc(out, ',');
        record_csv_text(out, settings[k]->r.set);
    }
    str_addc(out, '\n');
    for (size_t i = 0; i < g->n_models; i++) {
        record_csv_text(out, rows[i].model->name);
        for (size_t k = 0; k < n; k++) {
            double v = accuracy_on(settings[k], rows[i].model->id, top);
            str_addc(out, ',');
            if (v >= 0) {
                record_csv_number(out, v);
            }
        }
        str_addc(out, '\n');
    }
}
