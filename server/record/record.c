/* record.c - one value is read from the row; objects of JSON and their schema. Rows of tables: table.c. */
#include "record/record_private.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"

/* ---- the value of a field ---- */

static struct record_value read_member(const struct record_field *f, const void *row)
{
    const void *p = (const char *)row + f->at;
    switch (f->as) {
    case RECORD_AS_SV:
        return (struct record_value){IS_TEXT, .text = *(const struct sv *)p};
    case RECORD_AS_STRING:
        return (struct record_value){IS_TEXT, .text = sv_of(*(const char *const *)p)};
    case RECORD_AS_BOOL:
        return (struct record_value){IS_BOOL, .whole = *(const bool *)p};
    case RECORD_AS_I64:
        return (struct record_value){IS_WHOLE, .whole = *(const int64_t *)p};
    case RECORD_AS_I32:
        return (struct record_value){IS_WHOLE, .whole = *(const int32_t *)p};
    case RECORD_AS_U32:
        return (struct record_value){IS_WHOLE, .whole = *(const uint32_t *)p};
    case RECORD_AS_REAL:
        return (struct record_value){IS_REAL, .real = *(const double *)p, .decimals = -1};
    case RECORD_AS_NONE:
    case RECORD_AS_ROWS:
    case RECORD_AS_MADE:
    case RECORD_AS_PART:
        break;
    }
    BUG_IF(!f->number);
    return (struct record_value){IS_WHOLE, .whole = f->number(row)};
}

bool record_is_known(const struct record_field *f, const void *row)
{
    return !f->known || ((const bool *)row)[f->known - 1];
}

static bool is_empty(const struct record_field *f, const struct record_value *v)
{
    if (f->kind == RECORD_MINUTES || f->kind == RECORD_AMOUNT) {
        return v->whole < (f->kind == RECORD_MINUTES);
    }
    return v->is == IS_TEXT   ? v->text.n == 0
           : v->is == IS_REAL ? isnan(v->real)
                              : v->is == IS_WHOLE && v->whole == 0;
}

void record_value_read(const struct record_field *f, const void *row, struct record_value *v)
{
    *v = read_member(f, row);
    if ((f->maybe && is_empty(f, v)) || !record_is_known(f, row)) {
        v->is = IS_NULL;
        return;
    }
    v->decimals = f->decimals ? f->decimals : v->decimals;
    switch (f->kind) {
    case RECORD_MOMENT:
        v->is = IS_TEXT;
        v->text = sv_of(clock_iso(v->whole, v->iso));
        break;
    case RECORD_MINUTES:
        v->is = IS_REAL;
        v->real = (double)v->whole / 60000;
        v->decimals = 2;
        break;
    case RECORD_AMOUNT:
        v->is = IS_REAL;
        v->real = (double)v->whole / 100;
        v->decimals = 2;
        break;
    case RECORD_ROUNDED:
        v->decimals = f->decimals ? f->decimals : 1;
        break;
    case RECORD_WHOLE:
        v->is = IS_WHOLE;
        v->whole = (int64_t)v->real;
        break;
    case RECORD_PLAIN:
    case RECORD_PARSED:
    case RECORD_LIST:
    case RECORD_TEXTS:
    case RECORD_NUMBERS:
    case RECORD_BESIDE:
        break;
    }
}

/* ---- JSON ---- */

static json_t *json_rows(const struct record_field *f, const void *row)
{
    const char *rows = *(const char *const *)((const char *)row + f->at);
    size_t n = record_rows(f, row);
    if (n == 0 && f->maybe) {
        return json_null();
    }
    json_t *list = json_array();
    bool whole = list != NULL;
    for (size_t i = 0; i < n; i++) { /* all of them: what they hold is taken */
        whole = json_array_append_new(list, record_json(f->of, rows + i * f->of->size)) == 0 && whole;
    }
    if (!whole) {
        json_decref(list);
    }
    return whole ? list : NULL;
}

static json_t *json_parsed(struct sv text)
{
    json_t *v = json_loadb(text.p, text.n, 0, NULL);
    return v ? v : json_null();
}

json_t *record_take_made(const struct record_field *f, const void *row)
{
    json_t *made = *(json_t *const *)record_part_of(f, row);
    if (!record_is_known(f, row)) {
        json_decref(made);
        made = NULL;
    }
    return made;
}

bool record_may_lack(const struct record_field *f, const void *row)
{
    return f->maybe || !record_is_known(f, row);
}

json_t *record_value_json(const struct record_field *f, const void *row)
{
    struct record_value v;
    if (f->as == RECORD_AS_MADE) {
        json_t *made = record_take_made(f, row);
        return made || !record_may_lack(f, row) ? made : json_null();
    }
    if (f->as == RECORD_AS_PART) {
        return record_is_known(f, row) ? record_json(f->of, record_part_of(f, row)) : json_null();
    }
    if (f->kind == RECORD_LIST) {
        return json_rows(f, row);
    }
    record_value_read(f, row, &v);
    switch (v.is) {
    case IS_TEXT:
        return f->kind == RECORD_PARSED ? json_parsed(v.text)
                                        : json_stringn(v.text.n ? v.text.p : "", v.text.n);
    case IS_WHOLE:
        return json_integer(v.whole);
    case IS_REAL:
        return json_real(v.real);
    case IS_BOOL:
        return json_boolean(v.whole);
    case IS_NULL:
        break;
    }
    return json_null();
}

static bool add_fields(json_t *object, const struct record *r, const void *row);

static bool add_beside(json_t *object, const struct record_field *f, const void *row)
{
    if (f->as == RECORD_AS_PART) {
        return !record_is_known(f, row) || add_fields(object, f->of, record_part_of(f, row));
    }
    json_t *made = record_take_made(f, row);
    return made ? json_object_update_new(object, made) == 0 : record_may_lack(f, row);
}

/* Takes what was made even when something fails. */
static bool add_fields(json_t *object, const struct record *r, const void *row)
{
    bool whole = object != NULL;
    for (const struct record_field *f = r->fields; record_is_field(f); f++) {
        if (f->kind == RECORD_BESIDE) {
            whole = add_beside(object, f, row) && whole;
            continue;
        }
        if (f->face == RECORD_CSV) {
            continue;
        }
        json_t *value = record_value_json(f, row);
        if (!(f->absent && json_is_null(value))) {
            whole = json_object_set_new_nocheck(object, f->name, value) == 0 && whole;
        }
    }
    return whole;
}

json_t *record_json(const struct record *r, const void *row)
{
    json_t *object = json_object();
    if (!add_fields(object, r, row)) {
        json_decref(object);
        object = NULL;
    }
    return object;
}

/* ---- the schema ---- */

static const char *type_of(const struct record_field *f)
{
    switch (f->kind) {
    case RECORD_MOMENT:
        return "string";
    case RECORD_MINUTES:
    case RECORD_AMOUNT:
    case RECORD_ROUNDED:
        return "number";
    case RECORD_WHOLE:
        return "integer";
    case RECORD_PARSED:
        return "object";
    case RECORD_LIST:
    case RECORD_TEXTS:
    case RECORD_NUMBERS:
        return "array";
    case RECORD_PLAIN:
    case RECORD_BESIDE:
        break;
    }
    return f->as == RECORD_AS_SV || f->as == RECORD_AS_STRING ? "string"
           : f->as == RECORD_AS_BOOL                          ? "boolean"
           : f->as == RECORD_AS_REAL                          ? "number"
           : f->as == RECORD_AS_MADE || f->as == RECORD_AS_PART ? "object"
                                                                : "integer";
}

/* Of a list's items, or of what was made. */
static json_t *inner_schema(const struct record_field *f)
{
    const char *type = f->kind == RECORD_TEXTS ? "string" : f->kind == RECORD_NUMBERS ? "number" : "object";
    json_t *schema = json_object();
    json_object_set_new(schema, f->of ? "$ref" : "type",
                        f->of ? json_sprintf("#/components/schemas/%s", f->of->name) : json_string(type));
    if (f->holes) {
        json_object_set_new(schema, "nullable", json_true());
    }
    return schema;
}

static json_t *field_schema(const struct record_field *f)
{
    json_t *schema = json_object();
    const char *type = type_of(f);
    if (f->of && strcmp(type, "object") == 0) { /* nothing may stand beside a $ref */
        json_t *all = json_array();
        json_array_append_new(all, inner_schema(f));
        json_object_set_new(schema, "allOf", all);
    } else {
        json_object_set_new(schema, "type", json_string(type));
    }
    if (f->kind == RECORD_MOMENT) {
        json_object_set_new(schema, "format", json_string("date-time"));
    }
    if ((f->maybe || f->known) && !f->absent) {
        json_object_set_new(schema, "nullable", json_true());
    }
    if (f->about) {
        json_object_set_new(schema, "description", json_string(f->about));
    }
    if (strcmp(type, "array") == 0) {
        json_object_set_new(schema, "items", inner_schema(f));
    }
    return schema;
}

/* `always`: they are required. */
static void add_properties(const struct record *r, bool always, json_t *properties, json_t *required)
{
    for (const struct record_field *f = r->fields; record_is_field(f); f++) {
        if (f->kind == RECORD_BESIDE) {
            add_properties(f->of, always && !f->maybe && !f->known, properties, required);
        } else if (f->face != RECORD_CSV) {
            json_object_set_new(properties, f->name, field_schema(f));
            if (always && !f->absent) {
                json_array_append_new(required, json_string(f->name));
            }
        }
    }
}

json_t *record_schema(const struct record *r)
{
    json_t *properties = json_object(), *required = json_array(), *schema = json_object();
    add_properties(r, true, properties, required);
    json_object_set_new(schema, "type", json_string("object"));
    json_object_set_new(schema, "description", json_string(r->about));
    json_object_set_new(schema, "properties", properties);
    json_object_set_new(schema, "required", required);
    return schema;
}
