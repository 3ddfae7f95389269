/* shared.h - what the worker's pages share: addresses, progress, whose grid it is.
 * Knows nothing of accounts. */
#ifndef WEB_WORK_SHARED_H
#define WEB_WORK_SHARED_H

#include "store/campaigns/campaigns.h"
#include "store/campaigns/studies.h"
#include "store/work/work.h"
#include "study/study.h"
#include "view/strings.h"
#include "web/core/app.h"

/* What services of study/ are given for this request, with the secrets that its browser keeps; borrows c. */
struct study work_study_of(struct ctx *c);

const char *work_place_url(struct ctx *c, const struct place *p);
const char *work_assignment_url(struct ctx *c, const struct assignment *as);
/* Sets c->language to that of the campaign's pages, in the words of its task; first of all, so that errors speak it too. */
enum err_code work_language(struct ctx *c, int64_t campaign, bool classify);
/* The texts in c->language. */
const json_t *work_texts(struct ctx *c);
/* Grids of one place of that campaign, as of the last commit; of a draft as if it were opened. */
int64_t work_page_allowed(struct ctx *c, const struct campaign *k);
/* {text, url}: a code and the panel's address to take it to, url null when there is none. JSON null
 * for an empty code. New reference. */
json_t *work_code_json(struct ctx *c, const struct study_settings *s, struct sv code);
/* Grids of a place, as the API has them (grids_done_record). */
struct grids_done {
    int64_t done, total;
};
/* {done, total, percent, text}. New reference. */
json_t *work_progress(struct ctx *c, int64_t done, int64_t total);
/* "None left" is found out when a grid is asked for, and the page that tells so gives the completion
 * code: the address proves that it came from us. */
const char *work_none_left(struct ctx *c, const struct place *p);
/* Where a worker goes after the next grid is asked for: to that, or to the place's page. Write steps
 * only. */
enum err_code work_go_on(struct ctx *c, const struct place *p);
/* The same behind something that is stored and must stay, whatever comes of the next grid. */
enum err_code work_go_on_stored(struct ctx *c, const struct place *p);
/* The assignment of the route's first parameter. ERR_NOT_FOUND (rules "token", "no-assignment"). */
enum err_code work_assignment_named(struct ctx *c, struct assignment *as);
/* Images of a grid, asked of the tally under its lock; 0 for an unknown grid. */
unsigned work_cells(struct ctx *c, int64_t grid);

#endif
