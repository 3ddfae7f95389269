/* could_take_test.c - which candidates are worth a search: by their class's targets, blacklist and quarantine. */
#include "unit.h"

#include "sets/pool/could_take.h"

enum { ORIGINALS = SAMPLE_ORIGINALS_LEAST, CANDIDATES = 3 };

struct world {
    struct sample_image images[ORIGINALS + CANDIDATES];
    bool could[ORIGINALS + CANDIDATES];
};

/* One class: originals that everybody selects, and candidates that all, half and none of 10 people select. */
static struct world one_class(void)
{
    static const uint32_t selected[CANDIDATES] = {10, 5, 0};
    struct world w = {0};
    for (int i = 0; i < ORIGINALS; i++) {
        w.images[i] = (struct sample_image){.shown = 10, .selected = 10, .original = true};
    }
    for (int i = 0; i < CANDIDATES; i++) {
        w.images[ORIGINALS + i] = (struct sample_image){.shown = 10, .selected = selected[i]};
    }
    return w;
}

static const bool *could(struct world *w)
{
    struct pool p = {.sample = w->images, .n = ORIGINALS + CANDIDATES, .n_classes = 1};
    pool_could_take(&p, 10, w->could);
    return w->could + ORIGINALS;
}

TEST(a_bin_without_a_target_takes_nobody)
{
    struct world w = one_class();
    const bool *c = could(&w);
    assert_false(w.could[0]);
    assert_true(c[0]);
    assert_false(c[1] || c[2]);
    w.images[ORIGINALS].shown = w.images[ORIGINALS].selected = 0; /* counts in the lowest bin */
    assert_false(could(&w)[0]);
}

TEST(few_measured_originals_say_nothing_of_bins)
{
    struct world w = one_class();
    w.images[0].shown = w.images[0].selected = SAMPLE_ANSWERS_LEAST - 1;
    const bool *c = could(&w);
    assert_false(w.could[0]);
    assert_true(c[0] && c[1] && c[2]);
}

TEST(blacklisted_and_hidden_candidates_are_not_taken)
{
    struct world w = one_class();
    for (int i = 0; i < CANDIDATES; i++) {
        w.images[ORIGINALS + i].selected = 10;
    }
    w.images[ORIGINALS].blacklisted = true;
    w.images[ORIGINALS + 1].hidden = true;
    w.images[ORIGINALS + 2].near_duplicate = w.images[ORIGINALS + 2].unsearched = true;
    const bool *c = could(&w);
    assert_false(c[0] || c[1]);
    assert_true(c[2]);
}
