/* part_images.c - of a part: accuracy class by class, and by statistics of the picture. */
#include "measures/images/by_class_rows.h"
#include "measures/images/by_statistic.h"
#include "report/part.h"

#define CHANCE 0.05 /* among the classes that stand out, as the page of classes has it */

/* ---- by class ---- */

static const struct report_column class_columns[] = {{"wnid", "Class", -1, 0, NULL, NULL},
                                                     {"synset", "Name", -1, 0, NULL, NULL},
                                                     {"original_shrunk", "Originals, shrunk", 1, 100, "original_shrunk_lo", "original_shrunk_hi"},
                                                     {"new_shrunk", "New set, shrunk", 1, 100, "new_shrunk_lo", "new_shrunk_hi"},
                                                     {"gap_shrunk", "Gap, shrunk", 1, 0, "gap_shrunk_lo", "gap_shrunk_hi"},
                                                     {"gap", "Gap, measured", 1, 0, NULL, NULL},
                                                     {"q", "q", 3, 0, NULL, NULL},
                                                     {"stands_out", "Stands out", -1, 0, NULL, NULL},
                                                     {0}};

enum err_code part_classes(const struct part_run *t)
{
    struct report_run *r = t->r;
    struct by_class found;
    const struct by_class_ask ask = {.sets = {&t->p->original.r, &t->p->fresh.r},
                                     .subset = &t->p->subset,
                                     .models = t->table.models,
                                     .n_models = t->table.n,
                                     .top = t->top,
                                     .level = CHANCE};
    const struct sv titles[BY_CLASS_SETS] = {sv_of(t->original), sv_of(t->fresh)};
    enum err_code rc = by_class_make(r->scores, r->db, &ask, r->a, &found, r->err);
    if (rc != OK) {
        return rc;
    }
    const struct by_class_list list = by_class_rows(&found, titles, r->a);
    const struct report_table table = {
        .name = arena_printf(r->a, "classes-top%d", t->top),
        .title = arena_printf(r->a, "Top-%d accuracy class by class", t->top),
        .note = arena_printf(r->a,
                             "Mean of %zu models in percent. Shrunk: pulled towards what all classes have in common (beta-binomial). %zu of %zu classes "
                             "stand out, with at most %.0f %% of them by chance (q: Benjamini and Hochberg; %s).",
                             t->table.n, list.discovered, list.tested, 100 * CHANCE, found.exact ? "Fisher's exact test" : "normal test"),
        .columns = class_columns};
    return part_table(t, &table, &by_class_row_record, list.rows, list.n_rows);
}

/* ---- by statistic ---- */

static const struct report_column statistic_columns[] = {{"statistic", "Statistic", -1, 0, NULL, NULL},
                                                         {"from", "From", -2, 0, NULL, NULL},
                                                         {"to", "To", -2, 0, NULL, NULL},
                                                         {"original_n", "Originals", -2, 0, NULL, NULL},
                                                         {"original_accuracy", "Accuracy", 1, 100, "original_lo", "original_hi"},
                                                         {"new_n", "New images", -2, 0, NULL, NULL},
                                                         {"new_accuracy", "Accuracy", 1, 100, "new_lo", "new_hi"},
                                                         {"gap", "Gap", 1, 0, "gap_lo", "gap_hi"},
                                                         {0}};

struct statistic_row {
    const char *statistic;
    struct statistic_bin bin;
};
#define OF(member) RECORD_OF(struct statistic_row, member)
static RECORD(statistic_record, struct statistic_row, "by_statistic", "Accuracy by one statistic of the picture.",
              {"statistic", OF(statistic)},
              {NULL, RECORD_PART(struct statistic_row, bin), RECORD_BESIDE, .of = &statistic_bin_record});
#undef OF

enum err_code part_statistics(const struct part_run *t)
{
    struct report_run *r = t->r;
    struct statistic_row rows[IMAGE_STATISTICS * STATISTIC_BINS];
    const char *without = "";
    size_t n = 0;
    enum err_code rc = OK;
    for (int which = 0; which < IMAGE_STATISTICS && rc == OK; which++) {
        struct by_statistic found;
        const struct by_statistic_ask ask = {.sets = {&t->p->original.r, &t->p->fresh.r},
                                             .subset = &t->p->subset,
                                             .models = t->table.models,
                                             .n_models = t->table.n,
                                             .top = t->top,
                                             .which = (enum image_statistic)which};
        rc = by_statistic_make(r->scores, r->db, &ask, r->a, &found, r->err);
        for (size_t i = 0; i < found.n && rc == OK; i++) {
            rows[n++] = (struct statistic_row){image_statistic_words[which], found.bins[i]};
        }
        if (rc == OK && found.unmeasured[0] + found.unmeasured[1]) {
            without = arena_printf(r->a, "%s Without %s: %u images.", without, image_statistic_words[which], found.unmeasured[0] + found.unmeasured[1]);
        }
    }
    if (rc != OK) {
        return rc;
    }
    const struct report_table table = {
        .name = arena_printf(r->a, "statistics-top%d", t->top),
        .title = arena_printf(r->a, "Top-%d accuracy by statistics of the picture", t->top),
        .note = arena_printf(r->a, "Mean of %zu models in percent, in fifths of the originals.%s", t->table.n, without),
        .columns = statistic_columns};
    return part_table(t, &table, &statistic_record, rows, n);
}
