/* classes.c - SQL for classes and synsets. */
#include "store/classes/classes.h"

#include "db/rows.h"
#include "store/core/events.h"

#define CLASS "SELECT id, cid, wnid, synset, gloss, wikipedia FROM class "

enum err_code classes_put(struct db *db, const struct class_info *c, bool *changed,
                          struct err *err)
{
    int64_t other = 0;
    enum err_code rc = db_one_int(db, "SELECT id FROM class WHERE cid = ?1 AND wnid <> ?2",
                                  DB_VALS(db_int(c->cid), db_text(c->wnid)), &other, err);
    if (rc == OK) {
        return err_rule(err, ERR_CONFLICT, "cid", "Class %lld is not " SV_FMT " in this project.",
                        (long long)c->cid, SV_ARG(c->wnid));
    }
    if (rc != ERR_NOT_FOUND) {
        return rc;
    }
    rc = db_run(db,
                "INSERT INTO class (wnid, cid, synset, gloss, wikipedia) VALUES (?1, ?2, ?3, ?4,"
                " ?5) ON CONFLICT (wnid) DO UPDATE SET cid = excluded.cid, synset ="
                " excluded.synset, gloss = excluded.gloss, wikipedia = excluded.wikipedia"
                " WHERE (cid, synset, gloss, wikipedia) IS NOT (excluded.cid, excluded.synset,"
                " excluded.gloss, excluded.wikipedia)",
                DB_VALS(db_text(c->wnid), db_int(c->cid), db_text(c->synset), db_text(c->gloss),
                        db_text(c->wikipedia)),
                err);
    *changed = rc == OK && db_changes(db) > 0;
    return rc;
}

enum err_code classes_event(struct db *db, uint64_t n, int64_t now, struct err *err)
{
    char detail[48];
    snprintf(detail, sizeof detail, "{\"classes\":%llu}", (unsigned long long)n);
    return events_add(db, now, 0, "classes.import", 0, detail, NULL, err);
}

DB_ROW(class_row, struct class_info, id, cid, wnid, synset, gloss, wikipedia);

static enum err_code find_one(struct db *db, const char *sql, struct db_val key, struct arena *a,
                              struct class_info *out, struct err *err)
{
    enum err_code rc = db_find(db, class_row, out, a, sql, &key, 1, err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "no-class", "There is no such class.") : rc;
}

enum err_code classes_find(struct db *db, struct sv wnid, struct arena *a, struct class_info *out,
                           struct err *err)
{
    return find_one(db, CLASS "WHERE wnid = ?1", db_text(wnid), a, out, err);
}

enum err_code classes_get(struct db *db, int64_t id, struct arena *a, struct class_info *out,
                          struct err *err)
{
    return find_one(db, CLASS "WHERE id = ?1", db_int(id), a, out, err);
}

enum err_code classes_list(struct db *db, struct arena *a, struct class_info **out, size_t *n,
                           struct err *err)
{
    return db_list(db, class_row, out, n, a, CLASS "ORDER BY cid", DB_NONE, err);
}

enum err_code classes_put_similar(struct db *db, int64_t class_id, int64_t rank, int64_t other,
                                  struct err *err)
{
    return db_run(db,
                  "INSERT INTO similar_class (class, rank, other) VALUES (?1, ?2, ?3)"
                  " ON CONFLICT DO NOTHING",
                  DB_VALS(db_int(class_id), db_int(rank), db_int(other)), err);
}

enum err_code classes_near(struct db *db, int64_t class_id, struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db, "SELECT other FROM similar_class WHERE class = ?1 AND other <> ?1 ORDER BY rank", DB_VALS(db_int(class_id)), a,
                       out, n, err);
}

enum err_code classes_similar_each(struct db *db,
                                   enum err_code (*each)(void *arg, int64_t class_id, int64_t other, struct err *err),
                                   void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, "SELECT class, other FROM similar_class", DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), db_col_int(&r, 1), err);
    }
    return db_end_after(&r, rc);
}

enum err_code classes_similar_count(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT count(*) FROM similar_class", DB_NONE, out, err);
}

enum err_code classes_stamp(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT 2 * coalesce((SELECT max(id) FROM class), 0) + EXISTS (SELECT 1 FROM hypernym)", DB_NONE, out, err);
}

enum err_code classes_below(struct db *db, struct sv wnid, struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    enum err_code rc = db_list_int(db,
                                   "WITH RECURSIVE below(id) AS (SELECT id FROM synset WHERE wnid = ?1"
                                   " UNION SELECT h.child FROM below JOIN hypernym h ON h.parent = below.id)"
                                   " SELECT c.id FROM class c WHERE c.wnid = ?1 OR c.wnid IN (SELECT s.wnid FROM below"
                                   " JOIN synset s ON s.id = below.id) ORDER BY c.id",
                                   DB_VALS(db_text(wnid)), a, out, n, err);
    return rc == OK && *n == 0 ? err_rule(err, ERR_NOT_FOUND, "no-class", "There is no class " SV_FMT ", and none below it.",
                                          SV_ARG(wnid))
                               : rc;
}

enum err_code synsets_put(struct db *db, int64_t id, struct sv wnid, struct sv words,
                          struct sv gloss, struct err *err)
{
    return db_run(db,
                  "INSERT INTO synset (id, wnid, words, gloss) VALUES (?1, ?2, ?3, ?4)"
                  " ON CONFLICT (id) DO UPDATE SET words = excluded.words, gloss = excluded.gloss"
                  " WHERE (words, gloss) IS NOT (excluded.words, excluded.gloss)",
                  DB_VALS(db_int(id), db_text(wnid), db_text(words), db_text(gloss)), err);
}

enum err_code synsets_put_parent(struct db *db, int64_t child, int64_t parent, struct err *err)
{
    return db_run(db, "INSERT INTO hypernym (child, parent) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                  DB_VALS(db_int(child), db_int(parent)), err);
}

/* CROSS JOIN: classes first, of which there are few beside synsets. */
#define ABOVE                                                                                                          \
    "WITH RECURSIVE above(id) AS (SELECT s.id FROM class c CROSS JOIN synset s ON s.wnid = c.wnid"                     \
    " UNION SELECT h.parent FROM above JOIN hypernym h ON h.child = above.id)"

DB_ROW(synset_row, struct synset_info, id, wnid, words, gloss);

enum err_code synsets_above(struct db *db, struct arena *a, struct synset_info **out, size_t *n, struct err *err)
{
    return db_list(db, synset_row, out, n, a,
                   ABOVE " SELECT s.id, s.wnid, s.words, s.gloss FROM above JOIN synset s ON s.id = above.id ORDER BY s.wnid", DB_NONE, err);
}

DB_ROW(edge_row, struct synset_edge, child, parent);

enum err_code synset_edges_above(struct db *db, struct arena *a, struct synset_edge **out, size_t *n, struct err *err)
{
    return db_list(db, edge_row, out, n, a,
                   ABOVE " SELECT h.child, h.parent FROM above JOIN hypernym h ON h.child = above.id ORDER BY h.child, h.parent",
                   DB_NONE, err);
}
