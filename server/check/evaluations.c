/* evaluations.c - lists that people classify, against their own rows; predictions that are people's answers, against these. */
#include "base/map.h"
#include "check/parts.h"
#include "store/labels/evaluation_people.h"
#include "store/models/predictions.h"

struct compared {
    const struct evaluation_answer *said;
    struct map_u64 at; /* image -> index of its answer, of the side */
    int64_t same, other;
};

static void compare(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct compared *k = arg;
    (void)s;
    uint32_t i = map_u64_get(&k->at, p->image);
    if (i == MAP_NONE) {
        k->other++;
    } else {
        bool named = k->said[i].cid >= 0 && k->said[i].cid < PREDICTION_NONE;
        k->same += p->labels[0] == (named ? (uint16_t)k->said[i].cid : PREDICTION_NONE);
    }
}

static enum err_code check_source(struct check *c, const struct evaluation_source_row *z)
{
    struct evaluation_image *images;
    struct evaluation_answer *said;
    struct arena a;
    size_t n_images = 0, n = 0;
    int64_t last;
    arena_init(&a, (size_t)1 << 28);
    enum err_code rc = evaluation_images(c->db, z->evaluation, &a, &images, &n_images, c->err);
    rc = rc == OK ? evaluation_answers(c->db, z->evaluation, z->account, &a, &said, &n, c->err) : rc;
    struct compared k = {.said = said};
    map_u64_init(&k.at);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if ((uint64_t)said[i].number < n_images && images[said[i].number].side == z->side) { /* others are counted above */
            map_u64_put(&k.at, images[said[i].number].image, (uint32_t)i);
        }
    }
    rc = rc == OK ? predictions_each(c->db, z->model, z->source, 0, &last, compare, &k, c->err) : rc;
    const int64_t differ = k.other + (int64_t)k.at.n - k.same;
    if (rc == OK && differ) {
        check_found(c, "evaluation " SV_FMT ": %lld predictions of somebody are not what they answered; restore a backup", SV_ARG(z->name),
                    (long long)differ);
    }
    map_u64_release(&k.at);
    arena_release(&a);
    return rc;
}

enum err_code check_evaluations(struct check *c)
{
    struct flaw *flaws;
    struct evaluation_source_row *sources;
    size_t n = 0, n_sources = 0;
    enum err_code rc = evaluation_flaws(c->db, c->arena, &flaws, &n, c->err);
    check_flaws(c, "evaluation", flaws, n);
    rc = rc == OK ? evaluation_sources(c->db, c->arena, &sources, &n_sources, c->err) : rc;
    for (size_t i = 0; i < n_sources && rc == OK; i++) {
        check_progress(c, "checking people's answers", i, n_sources);
        rc = check_source(c, &sources[i]);
    }
    return rc;
}
