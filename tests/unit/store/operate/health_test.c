/* health_test.c - a sound database has no problem; each kind of damage is named. */
#include "unit.h"

#include "store/operate/health.h"
#include "store/operate/jobs.h"
#include "temp_project.h"
#include "world.h"

struct report {
    int n;
    char first[200];
};

static enum err_code add_problem(void *arg, struct sv text, struct err *err)
{
    struct report *r = arg;
    (void)err;
    if (r->n++ == 0) {
        snprintf(r->first, sizeof r->first, SV_FMT, SV_ARG(text));
    }
    return OK;
}

static void make_work(struct temp_project *t)
{
    struct campaign k = world_terms("main"), other = world_terms("other");
    int64_t class_id = world_class(t->db, 1);
    int64_t images[2] = {world_image(t->db, 0, class_id, "candidate"),
                         world_image(t->db, 1, class_id, "candidate")};
    int64_t campaign = world_campaign(t->db, &k);
    world_campaign(t->db, &other);
    int64_t grid = world_grid(t->db, campaign, class_id, images, 2);
    world_grid(t->db, campaign, class_id, images, 1);
    world_vote(t->db, campaign, grid, 3, false);
    world_vote(t->db, campaign, grid, 0, true);
    world_person(t->db); /* number 3, who did nothing */
    int64_t job;
    assert_int_equal(jobs_add(t->db, SV("predict"), SV("[]"), SV("x"), 0, 1, &job, &t->err), OK);
}

static struct report ask(struct temp_project *t)
{
    struct report r = {0};
    assert_int_equal(health_database(t->db, add_problem, &r, &t->err), OK);
    return r;
}

PROJECT_TEST(sound)
{
    struct temp_project *t = *state;
    assert_int_equal(ask(t).n, 0);
    make_work(t);
    assert_int_equal(ask(t).n, 0);
}

/* Each statement damages one thing; a rollback mends it for the next. */
PROJECT_TEST(each_damage_is_named)
{
    static const struct {
        const char *sql, *says;
    } cases[] = {
        {"UPDATE event SET kind = 'other' WHERE id = (SELECT max(id) FROM job)",
         "has no event of its kind"},
        {"UPDATE job SET state = 'done'", "is done, which does not match its times or arguments"},
        {"UPDATE job SET state = 'running'", "does not match its times or arguments"},
        {"UPDATE job SET arguments = '{}'", "does not match its times or arguments"},
        {"UPDATE job SET arguments = '['", "does not match its times or arguments"},
        {"UPDATE event SET kind = 'other' WHERE id = (SELECT min(id) FROM answer)",
         "has no event of its kind"},
        {"UPDATE answer SET mask = 4 WHERE surplus = 0", "selects a cell that its grid does not have"},
        {"UPDATE answer SET mask = -9223372036854775808 WHERE surplus = 0",
         "selects a cell that its grid does not have"},
        {"UPDATE grid_cell SET position = 40 WHERE position = 1", "not numbered from 0"},
        {"UPDATE grid_cell SET image = (SELECT min(id) FROM image)", "shows image 1 twice"},
        {"UPDATE assignment SET person = 3 WHERE id = 2", "does not match the person"},
        {"UPDATE grid SET campaign = 2 WHERE id = 1", "does not match the person and campaign of its place"},
        {"DELETE FROM person WHERE id = 1", "names a missing row of person"},
    };
    struct temp_project *t = *state;
    make_work(t);
    assert_int_equal(db_script(t->db, "PRAGMA foreign_keys = OFF", &t->err), OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(db_tx_begin(t->db, &t->err), OK);
        assert_int_equal(db_script(t->db, cases[i].sql, &t->err), OK);
        struct report r = ask(t);
        assert_true(r.n > 0);
        assert_non_null(strstr(r.first, cases[i].says));
        db_tx_rollback(t->db);
        assert_int_equal(ask(t).n, 0);
    }
}

static enum err_code refuse(void *arg, struct sv text, struct err *err)
{
    (void)text;
    ++*(int *)arg;
    return err_set(err, ERR_IO, "cannot print");
}

PROJECT_TEST(stops_when_told)
{
    struct temp_project *t = *state;
    int n = 0;
    make_work(t);
    assert_int_equal(db_script(t->db, "UPDATE answer SET mask = 4", &t->err), OK);
    assert_int_equal(health_database(t->db, refuse, &n, &t->err), ERR_IO);
    temp_clear(t, ERR_IO, "io");
    assert_int_equal(n, 1);
}
