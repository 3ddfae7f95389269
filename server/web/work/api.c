/* api.c - the worker's side as JSON: for the grid page's script, panels and load tests. The
 * rules are study/flow.c's; the tokens in the addresses are the only proof needed. */
#include "json/object.h"
#include "study/flow.h"
#include "study/hold.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/work/shared.h"

/* A text member, empty when absent. ERR_INPUT when it is something else. */
static enum err_code text_member(struct ctx *c, const char *name, struct sv *out)
{
    json_t *v = json_object_get(c->json, name);
    *out = SV("");
    if (v && !json_is_string(v)) {
        return err_rule(&c->err, ERR_INPUT, name, "\"%s\" must be a text.", name);
    }
    if (v) {
        *out = sv_make(json_string_value(v), json_string_length(v));
    }
    return OK;
}

/* "ahead": whether a grid is asked for beside the one that is worked on. */
static enum err_code ahead_member(struct ctx *c, bool *ahead)
{
    json_t *v = json_object_get(c->json, "ahead");
    *ahead = json_is_true(v);
    return !v || json_is_boolean(v)
               ? OK
               : err_rule(&c->err, ERR_INPUT, "ahead", "\"ahead\" must be true or false.");
}

/* Nothing more for this place: the code, if one is due. */
static enum err_code reply_done(struct ctx *c, const struct flow_next *n)
{
    json_t *body = object(field_bool("done", true), field_text("reason", n->reason),
                          field_json("progress", object(field_int("done", n->finished),
                                                        field_int("total", n->total))));
    if (n->code.n) {
        json_object_set_new(body, "code", json_stringn(n->code.p, n->code.n));
    }
    return reply_json(c, 200, body);
}

/* POST /api/v1/places/:place/next */
enum err_code api_place_next(struct ctx *c)
{
    struct place p;
    struct flow_next n;
    bool ahead;
    const struct study study = work_study_of(c);
    if (ahead_member(c, &ahead) != OK || hold_find(&study, c->req->params[0], &p) != OK ||
        (ahead ? flow_next_ahead(&study, &p, &n) : flow_next(&study, &p, &n)) != OK) {
        return c->err.code;
    }
    if (n.done) {
        return reply_done(c, &n);
    }
    return reply_json(
        c, 200,
        object(field_bool("done", false),
               field_text("assignment", flow_token_text(c->arena, n.assignment.token)),
               field_int("cells", n.cells), field_int("lease_until", n.assignment.lease_until),
               field_json("progress",
                          object(field_int("done", n.finished), field_int("total", n.total)))));
}

/* "selected": shown positions, each at most once. */
static enum err_code selected_member(struct ctx *c, uint64_t *mask)
{
    json_t *list = json_object_get(c->json, "selected");
    size_t i;
    json_t *v;
    *mask = 0;
    if (!json_is_array(list)) {
        return err_rule(&c->err, ERR_INPUT, "mask",
                        "\"selected\" must be a list of positions, [] for none.");
    }
    json_array_foreach(list, i, v) {
        json_int_t at = json_integer_value(v);
        if (!json_is_integer(v) || at < 0 || at >= GRID_CELLS || (*mask >> at & 1)) {
            return err_rule(&c->err, ERR_INPUT, "mask",
                            "\"selected\" holds something that is not a position of the grid, or "
                            "one twice (item %zu).", i);
        }
        *mask |= (uint64_t)1 << at;
    }
    return OK;
}

enum { DEVICE_MOST = 1024 };

static enum err_code read_submission(struct ctx *c, struct flow_submission *s)
{
    *s = (struct flow_submission){.active_ms = -1};
    if (gate_need_json(c) != OK || text_member(c, "client_id", &s->client_id) != OK ||
        selected_member(c, &s->shown) != OK) {
        return c->err.code;
    }
    json_t *ms = json_object_get(c->json, "active_ms");
    if (ms && (!json_is_integer(ms) || json_integer_value(ms) < 0)) {
        return err_rule(&c->err, ERR_INPUT, "active-ms", "\"active_ms\" must be a whole number.");
    }
    s->active_ms = ms ? json_integer_value(ms) : -1;
    json_t *device = json_object_get(c->json, "device");
    if (device) {
        char *text = json_is_object(device) ? json_dumps(device, JSON_COMPACT) : NULL;
        s->device = text ? arena_sv(c->arena, sv_of(text)) : SV("");
        free(text);
        if (s->device.n == 0 || s->device.n > DEVICE_MOST) {
            return err_rule(&c->err, ERR_INPUT, "device",
                            "\"device\" must be an object of at most %d bytes.", DEVICE_MOST);
        }
    }
    return OK;
}

/* POST /api/v1/assignments/:assignment/answer */
enum err_code api_answer_create(struct ctx *c)
{
    unsigned char token[WORK_TOKEN];
    struct assignment as;
    struct flow_submission s;
    int64_t event;
    bool surplus;
    const struct study study = work_study_of(c);
    if (read_submission(c, &s) != OK || flow_token(c->req->params[0], token, &c->err) != OK ||
        work_assignment_find(c->db, token, c->arena, &as, &c->err) != OK ||
        flow_submit(&study, &as, &s, &event, &surplus) != OK) {
        return c->err.code;
    }
    return reply_json(
        c, 200,
        object(field_text("status", surplus ? "surplus" : "stored"), field_int("event", event)));
}

/* POST /api/v1/assignments/:assignment/extend */
enum err_code api_assignment_extend(struct ctx *c)
{
    unsigned char token[WORK_TOKEN];
    struct assignment as;
    int64_t until;
    const struct study study = work_study_of(c);
    if (flow_token(c->req->params[0], token, &c->err) != OK ||
        work_assignment_find(c->db, token, c->arena, &as, &c->err) != OK ||
        flow_extend(&study, &as, &until) != OK) {
        return c->err.code;
    }
    return reply_json(c, 200, object(field_int("lease_until", until)));
}

/* GET /api/v1/assignments/:assignment: for a page that does not know whether its answer came. */
enum err_code api_assignment(struct ctx *c)
{
    struct assignment as;
    struct flow_outcome w;
    const struct study study = work_study_of(c);
    if (work_assignment_named(c, &as) != OK || flow_outcome(&study, &as, &w) != OK) {
        return c->err.code;
    }
    json_t *body = object(field_bool("answered", w.state != NULL), field_text("state", w.state),
                          field_int("lease_until", as.lease_until),
                          field_int("cells", work_cells(c, as.grid)));
    if (w.rule.n) {
        json_object_set_new(body, "rule", json_stringn(w.rule.p, w.rule.n));
    }
    return reply_json(c, 200, body);
}
