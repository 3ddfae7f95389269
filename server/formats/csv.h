/* csv.h - CSV per RFC 4180 with a header row, over a text in memory (mapped file).
 * Readers name columns; a row's cells are borrowed from the text or, when quotes had to be
 * undone, from the reader. Knows nothing of what columns mean. */
#ifndef FORMATS_CSV_H
#define FORMATS_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"

enum { CSV_COLUMNS = 256 };

struct csv {
    const char *name; /* of the file, for messages; borrowed */
    struct sv rest;
    uint64_t line; /* of the current row's first line, from 1 */
    uint64_t next_line;
    struct sv header[CSV_COLUMNS], cells[CSV_COLUMNS];
    size_t n_header, n_cells;
    char *unquoted; /* cells with doubled quotes undone */
    size_t unquoted_cap;
    char *header_text;
};

/* Reads the header row. A UTF-8 byte order mark is skipped. ERR_INPUT "NAME:1: ..." . */
enum err_code csv_open(struct csv *c, const char *name, struct sv text, struct err *err);
void csv_close(struct csv *c);
/* Column of that name, -1 when there is none. */
int csv_column(const struct csv *c, const char *name);
/* As csv_column, ERR_INPUT naming the file and the missing column. */
enum err_code csv_need(const struct csv *c, const char *name, int *col, struct err *err);
/* The next row into c->cells. *more false at the end. A row with another number of cells than
 * the header, an open quote or invalid UTF-8 is ERR_INPUT "NAME:LINE: ...". Empty lines are
 * skipped. */
enum err_code csv_next(struct csv *c, bool *more, struct err *err);

/* Writing: a cell with quotes where needed; the caller writes "," and "\n". A cell that would be
 * read as a formula by spreadsheets is left as it is: exports are data, and ids of that kind are
 * refused at entry (base/outside.h). */
void csv_cell(struct str *out, struct sv cell);
/* The fewest digits that are read back as the same number, with a point: 87.0. */
void csv_number(struct str *out, double v);

#endif
