/* neighbors.c - what searches for near-duplicates have stored. */
#include "check/parts.h"
#include "store/duplicates/near_searches.h"

static enum err_code found(void *arg, int64_t search, const char *what, struct err *err)
{
    (void)err;
    check_found(arg, "neighbors: search %lld: %s; restore a backup", (long long)search, what);
    return OK;
}

enum err_code check_neighbors(struct check *c)
{
    return near_searches_check(c->db, found, c, c->err);
}
