/* visitors.h - simulated people who keep coming while the demo is served: they join, ask for grids and
 * answer over HTTP like everybody else. What a grid shows they know from the database and from the
 * truth beside the images. One thread; it does nothing but wait between two requests. */
#ifndef DEMO_VISITORS_H
#define DEMO_VISITORS_H

#include "demo/client.h"

struct visitors;
struct visitors_plan {
    const char *database, *truth; /* paths */
    const char *campaign;         /* its name */
    unsigned people;              /* of the crowd: the first ones */
    uint64_t seed;                /* of the crowd */
    double pace;                  /* how many times faster than people */
    struct client server;
};
enum err_code visitors_start(const struct visitors_plan *plan, struct visitors **out,
                             struct err *err);
/* Ends after the request that runs, at most seconds. NULL is allowed. */
void visitors_stop(struct visitors *v);

#endif
