/* form_refused.h - a form whose write was refused: the page that holds it is shown again with everything
 * that was typed, the message beside its field and the focus on the first wrong one. A handler only
 * returns its error; which field it is about says form_wrong, or the table of rules in form_refused.c. */
#ifndef WEB_CORE_FORM_REFUSED_H
#define WEB_CORE_FORM_REFUSED_H

#include "web/core/app.h"

/* Notes a message about a field (names separated by spaces: the first that the form has; "" for the
 * form as a whole) and sets c->err if nothing is set: ERR_INPUT, rule "form-field". More than one may be
 * noted before the handler returns. Returns c->err.code. */
enum err_code form_wrong(struct ctx *c, const char *fields, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Names the field that c->err is about, and returns its code: for a service's refusal. */
enum err_code form_wrong_field(struct ctx *c, const char *fields);

/* Whether an error of this status to this request is answered by the form's page. */
bool form_refused_wanted(const struct ctx *c, int status);

/* Fills c->res with that page and clears c->err; false, with c->err as it was, where no page can be
 * shown. Needs c->db; never on the writer. */
bool form_refused_page(struct ctx *c, int status);

/* The address of the page on which a form stood, as the form said it; empty when it did not. */
struct sv form_page(const struct ctx *c);

/* A page that was rendered: every form in it says which page it stands on, but on workers' pages. */
enum err_code form_mark_page(struct ctx *c);

#endif
