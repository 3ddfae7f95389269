/* review_save.h - what a reviewer says, checked and stored. In the writer's transaction. */
#ifndef EXPERTS_REVIEW_SAVE_H
#define EXPERTS_REVIEW_SAVE_H

#include "experts/review_item.h"

struct review_said {
    struct sv wnid, verdict; /* verdict: "correct", ...; empty or "unreviewed": none */
};
struct review_saving {
    struct sv review;
    int64_t position, account;
    bool adjudicates, again; /* again: an image that is shown once more, if that is due */
    const struct review_said *said;
    size_t n;
    struct sv problematic, comment; /* problematic: a word, empty: it is not */
    bool searched;
    int64_t active_ms; /* as active_ms_known takes it */
};
/* ERR_DENIED (rule "label-review-theirs") unless the list is the account's work. */
enum err_code review_need_theirs(struct db *db, const struct label_review_row *r, int64_t account, struct err *err);
/* *look: what was stored. ERR_DENIED (rules "label-review-theirs", "training-needed", "label-review-seen") unless it is the account's
 * work, they have unlocked what it needs, and they were not shown the image elsewhere; ERR_CONFLICT (rule
 * "label-review-closed"); ERR_NOT_FOUND (rules "label-review", "label-review-item", "no-class"); ERR_INPUT (rule
 * "label-look"). Whoever adjudicates may do so whoever's work it is: the caller asks who they are. */
enum err_code review_save(struct db *db, const struct review_saving *s, int64_t now, struct arena *a, int64_t *look,
                          struct err *err);
/* What a reviewer makes of what others said of an image: keeps what they said, wants to discuss it, or agrees with one of their
 * looks, whose verdicts then become theirs by a look of their own: *made, 0: none. ERR_DENIED (rule "label-review-stand") before
 * they may see what others said; ERR_NOT_FOUND (the same rule) for a look that is none. */
struct review_standing {
    struct sv review;
    int64_t position, account, look; /* look: of `agree`, whose verdicts */
    enum label_stand stand;
};
enum err_code review_stand(struct db *db, const struct review_standing *s, int64_t now, struct arena *a, int64_t *made, struct err *err);
/* Takes a look of one's own back; *position: its. The same errors, and those of label_look_undo. */
enum err_code review_undo(struct db *db, struct sv review, int64_t look, int64_t account, int64_t now, struct arena *a,
                          int64_t *position, struct err *err);

#endif
