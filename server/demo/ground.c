/* ground.c - backgrounds, painted from gradients, noise and simple shapes. */
#include "demo/ground.h"

#include <math.h>

struct site {
    struct canvas *c;
    const struct noise *n;
    struct rng *r;
};

static struct colour one_of(struct rng *r, const unsigned *colours, size_t n, float by)
{
    return drawn_near(r, rgb(colours[rng_below(r, n)]), by);
}
#define ONE_OF(r, by, ...)                                                                         \
    one_of(r, (const unsigned[]){__VA_ARGS__}, sizeof((const unsigned[]){__VA_ARGS__}) /           \
           sizeof(unsigned), by)

static int row(const struct site *s, float least, float most)
{
    return (int)((float)s->c->height * drawn(s->r, least, most));
}

/* ------------------------------------------------------------------ outdoors */

static void paint_clouds(struct site *s, int bottom)
{
    float ox = drawn(s->r, 0, NOISE_SIDE), oy = drawn(s->r, 0, NOISE_SIDE);
    float thick = drawn(s->r, 0, 0.9f), size = drawn(s->r, 1.2f, 2.6f);
    for (int y = 0; y < bottom; y++) {
        for (int x = 0; x < s->c->width; x++) {
            float v = noise_get(s->n, ox + (float)x / size / 2, oy + (float)y / size);
            float t = (v - 0.52f) * 6;
            struct colour *p = canvas_at(s->c, x, y);
            *p = mix(*p, rgb(0xffffff), thick * (t < 0 ? 0 : t > 1 ? 1 : t));
        }
    }
}

static void paint_sky(struct site *s, int bottom)
{
    static const unsigned skies[][2] = {{0x4f8fd6, 0xc8e2f4}, {0x6aa9e0, 0xe8f1f7},
                                        {0x8c9cab, 0xd5dade}, {0x3b4f8c, 0xf0b07a},
                                        {0x7fb7d8, 0xf3e6c8}};
    const unsigned *k = skies[rng_below(s->r, 5)];
    paint_gradient(s->c, 0, bottom, drawn_near(s->r, rgb(k[0]), 0.05f),
                   drawn_near(s->r, rgb(k[1]), 0.05f));
    paint_clouds(s, bottom);
}

/* A range of hills whose ridge follows the noise. */
static void paint_hills(struct site *s, int foot, float height, struct colour p)
{
    float at = drawn(s->r, 0, NOISE_SIDE), line = drawn(s->r, 0, NOISE_SIDE);
    float slow = drawn(s->r, 3, 7);
    for (int x = 0; x < s->c->width; x++) {
        int top = foot - (int)(height * noise_get(s->n, at + (float)x / slow, line));
        for (int y = top < 0 ? 0 : top; y < foot; y++) {
            *canvas_at(s->c, x, y) = p;
        }
    }
}

static void paint_blades(struct site *s, int top, unsigned n, struct colour p)
{
    for (unsigned i = 0; i < n; i++) {
        float near = sqrtf((float)rng_unit(s->r));
        float y = (float)top + near * (float)(s->c->height - top);
        float x = drawn(s->r, 0, (float)s->c->width), tall = 2 + 9 * near;
        paint_line(s->c, x, y, x + drawn(s->r, -2, 2), y - tall, 1, drawn_near(s->r, p, 0.12f), 0.6f);
    }
}

static int paint_meadow(struct site *s)
{
    int top = row(s, 0.3f, 0.55f);
    struct colour grass = ONE_OF(s->r, 0.05f, 0x6da544, 0x5a8f3c, 0x8bb04f, 0x9aa84a);
    paint_sky(s, top);
    paint_hills(s, top, (float)s->c->height * drawn(s->r, 0.05f, 0.3f),
                mix(grass, rgb(0x7fa0b8), drawn(s->r, 0.2f, 0.6f)));
    paint_gradient(s->c, top, s->c->height, shade(grass, 0.85f), shade(grass, 1.1f));
    paint_grain(s->c, s->n, s->r, top, s->c->height, 1.6f, 0.7f, 0.35f);
    paint_blades(s, top, 500, grass);
    return top;
}

static int paint_savanna(struct site *s)
{
    int top = row(s, 0.35f, 0.55f);
    struct colour earth = ONE_OF(s->r, 0.05f, 0xc9a35b, 0xb98a4a, 0xd6b872);
    paint_sky(s, top);
    paint_hills(s, top, (float)s->c->height * 0.12f, mix(earth, rgb(0x6d7f52), 0.6f));
    paint_gradient(s->c, top, s->c->height, shade(earth, 0.9f), earth);
    paint_grain(s->c, s->n, s->r, top, s->c->height, 2.5f, 0.8f, 0.3f);
    paint_blades(s, top, 260, shade(earth, 0.8f));
    return top;
}

static int paint_forest(struct site *s)
{
    int top = row(s, 0.5f, 0.65f);
    struct colour leaves = ONE_OF(s->r, 0.04f, 0x2f5d34, 0x3f6b2f, 0x4d5f2a, 0x5c4a2a);
    paint_gradient(s->c, 0, top, shade(leaves, 1.4f), shade(leaves, 0.8f));
    paint_grain(s->c, s->n, s->r, 0, top, 1.2f, 1.2f, 0.6f);
    paint_gradient(s->c, top, s->c->height, shade(leaves, 0.75f),
                   mix(leaves, rgb(0x6b5637), 0.5f));
    paint_grain(s->c, s->n, s->r, top, s->c->height, 1.5f, 0.8f, 0.5f);
    for (int i = 0; i < 14; i++) {
        float depth = (float)i / 14, wide = 3 + 13 * depth * drawn(s->r, 0.6f, 1.3f);
        float x = drawn(s->r, 0, (float)s->c->width);
        paint_rect(s->c, x, 0, wide, (float)top + 14 * depth,
                   mix(leaves, drawn_near(s->r, rgb(0x3a2c20), 0.04f), 0.4f + 0.6f * depth));
    }
    return top;
}

static int paint_snow(struct site *s)
{
    int top = row(s, 0.35f, 0.55f);
    paint_sky(s, top);
    paint_hills(s, top, (float)s->c->height * 0.3f, ONE_OF(s->r, 0.04f, 0xb8c6d6, 0x6f8799));
    paint_gradient(s->c, top, s->c->height, rgb(0xdfe7f0), rgb(0xf8fafc));
    paint_grain(s->c, s->n, s->r, top, s->c->height, 4, 1.5f, 0.08f);
    for (int i = 0; i < 70; i++) {
        float size = drawn(s->r, 0.8f, 2.5f);
        paint_blob(s->c, drawn(s->r, 0, (float)s->c->width), drawn(s->r, 0, (float)s->c->height),
                   size, size, 0.8f, rgb(0xffffff), 0.8f);
    }
    return top;
}

static int paint_lake(struct site *s)
{
    int top = row(s, 0.25f, 0.45f);
    struct colour water = ONE_OF(s->r, 0.05f, 0x3f7fa0, 0x5a93a8, 0x4a7d74, 0x3a5f8c);
    paint_sky(s, top);
    paint_hills(s, top, (float)s->c->height * drawn(s->r, 0.08f, 0.25f),
                ONE_OF(s->r, 0.04f, 0x4f6b3f, 0x61776b, 0x7c8a6a));
    paint_gradient(s->c, top, s->c->height, shade(water, 1.3f), shade(water, 0.8f));
    paint_grain(s->c, s->n, s->r, top, s->c->height, 7, 0.5f, 0.25f);
    for (int i = 0; i < 60; i++) {
        float y = drawn(s->r, (float)top, (float)s->c->height), x = drawn(s->r, 0, (float)s->c->width);
        paint_line(s->c, x, y, x + drawn(s->r, 8, 40), y, 1, rgb(0xffffff), 0.25f);
    }
    return top;
}

static int paint_beach(struct site *s)
{
    int sea = row(s, 0.25f, 0.35f), top = row(s, 0.42f, 0.55f);
    paint_sky(s, sea);
    paint_gradient(s->c, sea, top, rgb(0x2f7fae), rgb(0x7fc4cf));
    paint_grain(s->c, s->n, s->r, sea, top, 8, 0.6f, 0.2f);
    paint_gradient(s->c, top, s->c->height, rgb(0xd9c08a), ONE_OF(s->r, 0.03f, 0xe9d6a6, 0xdcc596));
    paint_grain(s->c, s->n, s->r, top, s->c->height, 0.5f, 0.5f, 0.12f);
    paint_blob(s->c, (float)s->c->width / 2, (float)top, (float)s->c->width, 5, 0.9f,
               rgb(0xffffff), 0.8f);
    return top;
}

/* ------------------------------------------------------------------ streets */

static void paint_house(struct site *s, float x, float wide, float top, float foot)
{
    struct colour wall = ONE_OF(s->r, 0.05f, 0xb5654a, 0xc9b391, 0x9aa0a6, 0xd8cfc0, 0x7d6f63);
    struct colour pane = ONE_OF(s->r, 0.05f, 0x3c4a58, 0x8fb2c8, 0xe6d08a);
    paint_rect(s->c, x, top, wide, foot - top, wall);
    for (float y = top + 7; y < foot - 12; y += 17) {
        for (float u = x + 6; u < x + wide - 10; u += 15) {
            paint_rect(s->c, u, y, 8, 10, pane);
        }
    }
}

static int paint_street(struct site *s)
{
    int top = row(s, 0.48f, 0.6f);
    paint_sky(s, top);
    for (float x = -10; x < (float)s->c->width;) {
        float wide = drawn(s->r, 40, 90);
        paint_house(s, x, wide, (float)top * drawn(s->r, 0.05f, 0.6f), (float)top);
        x += wide;
    }
    paint_rect(s->c, 0, (float)top, (float)s->c->width, 10, rgb(0xb8b5ae));
    paint_gradient(s->c, top + 10, s->c->height, rgb(0x55585c), rgb(0x6c6f73));
    paint_grain(s->c, s->n, s->r, top, s->c->height, 0.7f, 0.5f, 0.15f);
    float y = (float)s->c->height * drawn(s->r, 0.78f, 0.92f), step = drawn(s->r, 50, 90);
    for (float x = drawn(s->r, -40, 0); x < (float)s->c->width; x += step) {
        paint_rect(s->c, x, y, step * 0.5f, 4, rgb(0xe9e6da));
    }
    return top + 8;
}

static void paint_bokeh(struct site *s, int n, const unsigned *colours, size_t n_colours)
{
    for (int i = 0; i < n; i++) {
        float size = drawn(s->r, 5, 24);
        paint_blob(s->c, drawn(s->r, 0, (float)s->c->width), drawn(s->r, 0, (float)s->c->height),
                   size, size, 0.25f, one_of(s->r, colours, n_colours, 0.05f), drawn(s->r, 0.15f, 0.6f));
    }
}

static int paint_night(struct site *s)
{
    static const unsigned lights[] = {0xffc36a, 0xff8a5c, 0x9fd0ff, 0xffe9b0, 0xe85d75};
    int top = row(s, 0.5f, 0.62f);
    paint_gradient(s->c, 0, top, rgb(0x141a33), rgb(0x3a3553));
    paint_bokeh(s, 45, lights, 5);
    paint_gradient(s->c, top, s->c->height, rgb(0x2a2b33), rgb(0x4a4b52));
    paint_grain(s->c, s->n, s->r, top, s->c->height, 3, 0.6f, 0.3f);
    return top;
}

static int paint_parking(struct site *s)
{
    int top = row(s, 0.2f, 0.35f);
    paint_gradient(s->c, 0, top, ONE_OF(s->r, 0.05f, 0x8d5b4c, 0x9da3a8, 0xb9b2a4), rgb(0x8a8a8a));
    for (int y = 0; y < top; y += 9) {
        paint_rect(s->c, 0, (float)y, (float)s->c->width, 1, rgb(0x6d6a66));
    }
    paint_gradient(s->c, top, s->c->height, rgb(0x74777a), rgb(0x8f9295));
    paint_grain(s->c, s->n, s->r, top, s->c->height, 0.8f, 0.8f, 0.2f);
    for (float x = drawn(s->r, 0, 60); x < (float)s->c->width; x += 95) {
        paint_line(s->c, x, (float)top, x - 45, (float)s->c->height, 4, rgb(0xe8e8e0), 0.85f);
    }
    return top;
}

/* ------------------------------------------------------------------ indoors */

static int paint_wood(struct site *s)
{
    struct colour wood = ONE_OF(s->r, 0.05f, 0xa8744a, 0x7b5233, 0xc79b6b, 0xd9b88f);
    paint_gradient(s->c, 0, s->c->height, shade(wood, 0.85f), shade(wood, 1.1f));
    paint_grain(s->c, s->n, s->r, 0, s->c->height, 9, 0.45f, 0.35f);
    float step = drawn(s->r, 38, 70);
    for (float y = drawn(s->r, 0, step); y < (float)s->c->height; y += step) {
        paint_rect(s->c, 0, y, (float)s->c->width, 2, shade(wood, 0.5f));
    }
    return row(s, 0.1f, 0.2f);
}

static int paint_tiles(struct site *s)
{
    struct colour tile = ONE_OF(s->r, 0.04f, 0xe6ebee, 0x9fc4c9, 0xd7c5a8, 0x6f8fa8, 0xe8d9d0);
    struct colour other = rng_below(s->r, 2) ? shade(tile, 0.82f) : tile;
    float side = drawn(s->r, 28, 56);
    paint_rect(s->c, 0, 0, (float)s->c->width, (float)s->c->height, shade(tile, 0.7f));
    for (int j = 0; (float)j * side < (float)s->c->height; j++) {
        for (int i = 0; (float)i * side < (float)s->c->width; i++) {
            paint_rect(s->c, (float)i * side + 2, (float)j * side + 2, side - 2, side - 2,
                       drawn_near(s->r, (i + j) % 2 ? tile : other, 0.02f));
        }
    }
    return row(s, 0.15f, 0.3f);
}

static int paint_cloth(struct site *s)
{
    struct colour cloth = ONE_OF(s->r, 0.04f, 0xf2efe8, 0xece2cc, 0xdfe8ee);
    struct colour stripe = ONE_OF(s->r, 0.04f, 0xc0392b, 0x2e6da4, 0x4f8a4f, 0xd08a2e);
    int side = 14 + (int)rng_below(s->r, 20);
    for (int y = 0; y < s->c->height; y++) {
        for (int x = 0; x < s->c->width; x++) {
            float t = 0.4f * (float)(x / side % 2) + 0.4f * (float)(y / side % 2);
            *canvas_at(s->c, x, y) = mix(cloth, stripe, t);
        }
    }
    paint_grain(s->c, s->n, s->r, 0, s->c->height, 3, 3, 0.12f);
    return row(s, 0.15f, 0.25f);
}

/* A plate on a plain table. */
static int paint_plate(struct site *s)
{
    float w = (float)s->c->width, h = (float)s->c->height;
    struct colour table = ONE_OF(s->r, 0.05f, 0x46555e, 0xb79b7c, 0x8c3b3b, 0x5d7a68);
    paint_gradient(s->c, 0, s->c->height, shade(table, 0.8f), shade(table, 1.1f));
    paint_grain(s->c, s->n, s->r, 0, s->c->height, 1, 1, 0.15f);
    paint_blob(s->c, w / 2 + 5, h * 0.62f + 8, w * 0.44f, h * 0.36f, 0.3f, rgb(0x000000), 0.35f);
    paint_blob(s->c, w / 2, h * 0.6f, w * 0.43f, h * 0.35f, 0.02f, rgb(0xf4f4f0), 1);
    paint_blob(s->c, w / 2, h * 0.6f, w * 0.32f, h * 0.25f, 0.04f, rgb(0xe3e4e2), 1);
    paint_blob(s->c, w / 2, h * 0.605f, w * 0.31f, h * 0.24f, 0.04f, rgb(0xf7f7f4), 1);
    return (int)(h * 0.35f);
}

static int paint_room(struct site *s)
{
    int top = row(s, 0.55f, 0.7f);
    struct colour wall = ONE_OF(s->r, 0.04f, 0xd9cbb3, 0xa9bfc4, 0xc9a9a6, 0xb7c4a1, 0xe5e1da);
    paint_gradient(s->c, 0, top, wall, shade(wall, 0.9f));
    if (rng_below(s->r, 2)) {
        for (float x = drawn(s->r, 0, 20); x < (float)s->c->width; x += 24) {
            paint_rect(s->c, x, 0, 9, (float)top, shade(wall, 0.93f));
        }
    }
    float x = drawn(s->r, 0.1f, 0.6f) * (float)s->c->width, high = (float)top;
    paint_rect(s->c, x, high * 0.12f, 92, high * 0.6f, rgb(0xf4f1ea));
    paint_rect(s->c, x + 5, high * 0.12f + 5, 82, high * 0.6f - 10,
               ONE_OF(s->r, 0.1f, 0x9cc7e6, 0x6f8f5f, 0x39435f, 0xc98a5a));
    paint_rect(s->c, 0, high - 7, (float)s->c->width, 7, rgb(0xf0ece4));
    paint_gradient(s->c, top, s->c->height, rgb(0x8a6242), rgb(0xab7f57));
    paint_grain(s->c, s->n, s->r, top, s->c->height, 8, 0.6f, 0.3f);
    return top;
}

static int paint_studio(struct site *s)
{
    int top = row(s, 0.55f, 0.65f);
    struct colour wall = ONE_OF(s->r, 0.06f, 0xe8e8e8, 0xb9cfe4, 0xf0d9b5, 0xc9b9d9, 0x55606b, 0xa8d0b0);
    paint_gradient(s->c, 0, top, wall, shade(wall, 1.08f));
    paint_gradient(s->c, top, s->c->height, shade(wall, 1.08f), shade(wall, 0.8f));
    return top - 10;
}

static int paint_garden(struct site *s)
{
    static const unsigned leaves[] = {0x7fb35a, 0x4f8a3a, 0xa8cf7a, 0xe8e39a, 0xf3f7e0};
    struct colour base = ONE_OF(s->r, 0.05f, 0x4a7a3a, 0x6b8f4a, 0x3f6a52);
    paint_gradient(s->c, 0, s->c->height, shade(base, 1.3f), shade(base, 0.7f));
    paint_bokeh(s, 60, leaves, 5);
    return row(s, 0.45f, 0.6f);
}

typedef int (*painter)(struct site *s);

static painter choose(enum habitat habitat, struct rng *r)
{
    static const painter all[HABITATS][4] = {
        [HABITAT_MEADOW] = {paint_meadow, paint_garden, paint_room, paint_meadow},
        [HABITAT_WILD] = {paint_savanna, paint_forest, paint_snow, paint_meadow},
        [HABITAT_WATER] = {paint_lake, paint_lake, paint_beach, paint_meadow},
        [HABITAT_STREET] = {paint_street, paint_parking, paint_night, paint_street},
        [HABITAT_TABLE] = {paint_wood, paint_tiles, paint_cloth, paint_plate},
    };
    return rng_below(r, 8) == 0 ? paint_studio : all[habitat][rng_below(r, 4)];
}

int ground_paint(struct canvas *c, const struct noise *n, enum habitat habitat, struct rng *r)
{
    struct site s = {c, n, r};
    return choose(habitat, r)(&s);
}

int ground_paper(struct canvas *c, const struct noise *n, struct rng *r, struct colour *pen)
{
    uint64_t kind = rng_below(r, 4);
    struct colour paper = kind == 0 ? rgb(0x2f4a3f) : drawn_near(r, rgb(0xf4f0e4), 0.03f);
    *pen = kind == 0 ? rgb(0xf2f2ea) : ONE_OF(r, 0.05f, 0x24262b, 0x2b3f8c, 0x8c2b2b, 0x3b3b3b);
    paint_gradient(c, 0, c->height, paper, shade(paper, 0.96f));
    paint_grain(c, n, r, 0, c->height, 1.5f, 1.5f, 0.04f);
    for (int i = 0; kind == 1 && i < c->width; i += 16) {
        paint_rect(c, (float)i, 0, 1, (float)c->height, rgb(0xb9cfe0));
        paint_rect(c, 0, (float)i, (float)c->width, 1, rgb(0xb9cfe0));
    }
    return c->height / 2;
}
