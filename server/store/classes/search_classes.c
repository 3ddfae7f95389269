/* search_classes.c - SQL over the hierarchy and the keywords of candidates. */
#include "store/classes/search_classes.h"

#include "db/rows.h"

enum err_code search_parents_each(struct db *db,
                                  enum err_code (*each)(void *arg, int64_t class_id,
                                                        struct sv words, struct err *err),
                                  void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db,
                 "SELECT k.id, p.words FROM class k JOIN synset s ON s.wnid = k.wnid"
                 " JOIN hypernym h ON h.child = s.id JOIN synset p ON p.id = h.parent"
                 " ORDER BY k.id, p.id",
                 DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), db_col_text(&r, 1), err);
    }
    return db_end_after(&r, rc);
}

DB_ROW(search_found_row, struct search_found, class_id, keyword, candidates, last_day);

enum err_code search_found_each(struct db *db,
                                enum err_code (*each)(void *arg, const struct search_found *f,
                                                      struct err *err),
                                void *arg, struct err *err)
{
    struct db_rows r;
    struct search_found f;
    enum err_code rc = db_begin(db,
                                "SELECT class, coalesce(keyword, '') AS word, count(*),"
                                " coalesce(max(taken_at), '') FROM image WHERE role = 'candidate'"
                                " GROUP BY class, word ORDER BY class, word",
                                DB_NONE, &r, err);
    while (rc == OK && db_next(&r, search_found_row, &f, NULL, err)) {
        rc = each(arg, &f, err);
    }
    return db_end_after(&r, rc);
}
