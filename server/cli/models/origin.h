/* origin.h - what names a model's results, so that results of other origin never mix with them. */
#ifndef CLI_MODELS_ORIGIN_H
#define CLI_MODELS_ORIGIN_H

#include "cli/models/use.h"

struct model_origin {
    unsigned char digest[32]; /* SHA-256 of all that can change a bit: model file, recipe, engine, pixels, output */
    const char *engine;       /* the engine's fingerprint and the rule of pixels (image/preprocess.h); in the arena */
};
/* `what` is computed: "predictions", or "features" and which. Results from before the rule of pixels had a name are
 * added to under their old name while no image of the project gives models other pixels since: only PNG files with
 * transparency or of 16-bit gray do, and their headers are read when it matters. (A CMYK JPEG without Adobe's mark
 * gives others too; there are hardly any, and reading every JPEG file's header for them would cost more than the
 * results.) */
enum err_code model_origin(struct cli *cli, const struct model_use *m, const char *what, struct model_origin *out);
/* The digest alone, for results of another engine. */
void model_origin_digest(const struct model_use *m, const char *what, const char *engine, unsigned char out[32]);

#endif
