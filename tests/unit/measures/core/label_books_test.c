/* label_books_test.c - what people see is a label source by itself, and a version of it says for ever what it said. */
#include "unit.h"

#include "measures/core/label_books.h"
#include "measures/core/label_pick.h"
#include "store/core/events.h"
#include "temp_project.h"
#include "world.h"

enum { LABELS = 3, ANSWERS = 5 };

struct scene {
    int64_t label[LABELS], image, campaign, task;
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s;
    struct campaign k = world_terms("objects");
    k.classify = true;
    for (unsigned i = 0; i < LABELS; i++) {
        s.label[i] = world_class(t->db, i + 1);
    }
    s.campaign = world_campaign(t->db, &k);
    s.image = world_image(t->db, 1, s.label[0], "candidate");
    s.task = world_task(t->db, s.campaign, s.label[0], s.image, s.label, LABELS, 0);
    return s;
}

static int64_t tick(struct temp_project *t, const struct scene *s, uint64_t mask, int main)
{
    int64_t person = world_person(t->db);
    int64_t lent = world_lend(t->db, s->task, person, world_place(t->db, s->campaign, person), WORLD_NOW, WORLD_NOW + 1000);
    return world_ticks(t->db, lent, mask, main, WORLD_NOW + 10);
}

static struct label_version_row find(struct temp_project *t, const char *name)
{
    struct label_version_row v;
    assert_int_equal(label_source_find(t->db, sv_of(name), &t->arena, &v, &t->err), OK);
    return v;
}

static void refused(struct temp_project *t, const char *name, const char *rule)
{
    struct label_version_row v;
    assert_int_equal(label_source_find(t->db, sv_of(name), &t->arena, &v, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, rule);
}

PROJECT_TEST(there_is_none_before_somebody_answered)
{
    struct temp_project *t = *state;
    struct label_version_row *list;
    size_t n = 1;
    make_scene(t);
    assert_int_equal(label_source_newest(t->db, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 0);
    refused(t, "classify@default", "label-source");
    refused(t, "classify@other", "no-view");
}

PROJECT_TEST(answers_are_a_source_whose_versions_stay)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct label_book book;
    struct label_choice *choices;
    size_t n;
    int64_t then = 0, last;
    for (int i = 0; i < ANSWERS; i++) {
        then = tick(t, &s, 5, i < 3 ? 2 : 0);
    }
    struct label_version_row v = find(t, "classify@default");
    assert_int_equal(v.number, then);
    assert_int_equal(v.kind, LABEL_KIND_OBJECTS);
    assert_int_equal(v.images, 1);
    assert_int_equal(v.labels, 2);
    assert_int_equal(v.at, WORLD_NOW + 10);
    /* Two people who see one object, then four more: one object and another main label. */
    for (int i = 0; i < 6; i++) {
        last = tick(t, &s, 1, 0);
    }
    struct label_version_row now = find(t, "classify@default");
    assert_int_equal(now.number, last);
    assert_int_equal(label_source_read(t->db, &now, &book, &t->err), OK);
    assert_int_equal(book.n, 1);
    assert_int_equal(book.images[0].image, s.image);
    assert_int_equal(book.images[0].main_object, 0);
    assert_int_equal(book.n_labels, 2);
    assert_true(book.labels[0].main);
    assert_int_equal(book.labels[0].cid, 1);
    assert_int_equal(book.labels[0].votes, 11);
    assert_int_equal(book.labels[1].class_id, s.label[2]);
    assert_int_equal(book.labels[1].object, 0);
    label_book_release(&book);
    /* As of then. */
    v = find(t, arena_printf(&t->arena, "classify@default/%lld", (long long)then));
    assert_int_equal(label_source_read(t->db, &v, &book, &t->err), OK);
    assert_int_equal(book.labels[0].votes, ANSWERS);
    assert_int_equal(book.labels[1].object != book.labels[0].object, true);
    assert_true(book.labels[1].main);
    label_book_release(&book);
    refused(t, "classify@default/999999", "label-source");
    refused(t, "classify@default/x", "label-source");
    /* Where sources are chosen, it is one, by each rule that objects have. */
    assert_int_equal(label_pick_choices(t->db, &t->arena, &choices, &n, &t->err), OK);
    assert_int_equal(n, 4);
    assert_string_equal(choices[1].word, "classify@default:main");
    struct label_pick pick;
    assert_int_equal(label_pick_find(t->db, SV("classify@default:any"), &t->arena, &pick, &t->err), OK);
    assert_int_equal(pick.rule, LABEL_RULE_ANY);
    assert_true(sv_is(pick.name, arena_printf(&t->arena, "classify@default/%lld:any", (long long)last)));
}

PROJECT_TEST(images_of_a_set_are_covered_once_enough_people_answered)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t has, counts;
    struct revision_new r = world_list(&(struct revision_image){.image = (uint32_t)s.image, .class_id = (uint32_t)s.label[0]}, 1);
    int64_t revision = world_revision(t->db, &r);
    for (int i = 0; i < ANSWERS; i++) {
        tick(t, &s, 1, 0);
        struct label_version_row v = find(t, "classify@default");
        assert_int_equal(label_source_covers(t->db, &v, revision, &has, &counts, &t->err), OK);
        assert_int_equal(has, 1);
        assert_int_equal(counts, i + 1 == ANSWERS);
    }
}

/* A plan of candidates whose image 2 has one, about which the campaign asks. */
static int64_t plan_easy(struct temp_project *t, const struct scene *s)
{
    int64_t easy = world_image(t->db, 2, s->label[1], "candidate"), potential = world_event(t->db, "label-plan");
    int64_t plan = world_event(t->db, "label-plan");
    const char *sql = arena_printf(
        &t->arena,
        "INSERT INTO label_plan_list (id, digest, images, labels) VALUES (1, x'00', 1, 1);"
        "INSERT INTO label_plan_image (list, image, class, stage) VALUES (1, %lld, %lld, 'easy');"
        "INSERT INTO label_plan (id, kind, name, version, list, sealed, top, models, file, depths) VALUES"
        " (%lld, 'potential', 'p', 1, 1, 0, 5, '[]', '', '[]');"
        "INSERT INTO label_plan (id, kind, name, version, list, sealed, potential, vote_view, as_of, tau, least, most) VALUES"
        " (%lld, 'candidates', 'c', 1, 1, 0, %lld, (SELECT min(id) FROM vote_view), 1, 500, 5, 6);"
        "INSERT INTO label_plan_campaign (campaign, plan) VALUES (%lld, %lld);",
        (long long)easy, (long long)s->label[1], (long long)potential, (long long)plan, (long long)potential, (long long)s->campaign,
        (long long)plan);
    assert_int_equal(db_script(t->db, sql, &t->err), OK);
    return easy;
}

PROJECT_TEST(an_image_with_one_candidate_is_inferred)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct label_book book;
    int64_t has, counts, easy = plan_easy(t, &s);
    struct revision_image image = {.image = (uint32_t)easy, .class_id = (uint32_t)s.label[1]};
    struct revision_new r = world_list(&image, 1);
    int64_t revision = world_revision(t->db, &r);
    refused(t, "classify@default", "label-source");
    int64_t first = tick(t, &s, 1, 0);
    struct label_version_row v = find(t, "classify@default");
    assert_int_equal(v.number, first);
    assert_int_equal(v.images, 1);
    assert_int_equal(label_source_covers(t->db, &v, revision, &has, &counts, &t->err), OK);
    assert_int_equal(has, 1);
    assert_int_equal(counts, 1);
    assert_int_equal(label_source_read(t->db, &v, &book, &t->err), OK);
    assert_int_equal(book.n, 2); /* the one that was asked about has too few answers for labels */
    assert_int_equal(book.images[0].n, 0);
    assert_int_equal(book.images[1].image, easy);
    assert_true(book.images[1].inferred);
    assert_int_equal(book.n_labels, 1);
    assert_int_equal(book.labels[0].cid, 2);
    assert_true(book.labels[0].main);
    assert_int_equal(book.labels[0].object, 0);
    label_book_release(&book);
}
