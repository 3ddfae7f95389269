/* use.c - opens models for commands, and maps their scores to classes. */
#include "cli/models/use.h"

#include <jansson.h>
#include <string.h>

#include "base/fs.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "json/object.h"
#include "store/classes/classes.h"

/* What the file alone says: its parts, and what the recipe depends on. */
static enum err_code read_file(struct cli *cli, struct model_use *m, int64_t *side, bool *softmax,
                               const char **first)
{
    struct onnx_file *file;
    enum err_code rc = onnx_open(m->path, &file, &cli->err);
    if (rc != OK) {
        return rc;
    }
    const struct onnx_model *model = onnx_model(file);
    rc = recipe_side(model, side, softmax, &cli->err);
    if (rc == OK) {
        const char *const *parts;
        m->n_parts = onnx_parts(file, &parts);
        const char **copy = arena_calloc(&cli->arena, m->n_parts, sizeof *copy);
        for (size_t i = 0; i < m->n_parts; i++) {
            copy[i] = arena_strdup(&cli->arena, parts[i]);
        }
        m->parts = copy;
        *first = arena_cstr(&cli->arena, model->outputs[0].name);
    }
    onnx_close(file);
    return rc;
}

/* The engine says how much is too much, the setting belongs to the project. */
static enum err_code name_setting(struct cli *cli)
{
    bool work = strcmp(cli->err.rule, "model-operations") == 0;
    if (!work && strcmp(cli->err.rule, "model-memory") != 0) {
        return ERR_LIMIT;
    }
    const char *why = arena_strdup(&cli->arena, cli->err.msg);
    err_clear(&cli->err);
    return err_rule(&cli->err, ERR_LIMIT, work ? "model-operations" : "model-memory",
                    "%s (limits.%s in config.ini). Nothing was calculated.", why,
                    work ? "model_gflops" : "model_mb");
}

static enum err_code open_engine(struct cli *cli, struct model_use *m, const char *first,
                                 const char *output)
{
    const char *names[2] = {output ? output : first, m->recipe.features};
    size_t n = output || !m->recipe.features ? 1 : 2;
    const struct engine_limits limits = {.flops = (uint64_t)cli->config.model_gflops * 1000000000,
                                         .bytes = (uint64_t)cli->config.model_mb << 20};
    enum err_code rc =
        engine_open(m->path, names, n, m->recipe.preprocess.crop, &limits, &m->engine, &cli->err);
    if (rc == OK) {
        m->scores = engine_output_size(m->engine, 0);
    }
    return rc == ERR_LIMIT ? name_setting(cli) : rc;
}

/* MODEL.json beside MODEL.onnx. */
static const char *recipe_beside(struct cli *cli, const char *path)
{
    struct sv stem = sv_of(path);
    if (sv_ends(stem, ".onnx")) {
        stem.n -= strlen(".onnx");
    }
    return arena_printf(&cli->arena, "%.*s.json", (int)stem.n, stem.p);
}

enum err_code model_use_file(struct cli *cli, const char *path, const char *recipe,
                             const char *output, struct model_use *m)
{
    int64_t side = 0;
    bool softmax = false;
    const char *first = NULL;
    *m = (struct model_use){.path = path};
    enum err_code rc = read_file(cli, m, &side, &softmax, &first);
    if (rc == OK && recipe && !fs_exists(recipe)) {
        rc = err_set(&cli->err, ERR_NOT_FOUND, "%s: no such file", recipe);
    }
    if (rc == OK) {
        rc = recipe_read(recipe ? recipe : recipe_beside(cli, path), side, softmax, &cli->arena,
                         &m->recipe, &cli->err);
    }
    return rc == OK ? open_engine(cli, m, first, output) : rc;
}

static enum err_code check_hash(struct cli *cli, const struct model_use *m)
{
    unsigned char hash[MODEL_HASH];
    int64_t bytes;
    enum err_code rc = model_use_hash(cli, m, hash, &bytes);
    if (rc == OK && memcmp(hash, m->row.hash, sizeof hash) != 0) {
        rc = err_rule(&cli->err, ERR_CONFLICT, "model-changed",
                      "%s is not the file that was added as " SV_FMT ". Put that file back, or add this one "
                      "under another name.",
                      m->path, SV_ARG(m->row.name));
    }
    return rc;
}

static enum err_code usable(struct cli *cli, const struct model_row *row)
{
    if (row->removed) {
        return err_rule(&cli->err, ERR_CONFLICT, "model-removed",
                        "The model " SV_FMT
                        " was removed; `holdout model add` with the same file brings it back.",
                        SV_ARG(row->name));
    }
    if (row->file.n == 0) {
        return err_rule(&cli->err, ERR_CONFLICT, "model-import",
                        "Only predictions of " SV_FMT " were imported: there is no model file to run.",
                        SV_ARG(row->name));
    }
    return OK;
}

enum err_code model_use_stored(struct cli *cli, const char *name, const char *output,
                               struct model_use *m)
{
    int64_t side = 0;
    bool softmax = false;
    const char *first = NULL;
    *m = (struct model_use){0};
    enum err_code rc = models_find(cli->db, sv_of(name), &cli->arena, &m->row, &cli->err);
    rc = rc == OK ? usable(cli, &m->row) : rc;
    if (rc != OK) {
        return rc;
    }
    m->path = arena_printf(&cli->arena, "%s/models/%s", cli->dir, m->row.file.p);
    rc = recipe_parse(m->row.recipe.p, &cli->arena, &m->recipe, &cli->err);
    rc = rc == OK ? read_file(cli, m, &side, &softmax, &first) : rc;
    rc = rc == OK ? check_hash(cli, m) : rc;
    if (rc == OK && output && !*output && !m->recipe.features) {
        return err_rule(
            &cli->err, ERR_INPUT, "model-features",
            "The recipe of %s names no feature output: name the value with --output.", name);
    }
    return rc == OK ? open_engine(cli, m, first, output && !*output ? m->recipe.features : output)
                    : rc;
}

void model_use_close(struct model_use *m)
{
    if (m->engine) {
        engine_close(m->engine);
        m->engine = NULL;
    }
}

/* ---- classes ---- */

static enum err_code mismatch(struct cli *cli, const char *why)
{
    return err_rule(&cli->err, ERR_CONFLICT, "model-classes", "%s. Nothing was changed.", why);
}

static enum err_code by_order(struct cli *cli, struct model_use *m,
                              const struct class_info *classes, size_t n, uint16_t *cids)
{
    if (n != m->scores) {
        return mismatch(cli,
                        arena_printf(&cli->arena,
                                     "The model has %zu outputs and the project %zu classes: the recipe must "
                                     "say in \"labels\" which class each output is",
                                     m->scores, n));
    }
    for (size_t i = 0; i < n; i++) {
        if (classes[i].cid != (int64_t)i) {
            return mismatch(
                cli,
                "The classes of the project are not numbered 0, 1, 2, ...: the recipe must say in \"labels\" "
                "which class each output is");
        }
        cids[i] = (uint16_t)i;
    }
    return OK;
}

static enum err_code by_labels(struct cli *cli, struct model_use *m,
                               const struct class_info *classes, size_t n, uint16_t *cids)
{
    struct arena *a = &cli->arena;
    if (m->recipe.n_labels != m->scores) {
        return mismatch(
            cli, arena_printf(a, "The model has %zu outputs, but the recipe names %zu labels",
                              m->scores, m->recipe.n_labels));
    }
    struct map_sv known;
    map_sv_init(&known);
    for (size_t i = 0; i < n; i++) {
        map_sv_put(&known, classes[i].wnid, (uint32_t)classes[i].cid);
    }
    enum err_code rc = OK;
    for (size_t i = 0; i < m->scores && rc == OK; i++) {
        uint32_t cid = map_sv_get(&known, sv_of(m->recipe.labels[i]));
        rc = cid != MAP_NONE
                 ? OK
                 : mismatch(cli, arena_printf(a,
                                              "Label %zu of the recipe, \"%s\", is not a class of the "
                                              "project",
                                              i + 1, m->recipe.labels[i]));
        cids[i] = (uint16_t)cid;
    }
    map_sv_release(&known);
    m->classes_without = n - m->scores;
    return rc;
}

enum err_code model_use_classes(struct cli *cli, struct model_use *m)
{
    struct class_info *classes;
    size_t n;
    enum err_code rc = classes_list(cli->db, &cli->arena, &classes, &n, &cli->err);
    if (rc != OK) {
        return rc;
    }
    if (n == 0) {
        return mismatch(cli, "The project has no classes yet: import them first");
    }
    if (classes[n - 1].cid >= UINT16_MAX) {
        return mismatch(cli, "Predictions can only be stored for classes numbered below 65535");
    }
    uint16_t *cids = arena_calloc(&cli->arena, m->scores, sizeof *cids);
    m->cids = cids;
    return m->recipe.labels ? by_labels(cli, m, classes, n, cids)
                            : by_order(cli, m, classes, n, cids);
}

/* ---- what it is ---- */

enum err_code model_use_hash(struct cli *cli, const struct model_use *m,
                             unsigned char hash[MODEL_HASH], int64_t *bytes)
{
    size_t n = 0;
    enum err_code rc = crypto_blake2b_files(m->parts, m->n_parts, hash, &n, &cli->err);
    *bytes = (int64_t)n;
    return rc;
}

static json_t *port(const struct engine_port *p)
{
    json_t *dims = json_array();
    for (uint32_t i = 0; i < p->rank; i++) {
        json_array_append_new(dims, json_integer(p->dims[i]));
    }
    return object(field_text("name", p->name), field_json("dims", dims));
}

const char *model_use_facts(struct cli *cli, const struct model_use *m)
{
    const struct engine_facts *f = engine_facts(m->engine);
    json_t *outputs = json_array();
    for (size_t i = 0; i < f->n_outputs; i++) {
        json_array_append_new(outputs, port(&f->outputs[i]));
    }
    int64_t dim = f->n_outputs > 1 ? (int64_t)engine_output_size(m->engine, 1) : 0;
    json_t *all = object(field_json("input", port(&f->input)), field_json("outputs", outputs),
                         field_int("opset", f->opset), field_count("parameters", f->parameters),
                         field_count("flops", f->flops), field_count("weight_bytes", f->weight_bytes),
                         field_count("run_bytes", f->run_bytes), field_count("nodes", f->nodes),
                         field_text("producer", f->producer), field_count("scores", m->scores),
                         field_int("feature_dim", dim));
    return json_compact(all, JSON_SORT_KEYS, &cli->arena).p;
}
