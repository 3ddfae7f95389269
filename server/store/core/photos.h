/* photos.h - SQL for which images show one photo: those of equal bytes, of the same photo of their source, and near-duplicates
 * as they were recorded last, over any number of steps. The one rule for what must not be shown beside work on images that are
 * or could be evaluated, and for what counts as seen: an image is seen with any other one that shows its photo. Who may be
 * sampled is another question (domain/images/near_duplicates.h).
 *
 * Pairs that no reviewer has decided about count for nothing here, however near: a draw waits for them, people at work do
 * not. */
#ifndef STORE_CORE_PHOTOS_H
#define STORE_CORE_PHOTOS_H

#include "base/arena.h"
#include "base/map.h"
#include "db/db.h"

/* SQL: of the row p of near_duplicate: it says yes, and nothing newer says anything. */
#define PHOTO_PAIR_HOLDS                                                                                               \
    "p.same AND NOT EXISTS (SELECT 1 FROM near_duplicate q WHERE q.a = p.a AND q.b = p.b AND q.event > p.event)"

/* SQL: a WITH clause that makes same_photo(image, id): for every image that `start` selects (id and name) itself and all others
 * that show its photo. A pair may name an image that the project does not have, so the walk goes over names. About five
 * look-ups an image. */
#define PHOTOS(start)                                                                                                  \
    "WITH RECURSIVE photo_name(image, name) AS (" start                                                                \
    " UNION SELECT w.image, o.name FROM photo_name w CROSS JOIN image i ON i.name = w.name"                            \
    "  CROSS JOIN image o ON o.source = i.source"                                                                      \
    " UNION SELECT w.image, o.name FROM photo_name w CROSS JOIN image i ON i.name = w.name"                            \
    "  CROSS JOIN image o ON o.source_id = i.source_id"                                                                \
    " UNION SELECT w.image, p.b FROM photo_name w CROSS JOIN near_duplicate p ON p.a = w.name WHERE " PHOTO_PAIR_HOLDS \
    " UNION SELECT w.image, p.a FROM photo_name w CROSS JOIN near_duplicate p ON p.b = w.name WHERE " PHOTO_PAIR_HOLDS \
    "), same_photo(image, id) AS (SELECT w.image, o.id FROM photo_name w CROSS JOIN image o ON o.name = w.name) "
/* Of the one image with that id, an SQL text. */
#define PHOTOS_OF(image_id) PHOTOS("SELECT id, name FROM image WHERE id = " image_id)

/* The same of all images at once. */
struct photos {
    struct map_u64 of; /* image -> photo, for images that share theirs */
};
/* The caller releases it, on failure too. */
enum err_code photos_read(struct db *db, struct photos *out, struct err *err);
/* Of the photos of some images alone, for which the others need not be gone through: the SQL selects image and id of same_photo,
 * ordered by image. */
enum err_code photos_read_some(struct db *db, const char *sql, const struct db_val *values, size_t n, struct photos *out, struct err *err);
void photos_release(struct photos *p);
/* A number that images of one photo have in common and no others. */
uint64_t photos_of(const struct photos *p, uint32_t image);

#endif
