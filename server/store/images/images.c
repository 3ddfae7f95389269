/* images.c - SQL for image and source. */
#include "store/images/images.h"

#include <string.h>

#include "base/list.h"
#include "db/rows.h"
#include "store/core/events.h"

#define IMAGE                                                                                      \
    "SELECT id, class, source, name, role, source_id, source_url, taken_at, author, licence,"      \
    " keyword, coalesce(idx, -1) FROM image "

DB_ROW(image_row, struct image_row, id, class_id, source, name, role, source_id, source_url,
       taken_at, author, licence, keyword, idx);

/* Whether a row that is there lets the new one in: the same image, which may be completed. */
static enum err_code compare(const struct db_rows *r, const struct image_row *i, struct err *err)
{
    int64_t source = db_col_int(r, 3), idx = db_col_null(r, 4) ? -1 : db_col_int(r, 4);
    if (!sv_eq(db_col_text(r, 0), i->name)) {
        return err_rule(err, ERR_CONFLICT, "image-number",
                        "number %lld belongs to another image of the project", (long long)i->idx);
    }
    bool same = db_col_int(r, 1) == i->class_id && sv_eq(db_col_text(r, 2), i->role) &&
                (source == 0 || i->source == 0 || source == i->source) &&
                (idx < 0 || i->idx < 0 || idx == i->idx);
    return same ? OK
                : err_rule(err, ERR_CONFLICT, "image-differs",
                           "image " SV_FMT " is already in the project with another class, role, number or "
                           "content", SV_ARG(i->name));
}

enum err_code images_check(struct db *db, const struct image_row *i, bool *known, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db, "SELECT name, class, role, source, idx FROM image WHERE name = ?1 OR idx = ?2",
        DB_VALS(db_text(i->name), db_int(i->idx)), &r, err);
    *known = false;
    while (rc == OK && db_step(&r, err)) {
        *known = true;
        rc = compare(&r, i, err);
    }
    return db_end_after(&r, rc);
}

/* Which of the fields that sampling looks at the row fills in, and since which event: before the next
 * one nobody can ask for it (migrations/0006_repairs.sql). */
static enum err_code note_filled(struct db *db, const struct image_row *i, struct err *err)
{
    return db_run(
        db,
        "INSERT INTO image_filled (event, image, fields) SELECT (SELECT max(id) FROM event), id, f"
        " FROM (SELECT id, (source IS NULL AND ?2 <> 0) * 1"
        "  + (source_id IS NULL AND ?3 IS NOT NULL) * 2 + (author IS NULL AND ?4 IS NOT NULL) * 4"
        "  + (taken_at IS NULL AND ?5 IS NOT NULL) * 8 + (keyword IS NULL AND ?6 IS NOT NULL) * 16 AS f"
        "  FROM image WHERE name = ?1) WHERE f > 0"
        " ON CONFLICT (event, image) DO UPDATE SET fields = fields | excluded.fields",
        DB_VALS(db_text(i->name), db_int(i->source), db_text_opt(i->source_id),
                db_text_opt(i->author), db_text_opt(i->taken_at), db_text_opt(i->keyword)),
        err);
}

/* Gives an image that is there what it had not. */
static enum err_code complete(struct db *db, const struct image_row *i, struct err *err)
{
    enum err_code rc = note_filled(db, i, err);
    return rc == OK ? db_run(
   db,
   "UPDATE image SET source = coalesce(source, nullif(?2, 0)),"
   " idx = coalesce(idx, nullif(?3, -1)), source_id = coalesce(source_id, ?4),"
   " taken_at = coalesce(taken_at, ?5), source_url = coalesce(source_url, ?6),"
   " author = coalesce(author, ?7), licence = coalesce(licence, ?8),"
   " keyword = coalesce(keyword, ?9) WHERE name = ?1"
   " AND (source IS NULL AND ?2 <> 0 OR idx IS NULL AND ?3 <> -1"
   " OR source_id IS NULL AND ?4 IS NOT NULL OR taken_at IS NULL AND ?5 IS NOT NULL"
   " OR source_url IS NULL AND ?6 IS NOT NULL OR author IS NULL AND ?7 IS NOT NULL"
   " OR licence IS NULL AND ?8 IS NOT NULL OR keyword IS NULL AND ?9 IS NOT NULL)",
   DB_VALS(db_text(i->name), db_int(i->source), db_int(i->idx), db_text_opt(i->source_id),
           db_text_opt(i->taken_at), db_text_opt(i->source_url), db_text_opt(i->author),
           db_text_opt(i->licence), db_text_opt(i->keyword)),
   err)
                    : rc;
}

enum err_code images_put(struct db *db, const struct image_row *i, bool *added, struct err *err)
{
    enum err_code rc = db_run(
        db,
        "INSERT INTO image (name, class, role, source, source_id, source_url, taken_at, author,"
        " licence, keyword, idx) VALUES (?1, ?2, ?3, nullif(?4, 0), ?5, ?6, ?7, ?8, ?9, ?10,"
        " nullif(?11, -1))"
        " ON CONFLICT DO NOTHING",
        DB_VALS(db_text(i->name), db_int(i->class_id), db_text(i->role), db_int(i->source),
                db_text_opt(i->source_id), db_text_opt(i->source_url), db_text_opt(i->taken_at),
                db_text_opt(i->author), db_text_opt(i->licence), db_text_opt(i->keyword),
                db_int(i->idx)),
        err);
    if (rc != OK) {
        return rc;
    }
    *added = db_changes(db) > 0;
    bool known = *added;
    rc = *added ? OK : images_check(db, i, &known, err);
    return rc == OK && !*added ? complete(db, i, err) : rc;
}

enum err_code images_event(struct db *db, uint64_t n, int64_t now, struct err *err)
{
    char detail[48];
    int64_t filled = 0;
    enum err_code rc = db_one_int(
        db, "SELECT count(*) FROM image_filled WHERE event = (SELECT max(id) FROM event)", DB_NONE,
        &filled, err);
    if (rc != OK || (n == 0 && filled == 0)) {
        return rc;
    }
    snprintf(detail, sizeof detail, "{\"images\":%llu}",
             (unsigned long long)(n ? n : (uint64_t)filled));
    return events_add(db, now, 0, n ? "images.import" : "images.complete", 0, detail, NULL, err);
}

enum err_code images_find(struct db *db, struct sv name, int64_t *out, struct err *err)
{
    *out = 0;
    return db_maybe_int(db, "SELECT id FROM image WHERE name = ?1",
                        DB_VALS(db_text(name)), out, err);
}

enum err_code images_find_cid(struct db *db, struct sv name, int64_t *id, int64_t *cid, struct err *err)
{
    *id = 0;
    *cid = -1;
    return db_maybe_ints(
        db, "SELECT i.id, k.cid FROM image i JOIN class k ON k.id = i.class WHERE i.name = ?1",
        DB_VALS(db_text(name)), id, cid, err);
}

enum err_code images_each_idx(struct db *db,
                              enum err_code (*each)(void *arg, int64_t id, int64_t idx,
                                                    struct err *err),
                              void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db, "SELECT id, idx FROM image WHERE idx IS NOT NULL", DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), db_col_int(&r, 1), err);
    }
    return db_end_after(&r, rc);
}

enum err_code images_each(struct db *db,
                          enum err_code (*each)(void *arg, int64_t id, struct sv name,
                                                struct err *err),
                          void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, "SELECT id, name FROM image ORDER BY id", DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), db_col_text(&r, 1), err);
    }
    return db_end_after(&r, rc);
}

enum err_code images_get(struct db *db, int64_t id, struct arena *a, struct image_row *out,
                         struct err *err)
{
    enum err_code rc = db_find(db, image_row, out, a, IMAGE "WHERE id = ?1",
                               DB_VALS(db_int(id)), err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "no-image", "There is no such image.") : rc;
}

static enum err_code find_source(struct db *db, struct source_row *s, struct err *err)
{
    return db_one_int(db, "SELECT id FROM source WHERE sha256 = ?1",
                      DB_VALS(db_blob(s->sha256, IMAGE_SHA)), &s->id, err);
}

enum err_code sources_put(struct db *db, struct source_row *s, struct err *err)
{
    bool m = s->measured;
    enum err_code rc = db_run(
        db,
        "INSERT INTO source (sha256, bytes, type, width, height, kept, path, gray, saturation,"
        " sharpness, brightness) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
        " ON CONFLICT (sha256) DO UPDATE SET"
        " kept = CASE kept WHEN 'reference' THEN excluded.kept ELSE kept END,"
        " path = CASE kept WHEN 'reference' THEN excluded.path ELSE path END,"
        " gray = coalesce(gray, excluded.gray),"
        " saturation = coalesce(saturation, excluded.saturation),"
        " sharpness = coalesce(sharpness, excluded.sharpness),"
        " brightness = coalesce(brightness, excluded.brightness)"
        " WHERE gray IS NULL AND excluded.gray IS NOT NULL"
        " OR kept = 'reference' AND path IS NOT excluded.path",
        DB_VALS(db_blob(s->sha256, IMAGE_SHA), db_int(s->bytes), db_str(s->type), db_int(s->width),
                db_int(s->height), db_str(s->kept), db_text_opt(s->path),
                m ? db_int(s->gray) : db_null(), m ? db_real(s->saturation) : db_null(),
                m ? db_real(s->sharpness) : db_null(), m ? db_real(s->brightness) : db_null()),
        err);
    return rc == OK ? find_source(db, s, err) : rc;
}

enum err_code sources_seen(struct db *db, struct source_row *s, struct err *err)
{
    enum err_code rc = db_run(
        db,
        "UPDATE source SET kept = ?2, path = ?3 WHERE sha256 = ?1 AND kept = 'reference'"
        " AND path IS NOT ?3",
        DB_VALS(db_blob(s->sha256, IMAGE_SHA), db_str(s->kept), db_text_opt(s->path)), err);
    return rc == OK ? find_source(db, s, err) : rc;
}

static enum err_code one_sha(struct db *db, const char *sql, const struct db_val *v, size_t n,
                             unsigned char sha256[IMAGE_SHA], bool *found, struct err *err)
{
    struct db_rows r;
    db_begin(db, sql, v, n, &r, err);
    *found = db_step(&r, err) && db_col_blob(&r, 0).n == IMAGE_SHA;
    if (*found) {
        memcpy(sha256, db_col_blob(&r, 0).p, IMAGE_SHA);
    }
    return db_end(&r);
}

DB_ROW(image_source_row, struct image_source, image, source, sha256);

static enum err_code image_sources(struct db *db, const char *sql, const struct db_val *v,
                                   size_t n_values, struct image_source *out, unsigned *n,
                                   struct err *err)
{
    struct db_rows r;
    *n = 0;
    db_begin(db, sql, v, n_values, &r, err);
    while (db_next(&r, image_source_row, &out[*n], NULL, err)) {
        ++*n;
    }
    return db_end(&r);
}

enum err_code sources_of_grid(struct db *db, int64_t grid, struct image_source *out, unsigned most,
                              unsigned *n, struct err *err)
{
    return image_sources(db,
                         "SELECT i.id, i.source, s.sha256 FROM grid_cell c JOIN image i"
                         " ON i.id = c.image LEFT JOIN source s ON s.id = i.source"
                         " WHERE c.grid = ?1 ORDER BY c.position LIMIT ?2",
                         DB_VALS(db_int(grid), db_int(most)), out, n, err);
}

enum err_code sources_of_references(struct db *db, int64_t class_id, struct image_source *out,
                                    unsigned most, unsigned *n, struct err *err)
{
    return image_sources(db,
                         "SELECT i.id, i.source, s.sha256 FROM image i JOIN source s"
                         " ON s.id = i.source WHERE i.class = ?1 AND i.role = 'reference'"
                         " ORDER BY i.id LIMIT ?2",
                         DB_VALS(db_int(class_id), db_int(most)), out, n, err);
}

enum err_code sources_twins(struct db *db,
                            enum err_code (*each)(void *arg, int64_t image, int64_t first,
                                                  struct err *err),
                            void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db,
                                "SELECT i.id, t.first FROM (SELECT source, min(id) AS first"
                                " FROM image WHERE source IS NOT NULL GROUP BY source"
                                " HAVING count(*) > 1) t JOIN image i ON i.source = t.source"
                                " WHERE i.id > t.first",
                                DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), db_col_int(&r, 1), err);
    }
    return db_end_after(&r, rc);
}

enum err_code sources_of_image(struct db *db, int64_t image, struct image_source *out,
                               struct err *err)
{
    unsigned n;
    *out = (struct image_source){.image = 0};
    return image_sources(db,
                         "SELECT i.id, i.source, s.sha256 FROM image i LEFT JOIN source s"
                         " ON s.id = i.source WHERE i.id = ?1",
                         DB_VALS(db_int(image)), out, &n, err);
}

enum err_code sources_of_name(struct db *db, struct sv name, unsigned char sha256[IMAGE_SHA],
                              bool *found, struct err *err)
{
    return one_sha(
        db, "SELECT s.sha256 FROM image i JOIN source s ON s.id = i.source WHERE i.name = ?1",
        DB_VALS(db_text(name)), sha256, found, err);
}

/* One row of sources_each; kept and path are borrowed from it. */
static enum err_code read_source(const struct db_rows *r, struct source_row *s, struct err *err)
{
    static const char *const ways[] = {"copy", "reflink", "link", "reference"};
    struct sv sha = db_col_blob(r, 1), kept = db_col_text(r, 5);
    if (sha.n != IMAGE_SHA) {
        return err_set(err, ERR_IO, "a source has a hash of %zu bytes", sha.n);
    }
    *s = (struct source_row){.id = db_col_int(r, 0),
                             .bytes = db_col_int(r, 2),
                             .width = db_col_int(r, 3),
                             .height = db_col_int(r, 4),
                             .path = db_col_text(r, 6),
                             .type = sv_is(db_col_text(r, 7), "png") ? "png" : "jpeg",
                             .measured = !db_col_null(r, 8),
                             .gray = db_col_int(r, 8),
                             .saturation = db_col_real(r, 9),
                             .sharpness = db_col_real(r, 10),
                             .brightness = db_col_real(r, 11)};
    memcpy(s->sha256, sha.p, IMAGE_SHA);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        s->kept = sv_is(kept, ways[i]) ? ways[i] : s->kept;
    }
    return OK;
}

enum err_code sources_each(struct db *db,
                           enum err_code (*each)(void *arg, const struct source_row *s,
                                                 struct err *err),
                           void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT id, sha256, bytes, width, height, kept, path, type, gray, saturation, sharpness,"
        " brightness FROM source ORDER BY sha256",
        DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        struct source_row s;
        rc = read_source(&r, &s, err);
        rc = rc == OK ? each(arg, &s, err) : rc;
    }
    return db_end_after(&r, rc);
}

enum err_code sources_any_size(struct db *db, int64_t *width, int64_t *height, struct err *err)
{
    *width = *height = 0;
    return db_maybe_ints(db, "SELECT width, height FROM source LIMIT 1",
                         DB_NONE, width, height, err);
}

enum err_code sources_orphans(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db,
                      "SELECT count(*) FROM source s WHERE NOT EXISTS (SELECT 1 FROM image i"
                      " WHERE i.source = s.id)",
                      DB_NONE, out, err);
}

enum err_code images_of_class(struct db *db, int64_t class_id, const char *role, struct arena *a,
                              int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db, "SELECT id FROM image WHERE class = ?1 AND role = ?2 ORDER BY id",
                       DB_VALS(db_int(class_id), db_str(role)), a, out, n, err);
}

enum err_code images_count(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT coalesce(sum(n), 0) FROM image_count", DB_NONE, out, err);
}

enum err_code images_originals_count(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT count(*) FROM image WHERE role = 'original' AND source IS NOT NULL", DB_NONE, out, err);
}

enum err_code images_by_class(struct db *db, struct arena *a, struct class_count **out, size_t *n,
                              struct err *err)
{
    struct list l = {0};
    struct class_count *c = NULL;
    struct db_rows r;
    db_begin(db, "SELECT class, role, n FROM image_count ORDER BY class, role", DB_NONE, &r, err);
    while (db_step(&r, err)) {
        if (!c || c->class_id != db_col_int(&r, 0)) {
            c = list_add(&l, a, sizeof *c);
            c->class_id = db_col_int(&r, 0);
        }
        enum image_role role = image_role_of(db_col_text(&r, 1));
        if (role < IMAGE_ROLES) {
            c->of_role[role] = db_col_int(&r, 2);
        }
    }
    *out = l.items;
    *n = l.n;
    return db_end(&r);
}

enum err_code images_names(struct db *db, const int64_t *ids, size_t n, struct arena *a,
                           struct image_row *out, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        out[i] = (struct image_row){.id = ids[i]};
        rc = db_maybe(db, image_row, &out[i], a, IMAGE "WHERE id = ?1",
                      DB_VALS(db_int(ids[i])), err);
    }
    return rc;
}

enum err_code images_miscounted(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(
        db,
        "WITH real AS (SELECT class, role, count(*) AS n FROM image GROUP BY class, role)"
        " SELECT count(*) FROM ("
        " SELECT class, role FROM (SELECT * FROM real EXCEPT SELECT class, role, n FROM image_count)"
        " UNION"
        " SELECT class, role FROM (SELECT class, role, n FROM image_count EXCEPT SELECT * FROM real))",
        DB_NONE, out, err);
}
