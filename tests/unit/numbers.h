/* numbers.h - a random study, and its answers one by one as SQL has them, for tests that count again in
 * the plainest way what live/ counts. Knows nothing of the tally. */
#ifndef TESTS_NUMBERS_H
#define TESTS_NUMBERS_H

#include "base/rng.h"
#include "domain/grids/grid.h"
#include "temp_project.h"

enum { NUMBERS_PEOPLE = 14, NUMBERS_CAMPAIGNS = 3, NUMBERS_CLASSES = 4 };

struct numbers {
    struct temp_project *t;
    struct rng r;
    int64_t people[NUMBERS_PEOPLE], classes[NUMBERS_CLASSES];
    int64_t campaigns[NUMBERS_CAMPAIGNS]; /* main, pilot, top-up */
    int64_t grids[64], grid_campaign[64];
    unsigned cells[64];
    size_t n_grids;
    int64_t answers[1000];
    size_t n_answers;
    int64_t now; /* of the next answer, milliseconds */
};
/* A study with grids of all roles, some of them excluded, and nobody's answers yet. */
void numbers_begin(struct numbers *w, struct temp_project *t, uint64_t seed);
/* Somebody answers a grid that they had not, once in a while as surplus; false when that is hard to
 * find. Or a decision about an answer. */
bool numbers_answer(struct numbers *w);
void numbers_turn(struct numbers *w);
void numbers_exclude(struct numbers *w);
/* Many of all of it, in one transaction. */
void numbers_happen(struct numbers *w, unsigned events);

/* One answer with its grid, as of an event. */
struct fact {
    int64_t id, grid, campaign, class_id, person, at, active_ms;
    uint64_t mask, seed;
    bool has_seed, surplus, out, excluded, main;  /* main: of a main or top-up campaign */
    unsigned n;
    int64_t image[GRID_CELLS];
    enum cell_role role[GRID_CELLS], pair_role[GRID_CELLS]; /* in this grid; where the pair first stood */
    bool own[GRID_CELLS];                         /* collected for the grid's class */
};
struct facts {
    struct fact *items;
    size_t n;
};
/* By event; as_of 0: all. In the project's arena. */
struct facts facts_load(struct temp_project *t, int64_t as_of);
static inline bool fact_accepted(const struct fact *f)
{
    return !f->surplus && !f->out;
}

/* Agreement of one answer with the accepted others of its grid that `in` has (NULL: all): the mean
 * over cells of the share who said the same. False: there are none. */
bool fact_agreement(const struct facts *all, const bool *in, size_t answer, double *out);
/* That minus the mean of the accepted ones. */
bool fact_relative(const struct facts *all, const bool *in, size_t answer, double *out);

/* Right answers on control cells of a role, and how many there are. */
struct fact_controls {
    unsigned right[4], of[4];
};
struct fact_controls fact_controls(const struct fact *f);

#endif
