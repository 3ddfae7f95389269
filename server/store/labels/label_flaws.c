/* label_flaws.c - THE list of what rows of label reviews may not be. */
#include "store/labels/label_flaws.h"

#include "db/rows.h"

#define UNDONE "EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id)"

static const struct flaw_question flaws[] = {
    {"SELECT r.name, r.images FROM label_review r WHERE NOT EXISTS (SELECT 1 FROM label_review_state s WHERE s.review = r.id)",
     "images, but it was cut off while it was made: make it again to complete it"},
    {"SELECT r.name, abs(r.images - count(i.position)) + sum(i.position >= r.images) AS wrong FROM label_review r"
     " LEFT JOIN label_review_image i ON i.review = r.id WHERE EXISTS (SELECT 1 FROM label_review_state s WHERE s.review = r.id)"
     " GROUP BY r.id HAVING coalesce(wrong, 1) > 0",
     "images more or less than it should have"},
    {"SELECT r.name, count(*) FROM label_review r JOIN label_review_image i ON i.review = r.id"
     " WHERE (SELECT count(*) FROM label_review_label l WHERE l.review = i.review AND l.position = i.position AND l.origins & 1) <> 1"
     " OR NOT EXISTS (SELECT 1 FROM label_review_label l JOIN revision v ON v.id = r.revision JOIN set_list_image s"
     "  ON s.list = v.list AND s.image = i.image AND s.class = l.class WHERE l.review = i.review AND l.position = i.position AND l.origins & 1)"
     " GROUP BY r.id",
     "images whose assigned label is not that of the set"},
    {"SELECT r.name, count(*) FROM label_review r JOIN label_review_label l ON l.review = r.id"
     " WHERE (l.origins & 2 > 0) <> (l.models > 0) OR l.models > json_array_length(r.models) GROUP BY r.id",
     "labels whose origins and number of models do not fit"},
    {"SELECT r.name, count(*) FROM label_review r JOIN label_review_image i ON i.review = r.id"
     " WHERE i.p <> (SELECT max(p) FROM label_review_image WHERE review = r.id) OR (r.drawn_by = 'random' AND r.evaluation IS NULL AND i.p IS NULL) GROUP BY r.id",
     "images drawn at random with another chance than the others"},
    {"SELECT r.name, count(*) FROM label_look_verdict v JOIN label_look k ON k.id = v.look JOIN label_review r ON r.id = v.review"
     " WHERE k.review <> v.review OR k.position <> v.position OR k.part = 'undo' GROUP BY r.id",
     "verdicts that are of another look than they say"},
    {"SELECT r.name, count(*) FROM label_look_verdict v JOIN label_review r ON r.id = v.review"
     " WHERE v.added = EXISTS (SELECT 1 FROM label_review_label l WHERE l.review = v.review AND l.position = v.position AND l.class = v.class)"
     " GROUP BY r.id",
     "verdicts that say wrongly whether their label was added"},
    {"SELECT r.name, count(*) FROM label_look k JOIN label_review r ON r.id = k.review WHERE k.part <> 'undo' AND k.problematic IS NULL"
     " AND NOT EXISTS (SELECT 1 FROM label_look_verdict v WHERE v.look = k.id) GROUP BY r.id",
     "saves that say nothing"},
    {"SELECT r.name, count(*) FROM label_look k JOIN label_look w ON w.id = k.undoes JOIN label_review r ON r.id = k.review"
     " WHERE w.part = 'undo' OR w.id > k.id OR w.review <> k.review OR w.position <> k.position OR w.account IS NOT k.account GROUP BY r.id",
     "saves taken back by what cannot take them back"},
    {"SELECT r.name, count(*) FROM label_look k JOIN label_review r ON r.id = k.review WHERE k.part = 'repeat' AND NOT EXISTS"
     " (SELECT 1 FROM label_look w WHERE w.account IS k.account AND w.review = k.review AND w.position = k.position"
     "  AND w.part = 'review' AND w.id < k.id) GROUP BY r.id",
     "repeats of what was not reviewed before"},
    {"SELECT r.name, count(*) FROM label_look k JOIN label_review r ON r.id = k.review"
     " WHERE k.guide > k.id OR (k.guide > 0 AND NOT EXISTS (SELECT 1 FROM guide_version g WHERE g.id = k.guide)) GROUP BY r.id",
     "saves with a version of the guide that there was not"},
    {"SELECT r.name, count(*) FROM label_suggestion s JOIN label_review r ON r.id = s.review WHERE r.suggests IS NOT NULL AND NOT EXISTS"
     " (SELECT 1 FROM label_review_label l WHERE l.review = s.review AND l.position = s.position AND l.class = s.class AND l.models > 0)"
     " GROUP BY r.id",
     "suggestions that no model made"},
    {"SELECT r.name, abs(sum(s.shown) - count(*) / 2) AS wrong FROM label_suggestion s JOIN label_review r ON r.id = s.review"
     " GROUP BY r.id HAVING wrong > 0",
     "suggestions more or less than half are shown"},
    {"SELECT r.name, count(*) FROM label_stand t JOIN label_review r ON r.id = t.review WHERE NOT EXISTS (SELECT 1 FROM label_look k"
     " WHERE k.review = t.review AND k.position = t.position AND k.account IS NOT t.account AND k.part <> 'undo' AND k.id < t.id) GROUP BY r.id",
     "times somebody makes something of others' words where nobody else said anything"},
};

enum err_code label_flaws_list(struct db *db, struct arena *a, struct flaw **out, size_t *n, struct err *err)
{
    return flaws_read(db, flaws, sizeof flaws / sizeof *flaws, a, out, n, err);
}

/* ---- what holds, once more ---- */

DB_ROW(held_row, struct label_held, position, class_id, verdict);

enum err_code label_held_list(struct db *db, int64_t review, struct arena *a, struct label_held **out, size_t *n, struct err *err)
{
    return db_list(db, held_row, out, n, a,
                   "WITH said AS (SELECT v.position, v.class, v.verdict, k.part = 'adjudication' AS judged, row_number() OVER"
                   "  (PARTITION BY v.position, v.class, k.part, iif(k.part = 'review', coalesce(k.account, 0), 0) ORDER BY k.id DESC) AS nth"
                   "  FROM label_look k JOIN label_look_verdict v ON v.look = k.id WHERE k.review = ?1 AND k.part IN ('review', 'adjudication')"
                   "  AND NOT " UNDONE ")"
                   " SELECT position, class, coalesce(max(verdict) FILTER (WHERE judged),"
                   "  iif(count(DISTINCT verdict) = 1, max(verdict), 'unclear')) FROM said WHERE nth = 1"
                   " GROUP BY position, class ORDER BY position, class",
                   DB_VALS(db_int(review)), err);
}

DB_ROW(image_row, struct label_held_image, position, people, problematic);

enum err_code label_held_images(struct db *db, int64_t review, struct arena *a, struct label_held_image **out, size_t *n, struct err *err)
{
    return db_list(db, image_row, out, n, a,
                   "WITH said AS (SELECT k.position, k.part = 'adjudication' AS judged, k.problematic IS NOT NULL AS bad, row_number() OVER"
                   "  (PARTITION BY k.position, k.part, iif(k.part = 'review', coalesce(k.account, 0), 0) ORDER BY k.id DESC) AS nth"
                   "  FROM label_look k WHERE k.review = ?1 AND k.part IN ('review', 'adjudication') AND NOT " UNDONE ")"
                   " SELECT position, sum(NOT judged), coalesce(max(bad) FILTER (WHERE judged), min(bad)) FROM said WHERE nth = 1"
                   " GROUP BY position ORDER BY position",
                   DB_VALS(db_int(review)), err);
}
