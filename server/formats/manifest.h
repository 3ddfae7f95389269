/* manifest.h - a list of image files with what is known about each, as CSV with a header row or as
 * JSON lines. Which of the two is recognised by the name's ending (.csv, .jsonl, .ndjson), otherwise by
 * the first character.
 *
 * A line that is wrong does not end the reading: the caller reports it and continues, so that one
 * run names all of them. */
#ifndef FORMATS_MANIFEST_H
#define FORMATS_MANIFEST_H

#include "formats/csv.h"
#include "formats/jsonl.h"

enum manifest_field {
    MANIFEST_ID,    /* the image's identity */
    MANIFEST_PATH,
    MANIFEST_CLASS, /* wnid */
    MANIFEST_ROLE,
    MANIFEST_TAKEN_AT,
    MANIFEST_SOURCE_ID,
    MANIFEST_LINK,
    MANIFEST_AUTHOR,
    MANIFEST_LICENCE,
    MANIFEST_KEYWORD,
    MANIFEST_FIELDS
};

enum { MANIFEST_ID_MOST = 255, MANIFEST_TEXT_MOST = 2000, MANIFEST_PATH_MOST = 4095 };

struct manifest {
    const char *name; /* of the file, for messages; borrowed */
    bool json;
    struct csv csv;
    struct jsonl lines;
    int column[MANIFEST_FIELDS]; /* of CSV; -1: not there */
    json_t *object;              /* of the current line */
    char number[MANIFEST_FIELDS][24]; /* members that are numbers, as text */
    uint64_t line;               /* of the current row, from 1 */
    struct sv field[MANIFEST_FIELDS]; /* of the current row; empty when absent */
};

/* ERR_INPUT for a header that cannot be read, lacks id, path or class, or has a column that is not
 * known. */
enum err_code manifest_open(struct manifest *m, const char *name, struct sv text, struct err *err);
void manifest_close(struct manifest *m);
/* The next row into m->field, borrowed until the next call. *more false at the end. ERR_INPUT says
 * without place what is wrong with line m->line; the row after it can be read. Checked are form and
 * length, the role's word and the date; not whether class and file exist. */
enum err_code manifest_next(struct manifest *m, bool *more, struct err *err);

/* The role's number (original, candidate, reference, gold, training) or -1. */
int manifest_role(struct sv word);
/* What an image may be called: 1 to MANIFEST_ID_MOST bytes of UTF-8 without control characters. */
bool manifest_id_good(struct sv id);
/* "YYYY-MM-DD" or "YYYY-MM-DD HH:MM:SS", a day that exists. */
bool manifest_date_good(struct sv date);

#endif
