/* sets.h - the demo's set under review: sampled from the campaign that is open, partly reviewed, sampled again where
 * the review found something. By the ordinary command and the ordinary decisions. */
#ifndef CLI_DEMO_SETS_H
#define CLI_DEMO_SETS_H

#include "cli/demo/world.h"

#define DEMO_SAMPLED_SET "matched"

/* With the project open and somebody's answers in it; `now` is the time of what is decided. */
enum err_code demo_sets_make(struct demo_world *w, int64_t now);

#endif
