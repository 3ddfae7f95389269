/* fuzz_jpeg.c - any bytes behind the first three of a JPEG file as a picture. */
#include <stdint.h>

#include "picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Time is for the decoder, not for finding the bytes that lead to it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (image_sniff(data, n) != IMAGE_JPEG) {
        return -1;
    }
    picture_read(data, n);
    return 0;
}
