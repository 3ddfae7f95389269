/* view_data.h - a vote view and what its filters do, as pages and JSON show it. */
#ifndef WEB_PARTS_VIEW_DATA_H
#define WEB_PARTS_VIEW_DATA_H

#include <jansson.h>

#include "live/votes/view_count.h"
#include "store/votes/views.h"
#include "web/core/app.h"

/* "main", "top-up", ...: the kinds of campaigns, as the database knows them. */
enum { VIEW_KINDS = 7 };
extern const char *const view_kinds[VIEW_KINDS];

/* {name, url, edit_url, description, version, id, at, by, counts, filters [{text, warning}],
 * any_filters, as_of, is_default}. counts: which campaigns, in words. New reference. */
json_t *view_data_view(struct arena *a, const struct vote_view *v);

/* What views/effect shows: {rows [{label, kind, answers, people, without_answers, without_people,
 * originals, candidates, negatives (each as data_clustered, with value, note)}], warnings [{text}], any_warnings}.
 * kind: "none", "alone", "without", "every"; without_*: how many are left out, texts. New reference. */
json_t *view_data_effect(struct arena *a, const struct view_rules *rules,
                         const struct view_counts *n);

/* [{text}]: what the filters that look at measured answers do to frequencies; empty for most views. New reference. */
json_t *view_data_warnings(struct arena *a, const struct view_rules *rules);

/* How many images' frequencies lie in another bin than in the default view. */
struct view_moves {
    uint64_t images;                    /* that have answers in either */
    uint64_t same, higher, lower, gone; /* gone: no answer is left */
    uint64_t fresh;                     /* the default view has no answer */
};
/* Per enum cell_role. The default view is what the tally has at this moment. */
void view_data_moves(struct tally *t, const struct view_counts *v, struct view_moves out[4]);

/* People with answers that the filters leave out: most answers first. */
struct view_left {
    uint32_t person, answers;
    uint32_t by[VIEW_FILTERS_MOST];     /* of these, by the first filter that says so */
};
struct view_left *view_data_left(struct tally *t, const struct view_counts *v, struct arena *a,
                                 size_t *n);

#endif
