/* page_work_place.c - a worker's place: how it stands, what became of every submission, the code, and
 * how to leave. The address is the capability: no cookie is read here. Names, roles and classes of
 * images never reach these pages. */
#include <string.h>

#include "base/clock.h"

#include "store/people.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"
#include "web/work_end.h"
#include "web/work_parts.h"

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

/* "2026-11-20 13:05", UTC. */
static const char *minute(struct ctx *c, int64_t at)
{
    char iso[CLOCK_ISO_SIZE];
    clock_iso(at, iso);
    return arena_printf(c->arena, "%.10s %.5s", iso, iso + 11);
}

/* {count, rows [{n, at, state, is_stored, is_surplus, is_out, why}]}, newest first; null for none. */
static enum err_code submissions_json(struct ctx *c, const struct place *p, json_t **out)
{
    static const char *const keys[] = {[SUBMISSION_STORED] = "submission_stored",
                                       [SUBMISSION_SURPLUS] = "submission_surplus",
                                       [SUBMISSION_OUT] = "submission_out"};
    struct study_submission *list;
    size_t n;
    if (studies_submissions(c->db, p->id, c->arena, &list, &n, &c->err) != OK) {
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
        json_array_append_new(
            rows, json_pack("{s:I, s:s, s:s, s:s, s:b, s:b, s:b}", "n", (json_int_t)(i + 1), "at",
                            minute(c, s->at), "state", say(c, key), "why", why, "is_stored",
                            (int)(s->state == SUBMISSION_STORED), "is_surplus",
                            (int)(s->state == SUBMISSION_SURPLUS), "is_out", (int)out_of_it));
    }
    *out = n ? json_pack("{s:s, s:o}", "count",
                         strings_count(work_texts(c), c->arena, "submissions", (int64_t)n), "rows",
                         rows)
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

static struct place_words place_words(struct ctx *c, const struct work_standing *at)
{
    const char *word = work_stand_word(at->at);
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
static bool can_stop(const struct work_standing *at)
{
    return !at->ended && (work_stand_goes_on(at->at) || at->at == STAND_PAUSED);
}

/* For somebody whose place has ended and whose id is gone, or was never told. */
static const char *forgotten(struct ctx *c, const struct person *who, bool ended)
{
    return ended && who->external_id.n == 0 ? say(c, "place_forgotten") : NULL;
}

/* GET /work/place/:place */
enum err_code page_work_place(struct ctx *c)
{
    struct work_place w;
    struct person person;
    struct work_standing at;
    json_t *submissions = NULL;
    if (work_place_named(c, &w) != OK ||
        work_standing(c, &w.place, &w.campaign, &w.study, proves_none_left(c, &w.place), &at) !=
            OK ||
        people_get(c->db, w.place.person, c->arena, &person, &c->err) != OK ||
        submissions_json(c, &w.place, &submissions) != OK) {
        return c->err.code;
    }
    struct place_words words = place_words(c, &at);
    bool next = work_stand_goes_on(at.at);
    const char *self = work_place_url(c, &w.place);
    const char *heading = words.heading ? words.heading : arena_cstr(c->arena, w.campaign.title);
    json_t *page = json_pack(
        "{s:s, s:o, s:s?, s:o, s:s, s:s?, s:s, s:b, s:o}", "heading", heading, "code",
        work_code_json(c, &w.study, at.code), "action_next",
        next ? arena_printf(c->arena, "%s/next", self) : NULL, "progress",
        work_progress(c, at.answered, at.allowed), "message", words.message, "forgotten",
        forgotten(c, &person, !can_stop(&at)), "leave_url",
        arena_printf(c->arena, "%s/leave", self), "can_stop",
        (int)can_stop(&at), "submissions", submissions);
    return work_page(c, "work/place", heading, page);
}

/* ------------------------------------------------------------------ leaving */

static enum err_code leave_page(struct ctx *c, int status, const struct work_place *w,
                                bool need_sure)
{
    struct work_standing at;
    struct person person;
    if (work_standing(c, &w->place, &w->campaign, &w->study, false, &at) != OK ||
        people_get(c->db, w->place.person, c->arena, &person, &c->err) != OK) {
        return c->err.code;
    }
    const char *self = work_place_url(c, &w->place);
    bool partial = at.answered >= w->study.partial_grids;
    const char *need = strings_count(work_texts(c), c->arena, "leave_stop_few",
                                     w->study.partial_grids);
    json_t *page = json_pack(
        "{s:s, s:s, s:o, s:b, s:s, s:b, s:b, s:s?, s:s?}", "back_url", self, "action",
        arena_printf(c->arena, "%s/leave", self), "progress",
        work_progress(c, at.answered, at.allowed), "can_stop", (int)can_stop(&at), "stop",
        partial ? say(c, "leave_stop_partial") : need, "known", (int)(person.external_id.n > 0),
        "need_sure", (int)need_sure, "contact",
        w->study.contact.n ? arena_cstr(c->arena, w->study.contact) : NULL, "error",
        need_sure ? say(c, "leave_need_sure") : NULL);
    return reply_page(c, status, "work/leave", say(c, "leave"), page);
}

/* GET /work/place/:place/leave */
enum err_code page_work_leave_form(struct ctx *c)
{
    struct work_place w;
    return work_place_named(c, &w) != OK ? c->err.code : leave_page(c, 200, &w, false);
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
    bool forget = sv_is(how, "forget"), technical = sv_is(how, "technical");
    if (!forget && !technical && !sv_is(how, "stop")) {
        return err_rule(&c->err, ERR_INPUT, "leave-how",
                        "Say how you want to leave: nothing was changed.");
    }
    if (forget && !sv_is(form_get(&c->form, "sure"), "1")) {
        return leave_page(c, 400, &w, true);
    }
    enum work_leaving as = forget ? LEAVE_FORGET : technical ? LEAVE_TECHNICAL : LEAVE_STOP;
    return work_leave(c, &w.place, as) != OK ? c->err.code : reply_redirect(c, c->onward);
}
