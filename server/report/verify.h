/* verify.h - whether a report is what was written, and whether the project still gives its numbers: files by digest, then
 * every cell of every table, every text of the page and of the charts, every line of the manifest. */
#ifndef REPORT_VERIFY_H
#define REPORT_VERIFY_H

#include "record/record.h"
#include "report/report.h"

enum { VERIFY_FINDINGS = 10000 /* at most so many are listed */ };

struct verify_finding {
    const char *file;
    const char *row, *column;          /* where in it: "3 (resnet50)", "new_acc"; empty: the whole file */
    const char *reported, *recomputed; /* of a file that was changed: its digests, as they are and as they were */
};
extern const struct record verify_finding_record;
struct verify_found {                  /* in the caller's arena */
    struct verify_finding *findings;
    size_t n, all;                     /* all: how many there are, listed or not */
    size_t files, values;              /* files that were read, values that were compared */
    const char *tool;                  /* the program that wrote the report */
    bool recomputed;
};
struct verify_ask {
    const char *folder;
    struct db *db;                     /* NULL: only files by their digests */
    void (*progress)(void *arg, const char *what, uint64_t done, uint64_t total);
    void *arg;
};
/* ERR_INPUT (rule "report-manifest") when the folder has no manifest of a report; otherwise as report_make. */
enum err_code report_verify(const struct verify_ask *ask, struct arena *a, struct verify_found *out, struct err *err);

#endif
