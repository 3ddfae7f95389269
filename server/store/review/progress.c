/* progress.c - SQL for how far the final review of a revision is. */
#include "store/review/progress.h"

#include "db/rows.h"

/* What holds of each class of revision ?1. Of a group with max() SQLite takes the other columns
 * from the row that has it. */
#define CLASSES                                                                                    \
    "SELECT k.id, s.images, k.wnid, k.synset, coalesce(w.reviewed, 0),"                            \
    " coalesce(w.problematic, 0), coalesce(w.carried, 0), coalesce(e.at, 0),"                      \
    " coalesce(e.account, 0)"
#define FROM_CLASSES                                                                               \
    " FROM (SELECT i.class, count(*) AS images FROM revision r JOIN set_list_image i"              \
    "  ON i.list = r.list WHERE r.id = ?1 GROUP BY i.class) s JOIN class k ON k.id = s.class"      \
    " LEFT JOIN (SELECT class, reviewed, problematic, carried, max(event) AS event"                \
    "  FROM class_review WHERE revision = ?1 GROUP BY class) w ON w.class = k.id"                  \
    " LEFT JOIN event e ON e.id = w.event"

/* The newest word on a pair holds; `x` is the one end of it, the other must be in the list as well
 * or an original. */
#define PAIRED(x, other)                                                                           \
    "EXISTS (SELECT 1 FROM near_duplicate d JOIN image o ON o.name = d." other " WHERE d." x       \
    " = m.name AND d.same = 1 AND NOT EXISTS (SELECT 1 FROM near_duplicate l"                      \
    "  WHERE l.a = d.a AND l.b = d.b AND l.event > d.event)"                                       \
    " AND (o.role = 'original' OR EXISTS (SELECT 1 FROM set_list_image p"                          \
    "  WHERE p.image = o.id AND p.list = i.list)))"
#define MARKS                                                                                      \
    " LEFT JOIN (SELECT i.class, sum(coalesce((SELECT b.banned FROM blacklisting b"                \
    "   WHERE b.name = m.name ORDER BY b.event DESC LIMIT 1), 0)) AS banned,"                      \
    "  sum(" PAIRED("a", "b") " OR " PAIRED(                                                       \
        "b", "a") ") AS paired"                                                                    \
                  "  FROM revision r JOIN set_list_image i ON i.list = r.list JOIN image m ON "    \
                  "m.id = i.image"                                                                 \
                  "  WHERE r.id = ?1 GROUP BY i.class) x ON x.class = k.id"

DB_ROW(review_class_row, struct review_class, class_id, images, wnid, synset, reviewed, problematic,
       carried, at, account, banned, paired);

enum err_code review_progress_classes(struct db *db, int64_t revision, struct arena *a,
                                      struct review_class **out, size_t *n, struct err *err)
{
    return db_list(db, review_class_row, out, n, a,
                   CLASSES ", coalesce(x.banned, 0), coalesce(x.paired, 0)" FROM_CLASSES MARKS
                           " ORDER BY k.wnid",
                   DB_VALS(db_int(revision)), err);
}

enum err_code review_progress_short(struct db *db, int64_t revision, struct arena *a,
                                    struct review_class **out, size_t *n, struct err *err)
{
    return db_list(db, review_class_row, out, n, a, CLASSES ", 0, 0" FROM_CLASSES " ORDER BY k.wnid",
                   DB_VALS(db_int(revision)), err);
}

DB_ROW(review_person_row, struct review_person, account, decisions, classes, at, login, wnid);

enum err_code review_progress_people(struct db *db, int64_t revision, struct arena *a,
                                     struct review_person **out, size_t *n, struct err *err)
{
    return db_list(
        db, review_person_row, out, n, a,
        "SELECT p.account, p.decisions, p.classes, e.at, coalesce(i.external_id, ''), k.wnid"
        " FROM (SELECT e.account, count(*) AS decisions, count(DISTINCT d.class) AS classes,"
        "   max(d.id) AS newest FROM class_decision d JOIN event e ON e.id = d.id"
        "   WHERE d.revision = ?1 AND e.account IS NOT NULL GROUP BY e.account) p"
        " JOIN event e ON e.id = p.newest JOIN class_decision d ON d.id = p.newest"
        " JOIN class k ON k.id = d.class JOIN account c ON c.id = p.account"
        " LEFT JOIN identity i ON i.person = c.person ORDER BY p.newest DESC",
        DB_VALS(db_int(revision)), err);
}
