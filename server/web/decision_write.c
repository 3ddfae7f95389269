/* decision_write.c - making decisions on the server. */
#include "web/decision_write.h"

#include <string.h>

#include "base/clock.h"
#include "store/workers.h"

enum { PIECE_MS = 2, TRIES = 5 };

/* ---- the draft ---- */

/* People of a list, as the page of people shows it. */
static enum err_code find_fit(struct ctx *c, const struct choice *choice, struct draft_ask *ask)
{
    struct people_ask people;
    struct people_row *rows;
    enum err_code rc = people_words_ask(&choice->words, &people, &c->err);
    if (rc == OK && choice->words.query.n) {
        rc = workers_search(c->db, choice->words.query, &people.only, &c->err);
    }
    if (rc != OK || people.only < 0) {
        return rc;
    }
    const struct stats *s = stats_get(app_stats(c->app));
    rc = people_find(app_people(c->app), c->db, app_tally(c->app), s, &people, c->arena, &rows,
                     &ask->n_fit, &c->err);
    stats_put(app_stats(c->app), s);
    int64_t *fit = arena_alloc(c->arena, (ask->n_fit + 1) * sizeof *fit);
    for (size_t i = 0; i < ask->n_fit && rc == OK; i++) {
        fit[i] = rows[i].person;
    }
    ask->fit = fit;
    return rc;
}

enum err_code decision_draft(struct ctx *c, const struct choice *choice, struct draft *out)
{
    struct draft_ask ask = {.db = c->db, .tally = app_tally(c->app), .arena = c->arena,
                            .choice = choice};
    *out = (struct draft){.n_money = 0};
    enum err_code rc = choice->fit ? find_fit(c, choice, &ask) : OK;
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
                        "Decision %lld is stored, but its rows are written in part only. Go on with "
                        "it or take it back on the page of decisions.",
                        (long long)w->id);
    }
    return rc;
}

static enum err_code create(struct ctx *c, struct draft_writing *w)
{
    struct op o = {c->app, w};
    return writer_call(app_writer(c->app), create_step, &o, &c->err);
}

enum err_code decision_make(struct ctx *c, const struct choice *choice, struct sv digest,
                            struct draft *draft, struct decision_made *out)
{
    enum err_code rc = ERR_CONFLICT;
    *out = (struct decision_made){0, false};
    for (int i = 0; i < TRIES; i++) {
        struct draft_writing w = {.draft = draft, .account = c->user.account,
                                  .now = clock_wall_ms()};
        rc = decision_draft(c, choice, draft);
        if (rc != OK) {
            return rc;
        }
        out->changed = digest.n && !sv_is(digest, draft->digest);
        if (out->changed || draft->d.subjects == 0) {
            return OK;
        }
        rc = create(c, &w);
        if (rc == OK) {
            out->id = w.id;
            return write_rest(c, &w);
        }
        if (rc != ERR_CONFLICT || strcmp(c->err.rule, "decision-changed") != 0 || i + 1 == TRIES) {
            break;
        }
        err_clear(&c->err); /* somebody decided between looking and writing: look again */
        draft_release(draft);
    }
    return rc;
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
    if (choice.reason.n == 0) {
        choice.reason = sv_of(arena_printf(c->arena, "undo of decision %lld", (long long)id));
    }
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
                          "Nobody and nothing is chosen: name people, participants, an answer or a "
                          "view. Nothing was changed.");
}
