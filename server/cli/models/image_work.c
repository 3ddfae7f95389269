/* image_work.c - the list of images for predict and features. */
#include "cli/models/image_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "store/classes/classes.h"
#include "store/images/originals.h"
#include "store/sets/sets.h"

/* What the options ask for, and what is built while walking over all images. */
struct choice {
    struct image_work *work;
    struct map_u64 by_source; /* source id -> content */
    int64_t class_id;         /* 0: any */
    struct sv role;           /* empty: any */
    bool of_set;
    uint32_t *set; /* ids of its images, sorted */
    size_t n_set;
};

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static enum err_code choose_set(struct cli *cli, const char *name, struct choice *c)
{
    struct revision_row row;
    struct revision_image *list;
    enum err_code rc = revisions_find(cli->db, sv_of(name), &cli->arena, &row, &cli->err);
    if (rc == OK) {
        rc = revisions_images(cli->db, row.id, &cli->arena, &list, &c->n_set, &cli->err);
    }
    if (rc != OK) {
        return rc;
    }
    c->of_set = true;
    c->set = arena_calloc(&cli->arena, c->n_set + 1, sizeof *c->set);
    for (size_t i = 0; i < c->n_set; i++) {
        c->set[i] = list[i].image;
    }
    qsort(c->set, c->n_set, sizeof *c->set, by_number);
    return OK;
}

static enum err_code read_choice(struct cli *cli, struct choice *c)
{
    const char *set = cli_opt(cli, "set"), *class = cli_opt(cli, "class"),
               *role = cli_opt(cli, "role");
    if ((set != NULL) + (class != NULL) + (role != NULL) + cli_has(cli, "all") > 1) {
        return cli_usage(cli, "give only one of --set, --class, --role and --all");
    }
    if (role && image_role_of(sv_of(role)) == IMAGE_ROLES) {
        return cli_usage(cli, "--role must be " IMAGE_ROLE_LIST);
    }
    c->role = sv_of(role);
    if (set) {
        return choose_set(cli, set, c);
    }
    struct class_info info;
    enum err_code rc =
        class ? classes_find(cli->db, sv_of(class), &cli->arena, &info, &cli->err) : OK;
    c->class_id = class && rc == OK ? info.id : 0;
    return rc;
}

uint32_t image_work_shard(struct sv name, uint32_t shards)
{
    return shards <= 1 ? 0 : (uint32_t)(hash_u64(hash_stable(name.p, name.n)) % shards);
}

static bool is_wanted(const struct choice *c, const struct original_row *r)
{
    const struct image_work *w = c->work;
    return (c->class_id == 0 || r->class_id == c->class_id) &&
           (c->role.n == 0 || sv_eq(r->role, c->role)) &&
           (!c->of_set || sorted_has_u32(c->set, c->n_set, (uint32_t)r->image)) &&
           image_work_shard(r->name, w->shards) == w->shard;
}

static uint32_t content_of(struct choice *c, const struct original_row *r)
{
    struct image_work *w = c->work;
    uint32_t fresh = (uint32_t)w->n_contents;
    uint32_t at = map_u64_put(&c->by_source, (uint64_t)r->source, fresh);
    if (at == fresh) {
        xgrow(&w->contents, &w->cap_contents, w->n_contents + 1, sizeof *w->contents);
        struct work_content *content = &w->contents[w->n_contents++];
        *content = (struct work_content){.bytes = r->bytes, .first = WORK_NONE, .last = WORK_NONE};
        memcpy(content->sha256, r->sha256.p, r->sha256.n < IMAGE_SHA ? r->sha256.n : IMAGE_SHA);
        content->reference = r->reference.n ? arena_cstr(w->arena, r->reference) : NULL;
    }
    return at;
}

static enum err_code add_image(void *arg, const struct original_row *r, struct err *err)
{
    struct choice *c = arg;
    struct image_work *w = c->work;
    (void)err;
    uint32_t place = (uint32_t)w->n_images;
    xgrow(&w->images, &w->cap_images, w->n_images + 1, sizeof *w->images);
    struct work_image *image = &w->images[w->n_images++];
    *image = (struct work_image){.id = (uint32_t)r->image, .content = WORK_NONE, .next = WORK_NONE};
    image->wanted = is_wanted(c, r);
    w->wanted += image->wanted;
    if (r->source == 0) {
        w->without_pixels += image->wanted;
        return OK;
    }
    image->content = content_of(c, r);
    struct work_content *content = &w->contents[image->content];
    if (content->first == WORK_NONE) {
        content->first = place;
    } else {
        w->images[content->last].next = place;
    }
    content->last = place;
    return OK;
}

enum err_code image_work_open(struct cli *cli, uint32_t shard, uint32_t shards,
                              struct image_work *w)
{
    struct choice c = {.work = w};
    *w = (struct image_work){.shard = shard, .shards = shards, .arena = &cli->arena};
    enum err_code rc = read_choice(cli, &c);
    if (rc == OK) {
        map_u64_init(&c.by_source);
        rc = originals_each(cli->db, add_image, &c, &cli->err);
        map_u64_release(&c.by_source);
    }
    return rc;
}

void image_work_close(struct image_work *w)
{
    free(w->images);
    free(w->contents);
    free(w->todo);
    *w = (struct image_work){0};
}

uint32_t image_work_place(const struct image_work *w, uint32_t id)
{
    size_t at =
        sorted_u32(w->images, w->n_images, sizeof *w->images, offsetof(struct work_image, id), id);
    return at < w->n_images && w->images[at].id == id ? (uint32_t)at : WORK_NONE;
}

void image_work_done(struct image_work *w, uint32_t id)
{
    uint32_t at = image_work_place(w, id);
    if (at != WORK_NONE && !w->images[at].done) {
        w->images[at].done = true;
        w->done += w->images[at].wanted;
        w->without_pixels -= w->images[at].wanted && w->images[at].content == WORK_NONE;
    }
}

/* An image of the content whose result is there; WORK_NONE: none. */
static uint32_t done_one(const struct image_work *w, const struct work_content *c)
{
    uint32_t at = c->first;
    while (at != WORK_NONE && !w->images[at].done) {
        at = w->images[at].next;
    }
    return at;
}

uint32_t image_work_next(const struct image_work *w, const struct work_content *c, uint32_t at)
{
    at = at == WORK_NONE ? c->first : w->images[at].next;
    while (at != WORK_NONE && (!w->images[at].wanted || w->images[at].done)) {
        at = w->images[at].next;
    }
    return at;
}

void image_work_queue(struct image_work *w, void (*twin)(void *arg, uint32_t image, uint32_t done),
                      void *arg)
{
    w->todo = xcalloc(w->n_contents + 1, sizeof *w->todo);
    for (size_t i = 0; i < w->n_images; i++) {
        const struct work_image *image = &w->images[i];
        if (!image->wanted || image->done || image->content == WORK_NONE) {
            continue;
        }
        struct work_content *c = &w->contents[image->content];
        uint32_t done = c->queued || !twin ? WORK_NONE : done_one(w, c);
        if (done != WORK_NONE) {
            twin(arg, image->id, w->images[done].id);
        } else if (!c->queued) {
            c->queued = true;
            w->todo[w->n_todo++] = image->content;
        }
    }
}
