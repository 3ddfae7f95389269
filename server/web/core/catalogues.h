/* catalogues.h - the kept catalogue of all images (live/images/catalogue.h), shared by the lists of pages and
 * of the API. It is made when a list needs it, or ahead of that when somebody opens a page that leads
 * to one; made again when images came; let go of when nobody asked for a while. Any thread may ask. */
#ifndef WEB_CORE_CATALOGUES_H
#define WEB_CORE_CATALOGUES_H

#include "live/images/catalogue.h"
#include "live/images/listing.h"
#include "web/core/app.h"

struct catalogues;
struct catalogues *catalogues_new(void);
/* Waits for one that is being made. */
void catalogues_free(struct catalogues *k); /* NULL is allowed */
/* Lets go of what nobody asked for lately. */
void catalogues_rest(struct catalogues *k, int64_t now_ms);

/* All images, as of now; a million take about a second when they must be read. While many come, one
 * that is a few times as old as that will do. Give back with catalogues_put. */
enum err_code catalogues_get(struct ctx *c, const struct catalogue **out);
void catalogues_put(const struct catalogue *c); /* NULL is allowed */
/* The default view's votes of all its images as of an event, when somebody asked for just that lately:
 * further pages of a list need not gather them again. NULL: nobody did. Give back with
 * catalogues_votes_put. */
const struct listing_vote *catalogues_votes(struct ctx *c, const struct catalogue *of,
                                            int64_t as_of);
/* Keeps votes (from malloc, taken over) for others; returns them, to be given back all the same. */
const struct listing_vote *catalogues_votes_keep(struct ctx *c, const struct catalogue *of,
                                                 int64_t as_of, struct listing_vote *votes);
void catalogues_votes_put(struct ctx *c, const struct listing_vote *votes); /* NULL is allowed */
/* Has it made on a thread of its own unless it is there: the next page may need it. */
void catalogues_warm(struct ctx *c);

#endif
