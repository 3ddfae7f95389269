/* model_table.h - all models beside one another: how they do on a pair of sets, the originals and a
 * new one, with gap and ranks as domain/scores/score_table.h has them. */
#ifndef WEB_SCORING_MODEL_TABLE_H
#define WEB_SCORING_MODEL_TABLE_H

#include "domain/scores/score_table.h"
#include "measures/scores/model_gaps.h"
#include "measures/scores/model_pair.h"
#include "store/models/model_facts.h"
#include "web/core/lists.h"

enum model_side { SIDE_ORIGINAL, SIDE_NEW, SIDES };
enum model_sort {
    MODEL_RANK, MODEL_NAME_, MODEL_PARAMETERS, MODEL_ORIGINAL1, MODEL_ORIGINAL5, MODEL_NEW1, MODEL_NEW5,
    MODEL_GAP, MODEL_NEW_RANK, MODEL_CHANGE
};
extern const struct list_word model_sorts[], model_tops[], model_levels[]; /* the sorts in the order of columns */
extern const struct list_word model_new_tops[]; /* the same as the originals' first, which is 0 */

struct model_query {
    struct sv sets[SIDES]; /* as asked for; empty: the newest that models may be scored on */
    int top;               /* 1 or 5: what gap and ranks are about */
    int new_top;           /* the same of the new set alone; 0: as top */
    struct sv subset;      /* of the images of both: measures/core/subset.h; empty: all */
    struct sv new_subset;  /* the same of the new set alone; empty: as subset */
    struct sv labels;      /* by which answers are right: measures/core/label_pick.h; empty: the set's own */
    struct sv new_labels;  /* the same of the new set alone; empty: as labels */
    int level;             /* of the intervals: a place in score_levels (domain/scores/score_level.h) */
    struct sv group, family; /* only models that are said to be of it (domain/scores/model_facts.h); empty: all */
    struct sv scale;       /* of the chart beside the table: models/charts.h; empty: linear */
    enum model_sort sort;
    bool falling;
};
const struct score_level *model_query_level(const struct model_query *q);
int model_query_top(const struct model_query *q, enum model_side side);
/* From the address: original, new, top, new_top, subset, new_subset, labels, new_labels, level, group, family, scale, sort, order. ERR_INPUT (rule "list"). */
enum err_code model_query_read(struct ctx *c, struct model_query *out);
/* `top` of a chart's address: 1, 5 or empty, which is 1. ERR_INPUT (rule "chart-top"). */
enum err_code model_top_read(struct ctx *c, struct sv top, int *out);
/* `new_top` of it: 1, 5 or empty, which is 0. The same. */
enum err_code model_new_top_read(struct ctx *c, struct sv top, int *out);
/* The address of the same table; `q` may be a changed copy. */
const char *model_query_url(struct ctx *c, const char *path, const struct model_query *q);
/* list_head of a column. */
json_t *model_query_head(struct ctx *c, const char *path, const struct model_query *q, enum model_sort sort);

/* A revision with what models did on it. */
struct model_set {
    const struct revision_row *r; /* NULL: there is none */
    struct model_score *scores;   /* by model id */
    size_t n;
    int64_t images;               /* that they are about: of the revision, or of a subset as far as a model knows it */
};
/* The scores of `r`, of a subset's images alone (NULL: of all). ERR_DENIED (rule "set-sealed"), ERR_INPUT (rule
 * "labels-missing"). */
enum err_code model_set_of(struct ctx *c, const struct revision_row *r, const struct subset *subset, struct model_set *out);

struct model_line {
    const struct model_row *model;
    const struct model_facts *facts;     /* NULL: nothing is said of it */
    const struct model_score *on[SIDES]; /* NULL: no predictions */
    int64_t parameters;                  /* 0: not known */
    const struct score_line *ranked;     /* NULL unless it has predicted all of both sets */
    const struct gap_line *gap;          /* where ranked and asked for (model_table_gaps) */
};
struct model_table {
    struct model_query query;
    struct subset subset, fresh_subset; /* the latter of the new set: its images and labels may be others */
    struct label_choice *labels;    /* that can be asked for (measures/core/label_pick.h) */
    size_t n_labels;
    struct revision_row *revisions; /* all, sealed ones too, by set and number */
    size_t n_revisions;
    struct model_row *all;          /* that were not removed, by name */
    size_t n_all;
    struct model_row *models;       /* those of them that are asked for */
    size_t n_models;
    struct model_facts_row *facts;  /* of all models, by id */
    size_t n_facts;
    struct model_set sets[SIDES];
    struct model_line *lines;       /* in the order asked for */
    struct score_line *ranked;      /* those of both sets, by rank on the originals */
    size_t n_ranked;
    bool has_gaps;                  /* model_table_gaps was called and there is a pair */
    struct model_gaps_found gaps;   /* its lines: by rank on the originals */
};
/* ERR_NOT_FOUND and ERR_DENIED (rule "set-sealed") for sets that were asked for; what subset_labelled says of the subset
 * and labels, "labels-missing" (measures/core/label_pick.h). */
enum err_code model_table_make(struct ctx *c, const struct model_query *q, struct model_table *out);
/* Adds gaps on common classes and intervals; a table by gap is then in the order of those. `wait`: until the
 * intervals are made; else t->gaps.ready says whether they are. */
enum err_code model_table_gaps(struct ctx *c, struct model_table *t, bool wait);
/* The line of a ranked model. */
const struct model_line *model_table_line(const struct model_table *t, const struct score_line *ranked);
/* The gap that compares like with like: on common classes. NAN where none is known. */
double model_line_gap(const struct model_table *t, const struct model_line *l);
/* What an axis about one side is called: its set, or `otherwise` where there is none, with what differs from the other side
 * (top, images) and by whose labels. In the arena. */
const char *model_axis_name(struct ctx *c, const struct model_table *t, enum model_side side, const char *otherwise);
/* What the pair is measured by, for people: tops where they differ, subset_title. NULL: nothing to say. */
const char *model_table_part(struct ctx *c, const struct model_table *t);
/* Whether predictions go down to that place and are about all images. */
bool model_score_complete(const struct model_score *s, int top);
/* How many parameters a model has, of its facts; 0: not known. */
int64_t model_parameters(const struct model_row *m);

#endif
