/* predictions_export.c - `holdout export predictions`: what models say about the images of a
 * set, as `import predictions` reads it: image,wnid,model,label1,...,score1,... with wnids as
 * labels, or "none" for what is no class, in the order of the set. They are those that score the set
 * (measures/scores/score_fold.h). Images that a sealed revision has, too, are left out: nobody sees what models
 * say about them (store/sets/seals.h). */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "formats/csv.h"
#include "measures/scores/model_scores.h"
#include "store/classes/classes.h"
#include "store/sets/seals.h"
#include "transfer/exports/exports.h"

#define OUT_MOST ((size_t)1 << 24)

struct set_image {
    struct sv name, wnid;
    bool sealed;
};

struct predictions_export {
    struct transfer *tr;
    struct revision_row r;
    struct set_image *images; /* by position */
    size_t n;
    struct model_scores *scores;
    struct map_u64 positions; /* image -> position */
    struct map_u64 cids;      /* cid -> index into classes */
    struct class_info *classes;
    struct str out;
    uint64_t rows, sealed; /* written; images left out */
};

static enum err_code add_image(void *arg, const struct revision_name *m, struct err *err)
{
    (void)err;
    struct predictions_export *pe = arg;
    struct arena *a = pe->tr->arena;
    size_t at = (size_t)m->position;
    if (at < pe->n) {
        pe->images[at] = (struct set_image){arena_sv(a, m->name), arena_sv(a, m->wnid), false};
        map_u64_put(&pe->positions, (uint64_t)m->image, (uint32_t)at);
    }
    return OK;
}

static void seal_image(void *arg, int64_t image, int64_t sealed)
{
    (void)sealed;
    struct predictions_export *pe = arg;
    uint32_t at = map_u64_get(&pe->positions, (uint64_t)image);
    if (at != MAP_NONE) {
        pe->sealed += !pe->images[at].sealed;
        pe->images[at].sealed = true;
    }
}

static enum err_code read_set(struct predictions_export *pe, const char *set)
{
    struct transfer *tr = pe->tr;
    size_t n_classes = 0;
    enum err_code rc =
        revisions_find(tr->db, sv_of(set), tr->arena, &pe->r, tr->err);
    rc = rc == OK ? revision_may_be_scored(&pe->r, tr->err) : rc;
    rc = rc == OK ? classes_list(tr->db, tr->arena, &pe->classes, &n_classes, tr->err) : rc;
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < n_classes; i++) {
        map_u64_put(&pe->cids, (uint64_t)pe->classes[i].cid, (uint32_t)i);
    }
    pe->n = (size_t)pe->r.images;
    pe->images = xcalloc(pe->n + 1, sizeof *pe->images);
    rc = revision_images_named(tr->db, pe->r.id, add_image, pe, tr->err);
    return rc == OK ? seals_each_image(tr->db, 0, seal_image, pe, tr->err) : rc;
}

/* An answer that is no class; the empty places after the last answer are none. */
static bool no_class(const struct model_answer *w, int place)
{
    bool later = place == 0;
    for (int i = place + 1; i < PREDICTION_K; i++) {
        later = later || w->p.labels[i] != PREDICTION_NONE;
    }
    return later && w->p.labels[place] == PREDICTION_NONE;
}

static void add_row(struct predictions_export *pe, const struct model_row *m, size_t at,
                    const struct model_answer *w)
{
    csv_cell(&pe->out, pe->images[at].name);
    str_addc(&pe->out, ',');
    csv_cell(&pe->out, pe->images[at].wnid);
    str_printf(&pe->out, "," SV_FMT, SV_ARG(m->name));
    for (int i = 0; i < PREDICTION_K; i++) {
        uint32_t class_at = map_u64_get(&pe->cids, w->p.labels[i]);
        str_addc(&pe->out, ',');
        if (class_at != MAP_NONE) {
            csv_cell(&pe->out, pe->classes[class_at].wnid);
        } else if (no_class(w, i)) {
            str_addz(&pe->out, PREDICTION_NO_CLASS);
        }
    }
    for (int i = 0; i < PREDICTION_K; i++) {
        bool has = w->scored && w->p.labels[i] != PREDICTION_NONE;
        str_addc(&pe->out, ',');
        if (has) {
            str_printf(&pe->out, "%.9g", (double)w->p.scores[i]);
        }
    }
    str_addc(&pe->out, '\n');
    pe->rows++;
}

static enum err_code print_model(struct predictions_export *pe, const struct model_row *m)
{
    struct err *err = pe->tr->err;
    struct model_answer *answers;
    struct arena a;
    size_t n = 0;
    arena_init(&a, (size_t)1 << 31);
    enum err_code rc =
        model_scores_answers(pe->scores, pe->tr->db, &pe->r, m->id, &a, &answers, &n, err);
    for (size_t i = 0; i < n && i < pe->n && rc == OK; i++) {
        if (answers[i].source && !pe->images[i].sealed) {
            add_row(pe, m, i, &answers[i]);
            rc = transfer_flush(pe->tr, &pe->out, err);
        }
    }
    arena_release(&a);
    return rc;
}

static enum err_code print_models(struct predictions_export *pe, const char *name)
{
    struct transfer *tr = pe->tr;
    struct model_row one, *list = &one;
    size_t n = 1;
    enum err_code rc = name ? models_find(tr->db, sv_of(name), tr->arena, &one, tr->err)
                            : models_list(tr->db, false, tr->arena, &list, &n, tr->err);
    str_addz(&pe->out,
             "image,wnid,model,label1,label2,label3,label4,label5,score1,score2,score3,score4,"
             "score5\n");
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = print_model(pe, &list[i]);
    }
    return rc;
}

enum err_code predictions_export(struct transfer *tr, const char *set, const char *model)
{
    struct predictions_export pe = {.tr = tr};
    map_u64_init(&pe.positions);
    pe.scores = model_scores_new();
    map_u64_init(&pe.cids);
    str_init(&pe.out, OUT_MOST);
    enum err_code rc = read_set(&pe, set);
    rc = rc == OK ? print_models(&pe, model) : rc;
    rc = transfer_end(tr, &pe.out, rc);
    if (rc == OK && pe.sealed) {
        transfer_note(tr,
                 "%llu of the %zu images are also in a sealed revision and were left out: predictions about "
                 "them are not shown until it is frozen.",
                 (unsigned long long)pe.sealed, pe.n);
    }
    if (rc == OK && pe.rows == 0 && pe.sealed < pe.n) {
        transfer_note(tr, "There are no predictions about the images of " SV_FMT ".", SV_ARG(pe.r.set));
    }
    free(pe.images);
    map_u64_release(&pe.positions);
    model_scores_free(pe.scores);
    map_u64_release(&pe.cids);
    return rc;
}
