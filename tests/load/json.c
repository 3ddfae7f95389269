/* json.c - a scanner for members of the outermost object. Runs for every reply; a tree would cost
 * more than the rest of the client. */
#include "load/json.h"

#include <string.h>

static void skip_space(struct sv *s)
{
    while (s->n && strchr(" \t\r\n:,", s->p[0]) && s->p[0]) {
        s->p++;
        s->n--;
    }
}

/* Length of the string that begins with a quote at s.p, both quotes counted; 0 if it never ends. */
static size_t string_size(struct sv s)
{
    for (size_t i = 1; i < s.n; i++) {
        if (s.p[i] == '\\') {
            i++;
        } else if (s.p[i] == '"') {
            return i + 1;
        }
    }
    return 0;
}

/* Length of a nested object or list, brackets counted; 0 if it never ends. */
static size_t nested_size(struct sv s)
{
    unsigned depth = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '"') {
            size_t n = string_size((struct sv){s.p + i, s.n - i});
            if (n == 0) {
                return 0;
            }
            i += n - 1;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

static size_t value_size(struct sv s)
{
    if (s.n == 0) {
        return 0;
    }
    if (s.p[0] == '"') {
        return string_size(s);
    }
    if (s.p[0] == '{' || s.p[0] == '[') {
        return nested_size(s);
    }
    size_t n = 0;
    while (n < s.n && !strchr(" \t\r\n,}]", s.p[n])) {
        n++;
    }
    return n;
}

/* Takes the next value off the front; false at the end of the object. */
static bool take(struct sv *s, struct sv *value)
{
    skip_space(s);
    size_t n = value_size(*s);
    if (n == 0) {
        return false;
    }
    *value = (struct sv){s->p, n};
    s->p += n;
    s->n -= n;
    return true;
}

bool json_member(struct sv object, const char *key, struct sv *raw)
{
    struct sv s = sv_trim(object), name, value;
    size_t n = strlen(key);
    if (s.n < 2 || s.p[0] != '{') {
        return false;
    }
    s.p++;
    s.n--;
    while (take(&s, &name) && take(&s, &value)) {
        if (name.n == n + 2 && memcmp(name.p + 1, key, n) == 0) {
            *raw = value;
            return true;
        }
    }
    return false;
}

bool json_text(struct sv object, const char *key, struct sv *text)
{
    struct sv raw;
    if (!json_member(object, key, &raw) || raw.p[0] != '"') {
        return false;
    }
    *text = (struct sv){raw.p + 1, raw.n - 2};
    return true;
}

bool json_number(struct sv object, const char *key, int64_t *number)
{
    struct sv raw;
    return json_member(object, key, &raw) && sv_i64(raw, number);
}

bool json_true(struct sv object, const char *key)
{
    struct sv raw;
    return json_member(object, key, &raw) && sv_is(raw, "true");
}
