/* pages_test.c - every template of the program with sample data, strictly.
 * A sample is samples/NAME.json: {"template", "data"}; "assets" and "t" are added here. Each page must be
 * whole HTML: a doctype, every element closed, one h1, one main, nothing left of a template. The
 * samples hold "<" and quotes, so a value that is not escaped breaks the page. */
#include "unit.h"

#include "base/assets.h"
#include "base/fs.h"
#include "base/map.h"
#include "view/view.h"

static const char samples[] = "tests/unit/view/samples";

/* --- is it HTML? --- */

enum { OPEN_MAX = 64, NAME_MAX_BYTES = 16 };

struct html {
    const char *page; /* for messages */
    struct sv rest;
    char open[OPEN_MAX][NAME_MAX_BYTES];
    size_t n_open, headings, mains;
};

static struct sv take_name(struct sv *rest)
{
    size_t n = 0;
    while (n < rest->n && !strchr(" \n/>", rest->p[n])) {
        n++;
    }
    struct sv name = sv_make(rest->p, n);
    *rest = sv_make(rest->p + n, rest->n - n);
    return name;
}

/* Past the ">" of a tag; quoted attributes may hold one. */
static void skip_tag(struct html *h)
{
    char quote = '\0';
    for (size_t i = 0; i < h->rest.n; i++) {
        char c = h->rest.p[i];
        if (quote) {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '<') {
            break;
        } else if (c == '>') {
            h->rest = sv_make(h->rest.p + i + 1, h->rest.n - i - 1);
            return;
        }
    }
    fail_msg("%s: a tag without end: %.60s", h->page, h->rest.p);
}

static bool is_void(struct sv name)
{
    static const char *const names[] = {"meta", "link", "input", "img", "br", "wbr"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (sv_is(name, names[i])) {
            return true;
        }
    }
    return false;
}

static void close_element(struct html *h)
{
    struct sv name = take_name(&h->rest);
    skip_tag(h);
    const char *opened = h->n_open ? h->open[--h->n_open] : "nothing";
    if (!sv_is(name, opened)) {
        fail_msg("%s: </%.*s> closes <%s>", h->page, SV_ARG(name), opened);
    }
}

static void open_element(struct html *h)
{
    struct sv name = take_name(&h->rest);
    h->headings += sv_is(name, "h1");
    h->mains += sv_is(name, "main");
    skip_tag(h);
    if (is_void(name)) {
        return;
    }
    assert_true(h->n_open < OPEN_MAX && name.n < NAME_MAX_BYTES);
    snprintf(h->open[h->n_open++], NAME_MAX_BYTES, "%.*s", SV_ARG(name));
}

static void check_html(const char *page, struct sv text)
{
    static const char doctype[] = "<!doctype html>\n";
    struct html h = {.page = page, .rest = text};
    if (!sv_starts(text, doctype)) {
        fail_msg("%s: begins with %.60s", page, text.p);
    }
    h.rest = sv_make(text.p + sizeof doctype - 1, text.n - (sizeof doctype - 1));
    const char *at;
    while (h.rest.n && (at = memchr(h.rest.p, '<', h.rest.n))) {
        h.rest = sv_make(at + 1, h.rest.n - (size_t)(at + 1 - h.rest.p));
        if (sv_starts(h.rest, "/")) {
            h.rest = sv_make(h.rest.p + 1, h.rest.n - 1);
            close_element(&h);
        } else {
            open_element(&h);
        }
    }
    if (h.n_open) {
        fail_msg("%s: <%s> is not closed", page, h.open[h.n_open - 1]);
    }
    if (h.headings != 1 || h.mains != 1) {
        fail_msg("%s: %zu h1 and %zu main", page, h.headings, h.mains);
    }
    if (strstr(text.p, "{{") || strstr(text.p, "}}")) {
        fail_msg("%s: something of a template is left", page);
    }
}

/* --- the samples --- */

struct run {
    const struct view *view;
    struct map_sv seen; /* names of templates */
};

static enum err_code render_sample(void *arg, const char *name, struct err *err)
{
    struct run *run = arg;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", samples, name);
    json_error_t why;
    json_t *sample = json_load_file(path, 0, &why);
    if (!sample) {
        fail_msg("%s:%d: %s", path, why.line, why.text);
    }
    const char *template = json_string_value(json_object_get(sample, "template"));
    json_t *data = json_object_get(sample, "data");
    assert_non_null(template);
    json_object_set(data, "assets", view_assets(run->view));
    json_object_set(data, "t", strings_catalogue(view_strings(run->view), "de"));
    struct str out;
    str_init(&out, 1 << 20);
    if (view_render(run->view, template, data, &out, err)) {
        fail_msg("%s: %s", name, err->msg);
    }
    check_html(name, str_sv(&out));
    map_sv_put(&run->seen, sv_of(template), 1);
    str_release(&out);
    json_decref(sample);
    return OK;
}

/* Parts of pages are seen through the pages that use them. */
static bool is_page(struct sv name)
{
    return sv_starts(name, "templates/") && sv_ends(name, ".mustache") &&
           !sv_starts(name, "templates/layout/");
}

TEST(every_page_renders)
{
    struct err err = {0};
    struct view *v = NULL;
    if (view_open(true, &v, &err)) {
        fail_msg("%s", err.msg);
    }
    struct run run = {.view = v};
    map_sv_init(&run.seen);
    if (fs_walk(samples, render_sample, &run, &err)) {
        fail_msg("%s", err.msg);
    }
    size_t pages = 0;
    for (size_t i = 0; i < assets_count; i++) {
        struct sv name = sv_of(assets[i].name);
        if (!is_page(name)) {
            continue;
        }
        size_t cut = sizeof "templates/" - 1;
        struct sv page = sv_make(name.p + cut, name.n - cut - (sizeof ".mustache" - 1));
        if (map_sv_get(&run.seen, page) == MAP_NONE) {
            fail_msg("%s has no sample in %s", assets[i].name, samples);
        }
        pages++;
    }
    assert_true(pages > 0);
    map_sv_release(&run.seen);
    view_close(v);
}

TEST(files_that_pages_name_exist)
{
    static const char *const files[] = {"css/tokens.css", "css/base.css", "css/components.css",
                                        "css/panels.css", "css/tables.css", "css/layout.css",
                                        "css/work.css",   "css/grid.css",   "css/chart.css",
                                        "css/print.css",  "js/chart.js",    "js/theme.js",
                                        "js/live.js",     "js/grid.js",     "img/mark.svg"};
    struct err err = {0};
    struct view *v = NULL;
    assert_int_equal(view_open(true, &v, &err), OK);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        assert_non_null(view_asset_url(v, files[i]));
    }
    view_close(v);
}
