/* images_test.c - images by name, their bytes, and the counts that the schema keeps itself. */
#include "unit.h"

#include "store/images/images.h"
#include "temp_project.h"
#include "world.h"

static struct source_row put_source(struct temp_project *t, unsigned char fill)
{
    struct source_row s = {
        .bytes = 10 + fill, .width = 4, .height = 3, .type = "jpeg", .kept = "copy"};
    memset(s.sha256, fill, sizeof s.sha256);
    assert_int_equal(sources_put(t->db, &s, &t->err), OK);
    return s;
}

static struct image_row row(const char *name, int64_t class_id, int64_t source)
{
    return (struct image_row){.name = sv_of(name),
                              .class_id = class_id,
                              .role = SV("candidate"),
                              .source = source,
                              .idx = -1};
}

static bool put(struct temp_project *t, const struct image_row *i)
{
    bool added = false;
    assert_int_equal(images_put(t->db, i, &added, &t->err), OK);
    return added;
}

PROJECT_TEST(put_and_get)
{
    struct temp_project *t = *state;
    struct image_row i = row("photo", world_class(t->db, 1), 0), out;
    int64_t id;
    i.source_id = SV("flickr-1");
    i.source_url = SV("https://example.org/1");
    i.taken_at = SV("2014-05-06");
    i.author = SV("Ada");
    i.licence = SV("CC0");
    i.keyword = SV("cat");
    i.idx = 12;
    assert_true(put(t, &i));
    assert_false(put(t, &i));
    assert_int_equal(images_find(t->db, SV("photo"), &id, &t->err), OK);
    assert_int_equal(images_get(t->db, id, &t->arena, &out, &t->err), OK);
    const struct sv *a[] = {&i.name, &i.role, &i.source_id, &i.source_url, &i.taken_at, &i.author,
                            &i.licence, &i.keyword};
    const struct sv *b[] = {&out.name, &out.role, &out.source_id, &out.source_url, &out.taken_at,
                            &out.author, &out.licence, &out.keyword};
    for (size_t k = 0; k < sizeof a / sizeof *a; k++) {
        assert_true(sv_eq(*a[k], *b[k]));
    }
    assert_int_equal(out.idx, 12);
    assert_int_equal(out.source, 0);
    assert_int_equal(images_find(t->db, SV("nothing"), &id, &t->err), OK);
    assert_int_equal(id, 0);
    assert_int_equal(images_get(t->db, 99, &t->arena, &out, &t->err), ERR_NOT_FOUND);
    err_clear(&t->err);
}

/* The same name again: the same image, completed, or a contradiction. */
PROJECT_TEST(put_again)
{
    struct temp_project *t = *state;
    int64_t cat = world_class(t->db, 1), dog = world_class(t->db, 2), id;
    struct source_row one = put_source(t, 1), two = put_source(t, 2);
    struct image_row i = row("photo", cat, 0), out;
    bool added;
    assert_true(put(t, &i));
    i.source = one.id;
    assert_false(put(t, &i)); /* gets its content */
    assert_int_equal(images_find(t->db, i.name, &id, &t->err), OK);
    assert_int_equal(images_get(t->db, id, &t->arena, &out, &t->err), OK);
    assert_int_equal(out.source, one.id);
    i.source = 0;
    assert_false(put(t, &i)); /* without pixels: those that are there stay */
    struct image_row bad[] = {i, i, i};
    bad[0].source = two.id;
    bad[1].class_id = dog;
    bad[2].role = SV("original");
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(images_put(t->db, &bad[k], &added, &t->err), ERR_CONFLICT);
        temp_clear(t, ERR_CONFLICT, "image-differs");
    }
    assert_int_equal(images_get(t->db, id, &t->arena, &out, &t->err), OK);
    assert_int_equal(out.source, one.id);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM image"), 1);
}

PROJECT_TEST(counts_follow_every_insert)
{
    struct temp_project *t = *state;
    int64_t cat = world_class(t->db, 1), dog = world_class(t->db, 2), n;
    struct class_count *counts;
    size_t n_counts;
    for (unsigned i = 0; i < 5; i++) {
        world_image(t->db, i, cat, "candidate");
        world_image(t->db, 100 + i, i < 2 ? dog : cat, "original");
    }
    world_image(t->db, 200, dog, "gold");
    struct image_row again = row("image-0", cat, 0);
    assert_false(put(t, &again)); /* counted once */
    assert_int_equal(images_count(t->db, &n, &t->err), OK);
    assert_int_equal(n, 11);
    assert_int_equal(images_by_class(t->db, &t->arena, &counts, &n_counts, &t->err), OK);
    assert_int_equal(n_counts, 2);
    const int64_t expected[2][4] = {{3, 5, 0, 0}, {2, 0, 0, 1}};
    assert_int_equal(counts[0].class_id, cat);
    assert_memory_equal(counts[0].of_role, expected[0], sizeof expected[0]);
    assert_memory_equal(counts[1].of_role, expected[1], sizeof expected[1]);
    assert_int_equal(images_miscounted(t->db, &n, &t->err), OK);
    assert_int_equal(n, 0);
}

PROJECT_TEST(miscounts_are_seen_both_ways)
{
    struct temp_project *t = *state;
    int64_t cat = world_class(t->db, 1), n;
    world_image(t->db, 1, cat, "candidate");
    world_image(t->db, 2, cat, "original");
    static const char *const damage[] = {
        "UPDATE image_count SET n = 5 WHERE role = 'candidate'",
        "DELETE FROM image_count WHERE role = 'original'",
        "INSERT INTO image_count (class, role, n) SELECT id, 'gold', 3 FROM class",
    };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        assert_int_equal(db_script(t->db, damage[i], &t->err), OK);
        assert_int_equal(images_miscounted(t->db, &n, &t->err), OK);
        assert_int_equal(n, i + 1);
    }
}

static enum err_code see_source(void *arg, const struct source_row *s, struct err *err)
{
    int64_t *sum = arg;
    (void)err;
    *sum = *sum * 1000 + s->sha256[0] * 100 + s->bytes;
    return OK;
}

PROJECT_TEST(sources)
{
    struct temp_project *t = *state;
    int64_t cat = world_class(t->db, 1), n = 0, id;
    struct source_row two = put_source(t, 2), one = put_source(t, 1), same = put_source(t, 2);
    assert_int_equal(two.id, same.id);
    assert_int_not_equal(one.id, two.id);
    assert_int_equal(sources_each(t->db, see_source, &n, &t->err), OK);
    assert_int_equal(n, 111212); /* by hash: 1 with 11 bytes, 2 with 12 */
    assert_int_equal(sources_orphans(t->db, &n, &t->err), OK);
    assert_int_equal(n, 2);
    struct image_row i = row("photo", cat, one.id);
    assert_true(put(t, &i));
    i.name = SV("the same photo");
    assert_true(put(t, &i)); /* equal bytes under two names share a source */
    assert_int_equal(sources_orphans(t->db, &n, &t->err), OK);
    assert_int_equal(n, 1);
    unsigned char sha[IMAGE_SHA];
    bool found = false;
    assert_int_equal(images_find(t->db, SV("photo"), &id, &t->err), OK);
    struct image_source source;
    assert_int_equal(sources_of_image(t->db, id, &source, &t->err), OK);
    assert_true(source.image == id && source.source == one.id);
    assert_memory_equal(source.sha256, one.sha256, IMAGE_SHA);
    assert_int_equal(sources_of_image(t->db, 99, &source, &t->err), OK);
    assert_true(source.image == 0 && source.source == 0);
    assert_int_equal(sources_of_name(t->db, SV("the same photo"), sha, &found, &t->err), OK);
    assert_true(found);
    assert_memory_equal(sha, one.sha256, IMAGE_SHA);
    assert_int_equal(sources_of_name(t->db, SV("no photo"), sha, &found, &t->err), OK);
    assert_false(found);
}

static enum err_code take_source(void *arg, const struct source_row *s, struct err *err)
{
    struct source_row *out = arg;
    (void)err;
    *out = *s;
    out->path = SV(""); /* borrowed for the call */
    return OK;
}

static struct source_row only_source(struct temp_project *t, const char *path)
{
    struct source_row s = {.id = 0};
    int64_t n = 0;
    assert_int_equal(sources_each(t->db, take_source, &s, &t->err), OK);
    assert_int_equal(db_one_int(t->db, "SELECT count(*) FROM source WHERE coalesce(path, '') = ?1",
                                DB_VALS(db_str(path)), &n, &t->err), OK);
    assert_int_equal(n, 1);
    return s;
}

/* A reference follows its file and may become a copy, never the other way; statistics are filled
 * in once. */
PROJECT_TEST(kept_and_measured)
{
    struct temp_project *t = *state;
    struct source_row s = {.bytes = 9, .width = 4, .height = 3, .type = "png",
                           .kept = "reference", .path = SV("/a/b.png")};
    int64_t width, height;
    assert_int_equal(sources_any_size(t->db, &width, &height, &t->err), OK);
    assert_int_equal(width, 0);
    assert_int_equal(sources_put(t->db, &s, &t->err), OK);
    int64_t id = s.id;
    assert_false(only_source(t, "/a/b.png").measured);
    s.path = SV("/moved.png");
    s.measured = true;
    s.gray = true;
    s.sharpness = 12.5;
    s.saturation = 0.25;
    s.brightness = 0.75;
    assert_int_equal(sources_put(t->db, &s, &t->err), OK);
    struct source_row got = only_source(t, "/moved.png");
    assert_true(got.measured && got.gray && got.sharpness == 12.5);
    assert_true(got.saturation == 0.25 && got.brightness == 0.75);
    assert_string_equal(got.kept, "reference");
    assert_string_equal(got.type, "png");
    s.path = SV("/moved again.png");
    s.sharpness = 99;
    assert_int_equal(sources_seen(t->db, &s, &t->err), OK);
    assert_true(only_source(t, "/moved again.png").sharpness == 12.5);
    s.path = SV("");
    s.kept = "link";
    assert_int_equal(sources_put(t->db, &s, &t->err), OK);
    assert_string_equal(only_source(t, "").kept, "link");
    s.path = SV("/a/b.png");
    s.kept = "reference";
    assert_int_equal(sources_put(t->db, &s, &t->err), OK);
    assert_int_equal(sources_seen(t->db, &s, &t->err), OK);
    assert_string_equal(only_source(t, "").kept, "link");
    assert_int_equal(s.id, id);
    assert_int_equal(sources_any_size(t->db, &width, &height, &t->err), OK);
    assert_int_equal(width, 4);
    assert_int_equal(height, 3);
}

PROJECT_TEST(lists)
{
    struct temp_project *t = *state;
    int64_t cat = world_class(t->db, 1), dog = world_class(t->db, 2), ids[40], *of;
    struct image_row names[3];
    size_t n;
    for (unsigned i = 0; i < 40; i++) {
        ids[i] = world_image(t->db, i, i % 4 ? cat : dog, i % 2 ? "original" : "candidate");
    }
    assert_int_equal(images_of_class(t->db, cat, "original", &t->arena, &of, &n, &t->err), OK);
    assert_int_equal(n, 20);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(of[i], ids[2 * i + 1]);
    }
    assert_int_equal(images_of_class(t->db, 0, "original", &t->arena, &of, &n, &t->err), OK);
    assert_int_equal(n, 0);
    const int64_t some[3] = {ids[3], 999, ids[0]};
    assert_int_equal(images_names(t->db, some, 3, &t->arena, names, &t->err), OK);
    assert_true(sv_is(names[0].name, "image-3") && sv_is(names[2].name, "image-0"));
    assert_int_equal(names[1].name.n, 0);
    assert_int_equal(names[1].id, 999);
}

static enum err_code add_name(void *arg, int64_t id, struct sv name, struct err *err)
{
    int64_t *sum = arg;
    (void)err;
    *sum += id * (int64_t)name.n;
    return OK;
}

static enum err_code add_number(void *arg, int64_t id, int64_t idx, struct err *err)
{
    int64_t *sum = arg;
    (void)err;
    *sum += id * 1000 + idx;
    return OK;
}

PROJECT_TEST(each)
{
    struct temp_project *t = *state;
    int64_t cat = world_class(t->db, 1), sum = 0, numbers = 0, id;
    struct image_row i = row("numbered", cat, 0);
    i.idx = 0;
    assert_true(put(t, &i));
    assert_int_equal(images_find(t->db, i.name, &id, &t->err), OK);
    int64_t other = world_image(t->db, 7, cat, "gold");
    assert_int_equal(images_each(t->db, add_name, &sum, &t->err), OK);
    assert_int_equal(sum, id * 8 + other * 7);
    assert_int_equal(images_each_idx(t->db, add_number, &numbers, &t->err), OK);
    assert_int_equal(numbers, id * 1000);
    i.name = SV("another");
    bool added;
    assert_int_not_equal(images_put(t->db, &i, &added, &t->err), OK); /* the number is taken */
    err_clear(&t->err);
    assert_int_equal(images_event(t->db, 2, 5, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT detail ->> '$.images' FROM event"
                                 " WHERE kind = 'images.import'"),
                     2);
}

static int64_t filled(struct temp_project *t)
{
    return temp_int(t, "SELECT coalesce(max(fields), 0) FROM image_filled");
}

/* What sampling looks at is noted with the event before which it was not there; an event follows. */
PROJECT_TEST(filled_in_later)
{
    struct temp_project *t = *state;
    struct image_row i = row("late", world_class(t->db, 1), 0);
    assert_true(put(t, &i));
    assert_int_equal(filled(t), 0);
    int64_t before = temp_int(t, "SELECT max(id) FROM event");
    assert_int_equal(images_event(t->db, 0, 5, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT max(id) FROM event"), before);
    i.licence = SV("CC0"); /* nothing that sampling looks at */
    assert_false(put(t, &i));
    assert_int_equal(filled(t), 0);
    i.keyword = SV("word");
    assert_false(put(t, &i));
    i.author = SV("author");
    assert_false(put(t, &i));
    assert_int_equal(filled(t), IMAGE_KEYWORD | IMAGE_AUTHOR);
    assert_int_equal(temp_int(t, "SELECT event FROM image_filled"), before);
    assert_int_equal(images_event(t->db, 0, 5, &t->err), OK);
    assert_int_equal(images_event(t->db, 0, 5, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT id FROM event WHERE kind = 'images.complete'"), before + 1);
    i.author = SV("another");
    assert_false(put(t, &i));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM image_filled"), 1);
}
