/* plans.h - SQL for analysis plans, and for since when a set can be scored: a plan that came later is late. Texts are in
 * the caller's arena. */
#ifndef STORE_SETS_PLANS_H
#define STORE_SETS_PLANS_H

#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { PLAN_DIGEST = 32, PLAN_NAME = 64 };

struct plan_row {
    int64_t id, at, account; /* id: its event; account 0: the command line */
    struct sv name, set;     /* set: name of the new set */
    struct sv digest;        /* PLAN_DIGEST bytes: SHA-256 of `body` */
    struct sv body;          /* the file as it came */
    int64_t opened;          /* the event since when a revision of the set can be scored; 0: none can */
    struct sv opened_name;   /* that revision, "SET/NUMBER" */
};
/* By event; set empty: of all sets. */
enum err_code plans_list(struct db *db, struct sv set, struct arena *a, struct plan_row **out, size_t *n, struct err *err);
/* ERR_NOT_FOUND (rule "no-plan"). */
enum err_code plans_find(struct db *db, struct sv name, struct arena *a, struct plan_row *out, struct err *err);
/* Inside the caller's transaction, with an event "plan.register". p->name, set, digest and body are stored. The same plan once
 * more changes nothing: *added false. ERR_CONFLICT (rule "plan-name") when the name has another plan. */
enum err_code plans_add(struct db *db, const struct plan_row *p, int64_t account, int64_t now, bool *added, struct err *err);

#endif
