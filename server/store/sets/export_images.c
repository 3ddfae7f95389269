/* export_images.c - SQL for images as exports hand them on. */
#include "store/sets/export_images.h"

#include "base/list.h"

/* The columns that read_image expects, of image i and class k. */
#define COLUMNS                                                                                    \
    "SELECT i.id, k.id, coalesce(s.bytes, 0), coalesce(s.width, 0), coalesce(s.height, 0),"        \
    " i.source IS NOT NULL, i.name, k.wnid, i.role, coalesce(i.taken_at, ''),"                     \
    " coalesce(i.source_id, ''), coalesce(i.source_url, ''), coalesce(i.author, ''),"              \
    " coalesce(i.licence, ''), coalesce(i.keyword, ''), s.sha256, coalesce(s.type, ''),"           \
    " CASE s.kept WHEN 'reference' THEN s.path ELSE '' END FROM "

static struct export_image read_image(const struct db_rows *r)
{
    return (struct export_image){
        .image = db_col_int(r, 0),
        .class_id = db_col_int(r, 1),
        .bytes = db_col_int(r, 2),
        .width = db_col_int(r, 3),
        .height = db_col_int(r, 4),
        .has_source = db_col_int(r, 5) != 0,
        .name = db_col_text(r, 6),
        .wnid = db_col_text(r, 7),
        .role = db_col_text(r, 8),
        .taken_at = db_col_text(r, 9),
        .source_id = db_col_text(r, 10),
        .link = db_col_text(r, 11),
        .author = db_col_text(r, 12),
        .licence = db_col_text(r, 13),
        .keyword = db_col_text(r, 14),
        .sha256 = db_col_blob(r, 15),
        .type = db_col_text(r, 16),
        .reference = db_col_text(r, 17),
    };
}

static enum err_code each_image(struct db *db, const char *sql, int64_t value, export_image_fn each,
                                void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, sql, DB_VALS(db_int(value)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        struct export_image image = read_image(&r);
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

enum err_code export_states(struct db *db, int64_t revision, struct arena *a,
                            struct export_state **out, size_t *n, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    enum err_code rc = db_begin(db,
                                "SELECT t.state, t.reason, e.at FROM revision_state t"
                                " JOIN event e ON e.id = t.id WHERE t.revision = ?1 ORDER BY t.id",
                                DB_VALS(db_int(revision)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        struct export_state *s = list_add(&list, a, sizeof *s);
        *s = (struct export_state){state_of(db_col_text(&r, 0)), arena_sv(a, db_col_text(&r, 1)),
                                   db_col_int(&r, 2)};
    }
    *out = list.items;
    *n = list.n;
    return db_end(&r);
}
