/* label_rows.c - shares and intervals from counts, and the three tables. */
#include "measures/scores/label_rows.h"

#include <math.h>

#include "stats/binomial.h"

#define ALPHA 0.05

static void put_intervals(struct multilabel_row *r, double alpha)
{
    const struct multilabel *m = &r->counts;
    const struct interval strict = binomial_clopper_pearson(m->correct, m->n, alpha),
                          mild = binomial_clopper_pearson(m->correct + m->unclear, m->n, alpha);
    r->strict_lo = 100 * strict.lo;
    r->strict_hi = 100 * strict.hi;
    r->lenient_lo = 100 * mild.lo;
    r->lenient_hi = 100 * mild.hi;
}

void multilabel_intervals(struct multilabel_table *t, double alpha)
{
    for (size_t i = 0; i < t->n; i++) {
        put_intervals(&t->rows[i], alpha);
    }
}

struct multilabel_row multilabel_row(struct sv subset, struct sv model, const struct multilabel *m, struct arena *a)
{
    const uint32_t lenient = m->correct + m->unclear, undecided = m->dontknow + m->unreviewed;
    struct multilabel_row r = {.subset = subset, .model = model, .counts = *m, .undecided = undecided};
    r.mean_strict = m->n ? arena_printf(a, "%.10f", m->mean_strict) : "";
    r.mean_lenient = m->n ? arena_printf(a, "%.10f", m->mean_lenient) : "";
    r.set = r.strict = r.strict_lo = r.strict_hi = r.lenient = r.lenient_lo = r.lenient_hi = r.strict_most = r.lenient_most =
        r.outside = (double)NAN;
    if (m->n) {
        const double n = m->n;
        put_intervals(&r, ALPHA);
        r.set = 100 * (m->part[PART_ALL].set / n);
        r.strict = 100 * (m->correct / n);
        r.strict_most = 100 * ((m->correct + undecided) / n);
        r.lenient = 100 * (lenient / n);
        r.lenient_most = 100 * ((lenient + undecided) / n);
        r.outside = 100 * (m->unreviewed / n);
    }
    return r;
}

#define OF(member) RECORD_OF(struct multilabel_row, member)
#define PART_OF(which, member) OF(counts.part[which].member)
RECORD(review_score_record, struct multilabel_row, "review_score", "How a model does by reviewed labels.",
       {"subset", OF(subset), .face = RECORD_CSV},
       {"model", OF(model), .about = "The model's name."},
       {"n", OF(counts.n), .about = "Images that count."},
       {"correct", OF(counts.correct), .about = "Answers that were reviewed as correct."},
       {"unclear", OF(counts.unclear), .about = "As unclear."},
       {"wrong", OF(counts.wrong), .about = "As wrong."},
       {"dontknow", OF(counts.dontknow), .face = RECORD_JSON, .about = "Of which reviewers said that they do not know."},
       {"unreviewed", OF(undecided), .face = RECORD_CSV},
       {"unreviewed", OF(counts.unreviewed), .face = RECORD_JSON, .about = "That nobody reviewed."},
       {"top1_correct", PART_OF(PART_ALL, set), .about = "That are the set's label."},
       {"n_classes", OF(counts.n_classes), .about = "Classes of the set's labels of these images."},
       {"class_mean_strict", OF(mean_strict), .face = RECORD_CSV},
       {"class_mean_lenient", OF(mean_lenient), .face = RECORD_CSV},
       {"class_mean_strict", OF(counts.mean_strict), .face = RECORD_JSON, .maybe = true, .about = "Mean over those classes of the share that is correct."},
       {"class_mean_lenient", OF(counts.mean_lenient), .face = RECORD_JSON, .maybe = true, .about = "The same of correct or unclear ones."},
       {"top1", OF(set), .face = RECORD_JSON, .maybe = true, .about = "Share that is the set's label, in percent."},
       {"strict", OF(strict), .face = RECORD_JSON, .maybe = true, .about = "Share that is correct, in percent."},
       {"strict_lo", OF(strict_lo), .face = RECORD_JSON, .maybe = true, .about = "Lower bound of strict: Clopper-Pearson, 95 %."},
       {"strict_hi", OF(strict_hi), .face = RECORD_JSON, .maybe = true, .about = "Upper bound of strict."},
       {"strict_most", OF(strict_most), .face = RECORD_JSON, .maybe = true, .about = "What strict would be if all answers that are undecided were correct."},
       {"lenient", OF(lenient), .face = RECORD_JSON, .maybe = true, .about = "Share that is correct or unclear, in percent."},
       {"lenient_lo", OF(lenient_lo), .face = RECORD_JSON, .maybe = true, .about = "Lower bound of lenient."},
       {"lenient_hi", OF(lenient_hi), .face = RECORD_JSON, .maybe = true, .about = "Upper bound of lenient."},
       {"lenient_most", OF(lenient_most), .face = RECORD_JSON, .maybe = true, .about = "What lenient would be if all answers that are undecided were correct."},
       {"outside_pool", OF(outside), .face = RECORD_JSON, .maybe = true, .about = "Share that nobody reviewed, in percent."});

RECORD(object_score_record, struct multilabel_row, "object_score", "How a model does by the objects in images.",
       {"model", OF(model), .about = "The model's name."},
       {"n_all", PART_OF(PART_ALL, n), .about = "Images that count."},
       {"n_single", PART_OF(PART_SINGLE, n), .about = "Those with one object."},
       {"n_multi", PART_OF(PART_MULTI, n), .about = "Those with several."},
       {"n_disagree", PART_OF(PART_DISAGREE, n), .about = "Those of several whose set label is in another object than the main one."},
       {"top1_all", PART_OF(PART_ALL, set), .about = "Answers that are the set's label."},
       {"top1_single", PART_OF(PART_SINGLE, set), .about = "The same where there is one object."},
       {"top1_multi", PART_OF(PART_MULTI, set), .about = "The same where there are several."},
       {"top1_disagree", PART_OF(PART_DISAGREE, set), .about = "The same where the set's label is not in the main object."},
       {"objlabel_single", PART_OF(PART_SINGLE, names), .about = "Answers that are the label of an object, where there is one."},
       {"objlabel_multi", PART_OF(PART_MULTI, names), .about = "The same where there are several."},
       {"anylabel_single", PART_OF(PART_SINGLE, any), .about = "Answers that are any label of an object, where there is one."},
       {"anylabel_multi", PART_OF(PART_MULTI, any), .about = "The same where there are several."},
       {"main_all", PART_OF(PART_ALL, main), .about = "Answers that are the main label."},
       {"main_multi", PART_OF(PART_MULTI, main), .about = "The same where there are several objects."},
       {"main_disagree", PART_OF(PART_DISAGREE, main), .about = "The same where the set's label is not in the main object."});

RECORD(label_score_record, struct multilabel_row, "label_score", "How a model does by the labels of a source.",
       {"subset", OF(subset), .face = RECORD_CSV},
       {"model", OF(model), .about = "The model's name."},
       {"n", OF(counts.n), .about = "Images that count."},
       {"correct", OF(counts.correct), .about = "Answers that are one of the labels."},
       {"top1_correct", PART_OF(PART_ALL, set), .about = "Answers that are the set's label."},
       {"n_classes", OF(counts.n_classes), .about = "Classes of the set's labels of these images."},
       {"class_mean", OF(mean_strict), .face = RECORD_CSV},
       {"class_mean", OF(counts.mean_strict), .face = RECORD_JSON, .maybe = true, .about = "Mean over those classes of the share that is right."},
       {"top1", OF(set), .face = RECORD_JSON, .maybe = true, .about = "Share that is the set's label, in percent."},
       {"accuracy", OF(strict), .face = RECORD_JSON, .maybe = true, .about = "Share that is one of the labels, in percent."},
       {"accuracy_lo", OF(strict_lo), .face = RECORD_JSON, .maybe = true, .about = "Its lower bound: Clopper-Pearson, 95 %."},
       {"accuracy_hi", OF(strict_hi), .face = RECORD_JSON, .maybe = true, .about = "Its upper bound."});
#undef OF
#undef PART_OF

const struct record *multilabel_record(enum label_kind k)
{
    return k == LABEL_KIND_REVIEW ? &review_score_record : k == LABEL_KIND_OBJECTS ? &object_score_record : &label_score_record;
}

enum err_code multilabel_table_make(struct model_scores *s, struct db *db, const struct revision_row *r,
                                    const struct subset *subset, struct arena *a, struct multilabel_table *out, struct err *err)
{
    struct label_score *scores;
    struct model_row *models;
    size_t n = 0, n_models = 0;
    *out = (struct multilabel_table){.n = 0};
    enum err_code rc = label_scores_of(s, db, r, subset, a, &out->coverage, &scores, &n, err);
    rc = rc == OK && out->coverage.counted == 0 ? label_pick_covers(db, &subset->labels, r->id, err) : rc;
    rc = rc == OK ? models_list(db, false, a, &models, &n_models, err) : rc;
    if (rc != OK) {
        return rc;
    }
    out->rows = arena_calloc(a, n_models + 1, sizeof *out->rows);
    out->left_out = arena_calloc(a, n_models + 1, sizeof *out->left_out);
    for (size_t i = 0; i < n_models; i++) {
        size_t k = 0;
        while (k < n && scores[k].model != models[i].id) {
            k++;
        }
        uint32_t answers = k < n ? scores[k].counts.n : 0;
        if (answers == 0 || answers < out->coverage.counted) {
            out->left_out[out->n_left_out++] = (struct multilabel_left_out){models[i].name, answers};
        } else {
            out->rows[out->n] = multilabel_row(subset->labels.version.name, models[i].name, &scores[k].counts, a);
            out->rows[out->n++].id = models[i].id;
        }
    }
    return OK;
}

#define OF(member) RECORD_OF(struct label_group_row, member)
RECORD(label_group_record, struct label_group_row, "label_group_score", "How a model does on images whose label is of a superclass.",
       {"model", OF(model), .about = "The model's name."},
       {"superclass", OF(superclass), .about = "The superclass of the set's label: its wnid, or its name."},
       {"n", OF(counts.n), .about = "Images that count."},
       {"correct", OF(counts.right), .about = "Answers that are right: of reviews, reviewed as correct."},
       {"lenient_correct", OF(counts.lenient), .about = "Of reviews, reviewed as correct or unclear; else the same."},
       {"accuracy", OF(right), .face = RECORD_JSON, .maybe = true, .about = "correct / n, in percent."},
       {"accuracy_lo", OF(lo), .face = RECORD_JSON, .maybe = true, .about = "Its lower bound: Clopper-Pearson, 95 %."},
       {"accuracy_hi", OF(hi), .face = RECORD_JSON, .maybe = true, .about = "Its upper bound."},
       {"lenient", OF(lenient), .face = RECORD_JSON, .maybe = true, .about = "lenient_correct / n, in percent."});
#undef OF

static struct label_group_row group_row(struct sv model, const struct class_group *g, const struct label_group_count *k)
{
    const struct interval ci = binomial_clopper_pearson(k->right, k->n, ALPHA);
    const bool any = k->n > 0;
    return (struct label_group_row){model, g->wnid, g->synset, *k,
                                    any ? 100.0 * k->right / k->n : (double)NAN, any ? 100 * ci.lo : (double)NAN,
                                    any ? 100 * ci.hi : (double)NAN, any ? 100.0 * k->lenient / k->n : (double)NAN};
}

enum err_code multilabel_groups_make(struct model_scores *s, struct db *db, const struct revision_row *r, const struct subset *subset,
                                     const struct multilabel_table *of, const struct class_groups *groups, struct arena *a,
                                     struct label_group_row **out, size_t *n, struct err *err)
{
    struct label_group_score *scores;
    size_t n_scores = 0;
    enum err_code rc = label_groups_of(s, db, r, subset, groups, a, &scores, &n_scores, err);
    *n = 0;
    *out = arena_calloc(a, of->n * groups->n + 1, sizeof **out);
    for (size_t i = 0; i < of->n && rc == OK; i++) {
        size_t k = 0;
        while (k < n_scores && scores[k].model != of->rows[i].id) {
            k++;
        }
        for (uint32_t g = 0; g < groups->n && k < n_scores; g++) {
            (*out)[(*n)++] = group_row(of->rows[i].model, &groups->list[g], &scores[k].group[g]);
        }
    }
    return rc;
}

void multilabel_csv(enum label_kind k, const struct multilabel_row *rows, size_t n, struct str *out)
{
    const struct record *record = multilabel_record(k);
    record_csv_names(record, out);
    str_addc(out, '\n');
    for (size_t i = 0; i < n; i++) {
        record_csv_cells(record, &rows[i], out);
        str_addc(out, '\n');
    }
}
