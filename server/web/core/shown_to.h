/* shown_to.h - notes which images people who sign in were shown, without making the reply wait: what is new goes to the
 * writer in batches. Any thread may note.
 *
 * A note is stored some milliseconds after its picture was sent, which changes nothing that is stored. It waits in the
 * writer's queue before the picture is sent, and the queue is worked off in order: whatever the same person says
 * afterwards of that image, in an evaluation, a label review or training, is judged by a write step that comes later and reads
 * the note (evaluation_save, review_save, training_answer_add; evaluation_assign for whoever joins a list). An image that a page
 * hands out in between is looked at in vain: saying something of it is refused. Waiting for the disk would make every new
 * picture as slow as a write: 5 ms, not less than 1. What a server that is killed had not stored yet is noted when it is shown again. */
#ifndef WEB_CORE_SHOWN_TO_H
#define WEB_CORE_SHOWN_TO_H

#include "store/people/seen.h"
#include "web/core/app.h"

struct shown_to *shown_new(void);
void shown_free(struct shown_to *e); /* NULL is allowed */
/* That the signed-in account is being shown the image; nothing for nobody. */
void shown_note(struct ctx *c, int64_t image, enum saw how);

#endif
