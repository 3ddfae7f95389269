/* set_averages.h - the average selection frequency of revisions for pages and scripts: at the draw, which never
 * changes, and now. What was counted as of now is kept until something happens. Slow steps only. */
#ifndef WEB_PARTS_SET_AVERAGES_H
#define WEB_PARTS_SET_AVERAGES_H

#include "sets/bias/bias.h"
#include "sets/revisions/average.h"
#include "web/core/app.h"

struct revision_averages {
    bool drawn, differ;      /* it was sampled here; then what `now` says is something else */
    struct set_average draw; /* when `drawn`: under the version of the view that it was drawn by */
    struct set_average now;  /* under the same version; of an import under the default view */
};
/* Of each, in the request's arena. A draw that an earlier program stored without an interval is counted again as of
 * then, once: two passes over the answers for each. */
enum err_code set_averages_get(struct ctx *c, const struct revision_row *list, size_t n,
                               struct revision_averages *out);

/* {values [{value, when, note, basis}], differ}: one of them, or the draw's and then what it is now. New reference. */
json_t *set_averages_data(struct arena *a, const struct revision_averages *r);
/* An averages_record. New reference. */
json_t *set_averages_json(const struct revision_averages *r);
/* What facts alone say, for a page that must not count: as set_averages_data, or null. New reference. */
json_t *set_averages_stored(struct arena *a, const json_t *facts);

/* What the app keeps. */
struct averages_kept;
struct averages_kept *averages_kept_new(void);
void averages_kept_free(struct averages_kept *k);

#endif
