/* analysis.h - what an analysis of a new set against the originals is to be: sets, parts of their images, label sources,
 * models, which tests, level, seeds. One table of fields: a plan is such an analysis in a JSON file, written before the set
 * can be scored; a report is made of one and says where it departs from its plan. Knows nothing of what comes out. */
#ifndef REPORT_ANALYSIS_H
#define REPORT_ANALYSIS_H

#include <jansson.h>

#include "base/arena.h"
#include "base/err.h"
#include "domain/scores/score_level.h"
#include "measures/fits/fit.h"

enum { ANALYSIS_TEXT_MOST = 2000, ANALYSIS_LIST_MOST = 1000, ANALYSIS_BYTES = 1 << 20 };
enum analysis_test { /* "drop", "fit", ... */
    ANALYSIS_DROP,
    ANALYSIS_FIT,
    ANALYSIS_DIFFICULTY,
    ANALYSIS_BINS,
    ANALYSIS_CORRECTED,
    ANALYSIS_REVISIONS,
    ANALYSIS_CLASSES,
    ANALYSIS_STATISTICS,
    ANALYSIS_TESTS
};

struct analysis_texts {
    struct sv *items;
    size_t n;
};
struct analysis {
    struct sv name, note;           /* of a plan; a report made without one has neither */
    struct sv original, fresh;      /* "SET" (its newest revision) or "SET/NUMBER" */
    struct analysis_texts subsets;  /* measures/core/subset.h; "all": all images */
    struct analysis_texts labels;   /* measures/core/label_pick.h; "set": the set's own */
    struct analysis_texts models;   /* empty: all that have predicted all of both sets */
    struct analysis_texts without;  /* in the tables, but the line is not fitted to them */
    struct analysis_texts accuracies; /* "top-1", "top-5" */
    struct analysis_texts tests;    /* "drop", "fit", "bins", "revisions"; others when they are named */
    struct sv scale, over;          /* of the line: measures/fits/fit.h */
    struct sv level;                /* domain/scores/score_level.h, of tables of scores and gaps */
    struct sv view;                 /* whose votes frequencies are of */
    uint64_t resamples;             /* of the line's bootstrap */
    uint64_t gap_seed, fit_seed;
};
/* What holds where nothing is said; without sets. */
extern const struct analysis analysis_usual;

struct analysis_field {
    const char *name;  /* in JSON and, with "-" for "_", as an option */
    const char *label; /* "Subsets of the images" */
    enum { ANALYSIS_WORD, ANALYSIS_LIST, ANALYSIS_COUNT } kind; /* struct sv, struct analysis_texts, uint64_t */
    size_t at;
    bool of_plan;      /* says nothing about numbers */
    uint64_t most;     /* of a count */
};
extern const struct analysis_field analysis_fields[]; /* ends with one without a name */

/* Into `out`, which has what holds otherwise; texts in the arena. ERR_INPUT (rule "analysis") names the field: unknown, of
 * another type, too long, a word that is none. `file` is for messages. */
enum err_code analysis_read(struct sv json, const char *file, struct arena *a, struct analysis *out, struct err *err);
enum err_code analysis_read_json(const json_t *json, const char *file, struct arena *a, struct analysis *out, struct err *err);
/* A value as an option has it: lists with commas between. */
enum err_code analysis_set(struct analysis *out, const struct analysis_field *f, struct sv text, struct arena *a, struct err *err);
/* Words are what they may be, both sets are named. Does not look whether they exist. */
enum err_code analysis_check(const struct analysis *s, const char *file, struct err *err);
/* All fields; new reference. */
json_t *analysis_json(const struct analysis *s);
/* A field as people read it; "" for an empty list. In the arena. */
const char *analysis_text(const struct analysis *s, const struct analysis_field *f, struct arena *a);

bool analysis_does(const struct analysis *s, enum analysis_test test);
bool analysis_has(const struct analysis_texts *list, struct sv text);

#endif
