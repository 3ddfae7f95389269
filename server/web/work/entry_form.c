/* entry_form.c - how a worker comes to a study, as plain forms: the start page with reward,
 * task and consent, joining, declining. What keeps somebody out is said before they consent, as far as
 * it says nothing about other people's ids; consent leads to the first grid. Nothing is stored about who
 * does not agree. */
#include "base/clock.h"
#include "json/object.h"
#include "study/entry.h"
#include "study/signed.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/work/hold.h"
#include "web/work/shared.h"

/* A value that is no UTF-8 reads as empty: it is handed on as something that entry_who refuses,
 * so that nobody with a broken id is taken for somebody without one. */
static struct sv query_value(void *ctx, const char *name)
{
    struct ctx *c = ctx;
    struct sv value = request_query(c->req, name);
    for (struct sv rest = c->req->query; value.n == 0 && rest.p;) {
        struct sv raw = sv_cut(&rest, '&');
        struct sv key = sv_cut(&raw, '=');
        if (sv_is(key, name) && raw.n) {
            value = SV("\xff");
        }
    }
    return value;
}

static struct sv form_value(void *ctx, const char *name)
{
    struct ctx *c = ctx;
    return form_get(&c->form, name);
}

/* ------------------------------------------------------------------ the start page */

/* "12.50", with the language's own point. */
static const char *money(struct ctx *c, int64_t cents)
{
    return arena_printf(c->arena, "%lld%s%02lld", (long long)cents / 100,
                        strings_fill(work_texts(c), c->arena, "decimal_point", (char *)NULL),
                        (long long)cents % 100);
}

/* What is paid for the minutes that the grids take which this campaign has for one person. */
static json_t *pay_json(struct ctx *c, const struct campaign *k, double minutes)
{
    if (k->pay_cents == 0) {
        return json_null();
    }
    int64_t hourly = (int64_t)((double)k->pay_cents * 60 / minutes + 0.5);
    return object(field_text("amount", money(c, k->pay_cents)),
                  field_text("hourly", money(c, hourly)), field_sv("currency", k->currency));
}

/* The lead's own text, else the one that comes with the program. */
static json_t *consent_json(struct ctx *c, const struct entry *e)
{
    json_t *list = e->s.consent ? data_paragraphs(e->s.consent_text) : json_array();
    static const char *const built_in[] = {"consent_kept", "consent_use", "consent_stop"};
    for (size_t i = 0; !e->s.consent && i < sizeof built_in / sizeof *built_in; i++) {
        json_array_append_new(list, json_string(strings_fill(work_texts(c), c->arena, built_in[i],
                                                             (char *)NULL)));
    }
    bool changed = e->consent.n && !sv_eq(e->consent, e->s.consent_version);
    return object(field_sv("version", e->s.consent_version), field_json("paragraphs", list),
                  field_bool("changed", changed));
}

/* What the link said, to come along with consent. */
static json_t *fields_json(struct ctx *c, const struct entry *e)
{
    json_t *fields = json_array();
    const struct study study = work_study_of(c);
    struct sv rest = e->s.id_parameters;
    object_add(fields, field_text("name", "consent"), field_sv("value", e->s.consent_version));
    object_add(fields, field_text("name", "key"), field_sv("value", e->key));
    for (size_t i = 0; rest.p && i < STUDY_PARAMETERS; i++) {
        const char *name = arena_cstr(c->arena, sv_cut(&rest, '|'));
        object_add(fields, field_text("name", name), field_sv("value", e->values[i]));
    }
    if (e->proven) {
        object_add(fields, field_text("name", "entry"),
                   field_text("value", signed_entry(&study, e)));
    }
    return fields;
}

/* Whoever takes part already is let in where something stops everybody else; the page cannot tell who
 * that is, so it asks all who bring an id. Nobody takes part in a draft yet. */
static bool asks_back(const struct entry *e, int status)
{
    bool all = e->stand != ENTRY_BLOCKED && e->stand != ENTRY_NOT_LISTED && e->stand != ENTRY_APART &&
               e->stand != ENTRY_MET;
    return status == 200 && e->id.n && !sv_is(e->k.state, "draft") && e->stand != ENTRY_OPEN && e->stand != ENTRY_HAS_PLACE && all;
}

/* Why one cannot start, with the code that the panel wants; null for who can. */
static json_t *stand_json(struct ctx *c, const struct entry *e)
{
    if (e->stand == ENTRY_OPEN || e->stand == ENTRY_HAS_PLACE) {
        return json_null();
    }
    const char *word = entry_stand_word(e->stand);
    return object(
        field_text("heading", strings_fill(work_texts(c), c->arena,
                                           arena_printf(c->arena, "gate_%s", word), (char *)NULL)),
        field_text("message",
                   strings_fill(work_texts(c), c->arena,
                                arena_printf(c->arena, "gate_%s_more", word), (char *)NULL)));
}

static json_t *screen_json(struct ctx *c, const struct entry *e)
{
    if (e->k.min_screen == 0) {
        return json_null();
    }
    return json_string(strings_fill(
        work_texts(c), c->arena, "entry_screen", "n",
        arena_printf(c->arena, "%lld", (long long)e->k.min_screen), "code",
        arena_cstr(c->arena, e->s.code[STUDY_SCREENED_OUT]), (char *)NULL));
}

static json_t *text_or_null(struct sv s)
{
    return s.n ? data_text(s) : json_null();
}

/* Whether somebody could have seen this campaign's photos elsewhere without this page knowing that it is
 * they. Told to all who bring an id, so that it says nothing about any. */
static bool says_earlier(struct ctx *c, const struct entry *e)
{
    struct campaign *list;
    size_t n = 0;
    if (e->stand != ENTRY_OPEN || e->person || e->proven || e->id.n == 0 || e->k.same_image_again) {
        return false;
    }
    if (campaigns_list(c->db, true, c->arena, &list, &n, &c->err) != OK) {
        err_clear(&c->err); /* a hint is all that is missing then */
        return false;
    }
    return n > 1;
}

/* `preview`: a lead looks at it, nobody can start from there. */
static enum err_code start_page(struct ctx *c, int status, const struct entry *e, bool preview)
{
    const char *self = arena_printf(c->arena, "/work/campaign/" SV_FMT, SV_ARG(e->k.name));
    int64_t grids = work_page_allowed(c, &e->k);
    double minutes = plan_minutes(e->k.expected_minutes, e->k.grids_per_place, grids);
    const char *title = campaign_titled(&e->k)
                            ? arena_cstr(c->arena, e->k.title)
                            : strings_fill(work_texts(c), c->arena, "entry_untitled", (char *)NULL);
    bool kept_out = e->stand != ENTRY_OPEN && e->stand != ENTRY_HAS_PLACE;
    json_t *page = object(
        field_text("title", title), field_sv("rule", e->k.rule_text),
        field_sv("rule_version", e->k.instruction_version),
        field_text("minutes", arena_printf(c->arena, minutes < 1 ? "%.1g" : "%.0f", minutes)),
        field_json("pay", pay_json(c, &e->k, minutes)), field_int("grids", grids),
        field_text("action", self),
        field_text("action_decline", arena_printf(c->arena, "%s/decline", self)),
        field_json("fields", fields_json(c, e)), field_json("consent", consent_json(c, e)),
        field_json("contact", text_or_null(e->s.contact)),
        field_json("protocol", text_or_null(e->s.protocol)), field_json("gate", stand_json(c, e)),
        field_json("screen", screen_json(c, e)),
        field_bool("has_place", e->stand == ENTRY_HAS_PLACE), field_bool("preview", preview));
    struct sv code = kept_out ? e->s.code[entry_stand_outcome(e->stand)] : SV("");
    json_object_set_new(page, "code", work_code_json(c, &e->s, code));
    json_object_set_new(page, "asks_back", json_boolean(asks_back(e, status)));
    json_object_set_new(page, "earlier", json_boolean(says_earlier(c, e)));
    return reply_page(c, status, "work/start", title, page);
}

/* GET /work/campaign/:campaign */
enum err_code page_work_start(struct ctx *c)
{
    struct entry e;
    if (!app_rate(c->app, RATE_START, c->req->address, &c->retry_after_s)) {
        return err_set(&c->err, ERR_RATE,
                       "Too many people came from this address within the hour. Please try again "
                       "later.");
    }
    const struct study study = work_study_of(c);
    const struct entry_link link = {query_value, c};
    if (work_entry(c, &link, &e) != OK || entry_who(&study, &link, &e) != OK) {
        return c->err.code;
    }
    e.browser = true;
    if (entry_check(&study, &e) != OK) {
        return c->err.code;
    }
    return start_page(c, 200, &e, false);
}

/* GET /campaigns/:campaign/preview/start: what somebody sees who may start, for a lead. */
enum err_code page_preview_start(struct ctx *c)
{
    struct entry e = {.stand = ENTRY_OPEN};
    if (campaigns_find(c->db, c->req->params[0], c->arena, &e.k, &c->err) != OK ||
        studies_get(c->db, e.k.id, c->arena, &e.s, &c->err) != OK ||
        work_language(c, e.k.id, e.k.classify) != OK) {
        return c->err.code;
    }
    return start_page(c, 200, &e, true);
}

/* ------------------------------------------------------------------ joining and declining */

/* POST /work/campaign/:campaign and .../decline, before the write: how many come from one address. */
enum err_code page_work_join_check(struct ctx *c)
{
    if (!app_rate(c->app, RATE_PLACE, c->req->address, &c->retry_after_s)) {
        return err_set(&c->err, ERR_RATE,
                        "Too many people joined from this address within the hour. Please try "
                        "again later.");
    }
    return OK;
}

/* POST /work/campaign/:campaign */
enum err_code page_work_join(struct ctx *c)
{
    struct entry e;
    struct place p;
    const struct study study = work_study_of(c);
    const struct entry_link link = {form_value, c};
    if (work_entry(c, &link, &e) != OK || entry_who(&study, &link, &e) != OK) {
        return c->err.code;
    }
    e.browser = true;
    enum err_code rc = entry_join(&study, &e, &p);
    if (rc == ERR_CONFLICT) {
        /* Nothing was stored: the start page says why, with the code, or shows the new text. */
        err_clear(&c->err);
        return start_page(c, 409, &e, false);
    }
    if (rc != OK) {
        return rc;
    }
    work_hold_keep(c, &p);
    return e.has_place ? reply_redirect(c, work_place_url(c, &p)) : work_go_on_stored(c, &p);
}

/* POST /work/campaign/:campaign/decline: that somebody did not agree, and nothing about them. */
enum err_code page_work_decline(struct ctx *c)
{
    struct entry e;
    if (work_entry(c, &(struct entry_link){form_value, c}, &e) != OK ||
        studies_declined(c->db, e.k.id, clock_wall_ms(), &c->err) != OK) {
        return c->err.code;
    }
    const char *to = arena_printf(c->arena, "/work/campaign/" SV_FMT "/declined", SV_ARG(e.k.name));
    /* The key is made of characters that need no escape (study_check). */
    return reply_redirect(c, e.s.link_key.n ? arena_printf(c->arena, "%s?key=" SV_FMT, to,
                                                           SV_ARG(e.s.link_key))
                                            : to);
}

/* GET /work/campaign/:campaign/declined */
enum err_code page_work_declined(struct ctx *c)
{
    struct entry e;
    if (work_entry(c, &(struct entry_link){query_value, c}, &e) != OK) {
        return c->err.code;
    }
    const json_t *t = work_texts(c);
    const char *heading = strings_fill(t, c->arena, "declined", (char *)NULL);
    json_t *page =
        object(field_text("heading", heading),
               field_text("message", strings_fill(t, c->arena, "declined_more", (char *)NULL)),
               field_json("code", work_code_json(c, &e.s, e.s.code[STUDY_NO_CONSENT])));
    return reply_page(c, 200, "work/end", heading, page);
}
