/* prediction_write.c - stores predictions of a model that were made alike: the model when it is
 * new, their source, their records in blocks.
 *
 * The source is found by a digest, of a part that which its header says, else of the records. It is
 * there already: only images that it lacks are added, which completes a killed import. Yet of an
 * image the newest record holds: a file that was imported before and replaced since is imported
 * anew, as a source of its own behind the one that replaced it. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "cli/prediction_file.h"
#include "crypto/crypto.h"
#include "db/bulk.h"
#include "store/models.h"

struct batch_write {
    const struct prediction_writing *how;
    const struct prediction_batch *b;
    struct prediction_source source;
    struct map_u64 have; /* images that the source has */
    int64_t seen;        /* blocks up to that one are in `have` */
    bool begun;
    size_t done;
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
    struct arena *a = &w->how->cli->arena;
    const char *slash = strrchr(w->how->name, '/'), *name = slash ? slash + 1 : w->how->name;
    json_t *recipe = json_pack("{s:s, s:b}", "file", name, "reversed", w->how->reversed);
    char *text = json_dumps(recipe, JSON_COMPACT);
    struct prediction_source s = {.kind = SV("import"),
                                  .bytes = SV("unknown"),
                                  .engine = sv_of(arena_strdup(a, name)),
                                  .recipe = sv_of(arena_strdup(a, text ? text : "{}")),
                                  .revision = w->how->revision,
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
                        "The model " SV_FMT
                        " was removed: bring it back with `holdout model add` first. "
                        "Nothing was written of it.",
                        SV_ARG(b->model));
    }
    if (!b->part || !sv_is(m->kind, "onnx")) {
        return OK;
    }
    bool same = crypto_unhex(b->hash, hash, MODEL_HASH) && memcmp(hash, m->hash, MODEL_HASH) == 0;
    return same ? OK
                : err_rule(err, ERR_CONFLICT, "model-differs",
                           "The part was made by another file than the model " SV_FMT
                           " of this project. Nothing was written of it.",
                           SV_ARG(b->model));
}

static enum err_code take_model(struct batch_write *w, struct db *db, struct err *err)
{
    struct err none = {OK, "", ""};
    struct model_row m = {0};
    bool added = false;
    enum err_code rc = models_find(db, w->b->model, &w->how->cli->arena, &m, &none);
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

/* The model's newest records beside those of the batch. */
struct holding {
    const struct prediction_batch *b;
    int64_t
        *other; /* by record: the source that holds and says something else; 0: none, or the same */
    bool *same; /* by record: what holds says the same */
    bool shortened; /* something that holds has more labels */
};

static void note_holder(void *arg, const struct prediction_source *s, const struct prediction *p)
{
    struct holding *h = arg;
    const struct prediction_batch *b = h->b;
    size_t at = sorted_u32(b->p, b->n, sizeof *b->p, offsetof(struct prediction, image), p->image);
    if (at == b->n || b->p[at].image != p->image) {
        return;
    }
    h->same[at] = s->k == b->k && s->scored == b->scored &&
                  memcmp(p->labels, b->p[at].labels, sizeof p->labels) == 0 &&
                  memcmp(p->scores, b->p[at].scores, sizeof p->scores) == 0;
    h->other[at] = h->same[at] ? 0 : s->id;
    h->shortened = h->shortened || s->k > b->k;
}

static enum err_code take_source(struct batch_write *w, const struct holding *h,
                                 int64_t replaced_by, struct db *db, struct err *err)
{
    bool added = false;
    enum err_code rc = predictions_source(db, &w->source, 0, w->how->now, &added, err);
    while (rc == OK && !added && replaced_by > w->source.id && !w->b->part) {
        unsigned char chain[PREDICTION_DIGEST + sizeof replaced_by];
        memcpy(chain, w->source.digest, PREDICTION_DIGEST);
        memcpy(chain + PREDICTION_DIGEST, &replaced_by, sizeof replaced_by);
        crypto_sha256(chain, sizeof chain, w->source.digest);
        rc = predictions_source(db, &w->source, 0, w->how->now, &added, err);
    }
    w->how->counts->shortened += rc == OK && added && h->shortened;
    return rc;
}

/* Nothing is to be done when the newest records say the same already, whichever source they are of.
 */
static enum err_code compare(struct batch_write *w, struct db *db, struct err *err)
{
    const struct prediction_batch *b = w->b;
    int64_t last, replaced_by = 0;
    bool all_same = true;
    struct holding h = {
        .b = b, .other = xcalloc(b->n, sizeof *h.other), .same = xcalloc(b->n, sizeof *h.same)};
    enum err_code rc = predictions_each(db, w->source.model, 0, 0, &last, note_holder, &h, err);
    for (size_t i = 0; i < b->n; i++) {
        all_same = all_same && h.same[i];
        replaced_by = h.other[i] > replaced_by ? h.other[i] : replaced_by;
    }
    if (rc == OK && all_same) {
        w->done = b->n;
    } else if (rc == OK) {
        rc = take_source(w, &h, replaced_by, db, err);
    }
    free(h.other);
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
    if (rc == OK) {
        rc = compare(w, db, err);
    }
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
    enum err_code rc = bulk_write(how->cli->db, how->cli->alone, write_step, &w, &how->cli->err);
    map_u64_release(&w.have);
    return rc;
}
