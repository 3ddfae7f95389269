/* tree_kept.c - one hierarchy; what is asked of it is copied out, texts too. */
#include "web/naming/tree_kept.h"

#include "base/clock.h"
#include "base/hash.h"

enum { TREE_BYTES = 256 << 20, OLD_S = 10 };

struct kept_results *tree_kept_new(void)
{
    return kept_new(sizeof(struct class_hierarchy), 1, TREE_BYTES);
}

struct asked {
    struct ctx *c;
    struct sv wnid;
    struct class_level *out;
    enum err_code rc;
};

static enum err_code make(void *arg, struct arena *a, void *result)
{
    const struct asked *of = arg;
    return class_hierarchy_read(of->c->db, a, result, &of->c->err);
}

static void own(struct arena *a, struct class_entry *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        list[i].wnid = arena_sv(a, list[i].wnid);
        list[i].words = arena_sv(a, list[i].words);
        list[i].gloss = arena_sv(a, list[i].gloss);
    }
}

static void copy(void *arg, const void *result)
{
    struct asked *of = arg;
    of->rc = class_browse(result, of->wnid, of->c->arena, of->out, &of->c->err);
    if (of->rc == OK) {
        own(of->c->arena, &of->out->here, 1);
        own(of->c->arena, of->out->above, of->out->n_above);
        own(of->c->arena, of->out->rows, of->out->n);
    }
}

enum err_code class_level_get(struct ctx *c, struct sv wnid, struct class_level *out)
{
    static const struct kept_ways ways = {make, copy};
    struct asked of = {c, wnid, out, OK};
    int64_t stamp = 0;
    enum err_code rc = classes_stamp(c->db, &stamp, &c->err);
    uint64_t key = hash_u64((uint64_t)stamp) ^ (uint64_t)(clock_mono_ns() / 1000000000 / OLD_S);
    rc = rc == OK ? kept_get(app_tree_kept(c->app), key, &ways, &of) : rc;
    return rc == OK ? of.rc : rc;
}
