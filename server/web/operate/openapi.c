/* openapi.c - /api/openapi.json: which addresses the API has and what they reply. THE table of replies, which are records
 * (record/record.h). Row in routes.c. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "experts/evaluation_facts.h"
#include "experts/review_agreement.h"
#include "experts/review_facts.h"
#include "experts/training_facts.h"
#include "experts/review_plan.h"
#include "json/object.h"
#include "measures/objects/seen_image.h"
#include "sets/bias/adjusted.h"
#include "sets/bias/bias.h"
#include "study/decision_data.h"
#include "transfer/exports/participants_csv.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"

struct shape {
    const char *pattern; /* of the route */
    enum http_method method;
    const struct record *of; /* NULL: no body */
    bool items; /* reply_items of them; else one itself */
    int status; /* 0: 200 */
};

/* clang-format off */
static const struct shape shapes[] = {
    {"/api/v1/assignments/:assignment", HTTP_GET, .of = &assignment_record},
    {"/api/v1/assignments/:assignment/answer", HTTP_POST, .of = &answered_record},
    {"/api/v1/assignments/:assignment/extend", HTTP_POST, .of = &extended_record},
    {"/api/v1/assignments/:assignment/flags", HTTP_POST, .of = &flagged_record},
    {"/api/v1/campaigns", HTTP_GET, .items = true, .of = &campaign_record},
    {"/api/v1/campaigns/:campaign", HTTP_GET, .of = &live_campaign_record},
    {"/api/v1/campaigns/:campaign/grids", HTTP_GET, .items = true, .of = &grid_item_record},
    {"/api/v1/campaigns/:campaign/participants", HTTP_GET, .items = true, .of = &participant_item_record},
    {"/api/v1/campaigns/:campaign/places", HTTP_POST, .of = &place_joined_record, .status = 201},
    {"/api/v1/classes", HTTP_GET, .of = &classes_record},
    {"/api/v1/classes/:wnid/decisions", HTTP_GET, .of = &class_decisions_record},
    {"/api/v1/classes/:wnid/decisions", HTTP_POST, .of = &class_decision_made_record},
    {"/api/v1/classes/:wnid/decisions", HTTP_POST, .of = &class_decision_made_record, .status = 201},
    {"/api/v1/classes/:wnid/decisions", HTTP_POST, .of = &class_changed_record, .status = 412},
    {"/api/v1/classes/:wnid/frequencies", HTTP_GET, .of = &images_record},
    {"/api/v1/decisions", HTTP_GET, .items = true, .of = &decision_record},
    {"/api/v1/decisions", HTTP_POST, .of = &decision_made_record},
    {"/api/v1/decisions", HTTP_POST, .of = &decision_made_record, .status = 201},
    {"/api/v1/decisions/:decision", HTTP_GET, .of = &decision_record},
    {"/api/v1/decisions/:decision/continue", HTTP_POST, .of = &decision_record},
    {"/api/v1/decisions/:decision/undo", HTTP_POST, .of = &decision_made_record},
    {"/api/v1/decisions/:decision/undo", HTTP_POST, .of = &decision_made_record, .status = 201},
    {"/api/v1/duplicates", HTTP_GET, .of = &duplicates_record},
    {"/api/v1/evaluations", HTTP_GET, .of = &evaluations_record},
    {"/api/v1/evaluations/:evaluation", HTTP_GET, .of = &evaluation_facts_record},
    {"/api/v1/evaluations/:evaluation/change", HTTP_POST, .of = &evaluation_facts_record},
    {"/api/v1/evaluations/:evaluation/items/:position", HTTP_POST, .of = &evaluation_saved_record, .status = 201},
    {"/api/v1/evaluations/:evaluation/next", HTTP_GET, .of = &evaluation_next_record},
    {"/api/v1/grids/:grid", HTTP_GET, .of = &grid_record},
    {"/api/v1/guide", HTTP_GET, .of = &guide_pages_record},
    {"/api/v1/guide/:wnid", HTTP_GET, .of = &guide_page_record},
    {"/api/v1/guide/:wnid", HTTP_POST, .of = &guide_page_record},
    {"/api/v1/guide/:wnid", HTTP_POST, .of = &guide_page_record, .status = 201},
    {"/api/v1/guide/classes", HTTP_GET, .of = &guide_classes_record},
    {"/api/v1/guide/pages", HTTP_GET, .of = &guide_titles_record},
    {"/api/v1/guide/relations", HTTP_GET, .of = &class_relations_record},
    {"/api/v1/guide/relations", HTTP_POST, .of = &class_relation_record},
    {"/api/v1/guide/relations", HTTP_POST, .of = &class_relation_record, .status = 201},
    {"/api/v1/history", HTTP_GET, .items = true, .of = &history_record},
    {"/api/v1/images", HTTP_GET, .of = &images_record},
    {"/api/v1/images/:image/objects", HTTP_GET, .of = &seen_facts_record},
    {"/api/v1/jobs", HTTP_GET, .items = true, .of = &job_record},
    {"/api/v1/jobs", HTTP_POST, .of = &job_record, .status = 202},
    {"/api/v1/jobs/:job", HTTP_GET, .of = &job_record},
    {"/api/v1/jobs/:job/cancel", HTTP_POST, .of = &job_record, .status = 202},
    {"/api/v1/label-plans", HTTP_GET, .of = &label_plans_record},
    {"/api/v1/label-plans/candidates/:plan", HTTP_GET, .of = &candidate_plan_record},
    {"/api/v1/label-plans/potential/:plan", HTTP_GET, .of = &potential_plan_record},
    {"/api/v1/label-reviews", HTTP_GET, .of = &label_reviews_record},
    {"/api/v1/label-reviews/:list", HTTP_GET, .of = &review_facts_record},
    {"/api/v1/label-reviews/:list/agreement", HTTP_GET, .of = &review_agreement_record},
    {"/api/v1/label-reviews/:list/change", HTTP_POST, .of = &review_summary_record},
    {"/api/v1/label-reviews/:list/images", HTTP_GET, .of = &label_review_images_record},
    {"/api/v1/label-reviews/:list/items/:position", HTTP_GET, .of = &label_review_item_record},
    {"/api/v1/label-reviews/:list/items/:position", HTTP_POST, .of = &label_review_saved_record, .status = 201},
    {"/api/v1/label-reviews/:list/next", HTTP_GET, .of = &label_review_next_record},
    {"/api/v1/label-reviews/:list/items/:position/stand", HTTP_POST, .of = &label_review_saved_record, .status = 201},
    {"/api/v1/label-reviews/new", HTTP_GET, .of = &review_plan_record},
    {"/api/v1/label-reviews/:list/undo", HTTP_POST, .of = &label_review_saved_record},
    {"/api/v1/labels", HTTP_GET, .of = &label_sources_record},
    {"/api/v1/labels", HTTP_POST, .of = &label_upload_record},
    {"/api/v1/labels", HTTP_POST, .of = &label_upload_record, .status = 202},
    {"/api/v1/labels/:source", HTTP_GET, .of = &label_details_record},
    {"/api/v1/measures", HTTP_GET, .of = &measures_record},
    {"/api/v1/measures/adjusted", HTTP_GET, .of = &adjusted_record},
    {"/api/v1/measures/classes", HTTP_GET, .of = &measures_classes_record},
    {"/api/v1/measures/classes/:wnid", HTTP_GET, .of = &measures_class_record},
    {"/api/v1/measures/confusions", HTTP_GET, .of = &measures_confusions_record},
    {"/api/v1/measures/cooccurrence", HTTP_GET, .of = &measures_cooccurrence_record},
    {"/api/v1/measures/difficulty", HTTP_GET, .of = &measures_difficulty_record},
    {"/api/v1/measures/fit", HTTP_GET, .of = &measures_fit_record},
    {"/api/v1/measures/images", HTTP_GET, .of = &measures_images_record},
    {"/api/v1/measures/label-errors", HTTP_GET, .of = &measures_label_errors_record},
    {"/api/v1/measures/pairs", HTTP_GET, .of = &measures_pairs_record},
    {"/api/v1/measures/people", HTTP_GET, .of = &measures_people_record},
    {"/api/v1/measures/said", HTTP_GET, .of = &measures_said_record},
    {"/api/v1/measures/statistics", HTTP_GET, .of = &measures_statistics_record},
    {"/api/v1/measures/valid", HTTP_GET, .of = &measures_valid_record},
    {"/api/v1/models", HTTP_GET, .of = &models_record},
    {"/api/v1/models/:model", HTTP_GET, .of = &model_details_record},
    {"/api/v1/models/:model/predictions", HTTP_GET, .of = &predictions_record},
    {"/api/v1/models/:model/sources", HTTP_GET, .of = &sources_record},
    {"/api/v1/models/:model/texts", HTTP_GET, .of = &model_texts_record},
    {"/api/v1/overview", HTTP_GET, .of = &overview_record},
    {"/api/v1/picks", HTTP_GET, .of = &picks_record},
    {"/api/v1/places/:place", HTTP_GET, .of = &place_record},
    {"/api/v1/places/:place/next", HTTP_POST, .of = &next_record},
    {"/api/v1/places/:place/proof", HTTP_POST, .of = &place_proved_record},
    {"/api/v1/changes", HTTP_GET, .of = &changes_record},
    {"/api/v1/objects", HTTP_GET, .of = &objects_record},
    {"/api/v1/plans", HTTP_GET, .of = &plans_record},
    {"/api/v1/scores", HTTP_GET, .of = &scores_record},
    {"/api/v1/sets", HTTP_GET, .of = &sets_record},
    {"/api/v1/sets/:set/:revision", HTTP_GET, .of = &revision_images_record},
    {"/api/v1/sets/:set/:revision/audit", HTTP_GET, .of = &audit_record},
    {"/api/v1/sets/:set/:revision/average", HTTP_GET, .of = &average_record},
    {"/api/v1/sets/:set/:revision/bias", HTTP_GET, .of = &bias_record},
    {"/api/v1/sets/:set/:revision/differences", HTTP_GET, .of = &differences_record},
    {"/api/v1/sets/:set/:revision/discriminator", HTTP_GET, .of = &discriminator_reply_record},
    {"/api/v1/sets/:set/:revision/review", HTTP_GET, .of = &review_record},
    {"/api/v1/sets/:set/:revision/state", HTTP_POST, .of = &revision_record},
    {"/api/v1/sets/:set/diff", HTTP_GET, .of = &diff_record},
    {"/api/v1/sets/new", HTTP_GET, .of = &plan_part_record},
    {"/api/v1/subsets", HTTP_GET, .of = &named_subsets_record},
    {"/api/v1/subsets/:subset", HTTP_GET, .of = &named_subsets_record},
    {"/api/v1/superclasses", HTTP_GET, .of = &superclasses_list_record},
    {"/api/v1/tokens", HTTP_GET, .items = true, .of = &token_record},
    {"/api/v1/tokens", HTTP_POST, .of = &token_made_record, .status = 201},
    {"/api/v1/tokens/:token", HTTP_DELETE, .status = 204},
    {"/api/v1/training", HTTP_GET, .of = &training_record},
    {"/api/v1/training", HTTP_POST, .of = &training_made_record, .status = 201},
    {"/api/v1/training/:list", HTTP_GET, .of = &training_facts_record},
    {"/api/v1/training/:list/items/:position", HTTP_GET, .of = &training_item_record},
    {"/api/v1/training/:list/items/:position", HTTP_POST, .of = &training_item_record, .status = 201},
    {"/api/v1/training/:list/items/:position/suggest", HTTP_POST, .of = &training_item_record, .status = 201},
    {"/api/v1/training/:list/next", HTTP_GET, .of = &training_next_record},
    {"/api/v1/views", HTTP_GET, .items = true, .of = &view_record},
    {0},
};
/* clang-format on */

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

static json_t *shape_schema(const struct shape *s)
{
    json_t *one = schema_ref(s->of->name);
    if (!s->items) {
        return one;
    }
    json_t *items = object(field_text("type", "array"), field_text("description", "The items from the cursor on."),
                           field_json("items", one));
    json_t *list = object(field_text("type", "object"), field_json("required", list(json_string("items"))),
                          field_json("properties", object(field_json("items", items))));
    return object(field_json("allOf", list(schema_ref(cursor_record.name), list)));
}

static json_t *reply_content(const char *type, json_t *schema)
{
    return object(field_json(type, object(field_json("schema", schema))));
}

static json_t *shape_reply(const struct shape *s)
{
    bool refused = s->status >= 400;
    json_t *reply = object(field_text("description", refused ? s->of->about : "Done."));
    if (s->of) {
        json_object_set_new(reply, "content",
                            reply_content(refused ? "application/problem+json" : "application/json", shape_schema(s)));
    }
    return reply;
}

/* Every status that is described; `responses` belongs to the caller. */
static void add_replies(json_t *responses, const struct route *r)
{
    bool done = false;
    for (const struct shape *s = shapes; s->pattern; s++) {
        if (s->method == r->method && strcmp(s->pattern, r->pattern) == 0) {
            char status[8];
            snprintf(status, sizeof status, "%d", s->status ? s->status : 200);
            json_object_set_new(responses, status, shape_reply(s));
            done = true;
        }
    }
    if (!done) {
        json_object_set_new(responses, "200", object(field_text("description", "Done.")));
    }
}

static json_t *openapi_operation(const struct route *r, json_t *parameters)
{
    json_t *problem = object(field_text("description", "RFC 9457 problem."),
                             field_json("content", reply_content("application/problem+json", schema_ref("problem"))));
    json_t *responses = json_object();
    add_replies(responses, r);
    json_object_set_new(responses, "default", problem);
    json_t *op = object(field_text("summary", r->summary), field_text("x-role", role_name(r->role)),
                        field_json("parameters", parameters), field_json("responses", responses));
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

static void add_schema(json_t *schemas, const struct record *r);

/* What a record lists and holds; records whose fields stand among its own are in its schema. */
static void add_inner(json_t *schemas, const struct record *r)
{
    for (const struct record_field *f = r->fields; f->name || f->of; f++) {
        if (f->of && f->kind == RECORD_BESIDE) {
            add_inner(schemas, f->of);
        } else if (f->of) {
            add_schema(schemas, f->of);
        }
    }
}

static void add_schema(json_t *schemas, const struct record *r)
{
    if (!json_object_get(schemas, r->name)) {
        json_object_set_new(schemas, r->name, record_schema(r));
        add_inner(schemas, r);
    }
}

static json_t *openapi_schemas(void)
{
    json_t *schemas = json_object();
    add_schema(schemas, &problem_record);
    add_schema(schemas, &cursor_record);
    for (const struct shape *s = shapes; s->pattern; s++) {
        if (s->of) {
            add_schema(schemas, s->of);
        }
    }
    return schemas;
}

static json_t *openapi_paths(struct arena *a)
{
    json_t *paths = json_object();
    for (size_t i = 0; i < routes_count; i++) {
        const struct route *r = &routes[i];
        if (strncmp(r->pattern, "/api/", 5) != 0) {
            continue;
        }
        json_t *parameters = json_array();
        const char *path = openapi_path(a, r->pattern, parameters);
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
    return paths;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char *description; /* the same for as long as the program runs */

static void describe(void)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    json_t *token = object(field_text("type", "http"), field_text("scheme", "bearer"));
    json_t *all = object(
        field_text("openapi", "3.0.3"),
        field_json("info", object(field_text("title", "holdout"), field_text("version", HOLDOUT_VERSION))),
        field_json("paths", openapi_paths(&a)),
        field_json("components", object(field_json("schemas", openapi_schemas()),
                                        field_json("securitySchemes", object(field_json("token", token))))));
    description = json_dumps(all, JSON_COMPACT);
    BUG_IF(!description);
    json_decref(all);
    arena_release(&a);
}

/* GET /api/openapi.json: made once from the route table and the records, so that it cannot lie about them. */
enum err_code api_openapi(struct ctx *c)
{
    pthread_once(&once, describe);
    return reply_json_text(c, 200, description);
}
