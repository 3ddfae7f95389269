/* label_looks.h - SQL for what experts say of images' labels: one save is a look. Nothing is overwritten: what holds of a
 * label is what each person said last (domain/labels/label_review.h), and undo is another row. */
#ifndef STORE_LABELS_LABEL_LOOKS_H
#define STORE_LABELS_LABEL_LOOKS_H

#include "store/labels/label_reviews.h"

enum look_part { LOOK_REVIEW, LOOK_REPEAT, LOOK_ADJUDICATION, LOOK_PARTS };

struct look_verdict {
    uint32_t class_id;
    unsigned char verdict; /* enum label_verdict */
};
struct label_look_new {
    int64_t review, position, account; /* account 0: an import */
    enum look_part part;
    const struct look_verdict *verdicts;
    size_t n;
    enum problem problem; /* PROBLEMS: the image is not problematic */
    struct sv comment;
    bool searched;
    int64_t active_ms;    /* 0: not known */
};
/* Inside the caller's transaction, with an event "labels.reviewed"; *id is the look. A class that is not asked about is
 * added. ERR_INPUT (rule "label-look") for a verdict given twice or nothing said at all, (rule "label-comment") for a
 * comment that is too long or missing. */
enum err_code label_look_add(struct db *db, const struct label_look_new *v, int64_t now, int64_t *id, struct err *err);
/* Takes back a look of the account; *position: its. ERR_NOT_FOUND or ERR_CONFLICT (rule "label-undo"). */
enum err_code label_look_undo(struct db *db, int64_t review, int64_t look, int64_t account, int64_t now, int64_t *position,
                              struct err *err);

struct label_look_row {
    int64_t id, at, account, guide, active_ms, searched;
    struct sv login, part, problematic, comment; /* problematic empty: it is not; login empty: an import, or forgotten */
};
/* Looks that count, oldest first. */
enum err_code label_looks_list(struct db *db, int64_t review, int64_t position, struct arena *a, struct label_look_row **out,
                               size_t *n, struct err *err);
struct look_said {
    int64_t look, account, class_id, cid;
    enum label_verdict verdict;
};
/* Their verdicts, by class number and look. */
enum err_code label_looks_said(struct db *db, int64_t review, int64_t position, struct arena *a, struct look_said **out,
                               size_t *n, struct err *err);

/* ---- what holds ---- */

/* How far the reviewers of an image are. */
struct label_image_state {
    uint32_t people, disputed; /* people who reviewed it; labels about which they disagree */
    bool problem;              /* they disagree whether it is problematic */
};
/* A list as a book, as of its look `last` (an event): every image in order of position, and how far each is; images that fewer
 * people than asked have reviewed are partial. Of position `only` alone unless -1. The caller releases the book and frees
 * the states, on failure too. ERR_NOT_FOUND (rule "label-review") when `last` is no look. Whoever asks again and again asks
 * live/labels/review_books.h, which keeps them. */
enum err_code label_review_book(struct db *db, int64_t last, int64_t only, struct label_book *out, struct label_image_state **states,
                                struct err *err);
/* The list that a look is about, and the revision whose images that has; ERR_NOT_FOUND as above. */
enum err_code label_review_of(struct db *db, int64_t last, int64_t *review, int64_t *revision, struct err *err);
/* Positions about which something was said or taken back after the look `after` and up to `last`, in order. */
enum err_code label_review_changed(struct db *db, int64_t review, int64_t after, int64_t last, struct arena *a, int64_t **out,
                                   size_t *n, struct err *err);

struct label_open_item { /* what people disagree about */
    int64_t position, labels, people; /* labels about which they do; people who looked */
    bool problematic;      /* they disagree whether it is problematic */
    int64_t keep, discuss; /* people who keep what they said, who want to discuss (label_suggestions.h) */
};
struct label_problem {
    int64_t position, people;
    struct sv reasons, comments; /* joined by ", " and "; " */
};
/* Images that somebody called problematic. */
enum err_code label_review_problems(struct db *db, const struct label_review_row *r, struct arena *a, struct label_problem **out,
                                    size_t *n, struct err *err);
/* ---- agreement ---- */

/* What people said before they could see what others said: of each person and image their first look. Was that taken back,
 * the next one counts if by then nobody else had said anything of the image: whoever has saved sees the others. Nothing of
 * somebody who had adjudicated the image. */
struct label_first {
    int64_t look, at, position, account; /* account 0: imports; at: ms */
    bool problematic, shown;             /* shown: everybody saw what a model suggests for the image */
};
struct label_first_said {
    int64_t position, class_id, look, account;
    enum label_verdict verdict;
};
/* By position and look; by position, class and look. */
enum err_code label_review_firsts(struct db *db, int64_t review, struct arena *a, struct label_first **out, size_t *n,
                                  struct err *err);
enum err_code label_review_firsts_said(struct db *db, int64_t review, struct arena *a, struct label_first_said **out, size_t *n,
                                       struct err *err);
struct label_repeated {
    int64_t account, position;
    bool shown; /* as in label_first */
    enum label_verdict first, again;
};
/* Verdicts about images that were shown again, beside what the same person had said last before: by account and position. */
enum err_code label_review_repeated(struct db *db, int64_t review, struct arena *a, struct label_repeated **out, size_t *n,
                                    struct err *err);
/* Repeats beside what the same person had said before: verdicts given both times, and how many are the same. */
enum err_code label_review_repeats(struct db *db, const struct label_review_row *r, int64_t *both, int64_t *same, struct err *err);

#endif
