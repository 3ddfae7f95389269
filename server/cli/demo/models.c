/* models.c - sets, baselines and predictions of the demo. */
#include "cli/demo/models.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "cli/core/sub_command.h"
#include "cli/models/train_models.h"
#include "live/core/tally.h"
#include "live/votes/view_count.h"
#include "sets/revisions/digest.h"
#include "store/campaigns/campaigns.h"
#include "store/images/images.h"
#include "store/sets/sets.h"

/* Of the new set: so many of each class at most, selected by so many of those who saw them. */
enum { BEST = 10, AT_LEAST_PERCENT = 70 };
/* Of the originals with wrong labels: of each class, and which of all. */
enum { MISLABELLED_OF_CLASS = 24, MISLABELLED_EVERY = 12 };
enum { SIDE = 32, PATCH = 6, POOL = 2 };

/* Each at least twice the one before: larger ones should be better, beyond doubt. */
static const unsigned filters[] = {4, 8, 16, 32, 64, 128}, few_filters[] = {2, 8, 32};

/* ------------------------------------------------------------------ sets */

struct member {
    uint32_t image, class_id, rank, shown, selected;
};
struct members {
    struct member *at;
    size_t n, cap;
};

static void add_member(struct members *m, struct member one)
{
    xgrow(&m->at, &m->cap, m->n + 1, sizeof *m->at);
    m->at[m->n++] = one;
}

static enum err_code digest_members(struct cli *cli, const struct members *m,
                                    unsigned char out[SET_DIGEST])
{
    struct set_line *lines = xcalloc(m->n, sizeof *lines);
    enum err_code rc = OK;
    for (size_t i = 0; i < m->n && rc == OK; i++) {
        struct image_row image;
        struct class_info class;
        rc = images_get(cli->db, m->at[i].image, &cli->arena, &image, &cli->err);
        rc =
            rc == OK ? classes_get(cli->db, m->at[i].class_id, &cli->arena, &class, &cli->err) : rc;
        if (rc == OK) {
            lines[i] = (struct set_line){image.name, class.wnid};
        }
    }
    if (rc == OK) {
        set_digest(lines, m->n, out);
    }
    free(lines);
    return rc;
}

static enum err_code add_set(struct cli *cli, const struct members *m, struct revision_new *r,
                             int64_t now)
{
    struct revision_image *images = xcalloc(m->n, sizeof *images);
    int64_t id;
    bool added;
    for (size_t i = 0; i < m->n; i++) {
        images[i] = (struct revision_image){m->at[i].image, m->at[i].class_id};
    }
    r->images = images;
    r->n = m->n;
    r->state = REVISION_FROZEN;
    enum err_code rc = digest_members(cli, m, r->digest);
    rc = rc == OK ? revisions_add(cli->db, cli->alone, r, now, &id, &added, &cli->err) : rc;
    free(images);
    return rc;
}

/* One class of originals for the set with wrong labels: every few an image is called by the class that is like it. */
static void mislabel(struct members *m, const struct demo_world *w, const struct class_info *classes, size_t n, size_t k,
                     const int64_t *ids, size_t of_class)
{
    int own = world_find(classes[k].wnid);
    size_t other = k;
    for (size_t i = 0; i < n && own >= 0; i++) {
        other = world_find(classes[i].wnid) == (int)world_next((unsigned)own, w->size->small) ? i : other;
    }
    for (size_t i = 0; i < of_class && i < MISLABELLED_OF_CLASS; i++) {
        bool wrong = (i * n + k) % MISLABELLED_EVERY == 0;
        add_member(m, (struct member){(uint32_t)ids[i], (uint32_t)classes[wrong ? other : k].id, 0, 0, 0});
    }
}

static enum err_code add_originals(struct cli *cli, const struct members *m, const char *set, const char *how, int64_t now)
{
    struct revision_new r = {.set = sv_of(set),
                             .role = SV("original"),
                             .strategy = SV("import"),
                             .parameters = sv_of(how),
                             .state_reason = SV("The originals are what they are.")};
    return add_set(cli, m, &r, now);
}

enum err_code demo_models_originals(struct demo_world *w, int64_t now)
{
    struct cli *cli = w->cli;
    struct members all = {0}, wrong = {0};
    struct class_info *classes;
    size_t n = 0;
    enum err_code rc = classes_list(cli->db, &cli->arena, &classes, &n, &cli->err);
    for (size_t k = 0; k < n && rc == OK; k++) {
        int64_t *ids;
        size_t of_class = 0;
        rc = images_of_class(cli->db, classes[k].id, "original", &cli->arena, &ids, &of_class,
                             &cli->err);
        for (size_t i = 0; i < of_class && rc == OK; i++) {
            add_member(&all, (struct member){(uint32_t)ids[i], (uint32_t)classes[k].id, 0, 0, 0});
        }
        if (rc == OK) {
            mislabel(&wrong, w, classes, n, k, ids, of_class);
        }
    }
    /* The one with errors first: where pages choose the originals themselves, they take the newest. */
    rc = rc == OK ? add_originals(cli, &wrong, DEMO_MISLABELLED, "{\"how\":\"some originals of the demo; one label in twelve is wrong\"}", now) : rc;
    rc = rc == OK ? add_originals(cli, &all, DEMO_ORIGINALS, "{\"how\":\"every original image of the demo\"}", now) : rc;
    free(all.at);
    free(wrong.at);
    return rc;
}

/* ------------------------------------------------------------------ the new set */

/* By class; in it the ones selected most often first, equals as they were dealt. */
static int by_frequency(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    uint64_t fx = (uint64_t)x->selected * y->shown, fy = (uint64_t)y->selected * x->shown;
    if (x->class_id != y->class_id) {
        return x->class_id < y->class_id ? -1 : 1;
    }
    return fx != fy ? (fx > fy ? -1 : 1) : x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void choose(struct members *m)
{
    size_t kept = 0, of_class = 0;
    qsort(m->at, m->n, sizeof *m->at, by_frequency);
    for (size_t i = 0; i < m->n; i++) {
        const struct member *one = &m->at[i];
        of_class = i > 0 && one->class_id == m->at[i - 1].class_id ? of_class + 1 : 0;
        if (of_class < BEST && one->selected * 100 >= one->shown * AT_LEAST_PERCENT) {
            m->at[kept++] = *one;
        }
    }
    m->n = kept;
}

/* Candidates that were shown, with an order of their own for equals. */
static void collect(const struct view_counts *v, uint64_t seed, struct members *m)
{
    struct rng r;
    uint32_t *ranks = xmalloc((v->n + 1) * sizeof *ranks);
    for (size_t i = 0; i < v->n; i++) {
        ranks[i] = (uint32_t)i;
    }
    rng_seed(&r, seed);
    rng_shuffle_u32(&r, ranks, v->n);
    for (size_t i = 0; i < v->n; i++) {
        if (v->role[i] == CELL_CANDIDATE && v->shown[i] > 0) {
            add_member(m, (struct member){v->image[i], v->class_id[i], ranks[i], v->shown[i],
                                          v->selected[i]});
        }
    }
    free(ranks);
}

static enum err_code count_votes(struct demo_world *w, const char *campaign, struct members *m,
                                 int64_t *as_of)
{
    struct cli *cli = w->cli;
    struct campaign k;
    struct view_counts counts = {0};
    struct tally *t = tally_new();
    enum err_code rc = campaigns_find(cli->db, sv_of(campaign), &cli->arena, &k, &cli->err);
    rc = rc == OK ? tally_fold(t, cli->db, &cli->err) : rc;
    if (rc == OK) {
        struct view_ask ask = {.campaigns = &k.id, .n_campaigns = 1};
        rc = view_count(t, &ask, &counts, &cli->err);
    }
    if (rc == OK) {
        *as_of = counts.cursor;
        collect(&counts, (uint64_t)w->seed, m);
        view_counts_release(&counts);
    }
    tally_free(t);
    return rc;
}

enum err_code demo_models_new_set(struct demo_world *w, const char *campaign, int64_t now)
{
    struct cli *cli = w->cli;
    struct members m = {0};
    int64_t as_of = 0;
    enum err_code rc = count_votes(w, campaign, &m, &as_of);
    if (rc == OK) {
        choose(&m);
        const char *how =
            arena_printf(&cli->arena,
                         "{\"as_of\":%lld,\"campaign\":\"%s\",\"frequency_at_least\":0.%d,\"most_"
                         "of_a_class\":%d,"
                         "\"seed\":%lld}",
                         (long long)as_of, campaign, AT_LEAST_PERCENT, BEST, (long long)w->seed);
        struct revision_new r = {.set = SV(DEMO_NEW_SET),
                                 .role = SV("new"),
                                 .strategy = SV("top"),
                                 .parameters = sv_of(how),
                                 .state_reason =
                                     SV("The pilot is over, and its set will not change.")};
        rc = add_set(cli, &m, &r, now);
    }
    free(m.at);
    return rc;
}

/* ------------------------------------------------------------------ baselines */

static enum err_code predict(struct cli *cli, const char *model)
{
    struct set_row *sets;
    size_t n = 0;
    enum err_code rc = sets_list(cli->db, &cli->arena, &sets, &n, &cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const char *set = arena_cstr(&cli->arena, sets[i].name);
        if (strcmp(set, DEMO_MISLABELLED) == 0) { /* its images are in the originals */
            continue;
        }
        rc = sub_command(cli, "predict", ARGS(cli->dir), ARGS("model", model, "set", set));
    }
    return rc;
}

static enum err_code train_all(struct demo_world *w, struct train_models *t, const unsigned *sizes,
                               size_t n)
{
    struct cli *cli = w->cli;
    enum err_code rc = train_models_read_folder(t, demo_world_path(cli, "train"));
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct train_plan p = {.filters = sizes[i],
                               .patch = PATCH,
                               .pool = POOL,
                               .threads = t->threads,
                               .lambda = -1,
                               .seed = (uint64_t)w->seed};
        struct train_facts facts;
        char *name = arena_printf(&cli->arena, "random_features_%u", sizes[i]);
        rc = train_models_make(t, name, &p, &facts);
        rc = rc == OK ? predict(cli, name) : rc;
    }
    return rc;
}

enum err_code demo_models_train(struct demo_world *w)
{
    struct cli *cli = w->cli;
    bool few = strcmp(w->size->name, "tiny") == 0, quiet = cli->quiet;
    size_t n = few ? sizeof few_filters / sizeof *few_filters : sizeof filters / sizeof *filters;
    struct train_models t = {.cli = cli, .side = SIDE, .threads = parallel_cores()};
    cli->quiet = true; /* what each of a dozen commands has to say is too much here */
    enum err_code rc = train_all(w, &t, few ? few_filters : filters, n);
    cli->quiet = quiet;
    if (rc == OK) {
        cli_note(cli, "%zu baselines trained on %zu images, and their predictions made.", n,
                 train_images_count(t.images));
    }
    train_models_release(&t);
    return rc;
}
