/* assets.c - looking up a built-in file, and the public names of those that are served. */
#include "base/assets.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"

const struct asset *asset_find(const char *name)
{
    size_t lo = 0, hi = assets_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = strcmp(name, assets[mid].name);
        if (c == 0) {
            return &assets[mid];
        }
        if (c < 0) {
            hi = mid;
        } else {
            lo = mid + 1;
        }
    }
    return NULL;
}

const char *asset_public_name(const struct asset *a, struct str *out)
{
    struct sv name = sv_of(a->name);
    BUG_IF(!sv_starts(name, "static/"));
    name.p += strlen("static/");
    name.n -= strlen("static/");
    const char *slash = memrchr(name.p, '/', name.n);
    const char *dot = memrchr(name.p, '.', name.n);
    size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - name.p) : name.n;
    str_addsv(out, sv_make(name.p, stem));
    str_printf(out, ".%08" PRIx32, (uint32_t)(hash_stable(a->data, a->n) >> 32));
    str_addsv(out, sv_make(name.p + stem, name.n - stem));
    return out->p;
}
