/* album.h - which images there are: of which class and set, what each is asked to show, when and by
 * whom it was taken. Planned at once from the seed, before anything is drawn. */
#ifndef DEMO_ALBUM_H
#define DEMO_ALBUM_H

#include "base/arena.h"
#include "demo/scene.h"

enum album_set { SET_ORIGINAL, SET_CANDIDATE, SET_REFERENCE, SET_GOLD, SET_TRAIN, SETS };
extern const char *const album_set_words[SETS]; /* folders; the first four are roles of images too */

struct picture {
    enum album_set set;
    struct scene_wish wish;
    uint64_t seed;
    const char *name;         /* says the class, not the set */
    const char *path;         /* below the folder */
    const char *taken_at, *source_id, *author, *licence;
    const char *keyword;      /* the search term that found it */
    const struct picture *of; /* a near-duplicate of that one; NULL: not */
    enum scene_change change;
    struct scene truth;       /* once it is drawn */
};
struct album {
    struct picture *pictures; /* by class, then by set */
    size_t n;
};
/* Everything is in the arena. */
struct album album_plan(const struct world_size *size, uint64_t seed, struct arena *a);

#endif
