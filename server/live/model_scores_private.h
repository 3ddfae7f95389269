/* model_scores_private.h - what the cache keeps of a revision, for model_scores.c and model_right.c. */
#ifndef LIVE_MODEL_SCORES_PRIVATE_H
#define LIVE_MODEL_SCORES_PRIVATE_H

#include <pthread.h>

#include "live/model_scores.h"

enum { NO_RECORD = 255, REVISIONS_MOST = 64 };

struct source_use { /* how many of a model's newest records come from a source */
    int64_t id;
    uint32_t records;
    int k;
    bool scored;
};

struct model_ranks {
    int64_t model;
    unsigned char *rank; /* by position: 1 to k, 0: the label is not among the answers, NO_RECORD */
    uint16_t *source;    /* by position: index into sources */
    uint32_t of_rank[PREDICTION_K + 1]; /* how many have which, those without a record left out */
    struct source_use *sources;
    size_t n_sources, cap_sources;
};

struct revision_scores {
    int64_t revision, after; /* every block up to that one is in */
    uint64_t looked;         /* when it was last asked for */
    uint64_t version;        /* of what is folded */
    uint32_t n;
    uint32_t *image, *class_id;
    uint16_t *cid; /* of class_id; PREDICTION_NONE - 1 where predictions cannot name it */
    bool *sealed;  /* by position: a sealed revision has it, as of the stamp */
    int64_t stamp; /* seals_stamp */
    struct model_ranks *models;
    size_t n_models, cap_models;
};

struct model_scores {
    pthread_mutex_t lock;
    struct revision_scores *revisions[REVISIONS_MOST];
    size_t n;
    uint64_t looks, versions;
};

/* With the lock held: the revision's counts as of now. */
enum err_code model_scores_look(struct model_scores *s, struct db *db, int64_t revision,
                                struct revision_scores **out, struct err *err);
/* NULL: it has no predictions about the revision. */
const struct model_ranks *model_scores_find(const struct revision_scores *r, int64_t model);

#endif
