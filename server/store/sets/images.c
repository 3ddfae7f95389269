/* images.c - SQL for the images of a set revision. */
#include "store/sets/images.h"

#include "db/rows.h"

DB_ROW(set_image_row, struct set_image, position, image, class_id, name, role, has_pixels, wnid,
       synset);

enum err_code set_images_list(struct db *db, int64_t list_id, int64_t class_id, int64_t from, size_t most,
                              struct arena *a, struct set_image **out, size_t *n, struct err *err)
{
    return db_list(db, set_image_row, out, n, a,
                   "SELECT s.position, s.image, s.class, i.name, i.role,"
                   " i.source IS NOT NULL, k.wnid, k.synset FROM set_list_image s"
                   " JOIN image i ON i.id = s.image JOIN class k ON k.id = s.class"
                   " WHERE s.list = ?1 AND s.position >= ?2"
                   " AND (?3 = 0 OR s.class = ?3) ORDER BY s.position LIMIT ?4",
                   DB_VALS(db_int(list_id), db_int(from), db_int(class_id),
                           db_int((int64_t)most)),
                   err);
}

enum err_code set_images_classes(struct db *db, int64_t list_id, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT count(DISTINCT class) FROM set_list_image WHERE list = ?1",
                      DB_VALS(db_int(list_id)), out, err);
}

enum err_code set_images_revisions(struct db *db, int64_t image, struct arena *a, int64_t **out, size_t *n,
                                   struct err *err)
{
    return db_list_int(db,
                       "SELECT r.id FROM set_list_image s JOIN revision r ON"
                       " r.list = s.list WHERE s.image = ?1 ORDER BY r.id",
                       DB_VALS(db_int(image)), a, out, n, err);
}
