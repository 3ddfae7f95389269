/* label_reviews.c - lists are written in slices, with their state last, as all lists are that are too long for one
 * transaction beside a server. */
#include "store/labels/label_reviews.h"

#include <math.h>

#include "db/bulk.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/core/known.h"
#include "store/labels/label_seen.h"

enum { CHUNK = 50 };

/* A look that nobody took back. */
#define COUNTS " NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id)"
#define LOOKED                                                                                                         \
    "(SELECT count(DISTINCT coalesce(k.account, 0)) FROM label_look k WHERE k.review = i.review"                       \
    " AND k.position = i.position AND k.part = 'review' AND" COUNTS ")"

DB_ROW(review_row, struct label_review_row, id, revision, as_of, seed, images, reviewers, repeats, at, account, again, suggests,
       looks, last, name, set, models, drawn_by, state, login, suggested, from);

#define STATE "(SELECT s.state FROM label_review_state s WHERE s.review = r.id ORDER BY s.id DESC LIMIT 1)"
#define REVIEW                                                                                                         \
    "SELECT r.id, r.revision, r.as_of, r.seed, r.images, r.reviewers, r.repeats, e.at, e.account,"                     \
    " r.again, coalesce(r.suggests, 0),"                                                                               \
    " (SELECT count(*) FROM label_look k WHERE k.review = r.id),"                                                      \
    " coalesce((SELECT k.id FROM label_look k NOT INDEXED WHERE k.review = r.id ORDER BY k.id DESC LIMIT 1), 0), r.name," \
    " t.name || '/' || v.number,"                                                                                      \
    " r.models, r.drawn_by, " STATE ", coalesce(n.external_id, ''), coalesce(g.name, ''), coalesce(e.detail, '')" \
    " FROM label_review r JOIN event e ON e.id = r.id LEFT JOIN model g ON g.id = r.suggests"                          \
    " JOIN revision v ON v.id = r.revision JOIN image_set t ON t.id = v.image_set"                                     \
    " LEFT JOIN account a ON a.id = e.account LEFT JOIN identity n ON n.person = a.person AND n.source = 'local' "
#define WHOLE " EXISTS (SELECT 1 FROM label_review_state s WHERE s.review = r.id)"
/* ?1: an account whose work the list is now. */
#define THEIRS                                                                                                         \
    " coalesce((SELECT w.active FROM label_reviewer w WHERE w.account = ?1 AND w.review = r.id"                        \
    " ORDER BY w.id DESC LIMIT 1), 0)"

static enum err_code no_review(struct db *db, struct sv name, struct err *err)
{
    static const struct known known = {"label-review", "label review", "Make one with `holdout label-review create`",
                                       "SELECT r.name FROM label_review r WHERE" WHOLE " ORDER BY r.name"};
    return known_refuse(db, &known, name, DB_NONE, err);
}

enum err_code label_reviews_find(struct db *db, struct sv name, struct arena *a, struct label_review_row *out, struct err *err)
{
    enum err_code rc = db_find(db, review_row, out, a, REVIEW "WHERE r.name = ?1 AND" WHOLE, DB_VALS(db_text(name)), err);
    return rc == ERR_NOT_FOUND ? no_review(db, name, err) : rc;
}

enum err_code label_reviews_list(struct db *db, int64_t account, struct arena *a, struct label_review_row **out, size_t *n,
                                 struct err *err)
{
    return db_list(db, review_row, out, n, a,
                   REVIEW "WHERE" WHOLE " AND (?1 = 0 OR (" STATE " = 'open' AND" THEIRS ")) ORDER BY r.name",
                   DB_VALS(db_int(account)), err);
}

enum err_code label_reviews_at_desk(struct db *db, int64_t account, bool *out, struct err *err)
{
    return db_exists(db,
                     "SELECT 1 FROM (SELECT DISTINCT review AS id FROM label_reviewer WHERE account = ?1) r"
                     " WHERE " STATE " = 'open' AND" THEIRS,
                     DB_VALS(db_int(account)), out, err);
}

/* ---- making one ---- */

enum err_code label_review_name_free(struct db *db, struct sv name, struct err *err)
{
    bool taken = false;
    enum err_code rc = label_name_check(name, err);
    if (rc == OK && sv_is(name, "new")) { /* /labels/new */
        return err_rule(err, ERR_INPUT, "label-name", "A label review cannot be called new, which is part of an address: choose another "
                        "name. Nothing was written.");
    }
    rc = rc == OK ? db_exists(db,
                              "SELECT 1 FROM label_source WHERE name = ?1 UNION ALL"
                              " SELECT 1 FROM label_review r WHERE r.name = ?1 AND" WHOLE,
                              DB_VALS(db_text(name)), &taken, err)
                  : rc;
    return rc == OK && taken ? err_rule(err, ERR_CONFLICT, "label-review-name",
                                        "There is a label review or a label source " SV_FMT " already: choose another name. "
                                        "Nothing was written.",
                                        SV_ARG(name))
                             : rc;
}

struct review_write {
    const struct label_review_new *v;
    int64_t id, now;
    size_t done;
};

/* What a killed run left was seen by nobody. */
static enum err_code drop_begun(struct db *db, const struct review_write *w, struct err *err)
{
    const struct db_val name = db_text(w->v->name);
    enum err_code rc = db_run(db, "DELETE FROM label_suggestion WHERE review IN (SELECT id FROM label_review WHERE name = ?1)",
                              &name, 1, err);
    rc = rc == OK ? db_run(db, "DELETE FROM label_review_label WHERE review IN (SELECT id FROM label_review WHERE name = ?1)",
                           &name, 1, err)
                  : rc;
    rc = rc == OK ? db_run(db, "DELETE FROM label_review_image WHERE review IN (SELECT id FROM label_review WHERE name = ?1)",
                           &name, 1, err)
                  : rc;
    return rc == OK ? db_run(db, "DELETE FROM label_review WHERE name = ?1", &name, 1, err) : rc;
}

static enum err_code begin(struct db *db, struct review_write *w, struct err *err)
{
    const struct label_review_new *v = w->v;
    enum err_code rc = label_review_name_free(db, v->name, err);
    rc = rc == OK ? drop_begun(db, w, err) : rc;
    rc = rc == OK ? events_add(db, w->now, v->account, "label-review.create", 0, v->from, &w->id, err) : rc;
    return rc == OK ? db_run(db,
                             "INSERT INTO label_review (id, name, revision, models, as_of, drawn_by, seed, images, reviewers,"
                             " repeats, again, suggests, evaluation) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                             DB_VALS(db_int(w->id), db_text(v->name), db_int(v->revision), db_text(v->models),
                                     db_int(v->as_of), db_str(review_queue_word(v->queue)), db_int(v->seed),
                                     db_int((int64_t)v->n), db_int(v->reviewers), db_int(v->repeats), db_int(v->again),
                                     v->suggests ? db_int(v->suggests) : db_null(),
                                     v->evaluation ? db_int(v->evaluation) : db_null()),
                             err)
                    : rc;
}

static enum err_code insert_item(struct db *db, const struct review_write *w, size_t at, struct err *err)
{
    const struct label_review_item *item = &w->v->items[at];
    enum err_code rc = db_run(db, "INSERT INTO label_review_image (review, position, image, p, rank, confidence)"
                              " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                              DB_VALS(db_int(w->id), db_int((int64_t)at), db_int(item->image),
                                      item->p > 0 ? db_real(item->p) : db_null(), item->ranked ? db_int(item->rank) : db_null(),
                                      !item->ranked || isnan(item->confidence) ? db_null() : db_real(item->confidence)),
                              err);
    for (size_t i = item->first; i < item->first + item->n && rc == OK; i++) {
        const struct label_review_ask *ask = &w->v->asks[i];
        rc = db_run(db,
                    "INSERT INTO label_review_label (review, position, class, models, origins) VALUES (?1, ?2, ?3, ?4, ?5)",
                    DB_VALS(db_int(w->id), db_int((int64_t)at), db_int(ask->class_id), db_int(ask->models),
                            db_int(ask->origins)),
                    err);
    }
    return rc == OK && item->suggested
               ? db_run(db, "INSERT INTO label_suggestion (review, position, class, shown) VALUES (?1, ?2, ?3, ?4)",
                        DB_VALS(db_int(w->id), db_int((int64_t)at), db_int(item->suggested), db_int(item->shown)), err)
               : rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct review_write *w = arg;
    enum err_code rc = w->id ? OK : begin(db, w, err);
    for (int k = 0; k < CHUNK && w->done < w->v->n && rc == OK; k++) {
        rc = insert_item(db, w, w->done, err);
        w->done++;
    }
    *more = w->done < w->v->n;
    return rc == OK && !*more ? label_review_state(db, w->id, true, w->v->account, w->now, err) : rc;
}

enum err_code label_review_add(struct db *db, bool alone, const struct label_review_new *v, int64_t now, int64_t *id,
                               struct err *err)
{
    struct review_write w = {.v = v, .now = now};
    if (v->n == 0 || v->n > LABEL_REVIEW_IMAGES) {
        return err_rule(err, ERR_INPUT, "label-review-size", "A label review has 1 to %d images, and this one would have %zu.",
                        LABEL_REVIEW_IMAGES, v->n);
    }
    enum err_code rc = bulk_write(db, alone, write_step, &w, err);
    *id = w.id;
    return rc;
}

enum err_code label_review_state(struct db *db, int64_t review, bool open, int64_t by, int64_t now, struct err *err)
{
    int64_t id;
    struct sv was = {0};
    struct arena a;
    const char *word = open ? "open" : "closed";
    arena_init(&a, 4096);
    enum err_code rc = db_maybe_text(db, "SELECT state FROM label_review_state WHERE review = ?1 ORDER BY id DESC LIMIT 1",
                                     DB_VALS(db_int(review)), &a, &was, err);
    bool same = sv_is(was, word);
    arena_release(&a);
    if (rc != OK || same) {
        return rc;
    }
    rc = events_add(db, now, by, open ? "label-review.open" : "label-review.close", review, NULL, &id, err);
    return rc == OK ? db_run(db, "INSERT INTO label_review_state (id, review, state) VALUES (?1, ?2, ?3)",
                             DB_VALS(db_int(id), db_int(review), db_str(word)), err)
                    : rc;
}

enum err_code label_review_assign(struct db *db, int64_t review, int64_t account, bool active, int64_t by, int64_t now,
                                  struct err *err)
{
    int64_t id;
    bool is;
    enum err_code rc = label_reviewer_is(db, review, account, &is, err);
    if (rc != OK || is == active) {
        return rc;
    }
    rc = events_add(db, now, by, active ? "label-review.assign" : "label-review.release", review, NULL, &id, err);
    return rc == OK ? db_run(db, "INSERT INTO label_reviewer (id, review, account, active) VALUES (?1, ?2, ?3, ?4)",
                             DB_VALS(db_int(id), db_int(review), db_int(account), db_int(active)), err)
                    : rc;
}

/* ---- people ---- */

DB_ROW(arm_row, struct label_arm, position, class_id);

/* Images of which a column is known, in the order of another, each with the label that the set gives it. */
#define SET_LABELS(known, order)                                                                                       \
    "SELECT i.position, l.class FROM label_review_image i CROSS JOIN label_review_label l ON l.review = i.review"         \
    " AND l.position = i.position AND l.origins & ?2 WHERE i.review = ?1 AND i." known " IS NOT NULL ORDER BY i." order

enum err_code label_review_arm(struct db *db, int64_t review, struct arena *a, struct label_arm **out, size_t *n, struct err *err)
{
    return db_list(db, arm_row, out, n, a, SET_LABELS("p", "position"), DB_VALS(db_int(review), db_int(ORIGIN_SET)), err);
}

enum err_code label_review_set_labels(struct db *db, int64_t review, struct arena *a, struct label_arm **out, size_t *n, struct err *err)
{
    return db_list(db, arm_row, out, n, a, SET_LABELS("position", "position"), DB_VALS(db_int(review), db_int(ORIGIN_SET)), err);
}

enum err_code label_review_ranked(struct db *db, int64_t review, struct arena *a, struct label_arm **out, size_t *n, struct err *err)
{
    return db_list(db, arm_row, out, n, a, SET_LABELS("rank", "rank"), DB_VALS(db_int(review), db_int(ORIGIN_SET)), err);
}

DB_ROW(reviewer_row, struct label_reviewer_row, account, login, role, active, images, repeats, adjudicated);

enum err_code label_review_drawn(struct db *db, int64_t review, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT count(*) FROM label_review_image WHERE review = ?1 AND p IS NOT NULL", DB_VALS(db_int(review)), out,
                      err);
}

#define THEIR_LOOKS(part) " FROM label_look k WHERE k.account = p.account AND k.review = ?1 AND k.part = '" part "' AND" COUNTS

enum err_code label_reviewers_list(struct db *db, int64_t review, struct arena *a, struct label_reviewer_row **out, size_t *n,
                                   struct err *err)
{
    return db_list(
        db, reviewer_row, out, n, a,
        "WITH people AS (SELECT c.id AS account FROM account c"
        "  WHERE EXISTS (SELECT 1 FROM label_reviewer w WHERE w.review = ?1 AND w.account = c.id)"
        "  OR EXISTS (SELECT 1 FROM label_look k WHERE k.review = ?1 AND k.account = c.id))"
        " SELECT p.account, coalesce(i.external_id, ''), c.role,"
        "  coalesce((SELECT w.active FROM label_reviewer w WHERE w.account = p.account AND w.review = ?1"
        "   ORDER BY w.id DESC LIMIT 1), 0),"
        "  (SELECT count(*) FROM (SELECT DISTINCT k.position" THEIR_LOOKS("review") ")),"
        "  (SELECT count(*)" THEIR_LOOKS("repeat") "), (SELECT count(*)" THEIR_LOOKS("adjudication") ")"
        " FROM people p JOIN account c ON c.id = p.account"
        " LEFT JOIN identity i ON i.person = c.person AND i.source = 'local' ORDER BY 2, 1",
        DB_VALS(db_int(review)), err);
}

DB_ROW(reviewed_row, struct label_reviewed_row, position, people);

enum err_code label_review_by_others(struct db *db, int64_t review, struct arena *a, struct label_reviewed_row **out, size_t *n,
                                     struct err *err)
{
    return db_list(db, reviewed_row, out, n, a,
                   "WITH others AS (SELECT c.id FROM account c WHERE NOT coalesce((SELECT w.active FROM label_reviewer w"
                   "  WHERE w.review = ?1 AND w.account = c.id ORDER BY w.id DESC LIMIT 1), 0))"
                   " SELECT position, count(DISTINCT account) FROM (SELECT k.position, k.account FROM others o CROSS JOIN label_look k"
                   "   ON k.account = o.id AND k.review = ?1 WHERE k.part = 'review' AND" COUNTS
                   "  UNION ALL SELECT k.position, 0 FROM label_look k WHERE k.account IS NULL AND k.review = ?1 AND k.part = 'review'"
                   "   AND" COUNTS ") GROUP BY position ORDER BY position",
                   DB_VALS(db_int(review)), err);
}

enum err_code label_reviewer_is(struct db *db, int64_t review, int64_t account, bool *out, struct err *err)
{
    int64_t active = 0;
    enum err_code rc = db_maybe_int(
        db, "SELECT active FROM label_reviewer WHERE account = ?1 AND review = ?2 ORDER BY id DESC LIMIT 1",
        DB_VALS(db_int(account), db_int(review)), &active, err);
    *out = active != 0;
    return rc;
}

/* ---- items ---- */

struct image_at {
    int64_t image;
    double p;
};
DB_ROW(image_at_row, struct image_at, image, p);

enum err_code label_review_image(struct db *db, int64_t review, int64_t position, int64_t *image, double *p, struct err *err)
{
    struct image_at at = {0};
    enum err_code rc = db_find(db, image_at_row, &at, NULL,
                               "SELECT image, coalesce(p, 0) FROM label_review_image WHERE review = ?1 AND position = ?2",
                               DB_VALS(db_int(review), db_int(position)), err);
    *image = at.image;
    *p = at.p;
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "label-review-item", "This label review has no such image.") : rc;
}

struct image_of {
    uint32_t image;
};
DB_ROW(image_of_row, struct image_of, image);

enum err_code label_review_images(struct db *db, int64_t review, struct arena *a, uint32_t **out, size_t *n, struct err *err)
{
    struct image_of *list;
    enum err_code rc = db_list(db, image_of_row, &list, n, a,
                               "SELECT image FROM label_review_image WHERE review = ?1 ORDER BY position",
                               DB_VALS(db_int(review)), err);
    *out = arena_alloc(a, (*n + 1) * sizeof **out);
    for (size_t i = 0; i < *n && rc == OK; i++) {
        (*out)[i] = list[i].image;
    }
    return rc;
}

DB_ROW(asked_row, struct label_asked, class_id, cid, models, origins, wnid, synset, gloss);

enum err_code label_review_labels(struct db *db, int64_t review, int64_t position, bool added, struct arena *a,
                                  struct label_asked **out, size_t *n, struct err *err)
{
    return db_list(db, asked_row, out, n, a,
                   "SELECT c.id, c.cid, l.models, l.origins, c.wnid, c.synset, c.gloss FROM label_review_label l"
                   " JOIN class c ON c.id = l.class WHERE l.review = ?1 AND l.position = ?2 UNION ALL"
                   " SELECT DISTINCT c.id, c.cid, 0, ?4, c.wnid, c.synset, c.gloss FROM label_look_verdict v"
                   " JOIN label_look k ON k.id = v.look JOIN class c ON c.id = v.class"
                   " WHERE ?3 AND v.review = ?1 AND v.position = ?2 AND" COUNTS
                   " AND NOT EXISTS (SELECT 1 FROM label_review_label l WHERE l.review = ?1 AND l.position = ?2"
                   " AND l.class = v.class) ORDER BY 2",
                   DB_VALS(db_int(review), db_int(position), db_int(added), db_int(ORIGIN_ADDED)), err);
}

/* An image where somebody else added a label after the account's last look at it. Imports may have added more labels before its
 * first look than can be gone through. */
static enum err_code next_back(struct db *db, int64_t review, int64_t account, int64_t *position, struct err *err)
{
    return db_maybe_int(db,
                        "SELECT v.position FROM label_look_verdict v INDEXED BY label_look_verdict_added CROSS JOIN label_look k ON k.id = v.look"
                        " WHERE v.review = ?1 AND v.added = 1"
                        " AND v.look > (SELECT min(id) FROM label_look WHERE account = ?2 AND review = ?1)"
                        " AND k.part <> 'repeat' AND k.account IS NOT ?2 AND" COUNTS
                        " AND k.id > (SELECT max(m.id) FROM label_look m WHERE m.account = ?2 AND m.review = ?1"
                        "  AND m.position = v.position AND m.part = 'review'"
                        "  AND NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = m.id)) ORDER BY v.position LIMIT 1",
                        DB_VALS(db_int(review), db_int(account)), position, err);
}

/* How many looks of a part count, of all of one person: those that were taken back are told by their undo. */
#define COUNTED(part)                                                                                                  \
    "sum(CASE k.part WHEN '" part "' THEN 1 WHEN 'undo' THEN (SELECT -(j.part = '" part "') FROM label_look j WHERE j.id = k.undoes)" \
    " ELSE 0 END)"

#define MINE " k.account = ?2 AND k.review = ?1 AND k.part"

/* One of their own, in an order that looks like chance and is the same when the page is opened again; of the latest ten none. */
static enum err_code next_repeat(struct db *db, const struct label_review_row *r, int64_t account, int64_t *position,
                                 struct err *err)
{
    bool due = false;
    enum err_code rc = db_exists(db,
                                 "SELECT count(*) FROM label_look k WHERE k.account = ?2 AND k.review = ?1"
                                 " HAVING " COUNTED("review") " * ?3 >= 100 * (" COUNTED("repeat") " + 1)",
                                 DB_VALS(db_int(r->id), db_int(account), db_int(r->repeats)), &due, err);
    if (rc != OK || !due) {
        return rc;
    }
    return db_maybe_int(
        db,
        "SELECT k.position FROM label_look k WHERE" MINE " = 'review' AND" COUNTS
        " AND k.id < (SELECT k.id FROM label_look k NOT INDEXED WHERE" MINE " IN ('review', 'repeat') AND" COUNTS " ORDER BY k.id DESC LIMIT 1 OFFSET 9)"
        " AND k.position NOT IN (SELECT k.position FROM label_look k WHERE" MINE " = 'repeat' AND" COUNTS ")"
        " ORDER BY (k.position * 40503 + ?3) % 65521, k.position LIMIT 1",
        DB_VALS(db_int(r->id), db_int(account), db_int(r->seed % 65521)), position, err);
}

struct turn {
    int64_t last, at, of; /* their last position; they are number `at` of `of` reviewers */
};
DB_ROW(turn_row, struct turn, last, at, of);

static enum err_code read_turn(struct db *db, int64_t review, int64_t account, struct turn *out, struct err *err)
{
    *out = (struct turn){.last = -1, .of = 1};
    return db_maybe(db, turn_row, out, NULL,
                    "WITH active AS (SELECT account FROM label_reviewer w WHERE w.review = ?1 AND w.active"
                    "  AND w.id = (SELECT max(id) FROM label_reviewer WHERE review = ?1 AND account = w.account))"
                    " SELECT coalesce((SELECT k.position FROM label_look k WHERE k.id = (SELECT max(id) FROM label_look"
                    "  WHERE account = ?2 AND review = ?1 AND part = 'review')), -1),"
                    " (SELECT count(*) FROM active WHERE account < ?2), max(1, (SELECT count(*) FROM active))",
                    DB_VALS(db_int(review), db_int(account)), err);
}

/* From a position on; `mine`: only those that are the account's in turn. */
static enum err_code next_new(struct db *db, const struct label_review_row *r, int64_t account, const struct turn *t,
                              int64_t from, bool mine, int64_t *position, struct err *err)
{
    return db_maybe_int(db,
                        "SELECT i.position FROM label_review_image i WHERE i.review = ?1 AND i.position >= ?3"
                        " AND (NOT ?4 OR (i.position + ?6 - ?5) % ?6 < ?7)"
                        " AND NOT EXISTS (SELECT 1 FROM label_look k WHERE k.account = ?2 AND k.review = ?1"
                        "  AND k.position = i.position AND k.part = 'review' AND" COUNTS ") AND " LOOKED " < ?7"
                        " AND NOT " LABEL_FORBIDDEN("?2", "i.image", "?1", "?8", "?9") " ORDER BY i.position LIMIT 1",
                        DB_VALS(db_int(r->id), db_int(account), db_int(from), db_int(mine), db_int(t->at), db_int(t->of),
                                db_int(r->reviewers), db_int(r->again), db_int(r->at)),
                        position, err);
}

enum err_code label_review_next(struct db *db, const struct label_review_row *r, int64_t account, int64_t from,
                                struct label_next *out, struct err *err)
{
    struct turn t;
    *out = (struct label_next){.position = -1};
    enum err_code rc = next_back(db, r->id, account, &out->position, err);
    out->back = out->position >= 0;
    if (rc == OK && !out->back && r->repeats) {
        rc = next_repeat(db, r, account, &out->position, err);
        out->repeat = out->position >= 0;
    }
    rc = rc == OK ? read_turn(db, r->id, account, &t, err) : rc;
    for (int way = 0; way < 4 && from >= 0 && out->position < 0 && rc == OK; way++) {
        int64_t at = way % 2 || t.last < from ? from : t.last + 1;
        rc = next_new(db, r, account, &t, at, way < 2, &out->position, err);
    }
    return rc;
}

enum err_code label_review_ahead(struct db *db, const struct label_review_row *r, int64_t account, int64_t position, int64_t from,
                                 int64_t *out, struct err *err)
{
    struct turn t;
    *out = -1;
    position = from > position ? from - 1 : position;
    enum err_code rc = read_turn(db, r->id, account, &t, err);
    rc = rc == OK ? next_new(db, r, account, &t, position + 1, true, out, err) : rc;
    return rc == OK && *out < 0 ? next_new(db, r, account, &t, position + 1, false, out, err) : rc;
}

enum err_code label_review_covers(struct db *db, int64_t last, int64_t revision, int64_t *has, int64_t *counts, struct err *err)
{
    *has = *counts = 0;
    return db_maybe_ints(db,
                         "SELECT count(*), coalesce(sum((SELECT count(DISTINCT coalesce(k.account, 0)) FROM label_look k"
                         "  WHERE k.review = i.review AND k.position = i.position AND k.part = 'review' AND k.id <= ?1"
                         "  AND NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id AND u.id <= ?1)) >= r.reviewers), 0)"
                         " FROM label_look z JOIN label_review r ON r.id = z.review JOIN label_review_image i ON i.review = r.id"
                         " WHERE z.id = ?1 AND EXISTS (SELECT 1 FROM set_list_image s WHERE s.image = i.image"
                         "  AND s.list = (SELECT list FROM revision WHERE id = ?2))",
                         DB_VALS(db_int(last), db_int(revision)), has, counts, err);
}

enum err_code label_reviews_images(struct db *db, struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db, "SELECT image FROM label_review_image UNION SELECT image FROM evaluation_image ORDER BY 1", DB_NONE, a, out, n,
                       err);
}
