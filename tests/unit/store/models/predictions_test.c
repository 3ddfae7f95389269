/* predictions_test.c - sources and blocks: what goes in comes out, the later of an image last. */
#include "unit.h"

#include <string.h>

#include "store/models/models.h"
#include "store/models/predictions.h"
#include "temp_project.h"
#include "world.h"

static int64_t model(struct temp_project *t, const char *name)
{
    struct model_row m = {.name = sv_of(name), .kind = SV("import")};
    bool added;
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(models_put(t->db, &m, 0, WORLD_NOW, &added, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
    return m.id;
}

static struct prediction_source source(struct temp_project *t, int64_t of, unsigned char digest, int k,
                                       bool scored, bool new)
{
    struct prediction_source s = {.model = of, .kind = SV("import"), .bytes = SV("unknown"),
                                  .engine = SV("file"), .recipe = SV("{}"), .k = k, .scored = scored};
    bool added = !new;
    s.digest[31] = digest;
    assert_int_equal(predictions_source(t->db, &s, 0, WORLD_NOW, &added, &t->err), OK);
    assert_int_equal(added, new);
    return s;
}

static struct prediction record(uint32_t image, int k, bool scored)
{
    struct prediction p = {.image = image};
    for (int i = 0; i < PREDICTION_K; i++) {
        p.labels[i] = i < k ? (uint16_t)(image * 7 + (uint32_t)i) : PREDICTION_NONE;
        p.scores[i] = i < k && scored ? 1.0f / (float)(image + (uint32_t)i + 1) : 0;
    }
    return p;
}

static void append(struct temp_project *t, const struct prediction_source *s, const struct prediction *p,
                   size_t n)
{
    assert_int_equal(db_tx_begin(t->db, &t->err), OK);
    assert_int_equal(predictions_append(t->db, s, p, n, &t->err), OK);
    assert_int_equal(db_tx_commit(t->db, &t->err), OK);
}

struct seen {
    struct prediction p[4 * PREDICTION_BLOCK];
    int64_t source[4 * PREDICTION_BLOCK];
    size_t n;
};

static void see(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct seen *seen = arg;
    assert_true(seen->n < 4 * PREDICTION_BLOCK);
    seen->source[seen->n] = s->id;
    seen->p[seen->n++] = *p;
}

static struct seen *all(struct temp_project *t, int64_t of, int64_t from, int64_t after, int64_t *last)
{
    struct seen *seen = arena_calloc(&t->arena, 1, sizeof *seen);
    assert_int_equal(predictions_each(t->db, of, from, after, last, see, seen, &t->err), OK);
    return seen;
}

PROJECT_TEST(records_come_back)
{
    struct temp_project *t = *state;
    static struct prediction p[PREDICTION_BLOCK];
    int64_t of = model(t, "m"), last = 0;
    for (int k = 1; k <= PREDICTION_K; k++) {
        for (int scored = 0; scored < 2; scored++) {
            size_t n = k == 3 ? PREDICTION_BLOCK : (size_t)k;
            struct prediction_source s =
                source(t, of, (unsigned char)(2 * k + scored), k, scored != 0, true);
            for (size_t i = 0; i < n; i++) {
                p[i] = record((uint32_t)(UINT32_MAX / n * i), k, scored != 0);
            }
            append(t, &s, p, n);
            const struct seen *seen = all(t, of, s.id, 0, &last);
            assert_int_equal(seen->n, n);
            for (size_t i = 0; i < n; i++) {
                assert_memory_equal(&seen->p[i], &p[i], sizeof p[i]);
            }
        }
    }
}

PROJECT_TEST(sources_are_found_again)
{
    struct temp_project *t = *state;
    int64_t a = model(t, "a"), b = model(t, "b");
    struct prediction_source s = source(t, a, 1, 5, false, true);
    assert_int_equal(source(t, a, 1, 5, false, false).id, s.id);
    assert_int_not_equal(source(t, b, 1, 5, false, true).id, s.id);
    bool added;
    s.scored = true;
    predictions_source(t->db, &s, 0, WORLD_NOW, &added, &t->err);
    temp_clear(t, ERR_CONFLICT, "prediction-shape");
    struct prediction_source *list;
    struct prediction p[2] = {record(1, 5, false), record(2, 5, false)};
    size_t n;
    s.scored = false;
    append(t, &s, p, 2);
    append(t, &s, p + 1, 1);
    assert_int_equal(predictions_sources(t->db, a, &t->arena, &list, &n, &t->err), OK);
    assert_true(n == 1 && list[0].records == 3 && list[0].k == 5 && list[0].at == WORLD_NOW);
    assert_true(sv_is(list[0].engine, "file") && list[0].digest[31] == 1 && !list[0].scored);
    assert_int_equal(predictions_sources(t->db, 0, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 2);
}

PROJECT_TEST(later_blocks_come_later)
{
    struct temp_project *t = *state;
    int64_t a = model(t, "a"), b = model(t, "b"), last = 0, newest = -1;
    assert_int_equal(predictions_newest(t->db, &newest, &t->err), OK);
    assert_int_equal(newest, 0);
    struct prediction_source x = source(t, a, 1, 1, false, true), y = source(t, a, 2, 1, false, true);
    struct prediction_source z = source(t, b, 1, 1, false, true);
    struct prediction p = record(9, 1, false);
    append(t, &y, &p, 1);
    append(t, &z, &p, 1);
    append(t, &x, &p, 1);
    const struct seen *seen = all(t, a, 0, 0, &last);
    assert_true(seen->n == 2 && seen->source[0] == y.id && seen->source[1] == x.id);
    assert_int_equal(predictions_newest(t->db, &newest, &t->err), OK);
    assert_int_equal(last, newest);
    assert_int_equal(predictions_newest_of(t->db, b, &newest, &t->err), OK);
    assert_int_equal(newest, last - 1);
    assert_int_equal(predictions_newest_of(t->db, b + 99, &newest, &t->err), OK);
    assert_int_equal(newest, 0);
    seen = all(t, 0, 0, 0, &last);
    assert_true(seen->n == 3 && seen->source[1] == z.id);
    append(t, &z, &p, 1);
    int64_t since = last;
    seen = all(t, 0, 0, since, &last);
    assert_true(seen->n == 1 && seen->source[0] == z.id && last == since + 1);
    assert_int_equal(all(t, a, 0, since, &last)->n, 0);
    assert_int_equal(last, since);
}

PROJECT_TEST(damage_is_told)
{
    struct temp_project *t = *state;
    int64_t last;
    struct seen seen = {.n = 0};
    struct prediction_source s = source(t, model(t, "m"), 1, 5, false, true);
    struct prediction p = record(9, 5, false);
    append(t, &s, &p, 1);
    assert_int_equal(db_script(t->db, "UPDATE prediction_block SET data = substr(data, 1, 13)", &t->err), OK);
    assert_int_equal(predictions_each(t->db, 0, 0, 0, &last, see, &seen, &t->err), ERR_IO);
    assert_non_null(strstr(t->err.msg, "is damaged"));
    err_clear(&t->err);
    assert_true(seen.n == 0 && last == 0);
}
