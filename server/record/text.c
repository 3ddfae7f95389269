/* text.c - the text of a record's JSON, written from the row without making values of it: replies that come thousands
 * of times a second. Says what record_json says. */
#include "record/record_private.h"

#include "base/sv.h"

/* What a byte is written as: itself, \ and a letter, or \u00XX. */
static char escape_of(unsigned char c)
{
    switch (c) {
    case '"':
    case '\\':
        return (char)c;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return c < 0x20 ? 'u' : 0;
    }
}

/* False when it is not UTF-8. */
static bool add_text(struct str *out, struct sv text)
{
    size_t from = 0, step;
    str_addc(out, '"');
    for (size_t i = 0; i < text.n; i += step) {
        unsigned char c = (unsigned char)text.p[i];
        step = c < 0x80 ? 1 : sv_utf8_first(sv_make(text.p + i, text.n - i));
        if (step == 0) {
            return false;
        }
        char as = escape_of(c);
        if (as) {
            str_add(out, text.p + from, i - from);
            from = i + 1;
            str_add(out, (const char[]){'\\', as}, 2);
        }
        if (as == 'u') {
            str_printf(out, "%04X", c);
        }
    }
    if (from < text.n) {
        str_add(out, text.p + from, text.n - from);
    }
    str_addc(out, '"');
    return true;
}

static int add_piece(const char *piece, size_t n, void *out)
{
    str_add(out, piece, n);
    return 0;
}

/* A value that was made; takes the reference. */
static bool add_made(struct str *out, json_t *value)
{
    bool whole = value && json_dump_callback(value, add_piece, out, JSON_COMPACT | JSON_ENCODE_ANY) == 0;
    json_decref(value);
    return whole;
}

static bool add_rows(struct str *out, const struct record_field *f, const void *row)
{
    const char *rows = *(const char *const *)record_part_of(f, row);
    size_t n = record_rows(f, row);
    bool whole = true;
    str_addc(out, '[');
    for (size_t i = 0; i < n; i++) { /* all of them: what they hold is taken */
        str_add(out, ",", i > 0);
        whole = record_text(f->of, rows + i * f->of->size, out) && whole;
    }
    str_addc(out, ']');
    return whole;
}

/* Text, a whole number, or yes and no: a value that needs nothing made. */
static bool add_plain(struct str *out, const struct record_value *v)
{
    if (v->is == IS_TEXT) {
        return add_text(out, v->text);
    }
    if (v->is == IS_WHOLE) {
        str_addi(out, v->whole);
    } else {
        str_addz(out, v->is == IS_NULL ? "null" : v->whole ? "true" : "false");
    }
    return true;
}

static bool add_value(struct str *out, const struct record_field *f, const void *row)
{
    struct record_value v;
    if (f->as == RECORD_AS_PART && record_is_known(f, row)) {
        return record_text(f->of, record_part_of(f, row), out);
    }
    if (f->as == RECORD_AS_ROWS && (!f->maybe || record_rows(f, row) > 0)) {
        return add_rows(out, f, row);
    }
    if (f->as == RECORD_AS_PART || f->as == RECORD_AS_ROWS || f->as == RECORD_AS_MADE || f->kind == RECORD_PARSED) {
        return add_made(out, record_value_json(f, row));
    }
    record_value_read(f, row, &v);
    return v.is == IS_REAL ? add_made(out, json_real(v.real)) : add_plain(out, &v);
}

/* The fields between the braces; `first`: of where they begin. */
static bool add_fields(struct str *out, size_t first, const struct record *r, const void *row);

static void add_name(struct str *out, size_t first, const char *name)
{
    str_add(out, ",", out->n > first);
    str_addc(out, '"');
    str_addz(out, name);
    str_add(out, "\":", 2);
}

static bool add_beside(struct str *out, size_t first, const struct record_field *f, const void *row)
{
    if (f->as == RECORD_AS_PART) {
        return !record_is_known(f, row) || add_fields(out, first, f->of, record_part_of(f, row));
    }
    json_t *made = record_take_made(f, row), *value;
    const char *name;
    bool whole = made || record_may_lack(f, row);
    json_object_foreach(made, name, value) {
        add_name(out, first, name);
        whole = add_made(out, json_incref(value)) && whole;
    }
    json_decref(made);
    return whole;
}

static bool add_fields(struct str *out, size_t first, const struct record *r, const void *row)
{
    bool whole = true;
    for (const struct record_field *f = r->fields; record_is_field(f); f++) {
        if (f->kind == RECORD_BESIDE) {
            whole = add_beside(out, first, f, row) && whole;
            continue;
        }
        if (f->face == RECORD_CSV) {
            continue;
        }
        size_t before = out->n;
        add_name(out, first, f->name);
        size_t value = out->n;
        whole = add_value(out, f, row) && whole;
        if (f->absent && sv_is(sv_make(out->p + value, out->n - value), "null")) { /* a text has quotes */
            str_cut(out, before);
        }
    }
    return whole;
}

bool record_text(const struct record *r, const void *row, struct str *out)
{
    str_addc(out, '{');
    bool whole = add_fields(out, out->n, r, row);
    str_addc(out, '}');
    return whole;
}
