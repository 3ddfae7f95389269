/* class_decisions_read.c - SQL that reads decisions about the images of a class: what each said,
 * who and when, whether it was undone. For pages, and for whoever is told that somebody else was
 * faster. */
#include "db/rows.h"
#include "store/review/class_decisions.h"

DB_ROW(entry_row, struct blacklist_entry, name, banned, reason, note);
DB_ROW(review_row, struct decided, reviewed, problematic);

static enum err_code read_images(struct db *db, struct decided *d, struct arena *a, struct err *err)
{
    enum err_code rc = db_list(db, entry_row, &d->images, &d->n_images, a,
                               "SELECT name, banned, reason, note FROM blacklisting WHERE event = ?1"
                               " ORDER BY name",
                               DB_VALS(db_int(d->id)), err);
    for (size_t i = 0; i < d->n_images; i++) {
        d->images[i].event = d->id;
        d->images[i].at = d->at;
        d->images[i].account = d->account;
    }
    return rc;
}

DB_ROW(decided_pair_row, struct decided_pair, a, b, same);

static enum err_code read_pairs(struct db *db, struct decided *d, struct arena *a, struct err *err)
{
    return db_list(db, decided_pair_row, &d->pairs, &d->n_pairs, a,
                   "SELECT a, b, same FROM near_duplicate WHERE event = ?1 ORDER BY a, b",
                   DB_VALS(db_int(d->id)), err);
}

static enum err_code read_review(struct db *db, struct decided *d, struct err *err)
{
    d->reviewed = d->problematic = DECIDED_NOTHING;
    return db_maybe(db, review_row, d, NULL,
                    "SELECT reviewed, problematic FROM class_review WHERE revision = ?1"
                    " AND class = ?2 AND event = ?3",
                    DB_VALS(db_int(d->revision), db_int(d->class_id), db_int(d->id)), err);
}

#define DECIDED                                                                                    \
    "SELECT d.id, e.at, coalesce(e.account, 0), coalesce(d.revision, 0), coalesce(d.undoes, 0),"   \
    " coalesce((SELECT u.id FROM class_decision u WHERE u.undoes = d.id), 0),"                     \
    " coalesce(i.external_id, ''), d.class FROM class_decision d JOIN event e ON e.id = d.id"      \
    " LEFT JOIN account c ON c.id = e.account LEFT JOIN identity i ON i.person = c.person"

DB_ROW(decided_row, struct decided, id, at, account, revision, undoes, undone_by, login, class_id);

static enum err_code read_rows(struct db *db, struct decided *d, struct arena *a, struct err *err)
{
    enum err_code rc = read_images(db, d, a, err);
    rc = rc == OK ? read_pairs(db, d, a, err) : rc;
    return rc == OK ? read_review(db, d, err) : rc;
}

enum err_code class_decisions_list(struct db *db, int64_t class_id, int64_t after, size_t most,
                                   struct arena *a, struct decided **out, size_t *n,
                                   struct err *err)
{
    enum err_code rc = db_list(db, decided_row, out, n, a,
                               DECIDED " WHERE d.class = ?1 AND d.id > ?2 ORDER BY d.id DESC LIMIT ?3",
                               DB_VALS(db_int(class_id), db_int(after), db_int((int64_t)most)), err);
    for (size_t i = 0; i < *n && rc == OK; i++) {
        rc = read_rows(db, &(*out)[i], a, err);
    }
    return rc;
}

enum err_code class_decisions_get(struct db *db, int64_t id, struct arena *a, struct decided *out,
                                  struct err *err)
{
    enum err_code rc = db_find(db, decided_row, out, a, DECIDED " WHERE d.id = ?1",
                               DB_VALS(db_int(id)), err);
    if (rc == ERR_NOT_FOUND) {
        return err_rule(err, rc, "class-decision", "There is no such decision.");
    }
    return rc == OK ? read_rows(db, out, a, err) : rc;
}
