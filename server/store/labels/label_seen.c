/* label_seen.c - the view account_shown, asked by account. */
#include "store/labels/label_seen.h"

#include "db/rows.h"

DB_ROW(seen_row, struct label_seen_row, image, how);

enum err_code label_seen_list(struct db *db, const struct label_review_row *r, int64_t account, struct arena *a,
                              struct label_seen_row **out, size_t *n, struct err *err)
{
    return db_list(db, seen_row, out, n, a,
                   "SELECT s.image, max(s.how = 'page') + 2 * max(s.how = 'task') + 4 * max(s.how = 'training')"
                   " + 8 * max(s.how = 'guide') + 16 * max(s.how = 'evaluation') + 32 * max(s.how IN ('review', 'label'))"
                   " FROM account_shown s WHERE s.account = ?1 AND " LABEL_FORBIDS("?2", "?3", "?4") " GROUP BY s.image ORDER BY 1",
                   DB_VALS(db_int(account), db_int(r->id), db_int(r->again), db_int(r->at)), err);
}

enum err_code label_seen_theirs(struct db *db, int64_t review, int64_t account, struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db, "SELECT DISTINCT position FROM label_look WHERE account = ?2 AND review = ?1 AND part = 'review'",
                       DB_VALS(db_int(review), db_int(account)), a, out, n, err);
}

enum err_code label_seen_photos(struct db *db, int64_t review, struct photos *out, struct err *err)
{
    return photos_read_some(db,
                            PHOTOS("SELECT i.id, i.name FROM label_review_image m JOIN image i ON i.id = m.image WHERE m.review = ?1")
                            "SELECT image, id FROM same_photo ORDER BY image",
                            DB_VALS(db_int(review)), out, err);
}

enum err_code label_seen_check(struct db *db, const struct label_review_row *r, int64_t position, int64_t account, struct err *err)
{
    bool seen = false;
    enum err_code rc = db_exists(
        db,
        "SELECT 1 FROM label_review_image i WHERE i.review = ?2 AND i.position = ?5"
        " AND NOT EXISTS (SELECT 1 FROM label_look k WHERE k.account = ?1 AND k.review = ?2 AND k.position = ?5 AND k.part = 'review')"
        " AND " LABEL_FORBIDDEN("?1", "i.image", "?2", "?3", "?4"),
        DB_VALS(db_int(account), db_int(r->id), db_int(r->again), db_int(r->at), db_int(position)), &seen, err);
    return rc == OK && seen ? err_rule(err, ERR_DENIED, "label-review-seen",
                                       "You were shown this image elsewhere, so somebody else reviews it. The review's next image is "
                                       "one that you have not seen.")
                            : rc;
}
