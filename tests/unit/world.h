/* world.h - campaigns, images, grids and answers made by hand for tests of live/, store/ and web/.
 * Every function writes through store/ and fails the test when that fails. Knows nothing of HTTP. */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"
#include "domain/grids/grid.h"
#include "store/campaigns/campaigns.h"
#include "store/sets/sets.h"

/* When everything was made; tests count on from here. In the year 2100: later than the first event,
 * which the schema itself writes. */
#define WORLD_NOW INT64_C(4102444800000)

/* Class with wnid n00000001 for number 1, cid = number. */
int64_t world_class(struct db *db, unsigned number);
/* Image "image-NUMBER" of the class. */
int64_t world_image(struct db *db, unsigned number, int64_t class_id, const char *role);

/* The same with pixels: a source whose hash is `content` and zeros. */
int64_t world_image_of(struct db *db, unsigned number, int64_t class_id, const char *role,
                       unsigned char content);

/* Terms of an open main campaign: N = 3, leases of 600 s, everything else wide open. */
struct campaign world_terms(const char *name);
int64_t world_campaign(struct db *db, const struct campaign *terms);

/* A grid of n candidates, with the event that says so. */
int64_t world_grid(struct db *db, int64_t campaign, int64_t class_id, const int64_t *images,
                   unsigned n);
/* The same with roles; an `excluded` that is not "" keeps it out of every view. */
int64_t world_grid_roles(struct db *db, int64_t campaign, int64_t class_id, const int64_t *images,
                         const enum cell_role *roles, unsigned n, const char *excluded);

/* A task of a CLASSIFY campaign: one image with options; `known` are bits of a check's. */
int64_t world_task(struct db *db, int64_t campaign, int64_t class_id, int64_t image, const int64_t *options, unsigned n,
                   uint32_t known);

int64_t world_person(struct db *db);
/* Forgets them, with everything that follows (store/people/erasure.h). */
void world_forget(struct db *db, int64_t person);
int64_t world_place(struct db *db, int64_t campaign, int64_t person);
int64_t world_lend(struct db *db, int64_t grid, int64_t person, int64_t place, int64_t at,
                   int64_t until);
int64_t world_answer(struct db *db, int64_t assignment, uint64_t mask, bool surplus, int64_t at);
/* An answer of a CLASSIFY task; main OPTION_NONE: none of these. */
int64_t world_ticks(struct db *db, int64_t assignment, uint64_t mask, int main, int64_t at);
/* A place, an assignment and its answer by a new person. */
int64_t world_vote(struct db *db, int64_t campaign, int64_t grid, uint64_t mask, bool surplus);
/* Takes an answer out of the analysis, or in again. */
void world_judge(struct db *db, int64_t answer, bool out);
void world_exclude(struct db *db, int64_t grid);

/* An event that says nothing of anything; an account that nobody signs in with. */
int64_t world_event(struct db *db, const char *kind);
int64_t world_account(struct db *db, const char *login, const char *role);

/* A sealed revision of a new set "fresh", to be changed before it is added. */
struct revision_new world_list(const struct revision_image *images, size_t n);
int64_t world_revision(struct db *db, const struct revision_new *r);

#endif
