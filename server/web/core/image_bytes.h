/* image_bytes.h - the bytes of images' renditions as replies, fast: from memory, or from files that are kept open.
 * They never change under their hash (store/images/paths.h), so what is kept stays true. Who may see which image is the
 * caller's question. Any thread may ask; knows nothing of requests. */
#ifndef WEB_CORE_IMAGE_BYTES_H
#define WEB_CORE_IMAGE_BYTES_H

#include "http/http.h"
#include "store/images/images.h"
#include "store/images/paths.h"

struct image_bytes;
/* `cache_bytes` of memory, 0: each is read every time; `dir` is the project's folder. */
struct image_bytes *image_bytes_new(size_t cache_bytes, const char *dir);
void image_bytes_free(struct image_bytes *b); /* NULL is allowed */

struct image_sent {
    int64_t source;                  /* 0: known by name only */
    unsigned char sha256[IMAGE_SHA]; /* of the source */
    enum rendition_kind kind;        /* RENDITION_VIEW or RENDITION_GRID */
    unsigned padding;                /* zero bytes behind it, at most GRID_TAIL */
};
/* The rendition as it is. */
struct image_sent image_sent_of(const struct image_source *source, enum rendition_kind kind);
/* Fills in the reply's body and type. ERR_NOT_FOUND (rule "no-pixels") when the image is known by name only or its file
 * is missing. */
enum err_code image_bytes_send(struct image_bytes *b, const struct image_sent *at,
                               struct response *res, struct err *err);

struct image_bytes_stats {
    uint64_t hits, misses, bytes, images; /* sent from memory and not, since the start; in memory now */
};
void image_bytes_stats(struct image_bytes *b, struct image_bytes_stats *out);

#endif
