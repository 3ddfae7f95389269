/* parts.h - the parts of check_project (check.h): each looks at one kind of thing and says what is wrong with it. */
#ifndef CHECK_PARTS_H
#define CHECK_PARTS_H

#include "check/check.h"
#include "live/core/tally.h"
#include "store/core/flaws.h"

/* Says that something is wrong. */
void check_found(struct check *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void check_progress(struct check *c, const char *what, uint64_t done, uint64_t total);
/* Says those of lists of a kind, which is called `what`. */
void check_flaws(struct check *c, const char *what, const struct flaw *list, size_t n);

/* votes.c: folds the answers into the empty tally `t`, as the server does, and compares each pair of image and class
 * with a recount by SQL alone. *pairs gets how many were compared. */
enum err_code check_votes(struct check *c, struct tally *t, uint64_t *pairs);
/* votes.c: the sums alone, which take little memory where a recount of every pair takes a gigabyte. */
enum err_code check_vote_sums(struct check *c);
/* responses.c: answers of CLASSIFY tasks that say what their task does not offer. */
enum err_code check_responses(struct check *c);
/* stats.c: what live/votes/stats.h says of people against a recount by SQL, and what live/votes/view_count.h makes of the default
 * view against the tally. */
enum err_code check_stats(struct check *c, struct tally *t);
/* sets.c: lists of images whose rows or digest are not what they say. */
enum err_code check_lists(struct check *c);
/* sets.c: revisions whose removals are not what their parent had more, or that have carried over the review of a class
 * whose images changed. */
enum err_code check_revisions(struct check *c);
/* subsets.c: versions of named subsets and superclasses that are not what their digest says. */
enum err_code check_subsets(struct check *c);
/* labels.c: lists of labels whose rows or digest are not what they say. */
enum err_code check_labels(struct check *c);
/* label_reviews.c: label reviews whose rows contradict each other, or whose verdicts, as a label source, are not what a recount
 * of the saves says. */
enum err_code check_label_reviews(struct check *c);
/* label_plans.c: plans of labels that images could have whose rows or digest are not what they say. */
enum err_code check_label_plans(struct check *c);
/* training.c: training lists that lack images, and answers and suggestions in them that could not have been given. */
enum err_code check_training(struct check *c);
/* models.c: predictions that cannot be read or are about no image, model files that are gone, feature files that are
 * shorter than their index, images of which only features are known and these are gone. */
enum err_code check_models(struct check *c);
/* texts.c: texts that cannot be read, imports and mappings of texts that were cut off. */
enum err_code check_texts(struct check *c);
/* neighbors.c: searches for near-duplicates whose stored neighbours are damaged or missing. */
enum err_code check_neighbors(struct check *c);
/* evaluations.c: lists that people classify whose rows contradict each other, and predictions that are not what somebody
 * answered. */
enum err_code check_evaluations(struct check *c);
/* files.c: originals and renditions of images that are gone or not what was imported, and files that belong to no row.
 * *sources gets how many image files there should be. */
enum err_code check_files(struct check *c, size_t *sources);

#endif
