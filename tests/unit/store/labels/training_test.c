/* training_test.c - store/labels/training_lists.h, training_answers.h: which images may not be shown, which answers fit and
 * count, which suggestions hold, what other work needs. */
#include "unit.h"

#include "store/labels/training_answers.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 6 };

struct training {
    struct temp_project *t;
    int64_t class_id[3], image[IMAGES], ada, grace, list;
};

static void run(struct temp_project *t, const char *sql)
{
    if (db_script(t->db, sql, &t->err) != OK) {
        fail_msg("%s: %s", sql, t->err.msg);
    }
}

/* A list of all images, whose label is the first class. */
static struct training open_list(void **state)
{
    struct training w = {.t = *state};
    struct training_item items[IMAGES];
    struct temp_project *t = w.t;
    assert_int_equal(db_script(t->db, "PRAGMA foreign_keys = OFF", &t->err), OK);
    for (unsigned i = 0; i < 3; i++) {
        w.class_id[i] = world_class(t->db, i + 1);
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        w.image[i] = world_image(t->db, i, w.class_id[0], "original");
        items[i] = (struct training_item){(uint32_t)w.image[i], (uint32_t)w.class_id[0]};
    }
    w.ada = world_account(t->db, "ada", "expert");
    w.grace = world_account(t->db, "grace", "expert");
    const struct training_new v = {.name = SV("one"), .unlocks = SV("group"), .made = MADE_FILE, .detail = "{}", .mark = 80, .span = 2,
                                   .items = items, .n = IMAGES};
    assert_int_equal(training_list_add(t->db, &v, WORLD_NOW, &w.list, &t->err), OK);
    assert_int_equal(training_list_add(t->db, &v, WORLD_NOW, &w.list, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "training-name");
    return w;
}

static bool barred(struct training *w, int i)
{
    bool is = false;
    assert_int_equal(training_barred(w->t->db, w->image[i], &is, &w->t->err), OK);
    return is;
}

PROJECT_TEST(images_of_other_work_and_what_is_like_them_are_barred)
{
    struct training w = open_list(state);
    struct temp_project *t = w.t;
    for (int i = 0; i < IMAGES; i++) {
        assert_false(barred(&w, i));
    }
    /* The first is evaluated on; the second was called the same photo, then that was taken back, the third has its bytes. */
    run(t, "INSERT INTO evaluation_image SELECT 1, 0, min(id), 0, NULL FROM image;"
           "INSERT INTO near_duplicate SELECT (SELECT min(name) FROM image), (SELECT name FROM image ORDER BY id LIMIT 1 OFFSET 1), 1, 1;"
           "UPDATE image SET source = 77 WHERE id IN (SELECT id FROM image ORDER BY id LIMIT 1 OFFSET 2) OR id = (SELECT min(id) FROM image)");
    assert_true(barred(&w, 0) && barred(&w, 1) && barred(&w, 2));
    assert_false(barred(&w, 3));
    /* A near-duplicate of the second, by way of an image that the project does not have, is barred as well. */
    run(t, "INSERT INTO near_duplicate SELECT '0000', (SELECT name FROM image ORDER BY id LIMIT 1 OFFSET 1), 1, 1;"
           "INSERT INTO near_duplicate SELECT '0000', (SELECT name FROM image ORDER BY id LIMIT 1 OFFSET 4), 1, 1");
    assert_true(barred(&w, 4));
    run(t, "INSERT INTO near_duplicate SELECT a, b, 2, 0 FROM near_duplicate WHERE a <> '0000'");
    assert_false(barred(&w, 1) || barred(&w, 4));
    /* The fourth is in a label review, as long as that is open. */
    run(t, "INSERT INTO label_review_image (review, position, image) SELECT 5, 0, id FROM image ORDER BY id LIMIT 1 OFFSET 3;"
           "INSERT INTO label_review_state VALUES (6, 5, 'open')");
    assert_true(barred(&w, 3));
    run(t, "INSERT INTO label_review_state VALUES (7, 5, 'closed')");
    assert_false(barred(&w, 3));
    /* The fourth is in a sealed revision, the sixth was called the same photo. */
    run(t, "INSERT INTO image_set VALUES (8, 'fresh', 'new');"
           "INSERT INTO revision (id, image_set, number, strategy, parameters, list) VALUES (9, 8, 0, 'import', '{}', 10);"
           "INSERT INTO set_list_image SELECT 10, 0, id, class FROM image ORDER BY id LIMIT 1 OFFSET 3;"
           "INSERT INTO near_duplicate SELECT min(name), max(name), 3, 1 FROM (SELECT name FROM image WHERE id IN"
           " (SELECT id FROM image ORDER BY id LIMIT 3 OFFSET 3) AND id NOT IN (SELECT id FROM image ORDER BY id LIMIT 1 OFFSET 4))");
    assert_true(barred(&w, 3) && barred(&w, 5));
    assert_false(barred(&w, 4));
    run(t, "INSERT INTO revision_state (id, revision, state, reason) VALUES (11, 9, 'unsealed', 'done')");
    assert_false(barred(&w, 3) || barred(&w, 5));
}

static struct training_answer_row answer(struct training *w, int64_t account, int position, int class_at)
{
    struct training_answer_row *rows;
    size_t n = 0;
    int64_t id;
    const struct training_answer_new v = {.list = w->list, .position = position, .account = account, .class_id = w->class_id[class_at]};
    assert_int_equal(training_answer_add(w->t->db, &v, WORLD_NOW, &id, &w->t->err), OK);
    assert_int_equal(training_answers_of(w->t->db, w->list, position, account, &w->t->arena, &rows, &n, &w->t->err), OK);
    assert_true(n > 0);
    assert_int_equal(rows[n - 1].id, id);
    return rows[n - 1];
}

PROJECT_TEST(the_first_answer_about_a_new_image_counts_and_equal_classes_fit)
{
    struct training w = open_list(state);
    struct temp_project *t = w.t;
    struct training_answer_row a = answer(&w, w.ada, 0, 1);
    assert_true(!a.fits && a.counts);
    a = answer(&w, w.ada, 0, 0);
    assert_true(a.fits && !a.counts); /* again */
    a = answer(&w, w.grace, 0, 0);
    assert_true(a.fits && a.counts); /* somebody else's first */
    run(t, "INSERT INTO account_saw SELECT min(a.id), (SELECT image FROM training_image WHERE position = 1), 'page', 1 FROM account a;"
           "INSERT INTO account_saw SELECT min(a.id), (SELECT image FROM training_image WHERE position = 2), 'training', 1 FROM account a");
    assert_false(answer(&w, w.ada, 1, 0).counts); /* seen on a page */
    assert_true(answer(&w, w.ada, 2, 0).counts);  /* only here */
    run(t, "INSERT INTO near_duplicate SELECT min(i.name), max(i.name), 1, 1 FROM training_image m JOIN image i ON i.id = m.image"
           " WHERE m.position IN (2, 4)");
    assert_false(answer(&w, w.ada, 4, 0).counts); /* its photo here, as another image */
    /* Classes that are equal fit, whichever way it was said, until that is taken back; contained ones do not. */
    run(t, "INSERT INTO class_relation SELECT 1, min(id), min(id) + 1, 'equal', '' FROM class;"
           "INSERT INTO class_relation SELECT 2, min(id), min(id) + 2, 'contains', '' FROM class");
    assert_true(answer(&w, w.ada, 3, 1).fits);
    assert_false(answer(&w, w.ada, 3, 2).fits);
    run(t, "INSERT INTO class_relation SELECT 3, min(id), min(id) + 1, 'none', '' FROM class");
    assert_false(answer(&w, w.ada, 3, 1).fits);
}

static void suggest(struct training *w, int64_t account, int class_at, enum training_verdict verdict, enum err_code want)
{
    int64_t id;
    const struct training_suggestion_new v = {.list = w->list, .account = account, .class_id = class_at < 0 ? 0 : w->class_id[class_at],
                                              .verdict = verdict, .comment = SV("why")};
    assert_int_equal(training_suggest(w->t->db, &v, WORLD_NOW, &id, &w->t->err), want);
    err_clear(&w->t->err);
}

PROJECT_TEST(the_newest_suggestion_holds_and_is_asked_about)
{
    struct training w = open_list(state);
    struct temp_project *t = w.t;
    struct training_suggested *rows;
    struct training_item *labels;
    size_t n = 0;
    answer(&w, w.ada, 0, 1);
    suggest(&w, w.grace, 1, SUGGEST_CORRECT, ERR_INPUT); /* she has not answered */
    suggest(&w, w.ada, 2, SUGGEST_CORRECT, ERR_INPUT);   /* not what she chose */
    suggest(&w, w.ada, 1, SUGGEST_PROBLEMATIC, ERR_INPUT);
    suggest(&w, w.ada, -1, SUGGEST_CORRECT, ERR_INPUT);
    suggest(&w, w.ada, 1, SUGGEST_UNCLEAR, OK);
    suggest(&w, w.ada, 1, SUGGEST_CORRECT, OK);
    suggest(&w, w.ada, -1, SUGGEST_PROBLEMATIC, OK);
    assert_int_equal(training_suggestions(t->db, w.image[0], &t->arena, &rows, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_true(sv_is(rows[0].verdict, "problematic") && sv_is(rows[1].verdict, "correct"));
    assert_int_equal(training_suggested_labels(t->db, &t->arena, &labels, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(labels[0].class_id, w.class_id[1]);
    suggest(&w, w.ada, 1, SUGGEST_DONTKNOW, OK);
    assert_int_equal(training_suggested_labels(t->db, &t->arena, &labels, &n, &t->err), OK);
    assert_int_equal(n, 0);
    suggest(&w, w.ada, 1, SUGGEST_NONE, OK);
    suggest(&w, w.ada, -1, SUGGEST_NONE, OK);
    assert_int_equal(training_suggestions(t->db, w.image[0], &t->arena, &rows, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM training_suggestion"), 6);
}

PROJECT_TEST(what_is_needed_is_the_newest_row)
{
    struct training w = open_list(state);
    struct temp_project *t = w.t;
    struct sv *needs;
    size_t n = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(training_need_set(t->db, FOR_EVALUATION, 9, SV("group"), true, 0, WORLD_NOW, &t->err), OK);
    }
    assert_int_equal(temp_int(t, "SELECT count(*) FROM training_need"), 1);
    assert_int_equal(training_needs(t->db, FOR_LABEL_REVIEW, 9, &t->arena, &needs, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(training_needs(t->db, FOR_EVALUATION, 9, &t->arena, &needs, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(training_need_set(t->db, FOR_EVALUATION, 9, SV("group"), false, 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(training_needs(t->db, FOR_EVALUATION, 9, &t->arena, &needs, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(w.list > 0, 1);
}
