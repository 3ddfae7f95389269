/* plans.c - SQL for analysis_plan. A plan is never changed or removed. */
#include "store/sets/plans.h"

#include "db/rows.h"
#include "store/core/events.h"

DB_ROW(plan_columns, struct plan_row, id, at, account, name, set, digest, body, opened, opened_name);

/* Originals can always be scored; a revision of a new set from its first state that is not sealed (sealed_revision, 0006). */
#define OPENED                                                                                                                   \
    "(SELECT v.id AS revision, s.name AS name, s.name || '/' || v.number AS title, CASE s.role WHEN 'original' THEN v.id ELSE"   \
    "  (SELECT min(t.id) FROM revision_state t WHERE t.revision = v.id AND t.state <> 'sealed') END AS opened"                   \
    "  FROM revision v JOIN image_set s ON s.id = v.image_set)"
#define PLAN                                                                                                                     \
    "SELECT p.id, e.at, coalesce(e.account, 0), p.name, p.image_set, p.sha256, p.body, coalesce(o.opened, 0), coalesce(o.title, '')" \
    " FROM analysis_plan p JOIN event e ON e.id = p.id LEFT JOIN " OPENED " o ON o.revision ="                                   \
    " (SELECT f.revision FROM " OPENED " f WHERE f.name = p.image_set AND f.opened IS NOT NULL ORDER BY f.opened LIMIT 1) "

enum err_code plans_list(struct db *db, struct sv set, struct arena *a, struct plan_row **out, size_t *n, struct err *err)
{
    return db_list(db, plan_columns, out, n, a, PLAN "WHERE ?1 = '' OR p.image_set = ?1 ORDER BY p.id", DB_VALS(db_text(set)), err);
}

enum err_code plans_find(struct db *db, struct sv name, struct arena *a, struct plan_row *out, struct err *err)
{
    enum err_code rc = db_find(db, plan_columns, out, a, PLAN "WHERE p.name = ?1", DB_VALS(db_text(name)), err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "no-plan", "There is no analysis plan " SV_FMT ".", SV_ARG(name)) : rc;
}

enum err_code plans_add(struct db *db, const struct plan_row *p, int64_t account, int64_t now, bool *added, struct err *err)
{
    int64_t same = -1, id;
    *added = false;
    enum err_code rc = db_maybe_int(db, "SELECT body = ?2 FROM analysis_plan WHERE name = ?1", DB_VALS(db_text(p->name), db_text(p->body)),
                                    &same, err);
    if (rc != OK || same == 1) {
        return rc;
    }
    if (same == 0) {
        return err_rule(err, ERR_CONFLICT, "plan-name",
                        "There is another plan " SV_FMT ". A plan is never changed; register this one under another name.", SV_ARG(p->name));
    }
    rc = events_add(db, now, account, "plan.register", 0, NULL, &id, err);
    *added = rc == OK;
    return rc == OK ? db_run(db, "INSERT INTO analysis_plan (id, name, image_set, sha256, body) VALUES (?1, ?2, ?3, ?4, ?5)",
                             DB_VALS(db_int(id), db_text(p->name), db_text(p->set), db_blob(p->digest.p, p->digest.n), db_text(p->body)),
                             err)
                    : rc;
}
