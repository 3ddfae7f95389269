/* leases.h - which assignments are lent at this moment: a table by assignment. Part of the desk,
 * whose indexes it holds. */
#ifndef LIVE_WORK_LEASES_H
#define LIVE_WORK_LEASES_H

#include <stddef.h>
#include <stdint.h>

struct lease {
    int64_t assignment;      /* 0: free slot of the table */
    int64_t until;
    uint32_t campaign, grid; /* indexes */
};
struct leases {              /* open addressing, deletion by shifting back */
    struct lease *slots;
    size_t n, cap;
};

void leases_release(struct leases *t); /* empty; may be used again */
struct lease *leases_find(const struct leases *t, int64_t assignment); /* NULL: not lent */
void leases_put(struct leases *t, struct lease l);
/* Another lease may stand in that slot afterwards. */
void leases_remove(struct leases *t, struct lease *at);

#endif
