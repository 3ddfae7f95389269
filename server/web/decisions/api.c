/* api.c - decisions as JSON: preview, make, undo, go on, read. Rows in routes.c. */
#include "study/decision_data.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/decisions/write.h"

enum { LIMIT_DEFAULT = 50, LIMIT_MOST = 200 };

static struct sv member(const struct ctx *c, const char *name)
{
    const json_t *v = json_object_get(c->json, name);
    return sv_make(json_is_string(v) ? json_string_value(v) : "", json_string_length(v));
}

static enum err_code changed(struct ctx *c)
{
    return err_rule(&c->err, ERR_CONFLICT, "decision-changed",
                    "What this would change is not what the preview said any more. Nothing was "
                    "changed; ask for a preview again and send its digest.");
}

struct decision_reply {
    json_t *decision, *preview;
    int64_t changed;
};

#define OF(member) RECORD_OF(struct decision_reply, member)
RECORD(decision_made_record, struct decision_reply, "decision_made", "A decision that was made, or would be.",
       {"decision", OF(decision), .maybe = true, .of = &decision_record,
        .about = "What was decided; null: a preview, or nothing would change."},
       {"changed", OF(changed), .about = "Answers or places that it changed."},
       {"preview", OF(preview), .of = &draft_record, .about = "What it changes."});
#undef OF

static enum err_code reply_made(struct ctx *c, const struct draft *draft,
                                const struct decision_made *made)
{
    struct decision d;
    json_t *decision = json_null(), *preview = draft_json(c->db, draft, c->arena, &c->err);
    if (!preview) {
        return c->err.code;
    }
    if (made->id) {
        enum err_code rc = decisions_get(c->db, made->id, c->arena, &d, &c->err);
        decision = rc == OK ? decision_json(c->db, &d, c->arena, &c->err) : NULL;
    }
    if (!decision) {
        json_decref(preview);
        return c->err.code;
    }
    const struct decision_reply reply = {decision, preview, made->id ? draft->d.subjects : 0};
    return reply_json(c, made->id ? 201 : 200, record_json(&decision_made_record, &reply));
}

static enum err_code reply_preview(struct ctx *c, const struct choice *choice)
{
    struct draft draft;
    enum err_code rc = decision_draft(c, choice, &draft);
    const struct decision_reply reply = {.preview = rc == OK ? draft_json(c->db, &draft, c->arena, &c->err) : NULL};
    draft_release(&draft);
    return reply.preview ? reply_json(c, 200, record_json(&decision_made_record, &reply)) : c->err.code;
}

/* POST /api/v1/decisions: field, value, people, places, answer, view, fit, campaign, before, reason,
 * reopen, bonus; preview: true, or digest of an earlier preview */
enum err_code api_decision_create(struct ctx *c)
{
    struct choice choice;
    struct draft draft = {.n_money = 0};
    struct decision_made made;
    if (gate_need_json(c) != OK || choice_json(c->json, c->arena, &choice, &c->err) != OK ||
        decision_need_choice(c, &choice) != OK) {
        return c->err.code;
    }
    if (json_is_true(json_object_get(c->json, "preview"))) {
        return reply_preview(c, &choice);
    }
    if (decisions_reason(choice.reason, &c->err) != OK) {
        return c->err.code;
    }
    enum err_code rc = decision_make(c, &choice, member(c, "digest"), &draft, &made);
    if (rc == OK) {
        rc = made.changed ? changed(c) : reply_made(c, &draft, &made);
    }
    draft_release(&draft);
    return rc;
}

/* POST /api/v1/decisions/:decision/undo: reason; preview: true, or digest */
enum err_code api_decision_undo(struct ctx *c)
{
    struct draft draft = {.n_money = 0};
    struct decision_made made = {0, false};
    int64_t id = 0;
    if (decision_asked(c, &id) != OK || gate_need_json(c) != OK) {
        return c->err.code;
    }
    if (json_is_true(json_object_get(c->json, "preview"))) {
        struct choice choice = {.undo = id, .value = DECISION_UNDO};
        return reply_preview(c, &choice);
    }
    enum err_code rc = decision_undo(c, id, member(c, "reason"), member(c, "digest"), &draft, &made);
    if (rc == OK) {
        rc = made.changed ? changed(c) : reply_made(c, &draft, &made);
    }
    draft_release(&draft);
    return rc;
}

static enum err_code reply_one(struct ctx *c, int64_t id)
{
    struct decision d;
    enum err_code rc = decisions_get(c->db, id, c->arena, &d, &c->err);
    json_t *one = rc == OK ? decision_json(c->db, &d, c->arena, &c->err) : NULL;
    return one ? reply_json(c, 200, one) : c->err.code;
}

/* POST /api/v1/decisions/:decision/continue */
enum err_code api_decision_continue(struct ctx *c)
{
    int64_t id = 0;
    if (decision_asked(c, &id) != OK || decision_continue(c, id) != OK) {
        return c->err.code;
    }
    return reply_one(c, id);
}

/* GET /api/v1/decisions/:decision */
enum err_code api_decision(struct ctx *c)
{
    int64_t id = 0;
    return decision_asked(c, &id) == OK ? reply_one(c, id) : c->err.code;
}

/* GET /api/v1/decisions?before=&limit= */
enum err_code api_decisions(struct ctx *c)
{
    struct decision *list;
    size_t n;
    struct cursor at;
    if (cursor_read(c, "before", LIMIT_DEFAULT, LIMIT_MOST, &at) != OK) {
        return c->err.code;
    }
    const struct decisions_ask ask = {.falling = true, .before = at.from, .most = at.limit + 1};
    if (decisions_list(c->db, &ask, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    bool more = n > at.limit;
    json_t *items = json_array();
    for (size_t i = 0; i < n - more; i++) {
        json_t *one = decision_json(c->db, &list[i], c->arena, &c->err);
        if (!one) {
            json_decref(items);
            return c->err.code;
        }
        json_array_append_new(items, one);
    }
    return reply_items(c, items, more ? list[n - 2].id : 0);
}
