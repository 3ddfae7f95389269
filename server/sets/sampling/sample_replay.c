/* sample_replay.c - makes a sampled revision again from what it stored, and says what is not as it was. */
#include <stdlib.h>
#include <string.h>

#include "sets/sampling/sample_private.h"

enum err_code sample_ask_of(const struct revision_row *r, const struct revision_facts *f,
                            struct arena *a, struct sample_ask *out, struct err *err)
{
    *out = (struct sample_ask){.set = r->set};
    json_t *json = json_loadb(r->parameters.p, r->parameters.n, 0, NULL);
    enum err_code rc =
        f->sampled && json
            ? sample_ask_read(json, a, out, err)
            : err_rule(err, ERR_INPUT, "sample-replay",
                       SV_FMT "/%lld was not sampled here, so it cannot be replayed.",
                       SV_ARG(r->set), (long long)r->number);
    json_decref(json);
    out->set = r->set;
    out->rules.seed = (uint64_t)f->seed;
    out->pool.parent = r->parent;
    out->pool.as_of = f->as_of;
    out->pool.newest_image = f->newest_image;
    out->pool.view_version = f->vote_view;
    return rc;
}

static unsigned changed_inputs(struct sv stored, const struct pool *p)
{
    json_t *json = json_loadb(stored.p, stored.n, 0, NULL);
    unsigned changed = 0;
    for (int k = 0; k < POOL_INPUTS; k++) {
        const char *was = json_string_value(json_object_get(json, pool_inputs[k]));
        char hex[2 * CRYPTO_HASH + 1];
        crypto_hex(p->digest[k], CRYPTO_HASH, hex);
        changed |= was && strcmp(was, hex) == 0 ? 0U : 1U << k;
    }
    json_decref(json);
    return changed;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t *sorted(const struct revision_image *list, size_t n, struct arena *a)
{
    uint64_t *keys = arena_alloc(a, (n + 1) * sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        keys[i] = (uint64_t)list[i].class_id << 32 | list[i].image;
    }
    qsort(keys, n, sizeof *keys, by_number);
    return keys;
}

static void compare(const struct revision_image *was, size_t n, const struct revision_image *is,
                    size_t m, struct arena *a, struct sample_replay *out)
{
    uint64_t *x = sorted(was, n, a), *y = sorted(is, m, a);
    for (size_t i = 0, j = 0; i < n || j < m;) {
        bool only_was = j == m || (i < n && x[i] < y[j]),
             only_is = i == n || (j < m && y[j] < x[i]);
        out->n_missing += only_was;
        out->n_further += only_is;
        i += !only_is;
        j += !only_was;
    }
    out->same = n == m && memcmp(was, is, n * sizeof *was) == 0;
}

enum err_code sample_replay(struct db *db, struct tally *t, const struct revision_row *r,
                            struct sample_replay *out, struct err *err)
{
    struct arena a;
    struct revision_facts facts;
    struct sample_ask ask = {0};
    struct sample_job job = {0};
    struct revision_image *was, *is;
    struct sample_pick *picks;
    size_t n = 0, m = 0;
    *out = (struct sample_replay){0};
    arena_init(&a, SIZE_MAX / 2);
    enum err_code rc = revision_facts_get(db, r->id, &a, &facts, err);
    rc = rc == OK ? sample_ask_of(r, &facts, &a, &ask, err) : rc;
    rc = rc == OK ? revisions_images(db, r->id, &a, &was, &n, err) : rc;
    rc = rc == OK ? sample_make_plan(db, t, &ask, &job, err) : rc;
    if (rc == OK) {
        sample_draw_images(&job, &a, &picks, &is, &m);
        compare(was, n, is, m, &a, out);
        out->changed_inputs = changed_inputs(facts.inputs, &job.pool);
    }
    sample_release(&job);
    arena_release(&a);
    return rc;
}
