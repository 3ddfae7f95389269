/* backup_files.c - copies image files into a backup and back, with their list of hashes. */
#include "cli/backup_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/backup_manifest.h"
#include "crypto/crypto.h"
#include "store/images.h"
#include "store/paths.h"

enum { NAME = 2 * CRYPTO_HASH, HEX = 2 * CRYPTO_CONTENT, PATHS_ARENA = 1 << 16, LINE_MOST = 512 };
static const char images[] = "images/";

/* ---- a list that is read ---- */

struct list {
    FILE *f;
    const char *path;
    int64_t line;
    char hash[HEX + 1], file[LINE_MOST]; /* the present line; file "" behind the last */
};

/* images/ab/<64 hex digits>.<kind>, where ab is how they begin: nothing else comes into a project. */
static bool file_name_ok(const char *name)
{
    static const char *const kinds[] = {".grid", ".source", ".view"};
    unsigned char sha[CRYPTO_HASH];
    const char *ab = name + sizeof images - 1, *hex = ab + 3;
    if (strncmp(name, images, sizeof images - 1) != 0 || strlen(ab) < 3 + NAME || ab[2] != '/' ||
        strncmp(ab, hex, 2) != 0 || !crypto_unhex(sv_make(hex, NAME), sha, sizeof sha)) {
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(hex + NAME, kinds[i]) == 0) {
            return true;
        }
    }
    return false;
}

static enum err_code list_next(struct list *l, struct err *err)
{
    char line[LINE_MOST], before[LINE_MOST];
    unsigned char hash[CRYPTO_CONTENT];
    snprintf(before, sizeof before, "%s", l->file);
    l->file[0] = '\0';
    if (!l->f || !fgets(line, sizeof line, l->f)) {
        return l->f && ferror(l->f) ? err_errno(err, errno, "cannot read %s", l->path) : OK;
    }
    l->line++;
    size_t n = strcspn(line, "\n");
    bool whole = line[n] == '\n' && n > HEX + 2;
    line[n] = '\0';
    if (!whole || !crypto_unhex(sv_make(line, HEX), hash, sizeof hash) ||
        strncmp(line + HEX, "  ", 2) != 0 || !file_name_ok(line + HEX + 2) ||
        strcmp(line + HEX + 2, before) <= 0) {
        return err_rule(err, ERR_INPUT, "backup-damaged",
                        "%s:%lld: expected a hash and a file of images/, sorted", l->path,
                        (long long)l->line);
    }
    snprintf(l->hash, sizeof l->hash, "%.*s", HEX, line);
    snprintf(l->file, sizeof l->file, "%s", line + HEX + 2);
    return OK;
}

static enum err_code list_open(struct list *l, const char *path, struct err *err)
{
    *l = (struct list){.path = path};
    if (!path) {
        return OK;
    }
    l->f = fopen(path, "re");
    return l->f ? list_next(l, err) : err_errno(err, errno, "cannot open %s", path);
}

static void list_close(struct list *l)
{
    if (l->f) {
        fclose(l->f);
    }
}

/* ---- into the backup ---- */

struct put {
    const struct backup_run *run;
    struct list earlier;
    FILE *to;
    struct arena arena; /* of one source */
    struct backup_counts counts;
};

static enum err_code hash_text(const char *path, char hex[HEX + 1], struct err *err)
{
    unsigned char hash[CRYPTO_CONTENT];
    enum err_code rc = crypto_blake2b_file(path, hash, NULL, err);
    if (rc == OK) {
        crypto_hex(hash, sizeof hash, hex);
    }
    return rc;
}

static enum err_code same_bytes(const char *a, const char *b, bool *same, struct err *err)
{
    struct fs_map x, y = {0};
    enum err_code rc = fs_map(a, &x, err);
    if (rc == OK) {
        rc = fs_map(b, &y, err);
        *same = rc == OK && x.n == y.n && (x.n == 0 || memcmp(x.data, y.data, x.n) == 0);
        fs_unmap(&x);
        fs_unmap(&y);
    }
    return rc;
}

/* A whole file under its name or none: a temporary, then a rename. */
static enum err_code put_new(struct put *p, const char *from, const char *to, struct err *err)
{
    const char *tmp = fs_join(&p->arena, p->run->target, BACKUP_INCOMING);
    unlink(tmp); /* of a run that was killed */
    bool linked = p->run->link && link(from, tmp) == 0;
    enum err_code rc = linked ? OK : fs_copy_new(from, tmp, err);
    if (rc == OK && rename(tmp, to) != 0) {
        char *folder = arena_strdup(&p->arena, to);
        *strrchr(folder, '/') = '\0';
        rc = fs_mkdirs(folder, err);
        if (rc == OK && rename(tmp, to) != 0) {
            rc = err_errno(err, errno, "cannot rename to %s", to);
        }
    }
    unlink(tmp); /* a rename onto another name of the same file leaves it */
    return rc;
}

/* Moves through the earlier list to the file; its hash is *hex when it is there. */
static enum err_code look_up(struct put *p, const char *file, char hex[HEX + 1], bool *known,
                             struct err *err)
{
    enum err_code rc = OK;
    while (rc == OK && *p->earlier.file && strcmp(p->earlier.file, file) < 0) {
        rc = list_next(&p->earlier, err);
    }
    *known = rc == OK && strcmp(p->earlier.file, file) == 0;
    if (*known) {
        snprintf(hex, HEX + 1, "%s", p->earlier.hash);
    }
    return rc;
}

/* Makes the backup have the file; *hex is its hash. */
static enum err_code bring(struct put *p, const char *file, const char *from, const char *to,
                           char hex[HEX + 1], struct err *err)
{
    int64_t size = fs_size(from);
    bool known = false, same = fs_size(to) == size;
    enum err_code rc = look_up(p, file, hex, &known, err);
    if (rc != OK || (known && same && !p->run->verify)) {
        return rc;
    }
    if (same) { /* of a run that was cut short: the bytes say whether it is whole */
        rc = same_bytes(from, to, &same, err);
    }
    if (rc == OK && !same) {
        rc = put_new(p, from, to, err);
        p->counts.copied++;
        p->counts.copied_bytes += size;
    }
    return rc == OK ? hash_text(to, hex, err) : rc;
}

static enum err_code put_file(struct put *p, const unsigned char *sha256, enum rendition_kind kind,
                              struct err *err)
{
    char hex[HEX + 1];
    const char *from = path_rendition(&p->arena, p->run->dir, sha256, kind);
    const char *to = path_rendition(&p->arena, p->run->target, sha256, kind);
    const char *file = to + strlen(to) - (strlen(from) - strlen(p->run->dir) - 1);
    int64_t size = fs_size(from);
    if (size < 0) {
        p->counts.missing++;
        p->run->missing(p->run->arg, from);
        return OK;
    }
    struct err why = {0};
    enum err_code rc = bring(p, file, from, to, hex, &why);
    if (rc != OK && rc != ERR_FULL && hash_text(from, hex, NULL) != OK) {
        p->counts.missing++; /* a bad sector must not keep the rest from being saved */
        p->run->missing(p->run->arg, from);
        return OK;
    }
    if (rc != OK) {
        return err_rule(err, rc, why.rule, "%s", why.msg);
    }
    if (fprintf(p->to, "%s  %s\n", hex, file) < 0) {
        rc = err_errno(err, errno, "cannot write %s", p->run->list);
    }
    p->counts.files++;
    p->counts.bytes += size;
    return rc;
}

/* In the order of their names, so that the list is sorted. */
static enum err_code put_source(void *arg, const struct source_row *s, struct err *err)
{
    struct put *p = arg;
    bool elsewhere = s->path.n > 0;
    p->counts.references += elsewhere;
    enum err_code rc = put_file(p, s->sha256, RENDITION_GRID, err);
    if (rc == OK && !elsewhere) {
        rc = put_file(p, s->sha256, RENDITION_SOURCE, err);
    }
    if (rc == OK) {
        rc = put_file(p, s->sha256, RENDITION_VIEW, err);
    }
    arena_clear(&p->arena);
    if (rc == OK && !p->run->step(p->run->arg, &p->counts)) {
        rc = err_rule(err, ERR_BUSY, "stopped", "the copying of files was stopped");
    }
    return rc;
}

enum err_code backup_files_put(const struct backup_run *run, struct db *db,
                               struct backup_counts *out, struct err *err)
{
    struct put p = {.run = run};
    arena_init(&p.arena, PATHS_ARENA);
    enum err_code rc = list_open(&p.earlier, run->earlier, err);
    if (rc == OK && !(p.to = fopen(run->list, "wxe"))) {
        rc = err_errno(err, errno, "cannot create %s", run->list);
    }
    if (rc == OK) {
        rc = sources_each(db, put_source, &p, err);
    }
    if (p.to && fclose(p.to) != 0 && rc == OK) {
        rc = err_errno(err, errno, "cannot write %s", run->list);
    }
    list_close(&p.earlier);
    arena_release(&p.arena);
    *out = p.counts;
    return rc;
}

/* ---- out of the backup ---- */

static enum err_code get_file(const struct restore_run *run, const struct list *l,
                              struct arena *a, struct backup_counts *counts, struct err *err)
{
    char hex[HEX + 1];
    struct err why = {0};
    const char *from = fs_join(a, run->backup, l->file);
    const char *to = fs_join(a, run->dir, l->file);
    char *folder = arena_strdup(a, to);
    *strrchr(folder, '/') = '\0';
    enum err_code rc = fs_mkdirs(folder, err);
    if (rc != OK) {
        return rc;
    }
    rc = fs_copy_new(from, to, &why);
    if (rc == OK) {
        rc = hash_text(to, hex, &why);
    }
    if (rc == OK && strcmp(hex, l->hash) == 0) {
        counts->files++;
        counts->bytes += fs_size(to);
        return OK;
    }
    if (rc != OK && hash_text(from, hex, NULL) == OK && strcmp(hex, l->hash) == 0) {
        return err_rule(err, rc, why.rule, "%s", why.msg); /* the backup is fine, the disk is not */
    }
    unlink(to);
    counts->missing++;
    run->damaged(run->arg, from, rc == OK ? "is not what it was when it was backed up" : why.msg);
    return OK;
}

enum err_code backup_files_get(const struct restore_run *run, struct backup_counts *out,
                               struct err *err)
{
    struct list l;
    struct arena a;
    arena_init(&a, PATHS_ARENA);
    *out = (struct backup_counts){0};
    enum err_code rc = list_open(&l, run->list, err);
    while (rc == OK && *l.file) {
        rc = get_file(run, &l, &a, out, err);
        if (rc == OK && !run->step(run->arg, out)) {
            rc = err_rule(err, ERR_BUSY, "stopped", "the copying of files was stopped");
        }
        if (rc == OK) {
            rc = list_next(&l, err);
        }
        arena_clear(&a);
    }
    list_close(&l);
    arena_release(&a);
    return rc;
}
