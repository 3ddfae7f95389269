/* paint.h - a canvas of floats and the few things that scenes are painted with: blends, noise,
 * shapes. Colours are 0 to 1. Knows nothing of what is painted. */
#ifndef DEMO_PAINT_H
#define DEMO_PAINT_H

#include <stdint.h>

#include "base/rng.h"

struct colour {
    float r, g, b;
};

struct canvas {
    int width, height;
    struct colour *at; /* rows without padding */
};

static inline struct colour *canvas_at(const struct canvas *c, int x, int y)
{
    return &c->at[y * c->width + x];
}
static inline struct colour mix(struct colour a, struct colour b, float t)
{
    return (struct colour){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}
static inline struct colour shade(struct colour c, float by)
{
    return (struct colour){c.r * by, c.g * by, c.b * by};
}
static inline struct colour rgb(unsigned hex)
{
    return (struct colour){(float)(hex >> 16 & 255) / 255, (float)(hex >> 8 & 255) / 255,
                           (float)(hex & 255) / 255};
}
/* Uniform in [least, most). */
float drawn(struct rng *r, float least, float most);
/* The colour, a little lighter, darker, warmer or colder. */
struct colour drawn_near(struct rng *r, struct colour c, float by);

/* Smooth noise in four octaves that repeats every NOISE_SIDE, values 0 to 1. The same everywhere:
 * pictures differ by where and how large they take it. */
enum { NOISE_SIDE = 256 };
struct noise {
    float at[NOISE_SIDE * NOISE_SIDE];
};
void noise_make(struct noise *n);
float noise_get(const struct noise *n, float x, float y); /* in noise pixels */

void paint_gradient(struct canvas *c, int top, int bottom, struct colour from, struct colour to);
/* Rows of the canvas times 1 - depth .. 1 + depth, noise stretched by sx and sy. */
void paint_grain(struct canvas *c, const struct noise *n, struct rng *r, int top, int bottom,
                 float sx, float sy, float depth);
void paint_rect(struct canvas *c, float x, float y, float w, float h, struct colour p);
/* An ellipse whose edge fades over `soft` of its radius (0: hard, 1: from the middle on). */
void paint_blob(struct canvas *c, float x, float y, float rx, float ry, float soft,
                struct colour p, float opacity);
void paint_line(struct canvas *c, float x0, float y0, float x1, float y1, float width,
                struct colour p, float opacity);

#endif
