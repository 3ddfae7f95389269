/* study_check.c - what the settings of a study may be. Every refusal names its field as the rule, so
 * that the form can show it there. */
#include "store/campaigns/studies.h"

#include <stdio.h>

enum {
    KEY_LEAST = 8,
    WORD_MOST = 64,
    URL_MOST = 2000,
    LINE_MOST = 500,
    MINUTES_MOST = 60 * 24 * 30,
    CENTS_MOST = 1000000,
    GRIDS_MOST = 10000,
    CONSENT_MOST = 20000
};

static bool is_word_char(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
           ch == '-' || ch == '_' || ch == '.';
}

/* What stands in an address without being escaped. */
static bool is_word(struct sv text, size_t least)
{
    if (text.n < least || text.n > WORD_MOST) {
        return false;
    }
    for (size_t i = 0; i < text.n; i++) {
        if (!is_word_char(text.p[i])) {
            return false;
        }
    }
    return true;
}

/* One line of text that a page can show. */
static bool is_line(struct sv text, size_t most)
{
    for (size_t i = 0; i < text.n; i++) {
        if ((unsigned char)text.p[i] < ' ' || text.p[i] == 0x7f) {
            return false;
        }
    }
    return text.n <= most && sv_utf8(text);
}

/* Names that the start page's form uses itself. */
static bool is_reserved(struct sv name)
{
    static const char *const names[] = {"key", "consent", "lang", "sig", "exp", "entry", "token",
                                        "prolific_token"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        any = any || sv_is(name, names[i]);
    }
    return any;
}

static enum err_code check_parameters(struct sv names, struct err *err)
{
    struct sv rest = names, seen[STUDY_PARAMETERS];
    size_t n = 0;
    while (rest.p) {
        struct sv name = sv_cut(&rest, '|');
        bool twice = false;
        for (size_t i = 0; i < n; i++) {
            twice = twice || sv_eq(seen[i], name);
        }
        if (n == STUDY_PARAMETERS || twice || !is_word(name, 1) || is_reserved(name)) {
            return err_rule(err, ERR_INPUT, "id_parameters",
                            "Name 1 to %d different parameters of at most %d letters, digits, -, _ and . "
                            "(key, consent, lang, sig, exp, entry, token and prolific_token are reserved).",
                            STUDY_PARAMETERS, WORD_MOST);
        }
        seen[n++] = name;
    }
    return OK;
}

/* An address to go back to: only the two schemes that cannot run anything in our page, and a host
 * that the code is no part of. */
static bool is_return_url(struct sv url)
{
    size_t scheme = sv_starts(url, "https://") ? 8 : sv_starts(url, "http://") ? 7 : 0;
    bool good = scheme > 0 && url.n > scheme && url.n <= URL_MOST;
    bool host = true;
    for (size_t i = 0; i < url.n; i++) {
        unsigned char ch = (unsigned char)url.p[i];
        host = host && (i < scheme || (ch != '/' && ch != '?' && ch != '#'));
        good = good && ch > ' ' && ch < 0x7f && ch != '"' && ch != '<' && ch != '>' &&
               ch != '\\' && !(host && (ch == '{' || ch == '}'));
        good = good && (host || i != scheme);
    }
    return good;
}

static bool is_language(struct sv code)
{
    bool good = code.n == 0 || code.n == 2;
    for (size_t i = 0; i < code.n; i++) {
        good = good && code.p[i] >= 'a' && code.p[i] <= 'z';
    }
    return good;
}

/* What the key must be is for who can read keys (study/signed.h). */
static enum err_code check_signing(const struct study_settings *s, struct err *err)
{
    static const char *const ways[] = {"", "hmac", "HS256", "RS256", "EdDSA"};
    bool known = false;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        known = known || sv_is(s->signing, ways[i]);
    }
    return known ? OK
                 : err_rule(err, ERR_INPUT, "signing",
                            "Links can be signed by hmac, HS256, RS256 or EdDSA, or not at all.");
}

static enum err_code check_codes(const struct study_settings *s, struct err *err)
{
    for (unsigned i = 0; i < STUDY_OUTCOMES; i++) {
        bool optional = i == STUDY_COMPLETE || !study_has_code((enum study_outcome)i);
        if (!is_word(s->code[i], optional ? 0 : 1)) {
            char rule[48];
            snprintf(rule, sizeof rule, "code_%s", study_outcome_name((enum study_outcome)i));
            return err_rule(err, ERR_INPUT, rule,
                            "A code must have 1 to %d letters, digits, -, _ and .%s", WORD_MOST,
                            optional ? "; empty: every place gets one of its own." : "");
        }
    }
    return OK;
}

static enum err_code check_numbers(const struct study_settings *s, struct err *err)
{
    const struct {
        const char *field;
        int64_t value, least, most;
    } all[] = {{"partial_grids", s->partial_grids, 1, GRIDS_MOST},
               {"place_minutes", s->place_minutes, 1, MINUTES_MOST},
               {"floor_cents", s->floor_cents, 0, CENTS_MOST}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].value < all[i].least || all[i].value > all[i].most) {
            return err_rule(err, ERR_INPUT, all[i].field, "Give a number from %lld to %lld.",
                            (long long)all[i].least, (long long)all[i].most);
        }
    }
    return OK;
}

enum err_code study_check(const struct study_settings *s, struct err *err)
{
    if (s->link_key.n && !is_word(s->link_key, KEY_LEAST)) {
        return err_rule(err, ERR_INPUT, "link_key",
                        "A link's key must have %d to %d letters, digits, -, _ and ., or be empty.",
                        KEY_LEAST, WORD_MOST);
    }
    if (!is_word(s->source, 1) || sv_is(s->source, "local")) {
        return err_rule(err, ERR_INPUT, "source",
                        "Name the source of the ids with at most %d letters, digits, -, _ and . (\"local\" "
                        "is reserved for accounts of this server).",
                        WORD_MOST);
    }
    if (check_signing(s, err) != OK) {
        return err->code;
    }
    if (s->return_url.n && !is_return_url(s->return_url)) {
        return err_rule(err, ERR_INPUT, "return_url",
                        "Give an address that begins with https:// or http://, without spaces; "
                        "{code} stands for the code.");
    }
    if (!is_line(s->contact, LINE_MOST)) {
        return err_rule(err, ERR_INPUT, "contact", "Give one line of at most %d bytes.",
                        LINE_MOST);
    }
    if (!is_line(s->protocol, LINE_MOST)) {
        return err_rule(err, ERR_INPUT, "protocol", "Give one line of at most %d bytes.",
                        LINE_MOST);
    }
    if (!is_language(s->language)) {
        return err_rule(err, ERR_INPUT, "language",
                        "Name a language by its two letters, or leave it to the browser.");
    }
    if (check_parameters(s->id_parameters, err) != OK || check_numbers(s, err) != OK) {
        return ERR_INPUT;
    }
    return check_codes(s, err);
}

/* Pages show the text as paragraphs: lines and tabs may be in it, other control characters not. */
static bool is_consent_text(struct sv text)
{
    bool good = sv_trim(text).n > 0 && text.n <= CONSENT_MOST && sv_utf8(text);
    for (size_t i = 0; i < text.n; i++) {
        unsigned char ch = (unsigned char)text.p[i];
        good = good && (ch >= ' ' || ch == '\n' || ch == '\r' || ch == '\t');
    }
    return good;
}

enum err_code study_check_consent(struct sv version, struct sv text, struct err *err)
{
    if (!is_consent_text(text)) {
        return err_rule(err, ERR_INPUT, "consent_text",
                        "Write a text of 1 to %d bytes in UTF-8.", CONSENT_MOST);
    }
    if (version.n && (!is_word(version, 1) || sv_is(version, "0"))) {
        return err_rule(err, ERR_INPUT, "consent_version",
                        "A version must have 1 to %d letters, digits, -, _ and . (0 is the built-in "
                        "text).", WORD_MOST);
    }
    return OK;
}
