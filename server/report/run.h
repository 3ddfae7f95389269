/* run.h - a report while it is made, shared by the files of report/ alone. */
#ifndef REPORT_RUN_H
#define REPORT_RUN_H

#include "base/list.h"
#include "base/str.h"
#include "chart/svg.h"
#include "live/core/tally.h"
#include "live/votes/view_count.h"
#include "measures/scores/pair_table.h"
#include "report/report.h"
#include "store/sets/plans.h"
#include "store/votes/views.h"

enum { REPORT_TEXT_MOST = 1 << 28 /* bytes of one file */, REPORT_ROWS = 200 /* of a table on the page */ };

struct report_run {
    const struct report_ask *ask;
    struct db *db;
    struct arena *a;
    struct err *err;
    struct analysis s;
    const struct score_level *level;
    struct model_scores *scores;
    struct list files;             /* struct report_file */
    size_t n_tables, n_charts;
    int64_t event, schema;
    const char *tool;
    struct revision_row original, fresh;
    struct vote_view view;
    struct view_counts votes;      /* counted: `has_votes` */
    bool has_votes;
    struct tally *tally;           /* folded by the first part that needs it, else NULL */
    struct model_row *models;      /* that the report is about, by name */
    size_t n_models;
    json_t *left_out;              /* [{model, reason}] */
    json_t *labels;                /* of each part by version, as label_pick.name */
    json_t *subsets;               /* of each part, as subset.name; "all" */
    struct plan_row plan;          /* id 0: none */
    json_t *deviations;            /* [{what, planned, done}] */
    json_t *parts;                 /* of the page */
};

/* A part: which images, by whose labels. */
struct report_part {
    size_t number;                 /* from 0 */
    const char *prefix;            /* of its files */
    struct subset subset;
    struct scored_set original, fresh;
    json_t *tiles, *blocks;        /* of the page: blocks are {table} or {figure} */
};
/* part.c: tables, charts and tiles of the tests that the analysis names. */
enum err_code report_part_make(struct report_run *r, struct report_part *p);

/* table.c: what a table on the page shows of its CSV. */
struct report_column {
    const char *csv, *head;
    int decimals;                  /* of a number; -1: as it is, a text; -2: as it is, to the right */
    double factor;                 /* 0: 1 */
    const char *lo, *hi;           /* columns of its bounds; NULL: none */
};
struct report_table {
    const char *name;              /* of its file, without folder, prefix and ending */
    const char *title, *note;
    const struct report_column *columns; /* ends with one without csv */
};
/* Keeps the CSV as a file, appends the table to the part's blocks; releases `csv`. */
enum err_code report_add_table(struct report_run *r, struct report_part *p, const struct report_table *t, struct str *csv);
enum err_code report_add_chart(struct report_run *r, struct report_part *p, const char *name, const struct chart *chart);

/* report.c: "SET/NUMBER"; a number with so many digits, a dash for what is not known. */
const char *report_title(struct report_run *r, const struct revision_row *v);
const char *report_number(struct report_run *r, double v, int digits);
void report_add_file(struct report_run *r, const char *name, struct sv text);

/* deviations.c: fills r->deviations; after everything else is known. */
enum err_code report_deviations(struct report_run *r);
/* page.c: index.html. manifest.c: manifest.json, of all files so far. */
enum err_code report_page(struct report_run *r);
enum err_code report_manifest(struct report_run *r);

#endif
