/* set_changes.h - what several new sets change against the same originals: the average selection frequency of each beside
 * the mean change of accuracy over models (Recht et al., table 2). Frequencies are the caller's: sets/ counts them.
 *
 * A change is the accuracy on the new set minus that on the originals, in points, over all images of each set, as
 * published. Where the sets have other classes, or other shares of them, that compares mixtures (domain/scores/gaps.h): the row
 * says so. */
#ifndef MEASURES_SET_CHANGES_H
#define MEASURES_SET_CHANGES_H

#include "measures/scores/model_pair.h"
#include "measures/votes/set_frequency.h"
#include "record/record.h"

struct set_change { /* over models */
    size_t models;  /* 0: the rest means nothing */
    double mean, least, most;
};
/* Adds up in *sum; set_change_mean makes the mean of it. */
void set_change_add(struct set_change *sum, double points);
struct set_change set_change_mean(struct set_change sum);

struct set_changes_row {
    const char *set;        /* SET/NUMBER */
    struct sv role, strategy;
    int64_t images;
    bool compared;          /* there is a change: of a new set, with models */
    bool same_shares;       /* then: the same classes in the same shares as the originals */
    bool counted, bounded;  /* there are votes about its images; the mean has an interval */
    struct set_frequency frequency;
    bool has1, has5;        /* a change at top-1, at top-5 */
    struct set_change top1, top5;
};
/* Of n revisions, the originals first, which have no changes; over the models (not those that were removed) that have
 * predicted all images of both sets, so far down. Frequencies are left for the caller: set_changes_take.
 * ERR_DENIED (rule "set-sealed") for one on which models may not be scored. */
enum err_code set_changes_make(struct model_scores *s, struct db *db, const struct revision_row *list, size_t n,
                               struct arena *a, struct set_changes_row *rows, struct err *err);
void set_changes_take(struct set_changes_row *row, const struct set_frequency *f, bool has_interval);
extern const struct record set_changes_record; /* rows are struct set_changes_row */
/* CSV of the record; printed as published, with a caption. */
void set_changes_write(const struct set_changes_row *rows, size_t n, enum record_table as, struct str *out);

#endif
