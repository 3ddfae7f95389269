/* class_images_test.c - images by class, by photo, by bytes and by name. */
#include "unit.h"

#include "store/duplicates/class_images.h"
#include "temp_project.h"
#include "world.h"

struct seen {
    int64_t ids[16], contents[16];
    size_t n;
    char last_source[16];
};

static enum err_code take(void *arg, const struct class_image_row *r, struct err *err)
{
    struct seen *s = arg;
    (void)err;
    assert_in_range(s->n, 0, 15);
    s->contents[s->n] = r->content;
    s->ids[s->n++] = r->id;
    snprintf(s->last_source, sizeof s->last_source, SV_FMT, SV_ARG(r->source_id));
    assert_true(r->class_id > 0 && r->name.n > 0 && r->role.n > 0);
    return OK;
}

static enum err_code refuse(void *arg, const struct class_image_row *r, struct err *err)
{
    (void)arg;
    (void)r;
    return err_set(err, ERR_LIMIT, "enough");
}

PROJECT_TEST(by_every_key)
{
    struct temp_project *t = *state;
    int64_t a = world_class(t->db, 1), b = world_class(t->db, 2);
    int64_t one = world_image_of(t->db, 1, a, "candidate", 7);
    int64_t two = world_image(t->db, 2, a, "reference");
    int64_t three = world_image_of(t->db, 3, b, "original", 7);
    struct seen s = {.n = 0};
    assert_int_equal(db_run(t->db, "UPDATE image SET source_id = 'p' WHERE id IN (?1, ?2)",
                            DB_VALS(db_int(two), db_int(three)), &t->err),
                     OK);

    assert_int_equal(class_images_each(t->db, a, take, &s, &t->err), OK);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.ids[0], one);
    assert_int_equal(s.ids[1], two);
    assert_int_equal(s.contents[1], 0);
    assert_string_equal(s.last_source, "p");

    int64_t content = s.contents[0];
    assert_true(content > 0);
    s.n = 0;
    assert_int_equal(class_images_of_content(t->db, content, take, &s, &t->err), OK);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.ids[1], three);

    s.n = 0;
    assert_int_equal(class_images_of_source(t->db, SV("p"), take, &s, &t->err), OK);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.ids[0], two);

    s.n = 0;
    assert_int_equal(class_images_named(t->db, SV("image-3"), take, &s, &t->err), OK);
    assert_int_equal(class_images_named(t->db, SV("image-30"), take, &s, &t->err), OK);
    assert_int_equal(class_images_of_source(t->db, SV(""), take, &s, &t->err), OK);
    assert_int_equal(s.n, 1);
    assert_int_equal(s.ids[0], three);
    assert_int_equal(class_images_each(t->db, a, refuse, NULL, &t->err), ERR_LIMIT);
}

/* They stand on an index each: a class's page asks hundreds of times. */
PROJECT_TEST(no_scans)
{
    struct temp_project *t = *state;
    assert_int_equal(
        temp_int(t,
                 "SELECT count(*) FROM pragma_index_list('image') WHERE name = 'image_source_id'"),
        1);
}
