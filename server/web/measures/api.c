/* api.c - the measures of a pair of sets for scripts. Row in routes.c. */
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"

#define OF(member) RECORD_OF(struct set_change, member)
static RECORD(change_record, struct set_change, "accuracy_change", "The change of accuracy from the originals to the new set.",
              {"models", OF(models), .about = "Over how many models."},
              {"mean", OF(mean), .about = "The mean of new minus original, in percent points; below 0: the new set is harder."},
              {"least", OF(least), .about = "Of the model that loses most."},
              {"most", OF(most), .about = "Of the model that loses least."});
#undef OF

struct measures_reply {
    const char *original, *fresh;
    struct sv subset, labels, new_labels, view;
    int top;
    json_t *models, *left_out, *by_frequency, *new_by_frequency;
    struct set_change top1, top5, common;
    bool has1, has5, has_common;
    struct revision_score_row *rows, *partial;
    size_t n_rows, n_partial, n_sealed;
};
#define OF(member) RECORD_OF(struct measures_reply, member)
#define CHANGE(member, has, text)                                                                                       \
    RECORD_PART(struct measures_reply, member), .of = &change_record, RECORD_IF(struct measures_reply, has), .about = text
RECORD(measures_record, struct measures_reply, "measures", "What a new set changes: accuracy beside the originals, by selection frequency and by revision.",
       {"original", OF(original), .maybe = true, .about = "The originals, SET/NUMBER; null: there are none."},
       {"new", OF(fresh), .maybe = true, .about = "The new set, SET/NUMBER; null: there is none."},
       {"subset", OF(subset), .about = "Of the images of both, as in addresses; empty: all."},
       {"labels", OF(labels), .about = "By which label source and rule answers on the originals are right, SOURCE/NUMBER:RULE; empty: the set's own labels."},
       {"new_labels", OF(new_labels), .about = "The same of the new set."},
       {"view", OF(view), .about = "The vote view that frequencies are of."},
       {"top", OF(top), .about = "What `change_common` is about: a prediction is right when the label is among its first so many."},
       {"models", OF(models), RECORD_TEXTS, .about = "The models that count: those asked for that have predicted all images of both, the most accurate on the originals first."},
       {"left_out", OF(left_out), RECORD_TEXTS, .about = "Models that were asked for by name and have not."},
       {"change_top1", CHANGE(top1, has1, "At top-1, over all images of each set; null: no pair of sets, or no models.")},
       {"change_top5", CHANGE(top5, has5, "At top-5, over the models whose predictions go so far; null: none.")},
       {"change_common", CHANGE(common, has_common, "At `top`, over the classes that both sets have, weighted by the originals' shares; null: not known.")},
       {"original_by_frequency", OF(by_frequency), .maybe = true, .of = &binned_set_record, .about = "On the originals by selection frequency; null: there are none."},
       {"new_by_frequency", OF(new_by_frequency), .maybe = true, .of = &binned_set_record, .about = "On the new set; null: there is none."},
       {"revisions", RECORD_ROWS(struct measures_reply, rows, n_rows), .of = &revision_score_record,
        .about = "The first of the models (at most six if named, else one) on every revision of the new set of which they have predicted all images."},
       {"partial", RECORD_ROWS(struct measures_reply, partial, n_partial), .of = &revision_score_record,
        .about = "The same on revisions of which they have predicted some."},
       {"sealed_revisions", OF(n_sealed), .about = "Revisions on which models may not be scored."});
#undef CHANGE
#undef OF

static const char *side_name(struct ctx *c, const struct measures *m, enum model_side side)
{
    return m->t.sets[side].r ? set_title(c->arena, m->t.sets[side].r) : NULL;
}

/* *out NULL without a set. */
static enum err_code bins_json(struct ctx *c, const struct measures *m, enum model_side side, json_t **out)
{
    struct binned b;
    const char *name = side_name(c, m, side);
    *out = NULL;
    if (!name) {
        return OK;
    }
    enum err_code rc = measures_bins(c, m, side, &b);
    if (rc == OK) {
        const struct binned_set set = binned_set(&b, sv_of(name), sv_of(name), m->names, c->arena);
        *out = record_json(&binned_set_record, &set);
    }
    return rc;
}

static void take_changes(const struct measures *m, struct measures_reply *r)
{
    r->top1 = measures_raw_change(m, 1);
    r->top5 = measures_raw_change(m, 5);
    r->common = measures_common_change(m);
    r->has1 = r->top1.models > 0;
    r->has5 = r->top5.models > 0;
    r->has_common = r->common.models > 0;
}

static json_t *left_out_json(const struct measures *m)
{
    json_t *names = json_array();
    for (size_t i = 0; i < m->n_left_out; i++) {
        json_array_append_new(names, data_text(m->left_out[i].name));
    }
    return names;
}

/* GET /api/v1/measures?original=&new=&top=&subset=&labels=&new_labels=&view=&models= */
enum err_code api_measures(struct ctx *c)
{
    struct measures_query q;
    struct measures m;
    struct revision_line *lines = NULL;
    size_t n = 0;
    if (measures_query_read(c, &q) != OK || measures_make(c, &q, &m) != OK ||
        measures_revisions(c, &m, &lines, &n) != OK) {
        return c->err.code;
    }
    struct measures_reply r = {.original = side_name(c, &m, SIDE_ORIGINAL),
                               .fresh = side_name(c, &m, SIDE_NEW),
                               .subset = m.t.subset.name,
                               .labels = m.t.subset.labels.name,
                               .new_labels = m.t.fresh_subset.labels.name,
                               .view = m.view,
                               .top = q.top};
    if (bins_json(c, &m, SIDE_ORIGINAL, &r.by_frequency) != OK || bins_json(c, &m, SIDE_NEW, &r.new_by_frequency) != OK) {
        json_decref(r.by_frequency);
        return c->err.code;
    }
    const struct revision_scores_list list = revision_score_rows(lines, n, m.names, measures_followed(&m), c->arena);
    r.rows = list.rows;
    r.n_rows = list.n_rows;
    r.partial = list.partial;
    r.n_partial = list.n_partial;
    r.n_sealed = list.n_sealed;
    r.models = measures_names(&m);
    r.left_out = left_out_json(&m);
    take_changes(&m, &r);
    return reply_json(c, 200, record_json(&measures_record, &r));
}
