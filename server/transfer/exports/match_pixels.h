/* match_pixels.h - the pixels of images that are compared with each other, as people see them. */
#ifndef TRANSFER_EXPORTS_MATCH_PIXELS_H
#define TRANSFER_EXPORTS_MATCH_PIXELS_H

#include "image/image.h"
#include "store/duplicates/match_images.h"

/* Decodes the file in the project's folder, or the one that it only refers to. At full size: a scaled
 * decoder's pixels would be other ones. Any thread. */
enum err_code match_pixels(const char *dir, const struct match_image *m, uint64_t max_pixels, struct image *out, struct err *err);
/* A copy whose texts live in the arena. */
struct match_image match_image_copy(struct arena *a, const struct match_image *m);

#endif
