/* mustache.c - compiling a template and running it.
 *
 * A template becomes an array of instructions that point into a copy of its text. Sections know
 * the index of their end, so that rendering is one walk with jumps; values are looked up in a
 * stack of borrowed json_t and never copied.
 *
 * Indentation: a partial that stands alone on its line indents every line of its *template*, but
 * no line that comes out of a value. So instructions know whether they open a template line, and
 * the current indentation is written in front of those only.
 *
 * Knows nothing of files, HTTP or which templates exist. */
#include "view/mustache.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "view/escape.h"

enum op { OP_TEXT, OP_ESCAPED, OP_NAME, OP_RAW, OP_SECTION, OP_INVERTED, OP_END, OP_PARTIAL };

struct ins {
    uint32_t at, n; /* the text or the name in the source */
    uint32_t to;    /* sections: index of the end; partials: where their indentation begins */
    uint8_t op;
    bool opens_line; /* first thing on a line of the template */
    bool alone;      /* partials: nothing else stands on the line */
};

struct mustache {
    char *source;
    struct ins *ins;
    size_t n_ins, cap_ins;
};

/* --- compiling --- */

struct parser {
    struct mustache *m;
    const char *src;
    size_t n, pos;
    struct sv open, close; /* the delimiters now */
    bool opens_line;       /* the next instruction is the first of its line */
    unsigned depth;
    uint32_t sections[MUSTACHE_DEPTH]; /* indices of the open ones */
};

/* One tag as it stands in the source. */
struct tag {
    char sigil;     /* # ^ / > ! = & { ~ or 0 for a variable */
    size_t at, end; /* with its delimiters */
    size_t from;    /* `at`, or the begin of the line when it stands alone there */
    size_t next;    /* where to go on: `end`, or the next line when it stands alone */
    bool alone;
    struct sv body; /* trimmed */
};

static enum err_code fail_at(const struct parser *p, size_t at, const char *what, struct err *err)
{
    size_t line = 1;
    for (size_t i = 0; i < at; i++) {
        line += p->src[i] == '\n';
    }
    return err_rule(err, ERR_INPUT, "template", "line %zu: %s", line, what);
}

static void emit(struct parser *p, enum op op, size_t at, size_t n, size_t to)
{
    struct mustache *m = p->m;
    xgrow(&m->ins, &m->cap_ins, m->n_ins + 1, sizeof *m->ins);
    m->ins[m->n_ins++] = (struct ins){
        .at = (uint32_t)at,
        .n = (uint32_t)n,
        .to = (uint32_t)to,
        .op = (uint8_t)op,
        .opens_line = p->opens_line,
    };
    p->opens_line = op == OP_TEXT && p->src[at + n - 1] == '\n';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_space(char c)
{
    return is_blank(c) || c == '\n' || c == '\r';
}

/* Finds the closing delimiter, with `before` directly in front of it unless that is 0. Returns
 * where the tag's body ends, SIZE_MAX when there is none. */
static size_t find_close(const struct parser *p, size_t from, char before)
{
    size_t lead = before ? 1 : 0;
    for (size_t i = from; i + lead + p->close.n <= p->n; i++) {
        if (before && p->src[i] != before) {
            continue;
        }
        if (memcmp(p->src + i + lead, p->close.p, p->close.n) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* A tag of a kind that prints nothing, alone on its line, takes the whole line away. */
static void find_lines(const struct parser *p, struct tag *t)
{
    t->from = t->at;
    t->next = t->end;
    if (!t->sigil || !strchr("#^/>!=", t->sigil)) {
        return;
    }
    size_t from = t->at, next = t->end;
    while (from > p->pos && is_blank(p->src[from - 1])) {
        from--;
    }
    while (next < p->n && is_blank(p->src[next])) {
        next++;
    }
    if (from > 0 && p->src[from - 1] != '\n') {
        return;
    }
    if (next + 1 < p->n && p->src[next] == '\r') {
        next++;
    }
    if (next < p->n && p->src[next] != '\n') {
        return;
    }
    t->next = next < p->n ? next + 1 : next;
    t->from = from;
    t->alone = true;
}

static enum err_code read_tag(const struct parser *p, size_t at, struct tag *t, struct err *err)
{
    size_t from = at + p->open.n;
    *t = (struct tag){.at = at};
    if (from < p->n && p->src[from] && strchr("#^/>!=&{~", p->src[from])) {
        t->sigil = p->src[from++];
    }
    char before = '\0';
    if (t->sigil == '{') {
        before = '}';
    } else if (t->sigil == '=') {
        before = '=';
    }
    size_t to = find_close(p, from, before);
    if (to == SIZE_MAX) {
        return fail_at(p, at, "this tag is not closed", err);
    }
    t->end = to + (before ? 1 : 0) + p->close.n;
    t->body = sv_trim(sv_make(p->src + from, to - from));
    find_lines(p, t);
    return OK;
}

static bool has_space(struct sv s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (is_space(s.p[i])) {
            return true;
        }
    }
    return false;
}

static enum err_code set_delimiters(struct parser *p, const struct tag *t, struct err *err)
{
    size_t n = 0;
    while (n < t->body.n && !is_space(t->body.p[n])) {
        n++;
    }
    struct sv open = sv_make(t->body.p, n);
    struct sv close = sv_trim(sv_make(t->body.p + n, t->body.n - n));
    if (!open.n || !close.n || has_space(close) || memchr(open.p, '=', open.n) ||
        memchr(close.p, '=', close.n)) {
        return fail_at(p, t->at, "delimiters are two words without an equals sign", err);
    }
    p->open = open;
    p->close = close;
    return OK;
}

static enum err_code open_section(struct parser *p, const struct tag *t, struct err *err)
{
    if (p->depth == MUSTACHE_DEPTH) {
        return fail_at(p, t->at, "sections are nested too deeply", err);
    }
    p->sections[p->depth++] = (uint32_t)p->m->n_ins;
    emit(p, t->sigil == '#' ? OP_SECTION : OP_INVERTED, (size_t)(t->body.p - p->src), t->body.n, 0);
    return OK;
}

static enum err_code close_section(struct parser *p, const struct tag *t, struct err *err)
{
    if (p->depth == 0) {
        return fail_at(p, t->at, "no section is open here", err);
    }
    struct ins *opened = &p->m->ins[p->sections[p->depth - 1]];
    if (!sv_eq(t->body, sv_make(p->src + opened->at, opened->n))) {
        return fail_at(p, t->at, "another section is open here", err);
    }
    p->depth--;
    opened->to = (uint32_t)p->m->n_ins;
    emit(p, OP_END, t->at, 0, 0);
    return OK;
}

static enum err_code compile_tag(struct parser *p, const struct tag *t, struct err *err)
{
    if (t->sigil == '!') {
        return OK;
    }
    if (t->sigil == '=') {
        return set_delimiters(p, t, err);
    }
    if (t->body.n == 0 || has_space(t->body)) {
        return fail_at(p, t->at, "a tag holds one name", err);
    }
    size_t name = (size_t)(t->body.p - p->src);
    switch (t->sigil) {
    case '#':
    case '^':
        return open_section(p, t, err);
    case '/':
        return close_section(p, t, err);
    case '>':
        emit(p, OP_PARTIAL, name, t->body.n, t->from);
        p->m->ins[p->m->n_ins - 1].alone = t->alone;
        return OK;
    case '&':
    case '{':
        emit(p, OP_RAW, name, t->body.n, 0);
        return OK;
    case '~':
        emit(p, OP_NAME, name, t->body.n, 0);
        return OK;
    default:
        emit(p, OP_ESCAPED, name, t->body.n, 0);
        return OK;
    }
}

static enum err_code compile_all(struct parser *p, struct err *err)
{
    while (p->pos < p->n) {
        const char *found = memmem(p->src + p->pos, p->n - p->pos, p->open.p, p->open.n);
        struct tag t = {.from = p->n};
        if (found) {
            enum err_code rc = read_tag(p, (size_t)(found - p->src), &t, err);
            if (rc) {
                return rc;
            }
        }
        if (t.from > p->pos) {
            emit(p, OP_TEXT, p->pos, t.from - p->pos, 0);
        }
        if (!found) {
            break;
        }
        /* A line that vanishes is not indented; a partial alone on its line indents itself. */
        p->opens_line = p->opens_line && !t.alone;
        enum err_code rc = compile_tag(p, &t, err);
        if (rc) {
            return rc;
        }
        p->opens_line = p->opens_line || t.alone;
        p->pos = t.next;
    }
    return p->depth ? fail_at(p, p->m->ins[p->sections[p->depth - 1]].at,
                              "this section is not closed", err)
                    : OK;
}

enum err_code mustache_compile(struct sv text, struct mustache **out, struct err *err)
{
    if (text.n > MUSTACHE_SOURCE) {
        return err_set(err, ERR_LIMIT, "the template is too long");
    }
    struct mustache *m = xcalloc(1, sizeof *m);
    m->source = xmalloc(text.n + 1);
    if (text.n) {
        memcpy(m->source, text.p, text.n);
    }
    m->source[text.n] = '\0';
    struct parser p = {
        .m = m,
        .src = m->source,
        .n = text.n,
        .open = SV("{{"),
        .close = SV("}}"),
        .opens_line = true,
    };
    enum err_code rc = compile_all(&p, err);
    if (rc) {
        mustache_free(m);
        return rc;
    }
    *out = m;
    return OK;
}

void mustache_free(struct mustache *m)
{
    if (m) {
        free(m->source);
        free(m->ins);
        free(m);
    }
}

/* --- rendering --- */

struct render {
    const struct mustache_env *env;
    struct str *out;
    struct str indents; /* of the partials around, outermost first */
    size_t indent_from; /* where in `indents` the part begins that is written */
    struct err *err;
    uint32_t steps;
    unsigned depth; /* values on the stack and partials around */
    unsigned n_values;
    const json_t *values[MUSTACHE_DEPTH + 1]; /* the contexts, innermost last */
};

enum { INDENT_MAX = 4096 };

/* Looks a name up: its first part in the contexts from the innermost out, the others below it.
 * NULL when it is nowhere. */
static const json_t *find(const struct render *r, struct sv name)
{
    if (sv_is(name, ".")) {
        return r->values[r->n_values - 1];
    }
    struct sv rest = name;
    struct sv part = sv_cut(&rest, '.');
    const json_t *v = NULL;
    for (unsigned i = r->n_values; i-- > 0 && !v;) {
        v = json_object_getn(r->values[i], part.p, part.n);
    }
    while (v && rest.p) {
        part = sv_cut(&rest, '.');
        v = json_object_getn(v, part.p, part.n);
    }
    return v;
}

static bool is_falsey(const json_t *v)
{
    return !v || json_is_false(v) || json_is_null(v) ||
           (json_is_array(v) && json_array_size(v) == 0) ||
           (json_is_string(v) && json_string_length(v) == 0);
}

/* The shortest decimal that reads back as the same number: 1.21, and 3 for 3.0. */
static void add_real(struct str *out, double v)
{
    char buf[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buf, sizeof buf, "%.*g", digits, v);
        if (strtod(buf, NULL) == v) {
            break;
        }
    }
    str_addz(out, buf);
}

/* After each of these marks a line may end. */
static void add_name(struct str *out, struct sv text)
{
    size_t from = 0;
    for (size_t i = 0; i + 1 < text.n; i++) {
        if (text.p[i] == '_' || text.p[i] == '-') {
            escape_html(out, sv_make(text.p + from, i + 1 - from));
            str_addz(out, "<wbr>");
            from = i + 1;
        }
    }
    escape_html(out, sv_make(text.p + from, text.n - from));
}

static void add_text(struct str *out, struct sv text, enum op op)
{
    if (op == OP_RAW) {
        str_addsv(out, text);
    } else if (op == OP_NAME) {
        add_name(out, text);
    } else {
        escape_html(out, text);
    }
}

static void add_value(struct render *r, const json_t *v, enum op op)
{
    switch (json_typeof(v)) {
    case JSON_STRING: add_text(r->out, sv_make(json_string_value(v), json_string_length(v)), op); break;
    case JSON_INTEGER:
        str_addi(r->out, json_integer_value(v));
        break;
    case JSON_REAL:
        add_real(r->out, json_real_value(v));
        break;
    case JSON_TRUE:
        str_addz(r->out, "true");
        break;
    case JSON_FALSE:
        str_addz(r->out, "false");
        break;
    case JSON_NULL:
    case JSON_OBJECT:
    case JSON_ARRAY:
        break;
    }
}

static enum err_code render_value(struct render *r, struct sv name, enum op op)
{
    const json_t *v = find(r, name);
    if (v) {
        add_value(r, v, op);
        return OK;
    }
    return r->env && r->env->missing ? r->env->missing(r->env->arg, name, r->err) : OK;
}

static void indent(struct render *r)
{
    if (r->indents.n > r->indent_from) {
        str_add(r->out, r->indents.p + r->indent_from, r->indents.n - r->indent_from);
    }
}

/* Text of a template, its lines indented but the first, for which the caller has cared. */
static void render_text(struct render *r, struct sv text)
{
    if (r->indents.n == r->indent_from) {
        str_addsv(r->out, text);
        return;
    }
    while (text.n) {
        const char *eol = memchr(text.p, '\n', text.n);
        size_t n = eol ? (size_t)(eol - text.p) + 1 : text.n;
        str_add(r->out, text.p, n);
        text = sv_make(text.p + n, text.n - n);
        if (text.n) {
            indent(r);
        }
    }
}

static enum err_code render_range(struct render *r, const struct mustache *m, size_t from,
                                  size_t to);

static enum err_code go_deeper(struct render *r)
{
    if (r->depth == MUSTACHE_DEPTH) {
        return err_set(r->err, ERR_LIMIT, "sections and partials are nested too deeply");
    }
    r->depth++;
    return OK;
}

static enum err_code render_with(struct render *r, const struct mustache *m, size_t from, size_t to,
                                 const json_t *value)
{
    enum err_code rc = go_deeper(r);
    if (rc) {
        return rc;
    }
    r->values[r->n_values++] = value;
    rc = render_range(r, m, from, to);
    r->n_values--;
    r->depth--;
    return rc;
}

/* The section whose instruction is at `i`, body and end. */
static enum err_code render_section(struct render *r, const struct mustache *m, size_t i,
                                    struct sv name)
{
    const json_t *v = find(r, name);
    size_t end = m->ins[i].to + (size_t)1;
    if (is_falsey(v)) {
        return OK;
    }
    if (!json_is_array(v)) {
        return render_with(r, m, i + 1, end, v);
    }
    enum err_code rc = OK;
    for (size_t k = 0; !rc && k < json_array_size(v); k++) {
        rc = render_with(r, m, i + 1, end, json_array_get(v, k));
    }
    return rc;
}

/* A partial alone on its line adds that line's indentation to those around it; within a line it
 * starts without any, because only the line it stands in is indented. */
static enum err_code set_indent(struct render *r, const struct mustache *m, const struct ins *ins)
{
    if (!ins->alone) {
        r->indent_from = r->indents.n;
        return OK;
    }
    size_t n = 0;
    while (is_blank(m->source[ins->to + n])) {
        n++;
    }
    str_add(&r->indents, m->source + ins->to, n);
    return str_check(&r->indents, "the indentation of partials", r->err);
}

static enum err_code render_partial(struct render *r, const struct mustache *m,
                                    const struct ins *ins, struct sv name)
{
    const struct mustache *part =
        r->env && r->env->partial ? r->env->partial(r->env->arg, name) : NULL;
    if (!part) {
        return OK;
    }
    size_t n = r->indents.n, from = r->indent_from;
    enum err_code rc = go_deeper(r);
    if (!rc) {
        rc = set_indent(r, m, ins);
    }
    if (!rc) {
        rc = render_range(r, part, 0, part->n_ins);
        r->depth--;
    }
    r->indents.n = n;
    r->indent_from = from;
    return rc;
}

static enum err_code render_step(struct render *r, const struct mustache *m, size_t *i)
{
    const struct ins *ins = &m->ins[*i];
    struct sv text = sv_make(m->source + ins->at, ins->n);
    enum err_code rc = OK;
    if (ins->opens_line) {
        indent(r);
    }
    switch ((enum op)ins->op) {
    case OP_TEXT:
        render_text(r, text);
        break;
    case OP_ESCAPED:
    case OP_NAME:
    case OP_RAW:
        rc = render_value(r, text, ins->op);
        break;
    case OP_SECTION:
        rc = render_section(r, m, *i, text);
        *i = ins->to;
        break;
    case OP_INVERTED:
        if (!is_falsey(find(r, text))) {
            *i = ins->to;
        }
        break;
    case OP_PARTIAL:
        rc = render_partial(r, m, ins, text);
        break;
    case OP_END:
        break;
    }
    return rc;
}

static enum err_code render_range(struct render *r, const struct mustache *m, size_t from,
                                  size_t to)
{
    enum err_code rc = OK;
    for (size_t i = from; !rc && i < to; i++) {
        if (++r->steps > MUSTACHE_STEPS) {
            return err_set(r->err, ERR_LIMIT, "the page has too many parts");
        }
        if (r->out->over) {
            return str_check(r->out, "the page", r->err);
        }
        rc = render_step(r, m, &i);
    }
    return rc;
}

enum err_code mustache_render(const struct mustache *m, const json_t *data,
                              const struct mustache_env *env, struct str *out, struct err *err)
{
    BUG_IF(!data);
    struct render r = {.env = env, .out = out, .err = err, .values = {data}, .n_values = 1};
    str_init(&r.indents, INDENT_MAX);
    enum err_code rc = render_range(&r, m, 0, m->n_ins);
    str_release(&r.indents);
    return rc ? rc : str_check(out, "the page", err);
}
