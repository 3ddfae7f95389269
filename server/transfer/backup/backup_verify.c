/* backup_verify.c - compares a backup with its manifest. */
#include "transfer/backup/backup_verify.h"

#include "base/fs.h"
#include "db/migrate.h"

enum { DAMAGED_SHOWN = 100 };

enum err_code backup_parts_check(const struct backup_generation *g, struct err *err)
{
    const struct backup_part *parts[] = {&g->m.database, &g->m.files, &g->m.config};
    if (g->m.schema > migrate_newest()) {
        return err_rule(err, ERR_CONFLICT, "database-newer",
                        "the backup was made by holdout %s, whose database is newer than this "
                        "program's: use that one",
                        g->m.program);
    }
    enum err_code rc = OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == OK; i++) {
        rc = parts[i]->file ? backup_part_check(g->path, parts[i], err) : OK;
    }
    return rc;
}

struct verify {
    const struct transfer *tr;
    void (*damaged)(void *arg, const char *path, const char *why);
    void *arg;
    struct backup_verified *out;
};

static bool file_step(void *arg, const struct backup_counts *c)
{
    const struct verify *v = arg;
    transfer_progress(v->tr, "image files", (uint64_t)c->files, (uint64_t)v->out->g->m.n_files);
    return true;
}

static void file_damaged(void *arg, const char *path, const char *why)
{
    struct verify *v = arg;
    if (v->out->damaged++ < DAMAGED_SHOWN) {
        v->damaged(v->arg, path, why);
    }
}

/* A manifest that cannot be read is damage, whether it is the newest one's or an older one's. */
struct unreadable {
    struct arena *arena;
    const char *why;
};

static void keep_unreadable(void *arg, const char *why)
{
    struct unreadable *u = arg;
    u->why = arena_strdup(u->arena, why);
}

static enum err_code compare(struct verify *v, const struct backup_generation *g)
{
    struct err *err = v->tr->err;
    struct restore_run run = {.backup = g->path, .list = g->m.files.file, .file_bytes = g->m.file_bytes,
                              .other_bytes = g->m.other_bytes, .step = file_step,
                              .damaged = file_damaged, .arg = v};
    enum err_code rc = backup_parts_check(g, err);
    if (rc != OK) {
        return rc;
    }
    v->out->g = g;
    rc = backup_files_get(&run, &v->out->counts, err);
    if (rc != OK) {
        v->out->g = NULL;
        return rc;
    }
    transfer_progress_end(v->tr);
    return v->out->damaged == 0
               ? OK
               : err_rule(err, ERR_CONFLICT, "backup-damaged",
                          "%lld files of %s are damaged (named above): `holdout backup DIR TARGET --verify` "
                          "makes a generation with intact ones",
                          (long long)v->out->damaged, g->path);
}

enum err_code backup_verify(struct transfer *tr, const char *path,
                            void (*damaged)(void *arg, const char *path, const char *why), void *arg,
                            struct backup_verified *out)
{
    struct backup_target t;
    struct unreadable bad = {tr->arena, NULL};
    struct verify v = {.tr = tr, .damaged = damaged, .arg = arg, .out = out};
    int lock = -1;
    *out = (struct backup_verified){0};
    enum err_code rc = backup_target_lock(path, tr->arena, &lock, tr->err);
    rc = rc == OK ? backup_target_read(path, tr->arena, &t, keep_unreadable, &bad, tr->err) : rc;
    if (rc == OK && bad.why) {
        rc = err_rule(tr->err, ERR_INPUT, "backup-damaged", "%s", bad.why);
    }
    if (rc == OK) {
        rc = t.n ? compare(&v, &t.list[t.n - 1]) : backup_target_none(&t, tr->err);
    }
    fs_unlock(lock);
    return rc;
}
