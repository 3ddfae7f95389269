/* could_take_test.c - which candidates are worth a search: by their class's targets, blacklist and quarantine. */
#include "unit.h"

#include "sets/pool/could_take.h"

static struct sample_image original(uint32_t class_index, uint32_t shown, uint32_t selected)
{
    return (struct sample_image){.class_index = class_index, .shown = shown, .selected = selected, .original = true};
}

static struct sample_image candidate(uint32_t class_index, uint32_t shown, uint32_t selected)
{
    return (struct sample_image){.class_index = class_index, .shown = shown, .selected = selected};
}

TEST(a_bin_without_a_target_takes_nobody)
{
    struct sample_image images[] = {original(0, 10, 9), original(0, 12, 12), original(0, 9, 0), candidate(0, 10, 10),
                                    candidate(0, 10, 5), candidate(0, 0, 0), candidate(1, 10, 5), candidate(1, 0, 0)};
    bool could[8];
    struct pool p = {.sample = images, .n = 8, .n_classes = 2};
    pool_could_take(&p, 10, could);
    assert_false(could[0] || could[1] || could[2]);
    assert_true(could[3]);
    assert_false(could[4] || could[5]); /* the only original in the lowest bin has 9 answers: it is not measured */
    assert_true(could[6] && could[7]);  /* nothing is known of what class 1 needs */
}

TEST(blacklisted_and_hidden_candidates_are_not_taken)
{
    struct sample_image images[] = {original(0, 10, 10), candidate(0, 10, 10), candidate(0, 10, 10), candidate(0, 10, 10)};
    bool could[4];
    struct pool p = {.sample = images, .n = 4, .n_classes = 1};
    images[1].blacklisted = true;
    images[2].hidden = true;
    images[3].near_duplicate = images[3].unreviewed = images[3].unsearched = true;
    pool_could_take(&p, 10, could);
    assert_false(could[1] || could[2]);
    assert_true(could[3]);
}
