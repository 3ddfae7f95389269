/* revision_facts_test.c - how a revision came about, as it is written with it: numbers, names,
 * records, removals. */
#include "unit.h"

#include <string.h>

#include "store/review/class_reviews.h"
#include "store/sets/sets.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 5 };

static void need(struct temp_project *t, enum err_code rc)
{
    if (rc != OK) {
        fail_msg("%s: %s", t->err.rule, t->err.msg);
    }
}

/* Images 1 to n of class 1; the digest is told by n. */
static struct revision_new *given(struct temp_project *t, size_t n)
{
    struct revision_new *r = arena_calloc(&t->arena, 1, sizeof *r);
    struct revision_image *images = arena_calloc(&t->arena, n, sizeof *images);
    if (temp_int(t, "SELECT count(*) FROM image") == 0) {
        int64_t class_id = world_class(t->db, 1);
        for (unsigned i = 0; i < IMAGES; i++) {
            world_image(t->db, i, class_id, "candidate");
        }
    }
    for (size_t i = 0; i < n; i++) {
        images[i] = (struct revision_image){(uint32_t)i + 1, 1};
    }
    *r = (struct revision_new){.set = SV("imagenetv2-b"),
                               .role = SV("new"),
                               .strategy = SV("import"),
                               .parameters = SV("{}"),
                               .images = images,
                               .n = n};
    r->digest[0] = (unsigned char)n;
    return r;
}

static int64_t add(struct temp_project *t, const struct revision_new *r, bool new)
{
    int64_t id = 0;
    bool added = !new;
    need(t, revisions_add(t->db, true, r, WORLD_NOW, &id, &added, &t->err));
    assert_int_equal(added, new);
    return id;
}

PROJECT_TEST(numbers_of_a_history)
{
    struct temp_project *t = *state;
    struct revision_new *r = given(t, 3);
    struct revision_row row;
    r->number = 8;
    int64_t id = add(t, r, true);
    need(t, revisions_find(t->db, SV("imagenetv2-b/7"), &t->arena, &row, &t->err));
    assert_true(row.id == id && row.number == 7);
    /* The same number with the same images is there already; with others it is refused. */
    assert_int_equal(add(t, r, false), id);
    struct revision_new *other = given(t, 2);
    other->number = 8;
    int64_t none = 0;
    bool added = true;
    assert_int_equal(revisions_add(t->db, true, other, WORLD_NOW, &none, &added, &t->err),
                     ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "set-number");
    assert_false(added);
    /* An earlier number may come later; without one it is the next. */
    other->number = 1;
    assert_true(add(t, other, true) > id);
    assert_int_equal(temp_int(t, "SELECT max(number) FROM revision"), 7);
    add(t, given(t, 4), true);
    assert_int_equal(temp_int(t, "SELECT max(number) FROM revision"), 8);
}

PROJECT_TEST(always_a_revision_of_its_own)
{
    struct temp_project *t = *state;
    struct revision_new *r = given(t, 3);
    int64_t id = add(t, r, true);
    assert_int_equal(add(t, r, false), id);
    r->always = true;
    assert_true(add(t, r, true) > id);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM set_list"), 1);
}

PROJECT_TEST(published_names)
{
    struct temp_project *t = *state;
    struct revision_row row;
    int64_t id = add(t, given(t, 3), true);
    need(t, revisions_find(t->db, SV("imagenetv2-b-0"), &t->arena, &row, &t->err));
    assert_int_equal(row.id, id);
    static const char *const unknown[] = {"imagenetv2-b-1",
                                          "imagenetv2-c-0",
                                          "imagenetv2-b-x",
                                          "imagenetv2-b-",
                                          "imagenetv2-b-0/0",
                                          "-0",
                                          "",
                                          "0"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_int_equal(revisions_find(t->db, sv_of(unknown[i]), &t->arena, &row, &t->err),
                         ERR_NOT_FOUND);
        temp_clear(t, ERR_NOT_FOUND, "set");
    }
    /* A set that has the whole name is meant first. */
    struct revision_new *r = given(t, 2);
    r->set = SV("imagenetv2-b-0");
    int64_t other = add(t, r, true);
    need(t, revisions_find(t->db, SV("imagenetv2-b-0"), &t->arena, &row, &t->err));
    assert_int_equal(row.id, other);
}

PROJECT_TEST(what_is_on_record)
{
    struct temp_project *t = *state;
    struct revision_facts f;
    struct revision_removal removals[] = {{9, 2, REMOVED_TAKEDOWN},
                                          {300, 1, REMOVED_NOT_DRAWN},
                                          {UINT32_MAX, 1, REMOVED_BLACKLISTED}};
    const struct revision_facts facts = {.seed = 0,
                                         .as_of = 1,
                                         .newest_image = 5,
                                         .vote_view = 1,
                                         .inputs = SV("{\"votes\":\"x\"}"),
                                         .facts = SV("{}"),
                                         .sampled = true,
                                         .valid = 1,
                                         .removals = removals,
                                         .n_removals = 3};
    struct revision_new *r = given(t, 3);
    int64_t plain = add(t, r, true);
    r = given(t, 4);
    r->facts = &facts;
    int64_t id = add(t, r, true);
    need(t, revision_facts_get(t->db, id, &t->arena, &f, &t->err));
    assert_true(f.revision == id && f.sampled && f.seed == 0 && f.as_of == 1 &&
                f.newest_image == 5);
    assert_true(f.vote_view == 1 && sv_is(f.inputs, "{\"votes\":\"x\"}") && sv_is(f.facts, "{}") &&
                f.valid == 1);
    assert_int_equal(f.n_removals, 3);
    const struct revision_removal want[] = {removals[1], removals[2], removals[0]};
    for (size_t i = 0; i < 3; i++) {
        assert_true(f.removals[i].image == want[i].image &&
                    f.removals[i].class_id == want[i].class_id &&
                    f.removals[i].reason == want[i].reason);
    }
    need(t, revision_facts_get(t->db, plain, &t->arena, &f, &t->err));
    assert_true(!f.sampled && f.valid == -1 && f.n_removals == 0 && f.facts.n == 0 && f.as_of == 0);
    assert_int_equal(revision_facts_get(t->db, 999, &t->arena, &f, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "set");
    /* A reason of a later program. */
    need(t, db_script(
                t->db,
                "UPDATE revision SET removals = x'0100000002000000ff' WHERE removals IS NOT NULL",
                &t->err));
    need(t, revision_facts_get(t->db, id, &t->arena, &f, &t->err));
    assert_true(f.n_removals == 1 && f.removals[0].image == 1 &&
                f.removals[0].reason == REMOVED_UNKNOWN);
    for (int k = 0; k < REMOVED_REASONS; k++) {
        assert_true(revision_removed_words[k] && *revision_removed_words[k]);
    }
}

PROJECT_TEST(reviews_from_the_start)
{
    struct temp_project *t = *state;
    const uint32_t carried[] = {1};
    struct class_review_row *rows;
    size_t n = 0;
    struct revision_new *r = given(t, 3);
    r->carried = carried;
    r->n_carried = 1;
    int64_t id = add(t, r, true);
    need(t, class_reviews_list(t->db, id, 0, &t->arena, &rows, &n, &t->err));
    assert_true(n == 1 && rows[0].class_id == 1 && rows[0].reviewed && !rows[0].problematic &&
                rows[0].carried);
    assert_int_equal(rows[0].event, id);
}
