/* views.h - SQL for named vote views. Rows are versions, the newest of a name holds; a view is never
 * deleted, so that a report can name it. "default" is all accepted answers of the main and top-up
 * campaigns: it has no filters and no as-of, and cannot be changed (live/core/tally.h folds it). Texts
 * are in the caller's arena. Writes need a transaction of the caller. */
#ifndef STORE_VOTES_VIEWS_H
#define STORE_VOTES_VIEWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "domain/votes/view_rules.h"

enum { VIEW_NAME_MOST = 40, VIEW_TEXT_MOST = 400, VIEWS_MOST = 200 };

struct vote_view {
    int64_t id, at, account;   /* of this version; account 0: the program */
    int64_t as_of;             /* 0: all */
    int64_t versions;
    struct sv name, description, kinds, campaigns, login; /* login of the account, or empty */
    struct view_rules rules;
};
/* By name, "default" first. */
enum err_code views_list(struct db *db, struct arena *a, struct vote_view **out, size_t *n,
                         struct err *err);
/* The newest version; ERR_NOT_FOUND (rule "no-view"). */
enum err_code views_find(struct db *db, struct sv name, struct arena *a, struct vote_view *out,
                         struct err *err);
/* "NAME" (its newest version) or "NAME/NUMBER"; ERR_NOT_FOUND (rule "no-view"). */
enum err_code views_named(struct db *db, struct sv name, struct arena *a, struct vote_view *out, struct err *err);
/* That version, however many there are since, if it is one of the name (empty: of any); ERR_NOT_FOUND (rule
 * "no-view"). */
enum err_code views_version(struct db *db, int64_t id, struct sv name, struct arena *a,
                            struct vote_view *out, struct err *err);
/* For a page: the newest hundred versions of a name, newest first; `versions` of each is which one it is. */
enum err_code views_versions(struct db *db, struct sv name, struct arena *a,
                             struct vote_view **out, size_t *n, struct err *err);
/* Ids, sorted, of the campaigns that the view counts. */
enum err_code views_campaigns(struct db *db, const struct vote_view *v, struct arena *a,
                              int64_t **out, size_t *n, struct err *err);
/* People who were blocked after that event (0: who are blocked now), sorted. */
enum err_code views_blocked(struct db *db, int64_t as_of, struct arena *a, int64_t **out, size_t *n,
                            struct err *err);
/* The last event that blocked or unblocked somebody; 0: none. */
enum err_code views_blocked_last(struct db *db, int64_t *out, struct err *err);
/* Writes a version, with an event "views.create" (which does not touch the default view's counters).
 * name: a-z, 0-9, '-'; not "default" nor "new", which is an address. ERR_INPUT (rules "view-name", "view-text", "view-kind", "view-campaign",
 * "view-as-of"), ERR_LIMIT (rule "views-most"). *id 0 when the newest version says the same. */
enum err_code views_create(struct db *db, const struct vote_view *v, int64_t account, int64_t now,
                           int64_t *id, struct err *err);

#endif
