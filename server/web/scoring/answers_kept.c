/* answers_kept.c - the last cells and frequencies. */
#include "web/scoring/answers_kept.h"

enum { CELLS_MOST = 12, SAID_MOST = 4, BYTES_MOST = 1 << 26 };

/* ---- cells ---- */

struct kept_results *cells_kept_new(void)
{
    return kept_new(sizeof(struct class_cells), CELLS_MOST, BYTES_MOST);
}

struct cells_asked {
    struct ctx *c;
    const struct class_cells_ask *ask;
    struct class_cells *out;
};

static enum err_code make_cells(void *arg, struct arena *a, void *result)
{
    const struct cells_asked *of = arg;
    return class_cells_make(app_model_scores(of->c->app), of->c->db, of->ask, a, result, &of->c->err);
}

static void copy_cells(void *arg, const void *result)
{
    const struct cells_asked *of = arg;
    class_cells_copy(result, of->c->arena, of->out);
}

enum err_code class_cells_get(struct ctx *c, const struct class_cells_ask *ask, struct class_cells *out)
{
    static const struct kept_ways ways = {make_cells, copy_cells};
    struct cells_asked of = {c, ask, out};
    uint64_t key;
    enum err_code rc = class_cells_key(app_model_scores(c->app), c->db, ask, &key, &c->err);
    return rc == OK ? kept_get(app_cells_kept(c->app), key, &ways, &of) : rc;
}

/* ---- frequencies ---- */

struct kept_results *said_kept_new(void)
{
    return kept_new(sizeof(struct said_frequencies), SAID_MOST, BYTES_MOST);
}

struct said_asked {
    struct ctx *c;
    const struct said_ask *ask;
    struct said_frequencies *out;
};

static enum err_code make_said(void *arg, struct arena *a, void *result)
{
    const struct said_asked *of = arg;
    return said_frequencies_make(app_model_scores(of->c->app), of->c->db, of->ask, a, result, &of->c->err);
}

static void copy_said(void *arg, const void *result)
{
    const struct said_asked *of = arg;
    said_frequencies_copy(result, of->c->arena, of->out);
}

enum err_code said_get(struct ctx *c, const struct said_ask *ask, struct said_frequencies *out)
{
    static const struct kept_ways ways = {make_said, copy_said};
    struct said_asked of = {c, ask, out};
    uint64_t key;
    enum err_code rc = said_frequencies_key(app_model_scores(c->app), c->db, ask, &key, &c->err);
    return rc == OK ? kept_get(app_said_kept(c->app), key, &ways, &of) : rc;
}
