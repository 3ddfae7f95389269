/* written.c - the pages of the guide that say something: on its first page, for programs, and all of them to be printed. A search
 * looks at what the reader may see. Rows in routes.c; templates/guide/index.mustache, print.mustache. */
#include "web/guide/written.h"

#include <string.h>

#include "base/sorted.h"
#include "json/object.h"
#include "view/people_texts.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/naming/class_picker.h"
#include "web/naming/guide_text.h"
#include "web/naming/relation_data.h"

enum { ROWS_A_PAGE = 25, PRINTED_MOST = 200 /* pages of the guide in one page to print */ };
static const char path[] = "/guide", print_path[] = "/guide/print";

/* ---- what is asked for ---- */

enum written_show { SHOW_ALL, SHOW_CLASSES, SHOW_GROUPS };
enum written_sort { SORT_NAME, SORT_CHANGED, SORT_WORDS };
struct query {
    struct sv query; /* for a class, of the same page */
    struct sv text;
    int show, sort;
    bool falling;
    int64_t page;
};

static const struct list_word shows[] = {
    {"all", "Classes and groups", SHOW_ALL}, {"classes", "Classes", SHOW_CLASSES}, {"groups", "Groups", SHOW_GROUPS}, {0}};
static const struct list_word sorts[] = {
    {"name", "Name", SORT_NAME}, {"changed", "Last changed", SORT_CHANGED}, {"words", "Length", SORT_WORDS}, {0}};

static bool falls(int sort)
{
    return sort != SORT_NAME;
}

#define AT(member) .at = offsetof(struct query, member)
enum { SORT_PARAM = 3 };
static const struct list_param params[] = {
    {"q", LIST_TEXT, AT(query)},
    {"text", LIST_TEXT, AT(text)},
    {"show", LIST_WORD, AT(show), .words = shows},
    [SORT_PARAM] = {"sort", LIST_WORD, AT(sort), .words = sorts},
    {"order", LIST_ORDER, AT(falling)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[SORT_PARAM], falls};
static const struct query usual = {.query = {"", 0}, .text = {"", 0}, .page = 1};

/* ---- the list ---- */

struct written {
    struct query q;
    struct guide_page *pages; /* all, by words */
    size_t n_pages;
    const struct guide_page **list; /* those asked for, in that order */
    size_t n;
};

static int64_t words_in(struct sv text)
{
    int64_t n = 0;
    bool inside = false;
    for (size_t i = 0; i < text.n; i++) {
        const bool space = (unsigned char)text.p[i] <= ' ';
        n += !space && !inside;
        inside = !space;
    }
    return n;
}

/* Texts that were read end with a NUL. */
static bool fits(const struct guide_page *p, const char *text, int show)
{
    return (strcasestr(p->words.p, text) || strcasestr(p->v.wnid.p, text) || strcasestr(p->v.text.p, text)) &&
           (show == SHOW_ALL || p->is_class == (show == SHOW_CLASSES));
}

static double key_of(const struct guide_page *p, size_t at, int sort)
{
    return sort == SORT_CHANGED ? (double)p->v.at : sort == SORT_WORDS ? (double)words_in(p->v.text) : (double)at;
}

static enum err_code read_written(struct ctx *c, struct written *w)
{
    *w = (struct written){.n = 0};
    enum err_code rc = list_read(c, &table, &usual, &w->q);
    rc = rc == OK ? guide_pages(c->db, c->arena, &w->pages, &w->n_pages, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const char *text = arena_cstr(c->arena, w->q.text);
    struct sorted_key *keys = arena_calloc(c->arena, w->n_pages + 1, sizeof *keys);
    w->list = arena_calloc(c->arena, w->n_pages + 1, sizeof *w->list);
    for (size_t i = 0; i < w->n_pages && rc == OK; i++) {
        rc = guide_shown(c, &w->pages[i].v, 1);
        if (fits(&w->pages[i], text, w->q.show)) {
            keys[w->n++] = (struct sorted_key){key_of(&w->pages[i], i, w->q.sort), i};
        }
    }
    sorted_keys(keys, w->n, w->q.falling);
    for (size_t i = 0; i < w->n; i++) {
        w->list[i] = &w->pages[keys[i].at];
    }
    return rc;
}

static json_t *row_json(struct ctx *c, const struct guide_page *p)
{
    json_t *row = guide_version_json(c, &p->v);
    const int64_t words = words_in(p->v.text);
    json_object_update_new(row, object(field_text("name", data_class_name(c->arena, p->words, p->v.wnid)), field_sv("wnid", p->v.wnid),
                                       field_bool("is_class", p->is_class), field_text("page_url", class_entry_url(c, p->v.wnid)),
                                       field_text("words", data_count(c->arena, words)), field_bool("one", words == 1),
                                       field_text("versions", data_count(c->arena, p->versions)),
                                       field_text("history_url", arena_printf(c->arena, "%s/history", class_entry_url(c, p->v.wnid)))));
    return row;
}

json_t *guide_written_json(struct ctx *c)
{
    struct written w;
    if (read_written(c, &w) != OK) {
        return NULL;
    }
    const struct list_page part = list_page_of((int64_t)w.n, ROWS_A_PAGE, w.q.page);
    json_t *rows = json_array();
    for (size_t i = part.skip; i < w.n && i < part.skip + part.most; i++) {
        json_array_append_new(rows, row_json(c, w.list[i]));
    }
    return object(field_sv("query", w.q.query), field_sv("text", w.q.text), field_json("shows", list_options(shows, w.q.show)), field_json("sorts", list_options(sorts, w.q.sort)),
                  field_json("heads", list_heads(c, &table, path, &usual, &w.q)), field_json("rows", rows), field_bool("any", w.n_pages > 0),
                  field_bool("none", w.n == 0), field_text("count", data_count(c->arena, (int64_t)w.n)),
                  field_json("pages", list_page_links(c, &part, list_url(c, &table, path, &usual, &w.q, false), "#written-head")),
                  field_text("pages_label", "Pages of what is written"), field_text("print_url", list_url(c, &table, print_path, &usual, &w.q, false)),
                  field_text("json_url", list_url(c, &table, "/api/v1/guide/pages", &usual, &w.q, false)),
                  field_text("csv_url", list_url(c, &table, "/api/v1/guide/pages.csv", &usual, &w.q, false)));
}

/* ---- to be printed ---- */

static json_t *printed_json(struct ctx *c, const struct guide_page *p)
{
    struct class_info k = {.id = 0};
    struct relation_row *relations;
    size_t n = 0;
    enum err_code rc = p->is_class ? classes_find(c->db, p->v.wnid, c->arena, &k, &c->err) : OK;
    rc = rc == OK && k.id ? relations_list(c->db, k.id, c->arena, &relations, &n, &c->err) : rc;
    json_t *text = rc == OK ? guide_text_json(c, p->v.text) : NULL, *examples = text ? guide_examples_json(c, &k) : NULL;
    if (!examples) {
        json_decref(text);
        return NULL;
    }
    json_t *out = row_json(c, p);
    json_object_update_new(out, object(field_text("synset", data_synset(c->arena, p->words, ", ")), field_sv("gloss", p->gloss),
                                       field_json("guide", text), field_json("examples", examples),
                                       field_json("relations", relations_json(c, relations, n, k.id)), field_bool("related", n > 0)));
    return out;
}

/* GET /guide/print?text=&show=&sort=&order=&page= */
enum err_code page_guide_print(struct ctx *c)
{
    struct written w;
    if (read_written(c, &w) != OK) {
        return c->err.code;
    }
    const struct list_page part = list_page_of((int64_t)w.n, PRINTED_MOST, w.q.page);
    json_t *rows = json_array();
    for (size_t i = part.skip; i < w.n && i < part.skip + part.most; i++) {
        json_t *one = printed_json(c, w.list[i]);
        if (!one) {
            json_decref(rows);
            return c->err.code;
        }
        json_array_append_new(rows, one);
    }
    return reply_page(c, 200, "guide/print", "The guide, to print",
                      object(field_json("rows", rows), field_bool("none", w.n == 0), field_text("count", data_count(c->arena, (int64_t)w.n)),
                             field_bool("one", w.n == 1), field_text("list_url", list_url(c, &table, path, &usual, &w.q, false)),
                             field_json("pages", list_page_links(c, &part, list_url(c, &table, print_path, &usual, &w.q, false), "")),
                             field_text("pages_label", "Parts of the guide")));
}

/* ---- for programs ---- */

struct title_face {
    struct sv wnid, by, reason;
    const char *name, *kind, *url;
    int64_t version, versions, at, words;
};
#define OF(member) RECORD_OF(struct title_face, member)
static RECORD(guide_title_record, struct title_face, "guide_title", "A page of the guide, without its text.", {"wnid", OF(wnid), .about = "Of the class or the synset."},
       {"name", OF(name), .about = "Its first word."}, {"kind", OF(kind), .about = "class, or group: of classes in the hierarchy."},
       {"version", OF(version), .about = "The number of what it says now."}, {"versions", OF(versions), .about = "How many there are."},
       {"at", OF(at), RECORD_MOMENT, .about = "When it was last changed."}, {"by", OF(by), .maybe = true, .about = "Login of who changed it; null: an import."},
       {"reason", OF(reason), .about = "What changed, as its author said."}, {"words", OF(words), .about = "How long it is."},
       {"url", OF(url), .about = "Its page."});
#undef OF
struct titles_face {
    struct title_face *items;
    size_t n;
};
RECORD(guide_titles_record, struct titles_face, "guide_titles", "Pages of the guide that say something.",
       {"items", RECORD_ROWS(struct titles_face, items, n), .of = &guide_title_record, .about = "All that were asked for, in that order."});

static enum err_code read_titles(struct ctx *c, struct titles_face *f)
{
    struct written w;
    enum err_code rc = read_written(c, &w);
    f->n = rc == OK ? w.n : 0;
    f->items = arena_calloc(c->arena, f->n + 1, sizeof *f->items);
    for (size_t i = 0; i < f->n; i++) {
        const struct guide_page *p = w.list[i];
        f->items[i] = (struct title_face){p->v.wnid, p->v.by, p->v.reason, data_class_name(c->arena, p->words, p->v.wnid), p->is_class ? "class" : "group",
                                          class_entry_url(c, p->v.wnid), p->v.id, p->versions, p->v.at, words_in(p->v.text)};
    }
    return rc;
}

/* GET /api/v1/guide/pages?text=&show=&sort=&order= */
enum err_code api_guide_titles(struct ctx *c)
{
    struct titles_face f;
    enum err_code rc = read_titles(c, &f);
    return rc == OK ? reply_json(c, 200, record_json(&guide_titles_record, &f)) : rc;
}

/* GET /api/v1/guide/pages.csv */
enum err_code api_guide_titles_csv(struct ctx *c)
{
    struct titles_face f;
    enum err_code rc = read_titles(c, &f);
    return rc == OK ? reply_csv(c, "guide.csv", &guide_title_record, f.items, f.n) : rc;
}
