/* class_decisions_read.c - SQL that reads decisions about the images of a class: what each said,
 * who and when, whether it was undone. For pages, and for whoever is told that somebody else was
 * faster. */
#include "base/list.h"
#include "store/review/class_decisions.h"

static enum err_code read_images(struct db *db, struct decided *d, struct arena *a, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    enum err_code rc =
        db_begin(db,
                 "SELECT name, banned, reason, note FROM blacklisting WHERE event = ?1"
                 " ORDER BY name",
                 DB_VALS(db_int(d->id)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        struct blacklist_entry *e = list_add(&list, a, sizeof *e);
        *e = (struct blacklist_entry){
            .name = arena_sv(a, db_col_text(&r, 0)),
            .event = d->id,
            .at = d->at,
            .account = d->account,
            .banned = db_col_int(&r, 1) != 0,
            .reason = arena_sv(a, db_col_text(&r, 2)),
            .note = arena_sv(a, db_col_text(&r, 3)),
        };
    }
    d->images = list.items;
    d->n_images = list.n;
    return db_end_after(&r, rc);
}

static enum err_code read_pairs(struct db *db, struct decided *d, struct arena *a, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    enum err_code rc =
        db_begin(db, "SELECT a, b, same FROM near_duplicate WHERE event = ?1 ORDER BY a, b",
                 DB_VALS(db_int(d->id)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        *LIST_ADD(&list, a, struct decided_pair) =
            (struct decided_pair){arena_sv(a, db_col_text(&r, 0)), arena_sv(a, db_col_text(&r, 1)),
                                  db_col_int(&r, 2) != 0};
    }
    d->pairs = list.items;
    d->n_pairs = list.n;
    return db_end_after(&r, rc);
}

static enum err_code read_review(struct db *db, struct decided *d, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db,
                 "SELECT reviewed, problematic FROM class_review WHERE revision = ?1"
                 " AND class = ?2 AND event = ?3",
                 DB_VALS(db_int(d->revision), db_int(d->class_id), db_int(d->id)), &r, err);
    d->reviewed = d->problematic = DECIDED_NOTHING;
    if (rc == OK && db_step(&r, err)) {
        d->reviewed = (int)db_col_int(&r, 0);
        d->problematic = (int)db_col_int(&r, 1);
    }
    return db_end_after(&r, rc);
}

#define DECIDED                                                                                    \
    "SELECT d.id, e.at, coalesce(e.account, 0), coalesce(d.revision, 0), coalesce(d.undoes, 0),"   \
    " coalesce((SELECT u.id FROM class_decision u WHERE u.undoes = d.id), 0),"                     \
    " coalesce(i.external_id, ''), d.class FROM class_decision d JOIN event e ON e.id = d.id"      \
    " LEFT JOIN account c ON c.id = e.account LEFT JOIN identity i ON i.person = c.person"

static struct decided decided_of(const struct db_rows *r, struct arena *a)
{
    return (struct decided){
        .id = db_col_int(r, 0),
        .at = db_col_int(r, 1),
        .account = db_col_int(r, 2),
        .revision = db_col_int(r, 3),
        .undoes = db_col_int(r, 4),
        .undone_by = db_col_int(r, 5),
        .login = arena_sv(a, db_col_text(r, 6)),
        .class_id = db_col_int(r, 7),
    };
}

static enum err_code read_rows(struct db *db, struct decided *d, struct arena *a, struct err *err)
{
    enum err_code rc = read_images(db, d, a, err);
    if (rc == OK) {
        rc = read_pairs(db, d, a, err);
    }
    return rc == OK ? read_review(db, d, err) : rc;
}

enum err_code class_decisions_list(struct db *db, int64_t class_id, int64_t after, size_t most,
                                   struct arena *a, struct decided **out, size_t *n,
                                   struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    enum err_code rc =
        db_begin(db, DECIDED " WHERE d.class = ?1 AND d.id > ?2 ORDER BY d.id DESC LIMIT ?3",
                 DB_VALS(db_int(class_id), db_int(after), db_int((int64_t)most)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        *LIST_ADD(&list, a, struct decided) = decided_of(&r, a);
    }
    rc = db_end_after(&r, rc);
    *out = list.items;
    *n = list.n;
    for (size_t i = 0; i < list.n && rc == OK; i++) {
        rc = read_rows(db, &(*out)[i], a, err);
    }
    return rc;
}

enum err_code class_decisions_get(struct db *db, int64_t id, struct arena *a, struct decided *out,
                                  struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, DECIDED " WHERE d.id = ?1", DB_VALS(db_int(id)), &r, err);
    bool found = rc == OK && db_step(&r, err);
    if (found) {
        *out = decided_of(&r, a);
    }
    rc = db_end_after(&r, rc);
    if (rc == OK && !found) {
        return err_rule(err, ERR_NOT_FOUND, "class-decision", "There is no such decision.");
    }
    return rc == OK ? read_rows(db, out, a, err) : rc;
}
