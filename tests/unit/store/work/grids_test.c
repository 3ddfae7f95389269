/* grids_test.c - grids are written once with their cells and read back in order. */
#include "unit.h"

#include "store/work/grids.h"
#include "temp_project.h"
#include "world.h"

struct scene {
    int64_t class_id, campaign, images[4];
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s;
    struct campaign k = world_terms("main");
    s.class_id = world_class(t->db, 1);
    s.campaign = world_campaign(t->db, &k);
    for (unsigned i = 0; i < 4; i++) {
        s.images[i] = world_image(t->db, i, s.class_id, "candidate");
    }
    return s;
}

static struct grid_new new_grid(const struct scene *s, const char *name, int64_t number)
{
    return (struct grid_new){
        .campaign = s->campaign,
        .class_id = s->class_id,
        .name = sv_of(name),
        .number = number,
        .cells = {3,
                  {s->images[2], s->images[0], s->images[3]},
                  {CELL_NEGATIVE, CELL_CANDIDATE, CELL_GOLD}},
    };
}

PROJECT_TEST(create_and_cells)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct grid_new g = new_grid(&s, "uuid", 17);
    struct grid_cells cells;
    int64_t id = 0, again = 7, found, n;
    assert_int_equal(grids_create(t->db, &g, 5, &id, &t->err), OK);
    assert_true(id > 0);
    assert_int_equal(grids_create(t->db, &g, 5, &again, &t->err), OK);
    assert_int_equal(again, 0); /* that name is there: left alone */
    assert_int_equal(temp_int(t, "SELECT count(*) FROM grid_cell"), 3);
    assert_int_equal(grids_cells(t->db, id, &cells, &t->err), OK);
    assert_int_equal(cells.n, 3);
    assert_memory_equal(cells.image, g.cells.image, 3 * sizeof *cells.image);
    assert_memory_equal(cells.role, g.cells.role, 3 * sizeof *cells.role);
    assert_int_equal(grids_cells(t->db, id + 1, &cells, &t->err), OK);
    assert_int_equal(cells.n, 0);
    assert_int_equal(grids_find_number(t->db, s.campaign, 17, &found, &n, &t->err), OK);
    assert_int_equal(found, id);
    assert_int_equal(n, 3);
    assert_int_equal(grids_find_number(t->db, s.campaign, 18, &found, &n, &t->err), OK);
    assert_int_equal(found, 0);
    assert_int_equal(grids_find_number(t->db, s.campaign + 1, 17, &found, &n, &t->err), OK);
    assert_int_equal(found, 0);
}

PROJECT_TEST(bad_cells)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct grid_new g = new_grid(&s, "uuid", -1);
    int64_t id;
    g.cells.image[1] = 999; /* no such image */
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_not_equal(grids_create(t->db, &g, 5, &id, &t->err), OK);
    db_tx_rollback(t->db);
    err_clear(&t->err);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM grid"), 0);
}

PROJECT_TEST(first_and_event)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t first = 0;
    assert_int_equal(grids_first(t->db, s.campaign, &first, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-grid");
    int64_t one = world_grid(t->db, s.campaign, s.class_id, s.images, 1);
    world_grid(t->db, s.campaign, s.class_id, s.images, 2);
    assert_int_equal(grids_first(t->db, s.campaign, &first, &t->err), OK);
    assert_int_equal(first, one);
    assert_int_equal(grids_event(t->db, s.campaign, true, 12, 5, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT detail ->> '$.grids' FROM event"
                                 " WHERE kind = 'grids.import'"),
                     12);
}

struct seen {
    char text[256];
    size_t n;
    int64_t first_image;
    int stop_after;
};

static enum err_code see_grid(void *arg, const struct grid_row *g, struct err *err)
{
    struct seen *s = arg;
    if (s->stop_after-- == 0) {
        return err_set(err, ERR_LIMIT, "enough");
    }
    s->n += (size_t)snprintf(s->text + s->n, sizeof s->text - s->n, "%s%s%s", s->n ? " " : "",
                             g->chosen ? "counted" : "not", g->excluded ? "-excluded" : "");
    return OK;
}

static enum err_code see_cell(void *arg, int64_t image, enum cell_role role, bool expected,
                              struct err *err)
{
    struct seen *s = arg;
    (void)err;
    s->n += (size_t)snprintf(s->text + s->n, sizeof s->text - s->n, " %lld/%d%s",
                             (long long)(image - s->first_image), (int)role, expected ? "!" : "");
    return OK;
}

/* Every grid is followed by its own cells, also where one has none or is left out. */
PROJECT_TEST(each)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct campaign pilot = world_terms("try");
    pilot.kind = SV("pilot");
    int64_t other = world_campaign(t->db, &pilot);
    static const enum cell_role roles[] = {CELL_POSITIVE, CELL_NEGATIVE};
    int64_t one = world_grid_roles(t->db, s.campaign, s.class_id, s.images, roles, 2, "");
    world_grid(t->db, s.campaign, s.class_id, s.images, 0);
    world_grid(t->db, other, s.class_id, s.images + 1, 1);
    world_grid_roles(t->db, s.campaign, s.class_id, s.images + 2, roles, 1, "blacklisted");
    world_grid(t->db, s.campaign, s.class_id, s.images + 3, 1);
    struct seen all = {.first_image = s.images[0], .stop_after = -1}, rest = all, some = all;
    assert_int_equal(grids_each(t->db, 0, see_grid, see_cell, &all, &t->err), OK);
    assert_string_equal(all.text, "counted 0/1 1/2 counted not 1/0 counted-excluded 2/1 counted 3/0");
    assert_int_equal(grids_each(t->db, one, see_grid, see_cell, &rest, &t->err), OK);
    assert_string_equal(rest.text, "counted not 1/0 counted-excluded 2/1 counted 3/0");
    some.stop_after = 1;
    assert_int_equal(grids_each(t->db, 0, see_grid, see_cell, &some, &t->err), ERR_LIMIT);
    temp_clear(t, ERR_LIMIT, "limit");
    assert_string_equal(some.text, "counted 0/1 1/2");
}

/* Gold is expected selected where it was collected for the grid's class; nothing else ever is. */
PROJECT_TEST(expected_gold)
{
    static const enum cell_role roles[] = {CELL_GOLD, CELL_GOLD, CELL_POSITIVE};
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t other = world_class(t->db, 77);
    int64_t images[] = {world_image(t->db, 90, s.class_id, "gold"),
                        world_image(t->db, 91, other, "gold"), s.images[0]};
    struct seen seen = {.first_image = images[0], .stop_after = -1};
    int64_t before = world_grid(t->db, s.campaign, s.class_id, s.images, 1);
    images[2] = world_image(t->db, 92, s.class_id, "original");
    world_grid_roles(t->db, s.campaign, s.class_id, images, roles, 3, "");
    assert_int_equal(grids_each(t->db, before, see_grid, see_cell, &seen, &t->err), OK);
    assert_string_equal(seen.text, "counted 0/3! 1/3 2/1");
}

static enum err_code see_exclusion(void *arg, const struct grid_exclusion *x, struct err *err)
{
    struct seen *s = arg;
    (void)err;
    s->n += (size_t)snprintf(s->text + s->n, sizeof s->text - s->n, " %lld%s",
                             (long long)(x->grid - s->first_image), x->excluded ? "+" : "-");
    return OK;
}

/* Each change is kept with its event; what is so already makes none. */
PROJECT_TEST(exclusions)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t a = world_grid(t->db, s.campaign, s.class_id, s.images, 1),
            b = world_grid(t->db, s.campaign, s.class_id, s.images + 1, 1);
    const struct {
        int64_t grid;
        struct sv reason;
    } asked[] = {{a, SV("pilot")}, {a, SV("other")}, {b, SV("")}, {b, SV("x")}, {a, SV("")}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        assert_int_equal(
            grids_exclude(t->db, asked[i].grid, asked[i].reason, 0, WORLD_NOW, &t->err), OK);
    }
    struct seen all = {.first_image = a};
    assert_int_equal(grids_exclusions(t->db, see_exclusion, &all, &t->err), OK);
    assert_string_equal(all.text, " 0+ 1+ 0-");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind LIKE 'grid.%'"), 3);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM grid WHERE excluded = 'x'"), 1);
    assert_int_equal(grids_exclude(t->db, 999, SV("x"), 0, WORLD_NOW, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-grid");
}
