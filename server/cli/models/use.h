/* use.h - a model's file and recipe against the project: what `model add` checks and what predict and
 * features open. */
#ifndef CLI_MODELS_USE_H
#define CLI_MODELS_USE_H

#include "cli/core/cli.h"
#include "infer/engine/engine.h"
#include "infer/predict/recipe.h"
#include "store/models/models.h"

struct model_use {
    struct model_row row;
    struct recipe recipe;
    const char *path;          /* of the ONNX file */
    const char *const *parts;  /* it and its external data */
    size_t n_parts;
    struct engine *engine;
    size_t scores;             /* floats of an image in the engine's output 0 */
    const uint16_t *cids;      /* class of each score: set by model_use_classes */
    uint64_t classes_without;  /* classes of the project that no score stands for */
};

/* Reads file and recipe (recipe NULL: the defaults, or MODEL.json beside it) and opens the engine. `output` names
 * the one value that is wanted; NULL: the first output and, if the recipe names one, the feature value. */
enum err_code model_use_file(struct cli *cli, const char *path, const char *recipe, const char *output,
                             struct model_use *m);
/* The model of that name with its stored recipe. ERR_CONFLICT (rule "model-changed") when the file is not the one
 * that was added. For features `output` as above, where "" stands for the recipe's. */
enum err_code model_use_stored(struct cli *cli, const char *name, const char *output, struct model_use *m);
/* Which class each score stands for: by the recipe's labels, or by order. ERR_CONFLICT (rule "model-classes")
 * names what does not fit. */
enum err_code model_use_classes(struct cli *cli, struct model_use *m);
void model_use_close(struct model_use *m);

/* BLAKE2b-512 of the parts, and their bytes. */
enum err_code model_use_hash(struct cli *cli, const struct model_use *m, unsigned char hash[MODEL_HASH], int64_t *bytes);
/* JSON of what the reader found. */
const char *model_use_facts(struct cli *cli, const struct model_use *m);

#endif
