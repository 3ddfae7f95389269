/* neighbors_pictures.c - the images go through the import a second time, now as those that are looked at. */
#include "transfer/duplicates/neighbors_pictures.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "domain/images/image_role.h"
#include "store/duplicates/near_searches.h"
#include "transfer/imports/images_run.h"

struct picturing {
    struct arena *arena;
    struct images_item *items;
    size_t n, cap;
};

static enum err_code collect(void *arg, const struct near_hidden *h, struct err *err)
{
    struct picturing *p = arg;
    unsigned char *content = arena_alloc(p->arena, IMAGE_SHA);
    (void)err;
    memcpy(content, h->sha256.p, IMAGE_SHA);
    xgrow(&p->items, &p->cap, p->n + 1, sizeof *p->items);
    p->items[p->n++] = (struct images_item){.path = arena_cstr(p->arena, h->path), .name = arena_sv(p->arena, h->name),
                                            .class_id = h->class_id, .role = image_role_words[IMAGE_TRAINING],
                                            .content = content};
    return OK;
}

enum err_code neighbors_pictures(struct transfer *tr, const struct rendition_options *options, unsigned threads)
{
    struct picturing p = {.arena = tr->arena};
    enum err_code rc = near_searches_hidden(tr->db, collect, &p, tr->err);
    if (rc == OK && p.n > 0 && !tr->dry_run) {
        struct images_job job = {.tr = tr, .now = clock_wall_ms(), .list = "training images", .base = "/", .options = *options,
                                 .keep = KEEP_REFERENCE, .threads = threads, .items = p.items, .n = p.n};
        rc = images_run(&job);
        transfer_progress_end(tr);
    }
    free(p.items);
    return rc;
}
