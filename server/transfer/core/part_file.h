/* part_file.h - a part of a computation that is shared among machines, as JSON lines behind a header that says what
 * made them. A run that was killed resumes after the last whole line. Knows nothing of what the lines say. */
#ifndef TRANSFER_CORE_PART_FILE_H
#define TRANSFER_CORE_PART_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/sv.h"
#include "formats/jsonl.h"

enum { PART_MOST = 100000 };

/* "3/8": the third of eight parts, which is number 2. False for anything else. */
bool part_number(struct sv text, uint32_t *part, uint32_t *parts);

struct part_file {
    const char *path; /* "-": standard output */
    FILE *file;
    int digits;       /* of numbers that are not whole */
};
/* Opens the file, or resumes one that begins with the same header (a line, with its line feed): `seen` is called with
 * each of its lines, and one that was cut short is cut away. ERR_CONFLICT (rule "part-differs") for another file:
 * `others` names what may differ. ERR_INPUT for a line that is no JSON. */
enum err_code part_file_open(struct part_file *part, struct sv header, const char *others,
                             enum err_code (*seen)(void *arg, const json_t *line, struct err *err), void *arg,
                             struct err *err);
/* Takes the reference; NULL fails. */
enum err_code part_file_add(struct part_file *part, json_t *line, struct err *err);
/* Everything added is on the disk. */
enum err_code part_file_flush(struct part_file *part, struct err *err);
void part_file_close(struct part_file *part);

struct part_read {
    const char *path;
    struct fs_map map;
    struct jsonl lines; /* behind the header; a last line that was cut short is left out */
};
/* Opens a part file for reading. *header is new, NULL in an empty file. In any case part_read_close. */
enum err_code part_read_open(struct part_read *p, const char *path, json_t **header, struct err *err);
void part_read_close(struct part_read *p);

#endif
