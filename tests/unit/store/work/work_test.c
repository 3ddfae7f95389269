/* work_test.c - rows of the voting path: places, assignments, answers, states, imports, leases. */
#include "unit.h"

#include "store/people/people.h"
#include "store/work/visits.h"
#include "store/work/work.h"
#include "temp_project.h"
#include "world.h"

struct scene {
    int64_t class_id, campaign, images[6], grid[3], person, place;
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s;
    struct campaign k = world_terms("main");
    s.class_id = world_class(t->db, 1);
    s.campaign = world_campaign(t->db, &k);
    for (unsigned i = 0; i < 6; i++) {
        s.images[i] = world_image(t->db, i, s.class_id, "candidate");
    }
    for (unsigned i = 0; i < 3; i++) {
        s.grid[i] = world_grid(t->db, s.campaign, s.class_id, s.images + 2 * i, 2);
    }
    s.person = world_person(t->db);
    s.place = world_place(t->db, s.campaign, s.person);
    return s;
}

PROJECT_TEST(place)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct place p = {.campaign = s.campaign, .person = world_person(t->db), .code = SV("CODE"),
                      .consent_version = SV("3"), .token = "0123456789abcde"}, out;
    bool found = false;
    int64_t n;
    unsigned char hash[WORK_HASH] = "the hash of that secret", other[WORK_HASH] = "another";
    unsigned char guest[WORK_HASH] = "of who only knows an id";
    int64_t visit = 0;
    assert_int_equal(work_place_create(t->db, &p, hash, 55, &t->err), OK);
    assert_int_equal(p.joined_at, 55);
    assert_int_equal(work_place_find(t->db, hash, &t->arena, &out, &t->err), OK);
    assert_int_equal(out.id, p.id);
    assert_true(out.own && out.visit == VISIT_FIRST);
    assert_int_equal(visits_create(t->db, p.id, guest, false, 60, &visit, &t->err), OK);
    assert_int_equal(work_place_find(t->db, guest, &t->arena, &out, &t->err), OK);
    assert_true(!out.own && out.visit == visit && out.id == p.id);
    assert_int_equal(out.joined_at, 55);
    assert_true(sv_is(out.code, "CODE") && sv_is(out.consent_version, "3"));
    assert_int_equal(work_place_get(t->db, p.id, &t->arena, &out, &t->err), OK);
    assert_int_equal(out.person, p.person);
    assert_int_equal(work_place_of(t->db, s.campaign, p.person, &t->arena, &out, &found, &t->err),
                     OK);
    assert_true(found && out.id == p.id);
    assert_int_equal(work_place_of(t->db, s.campaign + 1, p.person, &t->arena, &out, &found,
                                   &t->err),
                     OK);
    assert_false(found);
    assert_int_equal(work_places_count(t->db, s.campaign, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_int_equal(work_place_get(t->db, 99, &t->arena, &out, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-place");
    assert_int_equal(work_place_find(t->db, other, &t->arena, &out, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-place");
    assert_int_not_equal(work_place_create(t->db, &p, other, 55, &t->err), OK); /* one per person */
    err_clear(&t->err);
}

PROJECT_TEST(assignment)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct assignment as = {.grid = s.grid[1], .person = s.person, .place = s.place,
                            .leased_at = 10, .lease_until = 20, .has_seed = true,
                            .seed = UINT64_C(9007199254740991), .token = "token-of-an-as."}, out;
    bool had;
    assert_int_equal(work_assignment_create(t->db, &as, &t->err), OK);
    assert_int_equal(work_assignment_find(t->db, as.token, &t->arena, &out, &t->err), OK);
    assert_int_equal(out.id, as.id);
    assert_int_equal(out.campaign, s.campaign);
    assert_int_equal(out.class_id, s.class_id);
    assert_true(out.has_seed && out.seed == as.seed);
    assert_int_equal(out.answer, 0);
    as.lease_until = 30;
    as.ahead = true;
    assert_int_equal(work_assignment_lease(t->db, &as, &t->err), OK);
    assert_int_equal(work_assignment_find(t->db, as.token, &t->arena, &out, &t->err), OK);
    assert_int_equal(out.lease_until, 30);
    assert_true(out.ahead);
    assert_int_equal(work_had_grid(t->db, s.grid[1], s.person, &had, &t->err), OK);
    assert_true(had);
    assert_int_equal(work_had_grid(t->db, s.grid[0], s.person, &had, &t->err), OK);
    assert_false(had);
    as.token[0]++;
    assert_int_equal(work_assignment_find(t->db, as.token, &t->arena, &out, &t->err),
                     ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-assignment");
    assert_int_not_equal(work_assignment_create(t->db, &as, &t->err), OK); /* never twice */
    err_clear(&t->err);
    as.grid = s.grid[0];
    as.has_seed = false;
    assert_int_equal(work_assignment_create(t->db, &as, &t->err), OK);
    assert_int_equal(work_assignment_find(t->db, as.token, &t->arena, &out, &t->err), OK);
    assert_false(out.has_seed);
}

PROJECT_TEST(place_state)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct place_work work;
    assert_int_equal(work_place_state(t->db, s.place, &t->arena, &work, &t->err), OK);
    assert_int_equal(work.newest.id, 0);
    assert_int_equal(work.lent + work.answered, 0);
    int64_t one = world_lend(t->db, s.grid[0], s.person, s.place, WORLD_NOW, WORLD_NOW + 5);
    int64_t two = world_lend(t->db, s.grid[1], s.person, s.place, WORLD_NOW, WORLD_NOW + 5);
    world_answer(t->db, one, 1, false, WORLD_NOW);
    assert_int_equal(work_place_state(t->db, s.place, &t->arena, &work, &t->err), OK);
    assert_int_equal(work.newest.id, two);
    assert_int_equal(work.newest.answer, 0);
    assert_int_equal(work.lent, 2);
    assert_int_equal(work.answered, 1);
    int64_t answer = world_answer(t->db, two, 1, true, WORLD_NOW);
    assert_int_equal(work_place_state(t->db, s.place, &t->arena, &work, &t->err), OK);
    assert_int_equal(work.newest.answer, answer);
    assert_true(work.newest.surplus);
    assert_int_equal(work.answered, 2);
}

static struct assignment lend_ahead(struct temp_project *t, const struct scene *s, int grid,
                                    int64_t until, bool ahead)
{
    struct assignment as = {.grid = s->grid[grid], .person = s->person, .place = s->place,
                            .leased_at = WORLD_NOW, .lease_until = until, .ahead = ahead};
    memset(as.token, 'a' + grid, WORK_TOKEN);
    assert_int_equal(work_assignment_create(t->db, &as, &t->err), OK);
    return as;
}

/* Oldest first; what lapsed is only told of grids that were fetched ahead. */
PROJECT_TEST(place_open)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct place_open open;
    int64_t now = WORLD_NOW + 50;
    struct assignment one = lend_ahead(t, &s, 0, WORLD_NOW + 100, false);
    struct assignment two = lend_ahead(t, &s, 1, WORLD_NOW + 60, true);
    assert_int_equal(work_place_open(t->db, s.place, now, &t->arena, &open, &t->err), OK);
    assert_int_equal(open.n_live, 2);
    assert_true(open.live[0].id == one.id && !open.live[0].ahead);
    assert_true(open.live[1].id == two.id && open.live[1].ahead);
    assert_int_equal(open.lapsed.id, 0);
    assert_int_equal(work_place_open(t->db, s.place, now + 10, &t->arena, &open, &t->err), OK);
    assert_int_equal(open.n_live, 1);
    assert_int_equal(open.lapsed.id, two.id);
    two.ahead = false;
    assert_int_equal(work_assignment_lease(t->db, &two, &t->err), OK);
    world_answer(t->db, one.id, 1, true, WORLD_NOW);
    assert_int_equal(work_place_open(t->db, s.place, now + 10, &t->arena, &open, &t->err), OK);
    assert_int_equal(open.n_live, 0);
    assert_int_equal(open.lapsed.id, 0);
    assert_int_equal(open.answered, 1);
}

PROJECT_TEST(answer_rule)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct sv rule;
    struct assignment one = lend_ahead(t, &s, 0, WORLD_NOW + 100, false);
    int64_t answer = world_answer(t->db, one.id, 1, false, WORLD_NOW);
    assert_int_equal(work_answer_rule(t->db, answer, &t->arena, &rule, &t->err), OK);
    assert_int_equal(rule.n, 0);
    assert_int_equal(work_answer_state(t->db, answer, "pay", "rejected", "late", 0, WORLD_NOW,
                                       &t->err),
                     OK);
    assert_int_equal(work_answer_state(t->db, answer, "analysis", "out", "too fast", 0, WORLD_NOW,
                                       &t->err),
                     OK);
    assert_int_equal(work_answer_rule(t->db, answer, &t->arena, &rule, &t->err), OK);
    assert_true(sv_is(rule, "too fast"));
    world_judge(t->db, answer, false);
    assert_int_equal(work_answer_rule(t->db, answer, &t->arena, &rule, &t->err), OK);
    assert_int_equal(rule.n, 0);
}

PROJECT_TEST(answer_and_states)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t lent = world_lend(t->db, s.grid[0], s.person, s.place, WORLD_NOW, WORLD_NOW + 5), id;
    assert_int_equal(work_answer_create(t->db, lent, SV("client-1"), UINT64_C(1) << 47, OPTION_NONE, false, -1,
                                        SV("{\"columns\":8}"), WORLD_NOW, &id, &t->err),
                     OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event e JOIN answer w ON w.id = e.id"
                                 " WHERE e.kind = 'answer' AND e.subject = w.assignment"),
                     1);
    assert_int_equal(temp_int(t, "SELECT mask FROM answer"), INT64_C(1) << 47);
    assert_int_equal(temp_int(t, "SELECT active_ms IS NULL FROM answer"), 1);
    assert_int_equal(temp_int(t, "SELECT device ->> '$.columns' FROM answer"), 8);
    int64_t again;
    assert_int_not_equal(work_answer_create(t->db, lent, SV("client-2"), 0, OPTION_NONE, false, 5, SV(""),
                                            WORLD_NOW, &again, &t->err),
                         OK); /* one answer per assignment */
    err_clear(&t->err);
    assert_int_equal(work_answer_state(t->db, id, "pay", "approved", "rule", 0, 1, &t->err), OK);
    assert_int_equal(work_answer_state(t->db, id, "analysis", "out", "rule", 0, 1, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM answer_state s JOIN event e ON e.id = s.id"
                                 " WHERE e.kind = 'answer.state' AND e.subject = s.answer"),
                     2);
    /* A value of the other field is refused. */
    assert_int_not_equal(work_answer_state(t->db, id, "pay", "out", "rule", 0, 1, &t->err), OK);
    err_clear(&t->err);
    assert_int_not_equal(work_answer_state(t->db, id, "analysis", "approved", "r", 0, 1, &t->err),
                         OK);
    err_clear(&t->err);
}

PROJECT_TEST(import)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    static const char status[] = "SAR";
    bool added = false;
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "study:%d", i);
        struct work_imported w = {.name = sv_of(name), .grid = s.grid[i], .person = s.person,
                                  .accepted_at = 1000, .active_ms = 500, .mask = 2,
                                  .status = status[i]};
        assert_int_equal(work_import(t->db, &w, WORLD_NOW, &added, &t->err), OK);
        assert_true(added);
        assert_int_equal(work_import(t->db, &w, WORLD_NOW, &added, &t->err), OK);
        assert_false(added); /* twice changes nothing */
    }
    assert_int_equal(temp_int(t, "SELECT count(*) FROM answer WHERE at = 1500 AND active_ms = 500"
                                 " AND surplus = 0 AND mask = 2"),
                     3);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM answer_state"), 3);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM answer_state WHERE value = 'approved'"), 1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM vote WHERE NOT counted"), 2);
}

struct leases {
    int n;
    int64_t sum;
    bool fail;
};

static enum err_code add_lease(void *arg, const struct work_lease *l, struct err *err)
{
    struct leases *s = arg;
    s->n++;
    s->sum += l->assignment * 1000 + l->grid * 10 + (l->until - WORLD_NOW);
    return s->fail ? err_set(err, ERR_LIMIT, "enough") : OK;
}

PROJECT_TEST(leases)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct campaign k = world_terms("elsewhere");
    k.imported = true;
    int64_t imported = world_campaign(t->db, &k);
    int64_t grid = world_grid(t->db, imported, s.class_id, s.images, 1);
    int64_t place = world_place(t->db, imported, s.person);
    int64_t live = world_lend(t->db, s.grid[0], s.person, s.place, WORLD_NOW, WORLD_NOW + 7);
    int64_t done = world_lend(t->db, s.grid[1], s.person, s.place, WORLD_NOW, WORLD_NOW + 8);
    world_lend(t->db, s.grid[2], s.person, s.place, WORLD_NOW, WORLD_NOW + 5); /* ends just now */
    world_lend(t->db, grid, s.person, place, WORLD_NOW, WORLD_NOW + 9);        /* not ours */
    world_answer(t->db, done, 0, false, WORLD_NOW);
    struct leases seen = {0};
    assert_int_equal(work_leases(t->db, WORLD_NOW + 5, add_lease, &seen, &t->err), OK);
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.sum, live * 1000 + s.grid[0] * 10 + 7);
    seen.fail = true;
    assert_int_equal(work_leases(t->db, WORLD_NOW, add_lease, &seen, &t->err), ERR_LIMIT);
    temp_clear(t, ERR_LIMIT, "limit");
}

/* Only what lived at the last sign of life, was lent here and is unanswered. */
PROJECT_TEST(renew)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t now = WORLD_NOW + 5000000, other = world_person(t->db);
    int64_t place = world_place(t->db, s.campaign, other);
    int64_t over = world_lend(t->db, s.grid[0], s.person, s.place, WORLD_NOW, WORLD_NOW + 10);
    int64_t live = world_lend(t->db, s.grid[1], s.person, s.place, WORLD_NOW + 10, WORLD_NOW + 50);
    int64_t done = world_lend(t->db, s.grid[1], other, place, WORLD_NOW, WORLD_NOW + 90);
    world_answer(t->db, done, 0, false, WORLD_NOW + 5);
    assert_int_equal(work_leases_renew(t->db, now, &t->err), OK);
    const struct {
        int64_t assignment, until;
    } expected[] = {{over, WORLD_NOW + 10}, {live, now + 600000}, {done, WORLD_NOW + 90}};
    for (size_t i = 0; i < 3; i++) {
        int64_t until = 0;
        assert_int_equal(db_one_int(t->db, "SELECT lease_until FROM assignment WHERE id = ?1",
                                    DB_VALS(db_int(expected[i].assignment)), &until, &t->err),
                         OK);
        assert_int_equal(until, expected[i].until);
    }
}

static enum err_code add_image(void *arg, int64_t image, struct err *err)
{
    int64_t *sum = arg;
    (void)err;
    *sum += image;
    return OK;
}

PROJECT_TEST(exposure)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t sum = 0;
    world_lend(t->db, s.grid[0], s.person, s.place, WORLD_NOW, WORLD_NOW + 1);
    world_lend(t->db, s.grid[2], s.person, s.place, WORLD_NOW, WORLD_NOW + 1);
    assert_int_equal(work_exposed(t->db, s.person, add_image, &sum, &t->err), OK);
    assert_int_equal(sum, s.images[0] + s.images[1] + s.images[4] + s.images[5]);
    sum = 0;
    assert_int_equal(work_exposed(t->db, s.person + 1, add_image, &sum, &t->err), OK);
    assert_int_equal(sum, 0);
}
