/* sets.c - SQL that reads image sets, their revisions, and the lists of images that these consist
 * of; what writes them is in write.c. */
#include "store/sets/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/rows.h"
#include "store/core/known.h"

static const char *const state_words[] = {"sealed", "unsealed", "frozen", "released"};

const char *revision_state_word(enum revision_state s)
{
    return state_words[s];
}

static enum revision_state state_of(struct sv word)
{
    for (int s = REVISION_RELEASED; s > REVISION_SEALED; s--) {
        if (sv_is(word, state_words[s])) {
            return (enum revision_state)s;
        }
    }
    return REVISION_SEALED;
}

/* ---- reading ---- */

#define SET                                                                                        \
    "SELECT s.id, s.name, s.role, (SELECT count(*) FROM revision r WHERE r.image_set = s.id),"     \
    " coalesce((SELECT r.id FROM revision r WHERE r.image_set = s.id ORDER BY r.number DESC"       \
    "  LIMIT 1), 0) FROM image_set s "

DB_ROW(set_row, struct set_row, id, name, role, revisions, newest);

enum err_code sets_list(struct db *db, struct arena *a, struct set_row **out, size_t *n,
                        struct err *err)
{
    return db_list(db, set_row, out, n, a, SET "ORDER BY s.name", DB_NONE, err);
}

static enum err_code no_set(struct db *db, struct sv name, struct err *err)
{
    static const struct known known = {"set", "image set", "Import one with `holdout import set`", "SELECT name FROM image_set ORDER BY name"};
    return known_refuse(db, &known, name, DB_NONE, err);
}

enum err_code sets_find(struct db *db, struct sv name, struct arena *a, struct set_row *out,
                        struct err *err)
{
    enum err_code rc = db_find(db, set_row, out, a, SET "WHERE s.name = ?1",
                               DB_VALS(db_text(name)), err);
    return rc == ERR_NOT_FOUND ? no_set(db, name, err) : rc;
}

#define REVISION                                                                                   \
    "SELECT r.id, r.image_set, r.number, coalesce(r.parent, 0), s.name, s.role, r.strategy,"       \
    " r.parameters, l.images, e.at, coalesce(e.account, 0), l.digest,"                             \
    " coalesce(t.reason, ''), coalesce(te.at, 0), r.list,"                                         \
    " (SELECT q.name || '/' || q.number FROM set_list o JOIN sealed_revision q ON q.list = o.id"   \
    "  WHERE o.digest = l.digest AND q.id <> r.id"                                                 \
    "  AND NOT (q.image_set = r.image_set AND q.id > r.id) ORDER BY q.id LIMIT 1),"                \
    " r.rows_known,"                                                                               \
    " CASE WHEN json_valid(r.parameters) THEN coalesce(json_extract(r.parameters, '$.name'), '')"  \
    "  ELSE '' END, coalesce(t.state, 'sealed')"                                                   \
    " FROM revision r JOIN image_set s ON s.id = r.image_set JOIN set_list l ON l.id = r.list"     \
    " JOIN event e ON e.id = r.id"                                                                 \
    " LEFT JOIN revision_state t ON t.id = (SELECT max(id) FROM revision_state"                    \
    "  WHERE revision = r.id) LEFT JOIN event te ON te.id = t.id "

static void read_state(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    ((struct revision_row *)out)->state = state_of(db_col_text(r, 18));
}
DB_ROW_THEN(revision_row, struct revision_row, read_state, id, image_set, number, parent, set, role,
            strategy, parameters, images, at, account, digest, state_reason, state_at, list,
            sealed_by, rows_known, published);

/* The set of that name; where there is none, the one of a published name such as imagenetv2-b-7,
 * which is the revision imagenetv2-b/7. */
static enum err_code find_named(struct db *db, struct sv *set, struct sv *number, struct arena *a,
                                struct set_row *out, struct err *err)
{
    struct err none = {OK, "", ""};
    size_t dash = set->n;
    int64_t n;
    enum err_code rc = sets_find(db, *set, a, out, &none);
    while (dash > 0 && set->p[dash - 1] != '-') {
        dash--;
    }
    struct sv end = sv_make(set->p + dash, set->n - dash);
    if (rc == ERR_NOT_FOUND && !number->p && dash > 1 && sv_i64(end, &n)) {
        struct err other = {OK, "", ""};
        if (sets_find(db, sv_make(set->p, dash - 1), a, out, &other) == OK) {
            *set = sv_make(set->p, dash - 1);
            *number = end;
            return OK;
        }
    }
    return rc == OK ? OK : err_rule(err, rc, none.rule, "%s", none.msg);
}

enum err_code sets_named_like(struct db *db, struct sv name, struct arena *a, struct sv *set,
                              struct sv *revision, struct err *err)
{
    struct db_rows r;
    *set = *revision = SV("");
    enum err_code rc = db_begin(db,
                                "SELECT x.name, s.name || '/' || r.number FROM revision r"
                                " JOIN image_set s ON s.id = r.image_set"
                                " JOIN image_set x ON x.name = s.name || '-' || r.number"
                                " WHERE ?1 IN (x.name, s.name) ORDER BY r.id LIMIT 1",
                                DB_VALS(db_text(name)), &r, err);
    if (rc == OK && db_step(&r, err)) {
        *set = arena_sv(a, db_col_text(&r, 0));
        *revision = arena_sv(a, db_col_text(&r, 1));
    }
    return rc == OK ? db_end(&r) : rc;
}

enum err_code revisions_find(struct db *db, struct sv name, struct arena *a,
                             struct revision_row *out, struct err *err)
{
    struct sv number = name, set = sv_cut(&number, '/');
    struct set_row s = {0};
    int64_t wanted = -1;
    enum err_code rc = find_named(db, &set, &number, a, &s, err);
    if (rc != OK) {
        return rc;
    }
    rc = ERR_NOT_FOUND;
    if (!number.p) {
        rc = db_find(db, revision_row, out, a, REVISION "WHERE r.id = ?1",
                     DB_VALS(db_int(s.newest)), err);
    } else if (sv_i64(number, &wanted) && wanted >= 0) {
        rc = db_find(db, revision_row, out, a, REVISION "WHERE r.image_set = ?1 AND r.number = ?2",
                     DB_VALS(db_int(s.id), db_int(wanted)), err);
    }
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "set",
                                          "There is no revision " SV_FMT ": the set " SV_FMT
                                          " has %lld, numbered from 0.",
                                          SV_ARG(name), SV_ARG(s.name), (long long)s.revisions)
                               : rc;
}

enum err_code revisions_get(struct db *db, int64_t id, struct arena *a, struct revision_row *out,
                            struct err *err)
{
    enum err_code rc = db_find(db, revision_row, out, a, REVISION "WHERE r.id = ?1",
                               DB_VALS(db_int(id)), err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "set", "There is no such revision.") : rc;
}

enum err_code revisions_list(struct db *db, int64_t set, struct arena *a, struct revision_row **out,
                             size_t *n, struct err *err)
{
    return db_list(db, revision_row, out, n, a,
                   REVISION "WHERE ?1 = 0 OR r.image_set = ?1 ORDER BY s.name, r.number",
                   DB_VALS(db_int(set)), err);
}

enum err_code revisions_images(struct db *db, int64_t id, struct arena *a,
                               struct revision_image **out, size_t *n, struct err *err)
{
    struct db_rows r;
    int64_t list = 0, images = 0;
    enum err_code rc = db_maybe_ints(db,
                                     "SELECT l.id, l.images FROM revision r JOIN set_list l"
                                     " ON l.id = r.list WHERE r.id = ?1",
                                     DB_VALS(db_int(id)), &list, &images, err);
    if (rc != OK) {
        return rc;
    }
    db_begin(db, "SELECT image, class FROM set_list_image WHERE list = ?1 ORDER BY position LIMIT ?2",
             DB_VALS(db_int(list), db_int(images)), &r, err);
    *n = 0;
    *out = arena_calloc(a, (size_t)images, sizeof **out);
    while (db_step(&r, err)) {
        (*out)[(*n)++] =
            (struct revision_image){(uint32_t)db_col_int(&r, 0), (uint32_t)db_col_int(&r, 1)};
    }
    return db_end(&r);
}

DB_ROW(revision_name_row, struct revision_name, position, image, name, class_id, wnid, cid);

enum err_code revision_images_named(struct db *db, int64_t id,
                                    enum err_code (*each)(void *arg, const struct revision_name *m,
                                                          struct err *err),
                                    void *arg, struct err *err)
{
    struct db_rows r;
    struct revision_name m;
    enum err_code rc =
        db_begin(db,
                 "SELECT l.position, i.id, i.name, k.id, k.wnid, k.cid FROM revision v"
                 " JOIN set_list_image l ON l.list = v.list"
                 " JOIN image i ON i.id = l.image JOIN class k ON k.id = l.class"
                 " WHERE v.id = ?1 ORDER BY l.position",
                 DB_VALS(db_int(id)), &r, err);
    while (rc == OK && db_next(&r, revision_name_row, &m, NULL, err)) {
        rc = each(arg, &m, err);
    }
    return db_end_after(&r, rc);
}

enum err_code revision_may_be_scored(const struct revision_row *r, struct err *err)
{
    bool open = sv_is(r->role, "original") || r->state != REVISION_SEALED;
    if (open && !r->sealed_by.n) {
        return OK;
    }
    if (open) {
        return err_rule(err, ERR_DENIED, "set-sealed",
                        SV_FMT "/%lld has the same images as " SV_FMT
                               ", which is sealed: models are not scored on a set that is under "
                               "construction. Freeze " SV_FMT
                               " when it is final, or unseal it early; reports will show your "
                               "reason.",
                        SV_ARG(r->set), (long long)r->number, SV_ARG(r->sealed_by),
                        SV_ARG(r->sealed_by));
    }
    return err_rule(
        err, ERR_DENIED, "set-sealed",
        SV_FMT "/%lld is sealed: models are not scored on a set that is under construction. "
               "Freeze it when it is final, or unseal it early; reports will show your reason.",
        SV_ARG(r->set), (long long)r->number);
}

const struct revision_row *revision_newest(const struct revision_row *list, size_t n, const char *role)
{
    const struct revision_row *found = NULL;
    for (size_t i = 0; i < n; i++) {
        if (sv_is(list[i].role, role) && revision_may_be_scored(&list[i], NULL) == OK && (!found || list[i].id > found->id)) {
            found = &list[i];
        }
    }
    return found;
}

bool revision_leads_set(const struct revision_row *list, size_t n, const struct revision_row *r)
{
    bool leads = revision_may_be_scored(r, NULL) == OK;
    for (size_t i = 0; i < n && leads; i++) {
        leads = list[i].image_set != r->image_set || list[i].number <= r->number || revision_may_be_scored(&list[i], NULL) != OK;
    }
    return leads;
}

/* ---- health ---- */

DB_ROW(set_list_state_row, struct set_list_state, id, images, digest, rows, revision);

enum err_code sets_check(struct db *db,
                         enum err_code (*each)(void *arg, const struct set_list_state *l,
                                               struct err *err),
                         void *arg, struct err *err)
{
    struct db_rows r;
    struct set_list_state l;
    enum err_code rc =
        db_begin(db,
                 "SELECT l.id, l.images, l.digest, (SELECT count(*) FROM set_list_image i"
                 "  WHERE i.list = l.id), coalesce((SELECT min(id) FROM revision v"
                 "  WHERE v.list = l.id), 0) FROM set_list l ORDER BY l.id",
                 DB_NONE, &r, err);
    while (rc == OK && db_next(&r, set_list_state_row, &l, NULL, err)) {
        rc = each(arg, &l, err);
    }
    return db_end_after(&r, rc);
}
