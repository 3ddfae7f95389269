/* labels.h - the demo's label review: a set of originals of which some have a wrong label, a list by likely errors, and what
 * two simulated experts and a lead say of it. */
#ifndef CLI_DEMO_LABELS_H
#define CLI_DEMO_LABELS_H

#include "cli/demo/world.h"
#include "demo/truth.h"

#define DEMO_REVIEW "doubtful-labels"

/* With the project open and models that have predicted the originals; `now`: when the last of it was said. */
enum err_code demo_labels_review(struct demo_world *w, const struct truth *truth, int64_t now);

#endif
