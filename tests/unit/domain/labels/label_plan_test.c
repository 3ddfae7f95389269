/* label_plan_test.c - books of labels: found again, with one digest for one content, staged as candidates_find says. */
#include "unit.h"

#include "domain/labels/label_plan.h"

static void fill(struct label_plan_book *b, const char *source)
{
    label_plan_image(b, 4, 9);
    label_plan_label(b, 3)->origin = NAMED_FILE;
    b->labels[b->n_labels - 1].source = source;
    label_plan_label(b, 9)->origin = NAMED_SET | NAMED_MODEL;
    label_plan_image(b, 7, 2);
    label_plan_label(b, 2)->origin = NAMED_SET;
}

static bool same(const struct label_plan_book *x, const struct label_plan_book *y)
{
    struct str p, q;
    str_init(&p, 4096);
    str_init(&q, 4096);
    label_plan_pack(x, &p);
    label_plan_pack(y, &q);
    bool equal = sv_eq(str_sv(&p), str_sv(&q));
    str_release(&p);
    str_release(&q);
    return equal;
}

TEST(books_are_looked_up_and_packed)
{
    struct label_plan_book x = {.n = 0}, y = {.n = 0};
    fill(&x, "an expert");
    fill(&y, "an expert");
    assert_int_equal(label_plan_find(&x, 4), 0);
    assert_int_equal(label_plan_find(&x, 7), 1);
    assert_int_equal(label_plan_find(&x, 5), x.n);
    assert_non_null(label_plan_has(&x, 0, 9));
    assert_null(label_plan_has(&x, 1, 9));
    assert_true(same(&x, &y));
    y.labels[0].source = "somebody";
    assert_false(same(&x, &y));
    y.labels[0].source = "an expert";
    y.labels[1].rank = 0;
    assert_false(same(&x, &y));
    label_plan_release(&x);
    label_plan_release(&y);
    assert_string_equal(label_origin_word(NAMED_SET | NAMED_FILE), "set+file");
    assert_string_equal(label_origin_word(0), "proposed");
}

TEST(names_stand_in_addresses)
{
    struct err err = {OK, "", ""};
    assert_int_equal(label_plan_name_check(SV("val-1.x_Y"), &err), OK);
    const struct sv bad[] = {SV(""), SV(".x"), SV("a/1"), SV("a b"),
                             SV("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err_clear(&err);
        assert_int_equal(label_plan_name_check(bad[i], &err), ERR_INPUT);
        assert_string_equal(err.rule, "label-plan-name");
    }
}

TEST(stages_and_ranks_go_into_the_book)
{
    struct label_plan_book b = {.n = 0};
    const struct contains_count counts[] = {{1, 8, 9}, {2, 9, 9}, {3, 1, 9}, {5, 3, 4}};
    const struct candidates_ask ask = {.label = 1, .counts = counts, .n = 4, .tau = CANDIDATE_TAU, .least = 5, .most = 6};
    label_plan_image(&b, 10, 1);
    label_plan_stage(&b, &ask);
    assert_int_equal(b.images[0].stage, CANDIDATES_FU);
    const uint16_t ranks[] = {1, 0, LABEL_PLAN_NO_RANK, LABEL_PLAN_NO_RANK};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(b.labels[i].rank, ranks[i]);
        assert_int_equal(b.labels[i].selected, counts[i].selected);
        assert_int_equal(b.labels[i].shown, counts[i].shown);
    }
    label_plan_release(&b);
}
