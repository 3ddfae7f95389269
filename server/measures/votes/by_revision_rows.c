/* by_revision_rows.c - the table of the fields, and as it is printed. */
#include "measures/votes/by_revision_rows.h"

#include <stdlib.h>

#include "base/xalloc.h"

#define OF(member) RECORD_OF(struct revision_score_row, member)
#define OF_CHANGE(member) OF(member), RECORD_IF(struct revision_score_row, changed)
RECORD(revision_score_record, struct revision_score_row, "accuracy_on_revision", "How a model does on one revision of a set.",
       {"model", OF(model), .about = "The model's name."},
       {"name", OF(name), .about = "The revision's published name, or SET/NUMBER."},
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"number", OF(number), .about = "Its number in the set."},
       {"parent", OF(parent), .maybe = true, .about = "The revision of the set that it was made from; null: none."},
       {"images", OF(images), .about = "Its images, or those of them that a subset has."},
       {"added", OF_CHANGE(added), .about = "Images that its parent has not; null: it has no parent in the set."},
       {"removed", OF_CHANGE(removed), .about = "Images of its parent that it has not."},
       {"n", OF(n), .about = "Images that the model has predicted."},
       {"top1_correct", OF(top1_correct), .about = "Of these, how many are right at top-1."},
       {"top5_correct", OF(top5_correct), RECORD_IF(struct revision_score_row, deep),
        .about = "How many are right at top-5; null: its predictions do not go so far."},
       {"top1", OF(top1.value), .about = "Top-1 accuracy, from 0 to 1."},
       {"top1_lo", OF(top1.lo), .about = "Lower bound of its 95 % Clopper-Pearson interval."},
       {"top1_hi", OF(top1.hi), .about = "Upper bound."},
       {"top5", OF(top5.value), .maybe = true, .about = "Top-5 accuracy; null: its predictions do not go so far."},
       {"top5_lo", OF(top5.lo), .maybe = true, .about = "Lower bound of its interval."},
       {"top5_hi", OF(top5.hi), .maybe = true, .about = "Upper bound."});
#undef OF_CHANGE
#undef OF

static struct sv title(const struct revision_row *r, struct arena *a)
{
    return sv_of(arena_printf(a, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number));
}

static struct sv parent_of(const struct revision_line *lines, size_t n, const struct revision_line *l, struct arena *a)
{
    size_t i = 0;
    while (i < n && lines[i].revision->id != l->revision->parent) {
        i++;
    }
    return i < n ? title(lines[i].revision, a) : SV("");
}

static struct revision_score_row row_of(const struct revision_line *l, const struct model_score *s, struct arena *a)
{
    bool deep = s->k >= 5;
    struct sv set = title(l->revision, a);
    return (struct revision_score_row){.name = l->revision->published.n ? l->revision->published : set,
                                       .set = set,
                                       .number = l->revision->number,
                                       .images = s->images,
                                       .added = (int64_t)l->added,
                                       .removed = (int64_t)l->removed,
                                       .changed = l->changed,
                                       .n = s->predicted,
                                       .top1_correct = s->top1,
                                       .top5_correct = deep ? s->topk : 0,
                                       .deep = deep,
                                       .top1 = binomial_proportion(s->top1, s->predicted),
                                       .top5 = binomial_proportion(deep ? s->topk : 0, deep ? s->predicted : 0)};
}

struct revision_scores_list revision_score_rows(const struct revision_line *lines, size_t n, const struct sv *names,
                                                size_t n_models, struct arena *a)
{
    struct revision_scores_list out = {.n_rows = 0};
    out.rows = arena_calloc(a, n * n_models + 1, sizeof *out.rows);
    out.partial = arena_calloc(a, n * n_models + 1, sizeof *out.partial);
    for (size_t m = 0; m < n_models; m++) {
        for (size_t i = 0; i < n; i++) {
            const struct model_score *s = &lines[i].on[m];
            if (!lines[i].scoreable || s->predicted == 0) {
                continue;
            }
            struct revision_score_row row = row_of(&lines[i], s, a);
            row.model = names[m];
            row.parent = parent_of(lines, n, &lines[i], a);
            if (s->predicted == s->images) {
                out.rows[out.n_rows++] = row;
            } else {
                out.partial[out.n_partial++] = row;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        out.n_sealed += !lines[i].scoreable;
    }
    return out;
}

/* ---- as printed ---- */

struct printed_revision {
    struct revision_score_row row;
    double top1[3], top5[3]; /* percent: value, lower and upper bound */
};
#define OF(member) RECORD_OF(struct printed_revision, member)
#define CHANGE(member) OF(row.member), RECORD_IF(struct printed_revision, row.changed)
static RECORD(printed_record, struct printed_revision, "printed_revision", "A model's line on a revision as it is printed.",
              {"Model", OF(row.model)},
              {"Revision", OF(row.name)},
              {"Images", OF(row.images)},
              {"Added", CHANGE(added)},
              {"Removed", CHANGE(removed)},
              {"Top-1", OF(top1[0]), RECORD_ROUNDED, RECORD_BOUNDS(struct printed_revision, top1[1], top1[2])},
              {"Top-5", OF(top5[0]), RECORD_ROUNDED, RECORD_IF(struct printed_revision, row.deep),
               RECORD_BOUNDS(struct printed_revision, top5[1], top5[2]), .ranged = offsetof(struct printed_revision, row.deep) + 1});
#undef CHANGE
#undef OF

static const char caption[] = "Accuracy in percent by revision, with 95 % Clopper-Pearson intervals, where a model has predicted all images; "
                              "images that a revision added to the one that it was made from, and removed.";

void revision_scores_write(const struct revision_scores_list *list, enum record_table as, struct str *out)
{
    if (as == RECORD_TABLE_CSV) {
        record_table(&revision_score_record, as, list->rows, list->n_rows, out);
        return;
    }
    struct printed_revision *rows = xcalloc(list->n_rows + 1, sizeof *rows);
    for (size_t i = 0; i < list->n_rows; i++) {
        const struct proportion *one = &list->rows[i].top1, *five = &list->rows[i].top5;
        rows[i] = (struct printed_revision){list->rows[i],
                                            {100 * one->value, 100 * one->lo, 100 * one->hi},
                                            {100 * five->value, 100 * five->lo, 100 * five->hi}};
    }
    record_table(&printed_record, as, rows, list->n_rows, out);
    record_table_caption(as, sv_of(caption), out);
    free(rows);
}
