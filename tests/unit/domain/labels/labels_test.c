/* labels_test.c - domain/labels/labels.h and domain/labels/multilabel.h: what answers are to an image's labels, by hand. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "domain/labels/multilabel.h"

/* Objects {1: 4 votes, 2: 4, 3: 1}, {4}; 5 is in none. */
static void make(struct label_book *b, int main_object)
{
    static const struct label labels[] = {
        {.class_id = 12, .cid = 2, .object = 0, .votes = 4},
        {.class_id = 11, .cid = 1, .object = 0, .votes = 4},
        {.class_id = 13, .cid = 3, .object = 0, .votes = 1, .verdict = VERDICT_UNCLEAR},
        {.class_id = 14, .cid = 4, .object = 1, .votes = 2, .main = true},
        {.class_id = 15, .cid = 5, .object = -1, .votes = -1, .verdict = VERDICT_WRONG},
    };
    *b = (struct label_book){.n = 0};
    label_book_image(b, 7)->main_object = main_object;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        *label_book_label(b, labels[i].class_id, labels[i].cid) = labels[i];
    }
}

TEST(words_are_read_back)
{
    for (int i = 0; i < LABEL_KINDS; i++) {
        enum label_kind k = LABEL_KINDS;
        assert_true(label_kind_of(sv_of(label_kind_word((enum label_kind)i)), &k));
        assert_int_equal(k, i);
        assert_true(label_rule_fits(k, label_rule_usual(k)));
    }
    for (int i = 0; i < VERDICTS; i++) {
        enum label_verdict v = VERDICTS;
        assert_true(label_verdict_of(sv_of(label_verdict_word((enum label_verdict)i)), &v));
        assert_int_equal(v, i);
    }
    for (int i = 0; i < LABEL_RULES; i++) {
        enum label_rule r = LABEL_RULES;
        assert_true(label_rule_of(sv_of(label_rule_word((enum label_rule)i)), &r));
        assert_int_equal(r, i);
        assert_true(label_rule_bits(r) != 0);
    }
    struct err err = {0};
    assert_int_equal(label_name_check(SV("real-2"), &err), OK);
    static const char *const bad[] = {"", "set", ".a", "a/1", "a:strict", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(label_name_check(sv_of(bad[i]), &err), ERR_INPUT);
    }
}

TEST(what_answers_are_to_an_image)
{
    struct label_book b;
    unsigned char said[5];
    make(&b, -1);
    labels_said(b.labels, 5, said);
    assert_int_equal(said[0], SAID_CORRECT | SAID_OBJECT); /* as many votes, but a larger number */
    assert_int_equal(said[1], SAID_CORRECT | SAID_OBJECT | SAID_NAMES);
    assert_int_equal(said[2], SAID_UNCLEAR | SAID_OBJECT);
    assert_int_equal(said[3], SAID_CORRECT | SAID_OBJECT | SAID_NAMES | SAID_MAIN);
    assert_int_equal(said[4], SAID_WRONG);
    struct label_objects o = labels_objects(&b.images[0], b.labels, 3);
    assert_int_equal(o.objects, 2);
    assert_int_equal(o.main_object, 1); /* that of the main label */
    assert_int_equal(o.of_label, 0);
    assert_int_equal(labels_objects(&b.images[0], b.labels, 5).of_label, -1);
    b.images[0].main_object = 0;
    assert_int_equal(labels_objects(&b.images[0], b.labels, 3).main_object, 0);
    label_book_release(&b);
}

TEST(which_images_count)
{
    struct label_image i = {.n = 1}, none = {.n = 0};
    for (int k = 0; k < LABEL_KINDS; k++) {
        assert_true(label_image_counts((enum label_kind)k, &i));
        assert_int_equal(label_image_counts((enum label_kind)k, &none), k == LABEL_KIND_REVIEW);
    }
    i.partial = true;
    assert_false(label_image_counts(LABEL_KIND_REVIEW, &i));
    i = (struct label_image){.n = 1, .problematic = true};
    assert_false(label_image_counts(LABEL_KIND_REVIEW, &i));
}

/* Every field is in it: a book that differs in one is another. */
TEST(packed_books_differ_in_every_field)
{
    struct label_book a, b;
    struct str x, y;
    str_init(&x, 1 << 16);
    str_init(&y, 1 << 16);
    make(&a, -1);
    label_book_pack(&a, &x);
    for (int i = 0; i < 11; i++) {
        make(&b, -1);
        struct label_image *image = &b.images[0];
        struct label *l = &b.labels[2];
        *(i == 0 ? &image->image : i == 1 ? &l->class_id : &(uint32_t){0}) += 1;
        image->problematic = i == 2;
        image->partial = i == 3;
        image->inferred = i == 4;
        image->main_object = i == 5 ? 1 : -1;
        l->verdict = i == 6 ? VERDICT_WRONG : l->verdict;
        l->main = i == 7;
        l->object = i == 8 ? 1 : l->object;
        l->votes = i == 9 ? 9 : l->votes;
        y.n = 0;
        label_book_pack(&b, &y);
        assert_int_equal(i < 10, x.n != y.n || memcmp(x.p, y.p, x.n) != 0);
        label_book_release(&b);
    }
    str_release(&x);
    str_release(&y);
    label_book_release(&a);
}

TEST(answers_are_counted)
{
    struct multilabel_count c;
    multilabel_begin(&c, 4);
    multilabel_add(&c, SAID_CORRECT | SAID_SET, 1, false, false);
    multilabel_add(&c, SAID_UNCLEAR, 1, true, false);
    multilabel_add(&c, SAID_WRONG | SAID_SET, 2, true, true);
    multilabel_add(&c, SAID_DONTKNOW, 3, false, false);
    multilabel_add(&c, SAID_MAIN | SAID_NAMES | SAID_OBJECT, 3, true, true);
    const struct multilabel m = multilabel_end(&c);
    assert_int_equal(m.n, 5);
    assert_int_equal(m.correct, 1);
    assert_int_equal(m.unclear, 1);
    assert_int_equal(m.wrong, 1);
    assert_int_equal(m.dontknow, 1);
    assert_int_equal(m.unreviewed, 1);
    assert_int_equal(m.n_classes, 3);
    assert_true(fabs(m.mean_strict - 0.5 / 3) < 1e-15);
    assert_true(fabs(m.mean_lenient - 1.0 / 3) < 1e-15);
    assert_int_equal(m.part[PART_ALL].set, 2);
    assert_int_equal(m.part[PART_SINGLE].n, 2);
    assert_int_equal(m.part[PART_MULTI].n, 3);
    assert_int_equal(m.part[PART_DISAGREE].n, 2);
    assert_int_equal(m.part[PART_DISAGREE].main, 1);
    multilabel_begin(&c, 4);
    assert_true(isnan(multilabel_end(&c).mean_strict));
}
