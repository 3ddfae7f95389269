/* shown_to.h - notes which images people who sign in were shown, without making the reply wait: what is new goes to the
 * writer in batches. Any thread may note. */
#ifndef WEB_CORE_SHOWN_TO_H
#define WEB_CORE_SHOWN_TO_H

#include "store/people/seen.h"
#include "web/core/app.h"

struct shown_to *shown_new(void);
void shown_free(struct shown_to *e); /* NULL is allowed */
/* That the signed-in account is being shown the image; nothing for nobody. */
void shown_note(struct ctx *c, int64_t image, enum saw how);

#endif
