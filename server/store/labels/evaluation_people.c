/* evaluation_people.c - an answer is a row with its event's number; nothing is ever changed. */
#include "store/labels/evaluation_people.h"

#include "db/rows.h"
#include "store/core/events.h"
#include "store/core/photos.h"

#define WHOLE " EXISTS (SELECT 1 FROM evaluation_state s WHERE s.evaluation = r.id)"

/* Whether an account was shown an image before a moment by anything but evaluations; SQL texts. By the image, of which there
 * are few rows, not by all that the account ever had (the view account_shown). */
#define SHOWN_ELSEWHERE(account_id, image_id, before)                                                                  \
    "EXISTS (SELECT 1 FROM account_saw y WHERE y.image = " image_id " AND y.account = " account_id                     \
    "  AND y.how <> 'evaluation' AND y.at < " before " UNION ALL SELECT 1 FROM grid_cell y CROSS JOIN assignment x"    \
    "  ON x.grid = y.grid WHERE y.image = " image_id " AND x.person = (SELECT person FROM account WHERE id = " account_id ")" \
    "  AND x.leased_at < " before " UNION ALL SELECT 1 FROM label_review_image y CROSS JOIN label_look x"              \
    "  ON x.review = y.review AND x.position = y.position JOIN event z ON z.id = x.id WHERE y.image = " image_id       \
    "  AND x.account = " account_id " AND x.part <> 'undo' AND z.at < " before ")"
#define EVER "9223372036854775807"
/* Whether an account was shown an image's photo elsewhere: itself by anything but evaluations, or any other image that shows
 * it, in this evaluation too; k: a row of same_photo. */
#define SHOWN_PHOTO(account_id)                                                                                        \
    "(" SHOWN_ELSEWHERE(account_id, "k.id", EVER) " OR (k.id <> k.image AND EXISTS (SELECT 1 FROM account_saw y"       \
    " WHERE y.image = k.id AND y.account = " account_id ")))"
/* ?1: an evaluation. */
#define ITS_PHOTOS PHOTOS("SELECT i.id, i.name FROM evaluation_image m JOIN image i ON i.id = m.image WHERE m.evaluation = ?1")

DB_ROW(person_row, struct evaluation_person_row, account, answered, timed, active_ms, elsewhere, first, last, login, role, pseudonym,
       active, published);

enum err_code evaluation_people(struct db *db, int64_t evaluation, struct arena *a, struct evaluation_person_row **out, size_t *n,
                                struct err *err)
{
    return db_list(
        db, person_row, out, n, a,
        /* materialized: else all images are walked from for each person */
        ITS_PHOTOS ", its_photo AS MATERIALIZED (SELECT image, id FROM same_photo), people AS (SELECT DISTINCT account FROM evaluation_person WHERE evaluation = ?1),"
        " said AS (SELECT k.account, count(*) AS answered, count(k.active_ms) AS timed, coalesce(sum(k.active_ms), 0) AS ms,"
        "  min(e.at) AS first, max(e.at) AS last FROM evaluation_answer k JOIN event e ON e.id = k.id"
        "  WHERE k.evaluation = ?1 GROUP BY k.account)"
        " SELECT p.account, coalesce(s.answered, 0), coalesce(s.timed, 0), coalesce(s.ms, 0),"
        "  (SELECT count(DISTINCT k.image) FROM its_photo k WHERE NOT EXISTS (SELECT 1 FROM evaluation_image m"
        "   JOIN evaluation_answer x ON x.evaluation = m.evaluation AND x.number = m.number"
        "   WHERE m.image = k.image AND m.evaluation = ?1 AND x.account = p.account) AND " SHOWN_PHOTO("p.account") "),"
        "  coalesce(s.first, 0), coalesce(s.last, 0), coalesce(i.external_id, ''), c.role, o.pseudonym,"
        "  (SELECT y.active FROM evaluation_person y WHERE y.account = p.account AND y.evaluation = ?1 ORDER BY y.id DESC LIMIT 1),"
        "  EXISTS (SELECT 1 FROM evaluation_source z WHERE z.evaluation = ?1 AND z.account = p.account)"
        " FROM people p JOIN account c ON c.id = p.account JOIN person o ON o.id = c.person"
        " LEFT JOIN said s ON s.account = p.account"
        " LEFT JOIN identity i ON i.person = c.person AND i.source = 'local' ORDER BY 8, 1",
        DB_VALS(db_int(evaluation)), err);
}

enum err_code evaluation_person_is(struct db *db, int64_t evaluation, int64_t account, bool *out, struct err *err)
{
    int64_t active = 0;
    enum err_code rc = db_maybe_int(
        db, "SELECT active FROM evaluation_person WHERE account = ?1 AND evaluation = ?2 ORDER BY id DESC LIMIT 1",
        DB_VALS(db_int(account), db_int(evaluation)), &active, err);
    *out = active != 0;
    return rc;
}

enum err_code evaluation_seen_count(struct db *db, int64_t evaluation, int64_t account, int64_t *out, int64_t *near, struct err *err)
{
    *out = *near = 0;
    /* +: else every image of the list is looked for by each that was seen */
    return db_maybe_ints(db,
                         ITS_PHOTOS ", saw(image) AS MATERIALIZED (SELECT w.image FROM account_shown w WHERE w.account = ?2 UNION ALL"
                         "  SELECT o.image FROM evaluation_image o WHERE o.evaluation IN (SELECT p.evaluation FROM evaluation_person p"
                         "   WHERE p.account = ?2 AND p.evaluation <> ?1))"
                         " SELECT count(*), coalesce(sum(1 - itself), 0) FROM (SELECT max(k.id = k.image) AS itself FROM same_photo k"
                         " WHERE +k.id IN (SELECT image FROM saw) AND NOT EXISTS (SELECT 1 FROM evaluation_person p WHERE p.account = ?2"
                         "  AND p.evaluation = ?1) GROUP BY k.image)",
                         DB_VALS(db_int(evaluation), db_int(account)), out, near, err);
}

enum err_code evaluation_seen_elsewhere(struct db *db, int64_t account, int64_t image, bool *out, struct err *err)
{
    return db_exists(db, PHOTOS_OF("?2") "SELECT 1 FROM same_photo k WHERE " SHOWN_PHOTO("?1"), DB_VALS(db_int(account), db_int(image)), out,
                     err);
}

/* ---- answers ---- */

DB_ROW(answer_row, struct evaluation_answer, id, number, account, class_id, cid, active_ms, at);

enum err_code evaluation_answers(struct db *db, int64_t evaluation, int64_t account, struct arena *a,
                                 struct evaluation_answer **out, size_t *n, struct err *err)
{
    return db_list(db, answer_row, out, n, a,
                   "SELECT k.id, k.number, k.account, k.class, c.cid, coalesce(k.active_ms, 0), e.at FROM evaluation_answer k"
                   " JOIN class c ON c.id = k.class JOIN event e ON e.id = k.id"
                   " WHERE k.evaluation = ?1 AND k.account = ?2 ORDER BY k.number",
                   DB_VALS(db_int(evaluation), db_int(account)), err);
}

enum err_code evaluation_answered(struct db *db, int64_t evaluation, int64_t account, struct arena *a, int64_t **out, size_t *n,
                                  struct err *err)
{
    return db_list_int(db, "SELECT number FROM evaluation_answer WHERE account = ?2 AND evaluation = ?1 ORDER BY number",
                       DB_VALS(db_int(evaluation), db_int(account)), a, out, n, err);
}

enum err_code evaluation_answer_to(struct db *db, int64_t evaluation, int64_t account, int64_t number, int64_t *class_id, struct err *err)
{
    *class_id = 0;
    return db_maybe_int(db, "SELECT class FROM evaluation_answer WHERE account = ?2 AND evaluation = ?1 AND number = ?3",
                        DB_VALS(db_int(evaluation), db_int(account), db_int(number)), class_id, err);
}

enum err_code evaluation_answer_add(struct db *db, int64_t evaluation, const struct evaluation_answer *v, int64_t now, struct err *err)
{
    int64_t id;
    enum err_code rc = events_add(db, now, v->account, "evaluation.answer", evaluation, NULL, &id, err);
    return rc == OK ? db_run(db,
                             "INSERT INTO evaluation_answer (id, evaluation, number, account, class, active_ms)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                             DB_VALS(db_int(id), db_int(evaluation), db_int(v->number), db_int(v->account), db_int(v->class_id),
                                     v->active_ms > 0 ? db_int(v->active_ms) : db_null()),
                             err)
                    : rc;
}

enum err_code evaluation_source_add(struct db *db, int64_t evaluation, int64_t account, int64_t side, int64_t source, struct err *err)
{
    return db_run(db, "INSERT INTO evaluation_source (source, evaluation, account, side) VALUES (?1, ?2, ?3, ?4)",
                  DB_VALS(db_int(source), db_int(evaluation), db_int(account), db_int(side)), err);
}

enum err_code evaluation_published(struct db *db, int64_t evaluation, int64_t account, int64_t side, bool *out, struct err *err)
{
    return db_exists(db, "SELECT 1 FROM evaluation_source WHERE evaluation = ?1 AND account = ?2 AND side = ?3",
                     DB_VALS(db_int(evaluation), db_int(account), db_int(side)), out, err);
}

/* ?1: an evaluation. */
#define PUBLISHED "(SELECT DISTINCT account FROM evaluation_source WHERE evaluation = ?1)"
/* Those who were through before it was closed; without any, all of them. */
#define CLOSED "(SELECT id FROM evaluation_state WHERE evaluation = ?1 AND state = 'closed')"
#define THROUGH                                                                                                        \
    "(SELECT DISTINCT z.account FROM evaluation_source z WHERE z.evaluation = ?1 AND (z.source < coalesce(" CLOSED     \
    ", z.source + 1) OR NOT EXISTS (SELECT 1 FROM evaluation_source y WHERE y.evaluation = ?1 AND y.source < " CLOSED ")))"

enum err_code evaluation_answered_by_all(struct db *db, int64_t evaluation, struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db,
                       "SELECT m.image FROM evaluation_image m JOIN evaluation_answer k ON k.evaluation = m.evaluation"
                       " AND k.number = m.number WHERE m.evaluation = ?1 AND k.account IN " THROUGH
                       " GROUP BY m.image HAVING count(*) = (SELECT count(*) FROM " THROUGH ") ORDER BY m.image",
                       DB_VALS(db_int(evaluation)), a, out, n, err);
}

DB_ROW(time_row, struct evaluation_time, image, ms);

enum err_code evaluation_times(struct db *db, int64_t evaluation, struct arena *a, struct evaluation_time **out, size_t *n,
                               struct err *err)
{
    return db_list(db, time_row, out, n, a,
                   "SELECT m.image, k.active_ms FROM evaluation_answer k JOIN evaluation_image m ON m.evaluation = k.evaluation"
                   " AND m.number = k.number WHERE k.evaluation = ?1 AND k.active_ms IS NOT NULL AND k.account IN " PUBLISHED
                   " ORDER BY m.image",
                   DB_VALS(db_int(evaluation)), err);
}

/* ---- for `check` ---- */

static const struct flaw_question flaws[] = {
    {"SELECT r.name, abs(r.images - (SELECT count(*) FROM evaluation_image m WHERE m.evaluation = r.id)) AS n FROM evaluation r WHERE" WHOLE
     " AND n > 0",
     "images are missing, or there are too many"},
    {"SELECT r.name, abs(r.images - (SELECT coalesce(sum(images), 0) FROM evaluation_set s WHERE s.evaluation = r.id)) AS n FROM evaluation r"
     " WHERE" WHOLE " AND n > 0",
     "images of its sets are missing, or there are too many"},
    {"SELECT r.name, count(*) FROM evaluation r JOIN evaluation_image m ON m.evaluation = r.id WHERE NOT EXISTS"
     " (SELECT 1 FROM evaluation_set s JOIN revision v ON v.id = s.revision JOIN set_list_image i ON i.list = v.list"
     "  WHERE s.evaluation = r.id AND s.side = m.side AND i.image = m.image) GROUP BY r.id",
     "images are in none of its sets"},
    {"SELECT r.name, count(*) FROM evaluation r JOIN evaluation_answer k ON k.evaluation = r.id WHERE EXISTS"
     " (SELECT 1 FROM evaluation_class c WHERE c.evaluation = r.id) AND NOT EXISTS (SELECT 1 FROM evaluation_class c"
     "  WHERE c.evaluation = r.id AND c.class = k.class) GROUP BY r.id",
     "answers name classes that nobody could choose"},
    {"SELECT r.name, count(*) FROM evaluation r JOIN evaluation_answer k ON k.evaluation = r.id WHERE NOT EXISTS"
     " (SELECT 1 FROM evaluation_person p WHERE p.evaluation = r.id AND p.account = k.account AND p.id < k.id) GROUP BY r.id",
     "answers are of people whose work it never was"},
    {"SELECT r.name, count(*) FROM evaluation r JOIN evaluation_state s ON s.evaluation = r.id AND s.state = 'closed'"
     " JOIN evaluation_answer k ON k.evaluation = r.id AND k.id > s.id GROUP BY r.id",
     "answers came after it was closed"},
    {"SELECT r.name, count(*) FROM evaluation r JOIN evaluation_answer k ON k.evaluation = r.id JOIN event e ON e.id = k.id"
     " JOIN evaluation_image m ON m.evaluation = k.evaluation AND m.number = k.number WHERE "
     SHOWN_ELSEWHERE("k.account", "m.image", "e.at") " GROUP BY r.id",
     "answers are about images that the person had been shown elsewhere"},
    {"SELECT r.name, count(*) FROM evaluation r JOIN evaluation_image m ON m.evaluation = r.id"
     " JOIN evaluation_answer k ON k.evaluation = m.evaluation AND k.number = m.number WHERE EXISTS (SELECT 1 FROM evaluation_image o"
     "  JOIN evaluation_answer x ON x.evaluation = o.evaluation AND x.number = o.number"
     "  WHERE o.image = m.image AND o.evaluation <> m.evaluation AND x.account = k.account) GROUP BY r.id",
     "images were to be shown to somebody in another evaluation too"},
};

enum err_code evaluation_flaws(struct db *db, struct arena *a, struct flaw **out, size_t *n, struct err *err)
{
    return flaws_read(db, flaws, sizeof flaws / sizeof *flaws, a, out, n, err);
}

DB_ROW(source_row, struct evaluation_source_row, source, model, evaluation, account, side, name);

enum err_code evaluation_sources(struct db *db, struct arena *a, struct evaluation_source_row **out, size_t *n, struct err *err)
{
    return db_list(db, source_row, out, n, a,
                   "SELECT z.source, p.model, z.evaluation, z.account, z.side, r.name FROM evaluation_source z"
                   " JOIN prediction_source p ON p.id = z.source JOIN evaluation r ON r.id = z.evaluation ORDER BY z.source",
                   DB_NONE, err);
}
