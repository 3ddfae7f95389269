/* scene.h - one picture of the demo's world: things on a ground, as a photograph or as a drawing, and
 * what is truly to be seen in it. Everything comes from the scene's own generator, so that a
 * picture does not depend on those before it.
 *
 * What a picture shows: the class that is asked for, or a look-alike of it; in one picture of eight a second one of it; in
 * three of five up to three other classes; then things that are no class. Other classes come from other groups of look-alikes
 * than those in the picture, except one in twenty, so that a class is now and then next to one that it is taken for. Nobody
 * can say how many objects those two are when people call one by the other's name. */
#ifndef DEMO_SCENE_H
#define DEMO_SCENE_H

#include <stdbool.h>

#include "demo/glyphs.h"
#include "demo/paint.h"
#include "demo/world.h"
#include "image/image.h"

enum { SCENE_OBJECTS = 8, SCENE_WIDTH = 360, SCENE_HEIGHT = 270 };

/* Everything that pictures are made of; read by many threads. */
struct scene_kit {
    struct noise noise;
    struct glyph emoji[WORLD_CLASSES][WORLD_EMOJI];
    struct glyph clutter[WORLD_CLUTTER];
    struct glyph leaves; /* that hide things */
};
/* Loads the emoji; errors as glyphs_load. */
enum err_code scene_kit_load(const char *font, struct scene_kit *out, struct err *err);

enum scene_kind {
    SCENE_RIGHT,    /* shows the class */
    SCENE_CONFUSED, /* shows one of its group in its place */
    SCENE_OTHER,    /* shows something else */
    SCENE_DRAWING   /* shows the class, drawn: the campaign's rule says that drawings do not count */
};

/* What is asked of a scene. */
struct scene_wish {
    unsigned class_index;
    enum scene_kind kind;
    bool easy;  /* large, whole, in its own colours */
    bool plain; /* nothing else in it */
    bool small_world;
    bool gray;
};

struct scene_object {
    int class_index; /* -1: clutter */
    const struct glyph *glyph;
    float x, y;       /* of its middle */
    float side, turn; /* of the glyph's square; radians */
    bool mirrored, tinted;
    struct colour tint[3]; /* rows of the matrix that makes its colours */
    /* What came of it. */
    int left, top, right, bottom; /* box of what is visible, right and bottom behind it; all 0: nothing */
    float visibility;             /* of its area, beyond the picture's edge too */
};

struct scene {
    bool drawing, gray;
    unsigned n;
    struct scene_object object[SCENE_OBJECTS]; /* from back to front; the truth */
};

/* Draws `out` (SCENE_WIDTH x SCENE_HEIGHT, the caller releases it) and says what is in it. */
void scene_draw(const struct scene_kit *kit, const struct scene_wish *wish, uint64_t seed,
                struct scene *truth, struct image *out);

/* A near-duplicate: the same photograph a little cropped or brightened; SCENE_SAVED_AGAIN leaves the
 * pixels alone (the encoder's quality differs). Boxes follow. */
enum scene_change { SCENE_SAVED_AGAIN, SCENE_CROPPED, SCENE_BRIGHTENED, SCENE_CHANGES };
extern const char *const scene_change_words[SCENE_CHANGES];
enum err_code scene_change(enum scene_change how, struct scene *truth, struct image *im,
                           struct err *err);

#endif
