/* view_data_test.c - what pages say of a vote view: images that change their bin, people who are left
 * out, words. */
#include "unit.h"

#include <string.h>

#include "live/votes/view_count.h"
#include "temp_project.h"
#include "web/parts/view_data.h"
#include "world.h"

enum { IMAGES = 4, PEOPLE = 10 };

/* One grid of four candidates that ten people answer; person p selects the cells of masks[p]. */
struct small {
    struct tally *tally;
    int64_t campaign, persons[PEOPLE], answers[PEOPLE];
};

static void vote(struct temp_project *t, struct small *s, const uint64_t masks[PEOPLE])
{
    struct campaign terms = world_terms("main");
    int64_t class_id = world_class(t->db, 1), images[IMAGES];
    terms.answers_per_grid = PEOPLE;
    s->campaign = world_campaign(t->db, &terms);
    for (unsigned i = 0; i < IMAGES; i++) {
        images[i] = world_image(t->db, i + 1, class_id, "candidate");
    }
    int64_t grid = world_grid(t->db, s->campaign, class_id, images, IMAGES);
    for (unsigned p = 0; p < PEOPLE; p++) {
        s->persons[p] = world_person(t->db);
        int64_t place = world_place(t->db, s->campaign, s->persons[p]);
        int64_t lent = world_lend(t->db, grid, s->persons[p], place, WORLD_NOW, WORLD_NOW + 1000);
        s->answers[p] = world_answer(t->db, lent, masks[p], false, WORLD_NOW + 1 + p);
    }
    s->tally = tally_new();
    assert_int_equal(tally_fold(s->tally, t->db, &t->err), OK);
}

static struct view_counts count(struct temp_project *t, struct small *s, const char *filters,
                                int64_t as_of)
{
    struct view_counts v;
    struct view_ask ask = {.campaigns = &s->campaign, .n_campaigns = 1, .as_of = as_of};
    assert_int_equal(view_rules_parse(sv_of(filters), &ask.rules, &t->err), OK);
    assert_int_equal(view_count(s->tally, &ask, &v, &t->err), OK);
    return v;
}

/* Everybody selects cell 0, nobody cell 3, half of them cell 1; two select everything. */
static const uint64_t masks[PEOPLE] = {0xf, 0xf, 0x3, 0x3, 0x3, 0x1, 0x1, 0x1, 0x1, 0x1};

PROJECT_TEST(images_that_change_their_bin)
{
    struct temp_project *t = *state;
    struct small s;
    struct view_moves m[4];
    vote(t, &s, masks);
    struct view_counts v = count(t, &s, "[]", 0);
    view_data_moves(s.tally, &v, m);
    assert_int_equal(m[CELL_CANDIDATE].images, IMAGES);
    assert_int_equal(m[CELL_CANDIDATE].same, IMAGES);
    assert_int_equal(m[CELL_POSITIVE].images, 0);
    view_counts_release(&v);

    /* Without the two who select everything: 1 stays 1; .5 becomes 3/8, a bin lower; the two of .2
     * become 0, a bin lower. */
    v = count(t, &s, "[{\"rule\": \"not-all\"}]", 0);
    view_data_moves(s.tally, &v, m);
    assert_int_equal(m[CELL_CANDIDATE].images, IMAGES);
    assert_int_equal(m[CELL_CANDIDATE].same, 1);
    assert_int_equal(m[CELL_CANDIDATE].lower, 3);
    assert_int_equal(m[CELL_CANDIDATE].higher + m[CELL_CANDIDATE].gone + m[CELL_CANDIDATE].fresh, 0);
    view_counts_release(&v);

    /* Before the first answer nothing is counted. */
    v = count(t, &s, "[]", s.answers[0] - 1);
    view_data_moves(s.tally, &v, m);
    assert_int_equal(m[CELL_CANDIDATE].gone, IMAGES);
    view_counts_release(&v);
    tally_free(s.tally);
}

PROJECT_TEST(people_who_are_left_out)
{
    struct temp_project *t = *state;
    struct small s;
    size_t n;
    vote(t, &s, masks);
    struct view_counts v = count(t, &s, "[{\"rule\": \"not-none\"}, {\"rule\": \"not-all\"}]", 0);
    struct view_left *left = view_data_left(s.tally, &v, &t->arena, &n);
    assert_int_equal(n, 2);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(left[i].person, s.persons[i]);
        assert_int_equal(left[i].answers, 1);
        assert_int_equal(left[i].by[0], 0);
        assert_int_equal(left[i].by[1], 1);
    }
    view_counts_release(&v);
    v = count(t, &s, "[]", 0);
    view_data_left(s.tally, &v, &t->arena, &n);
    assert_int_equal(n, 0);
    view_counts_release(&v);
    tally_free(s.tally);
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

PROJECT_TEST(a_view_in_words)
{
    struct temp_project *t = *state;
    struct vote_view v = {.id = 9, .account = 2, .as_of = 1234, .versions = 3, .name = SV("strict"),
                          .description = SV("why"), .kinds = SV("main|pilot|top-up"),
                          .campaigns = SV("one|two"), .login = SV("maria")};
    assert_int_equal(view_rules_parse(sv_of("[{\"rule\": \"positive-least\", \"value\": 50}]"),
                                      &v.rules, &t->err), OK);
    json_t *j = view_data_view(&t->arena, &v);
    assert_string_equal(text_of(j, "counts"), "main, pilot and top-up campaigns; also one and two");
    assert_string_equal(text_of(j, "as_of"), "1,234");
    assert_string_equal(text_of(j, "by"), "maria");
    assert_string_equal(text_of(j, "edit_url"), "/views/strict/edit");
    json_t *filter = json_array_get(json_object_get(j, "filters"), 0);
    assert_non_null(text_of(filter, "warning"));
    json_decref(j);
    v.account = 0;
    v.kinds = SV("");
    v.as_of = 0;
    j = view_data_view(&t->arena, &v);
    assert_string_equal(text_of(j, "counts"), "one and two");
    assert_string_equal(text_of(j, "by"), "command line");
    assert_true(json_is_null(json_object_get(j, "as_of")));
    json_decref(j);
}

PROJECT_TEST(each_filter_with_and_without)
{
    struct temp_project *t = *state;
    struct small s;
    struct view_rules rules;
    static const char filters[] = "[{\"rule\": \"not-all\"}, {\"rule\": \"positive-least\", "
                                  "\"value\": 50}]";
    vote(t, &s, masks);
    assert_int_equal(view_rules_parse(sv_of(filters), &rules, &t->err), OK);
    struct view_counts v = count(t, &s, filters, 0);
    json_t *j = view_data_effect(&t->arena, &rules, &v), *rows = json_object_get(j, "rows");
    static const char *const kinds[] = {"none", "alone", "alone", "without", "without", "every"};
    static const char *const answers[] = {"10", "8", "10", "10", "8", "8"};
    assert_int_equal(json_array_size(rows), 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(text_of(json_array_get(rows, i), "kind"), kinds[i]);
        assert_string_equal(text_of(json_array_get(rows, i), "answers"), answers[i]);
    }
    assert_string_equal(text_of(json_array_get(rows, 1), "without_answers"), "2");
    assert_string_equal(text_of(json_array_get(rows, 1), "without_people"), "2");
    const json_t *originals = json_object_get(json_array_get(rows, 0), "originals");
    assert_string_equal(text_of(originals, "note"), "no votes");
    const json_t *candidates = json_object_get(json_array_get(rows, 0), "candidates");
    assert_string_equal(text_of(candidates, "value"), "0.475"); /* 19 of 40 */
    assert_int_equal(json_array_size(json_object_get(j, "warnings")), 2);
    json_decref(j);
    view_counts_release(&v);
    tally_free(s.tally);
}
