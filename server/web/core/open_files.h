/* open_files.h - files that were sent lately, kept open: finding and opening one costs as much as
 * sending its few pages. By number; any thread. Knows nothing of images. */
#ifndef WEB_CORE_OPEN_FILES_H
#define WEB_CORE_OPEN_FILES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct open_files;

struct open_file {
    atomic_uint_fast32_t references;
    int fd;         /* closed with the last reference; its position is nobody's */
    uint64_t number;
    size_t n, tail; /* bytes, and zero bytes after them */
    unsigned char first; /* its first byte, which tells the format */
};

/* Keeps at most `most` files open, fewer when the process may not open four times as many. */
struct open_files *open_files_new(size_t most);
void open_files_free(struct open_files *o); /* NULL is allowed */
/* A reference for the caller, or NULL. */
struct open_file *open_files_get(struct open_files *o, uint64_t number);
/* Takes over f->fd, of a file with f->number. A reference for the caller. */
struct open_file *open_files_put(struct open_files *o, const struct open_file *f);
void open_file_release(struct open_file *f); /* NULL is allowed */

#endif
