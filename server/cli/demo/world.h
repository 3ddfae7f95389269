/* world.h - makes the project of `holdout demo`: draws its images, imports them and plans its
 * campaigns by the ordinary commands, then writes what simulated people did in the last days. */
#ifndef CLI_DEMO_WORLD_H
#define CLI_DEMO_WORLD_H

#include "cli/core/cli.h"
#include "demo/world.h"

#define DEMO_CAMPAIGN "pictures"

struct demo_world {
    struct cli *cli;
    const struct world_size *size;
    const char *font;
    int64_t seed;
    bool answers;
};
enum err_code demo_world_make(struct demo_world *w);
/* Plans one more part of the open campaign (demo/visitors.h) with its people, in a project that may be
 * served meanwhile. ERR_CONFLICT when there is that part. */
enum err_code demo_world_another(struct demo_world *w, unsigned part);
/* How many people there are in a world of that size, those who come later too. */
unsigned demo_world_people(const struct world_size *size);
char *demo_world_path(struct cli *cli, const char *name); /* in the folder of images */

#endif
