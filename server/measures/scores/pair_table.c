/* pair_table.c - counts of both sets beside each other. */
#include "measures/scores/pair_table.h"

#include "measures/scores/score_sheet.h"

static int64_t id_of(const struct model_row *models, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && !sv_is(models[i].name, name)) {
        i++;
    }
    return i < n ? models[i].id : 0;
}

void pair_table_make(const struct scored_set *original, const struct scored_set *fresh, const struct model_row *models, size_t n,
                     const int top[2], const struct score_level *level, struct arena *a, struct pair_table *out)
{
    struct score_counts *counts = arena_calloc(a, n + 1, sizeof *counts);
    *out = (struct pair_table){.lines = arena_calloc(a, n + 1, sizeof *out->lines),
                               .models = arena_calloc(a, n + 1, sizeof *out->models),
                               .left = arena_calloc(a, n + 1, sizeof *out->left)};
    for (size_t i = 0; i < n; i++) {
        const struct model_row *m = &models[i];
        const char *why = scored_set_lacks(original, m->id, top[0], a);
        why = why ? why : scored_set_lacks(fresh, m->id, top[1], a);
        if (why) {
            out->left[out->n_left++] = (struct pair_left){m, why};
            continue;
        }
        const struct model_score *o = scored_set_find(original, m->id), *w = scored_set_find(fresh, m->id);
        counts[out->n++] = (struct score_counts){arena_cstr(a, m->name), model_score_right(o, top[0]), o->images, model_score_right(w, top[1]),
                                                 w->images};
    }
    score_sheet_lines(counts, out->n, level, out->lines);
    for (size_t i = 0; i < out->n; i++) {
        out->models[i] = id_of(models, n, out->lines[i].counts.model);
    }
}
