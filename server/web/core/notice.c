/* notice.c - the cookie that carries what was done over a redirect: "BASE64.MAC". */
#include "web/core/notice.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/object.h"
#include "web/core/app_internal.h"
#include "web/core/reply.h"
#include "web/core/signed_in.h"

#define NOTICE_COOKIE "holdout_notice"

enum { TEXT_MOST = 400, COOKIE_MOST = 3000, LIFE_S = 60, MAC_TEXT = 43 };

/* Binds the text to this project and this session; workers have none. */
static void mac(struct ctx *c, struct sv text, char out[MAC_TEXT + 1])
{
    unsigned char hash[CRYPTO_HASH];
    char session[2 * CRYPTO_HASH + 1] = "";
    if (c->user.session) {
        crypto_hex(c->user.session, CRYPTO_HASH, session);
    }
    const char *whole = arena_printf(c->arena, "notice:%s:" SV_FMT, session, SV_ARG(text));
    crypto_keyed(c->app->session_key, sv_of(whole), hash);
    crypto_base64url(hash, CRYPTO_HASH, out);
}

static json_t *undo_json(const struct undo *undo)
{
    json_t *fields = json_array();
    for (size_t i = 0; i < sizeof undo->fields / sizeof *undo->fields && undo->fields[i].name; i++) {
        object_add(fields, field_text("name", undo->fields[i].name),
                   field_text("value", undo->fields[i].value));
    }
    return object(field_text("action", undo->action), field_json("fields", fields));
}

enum err_code reply_did(struct ctx *c, const char *location, const struct undo *undo,
                         const char *fmt, ...)
{
    char text[TEXT_MOST], check[MAC_TEXT + 1];
    va_list list;
    va_start(list, fmt);
    vsnprintf(text, sizeof text, fmt, list);
    va_end(list);
    text[sv_utf8_whole(sv_of(text)).n] = '\0'; /* a long one was cut */
    json_t *notice =
        object(field_text("text", text), field_json("undo", undo ? undo_json(undo) : json_null()));
    char *plain = notice ? json_dumps(notice, JSON_COMPACT) : NULL;
    json_decref(notice);
    size_t n = plain ? strlen(plain) : 0;
    if (n > 0 && 4 * (n / 3 + 1) + MAC_TEXT + 1 < COOKIE_MOST) {
        char *coded = arena_alloc(c->arena, 4 * (n / 3 + 1) + 1);
        crypto_base64url(plain, n, coded);
        mac(c, sv_of(coded), check);
        cookie_set_below(c, "/", NOTICE_COOKIE, arena_printf(c->arena, "%s.%s", coded, check),
                         LIFE_S);
    }
    free(plain);
    return reply_redirect(c, location);
}

static json_t *read_cookie(struct ctx *c, struct sv cookie)
{
    char check[MAC_TEXT + 1];
    struct sv rest = cookie, coded = sv_cut(&rest, '.');
    if (cookie.n > COOKIE_MOST || rest.n != MAC_TEXT) {
        return NULL;
    }
    mac(c, coded, check);
    size_t n = coded.n / 4 * 3 + (coded.n % 4 ? coded.n % 4 - 1 : 0);
    char *plain = arena_alloc(c->arena, n + 1);
    if (!crypto_equal(check, rest.p, MAC_TEXT) || !crypto_unbase64url(coded, plain, n)) {
        return NULL;
    }
    return json_loadb(plain, n, JSON_REJECT_DUPLICATES, NULL);
}

json_t *notice_take(struct ctx *c, int status)
{
    struct sv cookie = request_cookie(c->req, NOTICE_COOKIE);
    struct sv wanted = request_header(c->req, "Sec-Fetch-Dest");
    bool seen = status == 200 && c->req->method == HTTP_GET && !c->refused &&
                (wanted.n == 0 || sv_is(wanted, "document"));
    if (cookie.n == 0 || !seen) {
        return NULL;
    }
    cookie_set_below(c, "/", NOTICE_COOKIE, "", 0);
    json_t *notice = read_cookie(c, cookie);
    if (notice) {
        response_header(c->res, "Cache-Control", "no-store");
    }
    return notice;
}
