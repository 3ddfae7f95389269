/* reply.h - making replies; the only place that maps error codes to HTTP statuses and public
 * text. Errors are a page for browsers and application/problem+json (RFC 9457) below /api. */
#ifndef WEB_REPLY_H
#define WEB_REPLY_H

#include "web/app.h"

/* Renders templates/<template>.mustache with the common data (project, title, user, csrf, assets,
 * nav, t: the texts of c->language) and `page` (stolen). Adds an ETag and answers 304 when the client has it, unless the page is
 * behind a capability or the handler set Cache-Control. */
enum err_code reply_page(struct ctx *c, int status, const char *template, const char *title,
                         json_t *page);
/* `body` is stolen. */
enum err_code reply_json(struct ctx *c, int status, json_t *body);
enum err_code reply_redirect(struct ctx *c, const char *location); /* 303 See Other */
enum err_code reply_text(struct ctx *c, int status, const char *content_type, const struct str *s);

/* The reply for c->err (or a bare status when it is not set). */
void reply_error(struct ctx *c);
int reply_status(enum err_code code);

/* ERR_INPUT (415) when the body was no JSON object; for handlers that need one. */
enum err_code gate_need_json(struct ctx *c);
/* Sets or (with "") clears the session cookie. */
void gate_set_session(struct ctx *c, const char *token_text, int64_t max_age_s);

#endif
