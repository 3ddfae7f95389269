/* signed.c - what panels sign: HMAC-SHA-256 over an id, or a JSON Web Token (RFC 7519). */
#include "study/signed.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "crypto/crypto.h"
#include "crypto/signature.h"

enum {
    SECRET_LEAST = 32,     /* characters of a shared secret */
    KEYS_MOST = 16 << 10,
    LEEWAY_S = 60,         /* clocks of panels and servers differ */
    ENTRY_S = 12 * 3600    /* how long somebody may read the start page */
};

bool signed_by_token(const struct study_settings *s)
{
    return s->signing.n && !sv_is(s->signing, "hmac");
}

enum err_code signed_check_settings(const struct study_settings *s, struct err *err)
{
    if (s->signing.n == 0) {
        return OK;
    }
    if (s->signing_key.n > KEYS_MOST) {
        return err_rule(err, ERR_INPUT, "signing_key", "The key is too long.");
    }
    if (sv_is(s->signing, "RS256") || sv_is(s->signing, "EdDSA")) {
        return signature_check_keys(sv_is(s->signing, "RS256") ? SIGNATURE_RS256 : SIGNATURE_EDDSA,
                                    s->signing_key, err);
    }
    return s->signing_key.n >= SECRET_LEAST
               ? OK
               : err_rule(err, ERR_INPUT, "signing_key",
                          "Give the secret that you share with the panel: at least %d characters.", SECRET_LEAST);
}

/* The worker is told what to do, the log why. */
static enum err_code refuse(const struct study *study, const char *why)
{
    log_msg(LOG_WARN, "a signed link is refused", LOG_NUM("req", study->number),
            LOG_TEXT("why", sv_of(why)));
    return err_rule(study->err, ERR_DENIED, "study-signature",
                    "This link is not signed by the panel of the study. Open the study from the "
                    "panel itself; nothing was recorded about you.");
}

static enum err_code expired(const struct study *study)
{
    return err_rule(study->err, ERR_DENIED, "study-expired",
                    "This link was only good for a while. Open the study from the panel again; "
                    "nothing was recorded about you.");
}

/* ------------------------------------------------------------------ HMAC over the id */

/* Hexadecimal or base64url, as whoever signs likes. */
static bool read_hash(struct sv text, unsigned char out[CRYPTO_HASH])
{
    return text.n == (size_t)2 * CRYPTO_HASH ? crypto_unhex(text, out, CRYPTO_HASH)
                                             : crypto_unbase64url(text, out, CRYPTO_HASH);
}

enum err_code signed_id(const struct study *study, const struct entry *e,
                        const struct entry_link *link)
{
    unsigned char given[CRYPTO_HASH], wanted[CRYPTO_HASH];
    struct sv exp = entry_value(link, "exp");
    int64_t until = 0;
    if (e->id.n == 0) {
        return refuse(study, "it names nobody");
    }
    if (signed_by_token(&e->s)) {
        return OK; /* signed_claims has looked */
    }
    if (!read_hash(entry_value(link, "sig"), given)) {
        return refuse(study, "there is no signature");
    }
    /* An id holds no line break, so that no id can stand for another one and a date. */
    struct sv text = exp.n ? sv_of(arena_printf(study->arena, SV_FMT "\n" SV_FMT, SV_ARG(e->id), SV_ARG(exp)))
                           : e->id;
    crypto_hmac_sha256(e->s.signing_key, text, wanted);
    if (!crypto_equal(given, wanted, sizeof given)) {
        return refuse(study, "the signature does not match the id");
    }
    if (exp.n && !sv_i64(exp, &until)) {
        return refuse(study, "exp is not a number");
    }
    return exp.n && clock_wall_ms() / 1000 - LEEWAY_S >= until ? expired(study) : OK;
}

/* ------------------------------------------------------------------ JSON Web Tokens */

/* The bytes behind base64url text; p NULL for what is none. */
static struct sv decoded(struct arena *a, struct sv text)
{
    size_t n = text.n * 3 / 4;
    char *out = arena_alloc(a, n + 1);
    bool good = text.n % 4 != 1 && n > 0 && crypto_unbase64url(text, out, n);
    return good ? sv_make(out, n) : (struct sv){NULL, 0};
}

static json_t *object_of(struct arena *a, struct sv part)
{
    struct sv text = decoded(a, part);
    json_t *v = text.p ? json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (v && !json_is_object(v)) {
        json_decref(v);
        v = NULL;
    }
    return v;
}

static struct sv text_of(const json_t *v)
{
    return json_is_string(v) ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

struct token {
    struct sv text, signature; /* what is signed, and with what */
    struct sv payload;
    json_t *header;
};

static bool read_token(const struct study *study, struct sv given, struct token *t)
{
    struct sv rest = given;
    struct sv header = sv_cut(&rest, '.');
    t->payload = rest.p ? sv_cut(&rest, '.') : SV("");
    if (given.n > SIGNED_TOKEN_MOST || !rest.p) {
        return false;
    }
    t->text = sv_make(given.p, header.n + 1 + t->payload.n);
    t->signature = decoded(study->arena, rest);
    t->header = object_of(study->arena, header);
    return t->signature.p && t->header;
}

/* The way of signing is the study's: a token that names another one is nobody's. */
static bool is_signed(const struct study_settings *s, const struct token *t)
{
    unsigned char hash[CRYPTO_HASH];
    if (!sv_eq(text_of(json_object_get(t->header, "alg")), s->signing) ||
        json_object_get(t->header, "crit")) {
        return false;
    }
    if (sv_is(s->signing, "HS256")) {
        crypto_hmac_sha256(s->signing_key, t->text, hash);
        return t->signature.n == sizeof hash && crypto_equal(t->signature.p, hash, sizeof hash);
    }
    return signature_verify(sv_is(s->signing, "RS256") ? SIGNATURE_RS256 : SIGNATURE_EDDSA,
                            s->signing_key, text_of(json_object_get(t->header, "kid")), t->text,
                            t->signature);
}

static size_t scheme_of(struct sv url)
{
    static const char *const schemes[] = {"https://", "http://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t n = strlen(schemes[i]);
        if (url.n >= n && sv_eq_nocase(sv_make(url.p, n), schemes[i])) {
            return n;
        }
    }
    return 0;
}

/* "https://host/path" or "host" as "host"; a scheme means the same in capitals. Only a scheme at the start is skipped:
 * the host of "other.example?://host" is the one that a browser would call, other.example. */
static struct sv host_of(struct sv url)
{
    size_t n = 0;
    size_t scheme = scheme_of(url);
    struct sv host = sv_make(url.p + scheme, url.n - scheme);
    while (n < host.n && !strchr("/?#\\", host.p[n])) { /* NUL ends it too */
        n++;
    }
    return sv_make(host.p, n);
}

static bool names(const struct study *study, const json_t *aud, struct sv here)
{
    struct sv host = host_of(text_of(aud));
    return here.n && sv_eq_nocase(host, arena_printf(study->arena, SV_FMT, SV_ARG(here)));
}

/* A panel signs for many tools with one key: a token for another one proves nothing here. Whoever shares
 * a secret with this study alone may leave the audience out. */
static bool is_for_us(const struct study *study, const struct study_settings *s,
                      const json_t *claims)
{
    struct sv here = host_of(sv_of(study->public_url));
    const json_t *aud = json_object_get(claims, "aud"), *one;
    size_t i;
    bool good = names(study, aud, here);
    json_array_foreach(aud, i, one) {
        good = good || names(study, one, here);
    }
    return good || (!aud && sv_is(s->signing, "HS256"));
}

static enum err_code check_claims(const struct study *study, const struct study_settings *s,
                                  const json_t *claims)
{
    double now = (double)clock_wall_ms() / 1000;
    const json_t *exp = json_object_get(claims, "exp"), *nbf = json_object_get(claims, "nbf");
    if (!json_is_number(exp)) {
        return refuse(study, "the token has no exp");
    }
    if (nbf && !json_is_number(nbf)) {
        return refuse(study, "nbf is not a number");
    }
    if (nbf && json_number_value(nbf) > now + LEEWAY_S) {
        return refuse(study, "the token is not valid yet");
    }
    if (!is_for_us(study, s, claims)) {
        return refuse(study, *study->public_url ? "the token is for another audience (aud)"
                                                : "server.public_url is not set, so that aud "
                                                  "cannot be checked");
    }
    return json_number_value(exp) + LEEWAY_S <= now ? expired(study) : OK;
}

enum err_code signed_claims(const struct study *study, const struct study_settings *s,
                            const struct entry_link *link, json_t **claims)
{
    struct token t = {0};
    struct sv given = entry_value(link, "token");
    given = given.n ? given : entry_value(link, "prolific_token");
    *claims = NULL;
    bool good = read_token(study, given, &t) && is_signed(s, &t);
    json_decref(t.header);
    if (!good) {
        return refuse(study, given.n ?
                      "the token is not signed the way the study requires" : "there is no token");
    }
    *claims = object_of(study->arena, t.payload);
    if (!*claims) {
        return refuse(study, "the token's claims are not a JSON object");
    }
    if (check_claims(study, s, *claims) != OK) {
        json_decref(*claims);
        *claims = NULL;
    }
    return study->err->code;
}

struct sv signed_value(const struct study *study, const json_t *claims, const char *name,
                       bool first)
{
    struct sv value = text_of(json_object_get(json_object_get(claims, "prolific"), name));
    value = value.n ? value : text_of(json_object_get(claims, name));
    value = value.n || !first ? value : text_of(json_object_get(claims, "sub"));
    return arena_sv(study->arena, value);
}

/* ------------------------------------------------------------------ from the start page to consent */

/* A secret of this server: nobody else can make one. */
static const char *entry_at(const struct study *study, const struct entry *e, int64_t at)
{
    unsigned char hash[CRYPTO_HASH];
    char *text = arena_alloc(study->arena, CRYPTO_HASH * 2);
    crypto_keyed(study->key,
                 sv_of(arena_printf(study->arena, "entry\n%lld\n%lld\n" SV_FMT "\n" SV_FMT,
                                    (long long)e->k.id, (long long)at, SV_ARG(e->id),
                                    SV_ARG(e->parameters))),
                 hash);
    crypto_base64url(hash, CRYPTO_HASH, text);
    return arena_printf(study->arena, "%lld.%s", (long long)at, text);
}

const char *signed_entry(const struct study *study, const struct entry *e)
{
    return entry_at(study, e, clock_wall_ms() / 1000);
}

enum err_code signed_entry_check(const struct study *study, const struct entry *e, struct sv given)
{
    struct sv rest = given;
    int64_t at = 0, now = clock_wall_ms() / 1000;
    if (!sv_i64(sv_cut(&rest, '.'), &at)) {
        return refuse(study, "the form was changed");
    }
    const char *wanted = entry_at(study, e, at);
    if (given.n != strlen(wanted) || !crypto_equal(given.p, wanted, given.n)) {
        return refuse(study, "the form was changed");
    }
    return now > at + ENTRY_S || now < at - LEEWAY_S ? expired(study) : OK;
}
