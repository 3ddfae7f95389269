/* part.h - one part of a report at one accuracy, shared by the tests that it is made of (part_*.c) alone. */
#ifndef REPORT_PART_H
#define REPORT_PART_H

#include "record/record.h"
#include "report/run.h"

struct part_run {
    struct report_run *r;
    struct report_part *p;
    const char *original, *fresh; /* "SET/NUMBER" */
    int top;
    struct pair_table table;      /* at that top */
};

void part_tile(const struct part_run *t, const char *label, const char *value, const char *unit, const char *note);
/* report_add_table of rows of a record. */
enum err_code part_table(const struct part_run *t, const struct report_table *table, const struct record *of, const void *rows, size_t n);

enum err_code part_drop(const struct part_run *t);
enum err_code part_lines(const struct part_run *t);
enum err_code part_difficulty(const struct part_run *t);
enum err_code part_bins(const struct part_run *t);
enum err_code part_corrected(const struct part_run *t);
enum err_code part_revisions(const struct part_run *t);
enum err_code part_classes(const struct part_run *t);
enum err_code part_statistics(const struct part_run *t);

#endif
