/* predictions.h - predictions of models: compact records in blocks (migrations/0004). The only reader
 * and writer of their bytes. */
#ifndef STORE_MODELS_PREDICTIONS_H
#define STORE_MODELS_PREDICTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { PREDICTION_K = 5, PREDICTION_BLOCK = 1024, PREDICTION_DIGEST = 32, PREDICTION_NONE = 65535 };

#define PREDICTION_NO_CLASS "none" /* a label that is no class, in files */

struct prediction {
    uint32_t image;
    uint16_t labels[PREDICTION_K];  /* cid, best first; PREDICTION_NONE: none */
    float scores[PREDICTION_K];     /* probabilities, when the source has them */
};
struct prediction_source {
    int64_t id, model, revision, at, account, records; /* revision, account 0: none */
    struct sv kind, bytes, engine, recipe;
    struct sv list;             /* import: digest of the list that it was imported for; empty: of none */
    unsigned char digest[PREDICTION_DIGEST];
    int k;
    bool scored;
};
/* Finds the source with the same model and digest or adds it; s->id is set. ERR_CONFLICT (rule
 * "prediction-shape") when that has another k or no scores. A small transaction of its own, or the caller's. */
enum err_code predictions_source(struct db *db, struct prediction_source *s, int64_t account, int64_t now,
                                 bool *added, struct err *err);
/* By id; model 0: of all. */
enum err_code predictions_sources(struct db *db, int64_t model, struct arena *a, struct prediction_source **out,
                                  size_t *n, struct err *err);
/* Appends 1 to PREDICTION_BLOCK records as one block. Call inside a transaction (bulk_write). Images that the
 * source has already are the caller's to leave out. */
enum err_code predictions_append(struct db *db, const struct prediction_source *s, const struct prediction *p,
                                 size_t n, struct err *err);
/* Every record of the model (0: of all models), or of one of its sources (0: all), oldest block first, blocks after `after` (0: all);
 * *last becomes the newest block's id. Which source's record counts on a revision: measures/scores/score_fold.h. */
enum err_code predictions_each(struct db *db, int64_t model, int64_t source, int64_t after, int64_t *last,
                               void (*each)(void *arg, const struct prediction_source *s,
                                            const struct prediction *p),
                               void *arg, struct err *err);
/* Every record of the model (0: of all models) in the blocks after `after`, up to `until`. */
enum err_code predictions_between(struct db *db, int64_t model, int64_t after, int64_t until, int64_t *last,
                                  void (*each)(void *arg, const struct prediction_source *s,
                                               const struct prediction *p),
                                  void *arg, struct err *err);
/* What every source says about some images, of one model or (0) of all: by model, source and image. For showing what
 * models say of an image: nothing comes of images that a sealed revision has (store/sets/seals.h). */
struct prediction_found {
    int64_t model, source;
    struct prediction p;
    int k;
    bool scored;
};
enum err_code predictions_about(struct db *db, int64_t model, const uint32_t *images, size_t n, struct arena *a,
                                struct prediction_found **out, size_t *n_out, struct err *err);
/* The newest block of all models: unchanged means that nothing was added anywhere. */
enum err_code predictions_newest(struct db *db, int64_t *block, struct err *err);
/* The newest of one model; 0: it has none. */
enum err_code predictions_newest_of(struct db *db, int64_t model, int64_t *block, struct err *err);

/* Whether another source of the model may have records about images with ids from `least` to `most`, by its blocks:
 * false is sure. */
enum err_code predictions_others(struct db *db, int64_t model, int64_t source, uint32_t least, uint32_t most,
                                 bool *out, struct err *err);

#endif
