/* visitors.h - simulated people who keep coming while the demo is served: they join, ask for grids and
 * answer over HTTP like everybody else. What a grid shows they know from the database and from the
 * truth beside the images. One thread; it does nothing but wait between two requests. */
#ifndef DEMO_VISITORS_H
#define DEMO_VISITORS_H

#include "db/db.h"
#include "demo/client.h"

/* The demo's campaign has parts, so that it never runs out: "pictures", "pictures-2", ... Each has people
 * of its own, since nobody sees an image twice. */
enum { VISITORS_PART = 1000, VISITORS_NAME = 64 }; /* of the crowd, for each part; bytes of a name */
void visitors_campaign(const char *first, unsigned part, char name[VISITORS_NAME]);
/* The newest part that there is; 1 when there is but one. */
enum err_code visitors_newest(struct db *db, const char *first, unsigned *part, struct err *err);

struct visitors;
struct visitors_plan {
    const char *database, *truth; /* paths */
    const char *campaign;         /* the name of its first part */
    unsigned people;              /* of each part's crowd: the first ones */
    /* Plans that part of the campaign with its people; on the visitors' thread, may take seconds. */
    enum err_code (*another)(void *arg, unsigned part, struct err *err);
    void *arg;
    uint64_t seed;                /* of the crowd */
    double pace;                  /* how many times faster than people */
    struct client server;
};
enum err_code visitors_start(const struct visitors_plan *plan, struct visitors **out,
                             struct err *err);
/* Ends after the request that runs, at most seconds. NULL is allowed. */
void visitors_stop(struct visitors *v);

#endif
