/* pages_account.h - handlers of signing in, accounts, invites and tokens; their rows are in
 * routes.c. A name ending in _check is the slow step of the one without. */
#ifndef WEB_CORE_PAGES_ACCOUNT_H
#define WEB_CORE_PAGES_ACCOUNT_H

#include "web/core/app.h"

/* admin/account.c */
enum err_code page_login_form(struct ctx *c);
enum err_code page_login_check(struct ctx *c);
enum err_code page_login(struct ctx *c);
enum err_code page_logout(struct ctx *c);
enum err_code page_account(struct ctx *c);
enum err_code page_password_check(struct ctx *c);
enum err_code page_password(struct ctx *c);
enum err_code page_sessions_end(struct ctx *c);
enum err_code page_token_revoke(struct ctx *c);

/* admin/invite.c */
enum err_code page_invite_form(struct ctx *c);
enum err_code page_invite_check(struct ctx *c);
enum err_code page_invite(struct ctx *c);

/* admin/admin.c */
enum err_code page_admin(struct ctx *c);
enum err_code page_admin_check(struct ctx *c); /* of all that gives or takes rights */
enum err_code page_admin_role(struct ctx *c);
enum err_code page_admin_disable(struct ctx *c);
enum err_code page_admin_enable(struct ctx *c);
enum err_code page_admin_invite(struct ctx *c);
enum err_code page_admin_invite_revoke(struct ctx *c);
enum err_code page_admin_token(struct ctx *c);
enum err_code page_admin_token_revoke(struct ctx *c);

/* admin/api_tokens.c */
enum err_code api_tokens(struct ctx *c);
enum err_code api_token_check(struct ctx *c);
enum err_code api_token_create(struct ctx *c);
enum err_code api_token_revoke(struct ctx *c);

#endif
