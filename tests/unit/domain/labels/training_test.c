/* training_test.c - domain/labels/training.h: words, parts, the pass mark over the latest answers that count, the draw. */
#include "unit.h"

#include <math.h>

#include "domain/labels/training.h"

TEST(words_are_read_back)
{
    for (int i = 0; i < TRAINING_MADE; i++) {
        enum training_made m = TRAINING_MADE;
        assert_true(training_made_of(sv_of(training_made_word((enum training_made)i)), &m));
        assert_int_equal(m, i);
    }
    for (int i = 0; i < SUGGESTS; i++) {
        enum training_verdict v = SUGGESTS;
        assert_true(training_verdict_of(sv_of(training_verdict_word((enum training_verdict)i)), &v));
        assert_int_equal(v, i);
    }
    enum training_made m;
    enum training_verdict v;
    assert_false(training_made_of(SV("csv"), &m));
    assert_false(training_verdict_of(SV(""), &v));
}

TEST(parts_have_ten_images_and_the_last_one_what_is_left)
{
    static const struct {
        int64_t images, parts;
    } cases[] = {{1, 1}, {10, 1}, {11, 2}, {20, 2}, {236, 24}, {81, 9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(training_parts(cases[i].images), cases[i].parts);
    }
}

static struct training_standing stand(const char *said, int64_t mark, int64_t span)
{
    bool fits[64];
    size_t n = strlen(said);
    for (size_t i = 0; i < n; i++) {
        fits[i] = said[i] == '1';
    }
    return training_stand(fits, n, mark, span);
}

TEST(the_mark_is_about_the_latest_answers_and_having_passed_stays)
{
    static const struct {
        const char *said;
        int64_t mark, span, n, right, after; /* after 0: not passed */
    } cases[] = {
        {"", 80, 5, 0, 0, 0},
        {"1111", 80, 5, 4, 4, 0},        /* too few answers yet */
        {"11110", 80, 5, 5, 4, 5},       /* 80 % is enough */
        {"11100", 80, 5, 5, 3, 0},
        {"0000011111", 100, 5, 5, 5, 10}, /* what was learned counts, what went before does not */
        {"1111100000", 100, 5, 5, 0, 5},  /* passed once */
        {"10", 50, 1, 1, 0, 1},
        {"110", 67, 3, 3, 2, 0},          /* 66.7 % is less than 67 % */
        {"110", 66, 3, 3, 2, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct training_standing s = stand(cases[i].said, cases[i].mark, cases[i].span);
        assert_int_equal(s.answers, (int64_t)strlen(cases[i].said));
        assert_int_equal(s.n, cases[i].n);
        assert_int_equal(s.right, cases[i].right);
        assert_int_equal(s.after, cases[i].after);
        assert_int_equal(s.passed, cases[i].after > 0);
    }
}

TEST(a_draw_takes_equally_many_of_each_class_and_every_image_once)
{
    enum { N = 100 };
    uint32_t class_of[N], out[N];
    struct rng r;
    for (uint32_t i = 0; i < N; i++) {
        class_of[i] = i < 4 ? 7 : i % 3; /* four of one class, 32 of each of three others */
    }
    for (uint64_t seed = 1; seed <= 20; seed++) {
        int of[8] = {0};
        bool taken[N] = {false};
        rng_seed(&r, seed);
        assert_int_equal(training_draw(class_of, N, 40, &r, out), 40);
        for (int i = 0; i < 40; i++) {
            assert_false(taken[out[i]]);
            taken[out[i]] = true;
            of[class_of[out[i]]]++;
        }
        assert_int_equal(of[7], 4);
        for (int c = 0; c < 3; c++) {
            assert_int_equal(of[c], 12);
        }
    }
    rng_seed(&r, 3);
    assert_int_equal(training_draw(class_of, N, 1000, &r, out), N);
    uint32_t again[N];
    rng_seed(&r, 3);
    training_draw(class_of, N, 1000, &r, again);
    assert_memory_equal(out, again, sizeof out);
    assert_int_equal(training_draw(class_of, 0, 5, &r, out), 0);
}
