/* page_work_entry.c - how a worker comes to a study, as plain forms: the start page with reward,
 * task and consent, joining, declining. Everything that keeps somebody out is said before they
 * consent. No cookie is read here; nothing is stored about who does not agree. */
#include "base/clock.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"
#include "web/work_end.h"
#include "web/work_entry.h"
#include "web/work_parts.h"

/* A value that is no UTF-8 reads as empty: it is handed on as something that work_entry_read refuses,
 * so that nobody with a broken id is taken for somebody without one. */
static struct sv query_value(struct ctx *c, const char *name)
{
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

static struct sv form_value(struct ctx *c, const char *name)
{
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

static json_t *pay_json(struct ctx *c, const struct campaign *k)
{
    if (k->pay_cents == 0) {
        return json_null();
    }
    int64_t hourly = (int64_t)((double)k->pay_cents * 60 / k->expected_minutes + 0.5);
    return json_pack("{s:s, s:s, s:o}", "amount", money(c, k->pay_cents), "hourly",
                     money(c, hourly), "currency", data_text(k->currency));
}

/* The lead's own text, else the one that comes with the program. */
static json_t *consent_json(struct ctx *c, const struct work_entry *e)
{
    json_t *list = e->s.consent ? data_paragraphs(e->s.consent_text) : json_array();
    static const char *const built_in[] = {"consent_kept", "consent_use", "consent_stop"};
    for (size_t i = 0; !e->s.consent && i < sizeof built_in / sizeof *built_in; i++) {
        json_array_append_new(list, json_string(strings_fill(work_texts(c), c->arena, built_in[i],
                                                             (char *)NULL)));
    }
    bool changed = e->consent.n && !sv_eq(e->consent, e->s.consent_version);
    return json_pack("{s:o, s:o, s:b}", "version", data_text(e->s.consent_version), "paragraphs",
                     list, "changed", changed);
}

/* What the link said, to come along with consent. */
static json_t *fields_json(struct ctx *c, const struct work_entry *e, entry_value get)
{
    json_t *fields = json_array();
    struct sv rest = e->s.id_parameters;
    json_array_append_new(fields, json_pack("{s:s, s:o}", "name", "consent", "value",
                                            data_text(e->s.consent_version)));
    json_array_append_new(fields,
                          json_pack("{s:s, s:o}", "name", "key", "value", data_text(e->key)));
    for (bool first = true; rest.p; first = false) {
        const char *name = arena_cstr(c->arena, sv_cut(&rest, '|'));
        struct sv value = first ? e->id : get(c, name);
        json_array_append_new(fields,
                              json_pack("{s:s, s:o}", "name", name, "value", data_text(value)));
    }
    return fields;
}

/* Why one cannot start, with the code that the panel wants; null for who can. */
static json_t *gate_json(struct ctx *c, const struct work_entry *e)
{
    if (e->gate == ENTRY_OPEN || e->gate == ENTRY_HAS_PLACE) {
        return json_null();
    }
    const char *word = entry_gate_word(e->gate);
    return json_pack("{s:s, s:s}", "heading",
                     strings_fill(work_texts(c), c->arena,
                                  arena_printf(c->arena, "gate_%s", word), (char *)NULL),
                     "message",
                     strings_fill(work_texts(c), c->arena,
                                  arena_printf(c->arena, "gate_%s_more", word), (char *)NULL));
}

static json_t *screen_json(struct ctx *c, const struct work_entry *e)
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

/* `preview`: a lead looks at it, nobody can start from there. */
static enum err_code start_page(struct ctx *c, int status, const struct work_entry *e,
                                entry_value get, bool preview)
{
    const char *self = arena_printf(c->arena, "/work/campaign/" SV_FMT, SV_ARG(e->k.name));
    bool kept_out = e->gate != ENTRY_OPEN && e->gate != ENTRY_HAS_PLACE;
    json_t *page = json_pack(
        "{s:o, s:o, s:o, s:s, s:o, s:I, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "title",
        data_text(e->k.title), "rule", data_text(e->k.rule_text), "rule_version",
        data_text(e->k.instruction_version), "minutes",
        arena_printf(c->arena, "%g", e->k.expected_minutes), "pay", pay_json(c, &e->k), "grids",
        (json_int_t)work_page_allowed(c, &e->k), "action", self, "action_decline",
        arena_printf(c->arena, "%s/decline", self), "fields", fields_json(c, e, get), "consent",
        consent_json(c, e), "contact", text_or_null(e->s.contact), "protocol",
        text_or_null(e->s.protocol), "gate", gate_json(c, e), "screen", screen_json(c, e),
        "has_place", (int)(e->gate == ENTRY_HAS_PLACE), "preview", (int)preview);
    struct sv code = kept_out ? e->s.code[entry_gate_outcome(e->gate)] : SV("");
    json_object_set_new(page, "code", work_code_json(c, &e->s, code));
    return reply_page(c, status, "work/start", arena_cstr(c->arena, e->k.title), page);
}

/* GET /work/campaign/:campaign */
enum err_code page_work_start(struct ctx *c)
{
    struct work_entry e;
    if (work_entry_read(c, c->req->params[0], query_value, &e) != OK ||
        work_entry_check(c, &e) != OK) {
        return c->err.code;
    }
    return start_page(c, 200, &e, query_value, false);
}

/* GET /campaigns/:campaign/preview/start: what somebody sees who may start, for a lead. */
enum err_code page_preview_start(struct ctx *c)
{
    struct work_entry e = {.gate = ENTRY_OPEN};
    if (campaigns_find(c->db, c->req->params[0], c->arena, &e.k, &c->err) != OK ||
        studies_get(c->db, e.k.id, c->arena, &e.s, &c->err) != OK ||
        work_language(c, e.k.id) != OK) {
        return c->err.code;
    }
    return start_page(c, 200, &e, query_value, true);
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
    struct work_entry e;
    struct place p;
    if (work_entry_read(c, c->req->params[0], form_value, &e) != OK) {
        return c->err.code;
    }
    enum err_code rc = work_join(c, &e, &p);
    if (rc == ERR_CONFLICT) {
        /* Nothing was stored: the start page says why, with the code, or shows the new text. */
        err_clear(&c->err);
        return start_page(c, 409, &e, form_value, false);
    }
    return rc != OK ? rc : reply_redirect(c, work_place_url(c, &p));
}

/* POST /work/campaign/:campaign/decline: that somebody did not agree, and nothing about them. */
enum err_code page_work_decline(struct ctx *c)
{
    struct work_entry e;
    if (work_entry_read(c, c->req->params[0], form_value, &e) != OK ||
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
    struct work_entry e;
    if (work_entry_read(c, c->req->params[0], query_value, &e) != OK) {
        return c->err.code;
    }
    const json_t *t = work_texts(c);
    const char *heading = strings_fill(t, c->arena, "declined", (char *)NULL);
    json_t *page = json_pack("{s:s, s:s, s:o}", "heading", heading, "message",
                             strings_fill(t, c->arena, "declined_more", (char *)NULL), "code",
                             work_code_json(c, &e.s, e.s.code[STUDY_NO_CONSENT]));
    return reply_page(c, 200, "work/end", heading, page);
}
