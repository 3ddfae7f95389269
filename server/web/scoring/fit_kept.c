/* fit_kept.c - the last intervals of lines over images. */
#include "web/scoring/fit_kept.h"

enum { KEPT_MOST = 64 };

struct kept_results *fit_kept_new(void)
{
    return kept_new(sizeof(struct fit_ranges), KEPT_MOST, 1);
}

struct asked {
    enum err_code (*make)(void *arg, struct fit_ranges *out);
    void *arg;
    struct fit_ranges *out;
};

static enum err_code make(void *arg, struct arena *a, void *result)
{
    const struct asked *of = arg;
    (void)a;
    return of->make(of->arg, result);
}

static void copy(void *arg, const void *result)
{
    const struct asked *of = arg;
    *of->out = *(const struct fit_ranges *)result;
}

enum err_code fit_kept_get(struct ctx *c, uint64_t key, enum err_code (*find)(void *arg, struct fit_ranges *out), void *arg,
                           struct fit_ranges *out)
{
    static const struct kept_ways ways = {make, copy};
    struct asked of = {find, arg, out};
    return kept_get(app_fit_kept(c->app), key, &ways, &of);
}
