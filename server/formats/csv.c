/* csv.c - rows of a CSV text in memory. A row without quotes, which is nearly every row of a large
 * file, is found with memchr alone and its cells are borrowed from the text; rows with quotes take
 * a slower path of their own. Knows nothing of what columns mean. */
#include "formats/csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* A quote left open swallows the rest of a file; nobody writes a row this long on purpose. */
enum { ROW_MAX = 16 << 20 };

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* ASCII without NUL is valid UTF-8; eight bytes at a time this costs next to nothing. */
static bool plain_ascii(struct sv a)
{
    const uint64_t high = 0x8080808080808080u, ones = 0x0101010101010101u;
    uint64_t bad = 0, word;
    size_t i = 0;
    for (; i + 8 <= a.n; i += 8) {
        memcpy(&word, a.p + i, 8);
        bad |= (word | (word - ones)) & high;
    }
    for (; i < a.n; i++) {
        bad |= (unsigned char)a.p[i] - 1u >= 0x7f;
    }
    return bad == 0;
}

/* The text up to and without its line end, taken off c->rest. A CR before the LF goes too. */
static struct sv take_line(struct csv *c)
{
    struct sv line = sv_cut(&c->rest, '\n');
    c->next_line++;
    if (line.n && line.p[line.n - 1] == '\r') {
        line.n--;
    }
    return line;
}

static enum err_code too_many(const struct csv *c, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s:%" PRIu64 ": more than %d cells in a row", c->name, c->line,
                   (int)CSV_COLUMNS);
}

/* The fast path: no quote anywhere in the row. */
static enum err_code split_plain(struct csv *c, struct sv row, struct err *err)
{
    size_t n = 0;
    while (row.p) {
        if (n == CSV_COLUMNS) {
            return too_many(c, err);
        }
        c->cells[n++] = sv_cut(&row, ',');
    }
    c->n_cells = n;
    return OK;
}

/* Extends a row that has quotes over the line ends inside them. `row` is its first line. */
static enum err_code join_lines(struct csv *c, struct sv *row, struct err *err)
{
    const char *from = row->p, *end = row->p + row->n;
    bool open = false;
    for (;;) {
        const char *q = from;
        while (q < end && (q = memchr(q, '"', (size_t)(end - q)))) {
            open = !open;
            q++;
        }
        row->n = (size_t)(end - row->p);
        if (row->n > ROW_MAX) {
            return err_set(err, ERR_INPUT,
                           "%s:%" PRIu64 ": a row of more than %d bytes; expected every quoted cell to be "
                           "closed",
                           c->name, c->line, (int)ROW_MAX);
        }
        if (!open) {
            return OK;
        }
        if (c->rest.n == 0) {
            return err_set(err, ERR_INPUT, "%s:%" PRIu64 ": a quote is opened and never closed",
                           c->name, c->line);
        }
        from = end;
        struct sv next = take_line(c);
        end = next.p + next.n;
    }
}

/* Reads the quoted cell at *at (on its opening quote) and leaves *at behind the closing one. The
 * cell is borrowed from the text unless a doubled quote has to be undone; then it is written to
 * *spare, which has room for the whole row. */
static struct sv quoted_cell(const char **at, const char *end, char **spare)
{
    const char *from = *at + 1, *q = from;
    char *copy = NULL, *to = *spare;
    while ((q = memchr(q, '"', (size_t)(end - q)))) {
        bool doubled = q + 1 < end && q[1] == '"';
        if (!doubled && !copy) {
            *at = q + 1;
            return sv_make(from, (size_t)(q - from));
        }
        size_t n = (size_t)(q - from) + doubled;
        copy = copy ? copy : to;
        memcpy(to, from, n);
        to += n;
        if (!doubled) {
            break;
        }
        from = q += 2;
    }
    BUG_IF(!q); /* join_lines saw an even number of quotes */
    *at = q + 1;
    *spare = to;
    return sv_make(copy, (size_t)(to - copy));
}

/* One cell of a row with quotes; *at is left on the comma or at the end. */
static enum err_code next_cell(struct csv *c, const char **at, const char *end, char **spare,
                               struct sv *out, struct err *err)
{
    size_t cell = c->n_cells + 1;
    if (*at < end && **at == '"') {
        *out = quoted_cell(at, end, spare);
        if (*at < end && **at != ',') {
            return err_set(err, ERR_INPUT,
                           "%s:%" PRIu64 ": text after the closing quote of cell %zu; expected a comma or "
                           "the end of the line",
                           c->name, c->line, cell);
        }
        return OK;
    }
    const char *comma = *at < end ? memchr(*at, ',', (size_t)(end - *at)) : NULL;
    const char *stop = comma ? comma : end;
    *out = sv_make(*at, (size_t)(stop - *at));
    if (out->n && memchr(out->p, '"', out->n)) {
        return err_set(err, ERR_INPUT,
                       "%s:%" PRIu64 ": a quote inside cell %zu; expected the "
                       "whole cell in quotes and each quote in it doubled",
                       c->name, c->line, cell);
    }
    *at = stop;
    return OK;
}

/* The slow path; *row grows from the first line to the whole row. */
static enum err_code split_quoted(struct csv *c, struct sv *row, struct err *err)
{
    enum err_code rc = join_lines(c, row, err);
    if (rc != OK) {
        return rc;
    }
    xgrow(&c->unquoted, &c->unquoted_cap, row->n, 1);
    const char *at = row->p, *end = row->p + row->n;
    char *spare = c->unquoted;
    c->n_cells = 0;
    for (;;) {
        if (c->n_cells == CSV_COLUMNS) {
            return too_many(c, err);
        }
        rc = next_cell(c, &at, end, &spare, &c->cells[c->n_cells], err);
        if (rc != OK) {
            return rc;
        }
        c->n_cells++;
        if (at == end) {
            return OK;
        }
        at++;
    }
}

/* The next row that is not empty into c->cells, whatever its number of cells. */
static enum err_code read_row(struct csv *c, bool *more, struct err *err)
{
    struct sv row;
    do {
        if (c->rest.n == 0) {
            *more = false;
            return OK;
        }
        c->line = c->next_line;
        row = take_line(c);
    } while (row.n == 0);
    *more = true;
    bool quotes = memchr(row.p, '"', row.n) != NULL;
    enum err_code rc = quotes ? split_quoted(c, &row, err) : split_plain(c, row, err);
    if (rc != OK) {
        return rc;
    }
    if (!plain_ascii(row) && !sv_utf8(row)) {
        return err_set(err, ERR_INPUT,
                       "%s:%" PRIu64 ": not valid UTF-8; expected a file saved as "
                       "UTF-8 without NUL bytes",
                       c->name, c->line);
    }
    return OK;
}

static enum err_code check_header(const struct csv *c, struct err *err)
{
    for (size_t i = 0; i < c->n_header; i++) {
        struct sv h = c->header[i];
        if (memchr(h.p, '\r', h.n)) {
            return err_set(err, ERR_INPUT,
                           "%s:1: a carriage return in the header; expected lines "
                           "that end with LF or CRLF",
                           c->name);
        }
        for (size_t j = 0; j < i; j++) {
            if (h.n && sv_eq(h, c->header[j])) {
                return err_set(err, ERR_INPUT, "%s:1: the column " SV_FMT " appears twice",
                               c->name, SV_ARG(h));
            }
        }
    }
    return OK;
}

enum err_code csv_open(struct csv *c, const char *name, struct sv text, struct err *err)
{
    *c = (struct csv){.name = name, .rest = text, .line = 1, .next_line = 1};
    if (sv_starts(text, BYTE_ORDER_MARK)) {
        c->rest = sv_make(text.p + 3, text.n - 3);
    }
    bool more;
    enum err_code rc = read_row(c, &more, err);
    if (rc == OK && !more) {
        rc = err_set(err, ERR_INPUT, "%s:1: the file is empty; expected a header row", name);
    }
    if (rc == OK) {
        memcpy(c->header, c->cells, c->n_cells * sizeof c->cells[0]);
        c->n_header = c->n_cells;
        /* The header's own undone quotes live as long as the reader. */
        c->header_text = c->unquoted;
        c->unquoted = NULL;
        c->unquoted_cap = 0;
        rc = check_header(c, err);
    }
    if (rc != OK) {
        csv_close(c);
    }
    return rc;
}

void csv_close(struct csv *c)
{
    free(c->unquoted);
    free(c->header_text);
    *c = (struct csv){.name = c->name};
}

int csv_column(const struct csv *c, const char *name)
{
    for (size_t i = 0; i < c->n_header; i++) {
        if (sv_is(c->header[i], name)) {
            return (int)i;
        }
    }
    return -1;
}

enum err_code csv_need(const struct csv *c, const char *name, int *col, struct err *err)
{
    int found = csv_column(c, name);
    if (found < 0) {
        return err_set(err, ERR_INPUT, "%s:1: there is no column \"%s\" in the header", c->name,
                       name);
    }
    *col = found;
    return OK;
}

enum err_code csv_next(struct csv *c, bool *more, struct err *err)
{
    enum err_code rc = read_row(c, more, err);
    if (rc == OK && *more && c->n_cells != c->n_header) {
        return err_set(err, ERR_INPUT, "%s:%" PRIu64 ": %zu cells; expected %zu as in the header",
                       c->name, c->line, c->n_cells, c->n_header);
    }
    return rc;
}

/* Blanks at the ends are dropped by some readers unless quoted, and a byte order mark by this one
 * when it comes first in the file. */
static bool needs_quotes(struct sv cell)
{
    if (cell.n == 0) {
        return false;
    }
    if (cell.p[0] == ' ' || cell.p[cell.n - 1] == ' ' || sv_starts(cell, BYTE_ORDER_MARK)) {
        return true;
    }
    return memchr(cell.p, ',', cell.n) || memchr(cell.p, '"', cell.n) ||
           memchr(cell.p, '\n', cell.n) || memchr(cell.p, '\r', cell.n);
}

void csv_cell(struct str *out, struct sv cell)
{
    if (!needs_quotes(cell)) {
        str_addsv(out, cell);
        return;
    }
    str_addc(out, '"');
    while (cell.p) {
        str_addsv(out, sv_cut(&cell, '"'));
        str_addz(out, cell.p ? "\"\"" : "\"");
    }
}

void csv_number(struct str *out, double v)
{
    char text[40];
    int digits = 15;
    do {
        snprintf(text, sizeof text, "%.*g", digits, v);
    } while (strtod(text, NULL) != v && ++digits <= 17);
    str_addz(out, text);
    str_addz(out, strpbrk(text, ".e") ? "" : ".0"); /* as the published tables have whole numbers */
}
