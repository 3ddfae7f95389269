/* predict_part.h - predictions as a part file: what `predict --shard i/n --output PART` writes and
 * `import predictions` reads. JSON lines: a header that says what made them, then an image each. */
#ifndef CLI_MODELS_PREDICT_PART_H
#define CLI_MODELS_PREDICT_PART_H

#include "cli/models/use.h"
#include "store/classes/classes.h"
#include "store/models/predictions.h"
#include "transfer/core/part_file.h"

struct predict_part {
    struct part_file file;
    const struct class_info *classes; /* by cid */
    size_t n_classes;
    int k;
};
/* As part_file_open of part_file.h: `done` is called with the name of each image that the file has already. */
enum err_code predict_part_open(struct predict_part *part, struct cli *cli, const struct model_use *m,
                                const struct prediction_source *s, uint32_t shard, uint32_t shards,
                                enum err_code (*done)(void *arg, struct sv name, struct err *err), void *arg);
enum err_code predict_part_add(struct predict_part *part, struct sv name, const struct prediction *p, struct err *err);
/* Everything added is on the disk. */
enum err_code predict_part_flush(struct predict_part *part, struct err *err);
void predict_part_close(struct predict_part *part);

#endif
