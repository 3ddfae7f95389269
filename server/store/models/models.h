/* models.h - SQL for models, removed ones included: predictions name them. */
#ifndef STORE_MODELS_MODELS_H
#define STORE_MODELS_MODELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { MODEL_NAME = 64, MODEL_HASH = 64 };
struct model_row {
    int64_t id, at, bytes;      /* bytes 0: imported predictions only */
    struct sv name, kind, file; /* kind "onnx" or "import"; file below models/ */
    struct sv recipe, facts, note;
    unsigned char hash[MODEL_HASH];
    bool removed;
};
enum err_code model_name_check(struct sv name, struct err *err); /* as set_name_check; rule "model-name" */
/* Idempotent for the same content and recipe; another under the same name is ERR_CONFLICT (rule "model-differs").
 * A removed model comes back. m->id is set. */
enum err_code models_put(struct db *db, struct model_row *m, int64_t account, int64_t now, bool *added,
                         struct err *err);
enum err_code models_remove(struct db *db, int64_t id, struct sv reason, int64_t account, int64_t now,
                            struct err *err);
enum err_code models_find(struct db *db, struct sv name, struct arena *a, struct model_row *out, struct err *err);
/* By name; removed ones only when asked for. */
enum err_code models_list(struct db *db, bool removed_too, struct arena *a, struct model_row **out, size_t *n,
                          struct err *err);
/* Those named, with commas between the names, each once, in that order; an empty text: all, by name. Removed
 * ones are as if they were not there. ERR_NOT_FOUND as models_find. */
enum err_code models_named(struct db *db, struct sv names, struct arena *a, struct model_row **out, size_t *n,
                           struct err *err);
/* Something of the model was stored under that digest: predictions or features. */
enum err_code models_has_results(struct db *db, int64_t model, const unsigned char digest[32], bool *out,
                                 struct err *err);
enum err_code models_note(struct db *db, int64_t id, struct sv note, int64_t account, int64_t now, struct err *err);

#endif
