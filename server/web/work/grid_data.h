/* grid_data.h - what templates/work/grid shows, as data: for the worker's grid and a lead's preview
 * of one. Knows nothing of names, roles or classes of the images in it. */
#ifndef WEB_WORK_GRID_DATA_H
#define WEB_WORK_GRID_DATA_H

#include "store/campaigns/campaigns.h"
#include "store/classes/classes.h"
#include "web/core/app.h"
#include "web/work/options.h"

struct work_grid {
    const struct campaign *campaign;
    const struct class_info *class_info;
    const char *url;        /* where the answer goes; the photos are url/0, url/1, ...; their examples
                             * url/example/0, ... */
    unsigned cells, examples;
    struct work_options options; /* of a CLASSIFY task, whose one photo is url/large/0 */
    int64_t done, total;    /* grids of the place */
    bool ask_none;          /* nothing was selected: is that meant? */
    /* Of an assignment; place NULL: a preview, from which nothing can be sent. */
    const char *place, *client_id;
    int64_t lease_until;
};

/* The page's title: the class, or what CLASSIFY asks. */
const char *work_grid_title(struct ctx *c, const struct work_grid *g);
/* The page's data. New reference. */
json_t *work_grid_json(struct ctx *c, const struct work_grid *g);
/* The long side of the grid's photos in CSS pixels, the same in every window; 0 where the worker sets
 * it, who finds it at WORK_FREE_PHOTO. */
enum { WORK_FREE_PHOTO = 160 };
int work_photo_size(struct sv layout);
/* Whether that size needs the common rendition to be sharp, not the one made for grids. */
bool work_photo_large(const struct config *config, struct sv layout);
/* How many example photos the page shows of a class: its first images with the role reference. */
enum { WORK_EXAMPLES = 6 };
enum err_code work_examples(struct ctx *c, int64_t class_id, unsigned *out);

#endif
