/* near_queue.h - which candidate a reviewer of duplicates gets next: the nearest that wait, each held for one reviewer at a
 * time. Who asks again before saying anything gets the same one; a hold that is ten minutes old is nobody's. The list
 * is made again when it is a minute old or used up. */
#ifndef WEB_PARTS_NEAR_QUEUE_H
#define WEB_PARTS_NEAR_QUEUE_H

#include "web/core/app.h"

/* *image: it has an open neighbour as of now; 0: nobody waits whom no one else holds. Slow steps only: making the list
 * takes half a second at 100,000 open pairs, the next of it a few milliseconds. */
enum err_code near_queue_next(struct ctx *c, int64_t *image);

/* What the app keeps. */
struct near_queue;
struct near_queue *near_queue_new(void);
void near_queue_free(struct near_queue *q);

#endif
