/* image_bytes.c - recent bodies of replies, open files, and which of them a rendition is sent by. */
#include "web/core/image_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/xalloc.h"
#include "web/core/open_files.h"
#include "web/core/reply_cache.h"

enum {
    FILES = 4096,         /* kept open */
    IMAGE_MOST = 8 << 20, /* bytes of a rendition; ours are a hundredth of that */
    READ_MOST = 64 << 10  /* renditions up to here are read and sent with their headers in one piece */
};

struct image_bytes {
    struct arena arena;
    const char *path;   /* of the folder "images" */
    _Atomic int folder; /* opened when it is first needed and there; -1 until then */
    struct open_files *files;
    struct reply_cache *bodies;
};

struct image_bytes *image_bytes_new(size_t cache_bytes, const char *dir)
{
    struct image_bytes *b = xcalloc(1, sizeof *b);
    arena_init(&b->arena, 8192);
    b->path = fs_join(&b->arena, dir, "images");
    atomic_init(&b->folder, -1);
    b->files = open_files_new(FILES);
    b->bodies = reply_cache_new(cache_bytes);
    return b;
}

void image_bytes_free(struct image_bytes *b)
{
    if (b) {
        int folder = atomic_load(&b->folder);
        if (folder >= 0) {
            close(folder);
        }
        open_files_free(b->files);
        reply_cache_free(b->bodies);
        arena_release(&b->arena);
        free(b);
    }
}

/* Of the rendition, among bodies and files. */
static uint64_t number_of(const struct image_sent *at)
{
    return (uint64_t)at->kind << 40 | (uint64_t)at->source;
}

/* -1: there is none yet. */
static int folder_of(struct image_bytes *b)
{
    int none = -1, fd = atomic_load(&b->folder);
    if (fd >= 0) {
        return fd;
    }
    fd = open(b->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && !atomic_compare_exchange_strong(&b->folder, &none, fd)) {
        close(fd); /* another thread was first */
        fd = none;
    }
    return fd;
}

/* NULL when there is no such file. A reference for the caller. */
static struct open_file *open_image(struct image_bytes *b, const struct image_sent *at)
{
    struct stat st;
    char name[PATH_BELOW_IMAGES];
    struct open_file *f = open_files_get(b->files, number_of(at));
    if (f) {
        return f;
    }
    path_below_images(at->sha256, at->kind, name);
    int folder = folder_of(b);
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOATIME);
    if (fd < 0 && errno == EPERM) { /* somebody else's file: its time of reading is written */
        fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    }
    if (fd >= 0 && (fstat(fd, &st) != 0 || st.st_size <= 0 || st.st_size > IMAGE_MOST)) {
        close(fd);
        fd = -1;
    }
    if (fd < 0) {
        return NULL;
    }
    unsigned char first;
    if (pread(fd, &first, 1, 0) != 1) {
        close(fd);
        return NULL;
    }
    size_t n = rendition_length(fd, (size_t)st.st_size);
    return open_files_put(b->files, &(struct open_file){.fd = fd, .number = number_of(at), .n = n,
                                                        .tail = (size_t)st.st_size - n,
                                                        .first = first});
}

static struct http_shared *read_body(const struct open_file *f, size_t tail)
{
    struct http_shared *body = http_shared_new(f->n, tail);
    size_t done = 0;
    while (done < f->n) {
        ssize_t got = pread(f->fd, body->bytes + done, f->n - done, (off_t)done);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            http_shared_release(body);
            return NULL;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return body;
}

static void send_body(struct http_shared *body, const struct image_sent *at, struct response *res)
{
    res->shared = body;
    res->shared_n = body->n + at->padding;
    res->content_type = rendition_type(body->bytes[0]);
}

static bool send_file(const struct open_file *f, const struct image_sent *at, struct response *res)
{
    res->fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
    res->fd_size = f->n + at->padding;
    res->content_type = rendition_type(f->first);
    return res->fd >= 0;
}

/* Through memory when it is wanted there, when the file has too few zeros behind it, and when it is
 * small: a read and one send are faster than a descriptor of its own, headers, sendfile and close. */
static bool send_missed(struct image_bytes *b, const struct open_file *f,
                        const struct image_sent *at, struct response *res)
{
    bool wanted = reply_cache_wants(b->bodies, f->number, f->n + GRID_TAIL);
    if (!wanted && f->tail >= at->padding && f->n > READ_MOST) {
        return send_file(f, at, res);
    }
    struct http_shared *body = read_body(f, wanted ? GRID_TAIL : at->padding);
    if (body && wanted) {
        reply_cache_put(b->bodies, f->number, body);
    }
    if (body) {
        send_body(body, at, res);
    }
    return body != NULL;
}

struct image_sent image_sent_of(const struct image_source *source, enum rendition_kind kind)
{
    struct image_sent at = {.source = source->source, .kind = kind};
    memcpy(at.sha256, source->sha256, IMAGE_SHA);
    return at;
}

enum err_code image_bytes_send(struct image_bytes *b, const struct image_sent *at,
                               struct response *res, struct err *err)
{
    if (at->source == 0) {
        return err_rule(err, ERR_NOT_FOUND, "no-pixels",
                        "This image is known by name only, so there are no pixels to show.");
    }
    struct http_shared *body = reply_cache_get(b->bodies, number_of(at));
    if (body) {
        send_body(body, at, res);
        return OK;
    }
    struct open_file *f = open_image(b, at);
    bool sent = f && send_missed(b, f, at, res);
    open_file_release(f);
    return sent ? OK
                : err_rule(err, ERR_NOT_FOUND, "no-pixels",
                           "The file of this image is missing; `holdout check` lists such files.");
}

void image_bytes_stats(struct image_bytes *b, struct image_bytes_stats *out)
{
    struct reply_cache_stats s;
    reply_cache_stats(b->bodies, &s);
    *out = (struct image_bytes_stats){s.hits, s.misses, s.bytes, s.bodies};
}
