/* cookie.c - reading a Cookie header. Knows nothing of sessions. */
#include "http/cookie.h"

struct sv cookie_find(struct sv header, const char *name)
{
    struct sv rest = header;
    while (rest.p) {
        struct sv value = sv_cut(&rest, ';');
        struct sv key = sv_trim(sv_cut(&value, '='));
        if (!value.p || !sv_is(key, name)) {
            continue;
        }
        value = sv_trim(value);
        if (value.n >= 2 && value.p[0] == '"' && value.p[value.n - 1] == '"') {
            value = sv_make(value.p + 1, value.n - 2);
        }
        return value;
    }
    return SV("");
}
