/* models.c - predictions, model files and features against what the project has. */
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "check/parts.h"
#include "store/classes/classes.h"
#include "store/duplicates/feature_only.h"
#include "store/images/images.h"
#include "store/models/features.h"
#include "store/models/models.h"
#include "store/models/predictions.h"

/* One bit for each image number. */
struct bits {
    unsigned char *p;
    size_t n;
};

struct source_seen {
    int64_t id;
    struct bits images;
};

struct models_check {
    struct check *c;
    struct bits images, classes; /* of the project: ids, class numbers */
    struct source_seen *sources;
    size_t n_sources, cap_sources, at; /* at: of the last record */
    uint64_t unknown, twice, no_class;
};

static bool bit(const struct bits *b, size_t i)
{
    return i / 8 < b->n && (b->p[i / 8] >> i % 8 & 1);
}

static void set_bit(struct bits *b, size_t i)
{
    if (i / 8 >= b->n) {
        size_t n = 2 * (i / 8 + 64);
        b->p = xrealloc(b->p, n);
        memset(b->p + b->n, 0, n - b->n);
        b->n = n;
    }
    b->p[i / 8] = (unsigned char)(b->p[i / 8] | 1u << i % 8);
}

static enum err_code know_image(void *arg, int64_t id, struct sv name, struct err *err)
{
    (void)name;
    (void)err;
    set_bit(arg, (size_t)id);
    return OK;
}

/* ---- predictions ---- */

static struct bits *seen_of(struct models_check *m, int64_t source)
{
    if (m->at < m->n_sources && m->sources[m->at].id == source) {
        return &m->sources[m->at].images;
    }
    for (m->at = 0; m->at < m->n_sources && m->sources[m->at].id != source; m->at++) {
    }
    if (m->at == m->n_sources) {
        xgrow(&m->sources, &m->cap_sources, m->n_sources + 1, sizeof *m->sources);
        m->sources[m->n_sources++] = (struct source_seen){.id = source};
    }
    return &m->sources[m->at].images;
}

static void check_record(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct models_check *m = arg;
    struct bits *seen = seen_of(m, s->id);
    m->unknown += !bit(&m->images, p->image);
    m->twice += bit(seen, p->image);
    set_bit(seen, p->image);
    for (int i = 0; i < s->k; i++) {
        m->no_class += p->labels[i] != PREDICTION_NONE && !bit(&m->classes, p->labels[i]);
    }
}

static enum err_code know_classes(struct models_check *m)
{
    struct class_info *list;
    size_t n = 0;
    enum err_code rc = classes_list(m->c->db, m->c->arena, &list, &n, m->c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (list[i].cid >= 0 && list[i].cid < PREDICTION_NONE) {
            set_bit(&m->classes, (size_t)list[i].cid);
        }
    }
    return rc;
}

static enum err_code check_predictions(struct models_check *m)
{
    struct err why = {OK, "", ""};
    int64_t last;
    enum err_code rc = know_classes(m);
    if (rc != OK) {
        return rc;
    }
    check_progress(m->c, "checking predictions", 0, 0);
    rc = predictions_each(m->c->db, 0, 0, 0, &last, check_record, m, &why);
    if (rc != OK) {
        check_found(m->c, "prediction: %s", why.msg);
    }
    if (m->unknown) {
        check_found(m->c, "prediction: %llu predictions are about images that the project does not have",
                    (unsigned long long)m->unknown);
    }
    if (m->twice) {
        check_found(m->c, "prediction: %llu predictions repeat an image of the same source",
                    (unsigned long long)m->twice);
    }
    if (m->no_class) {
        check_found(m->c, "prediction: %llu labels are not the number of any class",
                    (unsigned long long)m->no_class);
    }
    return OK;
}

/* ---- files ---- */

static enum err_code check_model_files(struct models_check *m)
{
    struct check *c = m->c;
    struct model_row *list;
    size_t n = 0;
    enum err_code rc = models_list(c->db, false, c->arena, &list, &n, c->err);
    const char *folder = fs_join(c->arena, c->dir, "models");
    for (size_t i = 0; i < n && rc == OK; i++) {
        const char *path = list[i].file.n
                               ? fs_join(c->arena, folder, arena_cstr(c->arena, list[i].file))
                               : NULL;
        if (path && fs_size(path) <= 0) {
            check_found(c, "missing: %s, the file of the model " SV_FMT
                        " (put it back, or add the model again)", path,
                        SV_ARG(list[i].name));
        }
    }
    return rc;
}

static enum err_code check_row_image(void *arg, int64_t row, uint32_t image, struct err *err)
{
    (void)row;
    (void)err;
    struct models_check *m = arg;
    m->unknown += !bit(&m->images, image);
    return OK;
}

static enum err_code check_features(struct models_check *m)
{
    struct check *c = m->c;
    struct feature_source *list;
    size_t n = 0;
    enum err_code rc = features_sources(c->db, 0, c->arena, &list, &n, c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const char *path = path_features(c->arena, c->dir, list[i].id);
        int64_t size = fs_size(path), want = list[i].rows * list[i].dim * 4;
        if (size < want) {
            check_found(c, "size: %s has %lld bytes, but its index has %lld rows of %lld numbers",
                        path, (long long)size, (long long)list[i].rows, (long long)list[i].dim);
        }
        m->unknown = 0;
        rc = features_each(c->db, list[i].id, check_row_image, m, c->err);
        if (m->unknown) {
            check_found(c, "feature: %llu rows of %s are about images that the project does not have",
                        (unsigned long long)m->unknown, path);
        }
    }
    return rc;
}

static enum err_code mark_row(void *arg, int64_t row, uint32_t image, struct err *err)
{
    (void)row;
    (void)err;
    set_bit(arg, image);
    return OK;
}

/* Images that came as a model's features have a row of them, in any of its files. */
static enum err_code check_feature_only(struct models_check *m, const struct model_row *model)
{
    struct check *c = m->c;
    struct bits rows = {0};
    struct feature_source *list;
    uint32_t *images;
    size_t n = 0, n_images = 0, lost = 0;
    enum err_code rc = feature_only_list(c->db, model->name.p, 0, c->arena, &images, &n_images, c->err);
    rc = rc == OK && n_images ? features_sources(c->db, model->id, c->arena, &list, &n, c->err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = features_each(c->db, list[i].id, mark_row, &rows, c->err);
    }
    for (size_t i = 0; i < n_images && rc == OK; i++) {
        lost += !bit(&rows, images[i]);
    }
    free(rows.p);
    if (lost) {
        check_found(c, "feature: %zu image%s came as features of " SV_FMT ", which are gone; import them again", lost,
                    lost == 1 ? "" : "s", SV_ARG(model->name));
    }
    return rc;
}

static enum err_code check_all_feature_only(struct models_check *m)
{
    struct model_row *list;
    size_t n = 0;
    enum err_code rc = models_list(m->c->db, true, m->c->arena, &list, &n, m->c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = check_feature_only(m, &list[i]);
    }
    return rc;
}

enum err_code check_models(struct check *c)
{
    struct models_check m = {.c = c};
    enum err_code rc = images_each(c->db, know_image, &m.images, c->err);
    rc = rc == OK ? check_predictions(&m) : rc;
    rc = rc == OK ? check_model_files(&m) : rc;
    rc = rc == OK ? check_features(&m) : rc;
    rc = rc == OK ? check_all_feature_only(&m) : rc;
    for (size_t i = 0; i < m.n_sources; i++) {
        free(m.sources[i].images.p);
    }
    free(m.sources);
    free(m.images.p);
    free(m.classes.p);
    return rc;
}
