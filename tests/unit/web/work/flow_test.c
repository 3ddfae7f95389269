/* flow_test.c - joining, leasing and submitting through the JSON API, as panels and scripts
 * do; what the rules refuse, and what a repeated request gives. */
#include "unit.h"

#include "base/clock.h"
#include "web/site.h"
#include "store/work/work.h"
#include "study/flow.h"
#include "world.h"

enum { CELLS = 8 };

struct scene {
    struct site *site;
    struct db *db;      /* another process that writes: the server sees what it commits */
    struct visitor v;
    struct campaign terms;
    int64_t class_id, campaign, grids[4];
    json_t *reply;      /* of the last request */
};

static void scene_open(struct scene *s, void **state)
{
    struct err err = {0};
    struct arena a;
    arena_init(&a, 4096);
    *s = (struct scene){.site = *state, .terms = world_terms("main")};
    assert_int_equal(db_open(fs_join(&a, s->site->dir, "holdout.db"), DB_WRITE, &s->db, &err), OK);
    arena_release(&a);
    visitor_init(&s->v, s->site);
}

/* The campaign with `n` grids of eight images that stand on no other. */
static void scene_plan(struct scene *s, unsigned n)
{
    int64_t images[CELLS];
    s->class_id = world_class(s->db, 1);
    s->campaign = world_campaign(s->db, &s->terms);
    for (unsigned g = 0; g < n; g++) {
        for (unsigned i = 0; i < CELLS; i++) {
            images[i] = world_image(s->db, CELLS * g + i, s->class_id, "candidate");
        }
        s->grids[g] = world_grid(s->db, s->campaign, s->class_id, images, CELLS);
    }
}

static void scene_close(struct scene *s)
{
    json_decref(s->reply);
    visitor_release(&s->v);
    db_close(s->db);
}

static long post(struct scene *s, const char *path, const char *body)
{
    long status = visit_json(&s->v, "POST", path, body);
    json_decref(s->reply);
    s->reply = json_loadb(s->v.body.p, s->v.body.n, 0, NULL);
    assert_non_null(s->reply);
    return status;
}

static const char *text(struct scene *s, const char *name)
{
    const char *value = json_string_value(json_object_get(s->reply, name));
    assert_non_null(value);
    return value;
}

static void assert_refused(struct scene *s, long status, long expected, const char *code)
{
    assert_string_equal(text(s, "code"), code);
    assert_int_equal(status, expected);
}

struct token {
    char text[CRYPTO_TOKEN_TEXT];
};

static struct token join(struct scene *s, const char *body)
{
    struct token place;
    assert_int_equal(post(s, "/api/v1/campaigns/main/places", body), 201);
    snprintf(place.text, sizeof place.text, "%s", text(s, "place"));
    return place;
}

/* False when the place is done; then the reply says why. */
static bool next(struct scene *s, const struct token *place, struct token *assignment)
{
    char path[128];
    snprintf(path, sizeof path, "/api/v1/places/%s/next", place->text);
    assert_int_equal(post(s, path, "{}"), 200);
    if (json_is_true(json_object_get(s->reply, "done"))) {
        return false;
    }
    assert_int_equal(json_integer_value(json_object_get(s->reply, "cells")), CELLS);
    snprintf(assignment->text, sizeof assignment->text, "%s", text(s, "assignment"));
    return true;
}

static void assert_done(struct scene *s, const struct token *place, const char *reason)
{
    struct token assignment;
    assert_false(next(s, place, &assignment));
    assert_string_equal(text(s, "reason"), reason);
}

static long submit(struct scene *s, const struct token *assignment, const char *body)
{
    char path[128];
    snprintf(path, sizeof path, "/api/v1/assignments/%s/answer", assignment->text);
    return post(s, path, body);
}

static void answer_next(struct scene *s, const struct token *place)
{
    struct token as;
    assert_true(next(s, place, &as));
    assert_int_equal(submit(s, &as, "{\"client_id\":\"client-0001\",\"selected\":[0]}"), 200);
    assert_string_equal(text(s, "status"), "stored");
}

SITE_TEST(joining_twice)
{
    struct scene s;
    scene_open(&s, state);
    scene_plan(&s, 1);
    struct token one = join(&s, "{\"external_id\":\"p1\"}");
    struct token again = join(&s, "{\"external_id\":\"p1\",\"source\":\"panel\"}");
    /* Where ids come from is the study's to say. */
    struct token elsewhere = join(&s, "{\"external_id\":\"p1\",\"source\":\"other\"}");
    struct token other = join(&s, "{\"external_id\":\"p2\"}");
    struct token nameless = join(&s, "{}"), another = join(&s, "{}");
    /* The same place, by secrets of their own: knowing an id is not having the first one. */
    assert_string_not_equal(one.text, again.text);
    assert_string_not_equal(again.text, elsewhere.text);
    assert_string_not_equal(one.text, other.text);
    assert_string_not_equal(nameless.text, another.text);
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM place"), 4);
    assert_int_equal(site_int(s.site, "SELECT count(DISTINCT code) FROM place"), 4);
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM identity WHERE source <> 'local'"), 2);
    scene_close(&s);
}

static void set_state(struct scene *s, const char *to)
{
    struct err err = {0};
    assert_int_equal(campaigns_set_state(s->db, s->campaign, to, 0, clock_wall_ms(), &err), OK);
}

SITE_TEST(joining_what_is_not_open)
{
    struct scene s;
    scene_open(&s, state);
    scene_plan(&s, 1);
    assert_refused(&s, post(&s, "/api/v1/campaigns/nothing/places", "{}"), 404, "no-campaign");
    set_state(&s, "draft");
    assert_refused(&s, post(&s, "/api/v1/campaigns/main/places", "{}"), 404, "no-campaign");
    set_state(&s, "paused");
    assert_refused(&s, post(&s, "/api/v1/campaigns/main/places", "{}"), 409, "campaign-not-open");
    struct campaign later = world_terms("later"), over = world_terms("over");
    later.opens_at = clock_wall_ms() + 3600000;
    over.closes_at = clock_wall_ms() - 1;
    world_campaign(s.db, &later);
    world_campaign(s.db, &over);
    assert_refused(&s, post(&s, "/api/v1/campaigns/later/places", "{}"), 409, "campaign-not-open");
    assert_refused(&s, post(&s, "/api/v1/campaigns/over/places", "{}"), 409, "campaign-not-open");
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM place"), 0);
    scene_close(&s);
}

SITE_TEST(study_full)
{
    struct scene s;
    scene_open(&s, state);
    s.terms.places = 2;
    scene_plan(&s, 1);
    struct token one = join(&s, "{\"external_id\":\"p1\"}");
    join(&s, "{\"external_id\":\"p2\"}");
    int64_t persons = site_int(s.site, "SELECT count(*) FROM person");
    assert_refused(&s, post(&s, "/api/v1/campaigns/main/places", "{\"external_id\":\"p3\"}"), 409,
                   "study-full");
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM person"), persons);
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM identity WHERE external_id = 'p3'"), 0);
    struct token again = join(&s, "{\"external_id\":\"p1\"}"); /* has a place already */
    assert_string_not_equal(one.text, again.text);
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM place"), 2);
    scene_close(&s);
}

SITE_TEST(next_twice_is_the_same)
{
    struct scene s;
    struct token first, again, second;
    scene_open(&s, state);
    scene_plan(&s, 4);
    struct token place = join(&s, "{}");
    assert_true(next(&s, &place, &first));
    assert_true(next(&s, &place, &again));
    assert_string_equal(first.text, again.text);
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM assignment"), 1);
    assert_int_equal(submit(&s, &first, "{\"client_id\":\"client-0001\",\"selected\":[]}"), 200);
    assert_true(next(&s, &place, &second));
    assert_string_not_equal(first.text, second.text);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(s.reply, "progress"),
                                                        "done")),
                     1);
    scene_close(&s);
}

SITE_TEST(grids_per_place)
{
    struct scene s;
    scene_open(&s, state);
    s.terms.grids_per_place = 2;
    s.terms.completion_code = SV("THANKS");
    scene_plan(&s, 4);
    struct token place = join(&s, "{}");
    assert_int_equal(json_integer_value(json_object_get(s.reply, "grids")), 2);
    answer_next(&s, &place);
    answer_next(&s, &place);
    assert_done(&s, &place, "finished");
    assert_string_equal(text(&s, "code"), "THANKS");
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM assignment"), 2);
    scene_close(&s);
}

/* Two grids of three answers are six; a quarter of them is one and a half. */
SITE_TEST(share_of_all_answers)
{
    struct scene s;
    scene_open(&s, state);
    s.terms.max_share = 0.25;
    scene_plan(&s, 2);
    struct token place = join(&s, "{}"), other = join(&s, "{}");
    answer_next(&s, &place);
    assert_done(&s, &place, "share");
    answer_next(&s, &other);
    assert_done(&s, &other, "share");
    scene_close(&s);
}

SITE_TEST(none_left_and_exactly_n)
{
    struct scene s;
    struct token one, two, none;
    scene_open(&s, state);
    s.terms.answers_per_grid = 1;
    scene_plan(&s, 2);
    struct token place = join(&s, "{}"), other = join(&s, "{}"), late = join(&s, "{}");
    assert_true(next(&s, &place, &one));
    assert_true(next(&s, &other, &two));
    assert_false(next(&s, &late, &none)); /* lent counts as much as answered */
    assert_string_equal(text(&s, "reason"), "none-left");
    assert_int_equal(submit(&s, &one, "{\"client_id\":\"client-0001\",\"selected\":[1]}"), 200);
    assert_done(&s, &place, "none-left");
    assert_done(&s, &late, "none-left");
    assert_int_equal(submit(&s, &two, "{\"client_id\":\"client-0001\",\"selected\":[1]}"), 200);
    assert_done(&s, &late, "none-left");
    assert_int_equal(site_int(s.site, "SELECT count(DISTINCT grid) FROM assignment"), 2);
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM answer WHERE surplus = 0"), 2);
    scene_close(&s);
}

/* A pause ends lending; what is lent may still be answered, and counts. */
SITE_TEST(pause)
{
    struct scene s;
    struct token as, again;
    scene_open(&s, state);
    scene_plan(&s, 2);
    struct token place = join(&s, "{}"), other = join(&s, "{}");
    assert_true(next(&s, &place, &as));
    set_state(&s, "paused");
    assert_done(&s, &other, "not-open");
    assert_true(next(&s, &place, &again));
    assert_string_equal(as.text, again.text);
    assert_int_equal(submit(&s, &as, "{\"client_id\":\"client-0001\",\"selected\":[1]}"), 200);
    assert_string_equal(text(&s, "status"), "stored");
    assert_done(&s, &place, "not-open");
    set_state(&s, "open");
    answer_next(&s, &place);
    scene_close(&s);
}

SITE_TEST(submitting_twice)
{
    struct scene s;
    struct token as;
    scene_open(&s, state);
    scene_plan(&s, 1);
    struct token place = join(&s, "{}");
    assert_true(next(&s, &place, &as));
    assert_int_equal(submit(&s, &as, "{\"client_id\":\"client-0001\",\"selected\":[1]}"), 200);
    json_int_t event = json_integer_value(json_object_get(s.reply, "event"));
    assert_true(event > 0);
    assert_int_equal(submit(&s, &as, "{\"client_id\":\"client-0001\",\"selected\":[1]}"), 200);
    assert_int_equal(json_integer_value(json_object_get(s.reply, "event")), event);
    assert_refused(&s, submit(&s, &as, "{\"client_id\":\"client-0002\",\"selected\":[1]}"), 409,
                   "already-answered");
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM answer"), 1);
    assert_int_equal(site_int(s.site, "SELECT id FROM answer"), event);
    scene_close(&s);
}

/* The cell that was selected as shown is the planned one in the row, and in the counters. */
SITE_TEST(mask_is_stored_as_planned)
{
    struct scene s;
    struct token as;
    uint8_t order[GRID_CELLS];
    scene_open(&s, state);
    scene_plan(&s, 1);
    for (int shown = 0; shown < 3; shown++) {
        char body[128];
        struct token place = join(&s, "{}");
        assert_true(next(&s, &place, &as));
        snprintf(body, sizeof body,
                 "{\"client_id\":\"client-%04d\",\"selected\":[%d],\"active_ms\":1234,"
                 "\"device\":{\"columns\":4}}", shown, shown);
        assert_int_equal(submit(&s, &as, body), 200);
        int64_t seed = site_int(s.site, "SELECT seed FROM assignment ORDER BY id DESC LIMIT 1");
        int64_t mask = site_int(s.site, "SELECT mask FROM answer ORDER BY id DESC LIMIT 1");
        grid_order((uint64_t)seed, true, CELLS, order);
        assert_int_equal(mask, INT64_C(1) << order[shown]);
    }
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM answer WHERE active_ms = 1234"
                                      " AND device ->> '$.columns' = 4"),
                     3);
    scene_close(&s);
}

SITE_TEST(bad_submissions)
{
    static const struct {
        const char *body, *code;
    } cases[] = {
        {"{\"client_id\":\"client-0001\",\"selected\":[8]}", "mask"},
        {"{\"client_id\":\"client-0001\",\"selected\":[63]}", "mask"},
        {"{\"client_id\":\"client-0001\",\"selected\":[-1]}", "mask"},
        {"{\"client_id\":\"client-0001\",\"selected\":[1,1]}", "mask"},
        {"{\"client_id\":\"client-0001\",\"selected\":[1.5]}", "mask"},
        {"{\"client_id\":\"client-0001\",\"selected\":[\"1\"]}", "mask"},
        {"{\"client_id\":\"client-0001\",\"selected\":{}}", "mask"},
        {"{\"client_id\":\"client-0001\"}", "mask"},
        {"{\"client_id\":\"short\",\"selected\":[]}", "client-id"},
        {"{\"client_id\":\"with a space\",\"selected\":[]}", "client-id"},
        {"{\"client_id\":12345678,\"selected\":[]}", "client_id"},
        {"{\"selected\":[]}", "client-id"},
        {"{\"client_id\":\"client-0001\",\"selected\":[],\"active_ms\":-1}", "active-ms"},
        {"{\"client_id\":\"client-0001\",\"selected\":[],\"active_ms\":86400001}", "active-ms"},
        {"{\"client_id\":\"client-0001\",\"selected\":[],\"active_ms\":\"1\"}", "active-ms"},
        {"{\"client_id\":\"client-0001\",\"selected\":[],\"device\":\"phone\"}", "device"},
        {"{\"client_id\":\"client-0001\",\"selected\":[", "json"},
        {"[]", "json"},
    };
    struct scene s;
    struct token as, unknown = {"AAAAAAAAAAAAAAAAAAAAAA"}, cut = {"AAAA"};
    scene_open(&s, state);
    scene_plan(&s, 1);
    struct token place = join(&s, "{}");
    assert_true(next(&s, &place, &as));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_refused(&s, submit(&s, &as, cases[i].body), 400, cases[i].code);
    }
    static const char good[] = "{\"client_id\":\"client-0001\",\"selected\":[7]}";
    assert_refused(&s, submit(&s, &unknown, good), 404, "no-assignment");
    assert_refused(&s, submit(&s, &cut, good), 404, "token");
    assert_refused(&s, submit(&s, &place, good), 404, "no-assignment"); /* of another kind */
    assert_int_equal(site_int(s.site, "SELECT count(*) FROM answer"), 0);
    assert_int_equal(submit(&s, &as, good), 200); /* nothing was spoilt */
    scene_close(&s);
}
