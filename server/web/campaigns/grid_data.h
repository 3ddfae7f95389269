/* grid_data.h - one grid, its cells and everybody it was lent to, as data: for the lead's pages
 * (grids.c) and the same as JSON (api_grids.c). Names people by pseudonym. */
#ifndef WEB_CAMPAIGNS_GRID_DATA_H
#define WEB_CAMPAIGNS_GRID_DATA_H

#include "store/campaigns/campaigns.h"
#include "store/votes/agreement.h"
#include "web/core/lists.h"

struct grid_view {
    struct campaign campaign;
    struct grid_seen grid;
    struct lent *lent;
    size_t n_lent;
};
/* ERR_NOT_FOUND (rule "no-grid") for an unknown grid. */
enum err_code grid_view_load(struct ctx *c, int64_t grid, struct grid_view *out);

const char *grid_url(struct ctx *c, const struct campaign *k, int64_t grid);
const char *lent_state_name(enum lent_state s); /* "leased", "expired", "stored", "surplus", "out" */

/* The records of grid_data.c; of grid_record, but the frequency of a cell. New reference. */
json_t *grid_cell_json(struct ctx *c, const struct grid_view *v, unsigned position);
/* Every cell as planned, with its frequency over the counted answers to this grid. */
json_t *grid_cells_json(struct ctx *c, const struct grid_view *v);
/* Somebody it was lent to; null where there is no answer or nobody to compare with. */
json_t *grid_lent_json(struct ctx *c, const struct grid_view *v, const struct lent *l);
/* Of a CLASSIFY task: how people read one of its options, in candidate order. */
const char *grid_option_name(struct ctx *c, const struct grid_view *v, size_t option);
/* Of a CLASSIFY task: "car, desk" (ticked, in candidate order; "none of these" for none) and "car" (the main object; NULL:
 * none). */
const char *grid_ticked(struct ctx *c, const struct grid_view *v, uint64_t mask);
const char *grid_main(struct ctx *c, const struct grid_view *v, const struct lent *l);
/* Its options with how many of the counted answers ticked them, and as the main object's: [{name, url, known, ticked,
 * main}]; empty of CONTAINS. */
json_t *grid_options_json(struct ctx *c, const struct grid_view *v);
/* "67 % (3/3 pos, 1/3 neg)", gold too when there is some; of a CLASSIFY task "right", "wrong" or "no check". */
const char *grid_controls_text(struct arena *a, const struct grid_view *v, const struct lent *l);
/* Over the counted answers; null without any. */
json_t *grid_summary_json(struct ctx *c, const struct grid_view *v);
/* All of it. */
json_t *grid_json(struct ctx *c, const struct grid_view *v);

struct grid_entry {
    int64_t id, class_id, wanted;
    uint32_t answers, cells;
    bool check; /* of a CLASSIFY task: its objects are known */
};
enum grid_filter { GRIDS_ALL, GRIDS_OPEN, GRIDS_COMPLETE };
enum grid_sort { GRIDS_BY_NUMBER, GRIDS_BY_ANSWERS };
struct grids_ask {
    enum grid_filter filter;
    enum grid_sort sort; /* equal ones by number */
    bool falling;
    int64_t page;        /* as list_page_of takes it */
    size_t most;
};
/* A page of a campaign's grids, in the arena. */
struct grid_entry *grid_page(struct ctx *c, const struct campaign *k, const struct grids_ask *ask,
                             struct list_page *part, size_t *n);
/* At most `most` of a campaign's grids after grid `after`, in the arena; *next is the next page's
 * cursor, 0 on the last. */
struct grid_entry *grid_entries(struct ctx *c, const struct campaign *k, int64_t after, size_t most,
                                size_t *n, int64_t *next);

#endif
