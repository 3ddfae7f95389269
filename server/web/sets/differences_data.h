/* differences_data.h - what differs between a set and the originals, for its page, its chart and
 * scripts. Slow steps only: one pass over either set. */
#ifndef WEB_SETS_DIFFERENCES_DATA_H
#define WEB_SETS_DIFFERENCES_DATA_H

#include "sets/bias/differences.h"
#include "web/core/charts.h"

struct differences_asked {
    struct revision_row fresh, original; /* original.id 0: every original of the project */
    struct differences is;
};
/* `original` "": the newest revision of the first set of originals, or all when there is none; "all"; or
 * "SET[/NUMBER]". ERR_NOT_FOUND (rule "set"). */
enum err_code differences_original(struct ctx *c, struct sv original, struct revision_row *out);

/* A mean in the unit that people read: "0.41", "1.3 million", "2014.5". */
const char *differences_mean(struct arena *a, enum difference_stat stat, const struct moments *m);
/* A difference_record; text "0.32 (0.11 to 0.53)". New reference. */
json_t *differences_json(struct arena *a, enum difference_stat stat, const struct difference *d);

/* Every statistic with its interval: parameters set and original. */
enum err_code chart_set_differences(struct ctx *c, const struct chart_ask *ask, struct chart **out);

#endif
