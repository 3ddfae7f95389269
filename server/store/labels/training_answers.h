/* training_answers.h - SQL for what experts say in training: answers, and suggestions about labels. Nothing is overwritten,
 * and nothing takes an answer back. */
#ifndef STORE_LABELS_TRAINING_ANSWERS_H
#define STORE_LABELS_TRAINING_ANSWERS_H

#include "store/labels/training_lists.h"

struct training_answer_new {
    int64_t list, position, account, class_id, active_ms; /* active_ms 0: not known */
    bool searched;
};
/* Inside the caller's transaction, with an event "training.answer". Whether it fits and counts follows from what is stored:
 * it fits when it is the right label, one that is equal to it (class_relation), or one that all reviewers of closed label
 * reviews call correct; it counts when the account was never shown the image outside of training and never answered it. */
enum err_code training_answer_add(struct db *db, const struct training_answer_new *v, int64_t now, int64_t *id, struct err *err);

struct training_answer_row {
    int64_t id, at, position, class_id, guide;
    bool fits, counts;
};
/* All of an account in a list, in the order in which they were given. */
enum err_code training_answers_own(struct db *db, int64_t list, int64_t account, struct arena *a, struct training_answer_row **out,
                                   size_t *n, struct err *err);
/* Those about one image. */
enum err_code training_answers_of(struct db *db, int64_t list, int64_t position, int64_t account, struct arena *a,
                                  struct training_answer_row **out, size_t *n, struct err *err);
struct training_open_row {
    int64_t position, image;
};
/* Up to `most` images of the list that the account has not answered, from a position on. */
enum err_code training_unanswered(struct db *db, int64_t list, int64_t account, int64_t from, size_t most, struct arena *a,
                                  struct training_open_row **out, size_t *n, struct err *err);

struct training_person_row {
    int64_t account, last; /* last: when they answered last */
    struct sv login, role; /* login empty: forgotten */
};
/* Everybody who answered in the list, by login. */
enum err_code training_people(struct db *db, int64_t list, struct arena *a, struct training_person_row **out, size_t *n,
                              struct err *err);

/* ---- suggestions ---- */

struct training_suggestion_new {
    int64_t list, position, account, class_id; /* class_id 0: of the image */
    enum training_verdict verdict;
    struct sv comment;
};
/* Inside the caller's transaction, with an event "training.suggest". ERR_INPUT (rule "training-comment"), or (rule
 * "training-suggest") for a label that they did not choose. */
enum err_code training_suggest(struct db *db, const struct training_suggestion_new *v, int64_t now, int64_t *id, struct err *err);
struct training_suggested {
    int64_t account, class_id;   /* class_id 0: of the image */
    struct sv wnid, synset, verdict, comment, login;
};
/* What holds of an image: the newest of each person about each label, in whichever list; by label and person. */
enum err_code training_suggestions(struct db *db, int64_t image, struct arena *a, struct training_suggested **out, size_t *n,
                                   struct err *err);
/* Every label that somebody suggests, with its image, but for those of which they do not know. By image and label. */
enum err_code training_suggested_labels(struct db *db, struct arena *a, struct training_item **out, size_t *n, struct err *err);

/* What is wrong with what is stored of a list; by name, only those with something wrong. */
struct training_fault {
    struct sv name;
    int64_t images, rows; /* images: that it says it has */
    int64_t twice;        /* answers that count though the same person answered the image before */
    int64_t misjudged;    /* answers with the right label that do not fit */
    int64_t strangers;    /* suggestions about labels that the person had not chosen before */
    bool stateless;
};
enum err_code training_faults(struct db *db, struct arena *a, struct training_fault **out, size_t *n, struct err *err);

/* What closed label reviews say of an image's labels. */
struct training_known {
    int64_t class_id, correct, unclear, wrong;
    struct sv wnid, synset;
};
enum err_code training_known_labels(struct db *db, int64_t image, struct arena *a, struct training_known **out, size_t *n,
                                    struct err *err);

#endif
