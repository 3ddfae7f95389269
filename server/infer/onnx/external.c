/* external.c - weights in files beside the model: within its folder, and nowhere else. The maps
 * stay open as long as the model. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fs.h"
#include "infer/onnx/parts.h"

enum { EXTERNAL_FILES = 256 };

struct onnx_external {
    struct arena *a;
    const char *model;
    char *folder; /* with no symbolic link in it, of malloc */
    size_t n;     /* files that are open */
    struct sv locations[EXTERNAL_FILES];
    struct fs_map maps[EXTERNAL_FILES];
    const char *paths[EXTERNAL_FILES + 1]; /* the model's own first */
};

struct onnx_external *onnx_external_new(struct arena *a, const char *model_path)
{
    struct onnx_external *x = arena_calloc(a, 1, sizeof *x);
    x->a = a;
    x->model = arena_strdup(a, model_path);
    x->paths[0] = x->model;
    return x;
}

size_t onnx_external_paths(const struct onnx_external *x, const char *const **paths)
{
    *paths = x->paths;
    return x->n + 1;
}

bool onnx_external_holds(const struct onnx_external *x, const void *p)
{
    const unsigned char *b = p;
    for (size_t i = 0; i < x->n; i++) {
        if (x->maps[i].data && b >= x->maps[i].data && b < x->maps[i].data + x->maps[i].n) {
            return true;
        }
    }
    return false;
}

void onnx_external_close(struct onnx_external *x)
{
    for (size_t i = 0; i < x->n; i++) {
        fs_unmap(&x->maps[i]);
    }
    free(x->folder);
    x->n = 0;
}

static enum err_code refuse(struct sv location, const char *why, struct err *err)
{
    return err_rule(
        err, ERR_INPUT, "onnx-external",
        "the model needs weights from \"%.*s\", %s; only files in the model's own folder are read",
        SHOWN(location), why);
}

static bool goes_up(struct sv location)
{
    for (struct sv rest = location, part; rest.p;) {
        part = sv_cut(&rest, '/');
        if (sv_is(part, "..")) {
            return true;
        }
    }
    return false;
}

/* The folder of the model as the system sees it. A model that is itself reached by a link has its
 * data where the link says the file is named, not where it points to: people link the model into a
 * folder of its own. */
static enum err_code find_folder(struct onnx_external *x, struct err *err)
{
    if (x->folder) {
        return OK;
    }
    const char *slash = strrchr(x->model, '/');
    const char *dir =
        slash ? arena_cstr(x->a, sv_make(x->model, (size_t)(slash - x->model) + 1)) : ".";
    x->folder = realpath(dir, NULL);
    return x->folder ? OK : err_errno(err, errno, "cannot read the folder of %s", x->model);
}

/* Maps the file `location`; no link may lead out of the folder. */
static enum err_code open_location(struct onnx_external *x, struct sv location, struct fs_map *map,
                                   struct err *err)
{
    enum err_code rc = find_folder(x, err);
    if (rc != OK) {
        return rc;
    }
    char *path = fs_join(x->a, x->folder, arena_cstr(x->a, location));
    char *real = realpath(path, NULL);
    if (!real) {
        return errno == ENOENT || errno == ENOTDIR ? refuse(location, "which is not there", err)
                                                   : err_errno(err, errno, "cannot read %s", path);
    }
    size_t n = strlen(x->folder);
    bool inside =
        strncmp(real, x->folder, n) == 0 && (real[n] == '/' || sv_ends(sv_of(x->folder), "/"));
    rc =
        inside ? fs_map(real, map, err) : refuse(location, "which is a link to another place", err);
    free(real);
    return rc;
}

static enum err_code find_file(struct onnx_external *x, struct sv location, struct fs_map **out,
                               struct err *err)
{
    for (size_t i = 0; i < x->n; i++) {
        if (sv_eq(x->locations[i], location)) {
            *out = &x->maps[i];
            return OK;
        }
    }
    if (location.n == 0 || location.p[0] == '/' || goes_up(location)) {
        return refuse(location, "which is not a path within its folder", err);
    }
    if (x->n == EXTERNAL_FILES) {
        return err_rule(err, ERR_LIMIT, "onnx-external",
                        "the model's weights are in more than %d files", EXTERNAL_FILES);
    }
    enum err_code rc = open_location(x, location, &x->maps[x->n], err);
    if (rc == OK) {
        x->locations[x->n] = location;
        x->a->max += x->maps[x->n].n < SIZE_MAX - x->a->max ? x->maps[x->n].n : 0;
        *out = &x->maps[x->n++];
        x->paths[x->n] = fs_join(x->a, x->folder, arena_cstr(x->a, location));
    }
    return rc;
}

enum err_code onnx_external_bytes(struct onnx_external *x, const struct onnx_place *at,
                                  struct sv name, uint64_t need, struct wire *out, struct err *err)
{
    struct fs_map *map = NULL;
    enum err_code rc = find_file(x, at->location, &map, err);
    if (rc != OK) {
        return rc;
    }
    uint64_t left = at->offset <= map->n ? map->n - at->offset : 0;
    uint64_t length = at->has_length ? at->length : need;
    if (length > left || length != need) {
        return err_rule(err, ERR_INPUT, "onnx-external",
                        "tensor %.*s needs %llu bytes from byte %llu of \"%.*s\" and claims %llu, but the "
                        "file has %llu",
                        SHOWN(name), (unsigned long long)need, (unsigned long long)at->offset,
                        SHOWN(at->location), (unsigned long long)length, (unsigned long long)left);
    }
    *out = need ? wire_of(map->data + at->offset, (size_t)need) : wire_of(NULL, 0);
    return OK;
}

void onnx_drop_pages(const void *p, size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = ((uintptr_t)p + page - 1) / page * page, to = ((uintptr_t)p + n) / page * page;
    if (from < to) {
        /* A hint: when it fails the pages stay, which costs memory and nothing else. */
        (void)madvise((void *)from, to - from, MADV_DONTNEED);
    }
}
