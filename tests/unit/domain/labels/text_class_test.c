/* text_class_test.c - texts as they are compared, what stands for several classes or none, and ranking by scores. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "domain/labels/text_class.h"

enum { TENCH, CRANE_BIRD, CRANE_MACHINE, MAILLOT, TANK_SUIT, DAISY };

static void open_list(struct text_list *l)
{
    text_list_init(l);
    text_list_add(l, SV("n01440764"), SV("tench|Tinca tinca"), TENCH);
    text_list_add(l, SV("n02012849"), SV("crane"), CRANE_BIRD);
    text_list_add(l, SV("n03126707"), SV("crane"), CRANE_MACHINE);
    text_list_add(l, SV("n03710637"), SV("maillot"), MAILLOT);
    text_list_add(l, SV("n03710721"), SV("maillot|tank suit|Tank_Suit"), TANK_SUIT);
    text_list_add(l, SV("n11939491"), SV("daisy|p\xc3\xa2querette|potter's wheel|hand-held flower"), DAISY);
}

static struct text_meaning meaning(const char *text, enum text_answers answers)
{
    struct text_list l;
    open_list(&l);
    struct text_meaning is = text_list_find(&l, answers, sv_of(text));
    text_list_release(&l);
    assert_int_equal(is.cid == TEXT_NO_CLASS, is.outcome != TEXT_CLASS);
    return is;
}

static void is_class(const char *text, uint16_t cid)
{
    assert_int_equal(meaning(text, TEXT_WORDS).cid, cid);
}

static void is_none(const char *text, enum text_outcome outcome)
{
    assert_int_equal(meaning(text, TEXT_WORDS).outcome, outcome);
}

TEST(letters_spaces_punctuation_and_one_article_do_not_matter)
{
    static const char *const same[] = {"tench",          "TENCH",           "  a Tench.",           "The tench!",     "\"tench\"", "\xe2\x80\x9ctench\xe2\x80\x9d",
                                       "\xc2\xabtench\xc2\xbb", "an\xc2\xa0tench", "tinca  tinca",    "Tinca_tinca",    "\ttinca\n tinca ", "te\xc2\xadnch",
                                       "*tench*",        "\xef\xbb\xbftench", "\xe3\x80\x8ctench\xe3\x80\x8d", "(tench)"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        is_class(same[i], TENCH);
    }
    is_class("potter\xe2\x80\x99s wheel", DAISY);
    is_class("hand\xe2\x80\x91held flower", DAISY);
    is_class("the p\xc3\xa2querette", DAISY);
}

TEST(what_means_something_else_does)
{
    static const char *const other[] = {"tenches",       "daisies", "a a tench",   "te nch",         "tench or daisy", "P\xc3\x82QUERETTE",
                                        "hand held flower", "a photo of a tench", "antench", "pa\xcc\x82querette", "tinca\xe3\x80\x80tinca x"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        is_none(other[i], TEXT_OUT_OF_LIST);
    }
}

TEST(a_synonym_of_several_classes_is_ambiguous_and_nothing_is_empty)
{
    is_none("crane", TEXT_AMBIGUOUS);
    is_none("A Crane.", TEXT_AMBIGUOUS);
    is_none("maillot", TEXT_AMBIGUOUS);
    is_class("tank suit", TANK_SUIT);
    static const char *const empty[] = {"", " ", "...", "\xe2\x80\xa6", "\xc2\xa0", "\xe2\x80\x8b", "?!"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        is_none(empty[i], TEXT_EMPTY);
    }
    is_none("the", TEXT_OUT_OF_LIST);
}

TEST(a_person_decides_before_all_else_but_not_twice)
{
    struct text_list l;
    open_list(&l);
    assert_true(text_list_decide(&l, SV("crane"), CRANE_BIRD));
    assert_true(text_list_decide(&l, SV("A crane"), CRANE_BIRD));
    assert_false(text_list_decide(&l, SV("Crane!"), CRANE_MACHINE));
    assert_false(text_list_decide(&l, SV(" - "), TENCH));
    assert_true(text_list_decide(&l, SV("tench"), DAISY));
    assert_int_equal(text_list_find(&l, TEXT_WORDS, SV("the crane")).cid, CRANE_BIRD);
    assert_int_equal(text_list_find(&l, TEXT_WORDS, SV("tench")).cid, DAISY);
    assert_int_equal(text_list_find(&l, TEXT_WORDS, SV("Tinca tinca")).cid, TENCH);
    text_list_release(&l);
}

TEST(wnids_and_numbers_are_read_where_the_recipe_says_so)
{
    enum text_answers answers;
    assert_true(text_answers_find(SV("numbers"), &answers) && answers == TEXT_NUMBERS);
    assert_false(text_answers_find(SV("poems"), &answers) || text_answers_find(SV(""), &answers));
    assert_int_equal(meaning(" N03126707.", TEXT_WNIDS).cid, CRANE_MACHINE);
    assert_int_equal(meaning("2.", TEXT_NUMBERS).cid, CRANE_MACHINE);
    assert_int_equal(meaning("tench", TEXT_NUMBERS).cid, TENCH);
    assert_int_equal(meaning("2", TEXT_WORDS).outcome, TEXT_OUT_OF_LIST);
    assert_int_equal(meaning("n03126707", TEXT_WORDS).outcome, TEXT_OUT_OF_LIST);
    static const char *const none[] = {"6", "65535", "65536", "-1", "99999999999999999999", "2 or 3"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(meaning(none[i], TEXT_NUMBERS).outcome, TEXT_OUT_OF_LIST);
    }
}

TEST(scores_rank_classes_once_and_ties_go_to_the_lower)
{
    const struct text_meaning none = {TEXT_OUT_OF_LIST, TEXT_NO_CLASS}, c[] = {{TEXT_CLASS, 0}, {TEXT_CLASS, 1}, {TEXT_CLASS, 2}, {TEXT_CLASS, 3},
                                                                              {TEXT_CLASS, 4}, {TEXT_CLASS, 5}};
    const struct text_meaning is[] = {c[3], none, c[1], c[2], c[1], c[0], none, c[4], c[5]};
    const double score[] = {-2, 0.5, 0.1, 0.5, 0.7, -2, -9, -10, -11};
    struct text_ranking r = text_rank(is, score, 9);
    static const size_t at[] = {4, 3, 1, 5, 0};
    assert_int_equal(r.n, TEXT_RANKED);
    for (int i = 0; i < r.n; i++) {
        assert_int_equal(r.at[i], at[i]);
    }
    r = text_rank(is, score, 2);
    assert_int_equal(r.n, 2);
    assert_int_equal(r.is[0].outcome, TEXT_OUT_OF_LIST);
    assert_int_equal(text_rank(is, score, 0).n, 0);
}

/* Against sorting everything: the first five of all classes and outsiders. */
TEST(ranking_is_that_of_sorting_all)
{
    uint32_t x = 7;
    for (int round = 0; round < 500; round++) {
        struct text_meaning is[40];
        double score[40], best[8];
        for (int i = 0; i < 40; i++) {
            x = x * 1664525 + 1013904223;
            uint16_t cid = (uint16_t)(x >> 24 & 7);
            is[i] = (struct text_meaning){TEXT_CLASS, cid};
            score[i] = (double)(x >> 16 & 15);
        }
        for (int k = 0; k < 8; k++) {
            best[k] = -INFINITY;
            for (int i = 0; i < 40; i++) {
                best[k] = is[i].cid == k ? fmax(best[k], score[i]) : best[k];
            }
        }
        struct text_ranking r = text_rank(is, score, 40);
        for (int place = 0; place < r.n; place++) {
            int top = 0;
            for (int k = 1; k < 8; k++) {
                top = best[k] > best[top] ? k : top;
            }
            assert_int_equal(r.is[place].cid, top);
            assert_true(r.score[place] == best[top]);
            best[top] = -INFINITY;
        }
    }
}

/* Many texts among many synonyms, each found: what would be slow if looking one up were a walk. */
TEST(a_hundred_thousand_texts_are_found)
{
    struct text_list l;
    char text[64];
    text_list_init(&l);
    for (int k = 0; k < 20000; k++) {
        snprintf(text, sizeof text, "thing %d|other %d|common %d", k, k, k / 2);
        text_list_add(&l, sv_of(""), sv_of(text), (uint16_t)k);
    }
    int found = 0, ambiguous = 0;
    for (int i = 0; i < 100000; i++) {
        snprintf(text, sizeof text, "A %s %d.", i % 2 ? "Thing" : "COMMON", i / 5 % 10000);
        struct text_meaning is = text_list_find(&l, TEXT_WORDS, sv_of(text));
        found += is.outcome == TEXT_CLASS && is.cid == i / 5 % 10000;
        ambiguous += is.outcome == TEXT_AMBIGUOUS;
    }
    assert_int_equal(found, 50000);
    assert_int_equal(ambiguous, 50000);
    text_list_release(&l);
}

TEST(a_long_text_is_no_trouble)
{
    struct text_list l;
    char text[4097];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    open_list(&l);
    assert_int_equal(text_list_find(&l, TEXT_WORDS, sv_of(text)).outcome, TEXT_OUT_OF_LIST);
    assert_true(text_list_decide(&l, sv_of(text), DAISY));
    assert_int_equal(text_list_find(&l, TEXT_WORDS, sv_of(text)).cid, DAISY);
    text_list_release(&l);
}
