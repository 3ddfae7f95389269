/* strings.c - catalogues of texts, one per language. */
#include "view/strings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assets.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "view/view.h"

enum { LANGUAGES = 32, CODE = 16, TEXT_MOST = 4096 };

static const char folder[] = "static/lang/", ending[] = ".json", english[] = "en", classify[] = "classify";

struct catalogue {
    char code[CODE];
    json_t *texts;
    const char *of; /* the language that a task's catalogue is in; NULL: it is a language's own */
};
struct strings {
    struct catalogue of[LANGUAGES];
    size_t n;
};

/* jansson's own mark for values that are never counted: threads put catalogues into their pages. */
static void make_shared(json_t *v)
{
    v->refcount = SIZE_MAX;
}

/* The catalogue's name is what stands between folder and ending; false when too long. */
static bool take_code(const char *asset, char code[CODE])
{
    struct sv name = sv_of(asset + sizeof folder - 1);
    size_t n = name.n - (sizeof ending - 1);
    if (n == 0 || n >= CODE) {
        return false;
    }
    memcpy(code, name.p, n);
    code[n] = '\0';
    return true;
}

static enum err_code add_catalogue(struct strings *s, const struct asset *a, struct err *err)
{
    json_error_t why;
    struct catalogue *c = &s->of[s->n];
    if (s->n == LANGUAGES || !take_code(a->name, c->code)) {
        return err_set(err, ERR_BUG, "%s: too many languages, or a bad name", a->name);
    }
    c->texts = json_loadb((const char *)a->data, a->n, JSON_REJECT_DUPLICATES, &why);
    if (!c->texts) {
        return err_set(err, ERR_BUG, "%s:%d: %s", a->name, why.line, why.text);
    }
    s->n++;
    const char *key;
    json_t *text;
    json_object_foreach(c->texts, key, text) {
        bool nested = strcmp(key, "scripts") == 0 || strcmp(key, classify) == 0;
        if (nested ? !json_is_object(text) : !json_is_string(text)) {
            return err_set(err, ERR_BUG, "%s: \"%s\" must be a string", a->name, key);
        }
    }
    return json_is_object(c->texts) ? OK : err_set(err, ERR_BUG, "%s: not an object", a->name);
}

static const struct catalogue *find(const struct strings *s, struct sv code)
{
    for (size_t i = 0; i < s->n; i++) {
        if (sv_is(code, s->of[i].code)) {
            return &s->of[i];
        }
    }
    return NULL;
}

/* A catalogue for the task CLASSIFY: the language's own with what "classify" says in other words. */
static enum err_code add_task(struct strings *s, const struct catalogue *language, struct err *err)
{
    json_t *other = json_object_get(language->texts, classify);
    struct catalogue *c = &s->of[s->n];
    if (s->n == LANGUAGES) {
        return err_set(err, ERR_BUG, "%s: too many languages", language->code);
    }
    snprintf(c->code, sizeof c->code, "%s.%s", language->code, classify);
    c->of = language->code;
    c->texts = json_deep_copy(language->texts);
    json_object_del(c->texts, classify);
    json_object_update(json_object_get(c->texts, "scripts"), json_object_get(other, "scripts"));
    json_object_del(other, "scripts");
    json_object_update(c->texts, other);
    json_object_del(language->texts, classify);
    s->n++;
    return OK;
}

/* What a language lacks it has from English; then the scripts' part becomes text. */
static enum err_code complete(struct strings *s, struct err *err)
{
    const struct catalogue *en = find(s, sv_of(english)); /* strings_open saw that there is one */
    for (size_t i = 0; i < s->n; i++) {
        json_t *texts = s->of[i].texts;
        json_t *scripts = json_object_get(texts, "scripts");
        if (en != &s->of[i]) {
            json_object_update_missing(texts, en->texts);
            json_object_update_missing(scripts, json_object_get(en->texts, "scripts"));
        }
    }
    for (size_t i = 0, languages = s->n; i < languages; i++) {
        if (add_task(s, &s->of[i], err) != OK) {
            return err->code;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        json_t *texts = s->of[i].texts;
        json_object_set_new(texts, "scripts_json",
                            view_json_text(json_object_get(texts, "scripts")));
        json_object_set_new(texts, "code", json_string(s->of[i].of ? s->of[i].of : s->of[i].code));
        json_object_set_new(texts, "help_url", json_string(s->of[i].of ? "/work/help?task=classify" : "/work/help"));
        make_shared(texts);
    }
    return OK;
}

enum err_code strings_open(struct strings **out, struct err *err)
{
    struct strings *s = xcalloc(1, sizeof *s);
    enum err_code rc = OK;
    for (size_t i = 0; i < assets_count && rc == OK; i++) {
        struct sv name = sv_of(assets[i].name);
        if (sv_starts(name, folder) && sv_ends(name, ending)) {
            rc = add_catalogue(s, &assets[i], err);
        }
    }
    if (rc == OK && !find(s, sv_of(english))) {
        rc = err_set(err, ERR_BUG, "there are no English texts");
    }
    rc = rc == OK ? complete(s, err) : rc;
    if (rc != OK) {
        strings_close(s);
        return rc;
    }
    *out = s;
    return OK;
}

void strings_close(struct strings *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        s->of[i].texts->refcount = 1;
        json_decref(s->of[i].texts);
    }
    free(s);
}

const char *strings_language(const struct strings *s, struct sv tag)
{
    struct sv rest = tag;
    const struct catalogue *c = find(s, tag);
    if (!c) {
        c = find(s, sv_cut(&rest, '-'));
    }
    return c && !c->of ? c->code : NULL;
}

const char *strings_classify(const struct strings *s, const char *code)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->of[i].of && strcmp(s->of[i].of, code) == 0) {
            return s->of[i].code;
        }
    }
    return code;
}

size_t strings_codes(const struct strings *s, const char **codes, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!s->of[i].of && n++ < most) {
            codes[n - 1] = s->of[i].code;
        }
    }
    return n;
}

/* "de-AT;q=0.8": the tag and its weight in thousandths. */
static struct sv weighted(struct sv item, int *weight)
{
    struct sv tag = sv_trim(sv_cut(&item, ';'));
    struct sv q = sv_trim(item);
    *weight = 1000;
    if (sv_starts(q, "q=") && q.n > 2) {
        *weight = (q.p[2] - '0') * 1000;
        for (size_t i = 4, unit = 100; i < q.n && unit; i++, unit /= 10) {
            *weight += (q.p[i] - '0') * (int)unit;
        }
    }
    return tag;
}

const char *strings_accept(const struct strings *s, struct sv header)
{
    const char *best = english;
    int best_weight = 0;
    while (header.n) {
        int weight;
        const char *code = strings_language(s, weighted(sv_cut(&header, ','), &weight));
        if (code && weight > best_weight) {
            best = code;
            best_weight = weight;
        }
    }
    return best;
}

json_t *strings_catalogue(const struct strings *s, const char *code)
{
    const struct catalogue *c = find(s, sv_of(code ? code : english));
    return (c ? c : find(s, sv_of(english)))->texts;
}

/* The value that `name` stands for among the pairs; NULL when there is none. */
static const char *value_of(struct sv name, va_list pairs)
{
    va_list ap;
    const char *key, *found = NULL;
    va_copy(ap, pairs);
    while (!found && (key = va_arg(ap, const char *))) {
        const char *value = va_arg(ap, const char *);
        found = sv_is(name, key) ? value : NULL;
    }
    va_end(ap);
    return found;
}

static const char *fill(const json_t *catalogue, struct arena *a, const char *key, va_list pairs)
{
    const char *text = json_string_value(json_object_get(catalogue, key));
    BUG_IF(!text);
    struct str s;
    str_init(&s, TEXT_MOST);
    for (struct sv rest = sv_of(text); rest.n;) {
        struct sv plain = sv_cut(&rest, '{');
        str_addsv(&s, plain);
        if (!rest.n) {
            break;
        }
        const char *value = value_of(sv_cut(&rest, '}'), pairs);
        BUG_IF(!value);
        str_addz(&s, value);
    }
    const char *out = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return out;
}

const char *strings_fill(const json_t *catalogue, struct arena *a, const char *key, ...)
{
    va_list pairs;
    va_start(pairs, key);
    const char *text = fill(catalogue, a, key, pairs);
    va_end(pairs);
    return text;
}

const char *strings_count(const json_t *catalogue, struct arena *a, const char *key, int64_t n)
{
    const char *form = arena_printf(a, "%s_%s", key, n == 1 ? "one" : "other");
    return strings_fill(catalogue, a, form, "n", arena_printf(a, "%lld", (long long)n),
                        (char *)NULL);
}
