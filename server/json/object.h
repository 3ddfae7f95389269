/* object.h - JSON objects written field by field: the compiler checks the type of each value, where json_pack
 * finds out while it runs. Knows nothing of what the objects are about.
 *
 *     json_t *row = object(field_text("name", name), field_int("images", n), field_json("tiles", tiles));
 *
 * Fields keep their order. A new reference; what is given to field_json belongs to the object. NULL when a value
 * could not be made (text that is not UTF-8, a NULL for field_json): a reply is refused then, not shown in part. */
#ifndef JSON_OBJECT_H
#define JSON_OBJECT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/sv.h"

struct field {
    const char *name;
    json_t *value;
};

struct field field_text(const char *name, const char *value); /* null for NULL */
struct field field_sv(const char *name, struct sv value);
struct field field_int(const char *name, int64_t value);
struct field field_count(const char *name, size_t value);
struct field field_real(const char *name, double value); /* finite */
struct field field_bool(const char *name, bool value);
struct field field_null(const char *name);
struct field field_json(const char *name, json_t *value); /* takes the reference */

json_t *object_of(const struct field *fields); /* ends with a field without a name */

#define object(...) object_of((const struct field[]){__VA_ARGS__, {0}})
/* Appends such an object to a list. */
#define object_add(list, ...) json_array_append_new(list, object(__VA_ARGS__))
/* A list of values; takes their references. */
json_t *list_of(json_t *const *values, size_t n);
#define list(...)                                                                                  \
    list_of((json_t *const[]){__VA_ARGS__}, sizeof((json_t *const[]){__VA_ARGS__}) / sizeof(json_t *))

/* A member that is text; empty when it is missing or something else. */
struct sv object_text(const json_t *object, const char *name);

/* A value as compact text in the arena, which ends with a NUL; takes the reference. `flags`: of json_dumps, besides. */
struct sv json_compact(json_t *value, size_t flags, struct arena *a);
/* Adds a value as a line of JSON, numbers with all their digits; takes the reference. */
void json_add_line(json_t *value, struct str *out);

#pragma GCC poison json_pack json_vpack_ex json_pack_ex

#endif
