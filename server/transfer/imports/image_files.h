/* image_files.h - writes the files of a project's images (store/images/paths.h) so that they are whole or
 * not there: into images/.incoming/, then renamed to their place; one flush of the file system
 * before rows name a batch of them. Threads may put files at the same time. */
#ifndef TRANSFER_IMPORTS_IMAGE_FILES_H
#define TRANSFER_IMPORTS_IMAGE_FILES_H

#include <sys/stat.h>

#include "base/err.h"
#include "store/images/paths.h"

/* How the bytes of a source are kept; in this order the words of source.kept and --keep. */
enum keep { KEEP_COPY, KEEP_REFLINK, KEEP_LINK, KEEP_REFERENCE };
extern const char *const keep_words[4];

struct image_files {
    const char *dir;      /* of the project */
    const char *images;   /* DIR/images; NULL: not open */
    int lock;             /* on .incoming, shared by all imports that write here */
    unsigned counter;     /* of names in .incoming; atomic */
    bool no_clones;       /* the file system has refused one; atomic */
    struct arena arena;
};

/* Removes what imports that were killed left behind, unless another one is running. */
enum err_code image_files_open(struct image_files *f, const char *dir, struct err *err);
void image_files_close(struct image_files *f);

/* An original file, read whole. */
struct original {
    int fd;           /* -1: not open */
    struct stat stat; /* as it was when it was opened */
    unsigned char *p; /* kept from file to file */
    size_t n, cap;
};
/* Opens and reads a file below the folder `base`. ERR_INPUT, ERR_LIMIT, ERR_NOT_FOUND and ERR_IO
 * say what is wrong with this one. */
enum err_code original_read(struct original *o, int base, const char *path, struct err *err);
void original_close(struct original *o);
void original_release(struct original *o);

/* Puts a file in its place, over one that is there; not yet flushed. */
enum err_code image_files_put(struct image_files *f, const unsigned char *sha256,
                              enum rendition_kind kind, const void *p, size_t n, struct err *err);
/* Puts the original in its place the way *keep says; KEEP_COPY shares the blocks where the file
 * system can, and *keep says so then. Nothing is put for KEEP_REFERENCE. ERR_INPUT when the file is
 * not as it was when it was opened; everything else is no fault of the file. */
enum err_code image_files_keep(struct image_files *f, const unsigned char *sha256,
                               const struct original *o, enum keep *keep, struct err *err);
/* Everything that was put is on the disk now. */
enum err_code image_files_flush(const struct image_files *f, struct err *err);
/* All files of this content are there, the source with `bytes` unless it is only referenced. */
bool image_files_complete(const struct image_files *f, const unsigned char *sha256, int64_t bytes,
                          bool referenced);

#endif
