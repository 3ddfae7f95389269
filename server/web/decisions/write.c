/* write.c - making decisions on the server. */
#include "web/decisions/write.h"

#include "base/clock.h"

enum { PIECE_MS = 2 };

/* ---- the draft ---- */

enum err_code decision_draft(struct ctx *c, const struct choice *choice, struct draft *out)
{
    struct draft_ask ask = {.db = c->db, .tally = app_tally(c->app), .arena = c->arena,
                            .choice = choice};
    *out = (struct draft){.n_money = 0};
    enum err_code rc = OK;
    if (choice->fit) {
        const struct stats *s = stats_get(app_stats(c->app));
        rc = draft_fit(&ask, app_people(c->app), s, &c->err);
        stats_put(app_stats(c->app), s);
    }
    return rc == OK ? draft_make(&ask, out, &c->err) : rc;
}

/* ---- writing ---- */

struct op {
    struct app *app;
    struct draft_writing *w;
};

static enum err_code create_step(struct db *db, void *arg, struct err *err)
{
    const struct op *o = arg;
    return draft_create(db, o->w, err);
}

/* May run twice: what is missing is asked of the database. The desk is told last. */
static enum err_code piece_step(struct db *db, void *arg, struct err *err)
{
    const struct op *o = arg;
    struct draft_writing *w = o->w;
    struct desk *desk = app_desk(o->app);
    desk_expire(desk, w->now);
    enum err_code rc =
        decisions_write(db, &w->work, w->account, w->now, PIECE_MS, &w->piece, err);
    for (size_t i = 0; i < w->piece.n_reopened && rc == OK; i++) {
        desk_reopened(desk, &w->piece.reopened[i]);
    }
    return rc;
}

static enum err_code write_rest(struct ctx *c, struct draft_writing *w)
{
    struct op o = {c->app, w};
    enum err_code rc = decisions_load(c->db, w->id, c->arena, &w->work, &c->err);
    for (w->piece.more = true; rc == OK && w->piece.more;) {
        w->now = clock_wall_ms();
        rc = writer_call(app_writer(c->app), piece_step, &o, &c->err);
    }
    if (rc == ERR_BUSY || rc == ERR_FULL || rc == ERR_IO) {
        err_clear(&c->err);
        return err_rule(&c->err, rc, "decision-cut-off",
                        "Decision %lld is stored, but only some of its rows are written. Finish it or undo "
                        "it on the page Decisions.",
                        (long long)w->id);
    }
    return rc;
}

struct asked {
    struct ctx *c;
    const struct choice *choice;
};

static enum err_code look(void *arg, struct draft *out, struct err *err)
{
    const struct asked *asked = arg;
    (void)err; /* the exchange's own */
    return decision_draft(asked->c, asked->choice, out);
}

static enum err_code create(void *arg, struct draft_writing *w, struct err *err)
{
    const struct asked *asked = arg;
    struct op o = {asked->c->app, w};
    return writer_call(app_writer(asked->c->app), create_step, &o, err);
}

enum err_code decision_make(struct ctx *c, const struct choice *choice, struct sv digest,
                            struct draft *draft, struct decision_made *out)
{
    struct asked asked = {c, choice};
    const struct deciding d = {.look = look, .create = create, .arg = &asked,
                               .account = c->user.account, .digest = digest};
    enum err_code rc = decision_store(&d, draft, out, &c->err);
    return rc == OK && out->id ? decision_continue(c, out->id) : rc;
}

enum err_code decision_continue(struct ctx *c, int64_t id)
{
    struct draft_writing w = {.id = id, .account = c->user.account};
    return write_rest(c, &w);
}

enum err_code decision_undo(struct ctx *c, int64_t id, struct sv reason, struct sv digest,
                            struct draft *draft, struct decision_made *made)
{
    struct choice choice = {.undo = id, .value = DECISION_UNDO, .reason = sv_trim(reason)};
    choice_usual_reason(&choice, c->arena);
    return decision_make(c, &choice, digest, draft, made);
}

/* ---- what was asked ---- */

enum err_code decision_asked(struct ctx *c, int64_t *id)
{
    return sv_i64(c->req->params[0], id) && *id > 0
               ? OK
               : err_rule(&c->err, ERR_NOT_FOUND, "no-decision", "There is no such decision.");
}

enum err_code decision_need_choice(struct ctx *c, const struct choice *choice)
{
    return choice_any(choice)
               ? OK
               : err_rule(&c->err, ERR_INPUT, "decision-choice",
                          "Nothing is chosen. Nothing was changed; name people, participants, an answer or a "
                          "view.");
}
