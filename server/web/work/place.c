/* place.c - a worker's place: how it stands, what became of every submission, the code, and
 * how to leave. The address is the capability; a cookie only helps who opened an address that proves less
 * than this browser can. Names, roles and classes of
 * images never reach these pages. */
#include <string.h>

#include "json/object.h"
#include "store/people/people.h"
#include "study/end.h"
#include "study/hold.h"
#include "view/people_texts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/work/hold.h"
#include "web/work/shared.h"

/* A text of the catalogue that has no places. */
static const char *say(struct ctx *c, const char *key)
{
    return strings_fill(work_texts(c), c->arena, key, (char *)NULL);
}

static const char *say_of(struct ctx *c, const char *format, const char *word)
{
    char *key = arena_printf(c->arena, "%s%s", format, word);
    for (char *p = key; *p; p++) {
        *p = *p == '-' ? '_' : *p;
    }
    return say(c, key);
}

static bool proves_none_left(struct ctx *c, const struct place *p)
{
    struct sv given = request_query(c->req, "none-left");
    const char *proof = work_none_left(c, p);
    return given.n == strlen(proof) && crypto_equal(given.p, proof, given.n);
}

/* {count, rows [{n, at, state, is_stored, is_surplus, is_out, why}]}, newest first; null for none. */
static enum err_code submissions_json(struct ctx *c, const struct place *p,
                                      const struct end_standing *at, json_t **out)
{
    static const char *const keys[] = {[SUBMISSION_STORED] = "submission_stored",
                                       [SUBMISSION_SURPLUS] = "submission_surplus",
                                       [SUBMISSION_OUT] = "submission_out"};
    struct study_submission *list;
    size_t n = 0;
    if (!at->foreign && studies_submissions(c->db, p->id, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *rows = json_array();
    for (size_t i = n; i-- > 0;) {
        const struct study_submission *s = &list[i];
        const char *key = keys[s->state];
        bool out_of_it = s->state == SUBMISSION_OUT;
        const char *why = out_of_it ? strings_fill(work_texts(c), c->arena, "submission_out_why",
                                                   "why", arena_cstr(c->arena, s->rule),
                                                   (char *)NULL)
                                    : say_of(c, key, "_why");
        object_add(rows, field_count("n", i + 1), field_text("at", people_minute(c->arena, s->at)),
                   field_text("state", say(c, key)), field_text("why", why),
                   field_bool("is_stored", s->state == SUBMISSION_STORED),
                   field_bool("is_surplus", s->state == SUBMISSION_SURPLUS),
                   field_bool("is_out", out_of_it));
    }
    *out = n ? object(field_text("count",
                                 strings_count(work_texts(c), c->arena, "submissions", (int64_t)n)),
                      field_json("rows", rows))
             : json_null();
    if (n == 0) {
        json_decref(rows);
    }
    return OK;
}

/* Heading and message of a place; heading NULL: the study's title. */
struct place_words {
    const char *heading, *message;
};

static struct place_words place_words(struct ctx *c, const struct end_standing *at)
{
    const char *word = end_stand_word(at->at);
    if (at->withheld) {
        return (struct place_words){say(c, "place_withheld"), say(c, "place_more_withheld")};
    }
    bool some = at->answered > 0;
    switch (at->at) {
    case STAND_LEFT: {
        const char *outcome = study_outcome_name(at->outcome);
        return (struct place_words){say_of(c, "ended_", outcome),
                                    say_of(c, "ended_more_", outcome)};
    }
    case STAND_READY:
        return (struct place_words){NULL, say(c, some ? "place_ready_again" : "place_ready")};
    case STAND_WAITING: return (struct place_words){NULL, say(c, "place_waiting")};
    case STAND_PAUSED:
    case STAND_CLOSED:
        return (struct place_words){say_of(c, "place_", word),
                                    say_of(c, some ? "place_some_" : "place_none_", word)};
    case STAND_DONE:
    case STAND_NONE_LEFT:
    case STAND_LAPSED:
    case STAND_BLOCKED:
    case STANDS: break;
    }
    return (struct place_words){say_of(c, "place_", word), say_of(c, "place_more_", word)};
}

/* Whether leaving still makes a difference. */
static bool can_stop(const struct end_standing *at)
{
    return !at->ended && (end_stand_goes_on(at->at) || at->at == STAND_PAUSED);
}

/* For somebody whose place has ended and whose id is gone, or was never told. */
static const char *forgotten(struct ctx *c, bool known, bool ended)
{
    return ended && !known ? say(c, "place_forgotten") : NULL;
}

/* GET /work/place/:place */
enum err_code page_work_place(struct ctx *c)
{
    struct work_place w;
    bool known;
    struct end_standing at;
    json_t *submissions = NULL;
    if (work_place_named(c, &w) != OK) {
        return c->err.code;
    }
    const struct study study = work_study_of(c);
    bool none_left = proves_none_left(c, &w.place);
    if (hold_by_kept(&study, &w.place, NULL) != OK ||
        end_standing(&study, &w.place, &w.campaign, &w.study, none_left, &at) != OK ||
        people_known(c->db, w.place.person, &known, &c->err) != OK ||
        submissions_json(c, &w.place, &at, &submissions) != OK) {
        return c->err.code;
    }
    struct place_words words = place_words(c, &at);
    bool next = end_stand_goes_on(at.at);
    const char *self = work_place_url(c, &w.place);
    const char *heading = words.heading ? words.heading : arena_cstr(c->arena, w.campaign.title);
    json_t *page = object(
        field_text("heading", heading), field_json("code", work_code_json(c, &w.study, at.code)),
        field_text("action_next", next ? arena_printf(c->arena, "%s/next", self) : NULL),
        field_json("progress", work_progress(c, at.answered, at.allowed)),
        field_text("message", words.message),
        field_text("forgotten", forgotten(c, known, !can_stop(&at) && !at.foreign)),
        field_text("leave_url", can_stop(&at) || known || at.foreign
                                    ? arena_printf(c->arena, "%s/leave", self)
                                    : NULL),
        field_bool("can_stop", can_stop(&at)), field_json("submissions", submissions));
    return reply_page(c, 200, "work/place", heading, page);
}

/* ------------------------------------------------------------------ leaving */

/* For a secret that proves nothing: what it takes to leave, or to see the code. */
static enum err_code proof_page(struct ctx *c, int status, const struct work_place *w,
                                struct sv typed, bool wrong)
{
    const char *self = work_place_url(c, &w->place);
    json_t *page = object(
        field_text("back_url", self),
        field_text("action", arena_printf(c->arena, "%s/proof", self)),
        field_text("contact", w->study.contact.n ? arena_cstr(c->arena, w->study.contact) : NULL),
        field_sv("code", typed), field_text("error", wrong ? say(c, "proof_wrong") : NULL));
    return reply_page(c, status, "work/proof", say(c, "proof"), page);
}

/* POST /work/place/:place/proof, before the write: how often an address may guess. */
enum err_code page_work_proof_check(struct ctx *c)
{
    return app_rate(c->app, RATE_PROOF, c->req->address, &c->retry_after_s)
               ? OK
               : err_set(&c->err, ERR_RATE,
                         "Too many codes were tried from this address. Please try again later.");
}

/* POST /work/place/:place/proof: code */
enum err_code page_work_proof(struct ctx *c)
{
    struct work_place w;
    if (work_place_named(c, &w) != OK) {
        return c->err.code;
    }
    struct sv code = sv_trim(form_get(&c->form, "code"));
    const struct study study = work_study_of(c);
    enum err_code rc = hold_prove(&study, &w.place, code);
    if (rc == ERR_DENIED) {
        err_clear(&c->err);
        return proof_page(c, 400, &w, code, true);
    }
    if (rc == OK) {
        work_hold_keep(c, &w.place);
        rc = reply_redirect(c, work_place_url(c, &w.place));
    }
    return rc;
}

static enum err_code leave_page(struct ctx *c, int status, const struct work_place *w,
                                bool need_sure)
{
    struct end_standing at;
    bool known;
    const struct study study = work_study_of(c);
    if (end_standing(&study, &w->place, &w->campaign, &w->study, false, &at) != OK ||
        people_known(c->db, w->place.person, &known, &c->err) != OK) {
        return c->err.code;
    }
    const char *self = work_place_url(c, &w->place);
    bool partial = at.answered >= w->study.partial_grids;
    const char *need = strings_count(work_texts(c), c->arena, "leave_stop_few",
                                     w->study.partial_grids);
    json_t *page = object(
        field_text("back_url", self),
        field_text("action", arena_printf(c->arena, "%s/leave", self)),
        field_json("progress", work_progress(c, at.answered, at.allowed)),
        field_bool("can_stop", can_stop(&at)),
        field_text("stop", partial ? say(c, "leave_stop_partial") : need),
        field_bool("known", known), field_bool("need_sure", need_sure),
        field_text("contact", w->study.contact.n ? arena_cstr(c->arena, w->study.contact) : NULL),
        field_text("error", need_sure ? say(c, "leave_need_sure") : NULL));
    return reply_page(c, status, "work/leave", say(c, "leave"), page);
}

/* GET /work/place/:place/leave */
enum err_code page_work_leave_form(struct ctx *c)
{
    struct work_place w;
    const struct study study = work_study_of(c);
    if (work_place_named(c, &w) != OK || hold_by_kept(&study, &w.place, NULL) != OK) {
        return c->err.code;
    }
    return w.place.own ? leave_page(c, 200, &w, false) : proof_page(c, 200, &w, SV(""), false);
}

/* POST /work/place/:place/leave: how = stop, technical, forget (with sure = 1) */
enum err_code page_work_leave(struct ctx *c)
{
    struct work_place w;
    struct sv how = form_get(&c->form, "how");
    if (work_place_named(c, &w) != OK) {
        return c->err.code;
    }
    c->onward = work_place_url(c, &w.place);
    if (!w.place.own) {
        return proof_page(c, 403, &w, SV(""), false);
    }
    bool forget = sv_is(how, "forget"), technical = sv_is(how, "technical");
    if (!forget && !technical && !sv_is(how, "stop")) {
        return err_rule(&c->err, ERR_INPUT, "leave-how",
                        "Say how you want to leave: nothing was changed.");
    }
    if (forget && !sv_is(form_get(&c->form, "sure"), "1")) {
        return leave_page(c, 400, &w, true);
    }
    bool known = true;
    if (forget && people_known(c->db, w.place.person, &known, &c->err) != OK) {
        return c->err.code;
    }
    if (!known) {
        return reply_redirect(c, c->onward); /* nothing to erase: the page says so */
    }
    enum end_leaving as = forget ? LEAVE_FORGET : technical ? LEAVE_TECHNICAL : LEAVE_STOP;
    const struct study study = work_study_of(c);
    return end_leave(&study, &w.place, as) != OK ? c->err.code : reply_redirect(c, c->onward);
}
