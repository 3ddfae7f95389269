/* votes.h - SQL over answers as measurements: what the tally folds, what `check` recounts, what
 * exports show. The rows of the one writing path are in store/work/work.h. */
#ifndef STORE_VOTES_VOTES_H
#define STORE_VOTES_VOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sv.h"
#include "db/db.h"

/* What happened after event `after`, up to the newest. */
struct votes_news {
    int64_t last;       /* newest event; equal to `after`: nothing happened */
    bool plan_changed;  /* grids or campaigns were made or changed state */
    bool view_changed;  /* the default view or an exclusion of a grid: everything counts again */
    bool shown_changed; /* images came or somebody was forgotten: what workers' addresses show */
};
enum err_code votes_news(struct db *db, int64_t after, struct votes_news *out, struct err *err);

struct vote_answer {
    int64_t id, grid, person, at;
    int64_t active_ms; /* 0: not known */
    uint64_t mask, seed;
    bool surplus, has_seed; /* without a seed the cells were shown as stored */
};
/* Answers with after < id <= last, in order. */
enum err_code votes_answers(struct db *db, int64_t after, int64_t last,
                            enum err_code (*each)(void *arg, const struct vote_answer *w,
                                                  struct err *err),
                            void *arg, struct err *err);

struct vote_state { /* one decision about an answer's part in the analysis */
    int64_t id, answer;
    uint64_t seed;     /* of the answer's assignment */
    bool has_seed, out;
};
/* Decisions with after < id <= last, in order. */
enum err_code votes_states(struct db *db, int64_t after, int64_t last,
                           enum err_code (*each)(void *arg, const struct vote_state *s,
                                                 struct err *err),
                           void *arg, struct err *err);

struct vote_pair {
    int64_t image, class_id;
    struct sv image_name, wnid; /* borrowed for the call */
    int64_t shown, selected;
};
/* Recounts every pair by SQL alone, from the vote view, without the tally: (image, class) in
 * order. A pair that only ever stood on grids without answers comes with 0, 0. */
enum err_code votes_recount(struct db *db,
                            enum err_code (*each)(void *arg, const struct vote_pair *p,
                                                  struct err *err),
                            void *arg, struct err *err);

/* The sums of all pairs' numbers, by SQL alone and with little memory. */
enum err_code votes_sum(struct db *db, uint64_t *shown, uint64_t *selected, struct err *err);

struct vote_worker { /* as the study published its workers */
    int64_t person;
    struct sv worker; /* store/people/panel_ids.h; borrowed */
    int64_t assignments, rejected, pos_correct, pos_total, neg_correct, neg_total, n_selected,
        total_duration_s;
};
/* Per person, by name: answers on grids that are not excluded, of every campaign, surplus ones too;
 * rejected ones count only in the first two. */
enum err_code votes_workers(struct db *db, bool panel_ids,
                            enum err_code (*each)(void *arg, const struct vote_worker *w,
                                                  struct err *err),
                            void *arg, struct err *err);

/* Grids with more answers that count to N than the campaign's N and what decisions asked for beyond
 * it, over campaigns that hand out work here: 0 unless the rule was broken. */
enum err_code votes_over_n(struct db *db, int64_t *grids, struct err *err);

#endif
