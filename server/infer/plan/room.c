/* room.c - memory for weights and plans. */
#include "infer/plan/room.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64, LARGE_PAGE = 1 << 21 };

enum err_code room_make(size_t bytes, const char *what, void **out, struct err *err)
{
    const size_t page = bytes >= 2 * (size_t)LARGE_PAGE ? LARGE_PAGE : CACHE_LINE;
    if (posix_memalign(out, page, bytes > CACHE_LINE ? bytes : CACHE_LINE) != 0) {
        *out = NULL;
        return err_rule(err, ERR_BUSY, "model-memory", "The machine does not have %zu bytes left for %s.",
                        bytes, what);
    }
    if (page == LARGE_PAGE) {
        /* Only a wish, and only for whole pages, so that no memory is taken that is not needed. */
        madvise(*out, bytes / page * page, MADV_HUGEPAGE);
    }
    return OK;
}
