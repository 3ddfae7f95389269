/* seals.c - SQL for what is sealed. Which revisions are is the view sealed_revision's to say. */
#include "store/sets/seals.h"

#include "base/list.h"
#include "db/rows.h"

/* q seals the content of the revision r, whose list is l. sets.c has the same for its rows. */
#define OVER                                                                                       \
    " FROM revision r JOIN set_list l ON l.id = r.list JOIN set_list o ON o.digest = l.digest"     \
    " JOIN sealed_revision q ON q.list = o.id AND q.id <> r.id"                                    \
    "  AND NOT (q.image_set = r.image_set AND q.id > r.id) "

DB_ROW(seal_row, struct seal, revision, list, images, name);

static enum err_code read_seals(struct db *db, const char *sql, const struct db_val *v, size_t n_values,
                                struct arena *a, struct seal **out, size_t *n, struct err *err)
{
    return db_list(db, seal_row, out, n, a, sql, v, n_values, err);
}

enum err_code seals_list(struct db *db, struct arena *a, struct seal **out, size_t *n, struct err *err)
{
    return read_seals(db,
                      "SELECT q.id, q.list, l.images, q.name || '/' || q.number"
                      " FROM sealed_revision q JOIN set_list l ON l.id = q.list ORDER BY q.id",
                      DB_NONE, a, out, n, err);
}

enum err_code seals_over(struct db *db, int64_t revision, struct arena *a, struct seal **out, size_t *n,
                         struct err *err)
{
    return read_seals(db,
                      "SELECT q.id, q.list, o.images, q.name || '/' || q.number" OVER
                      "WHERE r.id = ?1 ORDER BY q.id",
                      DB_VALS(db_int(revision)), a, out, n, err);
}

enum err_code seals_drafts(struct db *db, int64_t revision, struct arena *a, struct seal **out, size_t *n,
                           struct err *err)
{
    return read_seals(db,
                      "WITH RECURSIVE up (id) AS (SELECT parent FROM revision WHERE id = ?1"
                      "  UNION SELECT r.parent FROM up JOIN revision r ON r.id = up.id)"
                      " SELECT q.id, q.list, (SELECT count(*) FROM set_list_image m"
                      "  JOIN set_list_image o ON o.list = v.list AND o.image = m.image WHERE m.list = q.list),"
                      "  q.name || '/' || q.number FROM revision v CROSS JOIN up"
                      " JOIN sealed_revision q ON q.id = up.id AND q.image_set = v.image_set"
                      " WHERE v.id = ?1 ORDER BY q.id",
                      DB_VALS(db_int(revision)), a, out, n, err);
}

/* ---- images ---- */

/* The image, those with its bytes, and the lists that have one of them. */
static const char of_image[] =
    "WITH same (id) AS (SELECT ?1 UNION SELECT b.id FROM image a JOIN image b ON b.source = a.source"
    " WHERE a.id = ?1)"
    " SELECT q.id, q.name || '/' || q.number FROM same CROSS JOIN set_list_image m ON m.image = same.id"
    " JOIN sealed_revision q ON q.list = m.list ORDER BY q.id LIMIT 1";

enum err_code seals_of_image(struct db *db, int64_t image, struct arena *a, struct sv *name,
                             struct err *err)
{
    struct db_rows r;
    *name = SV("");
    db_begin(db, of_image, DB_VALS(db_int(image)), &r, err);
    if (db_step(&r, err)) {
        *name = arena_sv(a, db_col_text(&r, 1));
    }
    return db_end(&r);
}

enum err_code seals_leave_out(struct db *db, uint32_t *images, size_t *n, struct err *err)
{
    int64_t any = 0;
    size_t kept = 0;
    enum err_code rc = db_one_int(db, "SELECT EXISTS (SELECT 1 FROM sealed_revision)", DB_NONE, &any, err);
    if (rc != OK || !any) {
        return rc;
    }
    for (size_t i = 0; i < *n && rc == OK; i++) {
        int64_t by = 0;
        rc = db_one_int(db, of_image, DB_VALS(db_int(images[i])), &by, err);
        if (rc == ERR_NOT_FOUND) {
            images[kept++] = images[i];
            rc = OK;
        }
    }
    *n = kept;
    return rc;
}

enum err_code seals_each_image(struct db *db, int64_t revision,
                               void (*each)(void *arg, int64_t image, int64_t sealed), void *arg,
                               struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT m.image, m.image FROM sealed_revision q"
             " JOIN set_list_image m ON m.list = q.list WHERE ?1 IN (0, q.id)"
             " UNION ALL SELECT b.id, m.image FROM sealed_revision q"
             "  JOIN set_list_image m ON m.list = q.list JOIN image a ON a.id = m.image"
             "  JOIN image b ON b.source = a.source AND b.id <> a.id WHERE ?1 IN (0, q.id)",
             DB_VALS(db_int(revision)), &r, err);
    while (db_step(&r, err)) {
        each(arg, db_col_int(&r, 0), db_col_int(&r, 1));
    }
    return db_end(&r);
}

enum err_code seals_imported_since(struct db *db, int64_t revision, void (*each)(void *arg, int64_t image),
                                   void *arg, struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT m.image FROM revision q JOIN set_list_image m ON m.list = q.list"
             " CROSS JOIN set_list_image o ON o.image = m.image"
             " JOIN revision v ON v.list = o.list AND v.id > q.id AND v.seed IS NULL"
             " JOIN image_set s ON s.id = v.image_set WHERE q.id = ?1"
             " AND (s.role = 'original' OR EXISTS (SELECT 1 FROM revision_state t"
             "  WHERE t.revision = v.id AND t.state <> 'sealed'))",
             DB_VALS(db_int(revision)), &r, err);
    while (db_step(&r, err)) {
        each(arg, db_col_int(&r, 0));
    }
    return db_end(&r);
}

/* Sums of numbers that only grow. */
enum err_code seals_stamp(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db,
                      "SELECT coalesce((SELECT max(id) FROM revision), 0)"
                      " + coalesce((SELECT max(id) FROM revision_state), 0)"
                      " + coalesce((SELECT max(id) FROM image), 0)"
                      " + coalesce((SELECT max(id) FROM source), 0)"
                      " + coalesce((SELECT max(event) FROM image_filled), 0)", /* its bytes came later */
                      DB_NONE, out, err);
}

/* ---- openings ---- */

enum err_code seals_opening_add(struct db *db, int64_t state, int64_t through, int64_t shared,
                                struct err *err)
{
    return db_run(db, "INSERT INTO seal_opening (state, through, shared) VALUES (?1, ?2, ?3)",
                  DB_VALS(db_int(state), db_int(through), db_int(shared)), err);
}

DB_ROW(seal_opening_row, struct seal_opening, revision, through, shared, at, name, through_name,
       reason);

enum err_code seals_openings(struct db *db, int64_t revision, struct arena *a, struct seal_opening **out,
                             size_t *n, struct err *err)
{
    return db_list(db, seal_opening_row, out, n, a,
                   "SELECT v.id, w.id, o.shared, e.at, s.name || '/' || v.number,"
                   " p.name || '/' || w.number, t.reason FROM seal_opening o"
                   " JOIN revision_state t ON t.id = o.state JOIN event e ON e.id = t.id"
                   " JOIN revision v ON v.id = t.revision JOIN image_set s ON s.id = v.image_set"
                   " JOIN revision w ON w.id = o.through JOIN image_set p ON p.id = w.image_set"
                   " WHERE v.id = ?1 OR (w.id = ?1 AND v.image_set <> w.image_set)"
                   " ORDER BY o.state",
                   DB_VALS(db_int(revision)), err);
}

enum err_code seals_copies(struct db *db, int64_t revision, struct arena *a, struct sv **out, size_t *n,
                           struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    db_begin(
        db,
        "SELECT s.name || '/' || v.number FROM revision r JOIN set_list l ON l.id = r.list"
        " JOIN set_list o ON o.digest = l.digest JOIN revision v ON v.list = o.id AND v.id <> r.id"
        " JOIN image_set s ON s.id = v.image_set WHERE r.id = ?1 ORDER BY v.id",
        DB_VALS(db_int(revision)), &r, err);
    while (db_step(&r, err)) {
        *LIST_ADD(&list, a, struct sv) = arena_sv(a, db_col_text(&r, 0));
    }
    *out = list.items;
    *n = list.n;
    return db_end(&r);
}

enum err_code seals_frozen_at(struct db *db, int64_t revision, int64_t *event, struct err *err)
{
    return db_one_int(db,
                      "SELECT coalesce(min(id), ?2) FROM revision_state"
                      " WHERE revision = ?1 AND state IN ('frozen', 'released')",
                      DB_VALS(db_int(revision), db_int(INT64_MAX)), event, err);
}

DB_ROW(seal_shared_row, struct seal_shared, revision, list, images, name);

enum err_code seals_shared(struct db *db, int64_t list_id, int64_t but, int64_t before, struct arena *a,
                           struct seal_shared **out, size_t *n, struct err *err)
{
    return db_list(
        db, seal_shared_row, out, n, a,
        "SELECT q.id, q.list, g.n, s.name || '/' || q.number FROM"
        " (SELECT o.list AS list, count(*) AS n FROM set_list_image m"
        "  CROSS JOIN set_list_image o ON o.image = m.image WHERE m.list = ?1 GROUP BY o.list) g"
        " JOIN revision q ON q.list = g.list JOIN image_set s ON s.id = q.image_set"
        " WHERE q.id <> ?2 AND ?3 > CASE s.role WHEN 'original' THEN q.id ELSE coalesce("
        "  (SELECT min(t.id) FROM revision_state t WHERE t.revision = q.id"
        "   AND t.state <> 'sealed'), ?3) END ORDER BY q.id",
        DB_VALS(db_int(list_id), db_int(but), db_int(before)), err);
}
