/* training_lists.c - lists are at most thousands of rows: they are written in one transaction. */
#include "store/labels/training_lists.h"

#include "db/rows.h"
#include "domain/labels/labels.h"
#include "store/core/events.h"
#include "store/core/known.h"
#include "store/core/photos.h"

static const char *const kinds[] = {"label-review", "evaluation"};

DB_ROW(list_row, struct training_list_row, id, as_of, seed, images, mark, span, at, answers, people, name, unlocks, made_of, detail,
       state, login);

#define STATE "(SELECT s.state FROM training_state s WHERE s.list = t.id ORDER BY s.id DESC LIMIT 1)"
#define LIST_WITH(answers, people)                                                                                     \
    "SELECT t.id, t.as_of, t.seed, t.images, t.mark, t.span, e.at, " answers ", " people ", t.name, t.unlocks, t.made_of," \
    " t.detail, " STATE ", coalesce(n.external_id, '') FROM training_list t JOIN event e ON e.id = t.id"               \
    " LEFT JOIN account a ON a.id = e.account LEFT JOIN identity n ON n.person = a.person AND n.source = 'local' "
#define LIST                                                                                                           \
    LIST_WITH("(SELECT count(*) FROM training_answer x WHERE x.list = t.id)",                                          \
              "(SELECT count(DISTINCT x.account) FROM training_answer x WHERE x.list = t.id)")

static enum err_code no_list(struct db *db, struct sv name, struct err *err)
{
    static const struct known known = {"training-list", "training list", "Make one with `holdout training create`",
                                       "SELECT name FROM training_list ORDER BY unlocks, name"};
    return known_refuse(db, &known, name, DB_NONE, err);
}

enum err_code training_lists_find(struct db *db, struct sv name, struct arena *a, struct training_list_row *out, struct err *err)
{
    enum err_code rc = db_find(db, list_row, out, a, LIST "WHERE t.name = ?1", DB_VALS(db_text(name)), err);
    return rc == ERR_NOT_FOUND ? no_list(db, name, err) : rc;
}

enum err_code training_lists_list(struct db *db, struct arena *a, struct training_list_row **out, size_t *n, struct err *err)
{
    return db_list(db, list_row, out, n, a, LIST "ORDER BY t.unlocks, t.name", DB_NONE, err);
}

enum err_code training_lists_unlocking(struct db *db, struct sv unlocks, struct arena *a, struct training_list_row **out, size_t *n,
                                       struct err *err)
{
    return db_list(db, list_row, out, n, a, LIST_WITH("0", "0") "WHERE t.unlocks = ?1 ORDER BY t.name", DB_VALS(db_text(unlocks)), err);
}

/* ---- making one ---- */

enum err_code training_list_check(struct db *db, const struct training_new *v, struct err *err)
{
    bool taken = false;
    enum err_code rc = label_name_check(v->name, err);
    rc = rc == OK ? label_name_check(v->unlocks, err) : rc;
    if (rc == OK && (v->n == 0 || v->n > TRAINING_IMAGES)) {
        return err_rule(err, ERR_INPUT, "training-size", "A training list has 1 to %d images, and this one would have %zu.",
                        TRAINING_IMAGES, v->n);
    }
    if (rc == OK && (v->mark < 1 || v->mark > 100 || v->span < 1 || v->span > (int64_t)v->n)) {
        return err_rule(err, ERR_INPUT, "training-size",
                        "The mark is 1 to 100 percent of the latest answers, of at least 1 and at most as many as there are "
                        "images (%zu).",
                        v->n);
    }
    rc = rc == OK ? db_exists(db, "SELECT 1 FROM training_list WHERE name = ?1", DB_VALS(db_text(v->name)), &taken, err) : rc;
    return rc == OK && taken
               ? err_rule(err, ERR_CONFLICT, "training-name", "There is a training list " SV_FMT " already. Choose another name.",
                          SV_ARG(v->name))
               : rc;
}

enum err_code training_list_add(struct db *db, const struct training_new *v, int64_t now, int64_t *id, struct err *err)
{
    enum err_code rc = training_list_check(db, v, err);
    rc = rc == OK ? events_add(db, now, v->account, "training.create", 0, NULL, id, err) : rc;
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO training_list (id, name, unlocks, made_of, detail, as_of, seed, images, mark, span)"
                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                    DB_VALS(db_int(*id), db_text(v->name), db_text(v->unlocks), db_str(training_made_word(v->made)),
                            db_str(v->detail), db_int(v->as_of), db_int(v->seed), db_int((int64_t)v->n), db_int(v->mark),
                            db_int(v->span)),
                    err);
    }
    for (size_t i = 0; i < v->n && rc == OK; i++) {
        rc = db_run(db, "INSERT INTO training_image (list, position, image, class) VALUES (?1, ?2, ?3, ?4)",
                    DB_VALS(db_int(*id), db_int((int64_t)i), db_int(v->items[i].image), db_int(v->items[i].class_id)), err);
    }
    return rc == OK ? training_list_state(db, *id, true, v->account, now, err) : rc;
}

enum err_code training_list_state(struct db *db, int64_t list, bool open, int64_t by, int64_t now, struct err *err)
{
    int64_t id;
    bool same;
    const char *word = open ? "open" : "closed";
    enum err_code rc = db_exists(db,
                                 "SELECT 1 FROM training_state WHERE id = (SELECT max(id) FROM training_state WHERE list = ?1)"
                                 " AND state = ?2",
                                 DB_VALS(db_int(list), db_str(word)), &same, err);
    if (rc != OK || same) {
        return rc;
    }
    rc = events_add(db, now, by, open ? "training.open" : "training.close", list, NULL, &id, err);
    return rc == OK ? db_run(db, "INSERT INTO training_state (id, list, state) VALUES (?1, ?2, ?3)",
                             DB_VALS(db_int(id), db_int(list), db_str(word)), err)
                    : rc;
}

/* ---- images ---- */

DB_ROW(item_row, struct training_item, image, class_id);

enum err_code training_list_image(struct db *db, int64_t list, int64_t position, struct training_item *out, struct err *err)
{
    enum err_code rc = db_find(db, item_row, out, NULL, "SELECT image, class FROM training_image WHERE list = ?1 AND position = ?2",
                               DB_VALS(db_int(list), db_int(position)), err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "training-item", "This training list has no such image.") : rc;
}

enum err_code training_barred(struct db *db, int64_t image, bool *out, struct err *err)
{
    return db_exists(db,
                     PHOTOS_OF("?1") "SELECT 1 FROM same_photo k WHERE"
                     " EXISTS (SELECT 1 FROM evaluation_image e WHERE e.image = k.id)"
                     " OR EXISTS (SELECT 1 FROM set_list_image m JOIN sealed_revision q ON q.list = m.list WHERE m.image = k.id)"
                     " OR EXISTS (SELECT 1 FROM label_review_image r WHERE r.image = k.id AND 'open' = (SELECT s.state"
                     "  FROM label_review_state s WHERE s.review = r.review ORDER BY s.id DESC LIMIT 1))",
                     DB_VALS(db_int(image)), out, err);
}

/* ---- what other work needs ---- */

#define NEWEST " w.id = (SELECT max(x.id) FROM training_need x WHERE x.kind = w.kind AND x.list = w.list AND x.unlocks = w.unlocks)"

enum err_code training_need_set(struct db *db, enum training_for kind, int64_t list, struct sv unlocks, bool needed, int64_t by,
                                int64_t now, struct err *err)
{
    int64_t id, is = 0;
    enum err_code rc = db_maybe_int(db,
                                    "SELECT w.needed FROM training_need w WHERE w.kind = ?1 AND w.list = ?2 AND w.unlocks = ?3 AND" NEWEST,
                                    DB_VALS(db_str(kinds[kind]), db_int(list), db_text(unlocks)), &is, err);
    if (rc != OK || (is != 0) == needed) {
        return rc;
    }
    rc = events_add(db, now, by, needed ? "training.need" : "training.unneed", list, NULL, &id, err);
    return rc == OK ? db_run(db, "INSERT INTO training_need (id, kind, list, unlocks, needed) VALUES (?1, ?2, ?3, ?4, ?5)",
                             DB_VALS(db_int(id), db_str(kinds[kind]), db_int(list), db_text(unlocks), db_int(needed)), err)
                    : rc;
}

enum err_code training_group_known(struct db *db, struct sv unlocks, bool *out, struct err *err)
{
    return db_exists(db, "SELECT 1 FROM training_list WHERE unlocks = ?1", DB_VALS(db_text(unlocks)), out, err);
}

struct need {
    struct sv unlocks;
};
DB_ROW(need_row, struct need, unlocks);

enum err_code training_needs(struct db *db, enum training_for kind, int64_t list, struct arena *a, struct sv **out, size_t *n,
                             struct err *err)
{
    struct need *rows;
    enum err_code rc = db_list(db, need_row, &rows, n, a,
                               "SELECT w.unlocks FROM training_need w WHERE w.kind = ?1 AND w.list = ?2 AND w.needed = 1 AND" NEWEST
                               " ORDER BY 1",
                               DB_VALS(db_str(kinds[kind]), db_int(list)), err);
    *out = arena_calloc(a, *n + 1, sizeof **out);
    for (size_t i = 0; i < *n && rc == OK; i++) {
        (*out)[i] = rows[i].unlocks;
    }
    return rc;
}

DB_ROW(needs_row, struct training_need_row, kind, name, unlocks);

enum err_code training_needs_list(struct db *db, struct arena *a, struct training_need_row **out, size_t *n, struct err *err)
{
    return db_list(db, needs_row, out, n, a,
                   "SELECT w.kind, coalesce(r.name, e.name), w.unlocks FROM training_need w"
                   " LEFT JOIN label_review r ON w.kind = 'label-review' AND r.id = w.list"
                   " LEFT JOIN evaluation e ON w.kind = 'evaluation' AND e.id = w.list WHERE w.needed = 1 AND" NEWEST " ORDER BY 1, 2, 3",
                   DB_NONE, err);
}
