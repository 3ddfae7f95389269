/* compose.c - things on a canvas: turned, scaled, tinted, in front of each other. */
#include "demo/compose.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

void composition_open(struct composition *c)
{
    size_t n = (size_t)SCENE_WIDTH * SCENE_HEIGHT;
    *c = (struct composition){.canvas = {SCENE_WIDTH, SCENE_HEIGHT, xcalloc(n, sizeof(struct colour))},
                              .owner = xcalloc(n, 1)};
}

void composition_close(struct composition *c)
{
    free(c->canvas.at);
    free(c->owner);
}

/* ------------------------------------------------------------------ one thing */

struct sample {
    struct colour p; /* times alpha */
    float alpha;
};

/* A glyph's pixels at the level that suits its size, and the way from canvas to glyph. */
struct lens {
    const struct glyph *g;
    const unsigned char *rgba;
    int side;
    float cosine, sine, scale;
};

static struct lens lens_of(const struct scene_object *o)
{
    unsigned level = o->side < GLYPH_SIDE * 0.35f ? 2 : o->side < GLYPH_SIDE * 0.7f ? 1 : 0;
    struct lens l = {.g = o->glyph, .rgba = glyph_level(o->glyph, level), .side = (int)glyph_side(level)};
    l.scale = (float)l.side / o->side;
    l.cosine = cosf(o->turn) * l.scale;
    l.sine = sinf(o->turn) * l.scale;
    return l;
}

static void weigh(const struct lens *l, int x, int y, float w, struct sample *s)
{
    if (x >= 0 && y >= 0 && x < l->side && y < l->side) {
        const unsigned char *p = l->rgba + ((size_t)y * (size_t)l->side + (size_t)x) * 4;
        w /= 255;
        s->p.r += w * p[0];
        s->p.g += w * p[1];
        s->p.b += w * p[2];
        s->alpha += w * p[3];
    }
}

static struct sample look(const struct lens *l, float u, float v)
{
    struct sample s = {{0, 0, 0}, 0};
    float fu = floorf(u), fv = floorf(v), a = u - fu, b = v - fv;
    int x = (int)fu, y = (int)fv;
    weigh(l, x, y, (1 - a) * (1 - b), &s);
    weigh(l, x + 1, y, a * (1 - b), &s);
    weigh(l, x, y + 1, (1 - a) * b, &s);
    weigh(l, x + 1, y + 1, a * b, &s);
    return s;
}

static struct colour tinted(const struct scene_object *o, struct colour p)
{
    const struct colour *m = o->tint;
    return (struct colour){m[0].r * p.r + m[0].g * p.g + m[0].b * p.b,
                           m[1].r * p.r + m[1].g * p.g + m[1].b * p.b,
                           m[2].r * p.r + m[2].g * p.g + m[2].b * p.b};
}

static float ink_at(const struct lens *l, float u, float v)
{
    float to_whole = (float)GLYPH_SIDE / (float)l->side;
    int x = (int)(u * to_whole), y = (int)(v * to_whole);
    bool inside = u >= 0 && v >= 0 && x < GLYPH_SIDE && y < GLYPH_SIDE;
    return inside ? (float)l->g->ink[y * GLYPH_SIDE + x] / 255 : 0;
}

static void blend(const struct composition *c, const struct scene_object *o, const struct lens *l,
                  struct sample s, float u, float v, struct colour *q)
{
    if (c->style == STYLE_PHOTO) {
        struct colour p = tinted(o, s.p);
        *q = shade(*q, 1 - s.alpha);
        q->r += p.r;
        q->g += p.g;
        q->b += p.b;
    } else if (c->style == STYLE_FLAT) {
        *q = mix(*q, c->pen, s.alpha);
    } else {
        *q = mix(*q, c->pen, ink_at(l, u, v));
    }
}

/* A soft darkness under the thing, as if light came from above. */
static void cast_shadow(struct composition *c, const struct scene_object *o)
{
    paint_blob(&c->canvas, o->x, o->y + o->side * 0.43f, o->side * 0.5f, o->side * 0.12f, 0.9f,
               rgb(0x000000), 0.45f);
}

static int within(float v, int most)
{
    return v < 0 ? 0 : v > (float)most ? most : (int)v;
}

void compose_object(struct composition *c, const struct scene_object *o, int index)
{
    struct lens l = lens_of(o);
    float reach = o->side * 0.72f, half = (float)l.side / 2 - 0.5f;
    int x0 = within(o->x - reach, SCENE_WIDTH), x1 = within(o->x + reach + 1, SCENE_WIDTH);
    int y0 = within(o->y - reach, SCENE_HEIGHT), y1 = within(o->y + reach + 1, SCENE_HEIGHT);
    if (c->style == STYLE_PHOTO && index >= 0) {
        cast_shadow(c, o);
    }
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            float dx = ((float)x - o->x) * (o->mirrored ? -1 : 1), dy = (float)y - o->y;
            float u = half + dx * l.cosine + dy * l.sine, v = half - dx * l.sine + dy * l.cosine;
            struct sample s = look(&l, u, v);
            blend(c, o, &l, s, u, v, canvas_at(&c->canvas, x, y));
            if (s.alpha > 0.5f && c->style != STYLE_OUTLINE) {
                c->owner[y * SCENE_WIDTH + x] = (unsigned char)(index + 1);
            } else if (s.alpha > 0.5f && !c->owner[y * SCENE_WIDTH + x]) {
                c->owner[y * SCENE_WIDTH + x] = (unsigned char)(index + 1); /* lines hide nothing */
            }
        }
    }
}

void compose_fence(struct composition *c, const struct scene_object *before, struct rng *r)
{
    struct colour wood = drawn_near(r, rgb(rng_below(r, 2) ? 0x8a6a48 : 0xdcd8d0), 0.06f);
    float step = drawn(r, 24, 40), wide = drawn(r, 6, 11), top = before->y - before->side * 0.15f;
    float x0 = before->x - before->side, end = before->x + before->side;
    for (float x = x0; x < end; x += step) {
        paint_rect(&c->canvas, x, top, wide, SCENE_HEIGHT, shade(wood, drawn(r, 0.85f, 1.1f)));
        for (int y = within(top, SCENE_HEIGHT); y < SCENE_HEIGHT; y++) {
            for (int u = within(x, SCENE_WIDTH); u < within(x + wide, SCENE_WIDTH); u++) {
                c->owner[y * SCENE_WIDTH + u] = 0;
            }
        }
    }
}

/* ------------------------------------------------------------------ what is to be seen */

/* How many canvas pixels the thing covers when nothing hides it. */
static float whole_area(const struct scene_object *o)
{
    unsigned n = 0;
    for (size_t i = 0; i < (size_t)GLYPH_SIDE * GLYPH_SIDE; i++) {
        n += o->glyph->rgba[i * 4 + 3] > 127;
    }
    float scale = o->side / GLYPH_SIDE;
    return (float)n * scale * scale;
}

void compose_measure(const struct composition *c, struct scene *s)
{
    unsigned seen[SCENE_OBJECTS] = {0};
    for (unsigned i = 0; i < s->n; i++) {
        s->object[i].left = SCENE_WIDTH;
        s->object[i].top = SCENE_HEIGHT;
        s->object[i].right = s->object[i].bottom = 0;
    }
    for (int y = 0; y < SCENE_HEIGHT; y++) {
        for (int x = 0; x < SCENE_WIDTH; x++) {
            unsigned owner = c->owner[y * SCENE_WIDTH + x];
            if (owner) {
                struct scene_object *o = &s->object[owner - 1];
                o->left = x < o->left ? x : o->left;
                o->right = x >= o->right ? x + 1 : o->right;
                o->top = y < o->top ? y : o->top;
                o->bottom = y + 1;
                seen[owner - 1]++;
            }
        }
    }
    for (unsigned i = 0; i < s->n; i++) {
        struct scene_object *o = &s->object[i];
        float share = (float)seen[i] / (whole_area(o) + 1e-6f);
        o->visibility = share > 1 ? 1 : share;
        if (seen[i] == 0) {
            o->left = o->top = 0;
        }
    }
}

static unsigned char byte(float v)
{
    return (unsigned char)(v <= 0 ? 0 : v >= 1 ? 255 : v * 255 + 0.5f);
}

void compose_develop(struct composition *c, bool gray, struct rng *r, struct image *out)
{
    bool photo = c->style == STYLE_PHOTO;
    float light = photo ? drawn(r, 0.8f, 1.15f) : 1, dim = photo ? drawn(r, 0, 0.35f) : 0;
    float grain = photo ? drawn(r, 0.005f, 0.035f) : 0.004f;
    unsigned char *to = xmalloc((size_t)SCENE_WIDTH * SCENE_HEIGHT * 3);
    *out = (struct image){.width = SCENE_WIDTH, .height = SCENE_HEIGHT, .data = to};
    for (int y = 0; y < SCENE_HEIGHT; y++) {
        for (int x = 0; x < SCENE_WIDTH; x++, to += 3) {
            float dx = (float)x / SCENE_WIDTH - 0.5f, dy = (float)y / SCENE_HEIGHT - 0.5f;
            float by = light * (1 - dim * 2 * (dx * dx + dy * dy));
            float add = grain * ((float)(rng_u64(r) >> 48) / 32768 - 1);
            struct colour p = shade(*canvas_at(&c->canvas, x, y), by);
            float luma = 0.299f * p.r + 0.587f * p.g + 0.114f * p.b;
            p = gray ? (struct colour){luma, luma, luma} : p;
            to[0] = byte(p.r + add);
            to[1] = byte(p.g + add);
            to[2] = byte(p.b + add);
        }
    }
}
