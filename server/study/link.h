/* link.h - the address that a lead gives to the panel. */
#ifndef STUDY_LINK_H
#define STUDY_LINK_H

#include "store/campaigns/campaigns.h"
#include "store/campaigns/studies.h"

/* BASE/work/campaign/NAME?key=KEY&PROLIFIC_PID={{%PROLIFIC_PID%}}&...: the id parameters in their
 * order with the panel's placeholders for person, study and session. `base` may be empty. */
const char *study_link(struct arena *a, const char *base, const struct campaign *k,
                       const struct study_settings *s);
/* A drawn key for a link. */
struct sv study_new_key(struct arena *a);

#endif
