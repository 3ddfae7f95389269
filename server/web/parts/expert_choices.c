/* expert_choices.c - of all accounts those that experts' work can be given to. */
#include "web/parts/expert_choices.h"

#include "json/object.h"

enum { ACCOUNTS_MOST = 500 };

enum err_code expert_accounts(struct ctx *c, struct account **out, size_t *n)
{
    size_t all = 0;
    *n = 0;
    enum err_code rc = accounts_list(c->db, ACCOUNTS_MOST, c->arena, out, &all, &c->err);
    for (size_t i = 0; i < all && rc == OK; i++) {
        const struct account *a = &(*out)[i];
        if (account_is_expert(a) && a->login.n) {
            (*out)[(*n)++] = *a;
        }
    }
    return rc;
}

json_t *expert_choices(struct ctx *c)
{
    struct account *accounts;
    size_t n;
    if (expert_accounts(c, &accounts, &n) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(list, field_sv("login", accounts[i].login), field_sv("role", accounts[i].role));
    }
    return list;
}
