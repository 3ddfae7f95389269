/* expert_choices.h - accounts to which experts' work can be given, as choices of a form. */
#ifndef WEB_PARTS_EXPERT_CHOICES_H
#define WEB_PARTS_EXPERT_CHOICES_H

#include "store/people/accounts.h"
#include "web/core/app.h"

/* Accounts that may sign in and are experts, leads or administrators, at most 500, in the request's arena. */
enum err_code expert_accounts(struct ctx *c, struct account **out, size_t *n);

/* [{login, role}] of these. New reference; NULL with c->err set. */
json_t *expert_choices(struct ctx *c);

#endif
