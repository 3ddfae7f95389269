/* crowd_test.c - simulated people are as skilled as they are said to be. */
#include "unit.h"

#include "demo/crowd.h"

enum { CELLS = 48, GRIDS = 40, SEED = 3, CAREFUL = 0, HASTY = 2, ALL = 4, COIN = 9 };

/* A grid of a class: the first half plainly shows it, a quarter something like it, a quarter nothing. */
struct sheet {
    struct truth_image images[CELLS];
    const struct truth_image *cells[CELLS];
    unsigned class_index;
};

static void make(struct sheet *s, bool drawings)
{
    memset(s, 0, sizeof *s);
    s->class_index = (unsigned)world_find(SV("n02129604"));
    for (unsigned i = 0; i < CELLS; i++) {
        s->cells[i] = i < CELLS - 1 ? &s->images[i] : NULL; /* an image that nobody knows */
        s->images[i].drawing = drawings;
        if (i < CELLS / 2) {
            s->images[i].shown[s->class_index] = 1;
        } else if (i < CELLS * 3 / 4) {
            s->images[i].shown[world_next(s->class_index, false)] = 1;
        }
    }
}

struct score {
    double there, like, nothing, ms; /* means over grids */
};

static unsigned ticks(uint64_t mask, unsigned from, unsigned to)
{
    unsigned n = 0;
    for (unsigned i = from; i < to; i++) {
        n += (unsigned)(mask >> i & 1);
    }
    return n;
}

static struct score score_of(unsigned index, bool drawings)
{
    struct sheet s;
    struct score sum = {0, 0, 0, 0};
    make(&s, drawings);
    for (int64_t grid = 1; grid <= GRIDS; grid++) {
        struct crowd_answer a = crowd_answer(SEED, index, grid, s.class_index, s.cells, CELLS);
        assert_int_equal(a.mask >> CELLS, 0);
        assert_true(a.active_ms > 1000);
        sum.there += ticks(a.mask, 0, CELLS / 2) / (CELLS / 2.0) / GRIDS;
        sum.like += ticks(a.mask, CELLS / 2, CELLS * 3 / 4) / (CELLS / 4.0) / GRIDS;
        sum.nothing += ticks(a.mask, CELLS * 3 / 4, CELLS) / (CELLS / 4.0) / GRIDS;
        sum.ms += (double)a.active_ms / GRIDS;
    }
    return sum;
}

TEST(skill)
{
    struct score careful = score_of(CAREFUL, false), hasty = score_of(HASTY, false);
    struct score all = score_of(ALL, false), coin = score_of(COIN, false);
    assert_true(careful.there > 0.85 && careful.like < 0.2 && careful.nothing < 0.05);
    assert_true(hasty.there < careful.there && hasty.like > careful.like && hasty.ms < careful.ms);
    assert_true(all.there > 0.999 && all.like > 0.999 && all.nothing > 0.999);
    assert_true(coin.there > 0.4 && coin.there < 0.6 && coin.nothing > 0.4 && coin.nothing < 0.6);
    assert_true(score_of(CAREFUL, true).there < 0.6); /* most people keep to the rule about drawings */
}

TEST(same)
{
    struct sheet s;
    make(&s, false);
    struct crowd_answer one = crowd_answer(SEED, 0, 5, s.class_index, s.cells, CELLS);
    struct crowd_answer other = crowd_answer(SEED, 0, 6, s.class_index, s.cells, CELLS);
    struct crowd_answer again = crowd_answer(SEED, 0, 5, s.class_index, s.cells, CELLS);
    struct crowd_answer else_ = crowd_answer(SEED + 1, 0, 5, s.class_index, s.cells, CELLS);
    assert_true(one.mask == again.mask && one.active_ms == again.active_ms);
    assert_true(one.mask != other.mask || one.active_ms != other.active_ms);
    assert_true(one.mask != else_.mask || one.active_ms != else_.active_ms);
}

TEST(names)
{
    char name[CROWD_NAME];
    for (unsigned i = 0; i < 2000; i += 37) {
        crowd_name(i, name);
        assert_int_equal(crowd_index(sv_of(name)), (int)i);
    }
    static const char *const others[] = {"", "sim-", "sim-0", "sim-x", "sim--1", "ann", "sim-100000000"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(crowd_index(sv_of(others[i])), -1);
    }
}
