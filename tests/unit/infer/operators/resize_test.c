/* resize_test.c - values of another size in each of ONNX's ways, beside its formulas in doubles:
 * every result at once over all axes, where the engine takes one axis after the other. */
#include "infer/one_op.h"

#include <math.h>

TESTS_DRAW(17)

enum { TAPS = 64 };
/* What a result is made of along one axis: places, which may lie outside, and their weights. */
struct taps {
    int n;
    int64_t at[TAPS];
    double weight[TAPS];
    bool nothing; /* beyond the part that is resized */
};

/* Where result i of an axis lies. */
static double source(const struct resize *way, uint32_t axis, double i, double from, double to)
{
    double scale = (double)way->axes[axis].scale, start = (double)way->axes[axis].from,
           end = (double)way->axes[axis].to;
    bool exact = (float)to / (float)from == way->axes[axis].scale;
    double half = exact ? (i + 0.5) * from / to - 0.5 : (i + 0.5) / scale - 0.5;
    switch (way->place) {
    case PLACE_HALF_PIXEL_SYMMETRIC:
        return half + (exact ? 0 : from / 2 * (1 - to / (scale * from)));
    case PLACE_PYTORCH_HALF_PIXEL:
        return to > 1 ? half : 0;
    case PLACE_TF_HALF_PIXEL_FOR_NN:
        return half + 0.5;
    case PLACE_ALIGN_CORNERS:
        return to > 1 ? i * (from - 1) / (to - 1) : 0;
    case PLACE_ASYMMETRIC:
        return exact ? i * from / to : i / scale;
    case PLACE_TF_CROP_AND_RESIZE:
        return to > 1 ? start * (from - 1) + i * (end - start) * (from - 1) / (to - 1)
                      : (start + end) / 2 * (from - 1);
    case PLACE_HALF_PIXEL:
    default:
        return half;
    }
}

static double triangle(double x)
{
    return fmax(0, 1 - fabs(x));
}

static double keys(double x, double a)
{
    double d = fabs(x);
    return d <= 1  ? (a + 2) * d * d * d - (a + 3) * d * d + 1
           : d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a
                   : 0;
}

static int64_t nearest(const struct resize *way, double at, double scale)
{
    double below = floor(at), part = at - below;
    bool up = way->round == ROUND_PREFER_FLOOR  ? part > 0.5
              : way->round == ROUND_PREFER_CEIL ? part >= 0.5
              : way->round == ROUND_CEIL        ? part > 0
              : way->round == ROUND_OLD         ? part > 0 && scale < 1
                                                : false;
    return (int64_t)below + up;
}

static struct taps taps_of(const struct resize *way, uint32_t axis, int64_t i, int64_t from,
                           int64_t to)
{
    struct taps t = {0};
    double scale = (double)way->axes[axis].scale,
           at = source(way, axis, (double)i, (double)from, (double)to), total = 0;
    double narrow = way->antialias ? fmin(scale, 1) : 1, reach = 2 / narrow + 1;
    if (resize_keeps(way, axis, from, to) || way->mode == RESIZE_NEAREST) {
        t.n = 1;
        t.at[0] = resize_keeps(way, axis, from, to) ? i : nearest(way, at, scale);
        t.weight[0] = 1;
    } else {
        for (int64_t k = (int64_t)floor(at - reach); k <= (int64_t)ceil(at + reach); k++) {
            double x = ((double)k - at) * narrow;
            double w = way->mode == RESIZE_LINEAR ? triangle(x) : keys(x, (double)way->coefficient);
            assert_true(t.n < TAPS);
            t.at[t.n] = k;
            t.weight[t.n++] = way->exclude_outside && (k < 0 || k >= from) ? 0 : w;
            total += t.weight[t.n - 1];
        }
        for (int k = 0; k < t.n; k++) {
            t.weight[k] /= total;
        }
    }
    t.nothing = way->place == PLACE_TF_CROP_AND_RESIZE && !(at >= 0 && at <= (double)(from - 1));
    return t;
}

/* The sum over all axes from `axis` on; beyond an end lies the last value. */
static double sum(const struct one_op *o, int x, const struct taps *taps, uint32_t axis,
                  int64_t *index)
{
    if (axis == o->graph.values[x].rank) {
        return (double)o->values[x][one_op_at(o, x, index)];
    }
    double s = 0;
    for (int k = 0; k < taps[axis].n; k++) {
        int64_t last = one_op_dims(o, x)[axis] - 1, at = taps[axis].at[k];
        index[axis] = at < 0 ? 0 : at > last ? last : at;
        s +=
            taps[axis].weight[k] != 0 ? taps[axis].weight[k] * sum(o, x, taps, axis + 1, index) : 0;
    }
    return s;
}

static double expected(const struct one_op *o, int x, int y, const int64_t *at)
{
    const struct resize *way = o->node->resize;
    struct taps taps[TENSOR_RANK];
    int64_t index[TENSOR_RANK];
    for (uint32_t i = 0; i < o->graph.values[y].rank; i++) {
        taps[i] = taps_of(way, i, at[i], one_op_dims(o, x)[i], one_op_dims(o, y)[i]);
        if (taps[i].nothing) {
            return (double)way->outside;
        }
    }
    return sum(o, x, taps, 0, index);
}

/* Scales that are not there (0) are those of the sizes. */
static void check(struct resize way, enum lies lies, const int64_t *from, const int64_t *to)
{
    struct one_op o;
    one_op_init(&o, OP_RESIZE, &rng);
    int x = one_op_given(&o, lies, from), y = one_op_output(&o, to);
    for (uint32_t i = 0; i < o.graph.values[x].rank; i++) {
        if (way.axes[i].scale == 0) {
            way.axes[i].scale = (float)to[i] / (float)from[i];
        }
        way.axes[i].to = way.axes[i].to == 0 ? 1 : way.axes[i].to;
    }
    o.node->resize = &way;
    one_op_run(&o);
    for (int64_t i = 0; i < one_op_size(&o, y); i++) {
        int64_t at[TENSOR_RANK];
        one_op_index(&o, y, i, at);
        one_op_near(&o, 0, i, expected(&o, x, y, at), 1e-5);
    }
    one_op_free(&o);
}

static const int64_t sizes[][2] = {{10, 12}, {3, 4}, {8, 5}, {5, 6}, {1, 1}, {2, 13}};
enum { SIZES = sizeof sizes / sizeof *sizes };

TEST(nearest_in_all_places)
{
    for (int lies = 0; lies < LIES_WAYS; lies++) {
        for (int place = 0; place <= PLACE_TF_CROP_AND_RESIZE; place++) {
            for (int round = 0; round <= ROUND_OLD; round++) {
                for (int i = 0; i < SIZES; i++) {
                    check((struct resize){.mode = RESIZE_NEAREST,
                                          .place = (enum resize_place)place,
                                          .round = (enum resize_round)round},
                          (enum lies)lies, DIMS(2, 7, 5, 6), DIMS(2, 7, sizes[i][0], sizes[i][1]));
                }
            }
        }
    }
}

TEST(weighted_in_all_places)
{
    for (int lies = 0; lies < LIES_WAYS; lies++) {
        for (int place = 0; place <= PLACE_TF_CROP_AND_RESIZE; place++) {
            for (int i = 0; i < SIZES * 8; i++) {
                check((struct resize){.mode = i % 8 < 4 ? RESIZE_LINEAR : RESIZE_CUBIC,
                                      .place = (enum resize_place)place,
                                      .antialias = i % 2 == 1,
                                      .exclude_outside = i % 4 > 1,
                                      .coefficient = -0.6F},
                      (enum lies)lies, DIMS(2, 7, 5, 6),
                      DIMS(2, 7, sizes[i / 8][0], sizes[i / 8][1]));
            }
        }
    }
}

/* Scales whose product with a size is rounded down, and one for two axes of different sizes. */
TEST(scales_that_fit_no_size)
{
    for (int mode = 0; mode <= RESIZE_CUBIC; mode++) {
        for (int place = 0; place <= PLACE_ASYMMETRIC; place++) {
            struct resize way = {.mode = (enum resize_mode)mode,
                                 .place = (enum resize_place)place,
                                 .coefficient = -0.75F};
            way.axes[2].scale = 1.3F;
            way.axes[3].scale = 0.45F;
            check(way, LIES_CHANNELS_LAST, DIMS(2, 7, 5, 6), DIMS(2, 7, 6, 2));
        }
    }
}

TEST(any_axis_but_the_batch)
{
    for (int mode = 0; mode <= RESIZE_CUBIC; mode++) {
        struct resize way = {.mode = (enum resize_mode)mode, .coefficient = -0.75F};
        check(way, LIES_ROWS, DIMS(2, 7, 6), DIMS(2, 5, 9));
        check(way, LIES_ROWS, DIMS(2, 3, 7, 6, 4), DIMS(2, 3, 5, 9, 8));
        check(way, LIES_CHANNELS_LAST, DIMS(2, 7, 5, 6), DIMS(2, 14, 5, 3));
        check(way, LIES_IN_WIDER, DIMS(2, 7, 5, 6), DIMS(2, 7, 5, 6));
    }
}

/* The same size is no reason to leave a part as it is. */
TEST(a_part_is_cut_out)
{
    for (int mode = 0; mode <= RESIZE_CUBIC; mode++) {
        struct resize way = {.mode = (enum resize_mode)mode,
                             .place = PLACE_TF_CROP_AND_RESIZE,
                             .coefficient = -0.75F,
                             .outside = 7.5F};
        way.axes[2].from = 0.125F;
        way.axes[2].to = 0.75F;
        way.axes[3].from = 0.25F;
        way.axes[3].to = 1.5F;
        check(way, LIES_CHANNELS_LAST, DIMS(2, 7, 5, 6), DIMS(2, 7, 4, 9));
        check(way, LIES_CHANNELS_LAST, DIMS(2, 7, 5, 6), DIMS(2, 7, 5, 6));
    }
}
