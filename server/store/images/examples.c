/* examples.c - one condition, asked about a class, a name and an image. */
#include "store/images/examples.h"

#include "db/rows.h"

#define EVALUATED " o.role IN ('original', 'candidate', 'gold')"
/* Of the image i. What a candidate's own near-duplicates are near to counts too: the walk goes over all names. */
#define MAY                                                                                                              \
    " i.role = 'reference' AND i.source IS NOT NULL"                                                                     \
    " AND NOT EXISTS (SELECT 1 FROM image o WHERE o.source = i.source AND" EVALUATED ")"                                 \
    " AND NOT EXISTS (SELECT 1 FROM image o WHERE o.source_id = i.source_id AND" EVALUATED ")"                           \
    " AND NOT EXISTS (WITH RECURSIVE held(a, b) AS (SELECT p.a, p.b FROM near_duplicate p WHERE p.same AND NOT EXISTS"   \
    "   (SELECT 1 FROM near_duplicate q WHERE q.a = p.a AND q.b = p.b AND q.event > p.event)),"                          \
    "  photo(name) AS (SELECT i.name UNION SELECT CASE h.a WHEN photo.name THEN h.b ELSE h.a END"                        \
    "   FROM photo JOIN held h ON h.a = photo.name OR h.b = photo.name)"                                                 \
    "  SELECT 1 FROM photo JOIN image o ON o.name = photo.name WHERE" EVALUATED ")"

enum err_code examples_of(struct db *db, int64_t class_id, size_t most, struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db, "SELECT i.id FROM image i WHERE i.class = ?1 AND" MAY " ORDER BY i.id LIMIT ?2",
                       DB_VALS(db_int(class_id), db_int((int64_t)most)), a, out, n, err);
}

enum err_code examples_named(struct db *db, struct sv name, int64_t *out, struct err *err)
{
    *out = 0;
    return db_maybe_int(db, "SELECT i.id FROM image i WHERE i.name = ?1 AND" MAY, DB_VALS(db_text(name)), out, err);
}

enum err_code examples_has(struct db *db, int64_t image, bool *out, struct err *err)
{
    return db_exists(db, "SELECT 1 FROM image i WHERE i.id = ?1 AND" MAY, DB_VALS(db_int(image)), out, err);
}
