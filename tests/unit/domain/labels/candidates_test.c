/* candidates_test.c - domain/labels/candidates.h: stages, the threshold at equality, what is kept of too many, valid labels,
 * potential labels. */
#include "unit.h"

#include <string.h>

#include "domain/labels/candidates.h"

#define COUNTS(...) (const struct contains_count[]){__VA_ARGS__}
enum { OWN = 7 };

static struct candidates_found found;

static struct candidates_ask asked(const struct contains_count *counts, size_t n)
{
    return (struct candidates_ask){OWN, counts, n, CANDIDATE_TAU, CANDIDATE_LEAST, CANDIDATE_MOST};
}

/* Stage, then the candidates' labels. */
static void expect(const struct contains_count *counts, size_t n, uint32_t most, enum candidate_stage stage, size_t left_out,
                   const char *labels)
{
    struct candidates_ask ask = asked(counts, n);
    char text[64] = "";
    ask.most = most;
    candidates_find(&ask, &found);
    for (size_t i = 0; i < found.n; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i ? " " : "", counts[found.list[i]].label);
    }
    assert_int_equal(found.stage, stage);
    assert_int_equal(found.left_out, left_out);
    assert_string_equal(text, labels);
}

TEST(stages)
{
    expect(COUNTS({OWN, 8, 8}, {1, 3, 8}), 2, 6, CANDIDATES_EASY, 0, "7");
    expect(COUNTS({OWN, 8, 8}, {1, 4, 8}), 2, 6, CANDIDATES_FU, 0, "7 1"); /* exactly half */
    expect(COUNTS({OWN, 0, 8}, {1, 8, 8}), 2, 6, CANDIDATES_MIS, 0, "");
    expect(COUNTS({OWN, 4, 4}, {1, 8, 8}, {2, 8, 8}), 3, 6, CANDIDATES_AMB, 0, "");
    expect(COUNTS({1, 8, 8}, {2, 8, 8}), 2, 6, CANDIDATES_AMB, 0, "");      /* nobody was asked */
    expect(COUNTS({OWN, 0, 0}, {2, 8, 8}), 2, 6, CANDIDATES_AMB, 0, "");
    expect(COUNTS({OWN, 9, 9}, {1, 4, 4}), 2, 6, CANDIDATES_AMB, 0, "");    /* nothing to compare it with */
    expect(COUNTS({OWN, 9, 9}), 1, 6, CANDIDATES_EASY, 0, "7");             /* nothing that it could be compared with */
    expect(NULL, 0, 6, CANDIDATES_AMB, 0, "");
    expect(COUNTS({OWN, 1, 5}, {1, 1, 10}, {2, 1, 11}), 3, 6, CANDIDATES_FU, 0, "7 1");
}

/* In order of frequency, then of class; of equally frequent ones those stay that more people were asked about. */
TEST(the_most_frequent_are_kept)
{
    const struct contains_count counts[] = {{9, 6, 8}, {3, 9, 12}, {OWN, 5, 10}, {4, 8, 8}, {8, 3, 4}, {2, 6, 8}, {1, 2, 8}};
    expect(counts, 7, 6, CANDIDATES_FU, 0, "4 2 3 9 7 1");
    expect(counts, 7, 4, CANDIDATES_FU, 2, "4 2 3 7");
    expect(counts, 7, 3, CANDIDATES_FU, 3, "4 3 7");
    expect(counts, 7, 1, CANDIDATES_FU, 5, "7");
}

/* A wrong order of factors, or 32 bits, would see these as equal or turned round. */
TEST(large_counts_are_compared_exactly)
{
    enum { N = CANDIDATE_PEOPLE };
    expect(COUNTS({OWN, N, N}, {1, N / 2 - 1, N}, {2, N / 2, N}), 3, 6, CANDIDATES_FU, 0, "7 2");
    expect(COUNTS({OWN, N - 1, N}, {1, N, N}), 2, 6, CANDIDATES_FU, 0, "1 7");
}

TEST(labels_as_good_as_the_sets)
{
    struct candidates_ask ask = asked(COUNTS({OWN, 4, 8}, {1, 2, 8}, {2, 4, 8}, {3, 8, 8}, {4, 4, 4}), 5);
    assert_int_equal(labels_valid(&ask, 500, true), 4);
    assert_int_equal(labels_valid(&ask, 501, true), 3);
    assert_int_equal(labels_valid(&ask, 1000, true), 3);
    assert_int_equal(labels_valid(&ask, 500, false), 3);
    assert_int_equal(labels_valid(&ask, 1000, false), 2); /* its own, always */
    ask = asked(COUNTS({OWN, 0, 8}, {1, 2, 8}), 2);
    assert_int_equal(labels_valid(&ask, 500, true), 0);
    ask = asked(COUNTS({1, 2, 8}), 1);
    assert_int_equal(labels_valid(&ask, 500, true), 0);
}

TEST(potential_labels_come_once)
{
    uint32_t out[6];
    assert_int_equal(potential_labels(5, (const uint32_t[]){9, 5, 1, 9, 2}, 5, out), 4);
    assert_memory_equal(out, ((const uint32_t[]){1, 2, 5, 9}), 4 * sizeof *out);
    assert_int_equal(potential_labels(5, NULL, 0, out), 1);
    assert_int_equal(out[0], 5);
}
