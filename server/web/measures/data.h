/* data.h - what the page of measures, its charts and its JSON are about: a pair of sets, a part of their images, a vote
 * view, the models that count; and the numbers. */
#ifndef WEB_MEASURES_DATA_H
#define WEB_MEASURES_DATA_H

#include "measures/votes/binned_rows.h"
#include "measures/votes/by_revision_rows.h"
#include "measures/votes/set_changes.h"
#include "web/core/charts.h"
#include "web/scoring/model_table.h"

enum { MEASURES_LINES = 6 /* models that a chart has a line of each for */ };

struct measures_query {
    struct sv sets[SIDES]; /* as model_query */
    int top, new_top;
    struct sv subset, new_subset, labels, new_labels; /* as model_query */
    struct sv view;        /* empty: default */
    struct sv models;       /* names with commas between them; empty: all */
    /* Of the line through models (fit_data.h): */
    int scale, over;        /* enum share_scale, enum fit_over */
    int by;                 /* which fact says a point's colour: MODEL_GROUP ... */
    struct sv without;      /* names of models that it is not fitted to */
    struct sv pivot;        /* where it bends (fit.h); empty: nowhere */
    int bins;               /* enum measures_bins_as: of the page of measures */
};
enum measures_bins_as { MEASURES_BINS_RAW, MEASURES_BINS_CORRECTED };
/* From the address: original, new, top, new_top, subset, new_subset, labels, new_labels, view, models, scale, over, by, without, pivot, bins. ERR_INPUT (rule "list"). */
enum err_code measures_query_read(struct ctx *c, struct measures_query *out);
/* The same of a chart's address. ERR_INPUT (rule "chart-top" or "list"). */
enum err_code measures_query_of(struct ctx *c, const struct chart_ask *ask, struct measures_query *out);
/* Of the charts by frequency and by revision; of that of the line. */
struct chart_ask measures_chart_ask(const struct measures_query *q);
struct chart_ask measures_fit_ask(const struct measures_query *q);
/* The address of the same measures; `q` may be a changed copy. */
const char *measures_query_url(struct ctx *c, const char *path, const struct measures_query *q);
extern const struct list_word measures_bins_words[], measures_tops[], measures_scales[], measures_overs[], measures_bys[];

struct measures {
    struct measures_query query;
    struct model_table t;
    struct sv view;
    bool named;              /* the address names models */
    const struct model_line **lines; /* of the models that count, the most accurate on the originals first: those (of the
                              * named) that have predicted all images of each set that there is */
    int64_t *models;
    struct sv *names;
    size_t n;
    struct model_row *left_out; /* the named ones that do not count */
    size_t n_left_out;
};
/* ERR_NOT_FOUND for sets, models and (rule "no-view") views, ERR_DENIED (rule "set-sealed"), what model_table_make says. */
enum err_code measures_pair(struct ctx *c, const struct measures_query *q, struct measures *out);
/* The same of what is measured on both sets in one way: measures_alike says. */
enum err_code measures_make(struct ctx *c, const struct measures_query *q, struct measures *out);
/* ERR_INPUT (rule "one-axis") when the address asks for something of the new set's images or top alone, whether or not the
 * page reads that. */
enum err_code measures_alike(struct ctx *c);
/* The side that `set` names. ERR_NOT_FOUND (rule "set"): neither. */
enum err_code measures_side_of(struct ctx *c, const struct measures *m, struct sv set, enum model_side *out);
/* New minus original accuracy, at a top, of all images of each set; over the models that count and whose predictions go so far. */
struct set_change measures_raw_change(const struct measures *m, int top);
/* At the query's top, on common classes where the sets differ in them (model_line_gap). */
struct set_change measures_common_change(const struct measures *m);
/* Of one side, which has a set, for all models that count. */
enum err_code measures_bins(struct ctx *c, const struct measures *m, enum model_side side, struct binned *out);
/* Of how many models, the first ones, there are numbers on every revision: of those that were named at most
 * MEASURES_LINES, else of the most accurate one. */
size_t measures_followed(const struct measures *m);
/* Every revision of the new set (of the originals, where there is none), for these models; none without any set. */
enum err_code measures_revisions(struct ctx *c, const struct measures *m, struct revision_line **out, size_t *n);

#endif
