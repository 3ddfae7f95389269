/* facts.c - SQL over image and source for lists and for one image's page. */
#include "store/images/facts.h"

#include <string.h>

#include "base/list.h"

#define FACTS(name)                                                                                \
    "SELECT i.id, i.class, i.role, i.taken_at, s.gray, s.sharpness, s.brightness, s.saturation, "  \
    name " FROM image i LEFT JOIN source s ON s.id = i.source "

static enum err_code facts(struct db *db, const char *sql, const struct db_val *v, size_t n,
                           image_facts_fn each, void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, sql, v, n, &r, err);
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        struct image_facts_row row = {
            .id = db_col_int(&r, 0),
            .class_id = db_col_int(&r, 1),
            .role = db_col_text(&r, 2),
            .taken_at = db_col_text(&r, 3),
            .name = db_col_text(&r, 8),
            .measured = !db_col_null(&r, 4),
        };
        if (row.measured) {
            row.gray = db_col_int(&r, 4) != 0;
            row.sharpness = db_col_real(&r, 5);
            row.brightness = db_col_real(&r, 6);
            row.saturation = db_col_real(&r, 7);
        }
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
    if (rc != OK) {
        return rc;
    }
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

enum err_code image_facts_grids(struct db *db, int64_t image, size_t most, struct arena *a,
                                struct image_grid **out, size_t *n, struct err *err)
{
    struct list l = {0};
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT c.grid, c.position, c.role, g.excluded IS NOT NULL, g.name, k.name, s.wnid, s.synset"
        " FROM grid_cell c JOIN grid g ON g.id = c.grid JOIN campaign k ON k.id = g.campaign"
        " JOIN class s ON s.id = g.class WHERE c.image = ?1 ORDER BY c.grid, c.position LIMIT ?2",
        DB_VALS(db_int(image), db_int((int64_t)most)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        struct image_grid *g = list_add(&l, a, sizeof *g);
        *g = (struct image_grid){
            .grid = db_col_int(&r, 0),
            .position = (unsigned)db_col_int(&r, 1),
            .role = (int)db_col_int(&r, 2),
            .excluded = db_col_int(&r, 3) != 0,
            .name = arena_sv(a, db_col_text(&r, 4)),
            .campaign = arena_sv(a, db_col_text(&r, 5)),
            .wnid = arena_sv(a, db_col_text(&r, 6)),
            .synset = arena_sv(a, db_col_text(&r, 7)),
        };
    }
    *out = l.items;
    *n = l.n;
    return db_end(&r);
}

enum err_code image_facts_decisions(struct db *db, int64_t image, struct arena *a,
                                    struct image_decided **out, size_t *n, struct err *err)
{
    struct list l = {0};
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT d.id, e.at, d.decision, d.reason, i.external_id FROM image_decision d"
        " JOIN event e ON e.id = d.id LEFT JOIN account a ON a.id = e.account"
        " LEFT JOIN identity i ON i.person = a.person WHERE d.image = ?1 ORDER BY d.id DESC",
        DB_VALS(db_int(image)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        struct image_decided *d = list_add(&l, a, sizeof *d);
        *d = (struct image_decided){
            .id = db_col_int(&r, 0),
            .at = db_col_int(&r, 1),
            .decision = arena_sv(a, db_col_text(&r, 2)),
            .reason = arena_sv(a, db_col_text(&r, 3)),
            .login = arena_sv(a, db_col_text(&r, 4)),
        };
    }
    *out = l.items;
    *n = l.n;
    return db_end(&r);
}

enum err_code image_facts_source(struct db *db, int64_t image, struct arena *a,
                                 struct source_row *out, bool *found, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT s.id, s.sha256, s.bytes, s.type, s.width, s.height, s.kept, s.gray, s.saturation,"
        " s.sharpness, s.brightness FROM image i JOIN source s ON s.id = i.source WHERE i.id = ?1",
        DB_VALS(db_int(image)), &r, err);
    if (rc != OK) {
        return rc;
    }
    *found = db_step(&r, err) && db_col_blob(&r, 1).n == IMAGE_SHA;
    if (*found) {
        *out = (struct source_row){
            .id = db_col_int(&r, 0),
            .bytes = db_col_int(&r, 2),
            .type = arena_cstr(a, db_col_text(&r, 3)),
            .width = db_col_int(&r, 4),
            .height = db_col_int(&r, 5),
            .kept = arena_cstr(a, db_col_text(&r, 6)),
            .measured = !db_col_null(&r, 7),
            .gray = db_col_int(&r, 7) != 0,
            .saturation = db_col_real(&r, 8),
            .sharpness = db_col_real(&r, 9),
            .brightness = db_col_real(&r, 10),
        };
        memcpy(out->sha256, db_col_blob(&r, 1).p, IMAGE_SHA);
    }
    return db_end(&r);
}

static enum err_code ids_of(struct db *db, const char *sql, int64_t image, struct arena *a,
                            int64_t **out, size_t *n, struct err *err)
{
    struct list l = {0};
    struct db_rows r;
    enum err_code rc = db_begin(db, sql, DB_VALS(db_int(image)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        int64_t *id = list_add(&l, a, sizeof *id);
        *id = db_col_int(&r, 0);
    }
    *out = l.items;
    *n = l.n;
    return db_end(&r);
}

enum err_code image_facts_twins(struct db *db, int64_t image, struct arena *a, int64_t **out,
                                size_t *n, struct err *err)
{
    return ids_of(db,
                  "SELECT t.id FROM image i JOIN image t ON t.source = i.source"
                  " WHERE i.id = ?1 AND t.id <> i.id ORDER BY t.id LIMIT 20",
                  image, a, out, n, err);
}

enum err_code image_facts_classes(struct db *db, int64_t image, struct arena *a, int64_t **out,
                                  size_t *n, struct err *err)
{
    return ids_of(db,
                  "SELECT DISTINCT g.class FROM grid_cell c JOIN grid g ON g.id = c.grid"
                  " WHERE c.image = ?1 ORDER BY g.class",
                  image, a, out, n, err);
}
