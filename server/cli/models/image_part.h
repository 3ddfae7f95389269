/* image_part.h - part files with a line for each image of a shard, as predict and features write them with --shard:
 * which part is asked for, resuming one, and lines that begin with the image's name. */
#ifndef CLI_MODELS_IMAGE_PART_H
#define CLI_MODELS_IMAGE_PART_H

#include "cli/models/image_run.h"
#include "transfer/core/part_file.h"

struct image_part {
    struct part_file file;
    bool wanted;            /* results go to a part file, not into the project */
    uint32_t shard, shards; /* 0 of 1 for all images */
};
/* Reads --shard and --output. ERR_INPUT (rule "usage") for what is no shard, or --shard without --output. */
enum err_code image_part_ask(struct cli *cli, struct image_part *part);
/* Opens or resumes the file and queues the images of run->work that it lacks. Takes the reference of `header`;
 * `others` as in part_file_open. */
enum err_code image_part_open(struct image_part *part, struct image_run *run, json_t *header, int digits, const char *others);
/* A line: the image's name, then the fields of `more`, whose reference it takes. */
enum err_code image_part_add(struct image_part *part, struct db *db, uint32_t image, json_t *more, struct err *err);

#endif
