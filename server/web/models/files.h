/* files.h - the files in models/ that no model was made of yet. Reads a folder: slow steps only. */
#ifndef WEB_MODELS_FILES_H
#define WEB_MODELS_FILES_H

#include "store/models/models.h"
#include "web/core/app.h"

enum { MODEL_FILES_SHOWN = 100 };
struct model_file {
    struct sv file; /* below models/ */
    struct sv name; /* what a model of it might be called */
    int64_t bytes;
};
/* By name, the first MODEL_FILES_SHOWN; `models` are those that there are. */
enum err_code model_files_list(struct ctx *c, const struct model_row *models, size_t n_models,
                               struct model_file **out, size_t *n);
/* ERR_INPUT (rule "model-file") unless it is the path of such a file below models/. */
enum err_code model_files_check(struct ctx *c, struct sv file);

#endif
