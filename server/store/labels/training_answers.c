/* training_answers.c - answers are judged when they are stored, by what is known then: what somebody was told stays. */
#include "store/labels/training_answers.h"

#include "db/rows.h"
#include "store/core/events.h"
#include "store/core/photos.h"

#define GUIDE "coalesce((SELECT max(id) FROM guide_version), 0)"
/* A look that nobody took back, in a label review that is closed, about an image in `image`. */
#define REVIEWED(image)                                                                                                \
    " FROM label_review_image r JOIN label_look k ON k.review = r.review AND k.position = r.position"                  \
    " JOIN label_look_verdict v ON v.look = k.id WHERE r.image = " image                                               \
    " AND NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id)"                                               \
    " AND 'closed' = (SELECT s.state FROM label_review_state s WHERE s.review = r.review ORDER BY s.id DESC LIMIT 1)"

/* ?1: list, ?2: position, ?3: the chosen class. */
#define FITS                                                                                                           \
    "SELECT CASE WHEN t.class = ?3 THEN 1"                                                                             \
    " WHEN 'equal' = (SELECT q.kind FROM class_relation q WHERE (q.a = min(t.class, ?3) AND q.b = max(t.class, ?3))"   \
    "  OR (q.a = max(t.class, ?3) AND q.b = min(t.class, ?3)) ORDER BY q.id DESC LIMIT 1) THEN 1"                      \
    " ELSE coalesce((SELECT min(v.verdict = 'correct')" REVIEWED("t.image") " AND v.class = ?3), 0) END"               \
    " FROM training_image t WHERE t.list = ?1 AND t.position = ?2"
/* ?4: the account. An image that shows the same photo tells as much as the image. */
#define COUNTS                                                                                                         \
    "SELECT NOT EXISTS (" PHOTOS_OF("t.image") "SELECT 1 FROM same_photo k WHERE EXISTS (SELECT 1 FROM account_shown s" \
    "  WHERE s.account = ?4 AND s.image = k.id AND (s.how <> 'training' OR s.image <> t.image))) AND NOT EXISTS (SELECT 1 FROM training_image o JOIN training_answer x ON x.list = o.list AND x.position = o.position" \
    "  WHERE o.image = t.image AND x.account = ?4) FROM training_image t WHERE t.list = ?1 AND t.position = ?2"

enum err_code training_answer_add(struct db *db, const struct training_answer_new *v, int64_t now, int64_t *id, struct err *err)
{
    enum err_code rc = events_add(db, now, v->account, "training.answer", v->list, NULL, id, err);
    return rc == OK ? db_run(db,
                             "INSERT INTO training_answer (id, list, position, account, class, fits, counts, guide, searched, active_ms)"
                             " VALUES (?5, ?1, ?2, ?4, ?3, (" FITS "), (" COUNTS "), " GUIDE ", ?6, ?7)",
                             DB_VALS(db_int(v->list), db_int(v->position), db_int(v->class_id), db_int(v->account), db_int(*id),
                                     db_int(v->searched), v->active_ms > 0 ? db_int(v->active_ms) : db_null()),
                             err)
                    : rc;
}

DB_ROW(answer_row, struct training_answer_row, id, at, position, class_id, guide, fits, counts);
#define ANSWER                                                                                                         \
    "SELECT x.id, e.at, x.position, x.class, x.guide, x.fits, x.counts FROM training_answer x JOIN event e ON e.id = x.id" \
    " WHERE x.account = ?1 AND x.list = ?2 "

enum err_code training_answers_own(struct db *db, int64_t list, int64_t account, struct arena *a, struct training_answer_row **out,
                                   size_t *n, struct err *err)
{
    return db_list(db, answer_row, out, n, a, ANSWER "ORDER BY x.id", DB_VALS(db_int(account), db_int(list)), err);
}

enum err_code training_answers_of(struct db *db, int64_t list, int64_t position, int64_t account, struct arena *a,
                                  struct training_answer_row **out, size_t *n, struct err *err)
{
    return db_list(db, answer_row, out, n, a, ANSWER "AND x.position = ?3 ORDER BY x.id",
                   DB_VALS(db_int(account), db_int(list), db_int(position)), err);
}

DB_ROW(open_row, struct training_open_row, position, image);

enum err_code training_unanswered(struct db *db, int64_t list, int64_t account, int64_t from, size_t most, struct arena *a,
                                  struct training_open_row **out, size_t *n, struct err *err)
{
    return db_list(db, open_row, out, n, a,
                   "SELECT t.position, t.image FROM training_image t WHERE t.list = ?1 AND t.position >= ?3 AND NOT EXISTS"
                   " (SELECT 1 FROM training_answer x WHERE x.account = ?2 AND x.list = ?1 AND x.position = t.position)"
                   " ORDER BY t.position LIMIT ?4",
                   DB_VALS(db_int(list), db_int(account), db_int(from), db_int((int64_t)most)), err);
}

DB_ROW(person_row, struct training_person_row, account, last, login, role);

enum err_code training_people(struct db *db, int64_t list, struct arena *a, struct training_person_row **out, size_t *n,
                              struct err *err)
{
    return db_list(db, person_row, out, n, a,
                   "SELECT x.account, max(e.at), coalesce(i.external_id, ''), c.role FROM training_answer x"
                   " JOIN event e ON e.id = x.id JOIN account c ON c.id = x.account"
                   " LEFT JOIN identity i ON i.person = c.person AND i.source = 'local'"
                   " WHERE x.list = ?1 GROUP BY x.account ORDER BY 3, 1",
                   DB_VALS(db_int(list)), err);
}

/* ---- suggestions ---- */

static enum err_code check(struct db *db, const struct training_suggestion_new *v, struct err *err)
{
    bool theirs = true;
    if (v->comment.n > TRAINING_COMMENT || !sv_utf8(v->comment)) {
        return err_rule(err, ERR_INPUT, "training-comment", "A comment is text of at most %d bytes. Nothing was saved.", TRAINING_COMMENT);
    }
    if (v->verdict == SUGGEST_PROBLEMATIC && sv_trim(v->comment).n == 0) {
        return err_rule(err, ERR_INPUT, "training-comment", "Say in the comment why the image is problematic. Nothing was saved.");
    }
    enum err_code rc = db_exists(db,
                                 "SELECT 1 FROM training_answer WHERE account = ?1 AND list = ?2 AND position = ?3"
                                 " AND (?4 = 0 OR class = ?4)",
                                 DB_VALS(db_int(v->account), db_int(v->list), db_int(v->position), db_int(v->class_id)), &theirs, err);
    return rc == OK && (!theirs || (v->verdict != SUGGEST_NONE && (v->verdict == SUGGEST_PROBLEMATIC) != (v->class_id == 0)))
               ? err_rule(err, ERR_INPUT, "training-suggest",
                          "You can suggest something about a label that you chose, or that the image is problematic, once you "
                          "have answered. Nothing was saved.")
               : rc;
}

enum err_code training_suggest(struct db *db, const struct training_suggestion_new *v, int64_t now, int64_t *id, struct err *err)
{
    enum err_code rc = check(db, v, err);
    rc = rc == OK ? events_add(db, now, v->account, "training.suggest", v->list, NULL, id, err) : rc;
    return rc == OK ? db_run(db,
                             "INSERT INTO training_suggestion (id, list, position, account, class, verdict, comment, guide)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, " GUIDE ")",
                             DB_VALS(db_int(*id), db_int(v->list), db_int(v->position), db_int(v->account),
                                     v->class_id ? db_int(v->class_id) : db_null(), db_str(training_verdict_word(v->verdict)),
                                     db_text(sv_trim(v->comment))),
                             err)
                    : rc;
}

/* No later one of the same person about the same label of the same image. */
#define HOLDS                                                                                                          \
    " s.verdict <> 'none' AND NOT EXISTS (SELECT 1 FROM training_image p JOIN training_suggestion m ON m.list = p.list" \
    "  AND m.position = p.position WHERE p.image = t.image AND m.account = s.account AND m.class IS s.class AND m.id > s.id)"

DB_ROW(suggested_row, struct training_suggested, account, class_id, wnid, synset, verdict, comment, login);

enum err_code training_suggestions(struct db *db, int64_t image, struct arena *a, struct training_suggested **out, size_t *n,
                                   struct err *err)
{
    return db_list(db, suggested_row, out, n, a,
                   "SELECT s.account, coalesce(s.class, 0), coalesce(c.wnid, ''), coalesce(c.synset, ''), s.verdict, s.comment,"
                   " coalesce(i.external_id, '') FROM training_image t JOIN training_suggestion s ON s.list = t.list"
                   " AND s.position = t.position LEFT JOIN class c ON c.id = s.class JOIN account x ON x.id = s.account"
                   " LEFT JOIN identity i ON i.person = x.person AND i.source = 'local'"
                   " WHERE t.image = ?1 AND" HOLDS " ORDER BY c.cid, s.id",
                   DB_VALS(db_int(image)), err);
}

DB_ROW(label_row, struct training_item, image, class_id);

enum err_code training_suggested_labels(struct db *db, struct arena *a, struct training_item **out, size_t *n, struct err *err)
{
    return db_list(db, label_row, out, n, a,
                   "SELECT DISTINCT t.image, s.class FROM training_suggestion s JOIN training_image t ON t.list = s.list"
                   " AND t.position = s.position WHERE s.class IS NOT NULL AND s.verdict <> 'dontknow' AND" HOLDS " ORDER BY 1, 2",
                   DB_NONE, err);
}

DB_ROW(fault_row, struct training_fault, name, images, rows, twice, misjudged, strangers, stateless);

enum err_code training_faults(struct db *db, struct arena *a, struct training_fault **out, size_t *n, struct err *err)
{
    return db_list(
        db, fault_row, out, n, a,
        "SELECT * FROM (SELECT l.name, l.images AS images,"
        " (SELECT count(*) FROM training_image t WHERE t.list = l.id AND t.position < l.images) AS rows,"
        " (SELECT count(*) FROM training_answer x JOIN training_image t ON t.list = x.list AND t.position = x.position"
        "  WHERE x.list = l.id AND x.counts = 1 AND EXISTS (SELECT 1 FROM training_image o JOIN training_answer y"
        "   ON y.list = o.list AND y.position = o.position WHERE o.image = t.image AND y.account = x.account AND y.id < x.id)) AS twice,"
        " (SELECT count(*) FROM training_answer x JOIN training_image t ON t.list = x.list AND t.position = x.position"
        "  WHERE x.list = l.id AND x.fits = 0 AND x.class = t.class) AS misjudged,"
        " (SELECT count(*) FROM training_suggestion s WHERE s.list = l.id AND NOT EXISTS (SELECT 1 FROM training_answer x"
        "  WHERE x.account = s.account AND x.list = s.list AND x.position = s.position AND x.id < s.id"
        "  AND x.class = coalesce(s.class, x.class))) AS strangers,"
        " NOT EXISTS (SELECT 1 FROM training_state s WHERE s.list = l.id) AS stateless FROM training_list l)"
        " WHERE images <> rows OR twice OR misjudged OR strangers OR stateless ORDER BY 1",
        DB_NONE, err);
}

DB_ROW(known_row, struct training_known, class_id, correct, unclear, wrong, wnid, synset);

enum err_code training_known_labels(struct db *db, int64_t image, struct arena *a, struct training_known **out, size_t *n,
                                    struct err *err)
{
    return db_list(db, known_row, out, n, a,
                   "SELECT c.id, v.correct, v.unclear, v.wrong, c.wnid, c.synset FROM (SELECT v.class AS class,"
                   "  sum(v.verdict = 'correct') AS correct, sum(v.verdict = 'unclear') AS unclear,"
                   "  sum(v.verdict = 'wrong') AS wrong" REVIEWED("?1") " GROUP BY v.class) v JOIN class c ON c.id = v.class ORDER BY c.cid",
                   DB_VALS(db_int(image)), err);
}
