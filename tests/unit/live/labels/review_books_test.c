/* review_books_test.c - what is kept of a label review is what its looks say, whatever comes and in whatever order it is asked. */
#include "unit.h"

#include <stdlib.h>

#include "base/rng.h"
#include "live/core/lent.h"
#include "live/labels/review_books.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 12, CLASSES = 4, ACCOUNTS = 3, ASKED = 2 };

struct scene {
    int64_t label[CLASSES], account[ACCOUNTS], review;
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s;
    struct revision_image images[IMAGES];
    struct label_review_item items[IMAGES];
    struct label_review_ask asks[IMAGES * ASKED];
    for (unsigned i = 0; i < CLASSES; i++) {
        s.label[i] = world_class(t->db, i + 1);
    }
    for (unsigned i = 0; i < ACCOUNTS; i++) {
        s.account[i] = world_account(t->db, (const char *const[]){"ada", "grace", "kim"}[i], "expert");
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        images[i] = (struct revision_image){.image = (uint32_t)world_image(t->db, i, s.label[0], "candidate"), .class_id = (uint32_t)s.label[0]};
        items[i] = (struct label_review_item){.image = images[i].image, .p = i % 2 ? 0.5 : 0, .first = (size_t)i * ASKED, .n = ASKED};
        asks[i * ASKED] = (struct label_review_ask){(uint32_t)s.label[0], 0, ORIGIN_SET};
        asks[i * ASKED + 1] = (struct label_review_ask){(uint32_t)s.label[1], 1, ORIGIN_MODEL};
    }
    struct revision_new r = world_list(images, IMAGES);
    const struct label_review_new v = {.name = sv_of("dogs"), .models = sv_of("[]"), .revision = world_revision(t->db, &r),
                                       .queue = QUEUE_CLASS, .reviewers = 2, .repeats = 10, .items = items, .n = IMAGES, .asks = asks};
    assert_int_equal(label_review_add(t->db, true, &v, WORLD_NOW, &s.review, &t->err), OK);
    return s;
}

static int64_t say(struct temp_project *t, const struct scene *s, struct rng *r)
{
    struct look_verdict said[CLASSES];
    struct label_look_new v = {.review = s->review, .position = (int64_t)rng_below(r, IMAGES), .account = s->account[rng_below(r, ACCOUNTS)],
                               .part = (enum look_part)rng_below(r, LOOK_PARTS), .verdicts = said,
                               .problem = rng_below(r, 4) ? PROBLEMS : PROBLEM_DRAWING, .comment = SV("")};
    int64_t look;
    for (unsigned k = 0; k < CLASSES; k++) {
        if (k == 0 || rng_below(r, 2)) {
            said[v.n++] = (struct look_verdict){(uint32_t)s->label[k], (unsigned char)rng_below(r, VERDICTS)};
        }
    }
    assert_int_equal(label_look_add(t->db, &v, WORLD_NOW, &look, &t->err), OK);
    if (rng_below(r, 4) == 0) {
        int64_t position;
        assert_int_equal(label_look_undo(t->db, s->review, look, v.account, WORLD_NOW, &position, &t->err), OK);
        return temp_int(t, "SELECT max(id) FROM label_look");
    }
    return look;
}

/* Returns how many images were read so far. */
static uint64_t assert_same(struct temp_project *t, int64_t last)
{
    struct label_book book;
    struct label_image_state *states;
    struct review_book b;
    struct str x, y;
    assert_int_equal(label_review_book(t->db, last, -1, &book, &states, &t->err), OK);
    assert_int_equal(review_book_look(t->db, last, &b, &t->err), OK);
    str_init(&x, 1 << 20);
    str_init(&y, 1 << 20);
    label_book_pack(&book, &x);
    label_book_pack(b.book, &y);
    assert_int_equal(x.n, y.n);
    assert_memory_equal(x.p, y.p, x.n);
    for (size_t i = 0; i < IMAGES; i++) {
        assert_int_equal(b.states[i].people, states[i].people);
        assert_int_equal(b.states[i].disputed, states[i].disputed);
        assert_int_equal(b.states[i].problem, states[i].problem);
        assert_int_equal(b.set_class[i] != 0, i % 2);
    }
    uint64_t read = b.read;
    review_book_let_go(&b);
    label_book_release(&book);
    free(states);
    str_release(&x);
    str_release(&y);
    return read;
}

PROJECT_TEST(what_is_kept_is_what_was_said)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct review_books *kept = review_books_new();
    struct rng r;
    int64_t before = 0;
    rng_seed(&r, 19);
    db_lend(t->db, &(struct live_lent){.reviews = kept});
    for (int i = 0; i < 200; i++) {
        int64_t last = say(t, &s, &r);
        if (i % 3 != 1) { /* some are asked for together */
            assert_same(t, last);
        }
        if (i % 20 == 7) { /* and one of the past */
            assert_same(t, before);
            assert_same(t, last);
        }
        before = last;
    }
    review_books_rest(kept, INT64_MAX);
    assert_same(t, before);
    db_lend(t->db, NULL);
    review_books_free(kept);
}

/* After a save only its image is read again. */
PROJECT_TEST(one_image_is_read_again)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct review_books *kept = review_books_new();
    struct rng r;
    rng_seed(&r, 3);
    db_lend(t->db, &(struct live_lent){.reviews = kept});
    assert_int_equal(assert_same(t, say(t, &s, &r)), IMAGES);
    assert_int_equal(assert_same(t, say(t, &s, &r)), IMAGES + 1);
    assert_int_equal(assert_same(t, temp_int(t, "SELECT max(id) FROM label_look")), IMAGES + 1);
    db_lend(t->db, NULL);
    review_books_free(kept);
}

static void add(struct temp_project *t, const struct scene *s, int64_t position, unsigned account, unsigned char verdict)
{
    const struct look_verdict said = {(uint32_t)s->label[0], verdict};
    const struct label_look_new v = {.review = s->review, .position = position, .account = s->account[account], .verdicts = &said,
                                     .n = 1, .problem = PROBLEMS, .comment = SV("")};
    int64_t look;
    assert_int_equal(label_look_add(t->db, &v, WORLD_NOW, &look, &t->err), OK);
}

PROJECT_TEST(how_far_it_is)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct label_review_row row;
    struct review_progress p;
    int64_t open = -1;
    assert_int_equal(label_reviews_find(t->db, sv_of("dogs"), &t->arena, &row, &t->err), OK);
    assert_int_equal(review_progress_read(t->db, &row, &t->arena, &p, &t->err), OK);
    assert_int_equal(p.begun, 0);
    assert_int_equal(review_first_open(t->db, &row, &open, &t->err), OK);
    assert_int_equal(open, 0);
    add(t, &s, 0, 0, VERDICT_CORRECT);
    add(t, &s, 0, 1, VERDICT_CORRECT);
    add(t, &s, 1, 0, VERDICT_CORRECT);
    add(t, &s, 1, 2, VERDICT_WRONG);
    add(t, &s, 2, 0, VERDICT_WRONG);
    assert_int_equal(label_reviews_find(t->db, sv_of("dogs"), &t->arena, &row, &t->err), OK);
    assert_int_equal(review_progress_read(t->db, &row, &t->arena, &p, &t->err), OK);
    assert_int_equal(p.done, 2);
    assert_int_equal(p.begun, 3);
    assert_int_equal(p.n_open, 1);
    assert_int_equal(p.open[0].position, 1);
    assert_int_equal(p.open[0].labels, 1);
    assert_int_equal(p.open[0].people, 2);
    assert_false(p.open[0].problematic);
    assert_int_equal(review_first_open(t->db, &row, &open, &t->err), OK);
    assert_int_equal(open, 2);
    int64_t has, counts;
    assert_int_equal(review_book_covers(t->db, row.last, row.revision, &has, &counts, &t->err), OK);
    assert_int_equal(has, IMAGES);
    assert_int_equal(counts, 2);
    assert_int_equal(review_book_covers(t->db, row.last, row.revision + 1, &has, &counts, &t->err), OK);
    assert_int_equal(has, 0);
    assert_int_equal(review_book_labels(t->db, row.last, &open, &t->err), OK);
    assert_int_equal(open, 3);
    assert_int_equal(review_book_look(t->db, row.last + 1, &(struct review_book){0}, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "label-review");
}

static struct label_next next(struct temp_project *t, int64_t account, int64_t from)
{
    struct label_review_row row;
    struct label_next n;
    assert_int_equal(label_reviews_find(t->db, sv_of("dogs"), &t->arena, &row, &t->err), OK);
    assert_int_equal(label_review_next(t->db, &row, account, from, &n, &t->err), OK);
    return n;
}

/* One in ten of one's own comes again, none of the latest ten; what was taken back does not count. */
PROJECT_TEST(what_comes_again)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    const int64_t ada = s.account[0];
    int64_t position;
    assert_int_equal(next(t, ada, 0).position, 0);
    assert_int_equal(next(t, ada, 5).position, 5);
    assert_int_equal(next(t, ada, -1).position, -1);
    for (int64_t i = 0; i < IMAGES; i++) {
        add(t, &s, i, 0, VERDICT_CORRECT);
    }
    struct label_next n = next(t, ada, 0);
    assert_true(n.repeat);
    assert_in_range(n.position, 0, 1);
    assert_false(next(t, s.account[1], 0).repeat);
    /* Eleven and ten are enough, nine are not. */
    for (int i = 0; i < 3; i++) {
        int64_t look = temp_int(t, "SELECT max(k.id) FROM label_look k WHERE k.part = 'review'"
                                   " AND NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id)");
        assert_true(next(t, ada, -1).repeat == (i < 2)); /* of ten, the latest ten are all */
        assert_int_equal(label_look_undo(t->db, s.review, look, ada, WORLD_NOW, &position, &t->err), OK);
    }
    assert_false(next(t, ada, 0).repeat);
}
