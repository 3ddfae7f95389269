/* label_seen.h - SQL for which images of a label review somebody may be asked about: not those that they were shown elsewhere
 * in a way that tells what others or models say, or that makes them say the same again. Forbidden is an image of which they,
 * before they reviewed it in the list,
 *
 *   page        opened a page or a picture that shows it with its label
 *   task        had a task: one person sees an image under one label
 *   training    were told its label in training
 *   guide       saw it as an example of its class
 *   evaluation  were evaluated on it          \  unless the list says that these may be theirs again:
 *   review      said something in another list /  the review after an evaluation
 *   near        were shown another image of its photo (store/core/photos.h) in one of these ways
 *
 * Adjudicating and looking at a list's page are no reviews: leads may. */
#ifndef STORE_LABELS_LABEL_SEEN_H
#define STORE_LABELS_LABEL_SEEN_H

#include "store/core/photos.h"
#include "store/labels/label_reviews.h"

enum label_seen { SEEN_PAGE, SEEN_TASK, SEEN_TRAINING, SEEN_GUIDE, SEEN_EVALUATION, SEEN_REVIEW, SEEN_NEAR, LABEL_SEENS };

/* SQL: whether an account was shown an image in such a way; its arguments are SQL texts. `since`: pictures of label reviews
 * before then were of other lists. */
#define LABEL_FORBIDS(review, again, since)                                                                            \
    "(s.how IN ('page', 'task', 'training', 'guide') OR (" again " = 0 AND (s.how = 'evaluation'"                      \
    " OR (s.how = 'label' AND s.review <> " review ") OR (s.how = 'review' AND s.at < " since "))))"
/* account_shown of one image: found by that, not by all that the account ever had. */
#define LABEL_FORBIDDEN_ITSELF(account, image, review, again, since)                                                          \
    "EXISTS (SELECT 1 FROM (SELECT how, at, NULL AS review FROM account_saw WHERE account = " account                  \
    "  AND image = " image " UNION ALL SELECT 'task', 0, NULL FROM grid_cell g CROSS JOIN assignment x ON x.grid = g.grid" \
    "  WHERE g.image = " image " AND x.person = (SELECT person FROM account WHERE id = " account ")"                    \
    " UNION ALL SELECT 'label', 0, k.review FROM label_review_image m CROSS JOIN label_look k ON k.review = m.review"   \
    "  AND k.position = m.position WHERE m.image = " image " AND k.account = " account " AND k.part <> 'undo') s WHERE "  \
    LABEL_FORBIDS(review, again, since) ")"
/* The same of any image that shows its photo. */
#define LABEL_FORBIDDEN(account, image, review, again, since)                                                          \
    "EXISTS (" PHOTOS_OF(image) "SELECT 1 FROM same_photo f WHERE "                                                      \
    LABEL_FORBIDDEN_ITSELF(account, "f.id", review, again, since) ")"

struct label_seen_row {
    int64_t image, how; /* how: bits, 1 << enum label_seen */
};
/* All images that the account was shown itself in a way that the list forbids, by image; those that they reviewed in it, too.
 * A list that is not made yet has id 0, and `at` now. In the arena. */
enum err_code label_seen_list(struct db *db, const struct label_review_row *r, int64_t account, struct arena *a,
                              struct label_seen_row **out, size_t *n, struct err *err);
/* Positions that the account reviewed in the list: these are theirs whatever they see. In no order. */
enum err_code label_seen_theirs(struct db *db, int64_t review, int64_t account, struct arena *a, int64_t **out, size_t *n, struct err *err);
/* Which images show the photos of the list's, to be released as store/core/photos.h says. */
enum err_code label_seen_photos(struct db *db, int64_t review, struct photos *out, struct err *err);
/* ERR_DENIED (rule "label-review-seen") unless the account has reviewed the image in the list or may. */
enum err_code label_seen_check(struct db *db, const struct label_review_row *r, int64_t position, int64_t account, struct err *err);

#endif
