/* evaluation_people.h - SQL for people in evaluations (evaluations.h): how far each is, what they were shown elsewhere, what
 * they say. An answer is given once and stays. */
#ifndef STORE_LABELS_EVALUATION_PEOPLE_H
#define STORE_LABELS_EVALUATION_PEOPLE_H

#include "store/core/flaws.h"
#include "store/labels/evaluations.h"

struct evaluation_person_row {
    int64_t account, answered, timed, active_ms; /* timed: answers with a known time; active_ms: their sum */
    int64_t elsewhere;  /* images without an answer of theirs whose photo they were shown elsewhere: passed over */
    int64_t first, last; /* when, 0: no answer */
    struct sv login, role, pseudonym;
    bool active, published; /* published: their answers are predictions */
};
/* Everybody who was ever assigned to it, by login. */
enum err_code evaluation_people(struct db *db, int64_t evaluation, struct arena *a, struct evaluation_person_row **out, size_t *n,
                                struct err *err);
/* Whether the account's work is on the list now. */
enum err_code evaluation_person_is(struct db *db, int64_t evaluation, int64_t account, bool *out, struct err *err);
/* How many images of the list show a photo that the account was shown anywhere, or is to be shown by another evaluation
 * (store/core/photos.h): whoever joins must have seen none. *near: of these, images that they were not shown themselves. 0 for
 * whoever was ever in it. */
enum err_code evaluation_seen_count(struct db *db, int64_t evaluation, int64_t account, int64_t *out, int64_t *near, struct err *err);
/* Whether the account was shown the image by anything but evaluations, or another one that shows its photo by anything: then
 * it is passed over. */
enum err_code evaluation_seen_elsewhere(struct db *db, int64_t account, int64_t image, bool *out, struct err *err);

/* ---- answers ---- */

struct evaluation_answer {
    int64_t id, number, account, class_id, cid, active_ms, at; /* active_ms 0: not known */
};
/* Of an account in a list, by number. */
enum err_code evaluation_answers(struct db *db, int64_t evaluation, int64_t account, struct arena *a,
                                 struct evaluation_answer **out, size_t *n, struct err *err);
/* The numbers alone, ascending. */
enum err_code evaluation_answered(struct db *db, int64_t evaluation, int64_t account, struct arena *a, int64_t **out, size_t *n,
                                  struct err *err);
/* The class that the account chose for an image of the list; 0: it has not answered it. */
enum err_code evaluation_answer_to(struct db *db, int64_t evaluation, int64_t account, int64_t number, int64_t *class_id, struct err *err);
/* Inside the caller's transaction, with an event "evaluation.answer". */
enum err_code evaluation_answer_add(struct db *db, int64_t evaluation, const struct evaluation_answer *v, int64_t now, struct err *err);
/* Answers became predictions; inside the caller's transaction. */
enum err_code evaluation_source_add(struct db *db, int64_t evaluation, int64_t account, int64_t side, int64_t source, struct err *err);
/* Whether the account's answers of the side are predictions already. */
enum err_code evaluation_published(struct db *db, int64_t evaluation, int64_t account, int64_t side, bool *out, struct err *err);

/* Images that everybody has answered who was through before it was closed, ascending; where nobody was, everybody whose
 * answers are predictions; none while there are no such people. */
enum err_code evaluation_answered_by_all(struct db *db, int64_t evaluation, struct arena *a, int64_t **out, size_t *n, struct err *err);
/* Times (ms) that these people took for an image, by image. */
struct evaluation_time {
    uint32_t image;
    int64_t ms;
};
enum err_code evaluation_times(struct db *db, int64_t evaluation, struct arena *a, struct evaluation_time **out, size_t *n,
                               struct err *err);

/* ---- for `check` ---- */

/* What contradicts itself, in the arena; none unless something is damaged: rows that are missing, answers outside of the
 * choice, of people whose work it never was, or about images that they had been shown elsewhere before. */
enum err_code evaluation_flaws(struct db *db, struct arena *a, struct flaw **out, size_t *n, struct err *err);
/* Predictions that are people's answers, by source: whose, of which list and side. */
struct evaluation_source_row {
    int64_t source, model, evaluation, account, side;
    struct sv name; /* of the list */
};
enum err_code evaluation_sources(struct db *db, struct arena *a, struct evaluation_source_row **out, size_t *n, struct err *err);

#endif
