/* state.c - what is done with a revision as a whole: unsealing, freezing and
 * releasing it, each with a reason that stands in reports and manifests, and exporting it. Rows in
 * routes.c; the forms are on its page. */
#include "base/clock.h"
#include "sets/revisions/seal_check.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"
#include "web/parts/set_data.h"

static bool state_named(struct sv word, enum revision_state *out)
{
    for (int s = REVISION_UNSEALED; s <= REVISION_RELEASED; s++) {
        if (sv_is(word, revision_state_word((enum revision_state)s))) {
            *out = (enum revision_state)s;
            return true;
        }
    }
    return false;
}

/* Frozen first: what is released was final for its makers before it was for everybody. */
static enum err_code change_state(struct ctx *c, struct sv word, struct sv reason,
                                  struct revision_row *r)
{
    enum revision_state state;
    if (set_asked(c, r) != OK) {
        return c->err.code;
    }
    if (!state_named(word, &state)) {
        return err_rule(&c->err, ERR_INPUT, "set-state",
                        "A revision can be unsealed, frozen or released. Nothing was changed.");
    }
    if (state == REVISION_RELEASED && r->state < REVISION_FROZEN) {
        return err_rule(&c->err, ERR_CONFLICT, "set-state",
                        "%s is %s: freeze it before it is released. Nothing was changed.",
                        set_title(c->arena, r), revision_state_word(r->state));
    }
    return seal_state_add(c->db, r->id, state, sv_trim(reason), c->user.account,
                              clock_wall_ms(), &c->err);
}

/* POST /sets/:set/:revision/state/:state: reason */
enum err_code page_revision_state(struct ctx *c)
{
    struct revision_row r;
    enum err_code rc = change_state(c, c->req->params[2], form_get(&c->form, "reason"), &r);
    return rc == OK ? reply_did(c, set_url(c->arena, &r), NULL, "%s is " SV_FMT " now. %s",
                                set_title(c->arena, &r), SV_ARG(c->req->params[2]),
                                sv_is(c->req->params[2], "released")
                                    ? "It is published and no longer changes."
                                    : "Models can be scored on it.")
                    : rc;
}

/* POST /api/v1/sets/:set/:revision/state: {state, reason} */
enum err_code api_revision_state(struct ctx *c)
{
    struct revision_row r;
    if (gate_need_json(c) != OK) {
        return c->err.code;
    }
    const char *state = json_string_value(json_object_get(c->json, "state"));
    const char *reason = json_string_value(json_object_get(c->json, "reason"));
    enum err_code rc = change_state(c, sv_of(state ? state : ""), sv_of(reason ? reason : ""), &r);
    rc = rc == OK ? revisions_get(c->db, r.id, c->arena, &r, &c->err) : rc;
    json_t *now = rc == OK ? set_data_revision(c, &r) : NULL;
    return now ? reply_json(c, 200, now) : c->err.code;
}

/* POST /sets/:set/:revision/export: link, pool */
enum err_code page_revision_export(struct ctx *c)
{
    static const char *const switches[] = {"link", "pool"};
    struct revision_row r;
    struct job_given given[4];
    size_t n = 0;
    int64_t id;
    if (set_asked(c, &r) != OK) {
        return c->err.code;
    }
    given[n++] = (struct job_given){SV("set"), sv_of(set_title(c->arena, &r))};
    given[n++] = (struct job_given){SV("format"), SV("folder")};
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (form_get(&c->form, switches[i]).n) {
            given[n++] = (struct job_given){sv_of(switches[i]), SV("true")};
        }
    }
    enum err_code rc = job_start(c, SV("export set"), given, n, SV(""), &id);
    return rc == OK ? reply_did(c, job_url(c->arena, id), NULL, "The export has started.") : rc;
}
