/* form.h - application/x-www-form-urlencoded and multipart/form-data bodies. */
#ifndef HTTP_FORM_H
#define HTTP_FORM_H

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"

/* What bounds a form in truth is its route's body limit. */
enum { FORM_FIELDS = 4096 };

struct form_field {
    struct sv name, value;
    struct sv filename, type; /* multipart only, else empty */
};
struct form {
    struct form_field *fields;
    size_t n;
    /* For who has many fields: where the first field of each name is, by the name's hash. NULL: not built. */
    uint32_t *slots;
    size_t n_slots; /* a power of two */
};

/* Decodes into the arena. ERR_INPUT (rule "form") for bad escapes, invalid UTF-8 in names or
 * values of fields that are no files; ERR_LIMIT above FORM_FIELDS. */
enum err_code form_urlencoded(struct arena *a, struct sv body, struct form *out, struct err *err);
/* `type` is the Content-Type header. Parts borrow `body`. */
enum err_code form_multipart(struct arena *a, struct sv type, struct sv body, struct form *out,
                             struct err *err);
/* Chooses by Content-Type; ERR_INPUT (rule "content-type") for anything else. */
enum err_code form_parse(struct arena *a, struct sv type, struct sv body, struct form *out,
                         struct err *err);
/* The first field of that name; empty when absent. Takes as long for many fields as for few. */
struct sv form_get(const struct form *f, const char *name);
bool form_has(const struct form *f, const char *name);
/* All values of fields of that name that are not empty, trimmed, with commas between them: what was ticked. */
struct sv form_all(const struct form *f, const char *name, struct arena *a);
/* Whether one of them is this value. */
bool form_ticked(const struct form *f, const char *name, struct sv value);

/* Percent-decoding into the arena, '+' as a space when `plus`; false for a bad escape. */
bool form_decode(struct arena *a, struct sv text, bool plus, struct sv *out);

/* For multipart.c: adds a field; ERR_LIMIT above FORM_FIELDS. */
enum err_code form_append(struct arena *a, struct form *f, struct form_field field,
                          struct err *err);

#endif
