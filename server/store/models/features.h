/* features.h - SQL for feature vectors: which file of float32 rows came from which model, and which
 * image each complete row is of. The rows themselves are in DIR/features/<source>.f32. */
#ifndef STORE_MODELS_FEATURES_H
#define STORE_MODELS_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { FEATURE_BLOCK = 1024, FEATURE_DIGEST = 32, FEATURE_DIM = 1 << 20 };

struct feature_source {
    int64_t id, model, at, dim, rows;
    struct sv output, engine, recipe;
    unsigned char digest[FEATURE_DIGEST];
};
/* Finds the source with the same digest or adds it; f->id and f->rows are set. A small transaction of its own,
 * or the caller's. */
enum err_code features_source(struct db *db, struct feature_source *f, int64_t account, int64_t now,
                              struct err *err);
/* By id; model 0: of all. */
enum err_code features_sources(struct db *db, int64_t model, struct arena *a, struct feature_source **out, size_t *n,
                               struct err *err);
/* The newest of a model that has rows; none of them when there is none. */
enum err_code features_newest(struct db *db, int64_t model, struct arena *a, struct feature_source *out, struct err *err);
/* Appends 1 to FEATURE_BLOCK rows that are on the disk: `first` is the number of rows before them. Call inside a
 * transaction (bulk_write). */
enum err_code features_append(struct db *db, int64_t source, int64_t first, const uint32_t *images, size_t n,
                              struct err *err);
/* The image of every row, by row. */
enum err_code features_each(struct db *db, int64_t source,
                            enum err_code (*each)(void *arg, int64_t row, uint32_t image, struct err *err),
                            void *arg, struct err *err);
/* DIR/features/<source>.f32, in the arena. */
char *path_features(struct arena *a, const char *dir, int64_t source);

#endif
