/* superclass_lists.c - SQL for superclass_list and its members. */
#include "store/classes/superclass_lists.h"

#include "db/rows.h"
#include "store/core/events.h"
#include "store/core/known.h"

enum err_code superclass_list_name_check(struct sv name, struct err *err)
{
    return known_name_check(name, SUPERCLASS_LIST_NAME - 1, "superclasses-name", "superclasses", err);
}

/* ---- reading ---- */

DB_ROW(list_columns, struct superclass_list_row, id, at, account, number, newest, classes, superclasses, name, login, note, digest);

#define LIST                                                                                                            \
    "SELECT s.id, e.at, coalesce(e.account, 0), s.version,"                                                             \
    " (SELECT max(o.version) FROM superclass_list o WHERE o.name = s.name),"                                            \
    " (SELECT count(*) FROM superclass_member m WHERE m.list = s.id),"                                                  \
    " (SELECT count(DISTINCT superclass) FROM superclass_member m WHERE m.list = s.id),"                                \
    " s.name, coalesce(i.external_id, ''), s.note, s.digest FROM superclass_list s JOIN event e ON e.id = s.id"         \
    " LEFT JOIN account c ON c.id = e.account LEFT JOIN identity i ON i.person = c.person "

enum err_code superclass_lists_find(struct db *db, struct sv name, struct arena *a, struct superclass_list_row *out, struct err *err)
{
    int64_t number = 0;
    struct sv rest = name, own = sv_cut(&rest, '/');
    bool named = !rest.p || sv_i64(rest, &number);
    enum err_code rc = named ? db_find(db, list_columns, out, a, LIST "WHERE s.name = ?1 AND ?2 IN (0, s.version) ORDER BY s.version DESC LIMIT 1",
                                       DB_VALS(db_text(own), db_int(number)), err)
                             : ERR_NOT_FOUND;
    return rc == ERR_NOT_FOUND
               ? err_rule(err, rc, "no-superclasses", "There are no superclasses " SV_FMT ". `holdout superclasses` lists those that there are.",
                          SV_ARG(name))
               : rc;
}

enum err_code superclass_lists_newest(struct db *db, struct arena *a, struct superclass_list_row **out, size_t *n, struct err *err)
{
    return db_list(db, list_columns, out, n, a,
                   LIST "WHERE s.version = (SELECT max(o.version) FROM superclass_list o WHERE o.name = s.name) ORDER BY s.name", DB_NONE, err);
}

enum err_code superclass_lists_all(struct db *db, struct arena *a, struct superclass_list_row **out, size_t *n, struct err *err)
{
    return db_list(db, list_columns, out, n, a, LIST "ORDER BY s.id", DB_NONE, err);
}

DB_ROW(member_columns, struct superclass_member, class_id, wnid, superclass);

enum err_code superclass_members_read(struct db *db, int64_t list, struct arena *a, struct superclass_member **out, size_t *n, struct err *err)
{
    return db_list(db, member_columns, out, n, a,
                   "SELECT c.id, c.wnid, m.superclass FROM superclass_member m JOIN class c ON c.id = m.class WHERE m.list = ?1"
                   " ORDER BY m.superclass, c.cid",
                   DB_VALS(db_int(list)), err);
}

/* ---- a version ---- */

static enum err_code check_row(struct db *db, const struct superclass_list_row *row, struct err *err)
{
    int64_t names = 0;
    enum err_code rc = superclass_list_name_check(row->name, err);
    if (rc == OK && (row->note.n > SUPERCLASS_LIST_NOTE || !sv_utf8(row->note))) {
        rc = err_rule(err, ERR_INPUT, "superclasses-note", "A note must be text of at most %d bytes. Nothing was stored.", SUPERCLASS_LIST_NOTE);
    }
    rc = rc == OK ? db_one_int(db, "SELECT count(DISTINCT name) FROM superclass_list WHERE name <> ?1", DB_VALS(db_text(row->name)), &names, err)
                  : rc;
    return rc == OK && names >= SUPERCLASS_LISTS_MOST
               ? err_rule(err, ERR_LIMIT, "superclasses-most",
                          "There are already %d lists of superclasses, and none is ever deleted: make a new version of one.", SUPERCLASS_LISTS_MOST)
               : rc;
}

enum err_code superclass_lists_add(struct db *db, const struct superclass_list_row *row, const struct superclass_member *members, size_t n,
                                   int64_t account, int64_t now, int64_t *number, bool *added, struct err *err)
{
    int64_t same = 0, id = 0;
    *added = false;
    *number = 0;
    enum err_code rc = check_row(db, row, err);
    rc = rc == OK ? db_maybe_ints(db, "SELECT version, digest = ?2 FROM superclass_list WHERE name = ?1 ORDER BY version DESC LIMIT 1",
                                  DB_VALS(db_text(row->name), db_blob(row->digest, SUPERCLASS_LIST_DIGEST)), number, &same, err)
                  : rc;
    if (rc != OK || same) {
        return rc;
    }
    rc = events_add(db, now, account, "superclasses.create", 0, NULL, &id, err);
    rc = rc == OK ? db_run(db, "INSERT INTO superclass_list (id, name, version, note, digest) VALUES (?1, ?2, ?3, ?4, ?5)",
                           DB_VALS(db_int(id), db_text(row->name), db_int(++*number), db_text(row->note),
                                   db_blob(row->digest, SUPERCLASS_LIST_DIGEST)),
                           err)
                  : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = db_run(db, "INSERT INTO superclass_member (list, class, superclass) VALUES (?1, ?2, ?3)",
                    DB_VALS(db_int(id), db_int(members[i].class_id), db_text(members[i].superclass)), err);
    }
    *added = rc == OK;
    return rc;
}
