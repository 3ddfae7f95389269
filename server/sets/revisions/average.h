/* average.h - THE average selection frequency of a revision, wherever one is shown: pages, scripts, manifests. One
 * estimand (the mean over its images that have answers), one interval (measures/votes/set_frequency.h),
 * always with the version of the view and the event up to which votes count. Slow steps only: two
 * passes over every answer for any number of revisions at once. */
#ifndef SETS_REVISIONS_AVERAGE_H
#define SETS_REVISIONS_AVERAGE_H

#include <jansson.h>

#include "measures/votes/set_frequency.h"
#include "record/record.h"
#include "store/votes/views.h"

struct set_average {
    struct sv view;                /* its name */
    int64_t view_version, as_of;   /* event of the version; last event counted */
    bool has_interval;             /* false for what a program stored that knew none */
    struct set_frequency f;
};
/* Of lists of images, which need not be stored. as_of 0: as of now, or the view's own end. The view's texts are
 * borrowed. */
enum err_code set_average_of(struct db *db, struct tally *t, const struct vote_view *view, int64_t as_of,
                             const struct set_members *sets, size_t n, struct set_average *out, struct err *err);
/* Of revisions under one version of a view (0: the default view). Texts in the arena. */
enum err_code set_average_make(struct db *db, struct tally *t, int64_t view_version, int64_t as_of,
                               const int64_t *revisions, size_t n, struct arena *a, struct set_average *out,
                               struct err *err);

/* Of revisions as of now, each under the version of the view that it was sampled by; of an import under the default view. */
enum err_code set_averages_own(struct db *db, struct tally *t, const struct revision_row *list, size_t n, struct arena *a,
                               struct set_average *out, struct err *err);

/* A set_average_record; mean, lo and hi null without votes, lo and hi null without an interval. New reference. */
json_t *set_average_json(const struct set_average *s);
extern const struct record set_average_record;
/* At the draw, as the facts of a revision have it (`average`, or what an earlier program stored). False: they do not.
 * Texts in the arena. */
bool set_average_read(const json_t *facts, int64_t view_version, int64_t as_of, struct arena *a,
                      struct set_average *out);

/* "0.768"; a dash without votes. */
const char *set_average_value(const struct set_average *s, struct arena *a);
/* "n 187, 0.742–0.790"; what it says without votes. */
const char *set_average_note(const struct set_average *s, struct arena *a);
/* Of a mean that was counted: "delete-a-group jackknife over workers"; where that says nothing, "votes clustered by
 * worker". */
const char *set_average_method(const struct set_average *s);
/* "view default, event 1223" */
const char *set_average_basis(const struct set_average *s, struct arena *a);
/* Whether people would read another mean, interval or number of images. */
bool set_average_differ(const struct set_average *a, const struct set_average *b, struct arena *arena);

#endif
