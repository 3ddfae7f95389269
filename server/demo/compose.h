/* compose.h - puts the things of a scene on a canvas, keeps who is in front in which pixel, and
 * turns the canvas into an image. */
#ifndef DEMO_COMPOSE_H
#define DEMO_COMPOSE_H

#include "demo/scene.h"

enum compose_style { STYLE_PHOTO, STYLE_FLAT, STYLE_OUTLINE };

struct composition {
    struct canvas canvas;
    unsigned char *owner; /* per pixel: number of the thing in front + 1, 0: none */
    enum compose_style style;
    struct colour pen;    /* of drawings */
};
void composition_open(struct composition *c);
void composition_close(struct composition *c);

/* Thing number `index`, with its shadow unless it is drawn; index < 0: something that only hides. */
void compose_object(struct composition *c, const struct scene_object *o, int index);
/* Bars of a fence in front of everything. */
void compose_fence(struct composition *c, const struct scene_object *before, struct rng *r);
/* Boxes and visibility of all things, from what is in front now. */
void compose_measure(const struct composition *c, struct scene *s);
/* Light, vignette and the grain of a sensor; then 8 bits. */
void compose_develop(struct composition *c, bool gray, struct rng *r, struct image *out);

#endif
