/* image_work.h - which images a command computes something about: chosen by set, class or role,
 * each content once, without those that have their result. */
#ifndef CLI_MODELS_IMAGE_WORK_H
#define CLI_MODELS_IMAGE_WORK_H

#include "cli/core/cli.h"
#include "store/images/images.h"

#define WORK_NONE UINT32_MAX

struct work_content {
    unsigned char sha256[IMAGE_SHA];
    int64_t bytes;
    const char *reference;   /* absolute path of bytes that are only referenced, else NULL */
    uint32_t first, last;    /* of its images: places in work.images, linked by `next` */
    bool queued;
};
struct work_image {
    uint32_t id, content, next; /* content WORK_NONE: known by name only */
    bool wanted, done;
};
struct image_work {
    struct work_image *images;   /* of the project, by id */
    struct work_content *contents;
    uint32_t *todo;              /* contents to compute, in the order of their first wanted image */
    size_t n_images, n_contents, n_todo, cap_images, cap_contents;
    size_t wanted, done, without_pixels; /* images: of those wanted, done before, or without pixels and not done */
    uint32_t shard, shards;      /* images whose name hashes to `shard`; shards 1: all */
    struct arena *arena;
};

#define WORK_OPTIONS                                                                               \
    {"model", "NAME", "which model (holdout model list)"},                                         \
        {"set", "SET[/N]", "images of a set: of its newest revision, or of a numbered one"},            \
        {"class", "WNID", "images collected for a class"},                                         \
        {"role", "ROLE", IMAGE_ROLE_LIST},                                \
        {"all", NULL, "every image (default)"},                                                    \
        {"threads", "N", "decoding threads (default: one per core)"},                                                 \
        JOB_OPTION

/* Reads --set, --class, --role, --all and finds the images. ERR_INPUT (rule "usage") when they exclude each other. */
enum err_code image_work_open(struct cli *cli, uint32_t shard, uint32_t shards, struct image_work *w);
void image_work_close(struct image_work *w);
/* Before image_work_queue: the result about this image is there. */
void image_work_done(struct image_work *w, uint32_t image);
/* Fills `todo`. `twin` is called for every wanted image whose content has its result under another image's id:
 * such content is not computed again. twin NULL: it is. */
void image_work_queue(struct image_work *w, void (*twin)(void *arg, uint32_t image, uint32_t done), void *arg);
/* The images of a content that are wanted and not done: the place after `at` (WORK_NONE: the first one). */
uint32_t image_work_next(const struct image_work *w, const struct work_content *c, uint32_t at);
/* Where an image is in w->images; WORK_NONE: nowhere. */
uint32_t image_work_place(const struct image_work *w, uint32_t image);
/* Which of so many shards has an image of this name. */
uint32_t image_work_shard(struct sv name, uint32_t shards);

#endif
