/* files.c - the files of images against their rows, both ways. */
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "check/parts.h"
#include "crypto/crypto.h"
#include "store/images/images.h"
#include "store/images/paths.h"

struct files_check {
    struct check *c;
    unsigned char (*sources)[IMAGE_SHA]; /* sorted, as sources_each gives them */
    size_t n_sources, cap_sources;
};

static void check_size(struct check *c, const char *path, int64_t bytes, const char *hint)
{
    int64_t size = fs_size(path);
    if (size < 0) {
        check_found(c, "missing: %s%s", path, hint);
    } else if (bytes >= 0 && size != bytes) {
        check_found(c, "size: %s has %lld bytes instead of %lld%s", path, (long long)size,
                    (long long)bytes, hint);
    } else if (size == 0) {
        check_found(c, "size: %s is empty", path);
    }
}

/* The bytes that an original had when it was imported are its name. Renditions have no hash of their
 * own: importing again makes them. */
static void check_hash(struct check *c, const struct source_row *s, const char *path,
                       const char *hint)
{
    unsigned char sha[IMAGE_SHA];
    struct err why = {0};
    enum err_code rc = crypto_sha256_file(path, sha, &why);
    if (rc != OK && rc != ERR_NOT_FOUND) {
        check_found(c, "unreadable: %s%s", why.msg, hint);
    } else if (rc == OK && memcmp(sha, s->sha256, IMAGE_SHA) != 0) {
        check_found(c, "content: %s is not what was imported%s", path, hint);
    }
}

static enum err_code check_source(void *arg, const struct source_row *s, struct err *err)
{
    struct files_check *f = arg;
    struct check *c = f->c;
    struct arena a;
    (void)err;
    arena_init(&a, 1 << 16);
    xgrow(&f->sources, &f->cap_sources, f->n_sources + 1, sizeof *f->sources);
    memcpy(f->sources[f->n_sources++], s->sha256, IMAGE_SHA);
    const char *original = s->path.n ? arena_cstr(&a, s->path)
                                     : path_rendition(&a, c->dir, s->sha256, RENDITION_SOURCE);
    const char *hint = s->path.n ? " (an original that the project only refers to: put it back, or "
                                   "import it again from where it is now)"
                                 : "";
    check_size(c, original, s->bytes, hint);
    if (c->hash && fs_size(original) == s->bytes) {
        check_hash(c, s, original, hint);
    }
    if (source_is_shown(s)) {
        check_size(c, path_rendition(&a, c->dir, s->sha256, RENDITION_VIEW), -1, "");
        check_size(c, path_rendition(&a, c->dir, s->sha256, RENDITION_GRID), -1, "");
    }
    check_progress(c, "checking files", f->n_sources, 0);
    arena_release(&a);
    return OK;
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, IMAGE_SHA);
}

static enum err_code check_file(void *arg, const char *relative, struct err *err)
{
    (void)err;
    struct files_check *f = arg;
    unsigned char sha[IMAGE_SHA];
    const char *base = strrchr(relative, '/');
    base = base ? base + 1 : relative;
    const char *dot = strchr(base, '.');
    bool named = dot && crypto_unhex(sv_make(base, (size_t)(dot - base)), sha, IMAGE_SHA);
    if (!named || !f->n_sources ||
        !bsearch(sha, f->sources, f->n_sources, IMAGE_SHA, by_bytes)) {
        check_found(f->c, "orphan: images/%s belongs to no row (left by an import that was killed? import "
                    "again, or delete it)", relative);
    }
    return OK;
}

enum err_code check_files(struct check *c, size_t *sources)
{
    struct files_check f = {.c = c};
    enum err_code rc = sources_each(c->db, check_source, &f, c->err);
    char *images = fs_join(c->arena, c->dir, "images");
    if (rc == OK && fs_is_dir(images)) {
        rc = fs_walk(images, check_file, &f, c->err);
    }
    *sources = f.n_sources;
    free(f.sources);
    return rc;
}
