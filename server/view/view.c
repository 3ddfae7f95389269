/* view.c - the templates and static files that are built into the program, ready for pages.
 *
 * Everything is compiled and named once by view_open and const after, so threads share it without locks; only the list
 * of names already complained about has one. Knows nothing of HTTP or of what a page means. */
#include "view/view.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assets.h"
#include "base/log.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/xalloc.h"
#include "view/mustache.h"

/* Names that data lacked, so that each is logged once however often the page is shown. */
struct missing {
    pthread_mutex_t lock;
    struct map_sv names;
    uint32_t n;
};

struct view {
    bool strict;
    struct map_sv template_index; /* "work/grid" -> index */
    struct mustache **templates;
    size_t n_templates, cap_templates;
    struct map_sv url_index; /* "css/tokens.css" -> index */
    char **urls;
    size_t n_urls, cap_urls;
    json_t *assets; /* "css_tokens" -> URL */
    struct strings *strings;
    struct missing *missing;
};

enum {
    MISSING_NAMES = 1000, /* remembered; names come from templates, so this is never reached */
    URL_MAX = 512,
    JSON_TEXT_MAX = 64 << 20,
};

static const char template_folder[] = "templates/", template_ending[] = ".mustache";
static const char static_folder[] = "static/";

/* --- opening --- */

static enum err_code add_template(struct view *v, const struct asset *a, struct err *err)
{
    struct sv name = sv_of(a->name);
    name.p += sizeof template_folder - 1;
    name.n -= sizeof template_folder - 1 + sizeof template_ending - 1;
    struct mustache *m = NULL;
    struct err why = {0};
    enum err_code rc = mustache_compile(sv_make((const char *)a->data, a->n), &m, &why);
    if (rc) {
        return err_set(err, rc, "%s: %s", a->name, why.msg);
    }
    xgrow(&v->templates, &v->cap_templates, v->n_templates + 1, sizeof(struct mustache *));
    v->templates[v->n_templates] = m;
    map_sv_put(&v->template_index, name, (uint32_t)v->n_templates);
    v->n_templates++;
    return OK;
}

/* "css/grid-view.css" -> "css_grid_view" */
static void add_key(struct view *v, const char *name, const char *url)
{
    const char *dot = strrchr(name, '.');
    size_t n = dot ? (size_t)(dot - name) : strlen(name);
    struct str key;
    str_init(&key, URL_MAX);
    for (size_t i = 0; i < n; i++) {
        str_addc(&key, strchr("/.-", name[i]) ? '_' : name[i]);
    }
    BUG_IF(key.over || !key.n || json_object_set_new(v->assets, key.p, json_string(url)));
    str_release(&key);
}

static void add_static(struct view *v, const struct asset *a)
{
    const char *name = a->name + sizeof static_folder - 1;
    struct str url;
    str_init(&url, URL_MAX);
    str_addz(&url, "/static/");
    asset_public_name(a, &url);
    BUG_IF(url.over);
    xgrow(&v->urls, &v->cap_urls, v->n_urls + 1, sizeof(char *));
    v->urls[v->n_urls] = str_take(&url, &(size_t){0});
    map_sv_put(&v->url_index, sv_of(name), (uint32_t)v->n_urls);
    add_key(v, name, v->urls[v->n_urls]);
    v->n_urls++;
}

enum err_code view_open(bool strict, struct view **out, struct err *err)
{
    struct view *v = xcalloc(1, sizeof *v);
    v->strict = strict;
    map_sv_init(&v->template_index);
    map_sv_init(&v->url_index);
    v->assets = json_object();
    v->missing = xcalloc(1, sizeof *v->missing);
    pthread_mutex_init(&v->missing->lock, NULL);
    map_sv_init(&v->missing->names);
    enum err_code rc = OK;
    for (size_t i = 0; i < assets_count && !rc; i++) {
        struct sv name = sv_of(assets[i].name);
        if (sv_starts(name, template_folder) && sv_ends(name, template_ending)) {
            rc = add_template(v, &assets[i], err);
        } else if (sv_starts(name, static_folder)) {
            add_static(v, &assets[i]);
        }
    }
    /* jansson's own mark for values that are never counted (true, false, null): threads put this
     * object into their pages, and its counter is not safe to share. */
    v->assets->refcount = SIZE_MAX;
    if (!rc) {
        rc = strings_open(&v->strings, err);
    }
    if (rc) {
        view_close(v);
        return rc;
    }
    *out = v;
    return OK;
}

void view_close(struct view *v)
{
    if (!v) {
        return;
    }
    for (size_t i = 0; i < v->n_templates; i++) {
        mustache_free(v->templates[i]);
    }
    for (size_t i = 0; i < v->n_urls; i++) {
        free(v->urls[i]);
    }
    free(v->templates);
    free(v->urls);
    map_sv_release(&v->template_index);
    map_sv_release(&v->url_index);
    strings_close(v->strings);
    v->assets->refcount = 1;
    json_decref(v->assets);
    map_sv_release(&v->missing->names);
    pthread_mutex_destroy(&v->missing->lock);
    free(v->missing);
    free(v);
}

/* --- rendering --- */

/* One rendering, for the callbacks of mustache.c. */
struct rendering {
    const struct view *view;
    const char *name;
    bool no_partial; /* a partial was asked for that does not exist */
};

static bool is_news(struct missing *missing, struct sv template_name, struct sv name)
{
    struct str key;
    str_init(&key, URL_MAX);
    str_addsv(&key, template_name);
    str_addc(&key, ' ');
    str_addsv(&key, name);
    pthread_mutex_lock(&missing->lock);
    bool news = missing->n < MISSING_NAMES &&
                map_sv_put(&missing->names, str_sv(&key), missing->n) == missing->n;
    missing->n += news;
    pthread_mutex_unlock(&missing->lock);
    str_release(&key);
    return news;
}

static void complain(const struct rendering *r, const char *what, struct sv name)
{
    struct sv page = sv_of(r->name);
    if (is_news(r->view->missing, page, name)) {
        log_msg(LOG_WARN, what, LOG_TEXT("template", page), LOG_TEXT("name", name));
    }
}

static enum err_code on_missing(void *arg, struct sv name, struct err *err)
{
    const struct rendering *r = arg;
    if (r->view->strict) {
        return err_set(err, ERR_BUG, "template %s: the data has no \"" SV_FMT "\"", r->name,
                       SV_ARG(name));
    }
    complain(r, "a page lacks a value", name);
    return OK;
}

static const struct mustache *find_template(const struct view *v, struct sv name)
{
    uint32_t i = map_sv_get(&v->template_index, name);
    return i == MAP_NONE ? NULL : v->templates[i];
}

static const struct mustache *on_partial(void *arg, struct sv name)
{
    struct rendering *r = arg;
    const struct mustache *m = find_template(r->view, name);
    if (!m) {
        r->no_partial = true;
        complain(r, "a page lacks a partial", name);
    }
    return m;
}

enum err_code view_render(const struct view *v, const char *name, const json_t *data,
                          struct str *out, struct err *err)
{
    const struct mustache *m = find_template(v, sv_of(name));
    if (!m) {
        return err_set(err, ERR_BUG, "there is no template %s", name);
    }
    struct rendering r = {.view = v, .name = name};
    struct mustache_env env = {.partial = on_partial, .missing = on_missing, .arg = &r};
    enum err_code rc = mustache_render(m, data, &env, out, err);
    if (!rc && v->strict && r.no_partial) {
        return err_set(err, ERR_BUG, "template %s: a partial does not exist", name);
    }
    return rc;
}

/* --- data for scripts, names of files --- */

/* What must not stand in a script element: it could end it or begin a comment. U+2028 and U+2029
 * are line ends for old scripts. Returns the bytes to replace, 0 for none. */
static size_t unsafe_in_script(const char *p, size_t n, const char **escape)
{
    static const char separators[] = "\xe2\x80\xa8";
    switch (*p) {
    case '<':
        *escape = "\\u003c";
        return 1;
    case '>':
        *escape = "\\u003e";
        return 1;
    case '&':
        *escape = "\\u0026";
        return 1;
    default:
        if (n < 3 || memcmp(p, separators, 2) != 0 || (p[2] & ~1) != separators[2]) {
            return 0;
        }
        *escape = p[2] == separators[2] ? "\\u2028" : "\\u2029";
        return 3;
    }
}

json_t *view_json_text(const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    BUG_IF(!text);
    struct str safe;
    str_init(&safe, JSON_TEXT_MAX);
    size_t n = strlen(text);
    for (size_t i = 0; i < n;) {
        const char *escape = NULL;
        size_t bytes = unsafe_in_script(text + i, n - i, &escape);
        if (bytes) {
            str_addz(&safe, escape);
            i += bytes;
        } else {
            str_addc(&safe, text[i++]);
        }
    }
    free(text);
    BUG_IF(safe.over);
    json_t *string = json_stringn(safe.p, safe.n);
    BUG_IF(!string);
    str_release(&safe);
    return string;
}

const char *view_asset_url(const struct view *v, const char *name)
{
    uint32_t i = map_sv_get(&v->url_index, sv_of(name));
    return i == MAP_NONE ? NULL : v->urls[i];
}

json_t *view_assets(const struct view *v)
{
    return v->assets;
}

const struct strings *view_strings(const struct view *v)
{
    return v->strings;
}
