/* views_test.c - named vote views: versions, what is refused, which campaigns and people they mean.
 */
#include "unit.h"

#include "store/people/notes.h"
#include "store/people/people.h"
#include "store/votes/views.h"
#include "temp_project.h"
#include "world.h"

static struct vote_view terms(const char *name)
{
    return (struct vote_view){.name = sv_of(name),
                              .kinds = SV("main|top-up"),
                              .description = SV("Quick answers are out.")};
}

static int64_t create(struct temp_project *t, const struct vote_view *v)
{
    int64_t id = -1;
    if (views_create(t->db, v, 0, WORLD_NOW, &id, &t->err) != OK) {
        fail_msg("%s: %s", t->err.rule, t->err.msg);
    }
    return id;
}

static void refused(struct temp_project *t, struct vote_view v, enum err_code code,
                    const char *rule)
{
    int64_t id = -1, events = temp_int(t, "SELECT count(*) FROM event");
    assert_int_equal(views_create(t->db, &v, 0, WORLD_NOW, &id, &t->err), code);
    temp_clear(t, code, rule);
    assert_int_equal(id, 0);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event"), events);
}

PROJECT_TEST(the_default_view_is_there)
{
    struct temp_project *t = *state;
    struct vote_view *list, v;
    size_t n;
    assert_int_equal(views_list(t->db, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(views_find(t->db, SV("default"), &t->arena, &v, &t->err), OK);
    assert_true(sv_is(v.kinds, "main|top-up") && v.campaigns.n == 0 && v.as_of == 0);
    assert_true(v.id == 1 && v.versions == 1 && v.rules.n == 0 && v.account == 0);
    views_find(t->db, SV("quick"), &t->arena, &v, &t->err);
    temp_clear(t, ERR_NOT_FOUND, "no-view");
}

PROJECT_TEST(the_newest_version_holds)
{
    struct temp_project *t = *state;
    struct vote_view *list, v = terms("quick"), got;
    size_t n;
    v.rules = (struct view_rules){1, {{RULE_ACTIVE_LEAST, 20.5, 0}}};
    int64_t first = create(t, &v);
    assert_int_equal(first, temp_int(t, "SELECT max(id) FROM event WHERE kind = 'views.create'"));
    assert_int_equal(create(t, &v), 0); /* says the same */
    v.rules.filters[0].value = 30;
    v.as_of = first;
    int64_t second = create(t, &v);
    assert_true(second > first);
    struct vote_view other = terms("all-kinds");
    create(t, &other);
    assert_int_equal(views_find(t->db, SV("quick"), &t->arena, &got, &t->err), OK);
    assert_true(got.id == second && got.versions == 2 && got.as_of == first);
    assert_true(got.at == WORLD_NOW && got.rules.n == 1 && got.rules.filters[0].value == 30);
    assert_true(sv_eq(got.description, v.description));
    assert_int_equal(views_list(t->db, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 3);
    assert_true(sv_is(list[0].name, "default") && sv_is(list[1].name, "all-kinds"));
    assert_int_equal(list[2].id, second);
    v.as_of = 0;
    v.rules.filters[0].value = 20.5; /* back to what the first said: a third version */
    assert_true(create(t, &v) > second);
}

/* A revision names its version for good, so it must be found behind any number of later ones. */
PROJECT_TEST(an_old_version_is_found)
{
    struct temp_project *t = *state;
    struct vote_view v = terms("quick"), *list, got;
    size_t n;
    int64_t first = create(t, &v), second = 0;
    for (int i = 0; i < 101; i++) {
        v.rules = (struct view_rules){1, {{RULE_ACTIVE_LEAST, i + 1, 0}}};
        int64_t id = create(t, &v);
        second = second ? second : id;
    }
    assert_int_equal(views_versions(t->db, v.name, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 100);
    assert_int_equal(views_version(t->db, first, v.name, &t->arena, &got, &t->err), OK);
    assert_true(got.id == first && got.versions == 1 && got.rules.n == 0);
    assert_int_equal(views_version(t->db, second, SV(""), &t->arena, &got, &t->err), OK);
    assert_true(got.id == second && got.versions == 2 && sv_is(got.name, "quick"));
    views_version(t->db, first, SV("default"), &t->arena, &got, &t->err);
    temp_clear(t, ERR_NOT_FOUND, "no-view");
}

PROJECT_TEST(who_made_it_is_told)
{
    struct temp_project *t = *state;
    struct vote_view v = terms("mine"), got;
    int64_t id = 0, person = world_person(t->db);
    assert_int_equal(people_identify(t->db, 1, 0, person, SV("local"), SV("ada"), SV(""), &t->err),
                     OK);
    assert_int_equal(db_run(t->db,
                            "INSERT INTO account (id, person, role, password_hash, created_at)"
                            " VALUES (9, ?1, 'lead', '', 0)",
                            DB_VALS(db_int(person)), &t->err),
                     OK);
    assert_int_equal(views_create(t->db, &v, 9, WORLD_NOW, &id, &t->err), OK);
    assert_int_equal(views_find(t->db, SV("mine"), &t->arena, &got, &t->err), OK);
    assert_int_equal(got.account, 9);
    assert_true(sv_is(got.login, "ada"));
}

PROJECT_TEST(bad_views_are_refused)
{
    static const char *const names[] = {
        "",    "default",  "Quick", "a b",
        "a/b", "\xc3\xa4", "new",   "a123456789-123456789-123456789-123456789x"};
    struct temp_project *t = *state;
    char text[VIEW_TEXT_MOST + 1];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        refused(t, terms(names[i]), ERR_INPUT, "view-name");
    }
    struct vote_view v = terms("quick");
    memset(text, 'x', sizeof text);
    v.description = sv_make(text, sizeof text);
    refused(t, v, ERR_INPUT, "view-text");
    v.description = SV("\xff");
    refused(t, v, ERR_INPUT, "view-text");
    static const char *const kinds[] = {"mains",     "main|", "|main",       "main||top-up",
                                        "main|main", "\xff",  "main top-up", "%"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        v = terms("quick");
        v.kinds = sv_of(kinds[i]);
        refused(t, v, ERR_INPUT, "view-kind");
    }
    v = terms("quick");
    v.campaigns = SV("nowhere");
    refused(t, v, ERR_INPUT, "view-campaign");
    v.campaigns = v.kinds = SV("");
    refused(t, v, ERR_INPUT, "view-campaign");
    v = terms("quick");
    v.as_of = -1;
    refused(t, v, ERR_INPUT, "view-as-of");
    v.as_of = temp_int(t, "SELECT max(id) + 1 FROM event");
    refused(t, v, ERR_INPUT, "view-as-of");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM vote_view"), 1);
}

PROJECT_TEST(there_is_an_end_to_names)
{
    struct temp_project *t = *state;
    char name[16];
    struct vote_view v;
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    for (int i = 1; i < VIEWS_MOST; i++) {
        snprintf(name, sizeof name, "view-%d", i);
        v = terms(name);
        create(t, &v);
    }
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    refused(t, terms("one-more"), ERR_LIMIT, "views-most");
    v.description = SV("a version of one that is there");
    assert_true(create(t, &v) > 0);
}

static void assert_ids(const int64_t *got, size_t n, const int64_t *want, size_t m)
{
    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(got[i], want[i]);
    }
}

PROJECT_TEST(campaigns_by_kind_and_by_name)
{
    static const char *const kinds[] = {"pilot", "main", "top-up", "main"};
    static const char *const names[] = {"trial", "main", "more", "main-2"};
    struct temp_project *t = *state;
    int64_t ids[4], *got;
    size_t n;
    for (int i = 0; i < 4; i++) {
        struct campaign k = world_terms(names[i]);
        k.kind = sv_of(kinds[i]);
        ids[i] = world_campaign(t->db, &k);
    }
    struct vote_view v = {.kinds = SV("main|top-up")};
    assert_int_equal(views_campaigns(t->db, &v, &t->arena, &got, &n, &t->err), OK);
    assert_ids(got, n, ids + 1, 3);
    v = (struct vote_view){.kinds = SV("top-up"), .campaigns = SV("trial|main-2")};
    assert_int_equal(views_campaigns(t->db, &v, &t->arena, &got, &n, &t->err), OK);
    assert_ids(got, n, (int64_t[]){ids[0], ids[2], ids[3]}, 3);
    v = (struct vote_view){.campaigns = SV("main")}; /* whole names only */
    assert_int_equal(views_campaigns(t->db, &v, &t->arena, &got, &n, &t->err), OK);
    assert_ids(got, n, ids + 1, 1);
    v = terms("named");
    v.campaigns = SV("main|trial");
    assert_true(create(t, &v) > 0);
}

PROJECT_TEST(who_was_blocked_when)
{
    struct temp_project *t = *state;
    int64_t a = world_person(t->db), b = world_person(t->db), c = world_person(t->db), *got;
    size_t n;
    assert_int_equal(views_blocked(t->db, 0, &t->arena, &got, &n, &t->err), OK);
    assert_int_equal(n, 0);
    const struct {
        int64_t person;
        const char *kind;
    } notes[] = {{c, "block"}, {a, "block"}, {b, "block"}, {b, "unblock"}, {c, "block"}};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        assert_int_equal(notes_add(t->db, notes[i].person, notes[i].kind, SV("why"), 0, 5, &t->err),
                         OK);
    }
    assert_int_equal(views_blocked(t->db, 0, &t->arena, &got, &n, &t->err), OK);
    assert_ids(got, n, (int64_t[]){a, c}, 2);
    int64_t last = temp_int(t, "SELECT max(id) FROM person_note");
    const struct {
        int64_t as_of, people[3];
        size_t n;
    } then[] = {{last - 5, {0}, 0},
                {last - 4, {c}, 1},
                {last - 3, {a, c}, 2},
                {last - 2, {a, b, c}, 3},
                {last - 1, {a, c}, 2}};
    for (size_t i = 0; i < sizeof then / sizeof *then; i++) {
        assert_int_equal(views_blocked(t->db, then[i].as_of, &t->arena, &got, &n, &t->err), OK);
        assert_ids(got, n, then[i].people, then[i].n);
    }
}

/* Who is forgotten is not in a view's description either. */
PROJECT_TEST(forgetting_reaches_descriptions)
{
    struct temp_project *t = *state;
    struct vote_view v = terms("quick"), got;
    int64_t person = world_person(t->db);
    assert_int_equal(
        people_identify(t->db, 1, 0, person, SV("panel"), SV("5f3ab2c9d1"), SV(""), &t->err), OK);
    v.description = SV("without 5f3ab2c9d1, who did not look");
    create(t, &v);
    world_forget(t->db, person);
    assert_int_equal(views_find(t->db, SV("quick"), &t->arena, &got, &t->err), OK);
    assert_true(sv_is(got.description, "without [erased], who did not look"));
}
