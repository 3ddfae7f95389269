/* export_images.c - SQL for images as exports hand them on. */
#include "store/sets/export_images.h"

#include "db/rows.h"

/* The columns of export_image_row, of image i and class k. */
#define COLUMNS                                                                                    \
    "SELECT i.id, k.id, coalesce(s.bytes, 0), coalesce(s.width, 0), coalesce(s.height, 0),"        \
    " i.source IS NOT NULL, i.name, k.wnid, i.role, coalesce(i.taken_at, ''),"                     \
    " coalesce(i.source_id, ''), coalesce(i.source_url, ''), coalesce(i.author, ''),"              \
    " coalesce(i.licence, ''), coalesce(i.keyword, ''), s.sha256, coalesce(s.type, ''),"           \
    " CASE s.kept WHEN 'reference' THEN s.path ELSE '' END FROM "

DB_ROW(export_image_row, struct export_image, image, class_id, bytes, width, height, has_source,
       name, wnid, role, taken_at, source_id, link, author, licence, keyword, sha256, type,
       reference);

static enum err_code each_image(struct db *db, const char *sql, int64_t value, export_image_fn each,
                                void *arg, struct err *err)
{
    struct db_rows r;
    struct export_image image;
    enum err_code rc = db_begin(db, sql, DB_VALS(db_int(value)), &r, err);
    while (rc == OK && db_next(&r, export_image_row, &image, NULL, err)) {
        rc = each(arg, &image, err);
    }
    return db_end_after(&r, rc);
}

enum err_code export_images_of_list(struct db *db, int64_t list, export_image_fn each, void *arg,
                                    struct err *err)
{
    return each_image(db,
                      COLUMNS
                      "set_list_image l JOIN image i ON i.id = l.image"
                      " JOIN class k ON k.id = l.class LEFT JOIN source s ON s.id = i.source"
                      " WHERE l.list = ?1 ORDER BY l.position",
                      list, each, arg, err);
}

enum err_code export_images_candidates(struct db *db, int64_t newest, export_image_fn each,
                                       void *arg, struct err *err)
{
    return each_image(db,
                      COLUMNS "image i JOIN class k ON k.id = i.class"
                              " LEFT JOIN source s ON s.id = i.source"
                              " WHERE i.id <= ?1 AND i.role = 'candidate' ORDER BY i.id",
                      newest, each, arg, err);
}

static enum revision_state state_of(struct sv word)
{
    int s = REVISION_RELEASED;
    while (s > REVISION_SEALED && !sv_is(word, revision_state_word((enum revision_state)s))) {
        s--;
    }
    return (enum revision_state)s;
}

static void read_state(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    ((struct export_state *)out)->state = state_of(db_col_text(r, 2));
}
DB_ROW_THEN(export_state_row, struct export_state, read_state, reason, at);

enum err_code export_states(struct db *db, int64_t revision, struct arena *a,
                            struct export_state **out, size_t *n, struct err *err)
{
    return db_list(db, export_state_row, out, n, a,
                   "SELECT t.reason, e.at, t.state FROM revision_state t"
                   " JOIN event e ON e.id = t.id WHERE t.revision = ?1 ORDER BY t.id",
                   DB_VALS(db_int(revision)), err);
}
