/* plan_hits_test.c - the checker of planned grids (plan_check.h) on the study's own HITs: its rules are
 * those that the real ones keep. */
#include "unit.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "domain/golden_files.h"
#include "domain/plan_check.h"

/* Numbers of the study's images: their classes, and which are candidates. */
struct study_images {
    int64_t *class_id;
    size_t n, cap;
};

static int64_t wnid_number(const char *wnid)
{
    assert_int_equal(wnid[0], 'n');
    return strtoll(wnid + 1, NULL, 10);
}

/* A golden file to be read line by line. */
static FILE *open_text(const char *golden, const char *name, struct arena *a)
{
    struct sv text = golden_text(golden, name, a);
    char *copy = arena_cstr(a, text);
    FILE *f = fmemopen(copy, text.n, "r");
    assert_non_null(f);
    return f;
}

/* idx,image,wnid,kind,... in order of idx. */
static void read_images(FILE *f, struct study_images *out)
{
    char *line = NULL;
    size_t cap = 0;
    assert_true(getline(&line, &cap, f) > 0); /* header */
    while (getline(&line, &cap, f) > 0) {
        char *image = strchr(line, ','), *wnid = image ? strchr(image + 1, ',') : NULL;
        assert_non_null(wnid);
        assert_int_equal(strtoll(line, NULL, 10), out->n);
        if (out->n == out->cap) {
            out->cap = out->cap ? 2 * out->cap : 1 << 16;
            out->class_id = realloc(out->class_id, out->cap * sizeof *out->class_id);
            assert_non_null(out->class_id);
        }
        out->class_id[out->n++] = wnid_number(wnid + 1);
    }
    fclose(f);
    free(line);
}

/* wnid,s0,s1,...: s1 is the nearest class. */
static void read_nearest(FILE *f, struct map_u64 *out)
{
    char *line = NULL;
    size_t cap = 0;
    assert_true(getline(&line, &cap, f) > 0); /* header */
    while (getline(&line, &cap, f) > 0) {
        char *s0 = strchr(line, ','), *s1 = s0 ? strchr(s0 + 1, ',') : NULL;
        assert_non_null(s1);
        map_u64_put(out, (uint64_t)wnid_number(line), (uint32_t)wnid_number(s1 + 1));
    }
    fclose(f);
    free(line);
}

static unsigned role_of(const json_t *hit, json_int_t image, enum cell_role *role)
{
    static const struct {
        const char *name;
        enum cell_role role;
    } lists[] = {{"label", CELL_CANDIDATE}, {"pos", CELL_POSITIVE}, {"neg", CELL_NEGATIVE}};
    unsigned found = 0;
    for (size_t k = 0; k < 3; k++) {
        const json_t *list = json_object_get(hit, lists[k].name);
        assert_true(json_is_array(list));
        for (size_t i = 0; i < json_array_size(list); i++) {
            if (json_integer_value(json_array_get(list, i)) == image) {
                *role = lists[k].role;
                found++;
            }
        }
    }
    return found;
}

static struct checked_grid hit_to_check(const json_t *hit, const struct study_images *images,
                                        const struct map_u64 *nearest)
{
    const json_t *all = json_object_get(hit, "all");
    struct checked_grid g = {.n = (unsigned)json_array_size(all)};
    g.class_id = wnid_number(json_string_value(json_object_get(hit, "wnid")));
    g.nearest = map_u64_get(nearest, (uint64_t)g.class_id);
    assert_in_range(g.n, 1, GRID_CELLS);
    for (unsigned i = 0; i < g.n; i++) {
        json_int_t image = json_integer_value(json_array_get(all, i));
        assert_in_range(image, 0, images->n - 1);
        g.cell[i] = (struct checked_cell){.image = image, .class_id = images->class_id[image]};
        assert_int_equal(role_of(hit, image, &g.cell[i].role), 1);
        if (g.cell[i].role == CELL_CANDIDATE) {
            g.cell[i].class_id = g.class_id; /* the list names one class of a photo found twice */
        }
    }
    return g;
}

TEST(real_hits)
{
    const char *golden = unit_golden();
    if (!golden) {
        skip();
    }
    char *line = NULL;
    size_t cap = 0, included = 0, exceptions = 0;
    struct study_images images = {0};
    struct map_u64 nearest;
    struct arena a;
    arena_init(&a, 128 << 20);
    map_u64_init(&nearest);
    read_images(open_text(golden, "hits/images.csv.xz", &a), &images);
    read_nearest(open_text(golden, "classes/similar_wnids.csv", &a), &nearest);
    assert_int_equal(images.n, 245054);
    assert_int_equal(nearest.n, 1000);
    FILE *f = open_text(golden, "hits/hits.jsonl.xz", &a);
    while (getline(&line, &cap, f) > 0) {
        json_t *hit = json_loads(line, 0, NULL);
        assert_non_null(hit);
        struct checked_grid g = hit_to_check(hit, &images, &nearest);
        if (json_string_length(json_object_get(hit, "excluded")) == 0) {
            const char *fault = plan_fault(&g);
            included++;
            exceptions += fault != NULL;
            if (fault && plan_special_fault(&g)) {
                fail_msg("%s", fault);
            }
        }
        json_decref(hit);
    }
    fclose(f);
    free(line);
    free(images.class_id);
    map_u64_release(&nearest);
    arena_release(&a);
    assert_int_equal(included, 6298);
    assert_int_equal(exceptions, 1); /* the special HIT of 14, 16 and 18 */
}
