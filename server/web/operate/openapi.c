/* openapi.c - /api/openapi.json: which addresses the API has and what they reply. THE table of replies that are records
 * (record/record.h); what no row describes is told by its route's summary. Row in routes.c. */
#include <stdio.h>
#include <string.h>

#include "json/object.h"
#include "measures/score_csv.h"
#include "transfer/exports/participants_csv.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"

enum { SHAPE_RECORDS = 2 };
struct shape {
    const char *pattern; /* of the route */
    enum http_method method;
    bool items; /* {items: [...]}; else the record itself */
    const struct record *records[SHAPE_RECORDS];
};

static const struct shape shapes[] = {
    {"/api/v1/campaigns/:campaign/participants", HTTP_GET, true, {&participant_record, &participant_panel_record}},
    {"/api/v1/picks", HTTP_GET, true, {&pick_numbers_record, &pick_class_record}},
    {"/api/v1/scores", HTTP_GET, true, {&score_record, &gap_record}},
    {"/api/v1/sets/:set/:revision", HTTP_GET, true, {&set_image_record}},
    {"/api/v1/tokens", HTTP_GET, true, {&token_record}},
    {0},
};

/* The OpenAPI path "/a/{b}" of the pattern "/a/:b", and its parameters. */
static const char *openapi_path(struct arena *a, const char *pattern, json_t *parameters)
{
    struct str s;
    str_init(&s, 512);
    struct sv rest = sv_of(pattern + 1);
    while (rest.p) {
        struct sv part = sv_cut(&rest, '/');
        str_addc(&s, '/');
        if (part.n && part.p[0] == ':') {
            struct sv name = sv_make(part.p + 1, part.n - 1);
            str_printf(&s, "{" SV_FMT "}", SV_ARG(name));
            object_add(parameters, field_sv("name", name), field_text("in", "path"),
                       field_bool("required", true),
                       field_json("schema", object(field_text("type", "string"))));
        } else {
            str_addsv(&s, part);
        }
    }
    const char *path = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return path;
}

static json_t *schema_ref(const char *name)
{
    return object(field_json("$ref", json_sprintf("#/components/schemas/%s", name)));
}

/* Of one record, or of several whose fields stand together. */
static json_t *shape_schema(const struct shape *s)
{
    json_t *all = json_array();
    for (size_t i = 0; i < SHAPE_RECORDS && s->records[i]; i++) {
        json_array_append_new(all, schema_ref(s->records[i]->name));
    }
    json_t *one = object(field_json("allOf", all));
    return s->items ? object(field_text("type", "object"),
                             field_json("required", list(json_string("items"))),
                             field_json("properties",
                                        object(field_json("items", object(field_text("type", "array"),
                                                                          field_json("items", one))))))
                    : one;
}

static json_t *reply_content(const char *type, json_t *schema)
{
    return object(field_json(type, object(field_json("schema", schema))));
}

static json_t *openapi_done(const struct route *r)
{
    json_t *done = object(field_text("description", "Done."));
    for (const struct shape *s = shapes; s->pattern; s++) {
        if (s->method == r->method && strcmp(s->pattern, r->pattern) == 0) {
            json_object_set_new(done, "content", reply_content("application/json", shape_schema(s)));
        }
    }
    return done;
}

static json_t *openapi_operation(const struct route *r, json_t *parameters)
{
    json_t *problem = object(field_text("description", "RFC 9457 problem."),
                             field_json("content", reply_content("application/problem+json", schema_ref("problem"))));
    json_t *op = object(
        field_text("summary", r->summary), field_text("x-role", role_name(r->role)),
        field_json("parameters", parameters),
        field_json("responses", object(field_json("200", openapi_done(r)), field_json("default", problem))));
    if (r->role > ROLE_NONE) {
        json_object_set_new(op, "security", list(object(field_json("token", json_array()))));
    }
    if (r->body_max) {
        json_object_set_new(op, "requestBody",
                            object(field_json("content", reply_content("application/json",
                                                                       object(field_text("type", "object"))))));
    }
    return op;
}

/* The problem, and every record of a shape with what it lists. */
static void add_schema(json_t *schemas, const struct record *r)
{
    json_object_set_new(schemas, r->name, record_schema(r));
    for (const struct record_field *f = r->fields; f->name; f++) {
        if (f->of) {
            add_schema(schemas, f->of);
        }
    }
}

static json_t *openapi_schemas(void)
{
    json_t *schemas = object(field_json("problem", record_schema(&problem_record)));
    for (const struct shape *s = shapes; s->pattern; s++) {
        for (size_t i = 0; i < SHAPE_RECORDS && s->records[i]; i++) {
            add_schema(schemas, s->records[i]);
        }
    }
    return schemas;
}

/* GET /api/openapi.json: made from the route table and the records, so that it cannot lie about them. */
enum err_code api_openapi(struct ctx *c)
{
    json_t *paths = json_object();
    for (size_t i = 0; i < routes_count; i++) {
        const struct route *r = &routes[i];
        if (strncmp(r->pattern, "/api/", 5) != 0) {
            continue;
        }
        json_t *parameters = json_array();
        const char *path = openapi_path(c->arena, r->pattern, parameters);
        char method[8];
        snprintf(method, sizeof method, "%s", http_method_name(r->method));
        for (char *m = method; *m; m++) {
            *m = (char)(*m | 0x20);
        }
        if (!json_object_get(paths, path)) {
            json_object_set_new(paths, path, json_object());
        }
        json_object_set_new(json_object_get(paths, path), method,
                            openapi_operation(r, parameters));
    }
    return reply_json(
        c, 200,
        object(
            field_text("openapi", "3.0.3"),
            field_json("info", object(field_text("title", "holdout"),
                                      field_text("version", HOLDOUT_VERSION))),
            field_json("paths", paths),
            field_json("components",
                       object(field_json("schemas", openapi_schemas()),
                              field_json("securitySchemes",
                                         object(field_json(
                                             "token", object(field_text("type", "http"),
                                                             field_text("scheme", "bearer")))))))));
}
