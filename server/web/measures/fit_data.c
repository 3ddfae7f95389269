/* fit_data.c - from the models that count to points, and from those to the line. */
#include "web/measures/fit_data.h"

#include <math.h>

#include "base/parallel.h"

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
                                          .y = share(l->on[SIDE_NEW], m->query.top),
                                          .family = l->facts ? l->facts->family : SV(""),
                                          .year = l->facts ? l->facts->year : 0};
        if (is_without(m->query.without, m->names[i])) {
            f->points[at].left_out = FIT_ASKED_OUT;
        }
    }
}

/* What keeps a line from being fitted is no mistake of the address: the page says it, and lets models in again. */
static enum err_code find(struct ctx *c, struct measures_fit *f, uint32_t resamples)
{
    const struct measures_query *q = &f->m.query;
    const struct fit_ask ask = {.scale = (enum share_scale)q->scale,
                                .over = (enum fit_over)q->over,
                                .pivot = sv_trim(q->pivot),
                                .bootstrap = {.resamples = resamples, .seed = FIT_SEED, .threads = parallel_cores()}};
    enum err_code rc = fit_points(&ask, f->points, f->m.n, NULL, c->arena, &f->found, &c->err);
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
    enum err_code rc = measures_make(c, q, &out->m);
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
