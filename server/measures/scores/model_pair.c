/* model_pair.c - reads a set with its scores and says what a model lacks. */
#include "measures/scores/model_pair.h"

enum err_code scored_set_read(struct model_scores *s, struct db *db, struct sv name, const struct subset *part,
                              struct arena *a, struct scored_set *out, struct err *err)
{
    enum err_code rc = revisions_find(db, name, a, &out->r, err);
    rc = rc == OK ? model_scores_of(s, db, &out->r, part, a, &out->scores, &out->n, err) : rc;
    return rc == OK && part ? label_pick_covers(db, &part->labels, out->r.id, err) : rc;
}

const struct model_score *scored_set_find(const struct scored_set *set, int64_t model)
{
    for (size_t i = 0; i < set->n; i++) {
        if (set->scores[i].model == model) {
            return &set->scores[i];
        }
    }
    return NULL;
}

const char *scored_set_lacks(const struct scored_set *set, int64_t model, int top, struct arena *a)
{
    const struct model_score *m = scored_set_find(set, model);
    if (!m || m->predicted == 0) {
        return arena_printf(a, "no predictions about " SV_FMT, SV_ARG(set->r.set));
    }
    if (m->predicted < m->images) {
        return arena_printf(a, "predictions about %u of %u images of " SV_FMT, m->predicted, m->images,
                            SV_ARG(set->r.set));
    }
    return m->k >= top ? NULL : arena_printf(a, "predictions of top-%d only", m->k);
}

bool model_score_knows(const struct model_score *s, int top)
{
    return s && s->predicted && s->k >= top;
}

uint32_t model_score_right(const struct model_score *s, int top)
{
    return top == 1 ? s->top1 : s->topk;
}
