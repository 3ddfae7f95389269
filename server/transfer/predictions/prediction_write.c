/* prediction_write.c - stores predictions of a model that were made alike: the model when it is
 * new, their source, their records in blocks.
 *
 * The source is found by a digest, of a part that which its header says, else of the records, and
 * of the list that they were imported for when another list has the same records. It is there
 * already: only images that it lacks are added, which completes a killed import. Nothing is written
 * when all of it is known of the list: importing twice changes nothing. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "db/bulk.h"
#include "json/object.h"
#include "store/models/models.h"
#include "transfer/predictions/prediction_file.h"

struct batch_write {
    const struct prediction_writing *how;
    const struct prediction_batch *b;
    struct prediction_source source;
    struct map_u64 have; /* images that the source has */
    int64_t seen;        /* blocks up to that one are in `have` */
    bool begun;
    size_t done, added;
};

/* Of the records as they are, so that the same predictions from another kind of file are the same.
 */
static void digest_records(const struct prediction_batch *b, unsigned char out[PREDICTION_DIGEST])
{
    struct str text;
    str_init(&text, SIZE_MAX / 2);
    str_printf(&text, "predictions k=%d scored=%d\n", b->k, b->scored);
    for (size_t i = 0; i < b->n; i++) {
        str_add(&text, &b->p[i].image, sizeof b->p[i].image);
        str_add(&text, b->p[i].labels, (size_t)b->k * sizeof *b->p[i].labels);
        str_add(&text, b->p[i].scores, b->scored ? (size_t)b->k * sizeof *b->p[i].scores : 0);
    }
    crypto_sha256(text.p, text.n, out);
    str_release(&text);
}

static struct prediction_source source_of_part(const struct prediction_batch *b)
{
    struct prediction_source s = {.kind = SV("engine"),
                                  .bytes = b->bytes,
                                  .engine = b->engine,
                                  .recipe = b->recipe,
                                  .k = b->k,
                                  .scored = b->scored};
    memcpy(s.digest, b->digest, PREDICTION_DIGEST);
    return s; /* of no revision: parts of one run merge, whichever list each was checked against */
}

static struct prediction_source source_of_file(const struct batch_write *w)
{
    struct arena *a = w->how->tr->arena;
    const char *slash = strrchr(w->how->name, '/'), *name = slash ? slash + 1 : w->how->name;
    json_t *recipe = object(field_text("file", name), field_bool("reversed", w->how->reversed));
    char *text = json_dumps(recipe, JSON_COMPACT);
    struct prediction_source s = {.kind = SV("import"),
                                  .bytes = SV("unknown"),
                                  .engine = sv_of(arena_strdup(a, name)),
                                  .recipe = sv_of(arena_strdup(a, text ? text : "{}")),
                                  .revision = w->how->revision,
                                  .list = w->how->list,
                                  .k = w->b->k,
                                  .scored = w->b->scored};
    free(text);
    json_decref(recipe);
    digest_records(w->b, s.digest);
    return s;
}

/* ---- the model ---- */

/* A model that is known by name is taken as it is; a part must be of the same file. */
static enum err_code check_model(const struct prediction_batch *b, const struct model_row *m,
                                 struct err *err)
{
    unsigned char hash[MODEL_HASH];
    if (m->removed && sv_is(m->kind, "onnx")) {
        return err_rule(err, ERR_CONFLICT, "model-removed",
                        "The model " SV_FMT " was removed. None of its predictions were written; bring it "
                        "back with `holdout model add` first.",
                        SV_ARG(b->model));
    }
    if (!b->part || !sv_is(m->kind, "onnx")) {
        return OK;
    }
    bool same = crypto_unhex(b->hash, hash, MODEL_HASH) && memcmp(hash, m->hash, MODEL_HASH) == 0;
    return same ? OK
                : err_rule(err, ERR_CONFLICT, "model-differs",
                           "The part was made by a different file from the model " SV_FMT " of this project. "
                           "None of it was written.",
                           SV_ARG(b->model));
}

static enum err_code take_model(struct batch_write *w, struct db *db, struct err *err)
{
    struct err none = {OK, "", ""};
    struct model_row m = {0};
    bool added = false;
    enum err_code rc = models_find(db, w->b->model, w->how->tr->arena, &m, &none);
    if (rc == OK) {
        rc = check_model(w->b, &m, err);
    } else if (rc != ERR_NOT_FOUND) {
        return err_set(err, rc, "%s", none.msg);
    }
    if (rc == ERR_NOT_FOUND || (rc == OK && m.removed)) {
        m = (struct model_row){.name = w->b->model, .kind = SV("import")};
        rc = models_put(db, &m, 0, w->how->now, &added, err);
    }
    w->how->counts->models += added;
    w->source.model = m.id;
    return rc;
}

/* ---- the source ---- */

/* Which records of the batch are known already: from predictions for the same list, or for no list,
 * say the same. */
struct known {
    const struct prediction_batch *b;
    struct sv list; /* digest of the batch's; empty: it is for none, and any source will do */
    bool *same;     /* by record */
};

static void note_known(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct known *h = arg;
    const struct prediction_batch *b = h->b;
    if (h->list.n && s->list.n && !sv_eq(s->list, h->list)) {
        return;
    }
    size_t at = sorted_u32(b->p, b->n, sizeof *b->p, offsetof(struct prediction, image), p->image);
    if (at < b->n && b->p[at].image == p->image) {
        h->same[at] = h->same[at] || (s->k == b->k && s->scored == b->scored &&
                                      memcmp(p->labels, b->p[at].labels, sizeof p->labels) == 0 &&
                                      memcmp(p->scores, b->p[at].scores, sizeof p->scores) == 0);
    }
}

/* Whether the model has a source with the digest that was imported for another list. */
static enum err_code is_of_other_list(const struct batch_write *w, struct db *db, bool *out,
                                      struct err *err)
{
    struct prediction_source *list;
    struct arena a;
    size_t n = 0;
    arena_init(&a, (size_t)1 << 28);
    enum err_code rc = predictions_sources(db, w->source.model, &a, &list, &n, err);
    *out = false;
    for (size_t i = 0; i < n && rc == OK && w->source.list.n; i++) {
        *out = *out || (memcmp(list[i].digest, w->source.digest, PREDICTION_DIGEST) == 0 &&
                        !sv_eq(list[i].list, w->source.list));
    }
    arena_release(&a);
    return rc;
}

static enum err_code take_source(struct batch_write *w, struct db *db, struct err *err)
{
    bool added = false, other = false;
    enum err_code rc = w->b->part ? OK : is_of_other_list(w, db, &other, err);
    if (other) {
        unsigned char both[PREDICTION_DIGEST + SET_DIGEST];
        memcpy(both, w->source.digest, PREDICTION_DIGEST);
        memcpy(both + PREDICTION_DIGEST, w->source.list.p, SET_DIGEST);
        crypto_sha256(both, sizeof both, w->source.digest);
    }
    return rc == OK ? predictions_source(db, &w->source, 0, w->how->now, &added, err) : rc;
}

static enum err_code find_source(struct batch_write *w, struct db *db, struct err *err)
{
    const struct prediction_batch *b = w->b;
    int64_t last;
    bool all_same = true;
    struct known h = {.b = b, .list = w->source.list, .same = xcalloc(b->n, sizeof *h.same)};
    enum err_code rc = predictions_each(db, w->source.model, 0, 0, &last, note_known, &h, err);
    for (size_t i = 0; i < b->n; i++) {
        all_same = all_same && h.same[i];
    }
    if (rc == OK && all_same) {
        w->done = b->n;
    } else if (rc == OK) {
        rc = take_source(w, db, err);
    }
    free(h.same);
    return rc;
}

/* ---- the records ---- */

static void keep_image(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    (void)s;
    map_u64_put(arg, p->image, 1);
}

/* Which images the source has by now: a killed import left some, another one may be writing. */
static enum err_code look_again(struct batch_write *w, struct db *db, struct err *err)
{
    int64_t newest = 0, last;
    enum err_code rc = predictions_newest(db, &newest, err);
    if (rc == OK && newest > w->seen) {
        rc = predictions_each(db, w->source.model, w->source.id, w->seen, &last, keep_image,
                              &w->have, err);
        w->seen = newest;
    }
    return rc;
}

static enum err_code begin(struct batch_write *w, struct db *db, struct err *err)
{
    enum err_code rc = take_model(w, db, err);
    rc = rc == OK ? find_source(w, db, err) : rc;
    w->begun = rc == OK;
    return rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct batch_write *w = arg;
    struct prediction block[PREDICTION_BLOCK];
    size_t n = 0;
    enum err_code rc = w->begun ? OK : begin(w, db, err);
    rc = rc == OK && w->source.id ? look_again(w, db, err) : rc;
    for (; rc == OK && w->done < w->b->n && n < PREDICTION_BLOCK; w->done++) {
        if (map_u64_get(&w->have, w->b->p[w->done].image) == MAP_NONE) {
            block[n++] = w->b->p[w->done];
        }
    }
    if (rc == OK && n) {
        rc = predictions_append(db, &w->source, block, n, err);
        rc = rc == OK ? predictions_newest(db, &w->seen, err)
                      : rc; /* ours: nobody else writes now */
        w->how->counts->added += n;
        w->added += n;
    }
    *more = w->done < w->b->n;
    return rc;
}

enum err_code prediction_write(const struct prediction_writing *how,
                               const struct prediction_batch *b)
{
    struct batch_write w = {.how = how, .b = b};
    map_u64_init(&w.have);
    w.source = b->part ? source_of_part(b) : source_of_file(&w);
    enum err_code rc = bulk_write(how->tr->db, how->tr->alone, write_step, &w, how->tr->err);
    map_u64_release(&w.have);
    if (rc == OK && w.added) {
        struct prediction_write_counts *c = how->counts;
        xgrow(&c->written, &c->cap_written, c->n_written + 1, sizeof *c->written);
        c->written[c->n_written++] = (struct prediction_written){
            w.source.model, w.source.id, arena_sv(how->tr->arena, b->model)};
    }
    return rc;
}
