/* upload_limit.c - two sorts and two counts: by author and day, then by author. */
#include "domain/images/upload_limit.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"

struct upload_place {
    const struct upload *of;
    struct sv day;
    uint64_t draw;
    size_t index;
};

struct sv upload_day(struct sv taken_at)
{
    static const char form[] = "0000-00-00";
    if (taken_at.n < sizeof form - 1) {
        return SV("");
    }
    for (size_t i = 0; i < sizeof form - 1; i++) {
        char c = taken_at.p[i];
        if (form[i] == '0' ? c < '0' || c > '9' : c != form[i]) {
            return SV("");
        }
    }
    return sv_make(taken_at.p, sizeof form - 1);
}

static int by_author(const struct upload_place *x, const struct upload_place *y)
{
    if (x->of->class_index != y->of->class_index) {
        return x->of->class_index < y->of->class_index ? -1 : 1;
    }
    return sv_cmp(x->of->author, y->of->author);
}

/* Who stays before whom. */
static int by_claim(const struct upload_place *x, const struct upload_place *y)
{
    if (x->of->claim > y->of->claim || x->of->claim < y->of->claim) {
        return x->of->claim > y->of->claim ? -1 : 1;
    }
    if (x->of->in_parent != y->of->in_parent) {
        return x->of->in_parent ? -1 : 1;
    }
    return x->draw != y->draw ? (x->draw < y->draw ? -1 : 1) : sv_cmp(x->of->name, y->of->name);
}

static int by_event(const void *a, const void *b)
{
    const struct upload_place *x = a, *y = b;
    int c = by_author(x, y);
    c = c ? c : sv_cmp(x->day, y->day);
    return c ? c : by_claim(x, y);
}

static int by_uploader(const void *a, const void *b)
{
    int c = by_author(a, b);
    return c ? c : by_claim(a, b);
}

/* Keeps the first `most` of every run of equals and moves them up; those of an empty key all stay.
 */
static size_t keep_first(struct upload_place *at, size_t n, uint32_t most, bool of_days, bool *out)
{
    size_t kept = 0, run = 0;
    struct upload_place last = {0};
    for (size_t i = 0; i < n; i++) {
        bool same =
            i > 0 && by_author(&last, &at[i]) == 0 && (!of_days || sv_eq(last.day, at[i].day));
        last = at[i];
        run = same ? run + 1 : 0;
        if (run >= most && (!of_days || last.day.n > 0)) {
            out[last.index] = true;
        } else {
            at[kept++] = last;
        }
    }
    return kept;
}

void upload_limit(const struct upload *in, size_t n, const struct upload_rules *rules,
                  struct arena *a, bool *out)
{
    struct upload_place *at = arena_alloc(a, (n + 1) * sizeof *at);
    struct rng r;
    size_t used = 0;
    rng_seed(&r, rules->seed);
    uint64_t salt = rng_u64(&r);
    for (size_t i = 0; i < n; i++) {
        out[i] = false;
        if (in[i].counts && in[i].author.n > 0) {
            uint64_t draw = hash_u64(salt ^ hash_stable(in[i].name.p, in[i].name.n));
            at[used++] = (struct upload_place){&in[i], upload_day(in[i].taken_at), draw, i};
        }
    }
    if (rules->event_most > 0) {
        qsort(at, used, sizeof *at, by_event);
        used = keep_first(at, used, rules->event_most, true, out);
    }
    if (rules->author_most > 0) {
        qsort(at, used, sizeof *at, by_uploader);
        keep_first(at, used, rules->author_most, false, out);
    }
}
