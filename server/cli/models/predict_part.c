/* predict_part.c - writes part files, and goes on with one that a killed run left. */
#include "cli/models/predict_part.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "crypto/crypto.h"
#include "json/object.h"

#define PART_MOST ((size_t)1 << 31)

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

/* Lines behind the header; *whole becomes the length up to the last line that is complete. */
static enum err_code read_lines(struct sv text, size_t *whole,
                                enum err_code (*done)(void *, struct sv, struct err *), void *arg,
                                const char *path, struct err *err)
{
    enum err_code rc = OK;
    while (rc == OK && *whole < text.n) {
        const char *p = text.p + *whole, *end = memchr(p, '\n', text.n - *whole);
        if (!end) {
            return OK;
        }
        json_t *line = json_loadb(p, (size_t)(end - p), 0, NULL);
        const json_t *image = json_object_get(line, "image");
        rc = json_is_string(image)
                 ? done(arg, sv_make(json_string_value(image), json_string_length(image)), err)
                 : err_rule(err, ERR_CONFLICT, "part-differs",
                            "%s has a line that is not a prediction. Nothing was changed", path);
        json_decref(line);
        *whole += (size_t)(end - p) + 1;
    }
    return rc;
}

static enum err_code go_on(struct predict_part *part, struct sv head,
                           enum err_code (*done)(void *, struct sv, struct err *), void *arg,
                           struct err *err)
{
    struct str text;
    str_init(&text, PART_MOST);
    enum err_code rc = fs_read(part->path, &text, err);
    size_t whole = 0;
    if (rc == OK && text.n >= head.n && memcmp(text.p, head.p, head.n) == 0) {
        whole = head.n;
        rc = read_lines(str_sv(&text), &whole, done, arg, part->path, err);
    } else if (rc == OK && (text.n >= head.n || (text.n && memcmp(text.p, head.p, text.n) != 0))) {
        rc = err_rule(err, ERR_CONFLICT, "part-differs",
                      "%s already holds something else (another model, recipe, engine or shard); remove it "
                      "or name another file",
                      part->path);
    }
    if (rc == OK && truncate(part->path, (off_t)whole) != 0) {
        rc = err_errno(err, errno, "cannot cut %s", part->path);
    }
    str_release(&text);
    return rc;
}

enum err_code predict_part_open(struct predict_part *part, struct cli *cli,
                                const struct model_use *m, const struct prediction_source *s,
                                uint32_t shard, uint32_t shards,
                                enum err_code (*done)(void *arg, struct sv name, struct err *err),
                                void *arg)
{
    struct class_info *classes;
    const char *head = header(cli, m, s, shard, shards);
    *part = (struct predict_part){.path = cli_opt(cli, "output"), .k = s->k};
    enum err_code rc = classes_list(cli->db, &cli->arena, &classes, &part->n_classes, &cli->err);
    part->classes = classes;
    bool out = strcmp(part->path, "-") == 0;
    if (rc == OK && !out && fs_exists(part->path)) {
        rc = go_on(part, sv_of(head), done, arg, &cli->err);
    }
    if (rc != OK) {
        return rc;
    }
    part->file = out ? stdout : fopen(part->path, "ae");
    if (!part->file) {
        return err_errno(&cli->err, errno, "cannot write %s", part->path);
    }
    if ((out || fs_size(part->path) == 0) && fputs(head, part->file) == EOF) {
        return err_errno(&cli->err, errno, "cannot write %s", part->path);
    }
    return OK;
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

/* Scores have 9 digits: enough for the same float32 to be read again. */
enum err_code predict_part_add(struct predict_part *part, struct sv name,
                               const struct prediction *p, struct err *err)
{
    json_t *labels = json_array(), *scores = json_array();
    for (int i = 0; i < part->k; i++) {
        json_array_append_new(labels, json_string(wnid_of(part, p->labels[i])));
        json_array_append_new(scores, json_real((double)p->scores[i]));
    }
    json_t *line =
        object(field_sv("image", name), field_json("labels", labels), field_json("scores", scores));
    int bad = !line || json_dumpf(line, part->file, JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0 ||
              fputc('\n', part->file) == EOF;
    json_decref(line);
    return bad ? err_errno(err, errno, "cannot write %s", part->path) : OK;
}

enum err_code predict_part_flush(struct predict_part *part, struct err *err)
{
    bool out = part->file == stdout;
    if (fflush(part->file) != 0 || (!out && fdatasync(fileno(part->file)) != 0)) {
        return err_errno(err, errno, "cannot write %s", part->path);
    }
    return OK;
}

void predict_part_close(struct predict_part *part)
{
    if (part->file && part->file != stdout) {
        fclose(part->file);
    }
    part->file = NULL;
}
