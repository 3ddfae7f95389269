/* compare.c - two texts of one file beside each other. Places are those of the text that was computed again. */
#include "report/compare.h"

#include <string.h>

#include "formats/csv.h"

enum { SHOWN_MOST = 160, HEADS = 64 };

void compare_add(struct compare *k, const struct verify_finding *f)
{
    if (k->out->all++ < VERIFY_FINDINGS) {
        *LIST_ADD(&k->findings, k->a, struct verify_finding) = *f;
    }
}

static const char *shown(struct compare *k, struct sv text)
{
    struct sv t = sv_trim(text);
    size_t n = t.n > SHOWN_MOST ? SHOWN_MOST : t.n;
    while (n < t.n && n > 0 && ((unsigned char)t.p[n] & 0xc0) == 0x80) {
        n--;
    }
    return arena_printf(k->a, "%.*s%s", (int)n, n ? t.p : "", n < t.n ? "\xe2\x80\xa6" : "");
}

static void differ(struct compare *k, const char *file, const char *row, const char *column, struct sv reported, struct sv recomputed)
{
    const struct verify_finding f = {file, row, column, shown(k, reported), shown(k, recomputed)};
    compare_add(k, &f);
}

/* ---- lines ---- */

static void compare_lines(struct compare *k, const char *file, struct sv reported, struct sv recomputed)
{
    for (size_t line = 1; reported.n || recomputed.n; line++) {
        struct sv is = sv_cut(&reported, '\n'), was = sv_cut(&recomputed, '\n');
        k->out->values++;
        if (!sv_eq(is, was)) {
            differ(k, file, arena_printf(k->a, "line %zu", line), "", is, was);
        }
    }
}

/* ---- CSV ---- */

static bool same_header(const struct csv *x, const struct csv *y)
{
    bool same = x->n_header == y->n_header;
    for (size_t i = 0; i < x->n_header && same; i++) {
        same = sv_eq(x->header[i], y->header[i]);
    }
    return same;
}

static const char *row_name(struct compare *k, const struct csv *c, size_t row)
{
    int model = csv_column(c, "model");
    return model >= 0 ? arena_printf(k->a, "%zu (" SV_FMT ")", row, SV_ARG(c->cells[model])) : arena_printf(k->a, "%zu", row);
}

/* False: one of them cannot be read on; what was found so far stands. */
static bool compare_rows(struct compare *k, const char *file, struct csv *is, struct csv *was)
{
    struct err err = {0};
    bool more_is = true, more_was = true;
    for (size_t row = 1;; row++) {
        if (csv_next(is, &more_is, &err) != OK || csv_next(was, &more_was, &err) != OK || more_is != more_was) {
            return false;
        }
        if (!more_is) {
            return true;
        }
        for (size_t i = 0; i < was->n_header; i++) {
            k->out->values++;
            if (!sv_eq(is->cells[i], was->cells[i])) {
                differ(k, file, row_name(k, was, row), arena_cstr(k->a, was->header[i]), is->cells[i], was->cells[i]);
            }
        }
    }
}

static void compare_csv(struct compare *k, const char *file, struct sv reported, struct sv recomputed)
{
    struct csv is, was;
    struct err err = {0};
    bool open_is = csv_open(&is, file, reported, &err) == OK, open_was = csv_open(&was, file, recomputed, &err) == OK;
    size_t before = k->out->all;
    bool whole = open_is && open_was && same_header(&is, &was) && compare_rows(k, file, &is, &was);
    if (open_is) {
        csv_close(&is);
    }
    if (open_was) {
        csv_close(&was);
    }
    if (!whole || (k->out->all == before && !sv_eq(reported, recomputed))) { /* no table any more, or other than in its cells */
        compare_lines(k, file, reported, recomputed);
    }
}

/* ---- markup ---- */

struct markup {
    struct sv rest;
    const char *table;             /* the id of the table it is in; NULL: none */
    size_t line, row, cell, heads; /* row: of the table's body, from 1 */
    bool head;
    struct sv head_text[HEADS];
};

/* A tag, or the text up to the next. */
static struct sv token(struct markup *m)
{
    struct sv all = m->rest, t;
    const char *end = all.n ? memchr(all.p + 1, all.p[0] == '<' ? '>' : '<', all.n - 1) : NULL;
    t = sv_make(all.p, end ? (size_t)(end - all.p) + (all.p[0] == '<') : all.n);
    m->rest = sv_make(all.p + t.n, all.n - t.n);
    return t;
}

static struct sv id_of(struct sv tag)
{
    static const char name[] = " id=\"";
    const char *at = memmem(tag.p, tag.n, name, sizeof name - 1);
    struct sv rest = at ? sv_make(at + sizeof name - 1, (size_t)(tag.p + tag.n - at) - (sizeof name - 1)) : SV("");
    return at ? sv_cut(&rest, '"') : rest;
}

/* Where we are after this token. */
static void follow(struct compare *k, struct markup *m, struct sv t)
{
    for (size_t i = 0; i < t.n; i++) {
        m->line += t.p[i] == '\n';
    }
    if (sv_starts(t, "<table")) {
        m->table = arena_cstr(k->a, id_of(t));
        m->row = m->cell = m->heads = 0;
    } else if (sv_is(t, "</table>")) {
        m->table = NULL;
    } else if (sv_is(t, "<thead>") || sv_is(t, "</thead>")) {
        m->head = t.p[1] != '/';
    } else if (sv_is(t, "<tr>")) {
        m->row += !m->head;
        m->cell = 0;
    } else if (sv_starts(t, "<td") || sv_starts(t, "<th ")) {
        m->cell++;
    } else if (m->head && t.n && t.p[0] != '<' && m->cell > 0 && m->cell <= HEADS) {
        m->head_text[m->cell - 1] = t;
        m->heads = m->cell;
    }
}

static void differ_at(struct compare *k, const char *file, const struct markup *m, struct sv is, struct sv was)
{
    bool cell = m->table && !m->head && m->cell > 0 && m->cell <= m->heads;
    differ(k, file,
           cell ? arena_printf(k->a, "%zu (table %s)", m->row, m->table) : arena_printf(k->a, "line %zu", m->line),
           cell ? arena_cstr(k->a, m->head_text[m->cell - 1]) : "", is, was);
}

static void compare_markup(struct compare *k, const char *file, struct sv reported, struct sv recomputed)
{
    struct markup was = {.rest = recomputed, .line = 1}, is = {.rest = reported};
    while (was.rest.n || is.rest.n) {
        struct sv x = token(&is), y = token(&was);
        k->out->values++;
        if (!sv_eq(x, y)) {
            differ_at(k, file, &was, x, y);
            if ((x.n && x.p[0] == '<') != (y.n && y.p[0] == '<')) {
                return; /* the rest is displaced */
            }
        }
        follow(k, &was, y);
    }
}

void compare_files(struct compare *k, const char *file, struct sv reported, struct sv recomputed)
{
    struct sv name = sv_of(file);
    if (sv_ends(name, ".csv")) {
        compare_csv(k, file, reported, recomputed);
    } else if (sv_ends(name, ".html") || sv_ends(name, ".svg")) {
        compare_markup(k, file, reported, recomputed);
    } else {
        compare_lines(k, file, reported, recomputed);
    }
}
