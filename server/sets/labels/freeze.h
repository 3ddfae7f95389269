/* freeze.h - from potential labels and people's votes about them to a frozen plan of candidate labels: what each image's
 * stage is, and among which labels people choose (Tsipras et al. 2020, section 3.1; domain/labels/candidates.h). Counted once, by a
 * vote view up to an event, and kept. */
#ifndef SETS_LABELS_FREEZE_H
#define SETS_LABELS_FREEZE_H

#include "store/labels/label_plans.h"
#include "store/votes/views.h"

struct freeze_ask {
    struct sv name;
    int64_t account;
    const struct label_plan_row *potential;
    const struct vote_view *view;
    int64_t as_of;             /* 0: now */
    uint32_t tau, least, most; /* as struct candidates_ask */
};
struct freeze_made { /* texts are in the arena, the book on the heap */
    struct label_plan_book book;
    struct label_plan_new plan;
    size_t images[CANDIDATE_STAGES];
    size_t open;     /* pairs of image and label about which fewer people were asked than `least` */
};
/* Nothing is written. The caller releases the book, on failure too. */
enum err_code freeze_make(struct db *db, const struct freeze_ask *ask, struct arena *a, struct freeze_made *out,
                          struct err *err);

#endif
