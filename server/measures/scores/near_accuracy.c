/* near_accuracy.c - the scores of two subsets, side by side. */
#include "measures/scores/near_accuracy.h"

#include <stdlib.h>

#define OF(member) RECORD_OF(struct near_accuracy, member)
RECORD(near_accuracy_record, struct near_accuracy, "near_accuracy", "What near-duplicates of training images add to a model's accuracy.",
       {"model", OF(model), .about = "The model's name."},
       {"images", OF(images), .about = "Images of the newest originals that are told one by one."},
       {"duplicates", OF(duplicates), .about = "Of them those that are recorded as near-duplicates of a training image."},
       {"accuracy", OF(all), .about = "Top-1 accuracy on these images, from 0 to 1."},
       {"on_duplicates", OF(on_duplicates), .about = "On the near-duplicates alone."},
       {"without_duplicates", OF(without), .about = "On the others."},
       {"change", OF(change), .about = "Accuracy on the others, less accuracy on all."});
#undef OF

static const struct model_score *score_of(const struct model_score *list, size_t n, int64_t model)
{
    size_t i = 0;
    while (i < n && list[i].model != model) {
        i++;
    }
    return i < n && list[i].predicted == list[i].images ? &list[i] : NULL;
}

static enum err_code scores_on(struct model_scores *s, struct db *db, const struct revision_row *r, struct sv name,
                               struct arena *a, struct model_score **out, size_t *n, struct err *err)
{
    struct subset subset;
    enum err_code rc = subset_find(db, NULL, name, a, &subset, err);
    return rc == OK ? model_scores_of(s, db, r, &subset, a, out, n, err) : rc;
}

static struct near_accuracy compare(struct sv model, const struct model_score *on, const struct model_score *without)
{
    double duplicates = on->images, others = without->images;
    struct near_accuracy c = {.model = model, .images = (int64_t)on->images + without->images, .duplicates = on->images};
    c.without = without->top1 / others;
    c.on_duplicates = on->top1 / duplicates;
    c.all = ((double)on->top1 + without->top1) / (duplicates + others);
    c.change = c.without - c.all;
    return c;
}

static int by_accuracy(const void *a, const void *b)
{
    const struct near_accuracy *x = a, *y = b;
    return x->all != y->all ? (x->all < y->all) - (x->all > y->all) : sv_cmp(x->model, y->model);
}

static enum err_code compare_all(struct model_scores *s, struct db *db, const struct revision_row *r, struct arena *a,
                                 struct near_accuracy **out, size_t *n, struct err *err)
{
    struct model_row *models;
    struct model_score *on, *without;
    size_t n_models, n_on, n_without;
    enum err_code rc = models_list(db, false, a, &models, &n_models, err);
    rc = rc == OK ? scores_on(s, db, r, SV("near-duplicates"), a, &on, &n_on, err) : rc;
    rc = rc == OK ? scores_on(s, db, r, SV("without-near-duplicates"), a, &without, &n_without, err) : rc;
    if (rc != OK) {
        return rc;
    }
    *out = arena_calloc(a, n_models + 1, sizeof **out);
    for (size_t i = 0; i < n_models; i++) {
        const struct model_score *d = score_of(on, n_on, models[i].id), *w = score_of(without, n_without, models[i].id);
        if (d && w && d->images > 0 && w->images > 0) {
            (*out)[(*n)++] = compare(models[i].name, d, w);
        }
    }
    if (*n) {
        qsort(*out, *n, sizeof **out, by_accuracy);
    }
    return OK;
}

enum err_code near_accuracy_list(struct model_scores *s, struct db *db, struct arena *a, struct near_accuracy **out,
                                 size_t *n, struct err *err)
{
    struct revision_row *list;
    size_t n_list;
    *n = 0;
    *out = arena_calloc(a, 1, sizeof **out);
    enum err_code rc = revisions_list(db, 0, a, &list, &n_list, err);
    const struct revision_row *newest = rc == OK ? revision_newest(list, n_list, "original") : NULL;
    return newest ? compare_all(s, db, newest, a, out, n, err) : rc;
}
