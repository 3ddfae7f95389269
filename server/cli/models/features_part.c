/* features_part.c - the header and the lines of feature vectors in part files, written and read. */
#include "cli/models/features_part.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/models/origin.h"
#include "crypto/crypto.h"
#include "json/object.h"

static json_t *header(const struct image_run *run, const struct feature_source *s, const char *shard)
{
    const struct model_use *m = &run->model;
    char hash[MODEL_HASH * 2 + 1], digest[FEATURE_DIGEST * 2 + 1];
    crypto_hex(m->row.hash, MODEL_HASH, hash);
    crypto_hex(s->digest, FEATURE_DIGEST, digest);
    return object(field_text("holdout", "features"), field_text("model", m->row.name.p), field_text("hash", hash),
                  field_sv("output", s->output), field_int("dim", s->dim),
                  field_json("recipe", json_loads(m->recipe.canonical, 0, NULL)), field_sv("engine", s->engine),
                  field_text("digest", digest), field_text("shard", shard));
}

/* ---- writing ---- */

enum err_code features_part_open(struct image_part *part, struct image_run *run, const struct feature_source *s)
{
    char shard[32];
    snprintf(shard, sizeof shard, "%u/%u", part->shard + 1, part->shards);
    return image_part_open(part, run, header(run, s, shard), 0, "model, output, recipe, engine or shard");
}

enum err_code features_part_add(struct image_part *part, struct db *db, uint32_t image, const struct work_content *c,
                                const float *row, size_t dim, struct err *err)
{
    char sha256[IMAGE_SHA * 2 + 1];
    size_t bytes = dim * sizeof *row;
    char *text = xcalloc((bytes + 2) / 3 * 4 + 1, 1);
    crypto_hex(c->sha256, IMAGE_SHA, sha256);
    crypto_base64url(row, bytes, text);
    enum err_code rc =
        image_part_add(part, db, image, object(field_text("sha256", sha256), field_text("row", text)), err);
    free(text);
    return rc;
}

/* ---- headers ---- */

/* What the header says otherwise than this project would, in words; NULL: nothing. */
static const char *what_differs(const json_t *have, const json_t *want)
{
    static const struct {
        const char *key, *what;
    } facts[] = {{"holdout", "command"}, {"model", "model"}, {"hash", "file of the model"}, {"output", "output of the model"},
                 {"dim", "number of values"}, {"digest", "recipe"}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (!json_equal(json_object_get(have, facts[i].key), json_object_get(want, facts[i].key))) {
            return facts[i].what;
        }
    }
    return NULL;
}

static enum err_code check_header(struct features_merge *g, struct image_run *run, const char *path, const json_t *have,
                                  struct feature_source *s)
{
    struct cli *cli = run->cli;
    const char *engine = json_string_value(json_object_get(have, "engine"));
    const char *shard = json_string_value(json_object_get(have, "shard")), *differs = NULL;
    uint32_t part, shards;
    if (!engine || !shard || !part_number(sv_of(shard), &part, &shards)) {
        differs = "command";
    } else if (g->shards && g->shards != shards) {
        differs = "number of shards";
    } else if (s->engine.p && !sv_is(s->engine, engine)) {
        differs = "engine (the processors of the machines are not alike)";
    } else {
        g->shards = shards;
        const char *what = arena_printf(&cli->arena, "features " SV_FMT, SV_ARG(s->output));
        s->engine = sv_of(arena_cstr(&cli->arena, sv_of(engine)));
        model_origin_digest(&run->model, what, s->engine.p, s->digest);
        json_t *want = header(run, s, "");
        differs = what_differs(have, want);
        json_decref(want);
    }
    return differs ? err_rule(&cli->err, ERR_CONFLICT, "part-differs",
                              "%s was made with another %s. Nothing was stored; compute the part again", path, differs)
                   : OK;
}

enum err_code features_merge_open(struct features_merge *g, struct image_run *run, const char *const *paths, size_t n,
                                  struct feature_source *s)
{
    enum err_code rc = OK;
    g->parts = xcalloc(n + 1, sizeof *g->parts);
    s->engine = (struct sv){0};
    while (rc == OK && g->n_parts < n) {
        const char *path = paths[g->n_parts];
        json_t *have = NULL;
        rc = part_read_open(&g->parts[g->n_parts++], path, &have, &run->cli->err);
        rc = rc == OK ? check_header(g, run, path, have, s) : rc;
        json_decref(have);
    }
    return rc;
}

/* ---- lines ---- */

/* The place of a line's image, by its name, if the project has it with those bytes; else WORK_NONE. */
static enum err_code find_image(const struct image_run *run, const json_t *line, uint32_t *place, struct err *err)
{
    const json_t *image = json_object_get(line, "image");
    const char *text = json_string_value(json_object_get(line, "sha256"));
    unsigned char sha256[IMAGE_SHA];
    int64_t id = 0;
    *place = WORK_NONE;
    if (!json_is_string(image) || !text || !crypto_unhex(sv_of(text), sha256, sizeof sha256)) {
        return OK;
    }
    struct sv name = sv_make(json_string_value(image), json_string_length(image));
    enum err_code rc = images_find(run->cli->db, name, &id, err);
    uint32_t at = rc == OK && id ? image_work_place(&run->work, (uint32_t)id) : WORK_NONE;
    uint32_t content = at == WORK_NONE ? WORK_NONE : run->work.images[at].content;
    if (content != WORK_NONE && memcmp(run->work.contents[content].sha256, sha256, sizeof sha256) == 0) {
        *place = at;
    }
    return rc;
}

static enum err_code read_part(struct features_merge *g, const struct image_run *run, struct part_read *p, struct err *err)
{
    json_t *line = NULL;
    enum err_code rc = jsonl_next(&p->lines, &line, err);
    while (rc == OK && line) {
        uint32_t place;
        rc = find_image(run, line, &place, err);
        json_decref(line);
        line = NULL;
        if (rc == OK && place == WORK_NONE) {
            return err_rule(err, ERR_CONFLICT, "part-differs",
                            "%s:%" PRIu64 ": the project has no image of this name with these bytes. Nothing was stored",
                            p->path, p->lines.line);
        }
        if (rc == OK) {
            g->lines[place] = p->lines.text;
            rc = jsonl_next(&p->lines, &line, err);
        }
    }
    return rc;
}

enum err_code features_merge_read(struct features_merge *g, struct image_run *run)
{
    enum err_code rc = OK;
    g->lines = xcalloc(run->work.n_images + 1, sizeof *g->lines);
    for (size_t i = 0; i < g->n_parts && rc == OK; i++) {
        rc = read_part(g, run, &g->parts[i], &run->cli->err);
    }
    return rc;
}

enum err_code features_merge_row(const struct features_merge *g, uint32_t place, float *row, size_t dim, struct err *err)
{
    json_t *line = json_loadb(g->lines[place].p, g->lines[place].n, 0, NULL);
    const char *text = json_string_value(json_object_get(line, "row"));
    bool good = text && crypto_unbase64url(sv_of(text), row, dim * sizeof *row);
    json_decref(line);
    return good ? OK
                : err_rule(err, ERR_CONFLICT, "part-differs",
                           "the row of an image does not have %zu values: %.80s... What was stored before is kept", dim,
                           g->lines[place].p);
}

void features_merge_close(struct features_merge *g)
{
    for (size_t i = 0; i < g->n_parts; i++) {
        part_read_close(&g->parts[i]);
    }
    free(g->parts);
    free(g->lines);
}
