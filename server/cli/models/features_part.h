/* features_part.h - feature vectors as part files: what `features --shard i/n --output PART` writes and `features
 * --merge` reads. JSON lines: a header that says what made them, then an image each with its name, the SHA-256 of its
 * bytes, and its row: little-endian float32 as base64url. */
#ifndef CLI_MODELS_FEATURES_PART_H
#define CLI_MODELS_FEATURES_PART_H

#include "cli/models/image_part.h"
#include "store/models/features.h"

/* As image_part_open of image_part.h. */
enum err_code features_part_open(struct image_part *part, struct image_run *run, const struct feature_source *s);
enum err_code features_part_add(struct image_part *part, struct db *db, uint32_t image, const struct work_content *c,
                                const float *row, size_t dim, struct err *err);

struct features_merge {
    struct part_read *parts;
    size_t n_parts;
    uint32_t shards;  /* of how many these are, by their headers */
    struct sv *lines; /* by place in run->work.images; empty: no part has a row for it */
};
/* Sets s->engine and s->digest to those of the parts: they may come from other processors than this one. ERR_CONFLICT
 * (rule "part-differs") names the file that was made with another model or recipe, or by another engine or for another
 * number of shards than the first. */
enum err_code features_merge_open(struct features_merge *g, struct image_run *run, const char *const *paths, size_t n,
                                  struct feature_source *s);
/* Finds the row of each image of run->work. ERR_CONFLICT (rule "part-differs") names the file and the line of an image
 * that the project does not have, or has with other bytes. */
enum err_code features_merge_read(struct features_merge *g, struct image_run *run);
/* The row of an image that has a line, by its place. ERR_CONFLICT (rule "part-differs") if it is damaged. */
enum err_code features_merge_row(const struct features_merge *g, uint32_t place, float *row, size_t dim, struct err *err);
void features_merge_close(struct features_merge *g);

#endif
