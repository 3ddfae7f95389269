/* said.h - what a model said about an image, as one object of JSON lines:
 *
 *   {"image": NAME, "text": TEXT, "prompt": TEXT, "recipe": OBJECT or TEXT, "scores": {TEXT: NUMBER, ...}}
 *
 * "text" or "scores" must be there; the others may be missing. Knows nothing of images, models and classes. */
#ifndef FORMATS_SAID_H
#define FORMATS_SAID_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

enum { SAID_TEXT = 4096, SAID_PROMPT = 16384, SAID_RECIPE = 16384, SAID_CANDIDATES = 1024 }; /* bytes; texts with scores */

struct said_score {
    struct sv text;
    double score; /* finite; probability, logarithm or similarity: more is better */
};
struct said {
    struct sv image;
    bool has_text;       /* an empty text is an answer, a missing one is not */
    struct sv text, prompt;
    struct sv recipe;    /* as said_recipe; empty: it has none */
    struct said_score *scores; /* in the order of the line */
    size_t n;
};
/* Texts of `out` are in the arena. ERR_INPUT with what is wrong, without the place. */
enum err_code said_read(const json_t *o, struct arena *a, struct said *out, struct err *err);
/* The same of the text of a line that is written as nearly all are, many times faster: its texts have no escapes and point into
 * `line`. False: read it as JSON, it may be wrong or only unusual. */
bool said_scan(struct sv line, struct arena *a, struct said *out);
/* What said_read makes of the member "recipe"; NULL: it is not there. */
enum err_code said_recipe_of(const json_t *v, struct arena *a, struct sv *out, struct err *err);
/* A recipe as it is kept: a JSON object, compact and with sorted names; any other text becomes {"note": TEXT}. ERR_INPUT when it
 * is over-long, not UTF-8, or begins like an object and is none. */
enum err_code said_recipe(struct sv text, struct arena *a, struct sv *out, struct err *err);

#endif
