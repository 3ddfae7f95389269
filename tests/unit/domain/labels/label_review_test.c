/* label_review_test.c - domain/labels/label_review.h: words, what holds of several verdicts, disagreement of models. */
#include "unit.h"

#include "domain/labels/label_review.h"

TEST(words_are_read_back)
{
    for (int i = 0; i < REVIEW_QUEUES; i++) {
        enum review_queue q = REVIEW_QUEUES;
        assert_true(review_queue_of(sv_of(review_queue_word((enum review_queue)i)), &q));
        assert_int_equal(q, i);
    }
    for (int i = 0; i < PROBLEMS; i++) {
        enum problem p = PROBLEMS;
        assert_true(problem_of(sv_of(problem_word((enum problem)i)), &p));
        assert_int_equal(p, i);
        assert_true(problem_about(p)[0] != '\0');
    }
    enum review_queue q;
    enum problem p;
    assert_false(review_queue_of(SV("frequency"), &q));
    assert_false(problem_of(SV(""), &p));
}

static struct label_resolved resolve(const char *said, unsigned char adjudicated)
{
    unsigned char v[8];
    size_t n = strlen(said);
    for (size_t i = 0; i < n; i++) {
        v[i] = said[i] == 'c' ? VERDICT_CORRECT : said[i] == 'u' ? VERDICT_UNCLEAR : said[i] == 'w' ? VERDICT_WRONG
               : said[i] == 'd' ? VERDICT_DONTKNOW : LABEL_UNREVIEWED;
    }
    return label_resolve(v, n, adjudicated);
}

TEST(equal_verdicts_hold_and_others_are_unclear)
{
    static const struct {
        const char *said;
        int verdict;
        bool disagree;
    } rows[] = {{"", LABEL_UNREVIEWED, false},  {"-", LABEL_UNREVIEWED, false}, {"c", VERDICT_CORRECT, false},
                {"ccc", VERDICT_CORRECT, false}, {"c-c", VERDICT_CORRECT, false}, {"cw", VERDICT_UNCLEAR, true},
                {"uc", VERDICT_UNCLEAR, true},   {"cu", VERDICT_UNCLEAR, true},  {"cwu", VERDICT_UNCLEAR, true},
                {"uu", VERDICT_UNCLEAR, false},  {"wd", VERDICT_UNCLEAR, true},  {"dd", VERDICT_DONTKNOW, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct label_resolved r = resolve(rows[i].said, LABEL_UNREVIEWED);
        assert_int_equal(r.verdict, rows[i].verdict);
        assert_int_equal(r.disagree, rows[i].disagree);
    }
}

TEST(an_adjudication_holds_whatever_people_say)
{
    struct label_resolved r = resolve("cw", VERDICT_WRONG);
    assert_int_equal(r.verdict, VERDICT_WRONG);
    assert_false(r.disagree);
    assert_int_equal(resolve("", VERDICT_CORRECT).verdict, VERDICT_CORRECT);
}

TEST(models_disagree_by_what_most_of_them_do_not_say)
{
    assert_true(label_disagreement((const uint32_t[]){3, 1}, 2) == 0.25);
    assert_true(label_disagreement((const uint32_t[]){4, 0}, 2) == 0);
    assert_true(label_disagreement((const uint32_t[]){0}, 1) == 0);
    assert_true(label_disagreement(NULL, 0) == 0);
}
