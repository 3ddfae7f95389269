/* reply.h - making replies; the only place that maps error codes to HTTP statuses and public
 * text. Errors are a page for browsers and application/problem+json (RFC 9457) below /api. */
#ifndef WEB_CORE_REPLY_H
#define WEB_CORE_REPLY_H

#include "record/record.h"
#include "web/core/app.h"

/* Renders templates/<template>.mustache with the common data (project, title, user, csrf, assets,
 * nav, t: the texts of c->language) and `page` (stolen). Adds an ETag and answers 304 when the client has it, unless the page is
 * behind a capability or the handler set Cache-Control. */
enum err_code reply_page(struct ctx *c, int status, const char *template, const char *title,
                         json_t *page);
/* JSON that is text already. */
enum err_code reply_json_text(struct ctx *c, int status, const char *text);
/* `body` is stolen. */
enum err_code reply_json(struct ctx *c, int status, json_t *body);
/* One row of a record as JSON. */
enum err_code reply_record(struct ctx *c, int status, const struct record *record, const void *row);
/* Rows of a record (record/record.h) as a file of CSV that browsers keep under that name. */
enum err_code reply_csv(struct ctx *c, const char *file, const struct record *record, const void *rows, size_t n);
/* {items, next}: `next` is the cursor of the items that follow, 0: there are none. `items` is stolen. */
enum err_code reply_items(struct ctx *c, json_t *items, int64_t next);
enum err_code reply_redirect(struct ctx *c, const char *location); /* 303 See Other */

/* Bytes of the address that signing in leads on to; a longer one goes without its query. */
enum { REPLY_NEXT_MOST = 2000 };

/* How to take back what was done: a form that is sent to `action` with these fields (and the CSRF
 * token); a NULL name ends them. */
struct undo {
    const char *action;
    struct {
        const char *name, *value;
    } fields[8];
};
/* As reply_redirect; the page that is shown next says once what was done ("Cleared the flags of
 * cat_12."), with a button Undo unless `undo` is NULL. */
enum err_code reply_did(struct ctx *c, const char *location, const struct undo *undo,
                         const char *fmt, ...) __attribute__((format(printf, 4, 5)));
enum err_code reply_text(struct ctx *c, int status, const char *content_type, const struct str *s);
/* A table that was written to the response's body, as a file of that name. */
enum err_code reply_table_file(struct ctx *c, const char *name, const char *content_type);

struct image_sent;
/* An image's rendition (web/core/image_bytes.h). `kept`: the browser may show it again without asking; otherwise it
 * may not store it. */
enum err_code reply_image(struct ctx *c, const struct image_sent *at, bool kept);

/* The problem_record that such a reply is made of. New reference. */
json_t *reply_problem(struct ctx *c, int status, const char *title, const struct err *why);
/* The reply for c->err (or a bare status when it is not set). */
void reply_error(struct ctx *c);
int reply_status(enum err_code code);
int reply_error_status(const struct ctx *c); /* of c->err */

/* ERR_INPUT (415) when the body was no JSON object; for handlers that need one. */
enum err_code gate_need_json(struct ctx *c);

#endif
