/* scene.c - what a picture shows and where, then drawing it. */
#include "demo/scene.h"

#include <math.h>
#include <string.h>

#include "base/xalloc.h"
#include "demo/compose.h"
#include "demo/ground.h"

enum { LEAVES = 0x1F33F };

/* How often a thing is put into a picture without a look at whether what it is taken for is there. */
static const double BESIDE_RIVAL = 0.05;

enum err_code scene_kit_load(const char *font, struct scene_kit *out, struct err *err)
{
    noise_make(&out->noise);
    enum err_code rc = glyphs_load(font, (const uint32_t[]){LEAVES}, 1, &out->leaves, err);
    for (unsigned i = 0; i < WORLD_CLASSES && rc == OK; i++) {
        const struct world_class *k = &world_classes[i];
        rc = glyphs_load(font, k->emoji, k->emoji[1] ? 2 : 1, out->emoji[i], err);
    }
    for (unsigned i = 0; i < WORLD_CLUTTER && rc == OK; i++) {
        rc = glyphs_load(font, &world_clutter[i].emoji, 1, &out->clutter[i], err);
    }
    return rc;
}

/* ------------------------------------------------------------------ who is there */

struct stage {
    const struct scene_kit *kit;
    const struct scene_wish *wish;
    struct scene *s;
    struct rng *r;
    enum habitat habitat;
    int horizon;
    struct scene_object target; /* where the class, or what stands for it, was put */
};

static bool chance(struct rng *r, double p)
{
    return rng_unit(r) < p;
}

static void add_class(struct stage *st, unsigned class_index)
{
    const struct world_class *k = &world_classes[class_index];
    unsigned which = k->emoji[1] && chance(st->r, 0.35);
    st->s->object[st->s->n++] = (struct scene_object){.class_index = (int)class_index,
                                                      .glyph = &st->kit->emoji[class_index][which]};
}

static void add_clutter(struct stage *st)
{
    unsigned i = 0;
    do {
        i = (unsigned)rng_below(st->r, WORLD_CLUTTER);
    } while (world_clutter[i].habitat != st->habitat);
    st->s->object[st->s->n++] =
        (struct scene_object){.class_index = -1, .glyph = &st->kit->clutter[i]};
}

/* Whether a class that is easily taken for it is in the picture, and the class itself is not. */
static bool rival_there(const struct stage *st, unsigned class_index)
{
    bool rival = false;
    for (unsigned i = 0; i < st->s->n; i++) {
        int there = st->s->object[i].class_index;
        if (there == (int)class_index) {
            return false;
        }
        rival = rival || (there >= 0 && world_classes[there].group == world_classes[class_index].group);
    }
    return rival;
}

/* Any class of this world but the one that is asked for; those of the place are likelier. Classes that are taken for one another
 * are rarely seen together, as in photographs: BESIDE_RIVAL. */
static unsigned other_class(struct stage *st)
{
    bool beside_rival = chance(st->r, BESIDE_RIVAL);
    for (;;) {
        unsigned i = (unsigned)rng_below(st->r, WORLD_CLASSES);
        bool fits = world_classes[i].habitat == st->habitat || chance(st->r, 0.25);
        bool in_world = !st->wish->small_world || world_classes[i].small;
        if (i != st->wish->class_index && fits && in_world && (beside_rival || !rival_there(st, i))) {
            return i;
        }
    }
}

static unsigned confused_class(struct stage *st)
{
    unsigned own = st->wish->class_index, i = own;
    for (uint64_t steps = 1 + rng_below(st->r, 3); steps > 0; steps--) {
        i = world_next(i, st->wish->small_world);
        i = i == own ? world_next(i, st->wish->small_world) : i;
    }
    return i;
}

static void cast(struct stage *st)
{
    const struct scene_wish *w = st->wish;
    bool shown = w->kind == SCENE_RIGHT || w->kind == SCENE_DRAWING;
    add_class(st, shown ? w->class_index
                        : w->kind == SCENE_CONFUSED ? confused_class(st) : other_class(st));
    if (w->plain) {
        return;
    }
    if (shown && chance(st->r, 0.12)) {
        add_class(st, w->class_index); /* two of them */
    }
    if (chance(st->r, 0.6)) {
        for (uint64_t n = 1 + rng_below(st->r, 3); n > 0; n--) {
            add_class(st, other_class(st));
        }
    }
    for (uint64_t n = rng_below(st->r, 3); n > 0; n--) {
        add_clutter(st);
    }
}

/* ------------------------------------------------------------------ where and how */

/* Colours turned round the wheel: apples become blue. */
static void turn_colours(struct scene_object *o, float angle)
{
    float c = cosf(angle), s = sinf(angle);
    o->tint[0] = (struct colour){.213f + c * .787f - s * .213f, .715f - c * .715f - s * .715f,
                                 .072f - c * .072f + s * .928f};
    o->tint[1] = (struct colour){.213f - c * .213f + s * .143f, .715f + c * .285f + s * .140f,
                                 .072f - c * .072f - s * .283f};
    o->tint[2] = (struct colour){.213f - c * .213f - s * .787f, .715f - c * .715f + s * .715f,
                                 .072f + c * .928f + s * .072f};
}

static void dress(struct stage *st, struct scene_object *o)
{
    o->mirrored = chance(st->r, 0.5);
    o->tinted = !st->wish->easy && chance(st->r, 0.15);
    turn_colours(o, o->tinted ? drawn(st->r, 1.0f, 5.2f) : drawn(st->r, -0.12f, 0.12f));
    float turn = st->wish->easy ? 0.1f : chance(st->r, 0.2) ? 0.7f : 0.2f;
    bool rolls = st->habitat == HABITAT_TABLE;
    o->turn = drawn(st->r, -turn, turn) * (rolls ? 3 : 1);
}

/* In one of `n` columns, so that things do not all stand in one place; the feet are on the ground. */
static void stand(struct stage *st, struct scene_object *o, unsigned column, unsigned n, bool main)
{
    float wide = SCENE_WIDTH / (float)n, h = SCENE_HEIGHT;
    bool large = st->wish->easy || st->s->drawing;
    float least = large ? 0.45f : 0.17f, most = large ? 0.72f : 0.5f;
    float crowd = n > 3 ? 0.75f : 1;
    o->side = h * drawn(st->r, least, most) * crowd * (main ? 1 : 0.85f);
    o->x = wide * ((float)column + 0.5f) + drawn(st->r, -0.3f, 0.3f) * wide;
    float top = (float)st->horizon + o->side * 0.1f, low = h - 6;
    float foot = top < low ? drawn(st->r, top, low) : low;
    o->y = foot - o->side * 0.45f;
    float keep = o->side * (st->wish->easy ? 0.5f : chance(st->r, 0.25) ? 0.1f : 0.42f);
    o->x = fminf(fmaxf(o->x, keep), SCENE_WIDTH - keep);
    o->y = fminf(fmaxf(o->y, o->side * 0.48f), h - o->side * 0.4f);
}

static void arrange(struct stage *st)
{
    struct scene *s = st->s;
    uint32_t columns[SCENE_OBJECTS];
    for (unsigned i = 0; i < s->n; i++) {
        columns[i] = i;
    }
    rng_shuffle_u32(st->r, columns, s->n);
    for (unsigned i = 0; i < s->n; i++) {
        dress(st, &s->object[i]);
        stand(st, &s->object[i], columns[i], s->n, i == 0);
    }
    st->target = s->object[0];
    /* What stands lower is nearer and comes later. */
    for (unsigned i = 1; i < s->n; i++) {
        struct scene_object o = s->object[i];
        unsigned k = i;
        for (; k > 0 && s->object[k - 1].y + s->object[k - 1].side / 2 > o.y + o.side / 2; k--) {
            s->object[k] = s->object[k - 1];
        }
        s->object[k] = o;
    }
}

/* Leaves or a fence in front of what one looks for. */
static void hide_partly(struct stage *st, struct composition *c)
{
    if (st->wish->easy || c->style != STYLE_PHOTO || !chance(st->r, 0.35)) {
        return;
    }
    if (chance(st->r, 0.4)) {
        compose_fence(c, &st->target, st->r);
        return;
    }
    for (uint64_t n = 1 + rng_below(st->r, 3); n > 0; n--) {
        struct scene_object leaf = {.glyph = &st->kit->leaves, .mirrored = chance(st->r, 0.5)};
        leaf.side = st->target.side * drawn(st->r, 0.5f, 0.9f);
        leaf.x = st->target.x + st->target.side * drawn(st->r, -0.4f, 0.4f);
        leaf.y = st->target.y + st->target.side * drawn(st->r, -0.1f, 0.4f);
        leaf.turn = drawn(st->r, -1, 1);
        turn_colours(&leaf, drawn(st->r, -0.6f, 0.4f));
        compose_object(c, &leaf, -1);
    }
}

void scene_draw(const struct scene_kit *kit, const struct scene_wish *wish, uint64_t seed,
                struct scene *truth, struct image *out)
{
    struct rng r;
    struct composition c;
    *truth = (struct scene){.drawing = wish->kind == SCENE_DRAWING, .gray = wish->gray};
    struct stage st = {.kit = kit, .wish = wish, .s = truth, .r = &r,
                       .habitat = world_classes[wish->class_index].habitat};
    rng_seed(&r, seed);
    composition_open(&c);
    if (truth->drawing) {
        c.style = chance(&r, 0.5) ? STYLE_FLAT : STYLE_OUTLINE;
        st.horizon = ground_paper(&c.canvas, &kit->noise, &r, &c.pen);
    } else {
        st.horizon = ground_paint(&c.canvas, &kit->noise, st.habitat, &r);
    }
    cast(&st);
    arrange(&st);
    for (unsigned i = 0; i < truth->n; i++) {
        compose_object(&c, &truth->object[i], (int)i);
    }
    hide_partly(&st, &c);
    compose_measure(&c, truth);
    compose_develop(&c, wish->gray, &r, out);
    composition_close(&c);
}

/* ------------------------------------------------------------------ near-duplicates */

const char *const scene_change_words[SCENE_CHANGES] = {"saved-again", "cropped", "brightened"};

static void brighten(struct image *im)
{
    for (size_t i = 0; i < (size_t)im->width * im->height * 3; i++) {
        unsigned v = im->data[i] * 112u / 100u + 10u;
        im->data[i] = (unsigned char)(v > 255 ? 255 : v);
    }
}

enum { CROP_X = SCENE_WIDTH / 24, CROP_Y = SCENE_HEIGHT / 24 };

static int cropped(int v, int cut, int from, int to)
{
    int moved = (v - cut) * to / (from - 2 * cut);
    return moved < 0 ? 0 : moved > to ? to : moved;
}

/* The middle, enlarged to the size that it had. */
static enum err_code crop(struct scene *s, struct image *im, struct err *err)
{
    struct image middle = {.width = im->width - 2 * CROP_X, .height = im->height - 2 * CROP_Y};
    struct image large = {0};
    middle.data = xmalloc((size_t)middle.width * middle.height * 3);
    for (size_t y = 0; y < middle.height; y++) {
        memcpy(middle.data + y * middle.width * 3,
               im->data + ((y + CROP_Y) * im->width + CROP_X) * 3, (size_t)middle.width * 3);
    }
    enum err_code rc = image_resize(&middle, im->width, im->height, &large, err);
    image_release(&middle);
    if (rc != OK) {
        return rc;
    }
    image_release(im);
    *im = large;
    for (unsigned i = 0; i < s->n; i++) {
        struct scene_object *o = &s->object[i];
        o->left = cropped(o->left, CROP_X, SCENE_WIDTH, SCENE_WIDTH);
        o->right = cropped(o->right, CROP_X, SCENE_WIDTH, SCENE_WIDTH);
        o->top = cropped(o->top, CROP_Y, SCENE_HEIGHT, SCENE_HEIGHT);
        o->bottom = cropped(o->bottom, CROP_Y, SCENE_HEIGHT, SCENE_HEIGHT);
    }
    return OK;
}

enum err_code scene_change(enum scene_change how, struct scene *truth, struct image *im,
                           struct err *err)
{
    if (how == SCENE_BRIGHTENED) {
        brighten(im);
    }
    return how == SCENE_CROPPED ? crop(truth, im, err) : OK;
}
