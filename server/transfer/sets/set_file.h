/* set_file.h - a list of images with their labels, as people publish it: CSV with the columns image and wnid
 * (row and cid are checked when they are there), or the JSON of a published dataset, {"image_filenames":
 * [[image, wnid], ...], "sampling_function": ..., ...}. Read as a whole before anything is written.
 * Knows nothing of sets. */
#ifndef TRANSFER_IMPORTS_SET_FILE_H
#define TRANSFER_IMPORTS_SET_FILE_H

#include <jansson.h>

#include "transfer/imports/lines.h"

struct set_entry {
    struct sv name;    /* in the import's arena */
    uint32_t class_at; /* index into im->class_list */
    uint64_t line;
};
struct set_file {
    struct set_entry *entries;
    size_t n, cap;
    json_t *parameters; /* what a dataset says of itself beside its images; NULL for CSV */
    struct sv ignored;  /* names of further columns, or empty */
    const char *format; /* "csv", "dataset" */
};
/* Every wrong row is reported (import_bad); ERR_INPUT when there was one. */
enum err_code set_file_read(struct set_file *f, struct import *im);
void set_file_release(struct set_file *f);

#endif
