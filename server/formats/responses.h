/* responses.h - what people ticked in images, a label for each object and which is the main one: as CSV, a row per
 * response (image, main, selected; with or without response and worker) or a row per label (task, worker, label, main),
 * or as JSON lines. Which of them is told by the first character and by the header. Knows neither images nor classes. */
#ifndef FORMATS_RESPONSES_H
#define FORMATS_RESPONSES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/names.h"

enum {
    RESPONSES_MOST = 2000000,
    RESPONSE_TICKS_MOST = 8000000, /* labels of all of them */
    RESPONSES_OF_IMAGE = 10000,
    RESPONSE_LABELS = 12,   /* most labels of a response */
    RESPONSE_LABEL_BYTES = 64
};
#define RESPONSE_ANONYMOUS UINT32_MAX

struct responses_row {
    uint32_t image;   /* number in `images` */
    uint32_t worker;  /* number in `workers`; RESPONSE_ANONYMOUS */
    uint32_t main;    /* number of a label */
    uint32_t first, n; /* its labels in `selected`, 1 to RESPONSE_LABELS, each once, `main` among them */
    int64_t number;   /* in the order of responses about the image */
    uint64_t line;    /* of the file */
};
struct responses {
    struct names images, workers;
    struct responses_row *rows; /* by image, in the order in which images come; then by number */
    size_t n;
    uint32_t *selected;    /* numbers of labels */
    uint32_t *begin;       /* rows of image i: begin[i] to begin[i + 1] */
};
struct responses_ask {
    const char *name;      /* of the file, for messages */
    struct names *labels;  /* those that come are added */
    const char *classes;   /* unless NULL: only labels that are there already are known, from a file of this name */
    uint32_t most;         /* labels of a response, at most RESPONSE_LABELS */
};
/* Lists are in the arena; responses_release frees the names, also after an error. A response without `response` has the
 * place of its first row. ERR_INPUT "NAME:LINE: ..." or ERR_LIMIT: no label, one twice, one that is not known, too many; a
 * main label that is not selected, or more than one; a response's number or a worker twice for an image; what is no
 * such file. */
enum err_code responses_read(const struct responses_ask *ask, struct sv text, struct arena *a, struct responses *out,
                             struct err *err);
void responses_release(struct responses *r);
/* What a label may be called: 1 to RESPONSE_LABEL_BYTES bytes without control characters, "+", "|" and ":", which
 * separate labels in a cell. */
bool response_label_good(struct sv label);

#endif
