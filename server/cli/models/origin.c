/* origin.c - what names a model's results. */
#include "cli/models/origin.h"

#include "base/fs.h"
#include "crypto/crypto.h"
#include "store/images/originals.h"
#include "store/images/paths.h"

void model_origin_digest(const struct model_use *m, const char *what, const char *engine,
                         unsigned char out[32])
{
    char hash[MODEL_HASH * 2 + 1];
    struct str s;
    crypto_hex(m->row.hash, MODEL_HASH, hash);
    str_init(&s, RECIPE_FILE + (1 << 16));
    str_printf(&s, "%s\n%s\n%s\n%s", what, hash, engine, m->recipe.canonical);
    BUG_IF(s.over);
    crypto_sha256(s.p, s.n, out);
    str_release(&s);
}

struct search {
    const char *dir;
    bool found;
};

/* A file that cannot be read has no results and gets none. */
static bool differs(const char *path)
{
    const struct image_limits any = {.max_side = INT32_MAX, .max_pixels = INT64_MAX};
    struct image_info info = {0};
    struct fs_map map;
    struct err err = {OK, "", ""};
    if (fs_map(path, &map, &err) == OK) {
        (void)image_info(map.data, map.n, &any, &info, &err);
        fs_unmap(&map);
    }
    return info.views_differ;
}

static enum err_code look_at(void *arg, const struct original_row *r, struct err *err)
{
    struct search *s = arg;
    (void)err;
    if (!s->found && r->source != 0 && sv_is(r->type, "png")) {
        struct arena a;
        arena_init(&a, 1 << 16);
        s->found = differs(r->reference.n
                               ? arena_cstr(&a, r->reference)
                               : path_rendition(&a, s->dir, (const unsigned char *)r->sha256.p,
                                                RENDITION_SOURCE));
        arena_release(&a);
    }
    return OK;
}

enum err_code model_origin(struct cli *cli, const struct model_use *m, const char *what,
                           struct model_origin *out)
{
    struct model_origin old = {.engine = engine_fingerprint()};
    struct search changed = {.dir = cli->dir};
    bool has_new = false, has_old = false;
    out->engine = arena_printf(&cli->arena, "%s, %s", old.engine, PREPROCESS_PIXELS);
    model_origin_digest(m, what, out->engine, out->digest);
    model_origin_digest(m, what, old.engine, old.digest);
    enum err_code rc = models_has_results(cli->db, m->row.id, out->digest, &has_new, &cli->err);
    if (rc == OK && !has_new) {
        rc = models_has_results(cli->db, m->row.id, old.digest, &has_old, &cli->err);
    }
    if (rc == OK && has_old) {
        rc = originals_each(cli->db, look_at, &changed, &cli->err);
    }
    if (rc == OK && has_old && !changed.found) {
        *out = old;
    }
    return rc;
}
