/* search_terms_test.c - which words are searched for, and which step comes next. */
#include "unit.h"

#include "domain/classes/search_terms.h"

/* "step: term" lines. */
static const char *told(const struct search_class *k)
{
    struct search_term *terms;
    size_t n;
    const char *text = "";
    search_terms(k, &unit_arena, &terms, &n);
    for (size_t i = 0; i < n; i++) {
        text = arena_printf(&unit_arena, "%s%s: " SV_FMT "\n", text, search_steps[terms[i].step],
                            SV_ARG(terms[i].text));
    }
    return text;
}

/* ImageNet's own example (Deng et al. 2009), and the paper's. */
ARENA_TEST(published_examples)
{
    const struct sv hound[] = {SV("hound|hound dog")};
    const struct search_class whippet = {
        SV("whippet"), SV("small slender dog of greyhound type developed in England"), hound, 1};
    assert_string_equal(told(&whippet), "synonym: whippet\n"
                                        "parent-word: whippet dog\n");
    const struct sv phone[] = {SV("telephone|phone|telephone set")};
    const struct search_class dial = {
        SV("dial telephone|dial phone"),
        SV("a telephone with a dial for registering the number to be called"), phone, 1};
    assert_string_equal(told(&dial), "synonym: dial telephone\n"
                                     "synonym: dial phone\n"
                                     "parent-word: dial phone telephone\n"
                                     "compound: dialtelephone\n"
                                     "compound: dialphone\n");
}

ARENA_TEST(each_term_stands_once)
{
    const struct sv parents[] = {SV("the bird of prey"), SV("Bird")};
    const struct search_class k = {SV("sea eagle|Seaeagle| fish-eagle |"),
                                   SV("the large BIRD, of prey"), parents, 2};
    assert_string_equal(told(&k), "synonym: sea eagle\n"
                                  "synonym: Seaeagle\n"
                                  "synonym: fish-eagle\n"
                                  "parent-word: sea eagle bird\n"
                                  "parent-word: sea eagle prey\n"
                                  "parent-word: Seaeagle bird\n"
                                  "parent-word: Seaeagle prey\n"
                                  "parent-word: fish-eagle bird\n"
                                  "parent-word: fish-eagle prey\n"
                                  "compound: fisheagle\n");
    const struct search_class nothing = {.n_parents = 0};
    assert_string_equal(told(&nothing), "");
}

TEST(next_step)
{
    struct search_term terms[] = {{.step = SEARCH_SYNONYM, .text = SV("dial phone")},
                                  {.step = SEARCH_PARENT_WORD, .text = SV("dial phone telephone")},
                                  {.step = SEARCH_COMPOUND, .text = SV("dialphone")}};
    struct search_state s = {.terms = terms, .n_terms = 3, .first_results = 100};
    assert_int_equal(search_due(&s), SEARCH_SYNONYM);
    s.candidates = 80;
    assert_int_equal(search_due(&s), SEARCH_PARENT_WORD);
    terms[1].found = 3;
    assert_int_equal(search_due(&s), SEARCH_MORE_RESULTS);
    s.candidates = 101;
    assert_int_equal(search_due(&s), SEARCH_LONGER_RANGE);
    s.later = true;
    assert_int_equal(search_due(&s), SEARCH_COMPOUND);
    terms[2].found = 1;
    assert_int_equal(search_due(&s), SEARCH_BY_HAND);
    /* Steps that bring no term of their own are passed by; what is said to be done is done. */
    s = (struct search_state){.terms = terms, .n_terms = 1, .candidates = 5, .first_results = 100};
    assert_int_equal(search_due(&s), SEARCH_MORE_RESULTS);
    s.after = SEARCH_COMPOUND;
    assert_int_equal(search_due(&s), SEARCH_BY_HAND);
    s.after = SEARCH_BY_HAND;
    assert_int_equal(search_due(&s), SEARCH_BY_HAND);
    for (int i = 0; i < SEARCH_STEPS; i++) {
        assert_int_equal(search_step_of(sv_of(search_steps[i])), i);
    }
    assert_int_equal(search_step_of(SV("luck")), SEARCH_STEPS);
}

TEST(how_many_more)
{
    assert_int_equal(search_more(3, 11, 100), 28); /* 27.3 */
    assert_int_equal(search_more(3, 0, 100), 30);
    assert_int_equal(search_more(10, 0, 0), 100);
    assert_int_equal(search_more(0, 5, 50), 0);
}
