/* stats.h - what the lead's live pages show over all answers: people with their scores, classes with
 * their histograms and coverage, the pulse and the position effect of campaigns. One pass over a copy
 * of the ledger, made at most every other second and only when something happened; pages share it.
 *
 * The default vote view holds for frequencies (classes, means); people and pulse count every answer
 * of every campaign, and say which are surplus or out. Knows nothing of HTTP or SQL. */
#ifndef LIVE_VOTES_STATS_H
#define LIVE_VOTES_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/core/tally.h"
#include "stats/binomial.h"
#include "stats/chi_square.h"

enum { STATS_BINS = 5, STATS_MINUTES = 1440, STATS_POSITIONS = 48, STATS_LEAST_ANSWERS = 10 };

/* Answers on grids that are excluded from every view are in `answers`, `excluded`, the times and the
 * minutes, and in nothing else. */
struct stats_person { /* by database id, rising */
    uint32_t person, answers, excluded;
    uint32_t counted, surplus, out;     /* counted: of the default view, neither of both */
    uint32_t classify, classify_out;    /* of `answers` and `out`, those to CLASSIFY tasks that are not excluded */
    uint32_t first_s, last_s;
    uint32_t median_active_ms;          /* of answers that tell it; 0: none */
    uint64_t active_ms;
    uint32_t pos_right, pos, neg_right, neg, gold_right, gold; /* answers that are not out */
    uint64_t cells, selected;           /* of the same answers */
    double agreement, relative;         /* means over compared answers (domain/votes/agreement.h) */
    uint32_t compared;                  /* 0: both are meaningless */
};
struct stats_class { /* by class id, rising; classes that stand on a grid */
    uint32_t class_id;
    uint32_t images[4];                 /* pairs per enum cell_role */
    uint64_t shown[4], selected[4];     /* selected: of gold those that were answered right */
    struct interval ci[4];              /* of selected / shown, clustered by worker (stats/cluster.h) */
    struct interval difference;         /* of originals' minus candidates', of the same workers */
    uint32_t covered;                   /* originals with >= STATS_LEAST_ANSWERS answers */
    uint32_t originals[STATS_BINS], candidates[STATS_BINS]; /* images by frequency, with >= that many */
};
struct stats_campaign { /* by id, rising; campaigns with grids */
    uint32_t campaign;
    uint32_t answers, excluded, surplus, out, people;
    uint32_t most;                      /* answers of the person who gave most */
    uint32_t minute[STATS_MINUTES];     /* answers in the minute that ended k minutes ago; 0: this one */
    uint32_t last_s;                    /* newest answer */
    /* Candidates' cells by shown position (cells are shuffled per assignment): the position effect,
     * over answers that are neither surplus nor out. */
    uint64_t shown[STATS_POSITIONS], selected[STATS_POSITIONS];
    struct chi_square flat;             /* whether the position matters (stats/cochran.h), from ... */
    uint32_t shuffled, in_order;        /* answers with an order of their own; grids that all saw in one */
    uint32_t pos_right, pos, neg_right, neg, gold_right, gold; /* answers that are not out */
    struct interval pos_ci, neg_ci, gold_ci; /* of what is right, clustered by worker */
    uint32_t median_active_ms;
};
struct stats {
    int64_t cursor;                     /* last event folded */
    int64_t made_ms;
    uint64_t shown[4], selected[4];     /* the default view */
    struct interval ci[4];
    struct stats_person *people;
    struct stats_class *classes;
    struct stats_campaign *campaigns;
    size_t n_people, n_classes, n_campaigns;
};

/* Keeps the newest and lets readers share it. */
struct stats_keeper;
struct stats_keeper *stats_keeper_new(struct tally *t);
void stats_keeper_free(struct stats_keeper *k);
/* The present statistics: those kept when nothing happened since and no minute began, or when they
 * are younger than two seconds; else made now on this thread (tens of milliseconds at 10 million
 * votes) while others get the kept ones. Never NULL. Give back with stats_put. */
const struct stats *stats_get(struct stats_keeper *k);
void stats_put(struct stats_keeper *k, const struct stats *s);

/* NULL: none. */
const struct stats_person *stats_person(const struct stats *s, int64_t person);
const struct stats_class *stats_class(const struct stats *s, int64_t class_id);
const struct stats_campaign *stats_campaign(const struct stats *s, int64_t campaign);

#endif
