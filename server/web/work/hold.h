/* hold.h - the cookies by which a browser keeps the secrets of places (study/hold.h), and what an
 * address names. Knows nothing of accounts. */
#ifndef WEB_WORK_HOLD_H
#define WEB_WORK_HOLD_H

#include "store/campaigns/studies.h"
#include "study/entry.h"
#include "study/hold.h"
#include "web/core/app.h"

/* What study.kept is in a request; `ctx` is the struct ctx. */
struct sv work_hold_kept(void *ctx, int64_t place);
/* Gives the browser the secret of *p to keep. */
void work_hold_keep(struct ctx *c, const struct place *p);
/* The place of the grid whose token is the route's first parameter: by this browser's cookie if it has
 * one, else by the grid's token. */
enum err_code work_hold_of_grid(struct ctx *c, struct place *out);

/* A place by the secret that is the route's first parameter, with its campaign and study; sets
 * c->language. ERR_NOT_FOUND (rules "token", "no-place"). */
struct work_place {
    struct place place;
    struct campaign campaign;
    struct study_settings study;
};
enum err_code work_place_named(struct ctx *c, struct work_place *out);
/* What the link says to the campaign that is the route's first parameter; sets c->language. Errors: those
 * of entry_find and entry_read. */
enum err_code work_entry(struct ctx *c, const struct entry_link *link, struct entry *e);

#endif
