/* etag.c - see etag.h. */
#include "http/etag.h"

bool etag_known(struct sv if_none_match, const char *etag)
{
    struct sv rest = if_none_match;
    while (rest.p && rest.n) {
        struct sv tag = sv_trim(sv_cut(&rest, ','));
        if (sv_starts(tag, "W/")) {
            tag = sv_make(tag.p + 2, tag.n - 2);
        }
        if (sv_is(tag, "*") || sv_is(tag, etag)) {
            return true;
        }
    }
    return false;
}
