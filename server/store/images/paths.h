/* paths.h - where a project keeps the bytes of its images: images/ab/<sha256>.<kind>.
 * Files are written before the rows that name them commit, and never changed. What is in one is
 * recognised by its first bytes: renditions are JPEG, those of a project of tiny images PNG. */
#ifndef STORE_IMAGES_PATHS_H
#define STORE_IMAGES_PATHS_H

#include "base/arena.h"

enum rendition_kind {
    RENDITION_SOURCE, /* the original bytes */
    RENDITION_VIEW,   /* long side images.view_side */
    RENDITION_GRID    /* long side images.grid_side */
};
/* "image/png" or "image/jpeg" by the first byte of a rendition. */
const char *rendition_type(unsigned char first);
/* Zero bytes after a grid rendition: pages send as many of them as the address says, so that its length
 * does not tell the image. They are a hole and take no room on the disk. */
enum { GRID_TAIL = 4095 };
/* How many of the file's bytes are the image; no JPEG and no PNG ends with a zero byte. */
size_t rendition_length(int fd, size_t size);
/* The name below the project's folder "images", for those who hold that open. */
enum { PATH_BELOW_IMAGES = 3 + 64 + 8 };
void path_below_images(const unsigned char sha256[32], enum rendition_kind kind,
                       char out[PATH_BELOW_IMAGES]);
/* In the arena. */
char *path_rendition(struct arena *a, const char *dir, const unsigned char sha256[32],
                     enum rendition_kind kind);

#endif
