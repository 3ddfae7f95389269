/* training_make.c - first which classes, then which images of them; a fold of the set's predictions says both which classes
 * models confuse and which images are sealed. */
#include "experts/training_make.h"

#include <string.h>

#include "base/map.h"
#include "base/sorted.h"
#include "json/object.h"
#include "measures/scores/score_fold.h"
#include "store/classes/classes.h"
#include "store/classes/relations.h"
#include "store/models/models.h"
#include "store/operate/health.h"
#include "store/work/flags.h"

struct making {
    struct db *db;
    const struct training_ask *ask;
    struct arena *a;
    struct err *err;
    struct revision_row set;
    struct revision_scores *fold;    /* NULL: of a file */
    struct map_u64 classes;          /* of which images are taken, by id; unused with a file */
    struct map_u64 hidden;           /* images */
    struct map_u64 may;              /* with confusions: images of the set that may be shown */
    struct training_item *items;     /* that may be taken */
    size_t n;
    int64_t left_out;
};

/* ---- of which classes ---- */

static void want(struct making *m, int64_t class_id) { map_u64_put(&m->classes, (uint64_t)class_id, 1); }

static bool next_wnid(struct sv *rest, struct sv *out)
{
    size_t n = 0;
    while (rest->n && (rest->p[0] == ',' || rest->p[0] == '+' || rest->p[0] == ' ')) {
        *rest = sv_make(rest->p + 1, rest->n - 1);
    }
    while (n < rest->n && rest->p[n] != ',' && rest->p[n] != '+' && rest->p[n] != ' ') {
        n++;
    }
    *out = sv_make(rest->p, n);
    *rest = sv_make(rest->p + n, rest->n - n);
    return n > 0;
}

/* Classes below those that are named. */
static enum err_code want_group(struct making *m)
{
    struct sv rest = m->ask->classes, wnid;
    enum err_code rc = OK;
    if (rest.n == 0) {
        return err_rule(m->err, ERR_INPUT, "training-classes", "Name the group or groups whose classes are meant, by wnid.");
    }
    while (rc == OK && next_wnid(&rest, &wnid)) {
        int64_t *below;
        size_t n = 0;
        rc = classes_below(m->db, wnid, m->a, &below, &n, m->err);
        for (size_t i = 0; i < n && rc == OK; i++) {
            want(m, below[i]);
        }
    }
    return rc;
}

/* Classes that have a relation, or of those that are named and those related to them. */
static enum err_code want_related(struct making *m)
{
    struct sv rest = m->ask->classes, wnid;
    struct map_u64 named;
    struct class_info k;
    struct relation_pair *pairs;
    size_t n = 0;
    map_u64_init(&named);
    enum err_code rc = relations_pairs(m->db, m->a, &pairs, &n, m->err);
    while (rc == OK && next_wnid(&rest, &wnid)) {
        rc = classes_find(m->db, wnid, m->a, &k, m->err);
        if (rc == OK) {
            map_u64_put(&named, (uint64_t)k.id, 1);
        }
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (pairs[i].kind == RELATION_NONE) {
            continue;
        }
        if (named.n == 0 || map_u64_get(&named, (uint64_t)pairs[i].a) != MAP_NONE || map_u64_get(&named, (uint64_t)pairs[i].b) != MAP_NONE) {
            want(m, pairs[i].a);
            want(m, pairs[i].b);
        }
    }
    map_u64_release(&named);
    return rc == OK && m->classes.n == 0
               ? err_rule(m->err, ERR_INPUT, "training-classes",
                          m->ask->classes.n ? "No class is related to these. Relate classes first." : "No classes are related yet. Relate classes first.")
               : rc;
}

/* ---- which images ---- */

static enum err_code add_hidden(void *arg, int64_t image, struct err *err)
{
    struct making *m = arg;
    (void)err;
    map_u64_put(&m->hidden, (uint64_t)image, 1);
    return OK;
}

static enum err_code add_item(struct making *m, uint32_t image, uint32_t class_id)
{
    bool may = map_u64_get(&m->hidden, image) == MAP_NONE;
    enum err_code rc = OK;
    if (m->may.n) { /* all of the set were asked about */
        may = map_u64_get(&m->may, image) != MAP_NONE;
    } else if (may) {
        rc = training_barred(m->db, image, &may, m->err);
        may = !may;
    }
    if (may) {
        m->items[m->n++] = (struct training_item){image, class_id};
    } else {
        m->left_out++;
    }
    return rc;
}

static enum err_code take_file(struct making *m)
{
    enum err_code rc = OK;
    m->items = arena_calloc(m->a, m->ask->n + 1, sizeof *m->items);
    for (size_t i = 0; i < m->ask->n && rc == OK; i++) {
        rc = add_item(m, m->ask->items[i].image, m->ask->items[i].class_id);
    }
    return rc;
}

/* Images of the set whose class is wanted; with none wanted all. */
static enum err_code take_set(struct making *m)
{
    const struct revision_scores *f = m->fold;
    enum err_code rc = OK;
    m->n = 0;
    m->left_out = 0;
    m->items = arena_calloc(m->a, (size_t)f->n + 1, sizeof *m->items);
    for (uint32_t at = 0; at < f->n && rc == OK; at++) {
        if (m->classes.n && map_u64_get(&m->classes, f->class_id[at]) == MAP_NONE) {
            continue;
        }
        if (f->sealed[at]) {
            m->left_out++;
        } else {
            rc = add_item(m, f->image[at], f->class_id[at]);
        }
    }
    return rc;
}

/* ---- which classes models confuse ---- */

static enum err_code read_models(struct making *m, const struct model_ranks ***out, size_t *n)
{
    struct model_row *rows;
    size_t n_rows = 0;
    enum err_code rc = score_fold_more(m->fold, m->db, m->err);
    rc = rc == OK ? models_named(m->db, m->ask->models, m->a, &rows, &n_rows, m->err) : rc;
    *out = arena_calloc(m->a, n_rows + 1, sizeof **out);
    *n = 0;
    for (size_t i = 0; i < n_rows && rc == OK; i++) {
        for (size_t k = 0; k < m->fold->n_models; k++) {
            if (m->fold->models[k].model == rows[i].id && m->fold->models[k].n_sources) {
                (*out)[(*n)++] = &m->fold->models[k];
            }
        }
    }
    return rc == OK && *n == 0
               ? err_rule(m->err, ERR_INPUT, "training-models", "No model has predicted the set " SV_FMT "/%lld.", SV_ARG(m->set.set),
                          (long long)m->set.number)
               : rc;
}

/* How often a class is taken for another one, of the images that may be shown; as (lower cid << 16 | higher cid). */
static void count_pairs(const struct making *m, const struct model_ranks **models, size_t n, struct map_u64 *pairs)
{
    for (uint32_t at = 0; at < m->fold->n; at++) {
        uint32_t cid = m->fold->cid[at];
        if (map_u64_get(&m->may, m->fold->image[at]) == MAP_NONE) {
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            uint32_t said = score_fold_first(models[i], at);
            if (said != PREDICTION_NONE && said != cid && cid < PREDICTION_NONE - 1) {
                uint64_t key = (uint64_t)(said < cid ? said : cid) << 16 | (said < cid ? cid : said);
                uint32_t was = map_u64_get(pairs, key);
                map_u64_set(pairs, key, was == MAP_NONE ? 1 : was + 1);
            }
        }
    }
}

/* Wants the classes of the most frequent pairs; of pairs that are as frequent those of lower numbers. */
static enum err_code want_pairs(struct making *m, const struct map_u64 *pairs)
{
    struct class_info *classes;
    size_t n_classes = 0, n = 0;
    struct sorted_key *keys = arena_calloc(m->a, pairs->n + 1, sizeof *keys);
    enum err_code rc = classes_list(m->db, m->a, &classes, &n_classes, m->err);
    for (size_t i = 0; i < pairs->cap && rc == OK; i++) {
        if (pairs->values[i] != MAP_NONE) {
            keys[n++] = (struct sorted_key){pairs->values[i], (size_t)pairs->keys[i]};
        }
    }
    sorted_keys(keys, n, true);
    for (size_t i = 0; i < n && i < (size_t)m->ask->pairs && rc == OK; i++) {
        for (size_t k = 0; k < n_classes; k++) {
            if (classes[k].cid == (int64_t)(keys[i].at >> 16) || classes[k].cid == (int64_t)(keys[i].at & 0xffff)) {
                want(m, classes[k].id);
            }
        }
    }
    return rc == OK && n == 0 ? err_rule(m->err, ERR_INPUT, "training-models", "These models confuse no classes on the images that may be shown.") : rc;
}

/* Confusions are those of images that may be shown: what an evaluation is about stays out of it. */
static enum err_code want_confused(struct making *m)
{
    const struct model_ranks **models;
    struct map_u64 pairs;
    size_t n = 0;
    map_u64_init(&pairs);
    enum err_code rc = take_set(m);
    rc = rc == OK ? read_models(m, &models, &n) : rc;
    for (size_t i = 0; i < m->n && rc == OK; i++) {
        map_u64_put(&m->may, m->items[i].image, 1);
    }
    if (rc == OK) {
        count_pairs(m, models, n, &pairs);
        rc = want_pairs(m, &pairs);
    }
    map_u64_release(&pairs);
    return rc;
}

/* ---- all of it ---- */

static enum err_code read_all(struct making *m)
{
    enum err_code rc = flags_hidden(m->db, m->ask->flags_to_quarantine, add_hidden, m, m->err);
    if (rc != OK || m->ask->made == MADE_FILE) {
        return rc == OK ? take_file(m) : rc;
    }
    rc = revisions_find(m->db, m->ask->set, m->a, &m->set, m->err);
    rc = rc == OK ? score_fold_new(m->db, &m->set, NULL, &m->fold, m->err) : rc;
    if (rc == OK) {
        rc = m->ask->made == MADE_GROUP      ? want_group(m)
             : m->ask->made == MADE_RELATION ? want_related(m)
                                             : want_confused(m);
    }
    return rc == OK ? take_set(m) : rc;
}

static const char *detail_json(const struct making *m)
{
    const struct training_ask *ask = m->ask;
    json_t *all = ask->made == MADE_FILE
                      ? object(field_text("file", ask->file))
                      : object(field_text("set", arena_printf(m->a, SV_FMT "/%lld", SV_ARG(m->set.set), (long long)m->set.number)),
                               field_sv("classes", ask->classes), field_sv("models", ask->models), field_int("pairs", ask->pairs));
    return json_compact(all, 0, m->a).p;
}

static enum err_code draw(struct making *m, struct training_plan *out)
{
    struct rng r;
    struct map_u64 classes;
    uint32_t *class_of = arena_calloc(m->a, m->n + 1, sizeof *class_of), *chosen = arena_calloc(m->a, m->n + 1, sizeof *chosen);
    struct training_item *items = arena_calloc(m->a, m->n + 1, sizeof *items);
    const size_t most = m->ask->images ? (size_t)m->ask->images : TRAINING_IMAGES;
    if (m->n == 0) {
        return err_rule(m->err, ERR_INPUT, "training-images",
                        "No image is left to train on: of those that were asked for, %lld are sealed, in an open label review or an "
                        "evaluation, near-duplicates of such, or hidden.",
                        (long long)m->left_out);
    }
    map_u64_init(&classes);
    for (size_t i = 0; i < m->n; i++) {
        class_of[i] = m->items[i].class_id;
    }
    rng_seed(&r, (uint64_t)m->ask->seed);
    const size_t n = training_draw(class_of, m->n, most < TRAINING_IMAGES ? most : TRAINING_IMAGES, &r, chosen);
    for (size_t i = 0; i < n; i++) {
        items[i] = m->items[chosen[i]];
        map_u64_put(&classes, items[i].class_id, 1);
    }
    const int64_t span = m->ask->span ? m->ask->span : n < TRAINING_SPAN ? (int64_t)n : TRAINING_SPAN;
    out->classes = (int64_t)classes.n;
    out->left_out = m->left_out;
    out->list = (struct training_new){.name = m->ask->name, .unlocks = m->ask->unlocks.n ? m->ask->unlocks : m->ask->name,
                                      .made = m->ask->made, .detail = detail_json(m), .as_of = out->list.as_of, .seed = m->ask->seed,
                                      .account = m->ask->account, .mark = m->ask->mark, .span = span, .items = items, .n = n};
    map_u64_release(&classes);
    return training_list_check(m->db, &out->list, m->err);
}

enum err_code training_plan(struct db *db, const struct training_ask *ask, struct arena *a, struct training_plan *out,
                            struct err *err)
{
    struct making m = {.db = db, .ask = ask, .a = a, .err = err};
    int64_t schema;
    *out = (struct training_plan){.classes = 0};
    map_u64_init(&m.classes);
    map_u64_init(&m.hidden);
    map_u64_init(&m.may);
    enum err_code rc = db_snapshot(db, err);
    if (rc == OK) {
        rc = health_moment(db, &out->list.as_of, &schema, err);
        rc = rc == OK ? read_all(&m) : rc;
        rc = rc == OK ? draw(&m, out) : rc;
        db_snapshot_end(db);
    }
    map_u64_release(&m.classes);
    map_u64_release(&m.hidden);
    map_u64_release(&m.may);
    if (m.fold) {
        score_fold_free(m.fold);
    }
    return rc;
}
