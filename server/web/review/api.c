/* api.c - decisions about the images of a class as JSON. Whoever decides names the
 * version that they have seen in If-Match; who was slower is told what changed, by whom and when,
 * and nothing of theirs is stored; who was overtaken in the last moment is told the version alone.
 * Rows in routes.c. */
#include <string.h>

#include "base/clock.h"
#include "http/etag.h"
#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/decided_data.h"
#include "web/review/decide.h"

enum { DECISIONS_MOST = 100, CHANGES_TOLD = 10 };

static const char *version_tag(struct ctx *c, int64_t version)
{
    return arena_printf(c->arena, "\"%016llx\"", (unsigned long long)version);
}

/* The ETag is the version itself, not a hash of the bytes: it is what If-Match is made from. */
static void version_headers(struct ctx *c, int64_t version)
{
    response_header(c->res, "ETag", version_tag(c, version));
    response_header(c->res, "Cache-Control", "private, no-cache");
}

struct decisions {
    int64_t version;
    json_t *items;
};
#define OF(member) RECORD_OF(struct decisions, member)
RECORD(class_decisions_record, struct decisions, "class_decisions", "Decisions about the images of a class.",
       {"version", OF(version), .about = "The version of the class, which the reply's ETag has: for If-Match."},
       {"items", OF(items), RECORD_LIST, .of = &decided_record, .about = "The decisions, newest first."});
#undef OF

/* GET /api/v1/classes/:wnid/decisions?after=&limit= */
enum err_code api_class_decisions(struct ctx *c)
{
    struct class_info k;
    struct cursor at;
    int64_t version = 0;
    if (cursor_read(c, "after", DECISIONS_MOST, DECISIONS_MOST, &at) != OK ||
        classes_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK ||
        class_version(c->db, k.id, &version, &c->err) != OK) {
        return c->err.code;
    }
    if (etag_known(request_header(c->req, "If-None-Match"), version_tag(c, version)) && !at.from) {
        version_headers(c, version);
        c->res->status = 304;
        return OK;
    }
    json_t *items = decided_list_json(c, k.id, at.from, at.limit);
    if (!items) {
        return c->err.code;
    }
    version_headers(c, version);
    return reply_json(c, 200, record_json(&class_decisions_record, &(const struct decisions){version, items}));
}

struct changed {
    json_t *problem;
    int64_t version;
    json_t *changes;
};
#define OF(member) RECORD_OF(struct changed, member)
RECORD(class_changed_record, struct changed, "class_changed", "Somebody else has decided about the class meanwhile.",
       {.kind = RECORD_BESIDE, OF(problem), .of = &problem_record},
       {"version", OF(version), .about = "The version of the class now, for If-Match."},
       {"changes", OF(changes), RECORD_LIST, .maybe = true, .absent = true, .of = &decided_record,
        .about = "What others decided since, newest first; left out where they were faster by a moment."});
#undef OF

/* 412; takes `changes` over: what others decided since, NULL where nobody has looked yet. */
static enum err_code reply_changed(struct ctx *c, int64_t version, const struct err *why,
                                   json_t *changes)
{
    const struct changed said = {reply_problem(c, 412, "Somebody else has changed this", why), version, changes};
    version_headers(c, version);
    enum err_code rc = reply_json(c, 412, record_json(&class_changed_record, &said));
    c->res->content_type = "application/problem+json";
    return rc;
}

struct made {
    int64_t version;
    json_t *decision;
};
#define OF(member) RECORD_OF(struct made, member)
RECORD(class_decision_made_record, struct made, "class_decision_made", "What became of a decision about images of a class.",
       {"version", OF(version), .about = "The version of the class now, for If-Match."},
       {"decision", OF(decision), .maybe = true, .of = &decided_record, .about = "The decision; null: it changed nothing."});
#undef OF

static enum err_code reply_made(struct ctx *c, int64_t id, int64_t before)
{
    struct decided made;
    struct made reply = {id, NULL};
    if (id != before) {
        reply.decision = class_decisions_get(c->db, id, c->arena, &made, &c->err) == OK
                             ? decided_json(c, &made)
                             : NULL;
        if (!reply.decision) {
            return c->err.code;
        }
    }
    version_headers(c, id);
    return reply_json(c, id != before ? 201 : 200, record_json(&class_decision_made_record, &reply));
}

/* Slow step: reads the request, and says what changed while nothing has to be written: that may be
 * a lot, and is not for the writer's thread. */
enum err_code api_class_decision_check(struct ctx *c)
{
    struct class_choice *choice = arena_alloc(c->arena, sizeof *choice);
    int64_t version = 0;
    struct err why = {.code = OK};
    c->state = choice;
    if (class_choice_json(c, choice) != OK) {
        return c->err.code;
    }
    enum err_code rc = class_decisions_check(c->db, &choice->d, choice->seen, &version, &why);
    if (rc != ERR_CONFLICT) {
        c->err = why;
        return rc;
    }
    json_t *changes = decided_list_json(c, choice->k.id, choice->seen, CHANGES_TOLD);
    return changes ? reply_changed(c, version, &why, changes) : c->err.code;
}

/* POST /api/v1/classes/:wnid/decisions: web/review/decide.h */
enum err_code api_class_decision_create(struct ctx *c)
{
    const struct class_choice *choice = c->state;
    int64_t before = 0, id = 0;
    if (class_version(c->db, choice->k.id, &before, &c->err) != OK) {
        return c->err.code;
    }
    enum err_code rc = class_decisions_write(c->db, &choice->d, choice->seen, c->user.account,
                                             clock_wall_ms(), &id, &c->err);
    if (rc == ERR_CONFLICT && strcmp(c->err.rule, "class-changed") == 0) {
        struct err why = c->err;
        err_clear(&c->err);
        return reply_changed(c, before, &why, NULL);
    }
    return rc == OK ? reply_made(c, id, before) : rc;
}
