/* seal_check.c - how much of what is sealed a list holds. */
#include "sets/revisions/seal_check.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "store/sets/revision_facts.h"

enum { NAMES_SHOWN = 3, NAMES_MOST = 1024 };

struct sealed_set {
    struct seal seal;
    struct map_u64 at;    /* image, or one with the same bytes -> its number among the set's images */
    size_t n;             /* images */
    bool *had;            /* by number: in a list that counts together with the next */
    uint64_t *list;       /* by number: the last list that had it */
    uint64_t lists;       /* so many came */
    size_t together, own; /* images of it: had; in the list at hand */
    size_t hits;          /* images of the list at hand that are in it */
    bool opened;
};

/* ---- what is sealed ---- */

static void add_image(void *arg, int64_t image, int64_t sealed)
{
    struct sealed_set *s = arg;
    uint32_t at = map_u64_put(&s->at, (uint64_t)sealed, (uint32_t)s->n);
    s->n += at == s->n;
    map_u64_put(&s->at, (uint64_t)image, at);
}

static void mark_had(struct sealed_set *s, uint32_t at)
{
    s->together += !s->had[at];
    s->had[at] = true;
}

static void add_imported(void *arg, int64_t image)
{
    struct sealed_set *s = arg;
    uint32_t at = map_u64_get(&s->at, (uint64_t)image);
    if (at != MAP_NONE) {
        mark_had(s, at);
    }
}

static enum err_code read_set(struct sealed_set *s, struct db *db, struct err *err)
{
    map_u64_init(&s->at);
    enum err_code rc = seals_each_image(db, s->seal.revision, add_image, s, err);
    s->had = xcalloc(s->n + 1, sizeof *s->had);
    s->list = xcalloc(s->n + 1, sizeof *s->list);
    return rc == OK ? seals_imported_since(db, s->seal.revision, add_imported, s, err) : rc;
}

enum err_code seal_check_open(struct seal_check *k, struct db *db, int64_t but, struct arena *a, struct err *err)
{
    struct seal *list;
    size_t n = 0;
    *k = (struct seal_check){.arena = a};
    enum err_code rc = seals_list(db, a, &list, &n, err);
    k->sets = xcalloc(n + 1, sizeof *k->sets);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (list[i].revision != but) {
            k->sets[k->n].seal = list[i];
            rc = read_set(&k->sets[k->n++], db, err);
        }
    }
    return rc;
}

void seal_check_release(struct seal_check *k)
{
    for (size_t i = 0; i < k->n; i++) {
        map_u64_release(&k->sets[i].at);
        free(k->sets[i].had);
        free(k->sets[i].list);
    }
    free(k->sets);
    *k = (struct seal_check){0};
}

/* ---- one list ---- */

/* How many of its images are in a sealed set; counts for each set. */
static size_t count_list(struct seal_check *k, const uint32_t *images, size_t n)
{
    size_t shared = 0;
    for (size_t j = 0; j < k->n; j++) {
        k->sets[j].lists++;
        k->sets[j].own = k->sets[j].hits = 0;
    }
    for (size_t i = 0; i < n; i++) {
        bool in = false;
        for (size_t j = 0; j < k->n; j++) {
            struct sealed_set *s = &k->sets[j];
            uint32_t at = s->opened || images[i] == 0 ? MAP_NONE : map_u64_get(&s->at, images[i]);
            if (at == MAP_NONE) {
                continue;
            }
            in = true;
            s->hits++;
            s->own += s->list[at] != s->lists;
            s->list[at] = s->lists;
            mark_had(s, at);
        }
        shared += in;
    }
    return shared;
}

static bool most(size_t part, size_t whole)
{
    return part > whole / 2;
}

/* Most of the list is of this set, or most of this set came with the lists so far. */
static bool opens(const struct sealed_set *s, size_t n)
{
    return s->hits > 0 && (most(s->hits, n) || most(s->together, s->n));
}

void seal_check_list(struct seal_check *k, const uint32_t *images, size_t n, struct seal_asked *out)
{
    size_t shared = count_list(k, images, n);
    bool one = false;
    *out = (struct seal_asked){.opened = arena_calloc(k->arena, k->n + 1, sizeof *out->opened),
                               .names = arena_calloc(k->arena, k->n + 1, sizeof *out->names),
                               .shared = shared};
    for (size_t j = 0; j < k->n; j++) {
        one = one || opens(&k->sets[j], n);
    }
    for (size_t j = 0; j < k->n; j++) {
        struct sealed_set *s = &k->sets[j];
        /* Made of small parts of several sets, the list opens them all. */
        if (opens(s, n) || (!one && s->hits && most(shared, n))) {
            s->opened = true;
            out->opened[out->n] =
                (struct revision_opened){.revision = s->seal.revision, .shared = (int64_t)s->own};
            out->names[out->n++] = s->seal.name;
        }
    }
}

static void name_sets(const struct seal_asked *asked, struct str *out)
{
    for (size_t i = 0; i < asked->n && i < NAMES_SHOWN; i++) {
        str_printf(out, "%s" SV_FMT, i ? ", " : "", SV_ARG(asked->names[i]));
    }
    if (asked->n > NAMES_SHOWN) {
        str_printf(out, " and %zu more", asked->n - NAMES_SHOWN);
    }
}

enum err_code seal_asked_check(const struct seal_asked *asked, const char *what, size_t images, struct sv reason,
                               struct err *err)
{
    struct str names;
    if (reason.n > SET_REASON || !sv_utf8(reason)) {
        return err_rule(err, ERR_INPUT, "set-reason",
                        "Give a reason of 1 to %d bytes. Nothing was written.", SET_REASON);
    }
    if (asked->n == 0 || reason.n) {
        return OK;
    }
    str_init(&names, NAMES_MOST);
    name_sets(asked, &names);
    enum err_code rc = err_rule(
        err, ERR_DENIED, "set-sealed",
        "%s shares %zu of its %zu images with a sealed revision (" SV_FMT "), so models could be scored on "
        "them before that is final. Freeze that revision first, import this list with --sealed, or unseal it "
        "early with --unseal REASON, which manifests print. Nothing was written.",
        what, asked->shared, images, SV_ARG(str_sv(&names)));
    str_release(&names);
    return rc;
}

/* ---- opening what was imported ---- */

static enum err_code check_revision(struct db *db, int64_t revision, struct arena *a, struct seal_asked *out,
                                    struct err *err)
{
    struct revision_image *list;
    struct seal_check k = {0};
    size_t n = 0;
    enum err_code rc = revisions_images(db, revision, a, &list, &n, err);
    rc = rc == OK ? seal_check_open(&k, db, revision, a, err) : rc;
    if (rc == OK) {
        uint32_t *images = arena_calloc(a, n + 1, sizeof *images);
        for (size_t i = 0; i < n; i++) {
            images[i] = list[i].image;
        }
        seal_check_list(&k, images, n, out);
    }
    seal_check_release(&k);
    return rc;
}

static enum err_code open_drafts(struct db *db, int64_t revision, struct sv reason, int64_t account, int64_t now,
                                 struct arena *a, struct err *err)
{
    struct seal *drafts;
    size_t n = 0;
    enum err_code rc = seals_drafts(db, revision, a, &drafts, &n, err);
    struct revision_opened *opened = arena_calloc(a, n + 1, sizeof *opened);
    for (size_t i = 0; i < n; i++) {
        opened[i] = (struct revision_opened){.revision = drafts[i].revision, .shared = drafts[i].images};
    }
    return rc == OK ? revision_open_others(db, revision, opened, n, reason, account, now, err) : rc;
}

enum err_code seal_state_add(struct db *db, int64_t revision, enum revision_state state, struct sv reason,
                             int64_t account, int64_t now, struct err *err)
{
    struct arena a;
    struct revision_row before;
    struct revision_facts facts;
    struct seal_asked asked = {0};
    arena_init(&a, (size_t)1 << 30);
    enum err_code rc = revisions_get(db, revision, &a, &before, err);
    rc = rc == OK ? revision_facts_get(db, revision, &a, &facts, err) : rc;
    rc = rc == OK ? revision_state_add(db, revision, state, reason, account, now, err) : rc;
    rc = rc == OK ? open_drafts(db, revision, reason, account, now, &a, err) : rc;
    if (rc == OK && before.state == REVISION_SEALED && sv_is(before.role, "new") && !facts.sampled) {
        rc = check_revision(db, revision, &a, &asked, err);
    }
    rc = rc == OK ? revision_open_others(db, revision, asked.opened, asked.n, reason, account, now, err) : rc;
    arena_release(&a);
    return rc;
}
