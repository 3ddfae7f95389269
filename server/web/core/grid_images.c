/* grid_images.c - recent assignments: token -> what stands where, and how much longer each reply is. */
#include "web/core/grid_images.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "store/work/grids.h"

enum {
    SETS = 128, WAYS = 8, /* assignments kept: 1024, in a table that is looked up by token */
    SCRATCH = 64 << 10
};

/* What the addresses of one assignment show, by shown position: facts that never change. */
struct lent {
    unsigned char token[WORK_TOKEN];
    uint64_t used;                /* 0: free */
    uint32_t image[GRID_SHOWN], source[GRID_SHOWN];
    unsigned char sha256[GRID_SHOWN][IMAGE_SHA];
    uint16_t padding[GRID_ADDRESSES];
    uint8_t cells, examples;      /* examples: addresses of them; one whose image is 0 shows none */
    uint8_t first;                /* where the first example stands */
};

struct grid_images {
    const unsigned char *key;
    pthread_mutex_t lock;         /* guards what is below */
    struct lent *table;           /* SETS x WAYS; tokens are random, so their bytes choose the set */
    uint64_t clock, version;      /* version: grows when everything is forgotten */
    uint64_t hits, misses;
};

struct grid_images *grid_images_new(const unsigned char key[CRYPTO_HASH])
{
    struct grid_images *g = xcalloc(1, sizeof *g);
    g->key = key;
    g->table = xcalloc((size_t)SETS * WAYS, sizeof *g->table);
    pthread_mutex_init(&g->lock, NULL);
    return g;
}

void grid_images_free(struct grid_images *g)
{
    if (g) {
        pthread_mutex_destroy(&g->lock);
        free(g->table);
        free(g);
    }
}

void grid_images_forget(struct grid_images *g)
{
    pthread_mutex_lock(&g->lock);
    memset(g->table, 0, (size_t)SETS * WAYS * sizeof *g->table);
    g->version++;
    pthread_mutex_unlock(&g->lock);
}

/* The table's entry of that token, or the one of its set that was used longest ago. */
static struct lent *slot_of(struct grid_images *g, const unsigned char token[WORK_TOKEN])
{
    struct lent *set = &g->table[(size_t)(token[0] % SETS) * WAYS], *oldest = set;
    for (struct lent *l = set; l < set + WAYS; l++) {
        if (l->used && memcmp(l->token, token, WORK_TOKEN) == 0) {
            return l;
        }
        oldest = l->used < oldest->used ? l : oldest;
    }
    return oldest;
}

static bool shows(const struct lent *l, unsigned position, struct grid_image *out)
{
    bool large = position >= GRID_LARGE, example = !large && position >= GRID_EXAMPLE;
    unsigned at = large ? position - GRID_LARGE : example ? position - GRID_EXAMPLE : position;
    bool there = at < (example ? l->examples : l->cells);
    at += example && there ? l->first : 0;
    there = there && l->image[at];
    if (there) {
        *out = (struct grid_image){
            .image = l->image[at],
            .sent = {.source = l->source[at],
                     .kind = large ? RENDITION_VIEW : RENDITION_GRID,
                     .padding = l->padding[position]},
        };
        memcpy(out->sent.sha256, l->sha256[at], IMAGE_SHA);
    }
    return there;
}

/* Fills in the paddings: 16 of them to a keyed hash of the token. */
static void draw_padding(const struct grid_images *g, struct lent *l)
{
    struct {
        char purpose[8];
        unsigned char token[WORK_TOKEN];
        unsigned char block;
    } text = {.purpose = "padding"};
    unsigned char hash[CRYPTO_HASH];
    memcpy(text.token, l->token, WORK_TOKEN);
    for (unsigned i = 0; i < GRID_ADDRESSES; i++) {
        if (i % (CRYPTO_HASH / 2) == 0) {
            crypto_keyed(g->key, sv_make((const char *)&text, sizeof text), hash);
            text.block++;
        }
        const unsigned char *two = hash + 2 * (i % (CRYPTO_HASH / 2));
        l->padding[i] = (uint16_t)((two[0] | two[1] << 8) % GRID_PADDING);
    }
}

static void put(struct lent *l, unsigned position, const struct image_source *from)
{
    l->image[position] = (uint32_t)from->image;
    l->source[position] = (uint32_t)from->source;
    memcpy(l->sha256[position], from->sha256, IMAGE_SHA);
}

static enum err_code put_references(struct db *db, struct lent *l, int64_t class_id, unsigned at, unsigned most,
                                    unsigned *n, struct err *err)
{
    struct image_source examples[GRID_EXAMPLES];
    enum err_code rc = sources_of_references(db, class_id, examples, most, n, err);
    for (unsigned i = 0; rc == OK && i < *n; i++) {
        put(l, at + i, &examples[i]);
    }
    return rc;
}

/* The examples of a CLASSIFY task's options, in the order in which this person sees these. */
static enum err_code put_options(struct db *db, struct lent *l, const struct assignment *as, struct err *err)
{
    struct grid_options options;
    uint8_t order[GRID_CELLS];
    unsigned n;
    enum err_code rc = grids_options(db, as->grid, &options, err);
    if (rc != OK || options.n == 0) {
        return rc;
    }
    unsigned room = grid_images_room(options.n);
    grid_order(as->seed, as->has_seed, options.n, order);
    l->first = 1;
    l->examples = (uint8_t)(room * options.n);
    for (unsigned i = 0; i < options.n && rc == OK; i++) {
        rc = put_references(db, l, options.class_id[order[i]], l->first + i * room, room, &n, err);
    }
    return rc;
}

static enum err_code read_lent(const struct grid_images *g, struct db *db,
                               const unsigned char token[WORK_TOKEN], struct lent *l,
                               struct err *err)
{
    struct arena scratch;
    struct assignment as;
    struct image_source cells[GRID_CELLS];
    uint8_t order[GRID_CELLS];
    unsigned n = 0, examples = 0;
    *l = (struct lent){0};
    arena_init(&scratch, SCRATCH); /* for the client's id of an answer, which is not needed */
    enum err_code rc = work_assignment_find(db, token, &scratch, &as, err);
    arena_release(&scratch);
    rc = rc == OK ? sources_of_grid(db, as.grid, cells, GRID_CELLS, &n, err) : rc;
    rc = rc == OK && as.classify ? put_options(db, l, &as, err) : rc;
    if (rc == OK && !as.classify) {
        l->first = GRID_CELLS;
        rc = put_references(db, l, as.class_id, l->first, GRID_EXAMPLES, &examples, err);
        l->examples = (uint8_t)examples;
    }
    if (rc != OK) {
        return rc;
    }
    l->cells = (uint8_t)n;
    memcpy(l->token, token, WORK_TOKEN);
    grid_order(as.seed, as.has_seed, n, order);
    for (unsigned i = 0; i < n; i++) {
        put(l, i, &cells[order[i]]);
    }
    draw_padding(g, l);
    return OK;
}

enum err_code grid_images_find(struct grid_images *g, struct db *db,
                               const unsigned char token[WORK_TOKEN], unsigned position,
                               struct grid_image *out, struct err *err)
{
    pthread_mutex_lock(&g->lock);
    struct lent *l = slot_of(g, token);
    bool known = l->used && memcmp(l->token, token, WORK_TOKEN) == 0, there = false;
    if (known) {
        l->used = ++g->clock;
        g->hits++;
        there = shows(l, position, out);
    } else {
        g->misses++;
    }
    uint64_t version = g->version;
    pthread_mutex_unlock(&g->lock);
    if (!known) {
        struct lent fresh;
        if (read_lent(g, db, token, &fresh, err) != OK) {
            return err->code;
        }
        there = shows(&fresh, position, out);
        pthread_mutex_lock(&g->lock);
        if (g->version == version) { /* else it may have been revoked after it was read */
            fresh.used = ++g->clock;
            *slot_of(g, token) = fresh;
        }
        pthread_mutex_unlock(&g->lock);
    }
    return there ? OK
                 : err_rule(err, ERR_NOT_FOUND, "no-cell", "This grid has no such image.");
}

enum err_code grid_images_examples(struct db *db, int64_t class_id, unsigned *out,
                                   struct err *err)
{
    struct image_source examples[GRID_EXAMPLES];
    return sources_of_references(db, class_id, examples, GRID_EXAMPLES, out, err);
}

void grid_images_stats(struct grid_images *g, struct grid_images_stats *out)
{
    pthread_mutex_lock(&g->lock);
    *out = (struct grid_images_stats){g->hits, g->misses};
    pthread_mutex_unlock(&g->lock);
}
