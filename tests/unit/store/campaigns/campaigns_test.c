/* campaigns_test.c - terms are kept as given; names are checked; states are told as events. */
#include "unit.h"

#include "store/campaigns/campaigns.h"
#include "temp_project.h"
#include "world.h"

static struct campaign unusual(void)
{
    struct campaign k;
    campaign_defaults(&k);
    k.name = SV("a-1");
    k.kind = SV("pilot");
    k.title = SV("Tr\xc3\xa4ume");
    k.population = SV("students");
    k.currency = SV("EUR");
    k.layout = SV("v2");
    k.rule_text = SV("Any rule.");
    k.instruction_version = SV("7");
    k.completion_code = SV("C0DE");
    k.state = SV("paused");
    k.imported = k.simulated = k.same_image_again = k.bulk_select = true;
    k.shuffle = false;
    k.answers_per_grid = 11;
    k.grids_per_place = 12;
    k.places = 13;
    k.lease_seconds = 14;
    k.pay_cents = 15;
    k.min_screen = 16;
    k.max_share = 0.17;
    k.expected_minutes = 1.8;
    k.opens_at = 19;
    k.closes_at = 20;
    k.seed = 21;
    k.gold_per_grid = 5;
    k.coverage = 23;
    return k;
}

static void assert_same(const struct campaign *a, const struct campaign *b)
{
    const struct sv *x[] = {&a->name, &a->kind, &a->title, &a->population, &a->currency,
                            &a->layout, &a->rule_text, &a->instruction_version,
                            &a->completion_code, &a->state};
    const struct sv *y[] = {&b->name, &b->kind, &b->title, &b->population, &b->currency,
                            &b->layout, &b->rule_text, &b->instruction_version,
                            &b->completion_code, &b->state};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        assert_true(sv_eq(*x[i], *y[i]));
    }
    assert_int_equal(a->imported, b->imported);
    assert_int_equal(a->simulated, b->simulated);
    assert_int_equal(a->same_image_again, b->same_image_again);
    assert_int_equal(a->shuffle, b->shuffle);
    assert_int_equal(a->bulk_select, b->bulk_select);
    const int64_t p[] = {a->id, a->answers_per_grid, a->grids_per_place, a->places,
                         a->lease_seconds, a->pay_cents, a->min_screen, a->opens_at,
                         a->closes_at, a->seed, a->created_at, a->gold_per_grid, a->coverage};
    const int64_t q[] = {b->id, b->answers_per_grid, b->grids_per_place, b->places,
                         b->lease_seconds, b->pay_cents, b->min_screen, b->opens_at,
                         b->closes_at, b->seed, b->created_at, b->gold_per_grid, b->coverage};
    assert_memory_equal(p, q, sizeof p);
    assert_true(a->max_share == b->max_share && a->expected_minutes == b->expected_minutes);
}

PROJECT_TEST(terms_are_kept)
{
    struct temp_project *t = *state;
    struct campaign k = unusual(), found, got;
    assert_int_equal(campaigns_create(t->db, &k, 0, 99, &t->err), OK);
    assert_int_equal(k.created_at, 99);
    assert_int_equal(campaigns_find(t->db, SV("a-1"), &t->arena, &found, &t->err), OK);
    assert_int_equal(campaigns_get(t->db, k.id, &t->arena, &got, &t->err), OK);
    assert_same(&k, &found);
    assert_same(&k, &got);
    assert_int_equal(temp_int(t, "SELECT subject FROM event WHERE kind = 'campaign.create'"), k.id);
}

/* Who answers here comes by a study; an imported campaign has none. */
PROJECT_TEST(study_comes_with_it)
{
    struct temp_project *t = *state;
    struct campaign imported = unusual(), own = unusual();
    own.name = SV("own");
    own.imported = false;
    assert_int_equal(campaigns_create(t->db, &imported, 0, 99, &t->err), OK);
    assert_int_equal(campaigns_create(t->db, &own, 0, 99, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM study"), 1);
    assert_int_equal(temp_int(t, "SELECT campaign FROM study"), own.id);
}

PROJECT_TEST(taken_and_unknown)
{
    struct temp_project *t = *state;
    struct campaign k = unusual(), out;
    assert_int_equal(campaigns_create(t->db, &k, 0, 99, &t->err), OK);
    assert_int_equal(campaigns_create(t->db, &k, 0, 99, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "campaign-exists");
    assert_int_equal(campaigns_find(t->db, SV("b"), &t->arena, &out, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-campaign");
    assert_int_equal(campaigns_get(t->db, 77, &t->arena, &out, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-campaign");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM campaign"), 1);
}

PROJECT_TEST(names)
{
    char longest[65];
    memset(longest, 'x', sizeof longest);
    assert_true(campaign_name_ok(SV("main")));
    assert_true(campaign_name_ok(SV("0-9-z")));
    assert_true(campaign_name_ok(sv_make(longest, 64)));
    assert_false(campaign_name_ok(sv_make(longest, 65)));
    assert_false(campaign_name_ok(SV("")));
    static const char *const bad[] = {"Main", "a b", "a/b", "..", "a_b", "\xc3\xa4", "a\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(campaign_name_ok(sv_of(bad[i])));
    }
}

PROJECT_TEST(bad_texts_are_refused)
{
    struct temp_project *t = *state;
    struct campaign k = unusual();
    k.name = SV("a/b");
    assert_int_equal(campaigns_create(t->db, &k, 0, 99, &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "campaign-name");
    k = unusual();
    struct sv *texts[] = {&k.title, &k.population, &k.currency, &k.rule_text,
                          &k.instruction_version, &k.completion_code};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sv good = *texts[i];
        *texts[i] = SV("\xff");
        assert_int_equal(campaigns_create(t->db, &k, 0, 99, &t->err), ERR_INPUT);
        temp_clear(t, ERR_INPUT, "utf-8");
        *texts[i] = good;
    }
    assert_int_equal(temp_int(t, "SELECT count(*) FROM campaign"), 0);
    assert_int_equal(campaigns_create(t->db, &k, 0, 99, &t->err), OK);
}

/* The schema itself holds numbers within their limits. */
PROJECT_TEST(limits)
{
    struct temp_project *t = *state;
    struct campaign k = unusual();
    struct {
        int64_t *at, bad;
    } cases[] = {{&k.answers_per_grid, 0},  {&k.answers_per_grid, 1001}, {&k.grids_per_place, 0},
                 {&k.places, 0},            {&k.lease_seconds, 9},       {&k.pay_cents, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t good = *cases[i].at;
        *cases[i].at = cases[i].bad;
        assert_int_not_equal(campaigns_create(t->db, &k, 0, 99, &t->err), OK);
        err_clear(&t->err);
        *cases[i].at = good;
    }
    k.kind = SV("other");
    assert_int_not_equal(campaigns_create(t->db, &k, 0, 99, &t->err), OK);
    err_clear(&t->err);
}

PROJECT_TEST(list_and_state)
{
    struct temp_project *t = *state;
    struct campaign *list;
    size_t n;
    struct campaign own = world_terms("own"), draft = world_terms("draft"),
                    imported = world_terms("imported");
    draft.state = SV("draft");
    imported.imported = true;
    int64_t id = world_campaign(t->db, &own);
    world_campaign(t->db, &draft);
    world_campaign(t->db, &imported);
    assert_int_equal(campaigns_list(t->db, false, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 3);
    assert_true(sv_is(list[0].name, "imported") && sv_is(list[2].name, "own"));
    assert_int_equal(campaigns_list(t->db, true, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_true(sv_is(list[0].name, "own") && sv_is(list[0].state, "open"));
    assert_int_equal(campaigns_set_state(t->db, id, "closed", 0, WORLD_NOW, &t->err), OK);
    assert_int_equal(campaigns_get(t->db, id, &t->arena, &own, &t->err), OK);
    assert_true(sv_is(own.state, "closed"));
    assert_int_equal(temp_int(t, "SELECT subject FROM event WHERE kind = 'campaign.closed'"), id);
    assert_int_not_equal(campaigns_set_state(t->db, id, "asleep", 0, WORLD_NOW, &t->err), OK);
    err_clear(&t->err);
}
