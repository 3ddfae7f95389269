/* fit_data.c - from the models that count to points, and from those to the line. */
#include "web/measures/fit_data.h"

#include <math.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "measures/scores/model_right.h"
#include "web/scoring/fit_kept.h"

/* Of 67 models on 20,000 images in half a second on two cores. */
enum { IMAGE_RESAMPLES = 10000 };

static bool is_without(struct sv names, struct sv model)
{
    while (names.n) {
        if (sv_cmp(sv_trim(sv_cut(&names, ',')), model) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_there(const struct measures *m, struct sv model)
{
    for (size_t i = 0; i < m->t.n_all; i++) {
        if (sv_cmp(m->t.all[i].name, model) == 0) {
            return true;
        }
    }
    return false;
}

static enum err_code check_without(struct ctx *c, const struct measures *m)
{
    for (struct sv rest = m->query.without; rest.n;) {
        struct sv name = sv_trim(sv_cut(&rest, ','));
        if (name.n && !is_there(m, name)) {
            return err_rule(&c->err, ERR_INPUT, "without", "There is no model \"" SV_FMT "\" to leave out.", SV_ARG(name));
        }
    }
    return OK;
}

static double share(const struct model_score *s, int top)
{
    return (double)model_score_right(s, top) / s->predicted;
}

/* Names are different. */
static size_t place_by_name(const struct measures *m, size_t which)
{
    size_t before = 0;
    for (size_t i = 0; i < m->n; i++) {
        before += sv_cmp(m->names[i], m->names[which]) < 0;
    }
    return before;
}

static int top_of(const struct measures_fit *f, int side)
{
    return model_query_top(&f->m.t.query, (enum model_side)side);
}

static void make_points(struct ctx *c, struct measures_fit *f)
{
    const struct measures *m = &f->m;
    f->points = arena_calloc(c->arena, m->n + 1, sizeof *f->points);
    f->at = arena_calloc(c->arena, m->n + 1, sizeof *f->at);
    for (size_t i = 0; i < m->n; i++) {
        const struct model_line *l = m->lines[i];
        size_t at = place_by_name(m, i);
        f->at[i] = at;
        f->points[at] = (struct fit_point){.model = m->names[i],
                                          .x = share(l->on[SIDE_ORIGINAL], m->query.top),
                                          .y = share(l->on[SIDE_NEW], top_of(f, SIDE_NEW)),
                                          .family = l->facts ? l->facts->family : SV(""),
                                          .year = l->facts ? l->facts->year : 0};
        if (is_without(m->query.without, m->names[i])) {
            f->points[at].left_out = FIT_ASKED_OUT;
        }
    }
}

/* ---- over images ---- */

struct image_draws {
    struct ctx *c;
    const struct measures_fit *f;
    struct fit_ask ask;
};

static const struct subset *subset_of(const struct measures_fit *f, int side)
{
    return side == SIDE_NEW ? &f->m.t.fresh_subset : &f->m.t.subset;
}

/* Right answers of the models, in the order of the points. */
static enum err_code answers(const struct image_draws *d, int side, struct model_right *out)
{
    struct ctx *c = d->c;
    const struct measures *m = &d->f->m;
    int64_t *ids = arena_calloc(c->arena, m->n + 1, sizeof *ids);
    for (size_t i = 0; i < m->n; i++) {
        ids[d->f->at[i]] = m->models[i];
    }
    return model_right_of(app_model_scores(c->app), c->db, m->t.sets[side].r, subset_of(d->f, side), top_of(d->f, side), ids, m->n, out, &c->err);
}

static struct bootstrap_set drawn(const struct model_right *r)
{
    return (struct bootstrap_set){r->n, r->image, r->right};
}

static enum err_code draw_images(void *arg, struct fit_ranges *out)
{
    struct image_draws *d = arg;
    struct ctx *c = d->c;
    struct fit_found found;
    struct model_right right[SIDES] = {{.n = 0}, {.n = 0}};
    enum err_code rc = OK;
    for (int side = 0; side < SIDES && rc == OK; side++) {
        rc = answers(d, side, &right[side]);
    }
    if (rc == OK) {
        const struct bootstrap_images images = {.x = drawn(&right[SIDE_ORIGINAL]), .y = drawn(&right[SIDE_NEW]), .n_models = d->f->m.n};
        rc = fit_points(&d->ask, d->f->points, d->f->m.n, &images, c->arena, &found, &c->err);
    }
    for (int side = 0; side < SIDES; side++) {
        model_right_release(&right[side]);
    }
    if (rc == OK) {
        *out = (struct fit_ranges){.line = found.range};
        for (size_t i = 0; i < found.n_pieces; i++) {
            out->pieces[i] = found.pieces[i].range;
        }
    }
    return rc;
}

/* Of everything that intervals over images depend on. */
static enum err_code key_of(struct ctx *c, const struct measures_fit *f, const struct fit_ask *ask, uint64_t *out)
{
    uint64_t parts[11] = {(uint64_t)ask->scale, (uint64_t)ask->over, ask->bootstrap.resamples, ask->bootstrap.seed,
                          (uint64_t)(top_of(f, SIDE_ORIGINAL) * 10 + top_of(f, SIDE_NEW)), hash_bytes(ask->pivot.p, ask->pivot.n)};
    enum err_code rc = OK;
    for (int side = 0; side < SIDES && rc == OK; side++) {
        const struct subset *s = subset_of(f, side);
        parts[6 + side] = subset_hash(s);
        rc = model_right_version(app_model_scores(c->app), c->db, f->m.t.sets[side].r, s, &parts[8 + side], &c->err);
    }
    for (size_t i = 0; i < f->m.n; i++) {
        const struct fit_point *p = &f->points[i];
        uint64_t next[] = {parts[10], hash_bytes(p->model.p, p->model.n), p->left_out != NULL};
        parts[10] = hash_bytes(next, sizeof next);
    }
    *out = hash_bytes(parts, sizeof parts);
    return rc;
}

/* How sure the line is over images: kept, and put where the other ways have it. */
static enum err_code over_images(struct ctx *c, struct measures_fit *f, const struct fit_ask *ask)
{
    struct image_draws d = {c, f, *ask};
    struct fit_ranges ranges;
    uint64_t key;
    enum err_code rc = key_of(c, f, ask, &key);
    rc = rc == OK ? fit_kept_get(c, key, draw_images, &d, &ranges) : rc;
    if (rc != OK) {
        return rc;
    }
    f->found.range = ranges.line;
    f->found.resamples = ask->bootstrap.resamples;
    for (size_t i = 0; i < f->found.n_pieces; i++) {
        f->found.pieces[i].range = ranges.pieces[i];
    }
    return OK;
}

/* ---- the line ---- */

/* What keeps a line from being fitted is no mistake of the address: the page says it, and lets models in again. */
static enum err_code find(struct ctx *c, struct measures_fit *f, uint32_t resamples)
{
    const struct measures_query *q = &f->m.query;
    bool images = resamples && (q->over == FIT_IMAGES || q->over == FIT_BOTH);
    struct fit_ask ask = {.scale = (enum share_scale)q->scale,
                          .over = (enum fit_over)q->over,
                          .pivot = sv_trim(q->pivot),
                          .bootstrap = {.resamples = images ? 0 : resamples, .seed = FIT_SEED, .threads = parallel_cores()}};
    enum err_code rc = fit_points(&ask, f->points, f->m.n, NULL, c->arena, &f->found, &c->err);
    ask.bootstrap.resamples = IMAGE_RESAMPLES;
    rc = rc == OK && images ? over_images(c, f, &ask) : rc;
    f->any = rc == OK;
    if (rc == ERR_INPUT) {
        f->why = arena_strdup(c->arena, c->err.msg);
        err_clear(&c->err);
        rc = OK;
    }
    return rc;
}

enum err_code measures_fit_make(struct ctx *c, const struct measures_query *q, uint32_t resamples, struct measures_fit *out)
{
    *out = (struct measures_fit){.any = false};
    enum err_code rc = measures_pair(c, q, &out->m);
    rc = rc == OK ? check_without(c, &out->m) : rc;
    if (rc != OK) {
        return rc;
    }
    if (!out->m.t.sets[SIDE_ORIGINAL].r || !out->m.t.sets[SIDE_NEW].r) {
        out->why = "A line needs two sets on which models may be scored.";
        return OK;
    }
    make_points(c, out);
    return find(c, out, resamples);
}

const char *measures_fit_toggle(struct ctx *c, const struct measures_fit *f, struct sv model, const char *path)
{
    struct measures_query q = f->m.query;
    const char *names = "";
    for (struct sv rest = q.without; rest.n;) {
        struct sv name = sv_trim(sv_cut(&rest, ','));
        if (name.n && sv_cmp(name, model) != 0) {
            names = arena_printf(c->arena, "%s%s" SV_FMT, names, names[0] ? "," : "", SV_ARG(name));
        }
    }
    if (!is_without(q.without, model)) {
        names = arena_printf(c->arena, "%s%s" SV_FMT, names, names[0] ? "," : "", SV_ARG(model));
    }
    q.without = sv_of(names);
    return measures_query_url(c, path, &q);
}
