/* label_looks.c - looks, and what follows from all of them. */
#include "store/labels/label_looks.h"

#include <string.h>

#include "base/xalloc.h"
#include "db/rows.h"
#include "store/core/events.h"

static const char *const parts[LOOK_PARTS] = {"review", "repeat", "adjudication"};

#define COUNTS " NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id)"

/* ---- saving ---- */

static enum err_code check(const struct label_look_new *v, struct err *err)
{
    if (v->n == 0 && v->problem == PROBLEMS) {
        return err_rule(err, ERR_INPUT, "label-look",
                        "Nothing was said about any label. Choose a verdict for at least one, or say that the image is "
                        "problematic. Nothing was saved.");
    }
    if (v->comment.n > LABEL_COMMENT || !sv_utf8(v->comment)) {
        return err_rule(err, ERR_INPUT, "label-comment", "A comment is text of at most %d bytes. Nothing was saved.", LABEL_COMMENT);
    }
    if (v->problem == PROBLEM_OTHER && sv_trim(v->comment).n == 0) {
        return err_rule(err, ERR_INPUT, "label-comment", "Say in the comment why the image is problematic. Nothing was saved.");
    }
    for (size_t i = 0; i < v->n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (v->verdicts[k].class_id == v->verdicts[i].class_id) {
                return err_rule(err, ERR_INPUT, "label-look", "A label has two verdicts. Nothing was saved.");
            }
        }
    }
    return OK;
}

static enum err_code put_verdict(struct db *db, const struct label_look_new *v, int64_t look, const struct look_verdict *said,
                                 int *added, struct err *err)
{
    bool asked;
    enum err_code rc = db_exists(db, "SELECT 1 FROM label_review_label WHERE review = ?1 AND position = ?2 AND class = ?3",
                                 DB_VALS(db_int(v->review), db_int(v->position), db_int(said->class_id)), &asked, err);
    *added += !asked;
    if (rc == OK && *added > LABEL_ADDED_MOST) {
        return err_rule(err, ERR_INPUT, "label-look", "At most %d labels can be added to an image at a time. Nothing was saved.",
                        LABEL_ADDED_MOST);
    }
    return rc == OK ? db_run(db,
                             "INSERT INTO label_look_verdict (review, position, class, look, added, verdict)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                             DB_VALS(db_int(v->review), db_int(v->position), db_int(said->class_id), db_int(look),
                                     db_int(!asked), db_str(label_verdict_word((enum label_verdict)said->verdict))),
                             err)
                    : rc;
}

static enum err_code put_look(struct db *db, const struct label_look_new *v, int64_t look, struct err *err)
{
    return db_run(db,
                  "INSERT INTO label_look (id, review, position, account, part, problematic, comment, guide, searched, active_ms)"
                  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce((SELECT max(id) FROM guide_version), 0), ?8, ?9)",
                  DB_VALS(db_int(look), db_int(v->review), db_int(v->position), v->account ? db_int(v->account) : db_null(),
                          db_str(parts[v->part]), v->problem < PROBLEMS ? db_str(problem_word(v->problem)) : db_null(),
                          db_text(sv_trim(v->comment)), db_int(v->searched),
                          v->active_ms > 0 ? db_int(v->active_ms) : db_null()),
                  err);
}

enum err_code label_look_add(struct db *db, const struct label_look_new *v, int64_t now, int64_t *id, struct err *err)
{
    int added = 0;
    enum err_code rc = check(v, err);
    rc = rc == OK ? events_add(db, now, v->account, "labels.reviewed", v->review, NULL, id, err) : rc;
    rc = rc == OK ? put_look(db, v, *id, err) : rc;
    for (size_t i = 0; i < v->n && rc == OK; i++) {
        rc = put_verdict(db, v, *id, &v->verdicts[i], &added, err);
    }
    return rc;
}

enum err_code label_look_undo(struct db *db, int64_t review, int64_t look, int64_t account, int64_t now, int64_t *position,
                              struct err *err)
{
    int64_t id, undone = 0;
    *position = -1;
    enum err_code rc = db_maybe_ints(db,
                                     "SELECT k.position, EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id)"
                                     " FROM label_look k WHERE k.id = ?1 AND k.review = ?2 AND k.account = ?3 AND k.part <> 'undo'",
                                     DB_VALS(db_int(look), db_int(review), db_int(account)), position, &undone, err);
    if (rc == OK && *position < 0) {
        return err_rule(err, ERR_NOT_FOUND, "label-undo", "You have saved nothing under that number.");
    }
    if (rc == OK && undone) {
        return err_rule(err, ERR_CONFLICT, "label-undo", "This was taken back already. Nothing was changed.");
    }
    rc = rc == OK ? events_add(db, now, account, "labels.undone", review, NULL, &id, err) : rc;
    return rc == OK ? db_run(db,
                             "INSERT INTO label_look (id, review, position, account, part, undoes, comment, guide, searched)"
                             " VALUES (?1, ?2, ?3, ?4, 'undo', ?5, '', 0, 0)",
                             DB_VALS(db_int(id), db_int(review), db_int(*position), db_int(account), db_int(look)), err)
                    : rc;
}

/* ---- of one image ---- */

DB_ROW(look_row, struct label_look_row, id, at, account, guide, active_ms, searched, login, part, problematic, comment);

enum err_code label_looks_list(struct db *db, int64_t review, int64_t position, struct arena *a, struct label_look_row **out,
                               size_t *n, struct err *err)
{
    return db_list(db, look_row, out, n, a,
                   "SELECT k.id, e.at, coalesce(k.account, 0), k.guide, coalesce(k.active_ms, 0), k.searched,"
                   " coalesce(i.external_id, ''), k.part, coalesce(k.problematic, ''), k.comment FROM label_look k"
                   " JOIN event e ON e.id = k.id LEFT JOIN account c ON c.id = k.account"
                   " LEFT JOIN identity i ON i.person = c.person AND i.source = 'local'"
                   " WHERE k.review = ?1 AND k.position = ?2 AND k.part <> 'undo' AND" COUNTS " ORDER BY k.id",
                   DB_VALS(db_int(review), db_int(position)), err);
}

static void read_verdict(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    label_verdict_of(db_col_text(r, 4), &((struct look_said *)out)->verdict);
}
DB_ROW_THEN(said_row, struct look_said, read_verdict, look, account, class_id, cid);

enum err_code label_looks_said(struct db *db, int64_t review, int64_t position, struct arena *a, struct look_said **out,
                               size_t *n, struct err *err)
{
    return db_list(db, said_row, out, n, a,
                   "SELECT v.look, coalesce(k.account, 0), v.class, c.cid, v.verdict FROM label_look_verdict v"
                   " JOIN label_look k ON k.id = v.look JOIN class c ON c.id = v.class"
                   " WHERE v.review = ?1 AND v.position = ?2 AND" COUNTS " ORDER BY c.cid, v.look",
                   DB_VALS(db_int(review), db_int(position)), err);
}

/* ---- what holds ---- */

/* What people say last of a label of an image, while its rows are read. */
struct holding {
    int64_t position, class_id;
    uint16_t cid;
    int64_t account[LABEL_REVIEWERS * 4];
    unsigned char said[LABEL_REVIEWERS * 4], adjudicated;
    size_t n;
};

static void hold(struct holding *h, int64_t account, bool adjudicates, enum label_verdict verdict)
{
    size_t i = 0;
    if (adjudicates) {
        h->adjudicated = (unsigned char)verdict;
        return;
    }
    while (i < h->n && h->account[i] != account) {
        i++;
    }
    if (i < sizeof h->said) {
        h->account[i] = account;
        h->said[i] = (unsigned char)verdict;
        h->n += i == h->n;
    }
}

/* The rows of one label of one image, from the statement's row on. False: there are no more. */
static bool read_holding(struct db_rows *r, bool *row, struct holding *h, struct err *err)
{
    if (!*row) {
        return false;
    }
    *h = (struct holding){.position = db_col_int(r, 0), .class_id = db_col_int(r, 1), .cid = (uint16_t)db_col_int(r, 2),
                          .adjudicated = LABEL_UNREVIEWED};
    while (*row && db_col_int(r, 0) == h->position && db_col_int(r, 1) == h->class_id) {
        enum label_verdict verdict = VERDICT_CORRECT;
        label_verdict_of(db_col_text(r, 4), &verdict);
        hold(h, db_col_int(r, 3), db_col_int(r, 5), verdict);
        *row = db_step(r, err);
    }
    return r->rc == OK;
}

/* ?1: the list; ?2: its looks up to this one; ?3: of this image alone, -1: of all. In order of position and class id. */
static enum err_code begin_holdings(struct db *db, int64_t review, int64_t last, int64_t only, struct db_rows *r, struct err *err)
{
    return db_begin(db,
                    "SELECT v.position, v.class, c.cid, coalesce(k.account, 0), v.verdict, k.part = 'adjudication'"
                    " FROM label_look_verdict v JOIN label_look k ON k.id = v.look JOIN class c ON c.id = v.class"
                    " WHERE v.review = ?1 AND v.position BETWEEN max(?3, 0) AND iif(?3 < 0, 9223372036854775807, ?3)"
                    " AND v.look <= ?2 AND k.part <> 'repeat'"
                    " AND NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id AND u.id <= ?2)"
                    " ORDER BY v.position, v.class, v.look",
                    DB_VALS(db_int(review), db_int(last), db_int(only)), r, err);
}

/* Of each image: people who reviewed it, those who call it problematic, and what its newest adjudication says of that. */
#define IMAGES                                                                                                         \
    "WITH looks AS (SELECT k.position, coalesce(k.account, 0) AS account, k.part, k.problematic, k.id FROM label_look k" \
    "  WHERE k.review = ?1 AND k.id <= ?2 AND k.part IN ('review', 'adjudication')"                                    \
    "  AND k.position BETWEEN max(?3, 0) AND iif(?3 < 0, 9223372036854775807, ?3)"                                     \
    "  AND NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = k.id AND u.id <= ?2)),"                             \
    " newest AS (SELECT position, account, part, max(id) AS id, problematic FROM looks GROUP BY position, account, part)," \
    " state AS (SELECT position, sum(part = 'review') AS people, sum(part = 'review' AND problematic IS NOT NULL) AS bad," \
    "  max(iif(part = 'adjudication', 2 * id + (problematic IS NOT NULL), NULL)) % 2 AS judged FROM newest GROUP BY position) "

/* The image of the statement's row, without its labels. */
static struct label_image_state *read_image(const struct db_rows *r, struct label_book *book, struct label_image_state **states, size_t *cap)
{
    xgrow(states, cap, book->n + 1, sizeof **states);
    struct label_image_state *state = &(*states)[book->n];
    struct label_image *i = label_book_image(book, (uint32_t)db_col_int(r, 1));
    i->problematic = db_col_int(r, 2);
    *state = (struct label_image_state){.people = (uint32_t)db_col_int(r, 3), .problem = db_col_int(r, 5)};
    i->partial = state->people < db_col_int(r, 4);
    return state;
}

static enum err_code read_book(struct db *db, int64_t review, int64_t last, int64_t only, struct label_book *out,
                               struct label_image_state **states, struct err *err)
{
    struct db_rows images, labels;
    struct holding h;
    size_t cap = 0;
    enum err_code rc = begin_holdings(db, review, last, only, &labels, err);
    enum err_code begun = db_begin(db,
                                   IMAGES
                                   "SELECT i.position, i.image, coalesce(s.judged, s.bad > 0 AND s.bad = s.people, 0),"
                                   " coalesce(s.people, 0), r.reviewers, coalesce(s.judged IS NULL AND s.bad BETWEEN 1 AND s.people - 1, 0)"
                                   " FROM label_review r"
                                   " JOIN label_review_image i ON i.review = r.id LEFT JOIN state s ON s.position = i.position"
                                   " WHERE r.id = ?1 AND i.position BETWEEN max(?3, 0) AND iif(?3 < 0, 9223372036854775807, ?3)"
                                   " ORDER BY i.position",
                                   DB_VALS(db_int(review), db_int(last), db_int(only)), &images, err);
    bool row = rc == OK && db_step(&labels, err), there = read_holding(&labels, &row, &h, err);
    rc = rc == OK ? begun : rc;
    while (rc == OK && db_step(&images, err)) {
        int64_t position = db_col_int(&images, 0);
        struct label_image_state *state = read_image(&images, out, states, &cap);
        for (; there && h.position == position; there = read_holding(&labels, &row, &h, err)) {
            struct label_resolved r = label_resolve(h.said, h.n, h.adjudicated);
            state->disputed += r.disagree;
            if (r.verdict != LABEL_UNREVIEWED) {
                label_book_label(out, (uint32_t)h.class_id, h.cid)->verdict = r.verdict;
            }
        }
        rc = labels.rc;
    }
    rc = db_end_after(&images, rc);
    return db_end_after(&labels, rc);
}

enum err_code label_review_of(struct db *db, int64_t last, int64_t *review, int64_t *revision, struct err *err)
{
    *review = *revision = 0;
    enum err_code rc = db_maybe_ints(db, "SELECT r.id, r.revision FROM label_look k JOIN label_review r ON r.id = k.review WHERE k.id = ?1",
                                     DB_VALS(db_int(last)), review, revision, err);
    return rc == OK && *review == 0 ? err_rule(err, ERR_NOT_FOUND, "label-review", "Nothing was said about labels at that event.")
                                    : rc;
}

enum err_code label_review_book(struct db *db, int64_t last, int64_t only, struct label_book *out, struct label_image_state **states,
                                struct err *err)
{
    int64_t review, revision;
    *out = (struct label_book){.n = 0};
    *states = NULL;
    enum err_code rc = label_review_of(db, last, &review, &revision, err);
    return rc == OK ? read_book(db, review, last, only, out, states, err) : rc;
}

enum err_code label_review_changed(struct db *db, int64_t review, int64_t after, int64_t last, struct arena *a, int64_t **out,
                                   size_t *n, struct err *err)
{
    return db_list_int(db,
                       "SELECT DISTINCT position FROM label_look WHERE id > ?2 AND id <= ?3 AND +review = ?1 ORDER BY position",
                       DB_VALS(db_int(review), db_int(after), db_int(last)), a, out, n, err);
}

/* ---- what is left ---- */

DB_ROW(problem_row, struct label_problem, position, people, reasons, comments);

enum err_code label_review_problems(struct db *db, const struct label_review_row *r, struct arena *a, struct label_problem **out,
                                    size_t *n, struct err *err)
{
    return db_list(db, problem_row, out, n, a,
                   "SELECT k.position, count(DISTINCT coalesce(k.account, 0)), group_concat(DISTINCT k.problematic),"
                   " coalesce(group_concat(nullif(k.comment, ''), '; '), '') FROM label_look k WHERE k.review = ?1"
                   " AND k.part <> 'repeat' AND k.problematic IS NOT NULL AND" COUNTS " GROUP BY k.position ORDER BY k.position",
                   DB_VALS(db_int(r->id)), err);
}

/* ---- agreement ---- */

#define SAME " coalesce(j.account, 0) = coalesce(k.account, 0)"
/* ?1: the list. */
#define FIRSTS                                                                                                         \
    " k.review = ?1 AND k.part = 'review' AND" COUNTS                                                                  \
    " AND NOT EXISTS (SELECT 1 FROM label_look j WHERE j.review = k.review AND j.position = k.position AND j.id < k.id" \
    "  AND j.part <> 'undo' AND" SAME " AND (j.part = 'adjudication'"                                                  \
    "   OR NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = j.id)"                                              \
    "   OR EXISTS (SELECT 1 FROM label_look o WHERE o.review = k.review AND o.position = k.position AND o.id < k.id"   \
    "    AND o.part <> 'undo' AND coalesce(o.account, 0) <> coalesce(k.account, 0)))) "

/* ?1: the list; k: a look. */
#define SHOWN "EXISTS (SELECT 1 FROM label_suggestion s WHERE s.review = ?1 AND s.position = k.position AND s.shown)"

DB_ROW(first_row, struct label_first, look, at, position, account, problematic, shown);

enum err_code label_review_firsts(struct db *db, int64_t review, struct arena *a, struct label_first **out, size_t *n,
                                  struct err *err)
{
    return db_list(db, first_row, out, n, a,
                   "SELECT k.id, e.at, k.position, coalesce(k.account, 0), k.problematic IS NOT NULL, " SHOWN " FROM label_look k"
                   " JOIN event e ON e.id = k.id WHERE" FIRSTS "ORDER BY k.position, k.id",
                   DB_VALS(db_int(review)), err);
}

static void read_first_said(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    label_verdict_of(db_col_text(r, 4), &((struct label_first_said *)out)->verdict);
}
DB_ROW_THEN(first_said_row, struct label_first_said, read_first_said, position, class_id, look, account);

enum err_code label_review_firsts_said(struct db *db, int64_t review, struct arena *a, struct label_first_said **out, size_t *n,
                                       struct err *err)
{
    return db_list(db, first_said_row, out, n, a,
                   "SELECT v.position, v.class, v.look, coalesce(k.account, 0), v.verdict FROM label_look k"
                   " JOIN label_look_verdict v ON v.look = k.id WHERE" FIRSTS "ORDER BY v.position, v.class, v.look",
                   DB_VALS(db_int(review)), err);
}

/* ?1: the list. A label without a verdict before is left out. */
#define REPEATED                                                                                                       \
    "(SELECT k.account, k.position, " SHOWN " AS shown, v.verdict AS again, (SELECT w.verdict"                                             \
    " FROM label_look_verdict w JOIN label_look m ON m.id = w.look WHERE w.review = v.review AND w.position = v.position" \
    " AND w.class = v.class AND m.account = k.account AND m.part = 'review' AND w.look < v.look"                       \
    " AND NOT EXISTS (SELECT 1 FROM label_look u WHERE u.undoes = m.id) ORDER BY w.look DESC LIMIT 1) AS first"        \
    " FROM label_look k JOIN label_look_verdict v ON v.look = k.id WHERE k.review = ?1 AND k.part = 'repeat' AND" COUNTS ")" \
    " WHERE first IS NOT NULL"

static void read_repeated(const struct db_rows *r, struct arena *a, void *out)
{
    struct label_repeated *row = out;
    (void)a;
    label_verdict_of(db_col_text(r, 3), &row->first);
    label_verdict_of(db_col_text(r, 4), &row->again);
}
DB_ROW_THEN(repeated_row, struct label_repeated, read_repeated, account, position, shown);

enum err_code label_review_repeated(struct db *db, int64_t review, struct arena *a, struct label_repeated **out, size_t *n,
                                    struct err *err)
{
    return db_list(db, repeated_row, out, n, a, "SELECT account, position, shown, first, again FROM " REPEATED " ORDER BY 1, 2",
                   DB_VALS(db_int(review)), err);
}

enum err_code label_review_repeats(struct db *db, const struct label_review_row *r, int64_t *both, int64_t *same, struct err *err)
{
    *both = *same = 0;
    return db_maybe_ints(db, "SELECT count(*), coalesce(sum(first = again), 0) FROM " REPEATED, DB_VALS(db_int(r->id)), both, same,
                         err);
}
