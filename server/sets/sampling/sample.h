/* sample.h - from a pool to a new revision of a set: the request as people write it, the plan, the
 * draw, what is kept on record, and the replay of a revision that was made so. The rules are
 * domain/sampling/sampling.h; the pool is sets/pool/pool.h. */
#ifndef SETS_SAMPLING_SAMPLE_H
#define SETS_SAMPLING_SAMPLE_H

#include <jansson.h>

#include "sets/pool/pool.h"
#include "store/sets/revision_facts.h"

struct sample_threshold {
    struct sv wnid;
    double threshold;
};
/* What is asked for; also what `parameters` of a revision says, so that a replay reads it back. */
struct sample_ask {
    struct sample_rules rules;
    struct pool_ask pool;        /* parent included */
    struct sv set, parent;       /* the new revision's set; "SET/NUMBER" or empty */
    struct sample_threshold *own; /* classes with their own threshold */
    size_t n_own;
};
enum { SAMPLE_SEED_BITS = 53, SAMPLE_OWN_MOST = 100000 }; /* seeds that JSON keeps exactly */
/* As JSON (seed, strategy, size, ...; without what is not used by the strategy) and back. What is left out is as
 * sample_rules_usual has it. ERR_INPUT (rule "sample-parameters") names the member. */
json_t *sample_ask_json(const struct sample_ask *ask);
enum err_code sample_ask_read(const json_t *json, struct arena *a, struct sample_ask *out, struct err *err);
/* Thresholds of classes from CSV (wnid,threshold) or JSON {wnid: threshold}; ERR_INPUT names the line. */
enum err_code sample_thresholds_read(struct sv text, const char *file, struct arena *a, struct sample_ask *out,
                                     struct err *err);

struct sample_job {              /* a plan with all that it was made from */
    struct sample_ask ask;
    struct revision_row parent;  /* id 0: none */
    struct pool pool;
    struct sample_input input;
    struct sample_plan plan;
    struct tally *tally;         /* that the votes are counted by; borrowed */
    double *thresholds;          /* by class; NULL: none has its own */
    struct arena texts;          /* of the parent and the like; the plan is in the pool's arena */
};
/* Pool and plan. Besides the errors of both: ERR_CONFLICT (rule "set-parent") when the parent is of another set,
 * (rule "set-role") when the set is one of originals, ERR_NOT_FOUND (rule "no-class") for a class of `own` that there
 * is none of. Release it whatever came out. */
enum err_code sample_make_plan(struct db *db, struct tally *t, const struct sample_ask *ask, struct sample_job *out,
                               struct err *err);
/* The same without the plan: what keeps every candidate out, limits included. */
enum err_code sample_make_pool(struct db *db, struct tally *t, const struct sample_ask *ask, struct sample_job *out,
                               struct err *err);
void sample_release(struct sample_job *job);

/* What a child of "SET/NUMBER" asks for when nothing else is said: all that the parent was sampled by, its set and
 * itself as the parent; votes and decisions as of now. Texts in the arena. ERR_INPUT (rule "sample-parent") when it
 * was not sampled here, and then its set is all that there is; ERR_NOT_FOUND (rule "set"). */
enum err_code sample_ask_inherit(struct db *db, struct sv parent, struct arena *a, struct sample_ask *out,
                                 struct err *err);
/* Another strategy: what only the one before looks at is dropped. */
void sample_ask_strategy(struct sample_ask *ask, enum sample_strategy s);

/* A draw beside the parent. */
struct sample_change {
    const char *name, *was, *is; /* "answers", "8", "10" */
};
struct sample_against {
    bool known;                  /* the parent says how it was sampled; `changes` are empty otherwise */
    struct sample_change *changes;
    size_t n_changes;
    struct revision_removal *removals; /* images of the parent that do not stay, in its order */
    size_t n_removals, n_added;
    size_t n_kept;                     /* images of the parent that stay, from higher bins too */
    size_t counts[REMOVED_REASONS];    /* removals by reason */
};
/* Of the plan's own draw, which sample_write makes again. In the arena. */
enum err_code sample_plan_against(struct db *db, const struct sample_job *job, struct arena *a,
                                  struct sample_against *out, struct err *err);
/* "replaces 14: 1 blacklisted, 6 too few answers, 7 not drawn" */
const char *sample_replaces_text(const struct sample_against *d, struct arena *a);

/* Draws, and writes the revision (sealed), with removals and their reasons, carried-over reviews, facts
 * ({wanted, chosen, missing, carried, upward, average_frequency, average (sets/revisions/average.h), classes_short, ...}) and digests of all inputs.
 * ERR_INPUT (rule "sample-empty") when nothing can be drawn. */
enum err_code sample_write(struct db *db, bool alone, struct sample_job *job, int64_t account, int64_t now,
                           int64_t *revision, struct err *err);

/* What a revision that was sampled here asked for, of what there was then. ERR_INPUT (rule "sample-replay") when it was
 * not sampled here. */
enum err_code sample_ask_of(const struct revision_row *r, const struct revision_facts *f, struct arena *a,
                            struct sample_ask *out, struct err *err);

/* Makes the revision's images again from what it stored: *same, and which inputs are not what they were (bit i:
 * enum pool_input). ERR_INPUT (rule "sample-replay") when it was not sampled here. */
struct sample_replay {
    bool same;
    unsigned changed_inputs;
    size_t n_missing, n_further; /* images that came out only then, only now */
};
enum err_code sample_replay(struct db *db, struct tally *t, const struct revision_row *r, struct sample_replay *out,
                            struct err *err);

#endif
