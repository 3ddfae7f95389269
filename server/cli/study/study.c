/* study.c - `holdout study DIR CAMPAIGN`: prints how people come to a campaign and leave it, after
 * changing what the options say. The settings are store/campaigns/studies.h's; a running server follows at
 * once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/core/commands.h"
#include "json/object.h"
#include "store/campaigns/campaigns.h"
#include "store/campaigns/studies.h"
#include "study/link.h"
#include "study/signed.h"

enum { CENTS_MOST = 1000000, TEXT_MOST = 64 << 10 };

/* "A,B" as "A|B". */
static struct sv joined_names(struct cli *cli, const char *given)
{
    char *names = arena_strdup(&cli->arena, given);
    for (char *p = names; *p; p++) {
        *p = *p == ',' ? '|' : *p;
    }
    return sv_of(names);
}

/* "none" and "" empty a setting. */
static struct sv text_or_none(const char *given)
{
    return strcmp(given, "none") == 0 ? SV("") : sv_of(given);
}

/* "--code OUTCOME=CODE", any number of times; "complete=" gives every place a code of its own. */
static enum err_code read_codes(struct cli *cli, struct study_settings *s)
{
    for (int i = 0; i < cli->n_given; i++) {
        if (strcmp(cli->given[i].name, "code") != 0) {
            continue;
        }
        struct sv code = sv_of(cli->given[i].value);
        struct sv outcome = sv_cut(&code, '=');
        enum study_outcome o;
        if (!code.p || !study_outcome_parse(outcome, &o) || !study_has_code(o)) {
            return cli_usage(cli, "--code must be OUTCOME=CODE with complete, partial, "
                             "screened-out, no-consent, technical, withdrawn or full");
        }
        s->code[o] = code;
    }
    return OK;
}

static enum err_code read_numbers(struct cli *cli, struct study_settings *s)
{
    enum err_code rc = cli_opt_int(cli, "partial-grids", 1, 10000, s->partial_grids,
                                   &s->partial_grids);
    if (rc == OK) {
        rc = cli_opt_int(cli, "place-minutes", 1, 60 * 24 * 30, s->place_minutes,
                         &s->place_minutes);
    }
    return rc == OK ? cli_opt_cents(cli, "floor", CENTS_MOST, s->floor_cents, &s->floor_cents)
                    : rc;
}

/* Whether an option asks for a change of the settings. */
static bool asks_change(const struct cli *cli)
{
    static const char *const names[] = {
        "link-key", "source",   "parameters",    "known-only", "anybody",       "return-url", "code",
        "contact",  "floor",    "protocol",      "signing",    "partial-grids", "language",
        "signing-key-file",     "place-minutes"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (cli_has(cli, names[i])) {
            return true;
        }
    }
    return false;
}

static enum err_code read_signing(struct cli *cli, struct study_settings *s)
{
    struct fs_map map = {0};
    enum err_code rc = OK;
    if (cli_has(cli, "signing")) {
        s->signing = text_or_none(cli_opt(cli, "signing"));
    }
    if (cli_has(cli, "signing-key-file")) {
        rc = fs_map(cli_opt(cli, "signing-key-file"), &map, &cli->err);
    }
    if (rc == OK && map.n > TEXT_MOST) {
        rc = err_set(&cli->err, ERR_LIMIT, "%s is too long for a key",
                     cli_opt(cli, "signing-key-file"));
    }
    if (rc == OK && cli_has(cli, "signing-key-file")) {
        s->signing_key = sv_trim(arena_sv(&cli->arena, sv_make((const char *)map.data, map.n)));
    }
    fs_unmap(&map);
    return rc == OK ? signed_check_settings(s, &cli->err) : rc;
}

/* What the options change of the settings. */
static enum err_code read_options(struct cli *cli, struct study_settings *s)
{
    const struct {
        const char *name;
        struct sv *out;
    } texts[] = {{"source", &s->source},   {"return-url", &s->return_url},
                 {"contact", &s->contact}, {"protocol", &s->protocol}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (cli_has(cli, texts[i].name)) {
            *texts[i].out = text_or_none(cli_opt(cli, texts[i].name));
        }
    }
    if (cli_has(cli, "known-only") && cli_has(cli, "anybody")) {
        return cli_usage(cli, "--known-only and --anybody contradict each other");
    }
    s->known_only = cli_has(cli, "known-only") || (s->known_only && !cli_has(cli, "anybody"));
    if (cli_has(cli, "link-key")) {
        const char *key = cli_opt(cli, "link-key");
        s->link_key = strcmp(key, "auto") == 0 ? study_new_key(&cli->arena) : text_or_none(key);
    }
    if (cli_has(cli, "parameters")) {
        s->id_parameters = joined_names(cli, cli_opt(cli, "parameters"));
    }
    if (cli_has(cli, "language")) {
        struct sv code = sv_of(cli_opt(cli, "language"));
        s->language = sv_is(code, "browser") ? SV("") : code;
    }
    enum err_code rc = read_codes(cli, s);
    rc = rc == OK ? read_signing(cli, s) : rc;
    return rc == OK ? read_numbers(cli, s) : rc;
}

/* The text of --consent-file; empty p when there is none. */
static enum err_code read_consent(struct cli *cli, struct sv *text)
{
    struct fs_map map = {0};
    *text = (struct sv){NULL, 0};
    if (!cli_has(cli, "consent-file")) {
        return cli_has(cli, "consent-version")
                   ? cli_usage(cli, "--consent-version needs --consent-file")
                   : OK;
    }
    enum err_code rc = fs_map(cli_opt(cli, "consent-file"), &map, &cli->err);
    if (rc == OK && map.n > TEXT_MOST) {
        rc = err_set(&cli->err, ERR_LIMIT, "%s is too long for a consent text",
                     cli_opt(cli, "consent-file"));
    }
    if (rc == OK) {
        *text = arena_sv(&cli->arena, sv_make((const char *)map.data, map.n));
    }
    fs_unmap(&map);
    return rc;
}

/* Every link would be refused, and only the log would say why. */
static void note_audience(struct cli *cli, const struct study_settings *s)
{
    if (signed_by_token(s) && !sv_is(s->signing, "HS256") && !*cli->config.public_url) {
        cli_note(cli, "server.public_url is not set: a token must name it (aud), so every link will be "
                      "refused until it is set in config.ini and the server is restarted.");
    }
}

static enum err_code write_all(struct cli *cli, const struct study_settings *s, bool any,
                               struct sv consent)
{
    const char *version = cli_opt(cli, "consent-version");
    int64_t now = clock_wall_ms();
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    if (rc == OK && any) {
        rc = studies_put(cli->db, s, 0, now, &cli->err);
    }
    if (rc == OK && consent.p) {
        rc = studies_consent(cli->db, s->campaign, sv_of(version), consent, 0, now, &cli->err);
    }
    return db_tx_end(cli->db, rc, &cli->err);
}

/* ------------------------------------------------------------------ printing */

static void print_json(const struct study_settings *s, const char *link)
{
    json_t *codes = json_object(), *names = json_array();
    for (struct sv rest = s->id_parameters; rest.p;) {
        struct sv name = sv_cut(&rest, '|');
        json_array_append_new(names, json_stringn(name.p, name.n));
    }
    for (unsigned i = 0; i < STUDY_OUTCOMES; i++) {
        if (study_has_code((enum study_outcome)i)) {
            json_object_set_new(codes, study_outcome_name((enum study_outcome)i),
                                json_stringn(s->code[i].p, s->code[i].n));
        }
    }
    json_t *all = object(
        field_text("link", link), field_sv("link_key", s->link_key), field_sv("source", s->source),
        field_sv("signing", s->signing), field_json("parameters", names),
        field_bool("known_only", s->known_only), field_sv("return_url", s->return_url),
        field_int("partial_grids", s->partial_grids), field_int("place_minutes", s->place_minutes),
        field_int("floor_cents", s->floor_cents), field_sv("contact", s->contact),
        field_sv("protocol", s->protocol), field_sv("language", s->language),
        field_sv("consent_version", s->consent_version), field_json("codes", codes));
    BUG_IF(!all);
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}

static void print_line(const char *name, struct sv value)
{
    printf("%-18s " SV_FMT "\n", name, SV_ARG(value.n ? value : SV("-")));
}

static void print_text(struct cli *cli, const struct study_settings *s, const char *link)
{
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {{"partial grids", s->partial_grids}, {"place minutes", s->place_minutes},
                   {"floor (cents)", s->floor_cents}};
    print_line("link", sv_of(link));
    print_line("source of ids", s->source);
    print_line("signed by", s->signing);
    print_line("who", s->known_only ? SV("participants of the list") : SV("anybody"));
    print_line("return address", s->return_url);
    print_line("contact", s->contact);
    print_line("protocol", s->protocol);
    print_line("language", s->language.n ? s->language : SV("the browser's"));
    print_line("consent version", s->consent_version);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        printf("%-18s %lld\n", numbers[i].name, (long long)numbers[i].value);
    }
    for (unsigned i = 0; i < STUDY_OUTCOMES; i++) {
        if (study_has_code((enum study_outcome)i)) {
            const char *name = study_outcome_name((enum study_outcome)i);
            print_line(arena_printf(&cli->arena, "code %s", name),
                       s->code[i].n ? s->code[i] : SV("one per place"));
        }
    }
}

enum err_code cmd_study(struct cli *cli)
{
    struct campaign k;
    struct study_settings s;
    struct sv consent;
    bool any = asks_change(cli);
    if (campaigns_find(cli->db, sv_of(cli->args[1]), &cli->arena, &k, &cli->err) != OK ||
        studies_get(cli->db, k.id, &cli->arena, &s, &cli->err) != OK ||
        read_options(cli, &s) != OK || read_consent(cli, &consent) != OK) {
        return cli->err.code;
    }
    enum err_code rc = any || consent.p ? write_all(cli, &s, any, consent) : OK;
    rc = rc == OK ? studies_get(cli->db, k.id, &cli->arena, &s, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    note_audience(cli, &s);
    struct sv base = sv_of(cli->config.public_url);
    base.n -= sv_ends(base, "/");
    const char *link = study_link(&cli->arena, arena_cstr(&cli->arena, base), &k, &s);
    if (cli->json) {
        print_json(&s, link);
    } else {
        print_text(cli, &s, link);
    }
    if (base.n == 0) {
        cli_warn(cli, "The link has no host, because server.public_url is not set. Set it to the address at "
                 "which workers reach this server, in config.ini or with HOLDOUT_SERVER_PUBLIC_URL.");
    }
    if (!campaign_titled(&k)) {
        cli_warn(cli, "The campaign " SV_FMT " has no title, so workers read a general one. %s",
                 SV_ARG(k.name), sv_is(k.state, "draft")
                     ? "Give it one: run holdout grids again with its --campaign and with --title."
                     : "Plan the next one with --title.");
    }
    return OK;
}
