/* lists.c - the kit of lists: tables of parameters between addresses and structs. */
#include "web/core/lists.h"

#include <string.h>

#include "json/object.h"
#include "view/data.h"
#include "view/escape.h"

enum { URL_MOST = 16384 };

const struct list_word list_orders[] = {{"rising", "Rising", 0}, {"falling", "Falling", 1}, {0}};

/* ---- values in a list's struct ---- */

static void *place(const struct list_param *p, void *list)
{
    return (char *)list + p->at;
}

static const void *value(const struct list_param *p, const void *list)
{
    return (const char *)list + p->at;
}

static int sort_of(const struct list_table *t, const void *list)
{
    return *(const int *)value(t->sort, list);
}

/* ---- reading ---- */

static enum err_code unknown_word(struct ctx *c, const struct list_param *p, struct sv given)
{
    struct str s;
    str_init(&s, URL_MOST);
    for (const struct list_word *w = p->words; w->word; w++) {
        str_printf(&s, "%s%s", w == p->words ? "" : ", ", w->word);
    }
    enum err_code rc = err_rule(&c->err, ERR_INPUT, "list",
                                "Unknown %s \xe2\x80\x9c" SV_FMT "\xe2\x80\x9d. Choose one of: " SV_FMT ".",
                                p->name, SV_ARG(given), SV_ARG(str_sv(&s)));
    str_release(&s);
    return rc;
}

static const struct list_word *word_named(const struct list_word *w, struct sv name)
{
    while (w->word && !sv_is(name, w->word)) {
        w++;
    }
    return w->word ? w : NULL;
}

static enum err_code read_word(struct ctx *c, const struct list_param *p, struct sv given, int *out)
{
    const struct list_word *w = word_named(p->words, given);
    *out = w ? w->value : *out;
    return w ? OK : unknown_word(c, p, given);
}

/* "all" sets no bit. */
static enum err_code read_words(struct ctx *c, const struct list_param *p, struct sv given,
                                unsigned *out)
{
    *out = 0;
    while (given.n) {
        struct sv one = sv_cut(&given, ',');
        const struct list_word *w = word_named(p->words, one);
        if (!w && one.n && !sv_is(one, "all")) {
            return unknown_word(c, p, one);
        }
        *out |= w ? 1u << w->value : 0;
    }
    return OK;
}

static enum err_code read_number(struct ctx *c, const struct list_param *p, struct sv given,
                                 int64_t *out)
{
    int64_t n;
    if (sv_i64(given, &n) && n >= p->least && n <= p->most) {
        *out = n;
        return OK;
    }
    return err_rule(&c->err, ERR_INPUT, "list", "The list's %s must be a number from %lld to %lld.",
                    p->name, (long long)p->least, (long long)p->most);
}

static enum err_code read_share(struct ctx *c, const struct list_param *p, struct sv given,
                                double *out)
{
    double d;
    if (sv_f64(given, &d) && d >= 0 && d <= 1) {
        *out = d;
        return OK;
    }
    return err_rule(&c->err, ERR_INPUT, "list",
                    "The list's %s must be a frequency from 0 to 1, such as 0.7.", p->name);
}

static enum err_code read_real(struct ctx *c, const struct list_param *p, struct sv given, double *out)
{
    double d;
    if (sv_f64(given, &d) && d >= (double)p->least && d <= (double)p->most) {
        *out = d;
        return OK;
    }
    return err_rule(&c->err, ERR_INPUT, "list", "The parameter %s must be a number from %lld to %lld, such as 0.5.", p->name,
                    (long long)p->least, (long long)p->most);
}

/* What is empty was not given: forms send all their fields. */
static enum err_code read_param(struct ctx *c, const struct list_param *p, struct sv given, void *out)
{
    if (given.n == 0) {
        return OK;
    }
    switch (p->kind) {
    case LIST_WORD: return read_word(c, p, given, out);
    case LIST_WORDS: return read_words(c, p, given, out);
    case LIST_NUMBER: return read_number(c, p, given, out);
    case LIST_SHARE: return read_share(c, p, given, out);
    case LIST_REAL: return read_real(c, p, given, out);
    case LIST_TEXT: *(struct sv *)out = given; return OK;
    case LIST_FLAG: *(bool *)out = sv_is(given, "1"); return OK;
    case LIST_ORDER: break; /* after the sort: read_order */
    }
    return OK;
}

static enum err_code read_order(struct ctx *c, const struct list_table *t,
                                const struct list_param *p, void *list)
{
    const struct list_param orders = {.name = p->name, .words = list_orders};
    struct sv given = sv_trim(request_query(c->req, p->name));
    int falling = t->falls(sort_of(t, list));
    enum err_code rc = given.n ? read_word(c, &orders, given, &falling) : OK;
    *(bool *)place(p, list) = falling;
    return rc;
}

enum err_code list_read(struct ctx *c, const struct list_table *t, const void *usual, void *out)
{
    enum err_code rc = OK;
    memcpy(out, usual, t->size);
    for (const struct list_param *p = t->params; p->name && rc == OK; p++) {
        bool several = p->kind == LIST_WORDS;
        struct sv given = several ? request_query_all(c->req, p->name) : request_query(c->req, p->name);
        rc = read_param(c, p, sv_trim(given), place(p, out));
    }
    for (const struct list_param *p = t->params; p->name && rc == OK; p++) {
        rc = p->kind == LIST_ORDER ? read_order(c, t, p, out) : OK;
    }
    return rc;
}

/* ---- addresses ---- */

static struct sv words_text(struct arena *a, const struct list_word *w, unsigned bits)
{
    struct sv text = SV("");
    for (; w->word; w++) {
        if (bits >> w->value & 1) {
            text = sv_of(arena_printf(a, SV_FMT "%s%s", SV_ARG(text), text.n ? "," : "", w->word));
        }
    }
    return text;
}

/* A value as addresses have it; commas and what the words of a table are made of need no escape. */
static struct sv text_of(struct arena *a, const struct list_param *p, const void *v)
{
    switch (p->kind) {
    case LIST_WORD: return sv_of(list_word_of(p->words, *(const int *)v));
    case LIST_WORDS: return words_text(a, p->words, *(const unsigned *)v);
    case LIST_ORDER: return *(const bool *)v ? SV("falling") : SV("rising");
    case LIST_NUMBER: return sv_of(arena_printf(a, "%lld", (long long)*(const int64_t *)v));
    case LIST_SHARE:
    case LIST_REAL: return sv_of(arena_printf(a, "%.15g", *(const double *)v));
    case LIST_TEXT: return *(const struct sv *)v;
    case LIST_FLAG: return *(const bool *)v ? SV("1") : SV("");
    }
    return SV("");
}

static bool is_usual(struct arena *a, const struct list_table *t, const struct list_param *p,
                     const void *usual, const void *asked)
{
    return p->kind == LIST_ORDER
               ? *(const bool *)value(p, asked) == t->falls(sort_of(t, asked))
               : sv_eq(text_of(a, p, value(p, asked)), text_of(a, p, value(p, usual)));
}

const char *list_url(struct ctx *c, const struct list_table *t, const char *path, const void *usual,
                     const void *asked, bool moment)
{
    struct str s;
    char before = strchr(path, '?') ? '&' : '?';
    str_init(&s, URL_MOST);
    str_addz(&s, path);
    for (const struct list_param *p = t->params; p->name; p++) {
        if (p->moment ? !moment : !p->always && is_usual(c->arena, t, p, usual, asked)) {
            continue;
        }
        struct sv text = text_of(c->arena, p, value(p, asked));
        str_printf(&s, "%c%s=", before, p->name);
        if (p->kind == LIST_TEXT) {
            escape_url(&s, text);
        } else {
            str_add(&s, text.p, text.n);
        }
        before = '&';
    }
    const char *url = arena_cstr(c->arena, str_sv(&s));
    str_release(&s);
    return url;
}

json_t *list_head(struct ctx *c, const struct list_table *t, const char *path, const void *usual,
                  const void *asked, int sort)
{
    void *other = arena_alloc(c->arena, t->size);
    const struct list_param *order = t->params;
    while (order->kind != LIST_ORDER) {
        order++;
    }
    bool here = sort_of(t, asked) == sort, falling = *(const bool *)value(order, asked);
    memcpy(other, asked, t->size);
    *(int *)place(t->sort, other) = sort;
    *(bool *)place(order, other) = here ? !falling : t->falls(sort);
    return object(field_text("url", list_url(c, t, path, usual, other, false)),
                  field_text("sorted", !here ? NULL : falling ? "descending" : "ascending"));
}

json_t *list_heads(struct ctx *c, const struct list_table *t, const char *path, const void *usual,
                   const void *asked)
{
    json_t *heads = json_object();
    for (const struct list_word *w = t->sort->words; w->word; w++) {
        json_object_set_new(heads, w->word, list_head(c, t, path, usual, asked, w->value));
    }
    return heads;
}

json_t *list_options(const struct list_word *words, int current)
{
    json_t *list = json_array();
    for (; words->word; words++) {
        object_add(list, field_text("value", words->word), field_text("label", words->label),
                   field_bool("current", words->value == current));
    }
    return list;
}

/* The address without the parameters of the moment, without `without` and, for the form of the chips, theirs. */
static json_t *keep_json(struct ctx *c, const struct list_table *t, const char *without, bool chips)
{
    json_t *keep = json_array();
    for (const struct list_param *p = t->params; p->name; p++) {
        bool left_out = p->moment || (p->chips && !chips) || (without && strcmp(p->name, without) == 0);
        struct sv given = left_out ? SV("") : request_query_all(c->req, p->name);
        if (given.n) {
            object_add(keep, field_text("name", p->name), field_sv("value", given));
        }
    }
    return keep;
}

json_t *list_keep(struct ctx *c, const struct list_table *t, const char *without)
{
    return keep_json(c, t, without, true);
}

json_t *list_chips(struct ctx *c, const struct list_table *t, const char *path, const void *asked)
{
    json_t *choices = json_array();
    for (const struct list_param *p = t->params; p->name; p++) {
        if (p->chips) {
            object_add(choices, field_text("name", p->name), field_text("label", p->chips),
                       field_json("options", list_options(p->words, *(const int *)value(p, asked))));
        }
    }
    return object(field_text("action", path), field_json("choices", choices),
                  field_json("keep", keep_json(c, t, NULL, false)));
}

enum err_code list_word_read(struct ctx *c, const char *name, const struct list_word *words, struct sv given, int *out)
{
    const struct list_param p = {.name = name, .kind = LIST_WORD, .words = words};
    return read_param(c, &p, given, out);
}

enum err_code list_value_read(struct ctx *c, const struct list_param *p, struct sv given, void *list)
{
    return read_param(c, p, sv_trim(given), place(p, list));
}

struct sv list_value_text(struct ctx *c, const struct list_param *p, const void *list)
{
    return text_of(c->arena, p, value(p, list));
}

const char *list_word_of(const struct list_word *words, int value)
{
    while (words->word && words->value != value) {
        words++;
    }
    return words->word;
}

/* ---- pages ---- */

/* Links of pages whose addresses differ in one number. */
struct links {
    const char *base, *name, *rest;
};

static json_t *link_to(struct ctx *c, const struct links *l, bool there, int64_t n)
{
    char before = strchr(l->base, '?') ? '&' : '?';
    return there ? json_string(arena_printf(c->arena, "%s%c%s=%lld%s", l->base, before, l->name,
                                            (long long)n, l->rest))
                 : json_null();
}

static json_t *pages_json(struct ctx *c, const struct links *l, int64_t page, int64_t pages)
{
    return object(field_text("text", arena_printf(c->arena, "Page %s of %s", data_count(c->arena, page),
                                                  data_count(c->arena, pages))),
                  field_json("first_url", link_to(c, l, page > 1, 1)),
                  field_json("previous_url", link_to(c, l, page > 1, page - 1)),
                  field_json("next_url", link_to(c, l, page < pages, page + 1)),
                  field_json("last_url", link_to(c, l, page < pages, pages)));
}

json_t *list_pages(struct ctx *c, int64_t page, int64_t pages, const char *base, const char *rest)
{
    const struct links l = {base, "page", rest};
    return pages_json(c, &l, page, pages);
}

enum err_code list_page_asked(struct ctx *c, int64_t *out)
{
    static const struct list_param params[] = {{"page", LIST_NUMBER, .least = 1, .most = INT32_MAX}, {0}};
    static const struct list_table table = {.params = params, .size = sizeof *out};
    static const int64_t first = 1;
    return list_read(c, &table, &first, out);
}

struct list_page list_page_of(int64_t rows, size_t most, int64_t asked)
{
    int64_t pages = rows > 0 ? (rows - 1) / (int64_t)most + 1 : 1;
    int64_t no = asked < pages ? asked : pages;
    return (struct list_page){no, pages, (size_t)(no - 1) * most, most, "page"};
}

json_t *list_page_links(struct ctx *c, const struct list_page *p, const char *base, const char *rest)
{
    const struct links l = {base, p->name, rest};
    return p->pages > 1 ? pages_json(c, &l, p->no, p->pages) : json_null();
}

json_t *list_parts(struct ctx *c, const char *what, int64_t from, int64_t n, int64_t step,
                   const char *base, const char *rest)
{
    const struct links l = {base, "from", rest};
    int64_t end = from + step < n ? from + step : n;
    int64_t back = from > step ? from - step : 0, last = n ? (n - 1) / step * step : 0;
    const char *text =
        from < n ? arena_printf(c->arena, "%s %s to %s of %s", what, data_count(c->arena, from + 1),
                                data_count(c->arena, end), data_count(c->arena, n))
                 : arena_printf(c->arena, "%s: none", what);
    return object(field_text("text", text), field_json("first_url", link_to(c, &l, from > 0, 0)),
                  field_json("previous_url", link_to(c, &l, from > 0, back)),
                  field_json("next_url", link_to(c, &l, end < n, end)),
                  field_json("last_url", link_to(c, &l, end < n, last)));
}

enum err_code list_from(struct ctx *c, int64_t *out)
{
    struct sv text = request_query(c->req, "from");
    *out = 0;
    return text.n == 0 || (sv_i64(text, out) && *out >= 0 && *out <= INT64_MAX / 2)
               ? OK
               : err_rule(&c->err, ERR_INPUT, "cursor",
                          "from must be the number of a row of the list, 0 or more.");
}

/* ---- lists of the API ---- */

enum err_code cursor_read(struct ctx *c, const char *name, size_t usual, size_t most,
                          struct cursor *out)
{
    struct sv from = request_query(c->req, name), limit = request_query(c->req, "limit");
    int64_t n = (int64_t)usual;
    *out = (struct cursor){.from = 0};
    if ((from.n && (!sv_i64(from, &out->from) || out->from < 0)) ||
        (limit.n && (!sv_i64(limit, &n) || n < 1 || n > (int64_t)most))) {
        return err_rule(&c->err, ERR_INPUT, "cursor",
                        "%s must be a number, 0 or more, and limit 1 to %zu.", name, most);
    }
    out->limit = (size_t)n;
    return OK;
}
