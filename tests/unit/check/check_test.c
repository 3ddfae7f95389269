/* check_test.c - what the check of a project finds as a function: nothing in a sound one, and each kind of damage once. */
#include "unit.h"

#include "check/check.h"
#include "store/labels/label_looks.h"
#include "temp_project.h"
#include "world.h"

struct report {
    int n;
    char first[200];
};

static void keep(void *arg, const char *text)
{
    struct report *r = arg;
    if (r->n++ == 0) {
        snprintf(r->first, sizeof r->first, "%s", text);
    }
}

static struct check look(struct temp_project *t, struct report *r)
{
    return (struct check){.db = t->db, .arena = &t->arena, .err = &t->err, .dir = t->dir, .found = keep, .arg = r};
}

/* Two images without pixels, and two answers about them. */
static void make_work(struct temp_project *t)
{
    struct campaign k = world_terms("main");
    int64_t class_id = world_class(t->db, 1);
    int64_t images[2] = {world_image(t->db, 0, class_id, "candidate"), world_image(t->db, 1, class_id, "candidate")};
    int64_t campaign = world_campaign(t->db, &k);
    int64_t grid = world_grid(t->db, campaign, class_id, images, 2);
    world_vote(t->db, campaign, grid, 3, false);
    world_vote(t->db, campaign, grid, 0, false);
    /* The first image again, as a task with two labels: not a pair of image and class. */
    k = world_terms("objects");
    k.classify = true;
    campaign = world_campaign(t->db, &k);
    int64_t labels[2] = {class_id, world_class(t->db, 2)}, person = world_person(t->db);
    int64_t task = world_task(t->db, campaign, class_id, images[0], labels, 2, 0);
    int64_t place = world_place(t->db, campaign, person);
    world_ticks(t->db, world_lend(t->db, task, person, place, WORLD_NOW, WORLD_NOW + 1), 2, 1, WORLD_NOW);
}

PROJECT_TEST(sound)
{
    struct temp_project *t = *state;
    struct report r = {0};
    struct check c = look(t, &r);
    struct check_counts counts;
    make_work(t);
    assert_int_equal(check_project(&c, &counts), OK);
    assert_int_equal(check_database(&c), OK);
    assert_int_equal(r.n, 0);
    assert_int_equal(counts.pairs, 2);
    assert_int_equal(counts.sources, 0);
}

/* A training list of one image, and two answers with the right label. */
#define TRAINED                                                                                                        \
    "INSERT INTO account (id, person, role, password_hash, created_at) SELECT 1, min(id), 'expert', '', 1 FROM person;" \
    "INSERT INTO training_list SELECT max(id), 't', 't', 'file', '{}', 1, 1, 1, 80, 1 FROM event;"                     \
    "INSERT INTO training_state SELECT max(id), max(id), 'open' FROM event;"                                           \
    "INSERT INTO training_image SELECT (SELECT max(id) FROM event), 0, min(id), min(class) FROM image;"
#define ANSWERED(fits)                                                                                                 \
    "INSERT INTO training_answer SELECT e.id, t.list, 0, 1, t.class, " fits ", 1, 0, 0, NULL"                          \
    " FROM (SELECT id FROM event ORDER BY id DESC LIMIT 2) e JOIN training_image t;"

/* Each statement damages one thing; a rollback mends it for the next. `alone`: the database says so by itself. */
PROJECT_TEST(each_damage_is_found)
{
    static const struct {
        const char *sql, *says;
        bool alone;
    } cases[] = {
        {"UPDATE image_count SET n = n + 1", "counter: 1 image counts by class and role are wrong", true},
        {"DELETE FROM person WHERE id = 1", "names a missing row of person", true},
        {"UPDATE answer SET mask = 6 WHERE main = 1", "ticks what its CLASSIFY task does not offer", false},
        {"UPDATE answer SET mask = 0, main = NULL WHERE main = 1", "ticks what its CLASSIFY task does not offer", false},
        {"UPDATE answer SET main = 0 WHERE mask = 3", "selects a cell that its grid does not have", false},
        {"DELETE FROM grid_option WHERE position = 0", "is one without one image and options", false},
        {"UPDATE grid_option SET grid = 1", "has options without being a CLASSIFY task", false},
        {"UPDATE campaign SET answers_per_grid = 1", "rule: 1 grids have more accepted answers than", false},
        {"INSERT INTO source (sha256, bytes, type, width, height) VALUES (zeroblob(32), 1, 'png', 1, 1)",
         "orphan: 1 sources belong to no image", false},
        {"INSERT INTO model (id, name, kind, file) SELECT max(id), 'm', 'onnx', 'gone.onnx' FROM event",
         "/models/gone.onnx, the file of the model m", false},
        {TRAINED "UPDATE training_list SET images = 2", "the list t has 1 of its 2 images; restore", false},
        {TRAINED "DELETE FROM training_state", "the list t has 1 of its 1 images and no state", false},
        {TRAINED ANSWERED("1"), "1 answers count though the person had answered the image before in the list t", false},
        {TRAINED ANSWERED("0") "UPDATE training_answer SET counts = 0", "2 answers with the right label are called wrong", false},
        {TRAINED "INSERT INTO training_suggestion SELECT max(id), max(id), 0, 1, NULL, 'problematic', 'x', 0 FROM event",
         "1 suggestions are about labels that the person had not chosen", false},
    };
    struct temp_project *t = *state;
    struct check_counts counts;
    make_work(t);
    assert_int_equal(db_script(t->db, "PRAGMA foreign_keys = OFF", &t->err), OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct report whole = {0}, alone = {0};
        struct check c = look(t, &whole), d = look(t, &alone);
        assert_int_equal(db_tx_begin(t->db, &t->err), OK);
        assert_int_equal(db_script(t->db, cases[i].sql, &t->err), OK);
        assert_int_equal(check_project(&c, &counts), OK);
        assert_int_equal(check_database(&d), OK);
        db_tx_rollback(t->db);
        assert_non_null(strstr(whole.first, cases[i].says));
        assert_int_equal(alone.n > 0, cases[i].alone);
    }
}

/* A list of two images; two people say something of the first, one of them takes it back and says it again. */
static void make_review(struct temp_project *t)
{
    const uint32_t class_id = (uint32_t)world_class(t->db, 1);
    const struct revision_image images[2] = {{(uint32_t)world_image(t->db, 0, class_id, "candidate"), class_id},
                                             {(uint32_t)world_image(t->db, 1, class_id, "candidate"), class_id}};
    const struct revision_new set = world_list(images, 2);
    const struct label_review_ask asks[2] = {{class_id, 0, ORIGIN_SET}, {class_id, 0, ORIGIN_SET}};
    const struct label_review_item items[2] = {{.image = images[0].image, .p = 1, .first = 0, .n = 1}, {.image = images[1].image, .p = 1, .first = 1, .n = 1}};
    const struct label_review_new v = {.name = SV("dogs"), .models = SV("[]"), .revision = world_revision(t->db, &set), .seed = 1,
                                       .reviewers = 2, .items = items, .n = 2, .asks = asks};
    int64_t review = 0, look = 0, position, people[2] = {world_account(t->db, "ada", "expert"), world_account(t->db, "grace", "expert")};
    assert_int_equal(label_review_add(t->db, true, &v, WORLD_NOW, &review, &t->err), OK);
    for (int i = 0; i < 3; i++) {
        const struct look_verdict said = {class_id, i ? VERDICT_WRONG : VERDICT_CORRECT};
        const struct label_look_new k = {.review = review, .account = people[i > 0], .verdicts = &said, .n = 1, .problem = PROBLEMS, .comment = SV("")};
        assert_int_equal(label_look_add(t->db, &k, WORLD_NOW, &look, &t->err), OK);
        if (i == 1) {
            assert_int_equal(label_look_undo(t->db, review, look, people[1], WORLD_NOW, &position, &t->err), OK);
        }
    }
}

/* What is said of label reviews: the set's digest was not computed. */
static void keep_reviews(void *arg, const char *text)
{
    if (strncmp(text, "label review ", 13) == 0) {
        keep(arg, text);
    }
}

PROJECT_TEST(each_damage_of_a_label_review_is_found)
{
    static const struct {
        const char *sql, *says;
    } cases[] = {
        {"DELETE FROM label_review_state", "dogs: 2 images, but it was cut off"},
        {"UPDATE label_review SET images = 3", "dogs: 1 images more or less"},
        {"UPDATE label_review_label SET origins = 4 WHERE position = 1", "dogs: 1 images whose assigned label"},
        {"UPDATE label_review_label SET models = 2", "dogs: 2 labels whose origins"},
        {"UPDATE label_review_image SET p = 0.5 WHERE position = 0", "dogs: 1 images drawn at random with another chance"},
        {"UPDATE label_look_verdict SET position = 1", "dogs: 3 verdicts that are of another look"},
        {"UPDATE label_look_verdict SET added = 1", "dogs: 3 verdicts that say wrongly"},
        {"DELETE FROM label_look_verdict WHERE look = (SELECT max(look) FROM label_look_verdict)", "dogs: 1 saves that say nothing"},
        {"UPDATE label_look SET account = 1 WHERE part = 'undo'", "dogs: 1 saves taken back by what cannot"},
        {"UPDATE label_look SET part = 'repeat' WHERE id = (SELECT min(id) FROM label_look)", "dogs: 1 repeats of what was not"},
        {"UPDATE label_look SET guide = 1", "dogs: 4 saves with a version of the guide"},
        {"INSERT INTO label_suggestion SELECT review, position, class, 1 FROM label_review_label", "dogs: 1 suggestions more or less than half"},
        {"INSERT INTO label_stand SELECT max(e.id), k.review, 1, k.account, 'keep' FROM event e, label_look k GROUP BY k.review",
         "dogs: 1 times somebody makes something"},
    };
    struct temp_project *t = *state;
    struct check_counts counts;
    struct report sound = {0};
    struct check c = look(t, &sound);
    make_review(t);
    c.found = keep_reviews;
    assert_int_equal(check_project(&c, &counts), OK);
    assert_string_equal(sound.first, "");
    assert_int_equal(db_script(t->db, "PRAGMA foreign_keys = OFF", &t->err), OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct report r = {0};
        c = look(t, &r);
        c.found = keep_reviews;
        assert_int_equal(db_tx_begin(t->db, &t->err), OK);
        assert_int_equal(db_script(t->db, cases[i].sql, &t->err), OK);
        assert_int_equal(check_project(&c, &counts), OK);
        db_tx_rollback(t->db);
        assert_non_null(strstr(r.first, cases[i].says));
    }
}

PROJECT_TEST(files)
{
    struct temp_project *t = *state;
    struct report r = {0};
    struct check c = look(t, &r);
    struct check_counts counts;
    assert_int_equal(fs_mkdirs(fs_join(&t->arena, t->dir, "images"), &t->err), OK);
    unit_write(t->dir, "images/stray.jpg", "x", 1);
    assert_int_equal(check_project(&c, &counts), OK);
    assert_int_equal(r.n, 1);
    assert_non_null(strstr(r.first, "orphan: images/stray.jpg belongs to no row"));
    world_image_of(t->db, 0, world_class(t->db, 1), "candidate", 7);
    r = (struct report){0};
    assert_int_equal(check_project(&c, &counts), OK);
    assert_int_equal(counts.sources, 1);
    assert_int_equal(r.n, 4); /* original and two renditions */
    assert_non_null(strstr(r.first, "missing: "));
}
