/* ssim.h - structural similarity of pictures of one size: how near-duplicates that other metrics miss are found
 * (papers, section on near-duplicates). The same number as scikit-image's compare_ssim(multichannel=True) with a uniform
 * window: per channel the mean over all windows that lie inside the picture, sample covariance, K1 .01, K2 .03, range
 * 255; then the mean of the channels. Knows nothing of files and lists. */
#ifndef NEIGHBORS_SSIM_H
#define NEIGHBORS_SSIM_H

#include <stddef.h>
#include <stdint.h>

enum {
    SSIM_WINDOW = 35,      /* as published */
    SSIM_WINDOW_MOST = 101, /* sums over a window stay below 2^31 */
    SSIM_SIDE_MOST = 1024
};

/* Width and height in pixels; the window's side in pixels is odd, at least 3, and at most the shorter side. */
struct ssim_shape {
    uint32_t width, height, window;
};

/* What is known of one picture before it is compared: its planes, and of every window the sum of its bytes and of
 * their squares. Made by ssim_prepare in memory of the caller. */
struct ssim_picture {
    const unsigned char *planes;
    const int32_t *sums, *squares;
};
/* Bytes that ssim_prepare needs: about 9 for each byte of the picture. */
size_t ssim_size(const struct ssim_shape *s);
/* `rgb`: height x width x 3 bytes. `room`: ssim_size bytes, aligned to 4; the result points into it. */
void ssim_prepare(const struct ssim_shape *s, const unsigned char *rgb, void *room, struct ssim_picture *out);

/* Bytes of scratch memory for ssim_distance, aligned to 4; one a thread. */
size_t ssim_scratch(const struct ssim_shape *s);
/* (1 - SSIM) / 2, from 0 (equal) to 1. Sums are whole numbers and are added in one order: the same pictures give the
 * same double on every processor. */
double ssim_distance(const struct ssim_shape *s, const struct ssim_picture *a, const struct ssim_picture *b,
                     void *scratch);

#endif
