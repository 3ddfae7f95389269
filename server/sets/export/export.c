/* export.c - exports a revision as a folder: reads everything first, writes it beside the
 * target, flushes it and renames it into place. Whoever sees the target sees all of it. */
#include "sets/export/export_private.h"

#include <stdlib.h>

#include "base/fs.h"
#include "base/new_folder.h"

#define EXPORT_ARENA ((size_t)1 << 33)

static const struct new_folder_words folder_words = {"export", "an export", "exported", "holdout-export"};

/* ---- SHA256SUMS ---- */

static enum err_code add_sum(struct export_text *t, const char *file, const unsigned char *hash,
                             struct err *err)
{
    char hex[2 * CRYPTO_HASH + 1];
    crypto_hex(hash, CRYPTO_HASH, hex);
    /* Names with a backslash or a line feed would need escapes; ours have neither. */
    str_printf(&t->buf, "%s  %s\n", hex, file);
    return export_text_flush(t, err);
}

/* The images' hashes are those they were imported with, so that the sums find what this export
 * damaged too. */
static enum err_code write_sums(struct set_export *e, struct err *err)
{
    static const char *const files[] = {"README.md",      "classes.csv",     "frequencies.csv",
                                        "images.csv",     EXPORT_LIST,       EXPORT_MANIFEST,
                                        "metadata.jsonl", EXPORT_TOMBSTONES, "pool.csv"};
    struct export_text t;
    unsigned char hash[CRYPTO_HASH];
    size_t n = sizeof files / sizeof *files - !e->ask->pool;
    enum err_code rc = export_text_open(&t, e, "SHA256SUMS", err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = crypto_sha256_file(fs_join(&e->arena, e->temp, files[i]), hash, err);
        rc = rc == OK ? add_sum(&t, files[i], hash, err) : rc;
    }
    for (size_t i = 0; i < e->n && rc == OK; i++) {
        if (e->rows[i].pixels == EXPORT_FILE) {
            rc = add_sum(&t, e->rows[i].file, e->rows[i].sha256, err);
        }
    }
    return export_text_close(&t, rc, err);
}

/* ---- the whole ---- */

static enum err_code write_all(struct set_export *e, struct db *db, struct new_folder *to, struct err *err)
{
    enum err_code rc = new_folder_open(to, err);
    rc = rc == OK ? export_files(e, err) : rc;
    rc = rc == OK ? export_lists(e, err) : rc;
    if (rc == OK && e->ask->pool) {
        rc = export_pool(e, db, err);
    }
    rc = rc == OK ? export_about(e, err) : rc;
    rc = rc == OK ? write_sums(e, err) : rc;
    return new_folder_close(to, rc, err);
}

static void release(struct set_export *e)
{
    if (e->pooled) {
        pool_release(&e->pool);
    }
    free(e->rows);
    free(e->tombstones);
    free(e->interval);
    json_decref(e->parameters);
    map_u64_release(&e->class_at);
    map_u64_release(&e->hidden);
    map_u64_release(&e->intervals);
    map_sv_release(&e->files);
    arena_release(&e->arena);
}

enum err_code set_export_write(struct db *db, struct tally *t, const struct set_export_ask *ask,
                               struct set_export_result *out, struct err *err)
{
    struct set_export e = {.ask = ask};
    arena_init(&e.arena, EXPORT_ARENA);
    map_u64_init(&e.class_at);
    map_u64_init(&e.hidden);
    map_u64_init(&e.intervals);
    map_sv_init(&e.files);
    struct new_folder to = new_folder_of(&e.arena, &folder_words, ask->target);
    e.temp = to.temp;
    enum err_code rc = new_folder_check(&to, err);
    rc = rc == OK ? export_read(&e, db, t, err) : rc;
    rc = rc == OK ? write_all(&e, db, &to, err) : rc;
    *out = e.result;
    release(&e);
    return rc;
}
