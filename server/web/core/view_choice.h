/* view_choice.h - "?view=NAME": which vote view a page shows, and its votes counted.
 *
 * Counting is a pass over every answer, so it belongs into a slow step. The last results are kept and
 * shared while nothing has happened since: further pages of a list cost nothing. A result is the
 * right one or is made again; there is no age up to which it would do. */
#ifndef WEB_CORE_VIEW_CHOICE_H
#define WEB_CORE_VIEW_CHOICE_H

#include <jansson.h>

#include "live/votes/view_ask.h"
#include "store/votes/views.h"
#include "web/core/app.h"

struct counted_view {
    struct vote_view view;      /* its texts live as long as this does */
    struct view_ask ask;        /* campaigns and blocked people as they were */
    struct view_counts counts;
};

/* The name asked for by ?view=; "default" when there is none. In the request's arena. */
struct sv view_choice_asked(struct ctx *c);
bool view_choice_is_default(struct sv name);
/* "?view=NAME" for the links of a page, or "&view=NAME" with `first` false; empty for the default.
 * The name of a view that there is. */
const char *view_choice_query(struct arena *a, struct sv name, bool first);
/* What layout/view_choice shows: {action, keep, any, views [{name, current}], chosen {name, url,
 * description} or null for the default}; any: there is a view besides the default. `action` is the
 * page's address, `keep` its other parameters ([{name, value}], stolen, NULL: none). ERR_NOT_FOUND
 * (rule "no-view") when no view has that name. New reference, NULL with c->err set. */
json_t *view_choice_json(struct ctx *c, struct sv name, const char *action, json_t *keep);

/* The view's votes, counted as of now or its own end. ERR_NOT_FOUND (rule "no-view"). Slow steps
 * only; give back with view_choice_put. */
enum err_code view_choice_get(struct ctx *c, struct sv name, const struct counted_view **out);
/* The same as of an earlier event; 0: now. */
enum err_code view_choice_as_of(struct ctx *c, struct sv name, int64_t as_of,
                                const struct counted_view **out);
/* A view that is not stored, for a preview: counted again, never kept. */
enum err_code view_choice_try(struct ctx *c, const struct vote_view *v,
                              const struct counted_view **out);
void view_choice_put(const struct counted_view *v); /* NULL is allowed */

/* What the app keeps of them; views_kept_rest lets go of what nobody asked for lately. */
struct views_kept;
struct views_kept *views_kept_new(void);
void views_kept_free(struct views_kept *k);
void views_kept_rest(struct views_kept *k, int64_t now_ms);

#endif
