/* ground.h - what stands behind the things of a scene: meadows, forests, lakes, streets, tables, rooms. */
#ifndef DEMO_GROUND_H
#define DEMO_GROUND_H

#include "demo/paint.h"
#include "demo/world.h"

/* Paints the whole canvas with a place of that kind, now and then with a studio or a room instead.
 * Returns the row at which the ground begins: things stand below it. */
int ground_paint(struct canvas *c, const struct noise *n, enum habitat habitat, struct rng *r);
/* Paper, a blackboard or squared paper, for drawings; *pen gets a colour that shows on it. */
int ground_paper(struct canvas *c, const struct noise *n, struct rng *r, struct colour *pen);

#endif
