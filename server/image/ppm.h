/* ppm.h - binary PPM (P6, 8 bits): pictures as other tools write them for comparing. Not a type of a project's images. */
#ifndef IMAGE_PPM_H
#define IMAGE_PPM_H

#include <stdbool.h>

#include "image/image.h"

bool ppm_sniff(const void *p, size_t n);
/* ERR_INPUT says what is wrong; ERR_LIMIT for sizes over `lim`. */
enum err_code ppm_decode(const void *p, size_t n, const struct image_limits *lim, struct image *out, struct err *err);

#endif
