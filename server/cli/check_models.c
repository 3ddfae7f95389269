/* check_models.c - the part of `check` about sets and models. Called by cmd_check.c. */
#include "cli/check_models.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "sets/set_digest.h"
#include "store/classes.h"
#include "store/features.h"
#include "store/images.h"
#include "store/models.h"
#include "store/predictions.h"
#include "store/sets.h"

enum { WORDS = 512 };

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
    struct cli *cli;
    void (*found)(void *arg, const char *text);
    void *arg;
    struct bits images, classes; /* of the project: ids, class numbers */
    struct source_seen *sources;
    size_t n_sources, cap_sources, at; /* at: of the last record */
    uint64_t unknown, twice, no_class;
};

__attribute__((format(printf, 2, 3))) static void say(struct models_check *m, const char *fmt, ...)
{
    char text[WORDS];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    m->found(m->arg, text);
}

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

/* ---- sets ---- */

struct lines {
    struct set_line *list;
    size_t n, cap;
    struct arena texts;
};

static enum err_code add_line(void *arg, const struct revision_name *r, struct err *err)
{
    (void)err;
    struct lines *l = arg;
    xgrow(&l->list, &l->cap, l->n + 1, sizeof *l->list);
    l->list[l->n++] = (struct set_line){arena_sv(&l->texts, r->name), arena_sv(&l->texts, r->wnid)};
    return OK;
}

static enum err_code check_digest(struct models_check *m, const struct set_list_state *s)
{
    struct lines l = {0};
    unsigned char digest[SET_DIGEST];
    struct revision_row r;
    arena_init(&l.texts, (size_t)1 << 31);
    enum err_code rc = revisions_get(m->cli->db, s->revision, &m->cli->arena, &r, &m->cli->err);
    if (rc == OK) {
        rc = revision_images_named(m->cli->db, s->revision, add_line, &l, &m->cli->err);
    }
    if (rc == OK) {
        set_digest(l.list, l.n, digest);
        if (memcmp(digest, s->digest, SET_DIGEST) != 0) {
            say(m,
                "set: the images and labels of " SV_FMT "/%lld are not those that its digest names",
                SV_ARG(r.set), (long long)r.number);
        }
    }
    free(l.list);
    arena_release(&l.texts);
    return rc;
}

struct list_states {
    struct set_list_state *list;
    size_t n, cap;
};

static enum err_code keep_state(void *arg, const struct set_list_state *s, struct err *err)
{
    (void)err;
    struct list_states *l = arg;
    xgrow(&l->list, &l->cap, l->n + 1, sizeof *l->list);
    l->list[l->n++] = *s;
    return OK;
}

static enum err_code check_sets(struct models_check *m)
{
    struct list_states l = {0};
    enum err_code rc = sets_check(m->cli->db, keep_state, &l, &m->cli->err);
    for (size_t i = 0; i < l.n && rc == OK; i++) {
        const struct set_list_state *s = &l.list[i];
        cli_progress(m->cli, "checking sets", i, l.n);
        if (s->revision == 0) {
            say(m,
                "set: a list of %lld images belongs to no revision: an import of a set was cut off "
                "after "
                "%lld, and the same import completes it",
                (long long)s->images, (long long)s->rows);
        } else if (s->rows != s->images) {
            say(m, "set: a list has %lld rows instead of %lld", (long long)s->rows,
                (long long)s->images);
        } else {
            rc = check_digest(m, s);
        }
    }
    free(l.list);
    return rc;
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
    enum err_code rc = classes_list(m->cli->db, &m->cli->arena, &list, &n, &m->cli->err);
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
    cli_progress(m->cli, "checking predictions", 0, 0);
    rc = predictions_each(m->cli->db, 0, 0, 0, &last, check_record, m, &why);
    if (rc != OK) {
        say(m, "prediction: %s", why.msg);
    }
    if (m->unknown) {
        say(m, "prediction: %llu predictions are about images that the project has not",
            (unsigned long long)m->unknown);
    }
    if (m->twice) {
        say(m, "prediction: %llu predictions are about images that their source has already",
            (unsigned long long)m->twice);
    }
    if (m->no_class) {
        say(m, "prediction: %llu labels are numbers of no class", (unsigned long long)m->no_class);
    }
    return OK;
}

/* ---- files ---- */

static enum err_code check_files(struct models_check *m)
{
    struct cli *cli = m->cli;
    struct model_row *list;
    size_t n = 0;
    enum err_code rc = models_list(cli->db, false, &cli->arena, &list, &n, &cli->err);
    const char *folder = fs_join(&cli->arena, cli->dir, "models");
    for (size_t i = 0; i < n && rc == OK; i++) {
        const char *path = list[i].file.n
                               ? fs_join(&cli->arena, folder, arena_cstr(&cli->arena, list[i].file))
                               : NULL;
        if (path && fs_size(path) <= 0) {
            say(m,
                "missing: %s, the file of the model " SV_FMT
                " (put it back, or add the model again)",
                path, SV_ARG(list[i].name));
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
    struct cli *cli = m->cli;
    struct feature_source *list;
    size_t n = 0;
    enum err_code rc = features_sources(cli->db, 0, &cli->arena, &list, &n, &cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const char *path = path_features(&cli->arena, cli->dir, list[i].id);
        int64_t size = fs_size(path), want = list[i].rows * list[i].dim * 4;
        if (size < want) {
            say(m, "size: %s has %lld bytes, but its index has %lld rows of %lld numbers", path,
                (long long)size, (long long)list[i].rows, (long long)list[i].dim);
        }
        m->unknown = 0;
        rc = features_each(cli->db, list[i].id, check_row_image, m, &cli->err);
        if (m->unknown) {
            say(m, "feature: %llu rows of %s are about images that the project has not",
                (unsigned long long)m->unknown, path);
        }
    }
    return rc;
}

enum err_code check_models(struct cli *cli, void (*found)(void *arg, const char *text), void *arg)
{
    struct models_check m = {.cli = cli, .found = found, .arg = arg};
    enum err_code rc = images_each(cli->db, know_image, &m.images, &cli->err);
    if (rc == OK) {
        rc = check_sets(&m);
    }
    if (rc == OK) {
        rc = check_predictions(&m);
    }
    if (rc == OK) {
        rc = check_files(&m);
    }
    if (rc == OK) {
        rc = check_features(&m);
    }
    for (size_t i = 0; i < m.n_sources; i++) {
        free(m.sources[i].images.p);
    }
    free(m.sources);
    free(m.images.p);
    free(m.classes.p);
    return rc;
}
