/* api.c - the worker's side as JSON: for the grid page's script, panels and load tests. The
 * rules are study/flow.c's; the tokens in the addresses are the only proof needed. */
#include "study/flow.h"
#include "study/hold.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/work/options.h"
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

struct next_reply {
    struct flow_next n;
    const char *assignment;
    struct work_options options;
    struct grids_done progress;
};

#define OF(member) RECORD_OF(struct next_reply, member)
RECORD(next_record, struct next_reply, "next_grid", "The next grid of a place, or that there is none.",
       {"done", OF(n.done), .about = "Whether there is nothing more to do."},
       {"reason", OF(n.reason), .maybe = true, .absent = true,
        .about = "Why: finished, share, none-left, not-open, blocked, left or lapsed; not there with a grid."},
       {"assignment", OF(assignment), .maybe = true, .absent = true,
        .about = "The token of the assignment, by which it is answered; not there without a grid."},
       {"cells", OF(n.cells), .maybe = true, .absent = true, .about = "How many photos the grid has."},
       {"options", RECORD_ROWS(struct next_reply, options.list, options.n), .maybe = true, .absent = true, .of = &option_record,
        .about = "Of a CLASSIFY task: the labels to choose among, as shown; not there of CONTAINS."},
       {"lease_until", OF(n.assignment.lease_until), .maybe = true, .absent = true,
        .about = "Until when it is reserved, in milliseconds since 1970."},
       {"progress", RECORD_PART(struct next_reply, progress), .of = &grids_done_record, .about = "Grids of the place."},
       {"code", OF(n.code), .maybe = true, .absent = true, .about = "The completion code, when one is due."});
#undef OF

/* POST /api/v1/places/:place/next */
enum err_code api_place_next(struct ctx *c)
{
    struct place p;
    struct next_reply next = {0};
    struct flow_next *n = &next.n;
    bool ahead;
    const struct study study = work_study_of(c);
    if (ahead_member(c, &ahead) != OK || hold_find(&study, c->req->params[0], &p) != OK ||
        (ahead ? flow_next_ahead(&study, &p, n) : flow_next(&study, &p, n)) != OK ||
        (!n->done && work_options_of(c, &n->assignment, &next.options) != OK)) {
        return c->err.code;
    }
    next.assignment = n->done ? NULL : flow_token_text(c->arena, n->assignment.token);
    next.progress = (struct grids_done){n->finished, n->total};
    return reply_record(c, 200, &next_record, &next);
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

/* "main": the shown position of the main object's label, of a CLASSIFY task. */
static enum err_code main_member(struct ctx *c, struct flow_submission *s)
{
    json_t *v = json_object_get(c->json, "main");
    json_int_t at = json_integer_value(v);
    if (v && !json_is_null(v) && (!json_is_integer(v) || at < 0 || at >= GRID_OPTIONS)) {
        return err_rule(&c->err, ERR_INPUT, "main-label", "\"main\" must be the position of a label.");
    }
    s->has_main = v && !json_is_null(v);
    s->main = s->has_main ? (unsigned)at : 0;
    return OK;
}

enum { DEVICE_MOST = 1024 };

static enum err_code read_submission(struct ctx *c, struct flow_submission *s)
{
    *s = (struct flow_submission){.active_ms = -1};
    if (gate_need_json(c) != OK || text_member(c, "client_id", &s->client_id) != OK ||
        selected_member(c, &s->shown) != OK || main_member(c, s) != OK) {
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

struct answered {
    const char *status;
    int64_t event;
};

RECORD(answered_record, struct answered, "answered", "An answer that was stored.",
       {"status", RECORD_OF(struct answered, status), .about = "stored, or surplus: it was not wanted any more."},
       {"event", RECORD_OF(struct answered, event), .about = "The answer's number."});

/* POST /api/v1/assignments/:assignment/answer */
enum err_code api_answer_create(struct ctx *c)
{
    unsigned char token[WORK_TOKEN];
    struct assignment as;
    struct flow_submission s;
    struct answered answered;
    bool surplus;
    const struct study study = work_study_of(c);
    if (read_submission(c, &s) != OK || flow_token(c->req->params[0], token, &c->err) != OK ||
        work_assignment_find(c->db, token, c->arena, &as, &c->err) != OK ||
        flow_submit(&study, &as, &s, &answered.event, &surplus) != OK) {
        return c->err.code;
    }
    answered.status = surplus ? "surplus" : "stored";
    return reply_record(c, 200, &answered_record, &answered);
}

struct extended {
    int64_t until;
};

RECORD(extended_record, struct extended, "extended", "A grid that stays reserved.",
       {"lease_until", RECORD_OF(struct extended, until), .about = "Until when, in milliseconds since 1970."});

/* POST /api/v1/assignments/:assignment/extend */
enum err_code api_assignment_extend(struct ctx *c)
{
    unsigned char token[WORK_TOKEN];
    struct assignment as;
    struct extended extended;
    const struct study study = work_study_of(c);
    if (flow_token(c->req->params[0], token, &c->err) != OK ||
        work_assignment_find(c->db, token, c->arena, &as, &c->err) != OK ||
        flow_extend(&study, &as, &extended.until) != OK) {
        return c->err.code;
    }
    return reply_record(c, 200, &extended_record, &extended);
}

struct assignment_reply {
    struct assignment as;
    struct flow_outcome w;
    bool answered;
    unsigned cells;
    struct work_options options;
};

#define OF(member) RECORD_OF(struct assignment_reply, member)
RECORD(assignment_record, struct assignment_reply, "assignment", "What became of a grid that was lent.",
       {"answered", OF(answered), .about = "Whether it was answered."},
       {"state", OF(w.state), .maybe = true, .about = "stored, surplus or out; null: not answered."},
       {"lease_until", OF(as.lease_until), .about = "Until when it is reserved, in milliseconds since 1970."},
       {"cells", OF(cells), .about = "How many photos it has."},
       {"options", RECORD_ROWS(struct assignment_reply, options.list, options.n), .maybe = true, .absent = true, .of = &option_record,
        .about = "Of a CLASSIFY task: the labels to choose among, as shown; not there of CONTAINS."},
       {"rule", OF(w.rule), .maybe = true, .absent = true, .about = "Why the answer does not count; not there if it does."});
#undef OF

/* GET /api/v1/assignments/:assignment: for a page that does not know whether its answer came. */
enum err_code api_assignment(struct ctx *c)
{
    struct assignment_reply r;
    const struct study study = work_study_of(c);
    if (work_assignment_named(c, &r.as) != OK || flow_outcome(&study, &r.as, &r.w) != OK ||
        work_options_of(c, &r.as, &r.options) != OK) {
        return c->err.code;
    }
    r.answered = r.w.state != NULL;
    r.cells = work_cells(c, r.as.grid);
    return reply_record(c, 200, &assignment_record, &r);
}
