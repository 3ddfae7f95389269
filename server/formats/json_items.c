/* json_items.c - finds where an item ends by its brackets and quotes; jansson says whether it is right. */
#include "formats/json_items.h"

#include <inttypes.h>

static enum err_code wrong(const struct json_items *j, const char *what, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s:%" PRIu64 ": %s", j->name, j->line, what);
}

static void skip(struct json_items *j, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        j->line += j->rest.p[i] == '\n';
    }
    j->rest = sv_make(j->rest.p + n, j->rest.n - n);
}

static void skip_space(struct json_items *j)
{
    size_t n = 0;
    while (n < j->rest.n && (j->rest.p[n] == ' ' || j->rest.p[n] == '\t' || j->rest.p[n] == '\n' || j->rest.p[n] == '\r')) {
        n++;
    }
    skip(j, n);
}

static char first_of(const struct json_items *j)
{
    return j->rest.n ? j->rest.p[0] : '\0';
}

enum err_code json_items_open(struct json_items *j, const char *name, struct sv text, struct err *err)
{
    *j = (struct json_items){.name = name, .rest = sv_unmarked(text), .line = 1};
    skip_space(j);
    j->named = first_of(j) == '{';
    if (!j->named && first_of(j) != '[') {
        return wrong(j, "expected a JSON list or object", err);
    }
    skip(j, 1);
    return OK;
}

/* Length of the value at the beginning of the text: up to what cannot belong to it. */
static size_t extent(struct sv text)
{
    int depth = 0;
    bool quoted = false;
    size_t i = 0;
    for (; i < text.n && i <= JSON_ITEM_MOST; i++) {
        char c = text.p[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            depth++;
        } else if (c == ']' || c == '}') {
            if (depth-- == 0) {
                break;
            }
        } else if (depth == 0 && (c == ',' || c == ':')) {
            break;
        }
    }
    return i < text.n ? i : text.n;
}

/* One value, and the text behind it. */
static enum err_code take(struct json_items *j, json_t **out, struct err *err)
{
    json_error_t why;
    size_t n = extent(j->rest);
    if (n > JSON_ITEM_MOST) {
        return err_set(err, ERR_LIMIT, "%s:%" PRIu64 ": an item is longer than %d bytes", j->name, j->line, JSON_ITEM_MOST);
    }
    *out = json_loadb(j->rest.p, n, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &why);
    if (!*out) {
        return wrong(j, n ? why.text : "the text ends in the middle of the list", err);
    }
    skip(j, n);
    skip_space(j);
    return OK;
}

static enum err_code take_key(struct json_items *j, struct arena *a, struct sv *key, struct err *err)
{
    json_t *name = NULL;
    enum err_code rc = take(j, &name, err);
    if (rc == OK && (!json_is_string(name) || first_of(j) != ':')) {
        rc = wrong(j, "expected a name and a colon", err);
    }
    if (rc == OK) {
        *key = arena_sv(a, sv_make(json_string_value(name), json_string_length(name)));
        skip(j, 1);
        skip_space(j);
    }
    json_decref(name);
    return rc;
}

enum err_code json_items_next(struct json_items *j, struct arena *a, struct sv *key, json_t **out, struct err *err)
{
    const char end = j->named ? '}' : ']';
    *out = NULL;
    *key = SV("");
    skip_space(j);
    bool over = first_of(j) == end;
    if (j->begun && !over && first_of(j) != ',') {
        return wrong(j, "expected a comma or the end of the list", err);
    }
    if (over) {
        skip(j, 1);
        skip_space(j);
        return j->rest.n ? wrong(j, "something follows the end of the list", err) : OK;
    }
    skip(j, j->begun);
    skip_space(j);
    j->begun = true;
    j->n++;
    enum err_code rc = j->named ? take_key(j, a, key, err) : OK;
    return rc == OK ? take(j, out, err) : rc;
}
