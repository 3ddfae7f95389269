/* features_test.c - the index of feature rows, and images with where their bytes are. */
#include "unit.h"

#include <string.h>

#include "store/images/originals.h"
#include "store/models/features.h"
#include "store/models/models.h"
#include "temp_project.h"
#include "world.h"

static int64_t a_model(struct temp_project *t)
{
    struct model_row m = {.name = SV("m"), .kind = SV("onnx"), .file = SV("m.onnx"), .recipe = SV("{}")};
    bool added;
    assert_int_equal(models_put(t->db, &m, 0, 1, &added, &t->err), OK);
    return m.id;
}

static struct feature_source source(int64_t model, char digest, int64_t dim)
{
    struct feature_source f = {.model = model, .dim = dim, .output = SV("pool"), .engine = SV("e"), .recipe = SV("{}")};
    memset(f.digest, digest, sizeof f.digest);
    return f;
}

struct seen {
    int64_t n;
    uint32_t images[3000];
};

static enum err_code see(void *arg, int64_t row, uint32_t image, struct err *err)
{
    struct seen *s = arg;
    (void)err;
    assert_int_equal(row, s->n);
    s->images[s->n++] = image;
    return OK;
}

PROJECT_TEST(rows_come_back_in_order)
{
    struct temp_project *t = *state;
    int64_t model = a_model(t);
    struct feature_source f = source(model, 'a', 8), again = f, other = source(model, 'b', 4), wrong = source(model, 'a', 9);
    uint32_t images[FEATURE_BLOCK];
    for (uint32_t i = 0; i < FEATURE_BLOCK; i++) {
        images[i] = 0x01020304U + i * 77U;
    }
    assert_int_equal(features_source(t->db, &f, 0, 5, &t->err), OK);
    assert_int_equal(features_source(t->db, &other, 0, 5, &t->err), OK);
    assert_int_not_equal(f.id, other.id);
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(features_append(t->db, f.id, 0, images, FEATURE_BLOCK, &t->err), OK);
    assert_int_equal(features_append(t->db, other.id, 0, images, 5, &t->err), OK);
    assert_int_equal(features_append(t->db, f.id, FEATURE_BLOCK, images, 1, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    assert_int_equal(features_source(t->db, &again, 0, 9, &t->err), OK);
    assert_true(again.id == f.id && again.rows == FEATURE_BLOCK + 1 && again.at == 5);

    struct seen seen = {0};
    assert_int_equal(features_each(t->db, f.id, see, &seen, &t->err), OK);
    assert_int_equal(seen.n, FEATURE_BLOCK + 1);
    assert_memory_equal(seen.images, images, sizeof images);
    assert_int_equal(seen.images[FEATURE_BLOCK], images[0]);

    struct feature_source *list;
    size_t n;
    assert_int_equal(features_sources(t->db, model, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_true(list[1].id == other.id && list[1].rows == 5 && list[1].dim == 4 && sv_is(list[1].output, "pool"));
    assert_memory_equal(list[1].digest, other.digest, FEATURE_DIGEST);
    assert_int_equal(features_source(t->db, &wrong, 0, 9, &t->err), ERR_BUG);
    err_clear(&t->err);
    assert_string_equal(path_features(&t->arena, "p", 12), "p/features/12.f32");
}

struct walk {
    int n;
    int64_t last;
};

static enum err_code see_original(void *arg, const struct original_row *r, struct err *err)
{
    struct walk *w = arg;
    (void)err;
    assert_true(r->image > w->last);
    w->last = r->image;
    switch (w->n++) {
    case 0:
        assert_true(sv_is(r->name, "image-1") && sv_is(r->role, "original") && r->source != 0);
        assert_int_equal(r->sha256.n, IMAGE_SHA);
        assert_int_equal((unsigned char)r->sha256.p[0], 7);
        assert_true(sv_is(r->reference, "/somewhere/x.jpg"));
        break;
    case 1:
        assert_true(sv_is(r->name, "image-2") && r->source != 0 && r->reference.n == 0);
        break;
    default: assert_true(sv_is(r->name, "image-3") && r->source == 0 && r->sha256.n == 0);
    }
    return OK;
}

PROJECT_TEST(originals)
{
    struct temp_project *t = *state;
    int64_t c = world_class(t->db, 1);
    world_image_of(t->db, 1, c, "original", 7);
    world_image_of(t->db, 2, c, "candidate", 8);
    world_image(t->db, 3, c, "gold");
    assert_int_equal(db_script(t->db, "UPDATE source SET kept = 'reference', path = '/somewhere/x.jpg'"
                               " WHERE substr(sha256, 1, 1) = x'07'", &t->err), OK);
    struct walk w = {0};
    assert_int_equal(originals_each(t->db, see_original, &w, &t->err), OK);
    assert_int_equal(w.n, 3);
}
