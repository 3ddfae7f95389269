/* prediction_lines.c - predictions as JSON lines, with the header that `predict --shard` writes or
 * without. Parts may be put one behind the other: every header begins a new batch. Without a header a line may
 * name its model. */
#include <string.h>

#include "crypto/crypto.h"
#include "formats/jsonl.h"
#include "store/models/models.h"
#include "transfer/predictions/prediction_file.h"

enum { TEXT_MOST = 1 << 16 };

static struct sv text_of(const json_t *v)
{
    return json_is_string(v) ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

/* JSON of a member, as the database keeps it; "" for one that is missing or over-long. */
static struct sv json_of(struct arena *a, const json_t *v)
{
    char *text = v ? json_dumps(v, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17)) : NULL;
    struct sv out = text && strlen(text) < TEXT_MOST ? arena_sv(a, sv_of(text)) : SV("");
    free(text);
    return out;
}

static bool is_header(const json_t *o)
{
    return sv_is(text_of(json_object_get(o, "holdout")), "predictions");
}

/* What a part says of all its lines. */
static void read_header(struct prediction_file *f, uint64_t line, const json_t *o)
{
    struct import *im = f->target->im;
    struct arena *a = im->tr->arena;
    struct sv model = text_of(json_object_get(o, "model"));
    struct sv digest = text_of(json_object_get(o, "digest"));
    json_int_t k = json_integer_value(json_object_get(o, "k"));
    struct err why = {OK, "", ""};
    if (model_name_check(model, &why) != OK) {
        import_bad(im, line, "\"model\": %s", why.msg);
    }
    if (f->model_given && !sv_eq(f->model, model)) {
        import_bad(im, line, "the part belongs to model " SV_FMT ", not " SV_FMT, SV_ARG(model),
                   SV_ARG(f->model));
    }
    if (k < 1 || k > PREDICTION_K) {
        import_bad(im, line, "\"k\" must be a number from 1 to %d", PREDICTION_K);
    }
    struct prediction_batch *b = prediction_batch_new(f, model);
    *b = (struct prediction_batch){.model = b->model,
                                   .part = true,
                                   .scored = true,
                                   .k = k >= 1 && k <= PREDICTION_K ? (int)k : PREDICTION_K,
                                   .hash = arena_sv(a, text_of(json_object_get(o, "hash"))),
                                   .engine = arena_sv(a, text_of(json_object_get(o, "engine"))),
                                   .bytes = arena_sv(a, text_of(json_object_get(o, "bytes"))),
                                   .shard = arena_sv(a, text_of(json_object_get(o, "shard"))),
                                   .recipe = json_of(a, json_object_get(o, "recipe"))};
    if (!crypto_unhex(digest, b->digest, PREDICTION_DIGEST)) {
        import_bad(im, line, "\"digest\" must be %d bytes in hexadecimal digits",
                   PREDICTION_DIGEST);
    }
    if (b->engine.n == 0 || b->recipe.n == 0 || !sv_is(b->bytes, "original")) {
        import_bad(im, line,
                   "the header must have \"engine\", \"recipe\" and \"bytes\": \"original\", as "
                   "`predict --shard` writes them");
    }
}

static void read_label(struct prediction_file *f, uint64_t line, const json_t *v, uint16_t *out)
{
    if (json_is_integer(v)) {
        *out = prediction_number(f->target, line, json_integer_value(v));
    } else if (json_is_string(v)) {
        *out = prediction_answer(f->target, line, text_of(v));
    } else {
        char *text = json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT);
        import_bad(f->target->im, line, "the label %.60s is neither the number nor the wnid of a class",
                   text ? text : "?");
        free(text);
        *out = PREDICTION_NONE;
    }
}

/* Labels and scores of a line; the count of labels, 0 with a wrong row. */
static int read_answers(struct prediction_file *f, uint64_t line, const json_t *o,
                        struct prediction *p, bool *scored, bool *dropped)
{
    struct import *im = f->target->im;
    const json_t *labels = json_object_get(o, "labels"), *scores = json_object_get(o, "scores");
    size_t n = json_array_size(labels), k = n < PREDICTION_K ? n : PREDICTION_K;
    size_t first = f->reversed ? n - k : 0;
    uint64_t bad = im->bad;
    *scored = scores != NULL;
    *dropped = n > PREDICTION_K;
    memset(p->labels, 0xff, sizeof p->labels);
    if (n == 0 || (*scored && json_array_size(scores) != n)) {
        import_bad(im, line,
                   "\"labels\" must be a list of class numbers or wnids, \"scores\", when there, "
                   "one number for each");
        return 0;
    }
    for (size_t i = 0; i < k; i++) {
        const json_t *score = json_array_get(scores, first + i);
        read_label(f, line, json_array_get(labels, first + i), &p->labels[i]);
        if (*scored && (!json_is_number(score) || json_number_value(score) < 0 ||
                        json_number_value(score) > 1)) {
            import_bad(im, line, "score %zu must be a probability from 0 to 1", i + 1);
        }
        p->scores[i] = (float)json_number_value(score);
    }
    return im->bad == bad ? (int)k : 0;
}

/* Where a line belongs: below a header to its batch, else to that of the model that it names, else to that of the
 * file's. NULL, and a wrong row, when it names another model than it may. */
static struct prediction_batch *batch_of(struct prediction_file *f, uint64_t line, const json_t *o, size_t part,
                                         int k, bool scored)
{
    struct sv own = text_of(json_object_get(o, "model"));
    struct prediction_batch *b = part < f->n ? &f->batches[part] : NULL;
    struct sv must = b ? b->model : f->model_given ? f->model : own;
    if (own.n && !sv_eq(own, must)) {
        import_bad(f->target->im, line, "the line belongs to model " SV_FMT ", not "
                                        SV_FMT, SV_ARG(own), SV_ARG(must));
        return NULL;
    }
    if (!b && !own.n && !f->model.n) {
        import_bad(f->target->im, line, "it names no model: name one with --model");
        return NULL;
    }
    b = b ? b : prediction_batch_of(f, line, own.n ? own : f->model);
    return b && prediction_shape(f, b, line, k, scored) ? b : NULL;
}

static enum err_code read_line(struct prediction_file *f, uint64_t line, const json_t *o,
                               size_t part)
{
    struct prediction p = {0};
    uint16_t truth;
    bool scored, dropped;
    struct sv name = text_of(json_object_get(o, "image"));
    if (name.n == 0) {
        import_bad(f->target->im, line, "\"image\" must be a string, the name of an image");
        return OK;
    }
    enum err_code rc = prediction_target_find(f->target, line, name, &p.image, &truth);
    if (rc != OK || p.image == 0) {
        return rc;
    }
    int k = read_answers(f, line, o, &p, &scored, &dropped);
    struct prediction_batch *b = k ? batch_of(f, line, o, part, k, scored) : NULL;
    if (!b) {
        return OK;
    }
    b->dropped = b->dropped || dropped;
    return prediction_add(f, b, line, &p, truth);
}

enum err_code prediction_read_lines(struct prediction_file *f)
{
    struct jsonl lines;
    struct import *im = f->target->im;
    struct err *err = im->tr->err;
    json_t *o = NULL;
    size_t part = SIZE_MAX;
    jsonl_open(&lines, im->name, im->text);
    enum err_code rc = jsonl_next(&lines, &o, err);
    if (rc == OK && o && !json_object_get(o, "model") && f->model.n == 0) {
        rc = err_rule(err, ERR_INPUT, "usage", "%s names no model: name one with --model", im->name);
    }
    while (rc == OK && o) {
        if (is_header(o)) {
            read_header(f, lines.line, o);
            part = f->n ? f->n - 1 : SIZE_MAX;
        } else {
            rc = read_line(f, lines.line, o, part);
        }
        json_decref(o);
        o = NULL;
        transfer_progress(im->tr, "reading predictions", lines.line, 0);
        rc = rc == OK ? jsonl_next(&lines, &o, err) : rc;
    }
    json_decref(o);
    return rc;
}
