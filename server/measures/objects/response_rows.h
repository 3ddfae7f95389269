/* response_rows.h - responses to "which objects does this image show" as text, in the shapes that formats/responses.h reads. */
#ifndef MEASURES_RESPONSE_ROWS_H
#define MEASURES_RESPONSE_ROWS_H

#include "base/arena.h"
#include "base/str.h"

enum response_shape {
    RESPONSES_CSV,   /* image,response,main,selected; with worker behind response */
    RESPONSES_JSONL, /* the same members */
    RESPONSES_VOTES  /* task,worker,label,main: a row for each label */
};
struct response_text {
    struct sv image, worker; /* worker empty: nobody says who it was */
    int64_t number;          /* of the response, among those about the image */
    struct sv main;
    const struct sv *selected;
    uint32_t n;
};
/* `workers`: the CSV has that column. */
void responses_head(enum response_shape s, bool workers, struct str *out);
/* Texts that are joined for it are in the arena. */
void response_print(enum response_shape s, bool workers, const struct response_text *r, struct arena *a, struct str *out);

#endif
