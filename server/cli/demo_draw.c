/* demo_draw.c - drawing shapes. */
#include "cli/demo_draw.h"

#include <math.h>
#include <stdio.h>

#include "base/fs.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "image/image.h"

enum { WIDTH = 400, HEIGHT = 300, QUALITY = 88 };

/* Each tells whether (x, y) lies in the shape of size 1 around the origin. */
static bool in_circle(double x, double y)
{
    return x * x + y * y < 1;
}

static bool in_ring(double x, double y)
{
    double r = x * x + y * y;
    return r < 1 && r > 0.3;
}

static bool in_square(double x, double y)
{
    return fabs(x) < 0.85 && fabs(y) < 0.85;
}

static bool in_triangle(double x, double y)
{
    return y < 0.8 && y > -0.9 + 1.7 * fabs(x);
}

static bool in_cross(double x, double y)
{
    return (fabs(x) < 0.3 && fabs(y) < 1) || (fabs(y) < 0.3 && fabs(x) < 1);
}

static bool in_star(double x, double y)
{
    double r = sqrt(x * x + y * y), a = atan2(x, -y);
    return r < 0.62 + 0.38 * cos(5 * a);
}

static const struct shape {
    const char *key, *near, *name, *gloss; /* near: the class that negative controls come from */
    bool (*contains)(double x, double y);
} shapes[] = {
    {"circle", "ring", "circle|disc", "a filled round shape", in_circle},
    {"cross", "star", "cross|plus sign", "two bars that cross at right angles", in_cross},
    {"ring", "circle", "ring|hollow circle", "a round shape with a hole", in_ring},
    {"square", "triangle", "square|box", "a filled shape with four equal sides", in_square},
    {"star", "cross", "star|five-pointed star", "a shape with five points", in_star},
    {"triangle", "square", "triangle", "a filled shape with three corners", in_triangle},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static unsigned char mix(double a, double b, double t)
{
    double v = a + (b - a) * t;
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void draw_ground(struct image *im, struct rng *r)
{
    double from[3], to[3];
    for (int c = 0; c < 3; c++) {
        from[c] = 40 + 150 * rng_unit(r);
        to[c] = 40 + 150 * rng_unit(r);
    }
    double grain = 10 + 25 * rng_unit(r);
    for (uint32_t y = 0; y < im->height; y++) {
        for (uint32_t x = 0; x < im->width; x++) {
            double t = ((double)x / WIDTH + (double)y / HEIGHT) / 2;
            double noise = grain * (rng_unit(r) - 0.5);
            for (int c = 0; c < 3; c++) {
                im->data[(y * im->width + x) * 3 + (uint32_t)c] =
                    mix(from[c] + noise, to[c] + noise, t);
            }
        }
    }
}

/* One shape at a drawn place, turned, in a drawn colour with soft shading. */
static void draw_shape(struct image *im, struct rng *r, const struct shape *s, double size)
{
    double cx = size + (WIDTH - 2 * size) * rng_unit(r);
    double cy = size + (HEIGHT - 2 * size) * rng_unit(r);
    double turn = (rng_unit(r) - 0.5) * 0.8, sine = sin(turn), cosine = cos(turn);
    double colour[3];
    for (int c = 0; c < 3; c++) {
        colour[c] = 60 + 195 * rng_unit(r);
    }
    colour[rng_below(r, 3)] = 250;
    for (uint32_t y = 0; y < im->height; y++) {
        for (uint32_t x = 0; x < im->width; x++) {
            double dx = ((double)x - cx) / size, dy = ((double)y - cy) / size;
            double u = dx * cosine - dy * sine, v = dx * sine + dy * cosine;
            if (fabs(u) < 1.01 && fabs(v) < 1.01 && s->contains(u, v)) {
                unsigned char *p = &im->data[(y * im->width + x) * 3];
                for (int c = 0; c < 3; c++) {
                    p[c] = mix(colour[c], p[c], 0.15 + 0.15 * v);
                }
            }
        }
    }
}

static void draw(struct image *im, struct rng *r, unsigned shape, bool original)
{
    draw_ground(im, r);
    if (original) {
        draw_shape(im, r, &shapes[shape], 70 + 50 * rng_unit(r));
        return;
    }
    unsigned others = (unsigned)rng_below(r, 3);
    bool wrong = rng_below(r, 4) == 0;
    unsigned shown = wrong ? (shape + 1 + (unsigned)rng_below(r, SHAPES - 1)) % SHAPES : shape;
    draw_shape(im, r, &shapes[shown], 20 + 70 * rng_unit(r));
    for (unsigned i = 0; i < others; i++) {
        unsigned other = (unsigned)rng_below(r, SHAPES);
        if (other != shape) {
            draw_shape(im, r, &shapes[other], 20 + 40 * rng_unit(r));
        }
    }
}

static enum err_code draw_file(const char *path, struct rng *r, unsigned shape, bool original,
                               struct err *err)
{
    struct image im = {.width = WIDTH, .height = HEIGHT,
                       .data = xmalloc((size_t)WIDTH * HEIGHT * 3)};
    struct str jpeg;
    str_init(&jpeg, 8 << 20);
    draw(&im, r, shape, original);
    enum err_code rc = image_encode_jpeg(&im, QUALITY, &jpeg, err);
    if (rc == OK) {
        rc = fs_write_whole(path, jpeg.p, jpeg.n, false, err);
    }
    str_release(&jpeg);
    image_release(&im);
    return rc;
}

static enum err_code write_classes(const char *dir, struct arena *a, struct err *err)
{
    struct str lines;
    str_init(&lines, 1 << 16);
    for (unsigned i = 0; i < SHAPES; i++) {
        str_printf(&lines,
                   "{\"cid\": %u, \"wnid\": \"%s\", \"synset\": \"%s\", \"gloss\": \"%s\", "
                   "\"similar\": [\"%s\", \"%s\"]}\n",
                   i, shapes[i].key, shapes[i].name, shapes[i].gloss, shapes[i].key,
                   shapes[i].near);
    }
    enum err_code rc = fs_write_whole(fs_join(a, dir, "classes.jsonl"), lines.p, lines.n, false, err);
    str_release(&lines);
    return rc;
}

enum err_code demo_draw(const char *dir, uint64_t seed, unsigned originals, unsigned candidates,
                        struct err *err)
{
    struct rng r;
    struct arena a;
    rng_seed(&r, seed);
    arena_init(&a, 16 << 20);
    enum err_code rc = fs_mkdirs(dir, err);
    if (rc == OK) {
        rc = write_classes(dir, &a, err);
    }
    for (unsigned i = 0; i < SHAPES * 2 && rc == OK; i++) {
        unsigned shape = i / 2;
        bool original = i % 2 == 0;
        const char *role = original ? "original" : "candidate";
        char *folder = arena_printf(&a, "%s/%s/%s", dir, role, shapes[shape].key);
        rc = fs_mkdirs(folder, err);
        for (unsigned k = 0; k < (original ? originals : candidates) && rc == OK; k++) {
            char *path = arena_printf(&a, "%s/%s-%s-%03u.jpg", folder, role, shapes[shape].key, k);
            rc = draw_file(path, &r, shape, original, err);
        }
    }
    arena_release(&a);
    return rc;
}
