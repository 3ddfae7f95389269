/* facts.c - SQL over image and source for lists and for one image's page. */
#include "store/images/facts.h"

#include "db/rows.h"

#define FACTS(name)                                                                                \
    "SELECT i.id, i.class, i.role, i.taken_at, " name ", s.gray, s.sharpness, s.brightness,"       \
    " s.saturation FROM image i LEFT JOIN source s ON s.id = i.source "

static void read_statistics(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    struct image_facts_row *row = out;
    row->measured = !db_col_null(r, 5);
}
DB_ROW_THEN(image_facts_row, struct image_facts_row, read_statistics, id, class_id, role, taken_at,
            name, gray, sharpness, brightness, saturation);

static enum err_code facts(struct db *db, const char *sql, const struct db_val *v, size_t n,
                           image_facts_fn each, void *arg, struct err *err)
{
    struct db_rows r;
    struct image_facts_row row;
    enum err_code rc = db_begin(db, sql, v, n, &r, err);
    while (rc == OK && db_next(&r, image_facts_row, &row, NULL, err)) {
        rc = each(arg, &row, err);
    }
    return db_end_after(&r, rc);
}

enum err_code image_facts_each(struct db *db, image_facts_fn each, void *arg, struct err *err)
{
    return facts(db, FACTS("NULL") "ORDER BY i.id", DB_NONE, each, arg, err);
}

enum err_code image_facts_of_class(struct db *db, int64_t class_id, image_facts_fn each, void *arg,
                                   struct err *err)
{
    return facts(db, FACTS("i.name") "WHERE i.class = ?1 ORDER BY i.id", DB_VALS(db_int(class_id)), each, arg,
                 err);
}

enum err_code image_facts_between(struct db *db, int64_t first, int64_t last, image_facts_fn each,
                                  void *arg, struct err *err)
{
    return facts(db, FACTS("NULL") "WHERE i.id BETWEEN ?1 AND ?2 ORDER BY i.id",
                 DB_VALS(db_int(first), db_int(last)), each, arg, err);
}

enum err_code image_facts_of(struct db *db, int64_t image, image_facts_fn each, void *arg,
                             struct err *err)
{
    return facts(db, FACTS("i.name") "WHERE i.id = ?1", DB_VALS(db_int(image)), each, arg, err);
}

enum err_code image_facts_by_name(struct db *db,
                                  enum err_code (*each)(void *arg, int64_t id, struct err *err),
                                  void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, "SELECT id FROM image ORDER BY name", DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), err);
    }
    return db_end_after(&r, rc);
}

enum err_code image_facts_newest(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT coalesce(max(id), 0) FROM image", DB_NONE, out, err);
}

enum err_code image_facts_count(struct db *db, int64_t class_id, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT coalesce(sum(n), 0) FROM image_count WHERE class = ?1",
                      DB_VALS(db_int(class_id)), out, err);
}

DB_ROW(image_grid_row, struct image_grid, grid, position, role, excluded, name, campaign, wnid,
       synset);

enum err_code image_facts_grids(struct db *db, int64_t image, size_t most, struct arena *a,
                                struct image_grid **out, size_t *n, struct err *err)
{
    return db_list(
        db, image_grid_row, out, n, a,
        "SELECT c.grid, c.position, c.role, g.excluded IS NOT NULL, g.name, k.name, s.wnid, s.synset"
        " FROM grid_cell c JOIN grid g ON g.id = c.grid JOIN campaign k ON k.id = g.campaign"
        " JOIN class s ON s.id = g.class WHERE c.image = ?1 ORDER BY c.grid, c.position LIMIT ?2",
        DB_VALS(db_int(image), db_int((int64_t)most)), err);
}

DB_ROW(image_decided_row, struct image_decided, id, at, decision, reason, login);

enum err_code image_facts_decisions(struct db *db, int64_t image, struct arena *a,
                                    struct image_decided **out, size_t *n, struct err *err)
{
    return db_list(
        db, image_decided_row, out, n, a,
        "SELECT d.id, e.at, d.decision, d.reason, i.external_id FROM image_decision d"
        " JOIN event e ON e.id = d.id LEFT JOIN account a ON a.id = e.account"
        " LEFT JOIN identity i ON i.person = a.person WHERE d.image = ?1 ORDER BY d.id DESC",
        DB_VALS(db_int(image)), err);
}

static void read_measured(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    struct source_row *s = out;
    s->measured = !db_col_null(r, 7);
}
DB_ROW_THEN(source_row, struct source_row, read_measured, id, sha256, bytes, type, width, height,
            kept, gray, saturation, sharpness, brightness);

enum err_code image_facts_source(struct db *db, int64_t image, struct arena *a,
                                 struct source_row *out, bool *found, struct err *err)
{
    enum err_code rc = db_find(
        db, source_row, out, a,
        "SELECT s.id, s.sha256, s.bytes, s.type, s.width, s.height, s.kept, s.gray, s.saturation,"
        " s.sharpness, s.brightness FROM image i JOIN source s ON s.id = i.source WHERE i.id = ?1",
        DB_VALS(db_int(image)), err);
    *found = rc == OK;
    return rc == ERR_NOT_FOUND ? OK : rc;
}

enum err_code image_facts_twins(struct db *db, int64_t image, struct arena *a, int64_t **out,
                                size_t *n, struct err *err)
{
    return db_list_int(db,
                       "SELECT t.id FROM image i JOIN image t ON t.source = i.source"
                       " WHERE i.id = ?1 AND t.id <> i.id ORDER BY t.id LIMIT 20",
                       DB_VALS(db_int(image)), a, out, n, err);
}

enum err_code image_facts_classes(struct db *db, int64_t image, struct arena *a, int64_t **out,
                                  size_t *n, struct err *err)
{
    return db_list_int(db,
                       "SELECT DISTINCT g.class FROM grid_cell c JOIN grid g ON g.id = c.grid"
                       " JOIN campaign k ON k.id = g.campaign AND k.task = 'contains'"
                       " WHERE c.image = ?1 ORDER BY g.class",
                       DB_VALS(db_int(image)), a, out, n, err);
}
