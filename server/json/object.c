/* object.c - objects from lists of fields. */
#include "json/object.h"

#include <stdlib.h>

#include "base/err.h"

struct field field_text(const char *name, const char *value)
{
    return (struct field){name, value ? json_string(value) : json_null()};
}

struct field field_sv(const char *name, struct sv value)
{
    return (struct field){name, json_stringn(value.n ? value.p : "", value.n)};
}

struct field field_int(const char *name, int64_t value)
{
    return (struct field){name, json_integer(value)};
}

struct field field_count(const char *name, size_t value)
{
    return (struct field){name, json_integer((json_int_t)value)};
}

struct field field_real(const char *name, double value)
{
    return (struct field){name, json_real(value)};
}

struct field field_bool(const char *name, bool value)
{
    return (struct field){name, json_boolean(value)};
}

struct field field_null(const char *name)
{
    return (struct field){name, json_null()};
}

struct field field_json(const char *name, json_t *value)
{
    return (struct field){name, value};
}

json_t *object_of(const struct field *fields)
{
    json_t *object = json_object();
    bool whole = object != NULL;
    for (const struct field *f = fields; f->name; f++) {
        /* Takes the value even when it fails. */
        whole = json_object_set_new_nocheck(object, f->name, f->value) == 0 && whole;
    }
    if (!whole) {
        json_decref(object);
        object = NULL;
    }
    return object;
}

json_t *list_of(json_t *const *values, size_t n)
{
    json_t *list = json_array();
    bool whole = list != NULL;
    for (size_t i = 0; i < n; i++) {
        whole = json_array_append_new(list, values[i]) == 0 && whole;
    }
    if (!whole) {
        json_decref(list);
        list = NULL;
    }
    return list;
}

struct sv object_text(const json_t *object, const char *name)
{
    const json_t *v = json_object_get(object, name);
    return json_is_string(v) ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

struct sv json_compact(json_t *value, size_t flags, struct arena *a)
{
    BUG_IF(!value);
    char *text = json_dumps(value, JSON_COMPACT | flags);
    BUG_IF(!text);
    const struct sv kept = arena_sv(a, sv_of(text));
    free(text);
    json_decref(value);
    return kept;
}

void json_add_line(json_t *value, struct str *out)
{
    BUG_IF(!value);
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));
    BUG_IF(!text);
    str_addz(out, text);
    str_addc(out, '\n');
    free(text);
    json_decref(value);
}
