/* table.c - rows of a record as CSV and as printed tables: one walk over the fields, and for each of these languages what
 * stands between cells and how a text and a number are written. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/csv.h"
#include "record/record_private.h"

struct language {
    const char *begin, *between, *end; /* of a row */
    const char *unknown, *minus;
    bool ranges;
    void (*text)(struct str *out, struct sv text);
};

/* ---- texts ---- */

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "_" within a word is one: pnasnet_large_tf stays readable. */
static bool markdown_marks(struct sv text, size_t i)
{
    char c = text.p[i];
    return c == '_' ? !(i && i + 1 < text.n && is_word(text.p[i - 1]) && is_word(text.p[i + 1]))
                    : memchr("\\|`*<>[]~&#", c, 11) != NULL;
}

static void markdown_text(struct str *out, struct sv text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        str_addz(out, markdown_marks(text, i) ? "\\" : "");
        str_addc(out, c == '\n' || c == '\r' ? ' ' : c);
    }
}

static const char *latex_char(char c)
{
    switch (c) {
    case '\\': return "\\textbackslash{}";
    case '~': return "\\textasciitilde{}";
    case '^': return "\\textasciicircum{}";
    case '<': return "\\textless{}";
    case '>': return "\\textgreater{}";
    case '|': return "\\textbar{}";
    case '[': return "{[}"; /* at the start of a row, these two would belong to the end of the one before */
    case '*': return "{*}";
    case '"': return "''"; /* its own sign is not in every encoding of fonts */
    case '{': return "\\{";
    case '}': return "\\}";
    case '$': return "\\$";
    case '&': return "\\&";
    case '#': return "\\#";
    case '_': return "\\_";
    case '%': return "\\%";
    case '\n':
    case '\r': return " ";
    default: return NULL;
    }
}

/* What is not ASCII stays, as UTF-8, but for what LaTeX does not know without further packages. */
static void latex_text(struct str *out, struct sv text)
{
    static const struct {
        const char *utf8, *latex;
    } signs[] = {{"\xce\x94", "$\\Delta$"}, {"\xcf\x84", "$\\tau$"}, {"\xcf\x81", "$\\rho$"}, {"\xe2\x88\x92", "$-$"}};
    for (size_t i = 0; i < text.n;) {
        size_t length = 1;
        const char *own = latex_char(text.p[i]);
        for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
            if (sv_starts(sv_make(text.p + i, text.n - i), signs[k].utf8)) {
                own = signs[k].latex;
                length = strlen(signs[k].utf8);
            }
        }
        if (own) {
            str_addz(out, own);
        } else {
            str_addc(out, text.p[i]);
        }
        i += length;
    }
}

static const struct language languages[] = {
    [RECORD_TABLE_CSV] = {"", ",", "", "", "-", false, csv_cell},
    [RECORD_TABLE_MARKDOWN] = {"| ", " | ", " |", "\xe2\x80\x93", "\xe2\x88\x92", true, markdown_text},
    [RECORD_TABLE_LATEX] = {"", " & ", " \\\\", "--", "$-$", true, latex_text},
};

/* ---- cells ---- */

static void add_real(const struct language *l, double v, int decimals, struct str *out)
{
    char text[400];
    if (decimals < 0 && !l->ranges) {
        csv_number(out, v);
        return;
    }
    if (decimals < 0) {
        snprintf(text, sizeof text, "%.6g", v);
    } else {
        snprintf(text, sizeof text, "%.*f", decimals, v);
    }
    bool negative = text[0] == '-';
    str_addz(out, negative ? l->minus : "");
    str_addz(out, text + negative);
}

static double real_at(const void *row, size_t offset)
{
    double v;
    memcpy(&v, (const char *)row + offset - 1, sizeof v);
    return v;
}

/* " [82.5, 83.2]". */
static void add_range(const struct language *l, const struct record_field *f, const void *row, int decimals, struct str *out)
{
    bool known = f->lo && (!f->ranged || ((const bool *)row)[f->ranged - 1]);
    if (l->ranges && known) {
        str_addz(out, " [");
        add_real(l, real_at(row, f->lo), decimals, out);
        str_addz(out, ", ");
        add_real(l, real_at(row, f->hi), decimals, out);
        str_addc(out, ']');
    }
}

static void add_value(const struct language *l, const struct record_field *f, const void *row, struct str *out)
{
    struct record_value v;
    record_value_read(f, row, &v);
    switch (v.is) {
    case IS_TEXT:
        l->text(out, v.text);
        break;
    case IS_WHOLE:
        str_addz(out, v.whole < 0 ? l->minus : "");
        str_printf(out, "%llu", v.whole < 0 ? 0 - (unsigned long long)v.whole : (unsigned long long)v.whole);
        add_range(l, f, row, 0, out);
        break;
    case IS_REAL:
        str_addz(out, f->plus && l->ranges && v.real > 0 ? "+" : "");
        add_real(l, v.real, v.decimals, out);
        add_range(l, f, row, v.decimals, out);
        break;
    case IS_BOOL:
        str_addz(out, v.whole ? "yes" : f->no ? f->no : "no");
        break;
    case IS_NULL:
        str_addz(out, l->unknown);
        break;
    }
}

static bool in_tables(const struct record_field *f)
{
    return f->face != RECORD_JSON && f->kind != RECORD_LIST && f->as != RECORD_AS_MADE &&
           (f->as != RECORD_AS_PART || f->kind == RECORD_BESIDE);
}

static bool is_number(const struct record_field *f)
{
    return f->kind != RECORD_MOMENT && f->as != RECORD_AS_SV && f->as != RECORD_AS_STRING && f->as != RECORD_AS_BOOL;
}

enum part { HEADS, CELLS, MARKDOWN_RULE, LATEX_COLUMNS };

static void add_cell(const struct language *l, enum part part, const struct record_field *f, const void *row, struct str *out)
{
    switch (part) {
    case HEADS:
        l->text(out, sv_of(f->name));
        break;
    case CELLS:
        add_value(l, f, row, out);
        break;
    case MARKDOWN_RULE:
        str_addz(out, is_number(f) ? "---:" : "---");
        break;
    case LATEX_COLUMNS:
        str_addc(out, is_number(f) ? 'r' : 'l');
        break;
    }
}

/* `first`: nothing stands before them. */
static void add_cells(const struct language *l, enum part part, const struct record *r, const void *row, bool first,
                      struct str *out)
{
    for (const struct record_field *f = r->fields; record_is_field(f); f++) {
        if (!in_tables(f)) {
            continue;
        }
        if (f->kind == RECORD_BESIDE) {
            add_cells(l, part, f->of, row ? record_part_of(f, row) : NULL, first, out);
        } else {
            str_addz(out, first || part == LATEX_COLUMNS ? "" : l->between);
            add_cell(l, part, f, row, out);
        }
        first = false;
    }
}

void record_csv_names(const struct record *r, struct str *out)
{
    add_cells(&languages[RECORD_TABLE_CSV], HEADS, r, NULL, true, out);
}

void record_csv_cells(const struct record *r, const void *row, struct str *out)
{
    add_cells(&languages[RECORD_TABLE_CSV], CELLS, r, row, true, out);
}

void record_csv_text(struct str *out, struct sv text)
{
    csv_cell(out, text);
}

void record_csv_number(struct str *out, double v)
{
    csv_number(out, v);
}

/* ---- tables ---- */

static void add_line(const struct language *l, enum part part, const struct record *r, const void *row, struct str *out)
{
    str_addz(out, l->begin);
    add_cells(l, part, r, row, true, out);
    str_addz(out, l->end);
    str_addc(out, '\n');
}

void record_table(const struct record *r, enum record_table as, const void *rows, size_t n, struct str *out)
{
    const struct language *l = &languages[as];
    if (as == RECORD_TABLE_LATEX) {
        str_addz(out, "% \\usepackage{booktabs}\n\\begin{tabular}{");
        add_cells(l, LATEX_COLUMNS, r, NULL, true, out);
        str_addz(out, "}\n\\toprule\n");
    }
    add_line(l, HEADS, r, NULL, out);
    if (as == RECORD_TABLE_MARKDOWN) {
        add_line(l, MARKDOWN_RULE, r, NULL, out);
    }
    str_addz(out, as == RECORD_TABLE_LATEX ? "\\midrule\n" : "");
    for (size_t i = 0; i < n; i++) {
        add_line(l, CELLS, r, (const char *)rows + i * r->size, out);
    }
    str_addz(out, as == RECORD_TABLE_LATEX ? "\\bottomrule\n\\end{tabular}\n" : "");
}

void record_table_caption(enum record_table as, struct sv text, struct str *out)
{
    str_addz(out, as == RECORD_TABLE_LATEX ? "% \\caption{" : "\n");
    languages[as].text(out, text);
    str_addz(out, as == RECORD_TABLE_LATEX ? "}\n" : "\n");
}
