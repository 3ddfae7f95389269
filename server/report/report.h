/* report.h - one analysis of a new set against the originals as a folder that opens from a disk, without network and without
 * script: index.html, every chart as SVG, every table as CSV, manifest.json. The same project, analysis and event give the
 * same bytes, whenever and wherever it is made: nothing in it says when. Refuses what models may not be scored on. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "db/db.h"
#include "report/analysis.h"

#define REPORT_MANIFEST "manifest.json"
#define REPORT_PAGE "index.html"
#define REPORT_FORMAT "holdout-report"
enum { REPORT_VERSION = 1 };

struct report_ask {
    struct analysis analysis;
    struct sv plan;         /* name of the plan that it says it follows; empty: none */
    const json_t *pinned;   /* the manifest of a report that is to be made once more: then as of its event, of its revisions,
                               models and versions. NULL: as of now */
    void (*progress)(void *arg, const char *what, uint64_t done, uint64_t total);
    void *arg;
};
struct report_file {
    const char *name;       /* below the folder */
    struct sv text;
};
struct report {             /* in the caller's arena */
    struct report_file *files; /* sorted by name */
    size_t n, deviations, n_tables, n_charts;
};
/* ERR_DENIED (rule "set-sealed"); ERR_NOT_FOUND for sets, models, views and plans; ERR_INPUT as analysis_check, and (rule
 * "report-empty") when no model has predicted all of both sets. Reads one snapshot. */
enum err_code report_make(struct db *db, const struct report_ask *ask, struct arena *a, struct report *out, struct err *err);
/* Whether `target` can become a report: before one is made. As base/new_folder.h; rules "report-target", "report-busy". */
enum err_code report_target(const char *target, struct arena *a, struct err *err);
/* All of it, or nothing: beside the target, then renamed. */
enum err_code report_write(const struct report *r, const char *target, struct arena *a, struct err *err);

#endif
