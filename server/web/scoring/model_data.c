/* model_data.c - facts, recipe, sources and scores of one model as JSON. */
#include "web/scoring/model_data.h"

#include <string.h>

#include "base/str.h"
#include "crypto/crypto.h"
#include "store/models/features.h"
#include "store/people/accounts.h"
#include "web/core/page_data.h"
#include "web/core/records.h"
#include "web/parts/people_data.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_table.h"

enum { LIST_SHOWN = 12, VALUE_MOST = 4096 };

/* ---- JSON as terms ---- */

static void value_text(const json_t *v, struct str *out);

static void list_text(const json_t *list, const char *glue, struct str *out)
{
    size_t n = json_array_size(list);
    for (size_t i = 0; i < n && i < LIST_SHOWN; i++) {
        str_addz(out, i ? glue : "");
        value_text(json_array_get(list, i), out);
    }
    if (n > LIST_SHOWN) {
        str_printf(out, " \xe2\x80\xa6 (%zu)", n);
    }
}

/* "image: N x 3 x 224 x 224" of {dims, name}: what goes in and comes out. */
static void port_text(const json_t *port, struct str *out)
{
    const json_t *dims = json_object_get(port, "dims");
    str_printf(out, "%s:", json_string_value(json_object_get(port, "name")));
    for (size_t i = 0; i < json_array_size(dims) && i < LIST_SHOWN; i++) {
        json_int_t n = json_integer_value(json_array_get(dims, i));
        str_addz(out, i ? " \xc3\x97 " : " ");
        if (n < 0) {
            str_addz(out, i ? "?" : "N");
        } else {
            str_addi(out, n);
        }
    }
}

static void object_text(const json_t *object, struct str *out)
{
    const char *key;
    json_t *v;
    bool first = true;
    if (json_is_array(json_object_get(object, "dims")) &&
        json_is_string(json_object_get(object, "name"))) {
        port_text(object, out);
        return;
    }
    json_object_foreach((json_t *)(uintptr_t)object, key, v)
    {
        str_printf(out, "%s%s ", first ? "" : ", ", key);
        value_text(v, out);
        first = false;
    }
}

static void value_text(const json_t *v, struct str *out)
{
    switch (json_typeof(v)) {
    case JSON_OBJECT:
        object_text(v, out);
        break;
    case JSON_ARRAY:
        list_text(v, json_is_object(json_array_get(v, 0)) ? "; " : ", ", out);
        break;
    case JSON_STRING:
        str_addsv(out, sv_make(json_string_value(v), json_string_length(v)));
        break;
    case JSON_INTEGER:
        str_addi(out, json_integer_value(v));
        break;
    case JSON_REAL:
        str_printf(out, "%g", json_real_value(v));
        break;
    case JSON_TRUE:
        str_addz(out, "yes");
        break;
    case JSON_FALSE:
        str_addz(out, "no");
        break;
    case JSON_NULL:
        str_addz(out, "\xe2\x80\x93");
        break;
    }
}

/* Numbers that are long are counts; what has no word of ours is shown under its own. */
static const char *word_of(const char *key)
{
    static const char *const words[][2] = {
        {"feature_dim", "Features"}, {"flops", "Operations for an image"},
        {"input", "Input"},          {"nodes", "Nodes when fused"},
        {"operators", "Operators"},  {"opset", "Opset"},
        {"outputs", "Outputs"},      {"parameters", "Parameters"},
        {"producer", "Written by"},  {"scores", "Classes"},
        {"run_bytes", "Memory for each thread"},
        {"weight_bytes", "Memory for the model"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i][0], key) == 0) {
            return words[i][1];
        }
    }
    return key;
}

/* In the units of `model add` where a count of eleven digits says less. */
static const char *number_text(struct ctx *c, const char *key, int64_t n)
{
    if (strcmp(key, "flops") == 0) {
        return arena_printf(c->arena, "%.2f GFLOP", (double)n / 1e9);
    }
    if (strcmp(key, "weight_bytes") == 0 || strcmp(key, "run_bytes") == 0) {
        return arena_printf(c->arena, "%.1f MiB", (double)n / 1048576);
    }
    return data_count(c->arena, n);
}

static void add_terms(struct ctx *c, json_t *terms, struct sv text)
{
    json_t *object = text.n ? json_loadb(text.p, text.n, 0, NULL) : NULL, *v;
    const char *key;
    json_object_foreach(object, key, v)
    {
        struct str s;
        str_init(&s, VALUE_MOST);
        if (json_is_integer(v)) {
            str_addz(&s, number_text(c, key, json_integer_value(v)));
        } else {
            value_text(v, &s);
        }
        data_term(terms, word_of(key),
                  s.over ? "too long to show" : arena_cstr(c->arena, str_sv(&s)));
        str_release(&s);
    }
    json_decref(object);
}

json_t *model_data_recipe(struct ctx *c, struct sv recipe)
{
    json_t *terms = json_array();
    add_terms(c, terms, recipe);
    return terms;
}

json_t *model_data_facts(struct ctx *c, const struct model_row *m)
{
    json_t *terms = json_array();
    data_term(terms, "Kind", sv_is(m->kind, "import") ? "imported predictions" : "ONNX");
    if (m->file.n) {
        char hash[2 * MODEL_HASH + 1];
        crypto_hex(m->hash, MODEL_HASH, hash);
        data_term(terms, "File", arena_printf(c->arena, "models/" SV_FMT, SV_ARG(m->file)));
        data_term(terms, "Size",
                  arena_printf(c->arena, "%s bytes", data_count(c->arena, m->bytes)));
        data_term(terms, "BLAKE2b-512", arena_strdup(c->arena, hash));
    }
    add_terms(c, terms, m->facts);
    data_term(terms, "Added (UTC)", people_minute(c->arena, m->at));
    return terms;
}

/* ---- where predictions come from ---- */

struct source_face {
    struct prediction_source s;
    const char *records_text, *digest, *set, *at;
    struct sv by;
    bool is_import;
    json_t *recipe;
};
#define OF(member) RECORD_OF(struct source_face, member)
RECORD(prediction_source_record, struct source_face, "prediction_source", "A run or a file that predictions come from.",
       {"id", OF(s.id), .about = "Its number."},
       {"kind", OF(s.kind), .about = "engine: it was run here; import: a file."},
       {"is_import", OF(is_import), .about = "Whether it is a file."},
       {"origin", OF(s.engine), .about = "The engine's fingerprint, or the file's name."},
       {"bytes", OF(s.bytes), .about = "original: the files as they came were read; unknown: an import does not say."},
       {"k", OF(s.k), .about = "Labels of each prediction."},
       {"scored", OF(s.scored), .about = "Whether predictions have probabilities."},
       {"records", OF(s.records), .about = "Images that it has predictions about."},
       {"records_text", OF(records_text), .about = "The same for people."},
       {"recipe", OF(recipe), RECORD_LIST, .of = &term_record, .about = "How images were prepared; empty: as the model's recipe says."},
       {"digest", OF(digest), .about = "The SHA-256 of all that made it, in hex."},
       {"set", OF(set), .maybe = true, .about = "The revision that it was made for; null: none."},
       {"at", OF(at), .about = "When it began, in UTC to the minute."},
       {"by", OF(by), .about = "Who began it."});
#undef OF

/* A recipe that is still the model's is shown there. */
static enum err_code source_json(struct ctx *c, const struct model_row *m,
                                 const struct prediction_source *s, json_t **out)
{
    struct revision_row r = {.id = 0};
    struct account who = {.login = SV("command line")};
    char digest[2 * PREDICTION_DIGEST + 1];
    if ((s->revision && revisions_get(c->db, s->revision, c->arena, &r, &c->err) != OK) ||
        (s->account && accounts_get(c->db, s->account, c->arena, &who, &c->err) != OK)) {
        return c->err.code;
    }
    crypto_hex(s->digest, PREDICTION_DIGEST, digest);
    const struct source_face face = {
        .s = *s,
        .records_text = data_count(c->arena, s->records),
        .digest = digest,
        .set = r.id ? set_title(c->arena, &r) : NULL,
        .at = people_minute(c->arena, s->at),
        .by = who.login.n ? who.login : SV("a former account"),
        .is_import = sv_is(s->kind, "import"),
        .recipe = model_data_recipe(c, sv_eq(s->recipe, m->recipe) ? SV("") : s->recipe)};
    *out = record_json(&prediction_source_record, &face);
    BUG_IF(!*out);
    return OK;
}

json_t *model_data_sources(struct ctx *c, const struct model_row *m)
{
    struct prediction_source *list;
    size_t n;
    if (predictions_sources(c->db, m->id, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *sources = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *one;
        if (source_json(c, m, &list[i], &one) != OK) {
            json_decref(sources);
            return NULL;
        }
        json_array_append_new(sources, one);
    }
    return sources;
}

struct features_face {
    struct feature_source f;
    const char *rows_text, *file, *at;
};
#define OF(member) RECORD_OF(struct features_face, member)
RECORD(features_record, struct features_face, "features", "A file of feature vectors.",
       {"output", OF(f.output), .about = "The model's output that they are."},
       {"dim", OF(f.dim), .about = "Numbers in each vector."},
       {"rows", OF(f.rows), .about = "Vectors, one for each image."},
       {"rows_text", OF(rows_text), .about = "The same for people."},
       {"file", OF(file), .about = "Where the file is in the project."},
       {"origin", OF(f.engine), .about = "The engine's fingerprint."},
       {"at", OF(at), .about = "When it was begun, in UTC to the minute."});
#undef OF

json_t *model_data_features(struct ctx *c, const struct model_row *m)
{
    struct feature_source *list;
    size_t n;
    if (features_sources(c->db, m->id, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *features = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct feature_source *f = &list[i];
        const struct features_face face = {*f, data_count(c->arena, f->rows),
                                           arena_printf(c->arena, "features/%lld.f32", (long long)f->id),
                                           people_minute(c->arena, f->at)};
        json_array_append_new(features, record_json(&features_record, &face));
    }
    return features;
}

/* Two imports about two sets are two measurements; two sources of one set's records are a mixture,
 * which model_score.sources tells. Here it is about how they were made. */
const char *model_data_mixed(struct ctx *c, const json_t *sources)
{
    size_t engines = 0, imports = 0;
    for (size_t i = 0; i < json_array_size(sources); i++) {
        const json_t *s = json_array_get(sources, i);
        bool any = json_integer_value(json_object_get(s, "records")) > 0;
        bool import = json_is_true(json_object_get(s, "is_import"));
        engines += any && !import;
        imports += any && import;
    }
    return engines > 1 || (engines && imports)
               ? arena_printf(c->arena,
                              "Its predictions were made in %zu ways (preprocessing or engine differ, or "
                              "some were imported). The column Predictions says which of them score "
                              "each set.",
                              engines + (imports > 0))
               : NULL;
}

/* ---- scores ---- */

enum err_code model_data_on(struct ctx *c, const struct model_row *m, struct model_on **out,
                            size_t *n)
{
    struct revision_row *list;
    size_t all;
    *n = 0;
    if (revisions_list(c->db, 0, c->arena, &list, &all, &c->err) != OK) {
        return c->err.code;
    }
    *out = arena_calloc(c->arena, all + 1, sizeof **out);
    for (size_t i = 0; i < all; i++) {
        struct model_set set;
        if (!set_scoreable(&list[i])) {
            continue;
        }
        if (model_set_of(c, &list[i], NULL, &set) != OK) {
            return c->err.code;
        }
        const struct model_score *s = set_score_of(set.scores, set.n, m->id);
        bool at_chance = false;
        if (s && s->predicted &&
            model_scores_chance(app_model_scores(c->app), c->db, &list[i], m->id, &at_chance,
                                &c->err) != OK) {
            return c->err.code;
        }
        if (s && s->predicted) {
            (*out)[(*n)++] = (struct model_on){&list[i], *s, at_chance};
        }
    }
    return OK;
}

struct model_on_face {
    struct model_score s;
    const char *set;
    json_t *top1, *top5;
};
#define OF(member) RECORD_OF(struct model_on_face, member)
RECORD(model_on_record, struct model_on_face, "model_on_set", "How a model does on a revision.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"images", OF(s.images), .about = "Images of the revision."},
       {"predicted", OF(s.predicted), .about = "Those that the model has predicted."},
       {"top1", OF(top1), .of = &accuracy_record, .about = "How often its first label is right."},
       {"top5", OF(top5), .maybe = true, .of = &accuracy_record,
        .about = "How often one of its first five is; null: the predictions have fewer."},
       {"sources", OF(s.sources), .about = "Runs or files that the predictions come from."},
       {"source", OF(s.source), .about = "The number of the one with most of them."},
       {"made_by", OF(s.made_by), .about = "That one's file, or which run it is."},
       {"others", OF(s.others), .about = "Further ones with predictions about the revision, which do not count."});
#undef OF

json_t *model_data_scores(struct ctx *c, const struct model_on *on, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct model_score *s = &on[i].score;
        const struct model_on_face face = {
            *s, set_title(c->arena, on[i].r), set_data_score(c->arena, s->top1, s->predicted),
            model_score_knows(s, 5) ? set_data_score(c->arena, s->topk, s->predicted) : NULL};
        json_array_append_new(list, record_json(&model_on_record, &face));
    }
    return list;
}
