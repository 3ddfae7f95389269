/* predict_part.c - the header and the lines of predictions in a part file. */
#include "cli/models/predict_part.h"

#include <jansson.h>
#include <stdlib.h>

#include "crypto/crypto.h"
#include "json/object.h"

enum { SCORE_DIGITS = 9 /* enough for the same float32 to be read again */ };

static char *header(struct cli *cli, const struct model_use *m, const struct prediction_source *s,
                    uint32_t shard, uint32_t shards)
{
    char hash[MODEL_HASH * 2 + 1], digest[PREDICTION_DIGEST * 2 + 1];
    crypto_hex(m->row.hash, MODEL_HASH, hash);
    crypto_hex(s->digest, PREDICTION_DIGEST, digest);
    const char *which = arena_printf(&cli->arena, "%u/%u", shard + 1, shards);
    json_t *all = object(
        field_text("holdout", "predictions"), field_text("model", m->row.name.p),
        field_text("hash", hash), field_json("recipe", json_loads(m->recipe.canonical, 0, NULL)),
        field_text("engine", s->engine.p), field_text("bytes", "original"), field_int("k", s->k),
        field_text("digest", digest), field_text("shard", which));
    char *text = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(9));
    BUG_IF(!text);
    char *line = arena_printf(&cli->arena, "%s\n", text);
    free(text);
    json_decref(all);
    return line;
}

struct seen {
    enum err_code (*done)(void *arg, struct sv name, struct err *err);
    void *arg;
    const char *path;
};

static enum err_code see_line(void *arg, const json_t *line, struct err *err)
{
    const struct seen *s = arg;
    const json_t *image = json_object_get(line, "image");
    return json_is_string(image)
               ? s->done(s->arg, sv_make(json_string_value(image), json_string_length(image)), err)
               : err_rule(err, ERR_CONFLICT, "part-differs",
                          "%s has a line that is not a prediction. Nothing was changed", s->path);
}

enum err_code predict_part_open(struct predict_part *part, struct cli *cli,
                                const struct model_use *m, const struct prediction_source *s,
                                uint32_t shard, uint32_t shards,
                                enum err_code (*done)(void *arg, struct sv name, struct err *err),
                                void *arg)
{
    struct class_info *classes;
    const char *head = header(cli, m, s, shard, shards);
    *part = (struct predict_part){.file = {.path = cli_opt(cli, "output"), .digits = SCORE_DIGITS}, .k = s->k};
    struct seen seen = {done, arg, part->file.path};
    enum err_code rc = classes_list(cli->db, &cli->arena, &classes, &part->n_classes, &cli->err);
    part->classes = classes;
    return rc == OK ? part_file_open(&part->file, sv_of(head), "model, recipe, engine or shard", see_line, &seen,
                                     &cli->err)
                    : rc;
}

static const char *wnid_of(const struct predict_part *part, uint16_t cid)
{
    for (size_t low = 0, high = part->n_classes; low < high;) {
        size_t middle = (low + high) / 2;
        if (part->classes[middle].cid == cid) {
            return part->classes[middle].wnid.p;
        }
        low = part->classes[middle].cid < cid ? middle + 1 : low;
        high = part->classes[middle].cid < cid ? high : middle;
    }
    BUG_IF("a class that the project does not have");
    return "";
}

enum err_code predict_part_add(struct predict_part *part, struct sv name,
                               const struct prediction *p, struct err *err)
{
    json_t *labels = json_array(), *scores = json_array();
    for (int i = 0; i < part->k; i++) {
        json_array_append_new(labels, json_string(wnid_of(part, p->labels[i])));
        json_array_append_new(scores, json_real((double)p->scores[i]));
    }
    return part_file_add(&part->file,
                         object(field_sv("image", name), field_json("labels", labels), field_json("scores", scores)),
                         err);
}

enum err_code predict_part_flush(struct predict_part *part, struct err *err)
{
    return part_file_flush(&part->file, err);
}

void predict_part_close(struct predict_part *part)
{
    part_file_close(&part->file);
}
