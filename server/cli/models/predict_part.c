/* predict_part.c - the header and the lines of predictions in a part file. */
#include "cli/models/predict_part.h"

#include <jansson.h>
#include <stdio.h>

#include "crypto/crypto.h"
#include "json/object.h"

enum { SCORE_DIGITS = 9 /* enough for the same float32 to be read again */ };

static json_t *header(const struct image_part *part, const struct model_use *m, const struct prediction_source *s)
{
    char hash[MODEL_HASH * 2 + 1], digest[PREDICTION_DIGEST * 2 + 1], which[32];
    crypto_hex(m->row.hash, MODEL_HASH, hash);
    crypto_hex(s->digest, PREDICTION_DIGEST, digest);
    snprintf(which, sizeof which, "%u/%u", part->shard + 1, part->shards);
    return object(field_text("holdout", "predictions"), field_text("model", m->row.name.p), field_text("hash", hash),
                  field_json("recipe", json_loads(m->recipe.canonical, 0, NULL)), field_text("engine", s->engine.p),
                  field_text("bytes", "original"), field_int("k", s->k), field_text("digest", digest),
                  field_text("shard", which));
}

enum err_code predict_part_open(struct predict_part *part, struct image_run *run, const struct prediction_source *s)
{
    struct cli *cli = run->cli;
    struct class_info *classes;
    enum err_code rc = classes_list(cli->db, &cli->arena, &classes, &part->n_classes, &cli->err);
    part->classes = classes;
    part->k = s->k;
    return rc == OK ? image_part_open(&part->image, run, header(&part->image, &run->model, s), SCORE_DIGITS,
                                      "model, recipe, engine or shard")
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

enum err_code predict_part_add(struct predict_part *part, struct db *db, const struct prediction *p, struct err *err)
{
    json_t *labels = json_array(), *scores = json_array();
    for (int i = 0; i < part->k; i++) {
        json_array_append_new(labels, json_string(wnid_of(part, p->labels[i])));
        json_array_append_new(scores, json_real((double)p->scores[i]));
    }
    return image_part_add(&part->image, db, p->image, object(field_json("labels", labels), field_json("scores", scores)),
                          err);
}
