/* table_file.h - a CSV file that a command reads row by row, and labels that several files share. */
#ifndef CLI_OBJECTS_TABLE_FILE_H
#define CLI_OBJECTS_TABLE_FILE_H

#include "base/names.h"
#include "cli/core/cli.h"
#include "formats/csv.h"

#define TABLE_FILE_MOST ((size_t)1 << 30)

struct table_file {
    struct cli *cli;
    struct str text;
    struct csv csv;
};
/* "-": standard input. Closed also after an error, by table_file_close. */
enum err_code table_file_open(struct table_file *f, struct cli *cli, const char *path);
void table_file_close(struct table_file *f);
/* The next row; *more false at the end. */
enum err_code table_file_next(struct table_file *f, bool *more);
/* The cell of a column without spaces around it, borrowed until the next row; empty where there is no such column (-1). */
struct sv table_file_cell(const struct table_file *f, int column);
/* ERR_INPUT "FILE:LINE: ..." about the current row. */
enum err_code table_file_wrong(const struct table_file *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Labels by number. Once all files are read, each has an id: its place among all of them, so that ids of classes that are
 * numbers are in the order of those. */
struct labels_known {
    struct cli *cli;
    struct names names;
    const char *classes;   /* file that all of them are from; NULL: whatever comes is one */
    uint32_t *id;          /* of each number */
    struct sv *text;       /* of each id */
};
void labels_known_init(struct labels_known *k, struct cli *cli);
void labels_known_release(struct labels_known *k);
/* The column class, or wnid, of a file of classes: from then on others are refused. */
enum err_code labels_known_classes(struct labels_known *k, const char *path);
/* The number of the label in a cell. ERR_INPUT: it is none. */
enum err_code labels_known_read(struct labels_known *k, const struct table_file *f, struct sv cell, uint32_t *out);
/* Fills id and text. */
void labels_known_end(struct labels_known *k);

#endif
