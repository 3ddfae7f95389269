/* paint.c - blends, noise and shapes on a canvas of floats. */
#include "demo/paint.h"

#include <math.h>

float drawn(struct rng *r, float least, float most)
{
    return least + (most - least) * (float)rng_unit(r);
}

struct colour drawn_near(struct rng *r, struct colour c, float by)
{
    float light = drawn(r, -by, by), warm = drawn(r, -by, by) / 2;
    return (struct colour){c.r + light + warm, c.g + light, c.b + light - warm};
}

/* ------------------------------------------------------------------ noise */

static float ease(float t)
{
    return t * t * (3 - 2 * t);
}

/* One octave: a lattice of `cells` x `cells` drawn values, smoothly joined. */
static void add_octave(struct noise *n, struct rng *r, int cells, float weight)
{
    float lattice[64 * 64];
    float step = (float)cells / NOISE_SIDE;
    for (int i = 0; i < cells * cells; i++) {
        lattice[i] = (float)rng_unit(r);
    }
    for (int y = 0; y < NOISE_SIDE; y++) {
        for (int x = 0; x < NOISE_SIDE; x++) {
            float u = (float)x * step, v = (float)y * step;
            int x0 = (int)u, y0 = (int)v, x1 = (x0 + 1) % cells, y1 = (y0 + 1) % cells;
            float s = ease(u - (float)x0), t = ease(v - (float)y0);
            float top = lattice[y0 * cells + x0] * (1 - s) + lattice[y0 * cells + x1] * s;
            float low = lattice[y1 * cells + x0] * (1 - s) + lattice[y1 * cells + x1] * s;
            n->at[y * NOISE_SIDE + x] += weight * (top * (1 - t) + low * t);
        }
    }
}

void noise_make(struct noise *n)
{
    struct rng r;
    rng_seed(&r, 1);
    for (int i = 0; i < NOISE_SIDE * NOISE_SIDE; i++) {
        n->at[i] = 0;
    }
    add_octave(n, &r, 8, 0.45f);
    add_octave(n, &r, 16, 0.27f);
    add_octave(n, &r, 32, 0.17f);
    add_octave(n, &r, 64, 0.11f);
}

float noise_get(const struct noise *n, float x, float y)
{
    float fx = floorf(x), fy = floorf(y);
    int x0 = (int)fx & (NOISE_SIDE - 1), y0 = (int)fy & (NOISE_SIDE - 1);
    int x1 = (x0 + 1) & (NOISE_SIDE - 1), y1 = (y0 + 1) & (NOISE_SIDE - 1);
    float s = x - fx, t = y - fy;
    float top = n->at[y0 * NOISE_SIDE + x0] * (1 - s) + n->at[y0 * NOISE_SIDE + x1] * s;
    float low = n->at[y1 * NOISE_SIDE + x0] * (1 - s) + n->at[y1 * NOISE_SIDE + x1] * s;
    return top * (1 - t) + low * t;
}

/* ------------------------------------------------------------------ shapes */

static int clamp(float v, int most)
{
    return v < 0 ? 0 : v > (float)most ? most : (int)v;
}

void paint_gradient(struct canvas *c, int top, int bottom, struct colour from, struct colour to)
{
    for (int y = top < 0 ? 0 : top; y < bottom && y < c->height; y++) {
        struct colour p = mix(from, to, (float)(y - top) / (float)(bottom - top));
        for (int x = 0; x < c->width; x++) {
            *canvas_at(c, x, y) = p;
        }
    }
}

void paint_grain(struct canvas *c, const struct noise *n, struct rng *r, int top, int bottom,
                 float sx, float sy, float depth)
{
    float ox = drawn(r, 0, NOISE_SIDE), oy = drawn(r, 0, NOISE_SIDE);
    for (int y = top < 0 ? 0 : top; y < bottom && y < c->height; y++) {
        for (int x = 0; x < c->width; x++) {
            float v = noise_get(n, ox + (float)x / sx, oy + (float)y / sy);
            struct colour *p = canvas_at(c, x, y);
            *p = shade(*p, 1 + depth * (2 * v - 1));
        }
    }
}

void paint_rect(struct canvas *c, float x, float y, float w, float h, struct colour p)
{
    int x0 = clamp(x, c->width), x1 = clamp(x + w, c->width);
    int y0 = clamp(y, c->height), y1 = clamp(y + h, c->height);
    for (int v = y0; v < y1; v++) {
        for (int u = x0; u < x1; u++) {
            *canvas_at(c, u, v) = p;
        }
    }
}

void paint_blob(struct canvas *c, float x, float y, float rx, float ry, float soft,
                struct colour p, float opacity)
{
    int x0 = clamp(x - rx, c->width), x1 = clamp(x + rx + 1, c->width);
    int y0 = clamp(y - ry, c->height), y1 = clamp(y + ry + 1, c->height);
    float edge = soft * rx < 1 ? 1 / rx : soft; /* at least a pixel, against stairs */
    for (int v = y0; v < y1; v++) {
        for (int u = x0; u < x1; u++) {
            float dx = ((float)u - x) / rx, dy = ((float)v - y) / ry;
            float in = (1 - sqrtf(dx * dx + dy * dy)) / edge;
            if (in > 0) {
                struct colour *q = canvas_at(c, u, v);
                *q = mix(*q, p, opacity * (in < 1 ? ease(in) : 1));
            }
        }
    }
}

void paint_line(struct canvas *c, float x0, float y0, float x1, float y1, float width,
                struct colour p, float opacity)
{
    float dx = x1 - x0, dy = y1 - y0, length = sqrtf(dx * dx + dy * dy) + 1e-6f;
    float half = width / 2 + 0.5f;
    int left = clamp(fminf(x0, x1) - half, c->width), right = clamp(fmaxf(x0, x1) + half + 1, c->width);
    int top = clamp(fminf(y0, y1) - half, c->height), low = clamp(fmaxf(y0, y1) + half + 1, c->height);
    for (int v = top; v < low; v++) {
        for (int u = left; u < right; u++) {
            float px = (float)u - x0, py = (float)v - y0;
            float along = (px * dx + py * dy) / length, off = fabsf(px * dy - py * dx) / length;
            if (off < half && along > -half && along < length + half) {
                float in = half - off;
                struct colour *q = canvas_at(c, u, v);
                *q = mix(*q, p, opacity * (in < 1 ? in : 1));
            }
        }
    }
}
