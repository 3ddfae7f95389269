/* study.c - a lead sets how people come to a campaign and leave it: the link and its key, who
 * may come, consent texts, codes per outcome. templates/study/show; what a setting may be is
 * store/campaigns/study_check.c's. */
#include <string.h>

#include "base/clock.h"
#include "json/object.h"
#include "store/campaigns/studies.h"
#include "study/link.h"
#include "study/signed.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/account_form.h"

/* What a page shows besides the settings that are stored. */
struct study_page {
    struct campaign k;
    struct study_settings s;
    struct study_consent *consents;
    size_t n_consents;
};

static enum err_code read_study(struct ctx *c, struct study_page *v)
{
    *v = (struct study_page){0};
    if (campaigns_find(c->db, c->req->params[0], c->arena, &v->k, &c->err) != OK ||
        studies_get(c->db, v->k.id, c->arena, &v->s, &c->err) != OK) {
        return c->err.code;
    }
    return studies_consents(c->db, v->k.id, c->arena, &v->consents, &v->n_consents, &c->err);
}

/* ------------------------------------------------------------------ the page */

static void add_field(json_t *fields, const char *name, struct sv value)
{
    json_object_set_new(fields, name, object(field_sv("value", value)));
}

static struct sv number(struct ctx *c, int64_t n)
{
    return sv_of(arena_printf(c->arena, "%lld", (long long)n));
}

/* "1.50" for 150 cents. */
static struct sv amount(struct ctx *c, int64_t cents)
{
    return sv_of(arena_printf(c->arena, "%lld.%02lld", (long long)cents / 100,
                              (long long)cents % 100));
}

/* The names with ", " between them, as people type them. */
static struct sv commas(struct ctx *c, struct sv names)
{
    struct str out;
    str_init(&out, 4096);
    for (struct sv rest = names; rest.p;) {
        str_addsv(&out, sv_cut(&rest, '|'));
        str_addz(&out, rest.p ? ", " : "");
    }
    struct sv text = arena_sv(c->arena, str_sv(&out));
    str_release(&out);
    return text;
}

static json_t *fields_json(struct ctx *c, const struct study_page *v)
{
    json_t *fields = json_object();
    const struct study_settings *s = &v->s;
    add_field(fields, "link_key", s->link_key);
    add_field(fields, "source", s->source);
    add_field(fields, "signing", s->signing);
    add_field(fields, "signing_key", s->signing_key);
    add_field(fields, "id_parameters", commas(c, s->id_parameters));
    add_field(fields, "return_url", s->return_url);
    add_field(fields, "contact", s->contact);
    add_field(fields, "protocol", s->protocol);
    add_field(fields, "partial_grids", number(c, s->partial_grids));
    add_field(fields, "place_minutes", number(c, s->place_minutes));
    add_field(fields, "floor_cents", amount(c, s->floor_cents));
    add_field(fields, "consent_text", SV(""));
    add_field(fields, "consent_version", SV(""));
    return fields;
}

/* What each code is for, in the order of the form. */
static json_t *codes_json(const struct study_page *v)
{
    static const struct {
        enum study_outcome outcome;
        const char *label, *hint;
    } rows[] = {
        {STUDY_COMPLETE, "Complete", "All grids answered. Leave empty to give each person a different code."},
        {STUDY_PARTIAL, "Partial", "Left after answering enough grids (see below); paid."},
        {STUDY_SCREENED_OUT, "Screened out", "Blocked, not on the list, or using too small a screen."},
        {STUDY_NO_CONSENT, "No consent", "Read the start page and did not agree."},
        {STUDY_TECHNICAL, "Technical problem", "Reported that something did not work."},
        {STUDY_WITHDRAWN, "Withdrawn", "Left before answering enough grids."},
        {STUDY_FULL, "Study full", "No place left, or the study is not open."},
    };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[48];
        snprintf(name, sizeof name, "code_%s", study_outcome_name(rows[i].outcome));
        object_add(list, field_text("name", name), field_text("label", rows[i].label),
                   field_text("hint", rows[i].hint), field_sv("value", v->s.code[rows[i].outcome]));
    }
    return list;
}

enum { LANGUAGES_MOST = 64 };

static json_t *languages_json(struct ctx *c, const struct study_settings *s)
{
    const struct strings *all = view_strings(app_view(c->app));
    const char *codes[LANGUAGES_MOST];
    size_t n = strings_codes(all, codes, LANGUAGES_MOST);
    json_t *list = json_array();
    object_add(list, field_text("code", ""), field_text("name", "The browser's language"),
               field_bool("selected", s->language.n == 0));
    for (size_t i = 0; i < n && i < LANGUAGES_MOST; i++) {
        object_add(list, field_text("code", codes[i]),
                   field_text("name", strings_fill(strings_catalogue(all, codes[i]), c->arena,
                                                   "language_name", (char *)NULL)),
                   field_bool("selected", sv_is(s->language, codes[i])));
    }
    return list;
}

static json_t *ways_json(const struct study_settings *s)
{
    static const struct {
        const char *word, *label;
    } ways[] = {
        {"", "No: any id is accepted"},
        {"hmac", "HMAC-SHA-256 of the id, in the parameter sig (your own links)"},
        {"RS256", "JSON Web Token, RS256 (Prolific's secured links)"},
        {"EdDSA", "JSON Web Token, EdDSA (Ed25519)"},
        {"HS256", "JSON Web Token, HS256"},
    };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        object_add(list, field_text("word", ways[i].word), field_text("label", ways[i].label),
                   field_bool("selected", sv_is(s->signing, ways[i].word)));
    }
    return list;
}

static json_t *consents_json(const struct study_page *v)
{
    json_t *list = json_array();
    for (size_t i = 0; i < v->n_consents; i++) {
        const struct study_consent *t = &v->consents[i];
        object_add(list, field_sv("version", t->version), field_json("day", account_day(t->at)),
                   field_int("places", t->places),
                   field_json("paragraphs", data_paragraphs(t->text)),
                   field_bool("newest", i == 0));
    }
    return list;
}

static enum err_code show(struct ctx *c, const struct study_page *v)
{
    const char *back = arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(v->k.name));
    json_t *page =
        object(field_sv("campaign", v->k.title), field_text("back_url", back),
               field_text("action", arena_printf(c->arena, "%s/study", back)),
               field_text("link", study_link(c->arena, data_site(c), &v->k, &v->s)),
               field_json("fields", fields_json(c, v)), field_json("codes", codes_json(v)),
               field_json("languages", languages_json(c, &v->s)),
               field_bool("known_only", v->s.known_only), field_json("consents", consents_json(v)));
    json_object_set_new(page, "has_key", json_boolean(v->s.link_key.n > 0));
    json_object_set_new(page, "own_host", json_boolean(*c->config->public_url));
    json_object_set_new(page, "currency", data_text(v->k.currency));
    json_object_set_new(page, "ways", ways_json(&v->s));
    json_object_set_new(page, "is_signed", json_boolean(v->s.signing.n > 0));
    return reply_page(c, 200, "study/show", "Study settings", page);
}

/* GET /campaigns/:campaign/study */
enum err_code page_study(struct ctx *c)
{
    struct study_page v;
    if (read_study(c, &v) != OK) {
        return c->err.code;
    }
    return show(c, &v);
}

/* ------------------------------------------------------------------ changes */

/* A field that must be a whole number; -1, which study_check refuses, for anything else. */
static int64_t typed_number(struct ctx *c, const char *name)
{
    int64_t n = -1;
    return sv_i64(sv_trim(form_get(&c->form, name)), &n) ? n : -1;
}

/* Cents from "1.50"; -1 for what is no amount. */
static int64_t typed_amount(struct ctx *c, const char *name)
{
    double x = 0;
    struct sv text = sv_trim(form_get(&c->form, name));
    bool good = sv_f64(text, &x) && x >= 0 && x <= 1e6;
    return text.n == 0 ? 0 : good ? (int64_t)(x * 100 + 0.5) : -1;
}

/* "A, B" as "A|B". */
static struct sv typed_names(struct ctx *c)
{
    struct str out;
    str_init(&out, 8192);
    struct sv rest = form_get(&c->form, "id_parameters");
    while (rest.p) {
        str_addsv(&out, sv_trim(sv_cut(&rest, ',')));
        str_addz(&out, rest.p ? "|" : "");
    }
    struct sv names = arena_sv(c->arena, str_sv(&out));
    str_release(&out);
    return names;
}

static void read_form(struct ctx *c, struct study_settings *s)
{
    s->link_key = sv_trim(form_get(&c->form, "link_key"));
    s->source = sv_trim(form_get(&c->form, "source"));
    s->signing = form_get(&c->form, "signing");
    s->signing_key = sv_trim(form_get(&c->form, "signing_key"));
    s->id_parameters = typed_names(c);
    s->return_url = sv_trim(form_get(&c->form, "return_url"));
    s->contact = sv_trim(form_get(&c->form, "contact"));
    s->protocol = sv_trim(form_get(&c->form, "protocol"));
    s->language = form_get(&c->form, "language");
    s->known_only = form_has(&c->form, "known_only");
    s->partial_grids = typed_number(c, "partial_grids");
    s->place_minutes = typed_number(c, "place_minutes");
    s->floor_cents = typed_amount(c, "floor_cents");
    for (unsigned i = 0; i < STUDY_OUTCOMES; i++) {
        const char *name = arena_printf(c->arena, "code_%s",
                                        study_outcome_name((enum study_outcome)i));
        if (study_has_code((enum study_outcome)i)) {
            s->code[i] = sv_trim(form_get(&c->form, name));
        }
    }
}

/* What a rule of study_check is called is the name of the field. */
static enum err_code wrong(struct ctx *c)
{
    return form_wrong_field(c, arena_strdup(c->arena, c->err.rule));
}

static enum err_code done(struct ctx *c, const struct study_page *v, const char *said)
{
    return reply_did(c, arena_printf(c->arena, "/campaigns/" SV_FMT "/study", SV_ARG(v->k.name)), NULL,
                     "%s", said);
}

/* POST /campaigns/:campaign/study */
enum err_code page_study_change(struct ctx *c)
{
    struct study_page v;
    if (read_study(c, &v) != OK) {
        return c->err.code;
    }
    read_form(c, &v.s);
    const struct strings *all = view_strings(app_view(c->app));
    if (v.s.language.n && !strings_language(all, v.s.language)) {
        err_rule(&c->err, ERR_INPUT, "language",
                 "There are no texts in this language. Choose one from the list.");
        return wrong(c);
    }
    enum err_code rc = signed_check_settings(&v.s, &c->err);
    rc = rc == OK ? studies_put(c->db, &v.s, c->user.account, clock_wall_ms(), &c->err) : rc;
    return rc == ERR_INPUT ? wrong(c)
           : rc != OK      ? rc
                           : done(c, &v, "The settings are saved. They apply to everybody who joins from now on.");
}

/* POST /campaigns/:campaign/study/consent */
enum err_code page_study_consent(struct ctx *c)
{
    struct study_page v;
    if (read_study(c, &v) != OK) {
        return c->err.code;
    }
    enum err_code rc = studies_consent(c->db, v.k.id, sv_trim(form_get(&c->form, "consent_version")),
                                       form_get(&c->form, "consent_text"), c->user.account,
                                       clock_wall_ms(), &c->err);
    bool typed = rc == ERR_INPUT || rc == ERR_CONFLICT;
    return typed ? wrong(c) : rc != OK ? rc : done(c, &v, "The new text is shown from now on.");
}

/* POST /campaigns/:campaign/study/key */
enum err_code page_study_key(struct ctx *c)
{
    struct study_page v;
    if (read_study(c, &v) != OK) {
        return c->err.code;
    }
    v.s.link_key = study_new_key(c->arena);
    return studies_put(c->db, &v.s, c->user.account, clock_wall_ms(), &c->err) != OK
               ? c->err.code
               : done(c, &v, "The link has a new key. Put the new address into the panel: the old one no longer "
                             "works.");
}
