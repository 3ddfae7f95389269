/* grid_images_test.c - what an assignment's addresses show, how long their replies are, and what is kept. */
#include "unit.h"

#include "store/images/paths.h"
#include "store/work/work.h"
#include "temp_project.h"
#include "web/core/grid_images.h"
#include "world.h"

enum { CELLS = 12, SMALL = 3000, LARGE = 70000, NO_TAIL = 5 };

static size_t length = SMALL; /* of each rendition */

struct scene {
    struct temp_project *t;
    struct grid_images *g;
    struct image_bytes *b;
    int64_t class_id, campaign, images[CELLS], grid;
};

static const unsigned char key[CRYPTO_HASH] = {1, 2, 3};

/* An image whose rendition is `length` bytes that all are its number; one lacks the zeros behind them. */
static int64_t make_image(struct temp_project *t, unsigned number, int64_t class_id,
                          const char *role)
{
    char file[PATH_BELOW_IMAGES], bytes[LARGE + GRID_TAIL] = {0};
    unsigned char sha256[CRYPTO_HASH] = {(unsigned char)number};
    memset(bytes, (int)number, length);
    char *folder = fs_join(&t->arena, t->dir, "images");
    path_below_images(sha256, RENDITION_GRID, file);
    char *path = fs_join(&t->arena, folder, file);
    *strrchr(path, '/') = '\0';
    assert_int_equal(fs_mkdirs(path, &t->err), OK);
    unit_write(folder, file, bytes, number == NO_TAIL ? length : length + GRID_TAIL);
    return world_image_of(t->db, number, class_id, role, (unsigned char)number);
}

static void scene_open(struct scene *s, void **state, const char *role)
{
    struct campaign terms = world_terms("main");
    *s = (struct scene){.t = *state};
    s->class_id = world_class(s->t->db, 1);
    s->campaign = world_campaign(s->t->db, &terms);
    for (unsigned i = 0; i < CELLS; i++) {
        s->images[i] = make_image(s->t, i + 1, s->class_id, role);
    }
    s->grid = world_grid(s->t->db, s->campaign, s->class_id, s->images, CELLS);
    s->g = grid_images_new(key);
    s->b = image_bytes_new(1 << 20, s->t->dir);
}

static void scene_close(struct scene *s)
{
    grid_images_free(s->g);
    image_bytes_free(s->b);
}

static struct assignment lend(struct scene *s, unsigned char first)
{
    int64_t person = world_person(s->t->db);
    struct assignment as = {.grid = s->grid, .person = person, .has_seed = true, .seed = first,
                            .place = world_place(s->t->db, s->campaign, person),
                            .leased_at = WORLD_NOW, .lease_until = WORLD_NOW + 1};
    memset(as.token, first, sizeof as.token);
    assert_int_equal(work_assignment_create(s->t->db, &as, &s->t->err), OK);
    return as;
}

static struct grid_image find(struct scene *s, const struct assignment *as, unsigned position)
{
    struct grid_image at;
    if (grid_images_find(s->g, s->t->db, as->token, position, &at, &s->t->err) != OK) {
        fail_msg("%s", s->t->err.msg);
    }
    return at;
}

/* The reply's bytes, from memory or a file; says whether from memory. */
static bool sends(struct scene *s, struct image_bytes *b, const struct image_sent *at,
                  unsigned number)
{
    struct response res;
    unsigned char bytes[LARGE + GRID_TAIL];
    response_init(&res);
    assert_int_equal(image_bytes_send(b, at, &res, &s->t->err), OK);
    assert_string_equal(res.content_type, "image/jpeg");
    bool memory = res.shared != NULL;
    size_t n = memory ? res.shared_n : res.fd_size;
    assert_int_equal(n, length + at->padding);
    if (memory) {
        memcpy(bytes, res.shared->bytes, n);
    } else {
        assert_int_equal(pread(res.fd, bytes, n, 0), n);
    }
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(bytes[i], i < length ? number : 0);
    }
    response_release(&res);
    return memory;
}

/* Without room in memory a large file is sent, unless it has no zeros behind it; small ones are read. */
static void check_files(void **state, bool large)
{
    length = large ? LARGE : SMALL;
    struct scene s;
    uint8_t order[GRID_CELLS];
    scene_open(&s, state, "candidate");
    struct image_bytes *small = image_bytes_new(0, s.t->dir);
    struct assignment as = lend(&s, 9);
    grid_order(as.seed, true, CELLS, order);
    for (int round = 0; round < 3; round++) {
        for (unsigned i = 0; i < CELLS; i++) {
            struct grid_image at = find(&s, &as, i);
            assert_int_equal(sends(&s, small, &at.sent, order[i] + 1u),
                             !large || order[i] + 1 == NO_TAIL);
        }
    }
    length = SMALL;
    image_bytes_free(small);
    scene_close(&s);
}

PROJECT_TEST(large_files_are_sent_as_well)
{
    check_files(state, true);
}

PROJECT_TEST(small_files_are_read)
{
    check_files(state, false);
}

PROJECT_TEST(addresses_show_the_assignments_order)
{
    struct scene s;
    uint8_t order[GRID_CELLS];
    scene_open(&s, state, "candidate");
    struct assignment as = lend(&s, 9);
    grid_order(as.seed, true, CELLS, order);
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < CELLS; i++) {
            struct grid_image at = find(&s, &as, i);
            assert_int_equal(at.image, s.images[order[i]]);
            assert_true(sends(&s, s.b, &at.sent, order[i] + 1u));
        }
    }
    struct grid_images_stats n;
    grid_images_stats(s.g, &n);
    assert_int_equal(n.misses, 1);
    assert_int_equal(n.hits, 2 * CELLS - 1);
    struct image_bytes_stats b;
    image_bytes_stats(s.b, &b);
    assert_int_equal(b.hits, CELLS);
    assert_int_equal(b.misses, CELLS);
    scene_close(&s);
}

static void assert_nothing(struct scene *s, const unsigned char token[WORK_TOKEN],
                           unsigned position, const char *rule)
{
    struct grid_image at;
    assert_int_equal(grid_images_find(s->g, s->t->db, token, position, &at, &s->t->err),
                     ERR_NOT_FOUND);
    temp_clear(s->t, ERR_NOT_FOUND, rule);
}

PROJECT_TEST(nothing_beyond)
{
    struct scene s;
    scene_open(&s, state, "candidate");
    struct assignment as = lend(&s, 9);
    unsigned char unknown[WORK_TOKEN] = {9};
    for (int round = 0; round < 2; round++) {
        assert_nothing(&s, as.token, CELLS, "no-cell");
        assert_nothing(&s, as.token, GRID_EXAMPLE, "no-cell"); /* no reference images */
        assert_nothing(&s, as.token, GRID_LARGE + CELLS, "no-cell");
        assert_nothing(&s, as.token, GRID_ADDRESSES, "no-cell");
        assert_nothing(&s, unknown, 0, "no-assignment");
    }
    scene_close(&s);
}

PROJECT_TEST(examples_are_reference_images)
{
    struct scene s;
    unsigned n;
    scene_open(&s, state, "reference");
    struct assignment as = lend(&s, 9), other = lend(&s, 10);
    assert_int_equal(grid_images_examples(s.t->db, s.class_id, &n, &s.t->err), OK);
    assert_int_equal(n, GRID_EXAMPLES);
    for (unsigned i = 0; i < GRID_EXAMPLES; i++) {
        assert_int_equal(find(&s, &as, GRID_EXAMPLE + i).image, s.images[i]);
        assert_int_equal(find(&s, &other, GRID_EXAMPLE + i).image, s.images[i]);
    }
    assert_int_equal(grid_images_examples(s.t->db, s.class_id + 1, &n, &s.t->err), OK);
    assert_int_equal(n, 0);
    scene_close(&s);
}

/* The same images, at addresses with lengths of their own. */
PROJECT_TEST(large_ones_are_those_of_the_cells)
{
    struct scene s;
    unsigned same = 0;
    scene_open(&s, state, "reference");
    struct assignment as = lend(&s, 9);
    for (unsigned i = 0; i < CELLS; i++) {
        struct grid_image at = find(&s, &as, i), large = find(&s, &as, GRID_LARGE + i);
        assert_true(large.sent.kind == RENDITION_VIEW && at.sent.kind == RENDITION_GRID);
        assert_int_equal(large.image, at.image);
        same += large.sent.padding == at.sent.padding;
    }
    assert_true(same <= 1);
    assert_nothing(&s, as.token, GRID_ADDRESSES, "no-cell"); /* examples have none */
    scene_close(&s);
}

/* An address keeps its length; the same image at another has one that says nothing about it. */
PROJECT_TEST(lengths_belong_to_addresses)
{
    enum { MANY = 60 };
    struct scene s;
    unsigned same = 0, low = 0;
    scene_open(&s, state, "candidate");
    struct assignment first = lend(&s, 1);
    struct grid_images *again = grid_images_new(key);
    for (unsigned char k = 2; k < 2 + MANY; k++) {
        struct assignment as = lend(&s, k);
        for (unsigned i = 0; i < CELLS; i++) {
            struct grid_image a = find(&s, &as, i), b = find(&s, &first, i), c;
            assert_int_equal(grid_images_find(again, s.t->db, as.token, i, &c, &s.t->err), OK);
            assert_int_equal(a.sent.padding, c.sent.padding);
            assert_true(a.sent.padding < GRID_PADDING);
            same += a.sent.padding == b.sent.padding;
            low += a.sent.padding < GRID_PADDING / 2;
        }
    }
    assert_true(same <= 4); /* of 720: one in 4096 is expected */
    assert_in_range(low, MANY * CELLS / 2 - 100, MANY * CELLS / 2 + 100);
    unsigned char other_key[CRYPTO_HASH] = {9};
    struct grid_images *other = grid_images_new(other_key);
    struct grid_image a;
    same = 0;
    for (unsigned i = 0; i < CELLS; i++) {
        assert_int_equal(grid_images_find(other, s.t->db, first.token, i, &a, &s.t->err), OK);
        same += a.sent.padding == find(&s, &first, i).sent.padding;
    }
    assert_true(same <= 1);
    grid_images_free(other);
    grid_images_free(again);
    scene_close(&s);
}

PROJECT_TEST(revoked_tokens_are_forgotten)
{
    struct scene s;
    scene_open(&s, state, "candidate");
    struct assignment as = lend(&s, 9);
    find(&s, &as, 0);
    assert_int_equal(db_script(s.t->db, "UPDATE assignment SET token = NULL", &s.t->err), OK);
    find(&s, &as, 0); /* not asked again until it is told */
    grid_images_forget(s.g);
    assert_nothing(&s, as.token, 0, "no-assignment");
    scene_close(&s);
}

/* More assignments than the table holds: each still finds its own. */
PROJECT_TEST(many_assignments)
{
    enum { MANY = 3000 };
    struct scene s;
    static struct assignment all[MANY];
    scene_open(&s, state, "candidate");
    assert_int_equal(db_tx_begin(s.t->db, &s.t->err), OK);
    for (unsigned i = 0; i < MANY; i++) {
        int64_t person = world_person(s.t->db);
        all[i] = (struct assignment){.grid = s.grid, .person = person, .has_seed = true, .seed = i,
                                     .place = world_place(s.t->db, s.campaign, person),
                                     .leased_at = WORLD_NOW, .lease_until = WORLD_NOW + 1};
        crypto_random(all[i].token, WORK_TOKEN);
        assert_int_equal(work_assignment_create(s.t->db, &all[i], &s.t->err), OK);
    }
    assert_int_equal(db_tx_commit(s.t->db, &s.t->err), OK);
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < MANY; i++) {
            uint8_t order[GRID_CELLS];
            grid_order(i, true, CELLS, order);
            assert_int_equal(find(&s, &all[i], 3).image, s.images[order[3]]);
        }
    }
    scene_close(&s);
}

PROJECT_TEST(missing_files_and_pixels)
{
    struct scene s;
    struct response res;
    char file[PATH_BELOW_IMAGES];
    scene_open(&s, state, "candidate");
    struct assignment as = lend(&s, 9);
    struct grid_image at = find(&s, &as, 0);
    path_below_images(at.sent.sha256, RENDITION_GRID, file);
    char *path = fs_join(&s.t->arena, fs_join(&s.t->arena, s.t->dir, "images"), file);
    assert_int_equal(unlink(path), 0);
    *strrchr(path, '/') = '\0';
    assert_int_equal(rmdir(path), 0);
    response_init(&res);
    assert_int_equal(image_bytes_send(s.b, &at.sent, &res, &s.t->err), ERR_NOT_FOUND);
    temp_clear(s.t, ERR_NOT_FOUND, "no-pixels");
    assert_true(!res.shared && res.fd < 0);
    int64_t nameless = world_image(s.t->db, 99, s.class_id, "candidate");
    s.grid = world_grid(s.t->db, s.campaign, s.class_id, &nameless, 1);
    as = lend(&s, 10);
    at = find(&s, &as, 0);
    assert_int_equal(at.sent.source, 0);
    assert_int_equal(image_bytes_send(s.b, &at.sent, &res, &s.t->err), ERR_NOT_FOUND);
    temp_clear(s.t, ERR_NOT_FOUND, "no-pixels");
    scene_close(&s);
}

/* A project has no folder of images before the first import, and the server runs already. */
PROJECT_TEST(a_folder_that_came_later)
{
    struct temp_project *t = *state;
    struct response res;
    struct image_bytes *b = image_bytes_new(1 << 20, t->dir);
    const struct image_sent at = {.source = 1, .sha256 = {1}, .kind = RENDITION_GRID};
    response_init(&res);
    assert_int_equal(image_bytes_send(b, &at, &res, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-pixels");
    make_image(t, 1, world_class(t->db, 1), "candidate");
    assert_int_equal(image_bytes_send(b, &at, &res, &t->err), OK);
    assert_int_equal(res.shared_n, length);
    response_release(&res);
    image_bytes_free(b);
}
