/* evaluation_make.c - everything is read in one snapshot, chosen in memory, and written in slices. */
#include "experts/evaluation_make.h"

#include <string.h>

#include "base/map.h"
#include "json/object.h"
#include "measures/people/people_gap_rows.h"
#include "measures/scores/score_fold.h"
#include "store/classes/classes.h"
#include "store/core/photos.h"
#include "store/labels/evaluations.h"
#include "store/models/models.h"
#include "store/operate/health.h"
#include "store/people/accounts.h"
#include "store/sets/seals.h"
#include "store/work/flags.h"

/* Why an image cannot be taken. SEEN_NEAR: somebody saw another image that shows its photo; OF_SEALED: a sealed revision has
 * such an image, and not itself; TWICE: the list has one already, or the other set does. */
enum { NOT_THERE = 1, TWICE, OF_SEALED, SEEN_NEAR, SEEN };
enum { HARDEST_PERCENT = 5 };

struct person {
    struct account account;
    struct map_u64 images, photos; /* that they were shown (store/core/photos.h) */
    int64_t seen; /* images of the two sets */
};
struct side {
    struct revision_row set;
    struct evaluation_candidate *all;
    size_t n;
    unsigned char *why_not;  /* by position; 0: it can be taken */
    uint32_t *right;         /* by position: models that have it right */
    struct evaluation_set_row row;
    int64_t near;            /* of row.seen, images that nobody was shown themselves */
    bool asked;
};
struct making {
    struct db *db;
    const struct evaluation_ask *ask;
    struct arena *a;
    struct err *err;
    struct side side[EVALUATION_SIDES];
    struct person *people;
    size_t n_people;
    struct photos photos;
    struct map_u64 hidden, taken, classes; /* taken: photos that a side has; classes: ids that are wanted */
    struct map_u64 sealed, sealed_photos;
    int64_t *models;
    struct sv *model_names;
    size_t n_models;
    struct evaluation_image *images;
    uint32_t *classes_of; /* of the images chosen, their class ids */
    size_t n_images;
};

/* ---- who ---- */

static enum err_code read_person(struct making *m, struct sv login)
{
    struct person *p = &m->people[m->n_people];
    int64_t *saw;
    size_t n = 0;
    enum err_code rc = accounts_find_login(m->db, login, m->a, &p->account, m->err);
    if (rc == ERR_NOT_FOUND || (rc == OK && !account_is_expert(&p->account))) {
        return err_rule(m->err, ERR_INPUT, "evaluation-people",
                        "There is no account " SV_FMT " with the role expert or above. Nothing was written.", SV_ARG(login));
    }
    for (size_t i = 0; i < m->n_people; i++) {
        if (m->people[i].account.id == p->account.id) {
            return OK; /* named twice */
        }
    }
    m->n_people++;
    map_u64_init(&p->images);
    map_u64_init(&p->photos);
    rc = rc == OK ? evaluation_saw_list(m->db, p->account.id, m->a, &saw, &n, m->err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        map_u64_put(&p->images, (uint64_t)saw[i], 1);
        map_u64_put(&p->photos, photos_of(&m->photos, (uint32_t)saw[i]), 1);
    }
    return rc;
}

static enum err_code read_people(struct making *m)
{
    struct sv rest = m->ask->people;
    enum err_code rc = OK;
    m->people = arena_calloc(m->a, EVALUATION_PEOPLE + 1, sizeof *m->people);
    while (rest.n && rc == OK) {
        if (m->n_people == EVALUATION_PEOPLE) {
            return err_rule(m->err, ERR_INPUT, "evaluation-people", "An evaluation has at most %d people. Nothing was written.",
                            EVALUATION_PEOPLE);
        }
        struct sv login = sv_trim(sv_cut(&rest, ','));
        rc = login.n ? read_person(m, login) : OK;
    }
    return rc;
}

/* ---- which images there are ---- */

static enum err_code note_hidden(void *arg, int64_t image, struct err *err)
{
    (void)err;
    map_u64_put(&((struct making *)arg)->hidden, (uint64_t)image, 1);
    return OK;
}

static void note_sealed(void *arg, int64_t image, int64_t sealed)
{
    struct making *m = arg;
    map_u64_put(&m->sealed, (uint64_t)image, 1);
    map_u64_put(&m->sealed_photos, photos_of(&m->photos, (uint32_t)sealed), 1);
}

static enum err_code read_classes(struct making *m)
{
    struct sv rest = m->ask->classes;
    enum err_code rc = OK;
    while (rest.n && rc == OK) {
        struct sv wnid = sv_trim(sv_cut(&rest, ','));
        int64_t *ids;
        size_t n = 0;
        rc = wnid.n ? classes_below(m->db, wnid, m->a, &ids, &n, m->err) : OK;
        for (size_t i = 0; i < n && rc == OK; i++) {
            map_u64_put(&m->classes, (uint64_t)ids[i], 1);
        }
    }
    return rc;
}

static bool has(const struct map_u64 *map, uint64_t key) { return map_u64_get(map, key) != MAP_NONE; }

static unsigned char who_has_seen(struct making *m, uint32_t image, uint64_t photo)
{
    unsigned char how = 0;
    for (size_t p = 0; p < m->n_people; p++) {
        if (has(&m->people[p].photos, photo)) {
            const unsigned char theirs = has(&m->people[p].images, image) ? SEEN : SEEN_NEAR;
            m->people[p].seen++;
            how = theirs > how ? theirs : how;
        }
    }
    return how;
}

/* What people say of a sealed image is kept until it is unsealed: not so of an open one that shows the same. */
static unsigned char why_not(struct making *m, const struct evaluation_candidate *c, uint64_t photo)
{
    return !c->source || has(&m->hidden, c->image)                                ? NOT_THERE
           : has(&m->taken, photo)                                                ? TWICE
           : has(&m->sealed_photos, photo) && !has(&m->sealed, c->image) ? OF_SEALED
                                                                                  : who_has_seen(m, c->image, photo);
}

/* Images of other classes are as if they were not in the set. */
static void mark(struct making *m, struct side *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct evaluation_candidate *c = &s->all[i];
        if (m->classes.n == 0 || map_u64_get(&m->classes, c->class_id) != MAP_NONE) {
            s->all[n++] = *c;
        }
    }
    s->n = n;
    s->why_not = arena_calloc(m->a, n + 1, 1);
    for (size_t i = 0; i < n; i++) {
        const uint64_t photo = photos_of(&m->photos, s->all[i].image);
        s->why_not[i] = why_not(m, &s->all[i], photo);
        if (s->why_not[i] == 0) { /* of a photo the first in the set's order */
            map_u64_put(&m->taken, photo, 1);
        }
    }
    for (size_t i = 0; i < n; i++) { /* what a set has is not asked about as the other's */
        map_u64_put(&m->taken, photos_of(&m->photos, s->all[i].image), 1);
    }
}

static enum err_code read_side(struct making *m, int at)
{
    struct side *s = &m->side[at];
    s->asked = m->ask->sets[at].n > 0;
    s->row = (struct evaluation_set_row){.side = at, .most_right = -1};
    if (!s->asked) {
        return OK;
    }
    enum err_code rc = revisions_find(m->db, m->ask->sets[at], m->a, &s->set, m->err);
    rc = rc == OK && m->ask->by == EVALUATION_HARDEST ? revision_may_be_scored(&s->set, m->err) : rc;
    rc = rc == OK ? evaluation_candidates(m->db, s->set.id, m->a, &s->all, &s->n, m->err) : rc;
    s->row.revision = s->set.id;
    if (rc == OK) {
        mark(m, s);
    }
    return rc;
}

/* ---- the hardest ---- */

static enum err_code read_models(struct making *m)
{
    struct model_row *rows;
    struct people_sides sides;
    size_t n = 0;
    enum err_code rc = models_named(m->db, m->ask->models, m->a, &rows, &n, m->err);
    int64_t *ids = arena_alloc(m->a, (n + 1) * sizeof *ids);
    struct sv *names = arena_alloc(m->a, (n + 1) * sizeof *names);
    for (size_t i = 0; i < n && rc == OK; i++) {
        ids[i] = rows[i].id;
        names[i] = rows[i].name;
    }
    rc = rc == OK ? people_sides_of(m->db, ids, names, n, m->a, &sides, m->err) : rc;
    if (rc == OK) {
        m->models = sides.models;
        m->model_names = sides.model_names;
        m->n_models = sides.n_models;
    }
    return rc;
}

/* Which of the fold's models are asked: those that were named. */
static enum err_code find_models(struct making *m, const struct side *s, const struct revision_scores *fold, const struct model_ranks **out)
{
    for (size_t y = 0; y < m->n_models; y++) {
        out[y] = NULL;
        for (size_t x = 0; x < fold->n_models; x++) {
            out[y] = fold->models[x].model == m->models[y] && fold->models[x].n_sources ? &fold->models[x] : out[y];
        }
        if (!out[y]) {
            return err_rule(m->err, ERR_INPUT, "evaluation-models",
                            "The model " SV_FMT " has no predictions of " SV_FMT "/%lld: name the models with --models. Nothing was written.",
                            SV_ARG(m->model_names[y]), SV_ARG(s->set.set), (long long)s->set.number);
        }
    }
    return m->n_models ? OK
                       : err_rule(m->err, ERR_INPUT, "evaluation-models",
                                  "The hardest images are those that fewest models have right, and there are no models. Nothing was written.");
}

/* Images that one of the models lacks, or that a sealed revision has, are left out. */
static enum err_code count_right(struct making *m, struct side *s)
{
    struct revision_scores *fold = NULL;
    struct map_u64 at;
    const struct model_ranks **models = arena_alloc(m->a, (m->n_models + 1) * sizeof *models);
    map_u64_init(&at);
    s->right = arena_calloc(m->a, s->n + 1, sizeof *s->right);
    enum err_code rc = score_fold_new(m->db, &s->set, NULL, &fold, m->err);
    rc = rc == OK ? score_fold_more(fold, m->db, m->err) : rc;
    rc = rc == OK ? find_models(m, s, fold, models) : rc;
    for (size_t i = 0; i < s->n && rc == OK; i++) {
        map_u64_put(&at, s->all[i].image, (uint32_t)i);
    }
    for (uint32_t k = 0; rc == OK && k < fold->n; k++) {
        uint32_t i = map_u64_get(&at, fold->image[k]);
        bool lacks = fold->sealed[k];
        for (size_t y = 0; y < m->n_models && i != MAP_NONE; y++) {
            s->right[i] += models[y]->rank[k] == 1;
            lacks = lacks || models[y]->rank[k] == NO_RECORD;
        }
        if (i != MAP_NONE && lacks) {
            s->why_not[i] = NOT_THERE;
        }
    }
    map_u64_release(&at);
    score_fold_free(fold);
    return rc;
}

static void take(struct making *m, struct side *s, size_t i, int64_t models_right)
{
    m->images[m->n_images] = (struct evaluation_image){s->all[i].image, s->row.side, models_right};
    m->classes_of[m->n_images++] = s->all[i].class_id;
    s->row.images++;
}

/* Who has seen most, for a refusal. */
static const char *who_saw(const struct making *m)
{
    const struct person *most = NULL;
    for (size_t p = 0; p < m->n_people; p++) {
        most = m->people[p].seen && (!most || m->people[p].seen > most->seen) ? &m->people[p] : most;
    }
    return most ? arena_printf(m->a, " " SV_FMT " has seen %lld images: leave them out, or ask for fewer.", SV_ARG(most->account.login),
                               (long long)most->seen)
                : " Ask for fewer.";
}

static enum err_code too_few(const struct making *m, const struct side *s, const char *what, int64_t have, int64_t want)
{
    return err_rule(m->err, ERR_INPUT, "evaluation-size",
                    "%s of " SV_FMT "/%lld has %lld images that can be shown and that none of the people has seen, and %lld are wanted.%s "
                    "Nothing was written.",
                    what, SV_ARG(s->set.set), (long long)s->set.number, (long long)have, (long long)want, who_saw(m));
}

static enum err_code choose_hardest(struct making *m, struct side *s)
{
    enum err_code rc = count_right(m, s);
    uint32_t *right = arena_alloc(m->a, (s->n + 1) * sizeof *right), n = 0;
    for (size_t i = 0; i < s->n && rc == OK; i++) {
        if (s->why_not[i] == 0) {
            right[n++] = s->right[i];
        }
    }
    int64_t wanted = m->ask->images ? m->ask->images : (int64_t)(s->n * HARDEST_PERCENT + 99) / 100;
    rc = rc == OK && (n < wanted || n == 0) ? too_few(m, s, "The whole", n, wanted) : rc;
    if (rc != OK) {
        return rc;
    }
    struct evaluation_cut cut = evaluation_hardest(right, n, (uint32_t)wanted);
    s->row.most_right = cut.most_right;
    for (size_t i = 0; i < s->n; i++) {
        if (s->why_not[i] == 0 && s->right[i] <= cut.most_right) {
            take(m, s, i, s->right[i]);
        }
        s->row.seen += s->why_not[i] >= SEEN_NEAR && s->right[i] <= cut.most_right;
        s->near += s->why_not[i] == SEEN_NEAR && s->right[i] <= cut.most_right;
    }
    return OK;
}

/* ---- of each class ---- */

struct of_class {
    uint32_t class_id, n;
    uint32_t *places; /* that can be taken */
    uint32_t cap;
};

static enum err_code take_class(struct making *m, struct side *s, struct of_class *k, uint32_t quota, struct rng *r)
{
    if (k->n < quota) {
        struct class_info info;
        enum err_code rc = classes_get(m->db, k->class_id, m->a, &info, m->err);
        return rc == OK ? too_few(m, s, arena_printf(m->a, "The class " SV_FMT, SV_ARG(info.wnid)), k->n, quota) : rc;
    }
    rng_shuffle_u32(r, k->places, k->n);
    for (uint32_t i = 0; i < quota; i++) {
        take(m, s, k->places[i], -1);
    }
    return OK;
}

static enum err_code choose_classes(struct making *m, struct side *s, struct rng *r)
{
    struct map_u64 at;
    struct of_class *list = arena_calloc(m->a, s->n + 1, sizeof *list);
    uint32_t n = 0;
    map_u64_init(&at);
    for (size_t i = 0; i < s->n; i++) { /* in the set's order */
        uint32_t k = map_u64_put(&at, s->all[i].class_id, n);
        n += k == n;
        list[k].class_id = s->all[i].class_id;
        list[k].cap++;
    }
    for (size_t i = 0; i < s->n; i++) {
        struct of_class *k = &list[map_u64_get(&at, s->all[i].class_id)];
        k->places = k->places ? k->places : arena_alloc(m->a, (k->cap + 1) * sizeof *k->places);
        if (s->why_not[i] == 0) {
            k->places[k->n++] = (uint32_t)i;
        }
        s->row.seen += s->why_not[i] >= SEEN_NEAR;
        s->near += s->why_not[i] == SEEN_NEAR;
    }
    map_u64_release(&at);
    int64_t wanted = m->ask->images ? m->ask->images : n;
    if (n == 0 || wanted > (int64_t)s->n) {
        return too_few(m, s, "The whole", (int64_t)s->n, wanted);
    }
    uint32_t *quota = arena_calloc(m->a, n + 1, sizeof *quota);
    evaluation_spread((uint32_t)wanted, n, r, quota);
    enum err_code rc = OK;
    for (uint32_t k = 0; k < n && rc == OK; k++) {
        rc = take_class(m, s, &list[k], quota[k], r);
    }
    return rc;
}

/* ---- all of it ---- */

/* Rows are mixed, so that their numbers do not tell sets and classes from each other. */
static void mix(struct making *m, struct rng *r)
{
    for (size_t i = m->n_images; i > 1; i--) {
        size_t k = (size_t)rng_below(r, i);
        struct evaluation_image was = m->images[i - 1];
        uint32_t class_id = m->classes_of[i - 1];
        m->images[i - 1] = m->images[k];
        m->images[k] = was;
        m->classes_of[i - 1] = m->classes_of[k];
        m->classes_of[k] = class_id;
    }
}

static enum err_code choose(struct making *m)
{
    struct rng r;
    size_t most = m->side[0].n + m->side[1].n + 1;
    rng_seed(&r, (uint64_t)m->ask->seed);
    m->images = arena_alloc(m->a, most * sizeof *m->images);
    m->classes_of = arena_alloc(m->a, most * sizeof *m->classes_of);
    enum err_code rc = m->ask->by == EVALUATION_HARDEST ? read_models(m) : OK;
    for (int at = 0; at < EVALUATION_SIDES && rc == OK; at++) {
        struct side *s = &m->side[at];
        if (s->asked) {
            rc = m->ask->by == EVALUATION_HARDEST ? choose_hardest(m, s) : choose_classes(m, s, &r);
        }
    }
    if (rc == OK && m->n_images > EVALUATION_IMAGES) {
        return err_rule(m->err, ERR_INPUT, "evaluation-size", "An evaluation has at most %d images, and this one would have %zu.",
                        EVALUATION_IMAGES, m->n_images);
    }
    if (rc == OK) {
        mix(m, &r);
    }
    return rc;
}

static enum err_code choose_among(struct making *m, int64_t **out, size_t *n)
{
    struct map_u64 there;
    map_u64_init(&there);
    *out = arena_alloc(m->a, (m->n_images + 1) * sizeof **out);
    *n = 0;
    for (size_t i = 0; i < m->n_images && m->ask->among; i++) {
        if (map_u64_get(&there, m->classes_of[i]) == MAP_NONE) {
            map_u64_put(&there, m->classes_of[i], 1);
            (*out)[(*n)++] = m->classes_of[i];
        }
    }
    map_u64_release(&there);
    return *n == 1 || *n > EVALUATION_AMONG
               ? err_rule(m->err, ERR_INPUT, "evaluation-among",
                          "The images are of %zu classes, and people choose among 2 to %d: say which classes with --classes, or let "
                          "them choose among all. Nothing was written.",
                          *n, EVALUATION_AMONG)
               : OK;
}

static struct sv models_json(const struct making *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->n_models; i++) {
        json_array_append_new(list, json_stringn(m->model_names[i].p, m->model_names[i].n));
    }
    return json_compact(list, 0, m->a);
}

static enum err_code read_all(struct making *m)
{
    enum err_code rc = evaluation_name_free(m->db, m->ask->name, m->err);
    rc = rc == OK ? photos_read(m->db, &m->photos, m->err) : rc;
    rc = rc == OK ? seals_each_image(m->db, 0, note_sealed, m, m->err) : rc;
    rc = rc == OK ? read_people(m) : rc;
    rc = rc == OK ? read_classes(m) : rc;
    rc = rc == OK ? flags_hidden(m->db, m->ask->flags, note_hidden, m, m->err) : rc;
    for (int at = 0; at < EVALUATION_SIDES && rc == OK; at++) {
        rc = read_side(m, at);
    }
    return rc == OK ? choose(m) : rc;
}

static enum err_code write_list(struct making *m, bool alone, int64_t as_of, int64_t now, struct evaluation_made *out)
{
    struct evaluation_set_row sets[EVALUATION_SIDES];
    struct evaluation_new v = {.name = m->ask->name, .models = models_json(m), .as_of = as_of, .account = m->ask->account,
                               .seed = m->ask->seed, .by = m->ask->by, .sets = sets, .images = m->images, .n = m->n_images,
                               .n_people = m->n_people};
    int64_t *classes, *people = arena_alloc(m->a, (m->n_people + 1) * sizeof *people);
    enum err_code rc = choose_among(m, &classes, &v.n_classes);
    v.classes = classes;
    v.people = people;
    *out = (struct evaluation_made){.images = (int64_t)m->n_images, .classes = (int64_t)v.n_classes, .models = (int64_t)m->n_models,
                                    .people = m->n_people};
    for (size_t p = 0; p < m->n_people; p++) {
        people[p] = m->people[p].account.id;
    }
    for (int at = 0; at < EVALUATION_SIDES; at++) {
        const struct side *s = &m->side[at];
        out->side[at] = (struct evaluation_side){.images = s->row.images, .seen = s->row.seen, .near = s->near, .most_right = s->row.most_right};
        for (size_t i = 0; i < s->n; i++) {
            out->side[at].without += s->why_not[i] == NOT_THERE || s->why_not[i] == TWICE;
            out->side[at].sealed += s->why_not[i] == OF_SEALED;
        }
        if (s->asked) {
            sets[v.n_sets++] = s->row;
        }
    }
    return rc == OK && !m->ask->dry ? evaluation_add(m->db, alone, &v, now, &out->id, m->err) : rc;
}

static enum err_code check(const struct evaluation_ask *ask, struct err *err)
{
    if (ask->sets[0].n == 0 && ask->sets[1].n == 0) {
        return err_rule(err, ERR_INPUT, "evaluation-sets", "Name one set or two: originals, new. Nothing was written.");
    }
    return ask->images >= 0 && ask->images <= EVALUATION_IMAGES
               ? OK
               : err_rule(err, ERR_INPUT, "evaluation-size", "An evaluation has at most %d images. Nothing was written.", EVALUATION_IMAGES);
}

enum err_code evaluation_make(struct db *db, bool alone, const struct evaluation_ask *ask, int64_t now, struct arena *a,
                              struct evaluation_made *out, struct err *err)
{
    struct making m = {.db = db, .ask = ask, .a = a, .err = err};
    struct map_u64 *maps[] = {&m.hidden, &m.taken, &m.classes, &m.sealed, &m.sealed_photos, &m.photos.of};
    int64_t as_of = 0, schema;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        map_u64_init(maps[i]);
    }
    enum err_code rc = check(ask, err);
    rc = rc == OK ? db_snapshot(db, err) : rc;
    if (rc == OK) {
        rc = health_moment(db, &as_of, &schema, err);
        rc = rc == OK ? read_all(&m) : rc;
        db_snapshot_end(db);
    }
    rc = rc == OK ? write_list(&m, alone, as_of, now, out) : rc;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        map_u64_release(maps[i]);
    }
    for (size_t p = 0; p < m.n_people; p++) {
        map_u64_release(&m.people[p].images);
        map_u64_release(&m.people[p].photos);
    }
    return rc;
}
