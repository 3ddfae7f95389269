/* part.c - one part of a report: THE table of the tests that an analysis can name, at each accuracy. */
#include "report/part.h"

#include "json/object.h"

void part_tile(const struct part_run *t, const char *label, const char *value, const char *unit, const char *note)
{
    object_add(t->p->tiles, field_text("label", label), field_text("value", value), field_text("unit", unit), field_text("note", note));
}

enum err_code part_table(const struct part_run *t, const struct report_table *table, const struct record *of, const void *rows, size_t n)
{
    struct str csv;
    str_init(&csv, REPORT_TEXT_MOST);
    record_table(of, RECORD_TABLE_CSV, rows, n, &csv);
    return report_add_table(t->r, t->p, table, &csv);
}

/* In the order of the page. */
static const struct {
    enum err_code (*make)(const struct part_run *t);
    bool once; /* says both accuracies at once */
} tests[ANALYSIS_TESTS] = {
    [ANALYSIS_DROP] = {part_drop, false},
    [ANALYSIS_FIT] = {part_lines, false},
    [ANALYSIS_DIFFICULTY] = {part_difficulty, false},
    [ANALYSIS_BINS] = {part_bins, true},
    [ANALYSIS_CORRECTED] = {part_corrected, false},
    [ANALYSIS_REVISIONS] = {part_revisions, true},
    [ANALYSIS_CLASSES] = {part_classes, false},
    [ANALYSIS_STATISTICS] = {part_statistics, false},
};

static enum err_code at_top(struct part_run *t, int top, bool first)
{
    struct report_run *r = t->r;
    t->top = top;
    pair_table_make(&t->p->original, &t->p->fresh, r->models, r->n_models, (const int[]){top, top}, r->level, r->a, &t->table);
    enum err_code rc = OK;
    for (int i = 0; i < ANALYSIS_TESTS && t->table.n && rc == OK; i++) {
        bool due = analysis_does(&r->s, (enum analysis_test)i) && (first || !tests[i].once);
        rc = due ? tests[i].make(t) : OK;
    }
    return rc;
}

enum err_code report_part_make(struct report_run *r, struct report_part *p)
{
    struct part_run t = {.r = r, .p = p, .original = report_title(r, &p->original.r), .fresh = report_title(r, &p->fresh.r)};
    bool first = true;
    enum err_code rc = OK;
    for (int top = 1; top <= 5 && rc == OK; top += 4) {
        if (analysis_has(&r->s.accuracies, top == 1 ? SV("top-1") : SV("top-5"))) {
            rc = at_top(&t, top, first);
            first = false;
        }
    }
    return rc;
}
