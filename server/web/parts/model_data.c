/* model_data.c - facts, recipe, sources and scores of one model as JSON. */
#include "web/parts/model_data.h"

#include <string.h>

#include "base/str.h"
#include "crypto/crypto.h"
#include "json/object.h"
#include "store/models/features.h"
#include "store/people/accounts.h"
#include "web/core/page_data.h"
#include "web/parts/model_table.h"
#include "web/parts/people_data.h"
#include "web/parts/set_data.h"

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
    const char *set = r.id ? set_title(c->arena, &r) : NULL;
    *out = object(
        field_int("id", s->id), field_sv("kind", s->kind),
        field_bool("is_import", sv_is(s->kind, "import")), field_sv("origin", s->engine),
        field_sv("bytes", s->bytes), field_int("k", s->k), field_bool("scored", s->scored),
        field_int("records", s->records),
        field_text("records_text", data_count(c->arena, s->records)),
        field_json("recipe",
                   model_data_recipe(c, sv_eq(s->recipe, m->recipe) ? SV("") : s->recipe)),
        field_text("digest", digest), field_text("set", set),
        field_text("at", people_minute(c->arena, s->at)),
        field_json("by", who.login.n ? data_text(who.login) : json_string("a former account")));
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
        json_t *one = object(
            field_sv("output", f->output), field_int("dim", f->dim), field_int("rows", f->rows),
            field_text("rows_text", data_count(c->arena, f->rows)),
            field_json("file", json_sprintf("features/%lld.f32", (long long)f->id)),
            field_sv("origin", f->engine), field_text("at", people_minute(c->arena, f->at)));
        BUG_IF(!one);
        json_array_append_new(features, one);
    }
    return features;
}

/* Two imports about two sets are two measurements; two sources of one set's records are a mixture,
 * which model_score.sources tells. Here it is about how they were made. */
json_t *model_data_mixed(struct ctx *c, const json_t *sources)
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
               ? json_string(arena_printf(
                     c->arena,
                     "Its predictions were made in %zu ways (preprocessing or engine differ, or "
                     "some were imported). The column Predictions says which of them score "
                     "each set.",
                     engines + (imports > 0)))
               : json_null();
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
        if (model_set_of(c, &list[i], &set) != OK) {
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

json_t *model_data_scores(struct ctx *c, const struct model_on *on, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct model_score *s = &on[i].score;
        json_t *top5 =
            model_score_knows(s, 5) ? set_data_score(c->arena, s->topk, s->predicted) : json_null();
        object_add(list, field_text("set", set_title(c->arena, on[i].r)),
                   field_int("images", s->images), field_int("predicted", s->predicted),
                   field_json("top1", set_data_score(c->arena, s->top1, s->predicted)),
                   field_json("top5", top5), field_int("sources", s->sources),
                   field_int("source", s->source), field_sv("made_by", s->made_by),
                   field_int("others", s->others));
    }
    return list;
}
