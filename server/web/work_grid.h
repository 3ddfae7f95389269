/* work_grid.h - what templates/work/grid shows, as data: for the worker's grid and a lead's preview of
 * one. Called by page_work.c and the lead's pages. Knows nothing of names, roles or classes of the
 * images in it. */
#ifndef WEB_WORK_GRID_H
#define WEB_WORK_GRID_H

#include "store/campaigns.h"
#include "store/classes.h"
#include "web/app.h"

struct work_grid {
    const struct campaign *campaign;
    const struct class_info *class_info;
    const char *url;        /* where the answer goes; the photos are url/0, url/1, ...; their examples
                             * url/example/0, ... */
    unsigned cells, examples;
    int64_t done, total;    /* grids of the place */
    bool ask_none;          /* nothing was selected: is that meant? */
    /* Of an assignment; place NULL: a preview, from which nothing can be sent. */
    const char *place, *client_id;
    int64_t lease_until;
};

/* The page's data. New reference. */
json_t *work_grid_json(struct ctx *c, const struct work_grid *g);
/* How many example photos the page shows of a class: its first images with the role reference. */
enum { WORK_EXAMPLES = 6 };
enum err_code work_examples(struct ctx *c, int64_t class_id, unsigned *out);

#endif
