/* account_form.h - what the account, invite and admin pages share: proving a password, starting a session, days. */
#ifndef WEB_PARTS_ACCOUNT_FORM_H
#define WEB_PARTS_ACCOUNT_FORM_H

#include "store/people/accounts.h"
#include "web/core/app.h"

/* ERR_DENIED (rule "needs-session") for an API token: what changes accounts or makes tokens is
 * done by a person who signed in. */
enum err_code account_need_session(struct ctx *c);

/* A login name as typed: trimmed and in lower case, in the arena. */
struct sv account_typed_login(struct ctx *c);
/* ERR_RATE when the address tried too many passwords. */
enum err_code account_may_try(struct ctx *c);
/* May somebody here try a password for that login name now? Wrong ones count for the name, known or
 * not; a browser that signed in with it before has its own count, so that whoever keeps guessing
 * elsewhere cannot keep its owner out. ERR_RATE (rule "account-logins"). Every OK is followed by
 * account_tried with the same *who. */
enum err_code account_may_be(struct ctx *c, struct sv login, const char **who);
/* In a slow step. A right password does not count; a wrong one of an `account` that exists (else 0)
 * is an event, and so is one for a name that nobody has. */
void account_tried(struct ctx *c, const char *who, bool right, int64_t account);
/* Makes the browser one that signed in with that login name. */
void account_know_browser(struct ctx *c, struct sv login);
/* The signed-in account, its password in `field` of the form or the JSON body proved: slow. ERR_DENIED (rule
 * "password-wrong"), ERR_RATE. */
enum err_code account_prove(struct ctx *c, const char *field, struct account *self);
/* In a write step: ERR_CONFLICT (rule "account-changed") when the account's password changed or it
 * was disabled since `seen` was read. */
enum err_code account_still(struct ctx *c, const struct account *seen);

/* In a write step: a new session for the account and its cookie; ends the one the browser had. */
enum err_code account_sign_in(struct ctx *c, int64_t account);

/* "2026-11-20". New reference. */
json_t *account_day(int64_t wall_ms);
/* The form's field "days" as milliseconds from now, `otherwise` days when it is empty. ERR_INPUT
 * (rule "days") outside 1..most. */
enum err_code account_typed_days(struct ctx *c, int64_t otherwise, int64_t most, int64_t *out_ms);

#endif
