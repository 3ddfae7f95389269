/* labels.c - lists are found again by their digest, so that a killed import is completed by the next and versions with
 * equal content share one. */
#include "store/labels/labels.h"

#include <string.h>

#include "db/bulk.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/core/known.h"

enum { CHUNK = 50 };

/* ---- versions ---- */

static void read_kind(const struct db_rows *r, struct arena *a, void *out)
{
    struct label_version_row *v = out;
    (void)r;
    (void)a;
    label_kind_of(v->kind_word, &v->kind);
}
DB_ROW_THEN(version_row, struct label_version_row, read_kind, id, source, number, newest, list, images, labels, at, account,
            name, login, kind_word, format, file, found, reason, digest);

#define VERSION                                                                                                        \
    "SELECT v.id, v.source, v.number, (SELECT max(number) FROM label_version WHERE source = v.source), v.list,"        \
    " l.images, l.labels, e.at, e.account, s.name, coalesce(i.external_id, ''), s.kind, v.format, v.file, v.found,"    \
    " v.reason, l.digest FROM label_version v JOIN label_source s ON s.id = v.source JOIN label_list l ON l.id = v.list" \
    " JOIN event e ON e.id = v.id LEFT JOIN account a ON a.id = e.account"                                             \
    " LEFT JOIN identity i ON i.person = a.person AND i.source = 'local' "

/* A label review is a source by itself: each save makes the next version, whose number is how many there were, and whose
 * list is the save's event, negative. */
#define REVIEWED                                                                                                       \
    "SELECT k.id, -r.id, (SELECT count(*) FROM label_look WHERE review = r.id AND id <= k.id),"                        \
    " (SELECT count(*) FROM label_look WHERE review = r.id), -k.id, r.images,"                                         \
    " 0, e.at, 0, r.name, 'reviewers',"                                                                                \
    " 'review', 'verdicts', '', '{}', '', x'' FROM label_review r JOIN label_look k ON k.review = r.id"                \
    " JOIN event e ON e.id = k.id "
#define REVIEWED_NEWEST " k.id = (SELECT max(id) FROM label_look WHERE review = r.id)"

static enum err_code no_source(struct db *db, struct sv name, struct err *err)
{
    static const struct known known = {"label-source", "label source", "Import one with `holdout import labels`",
                                       "SELECT name FROM label_source s WHERE EXISTS (SELECT 1 FROM label_version v WHERE v.source = s.id) UNION ALL"
                                       " SELECT name FROM label_review r WHERE EXISTS (SELECT 1 FROM label_look k WHERE k.review = r.id) ORDER BY 1"};
    return known_refuse(db, &known, name, DB_NONE, err);
}

enum err_code label_versions_find(struct db *db, struct sv name, struct arena *a, struct label_version_row *out,
                                  struct err *err)
{
    struct sv rest = name, source = sv_cut(&rest, '/');
    int64_t number = 0;
    bool numbered = source.n < name.n;
    if (numbered && (!sv_i64(rest, &number) || number < 1)) {
        return err_rule(err, ERR_NOT_FOUND, "label-source", "\"" SV_FMT "\" is no version: name one as NAME/NUMBER.",
                        SV_ARG(name));
    }
    enum err_code rc = db_find(db, version_row, out, a,
                               VERSION "WHERE s.name = ?1 AND v.number = (SELECT max(number) FROM label_version"
                                       " WHERE source = s.id) UNION ALL " REVIEWED "WHERE r.name = ?1 AND" REVIEWED_NEWEST,
                               DB_VALS(db_text(source)), err);
    if (rc == ERR_NOT_FOUND) {
        return no_source(db, source, err);
    }
    int64_t newest = out->newest;
    rc = rc == OK && numbered ? db_find(db, version_row, out, a,
                                        VERSION "WHERE s.name = ?1 AND v.number = ?2 UNION ALL " REVIEWED
                                                "WHERE r.name = ?1 AND k.id = (SELECT id FROM label_look WHERE review = r.id"
                                                " ORDER BY id LIMIT 1 OFFSET ?2 - 1)",
                                        DB_VALS(db_text(source), db_int(number)), err)
                              : rc;
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "label-source",
                                          "The label source " SV_FMT " has no version %lld: its newest is %lld.",
                                          SV_ARG(source), (long long)number, (long long)newest)
                               : rc;
}

enum err_code label_versions_list(struct db *db, int64_t source, struct arena *a, struct label_version_row **out,
                                  size_t *n, struct err *err)
{
    return db_list(db, version_row, out, n, a,
                   VERSION "WHERE CASE ?1 WHEN 0 THEN v.number = (SELECT max(number) FROM label_version"
                           " WHERE source = v.source) ELSE v.source = ?1 END UNION ALL " REVIEWED "WHERE ?1 IN (0, -r.id)"
                           " AND" REVIEWED_NEWEST " ORDER BY 10, 3 DESC",
                   DB_VALS(db_int(source)), err);
}

/* ---- lists ---- */

/* The labels of the last image of the book, from where the statement stands; *at: position of its row, -1: at the end. */
static enum err_code read_labels(struct db_rows *rows, int64_t position, int64_t *at, struct label_book *b, struct err *err)
{
    while (*at == position) {
        enum label_verdict verdict = VERDICT_CORRECT;
        label_verdict_of(db_col_text(rows, 3), &verdict);
        struct label *l = label_book_label(b, (uint32_t)db_col_int(rows, 1), (uint16_t)db_col_int(rows, 2));
        l->verdict = (unsigned char)verdict;
        l->main = db_col_int(rows, 4);
        l->object = db_col_null(rows, 5) ? -1 : (int)db_col_int(rows, 5);
        l->votes = db_col_null(rows, 6) ? -1 : db_col_int(rows, 6);
        *at = db_step(rows, err) ? db_col_int(rows, 0) : -1;
    }
    return rows->rc;
}

static enum err_code read_images(struct db_rows *images, struct db_rows *labels, struct label_book *b, struct err *err)
{
    int64_t at = db_step(labels, err) ? db_col_int(labels, 0) : -1;
    enum err_code rc = labels->rc;
    while (rc == OK && db_step(images, err)) {
        struct label_image *i = label_book_image(b, (uint32_t)db_col_int(images, 1));
        i->problematic = db_col_int(images, 2);
        i->partial = db_col_int(images, 3);
        i->inferred = db_col_int(images, 4);
        i->main_object = db_col_null(images, 5) ? -1 : (int)db_col_int(images, 5);
        rc = read_labels(labels, db_col_int(images, 0), &at, b, err);
    }
    return rc;
}

enum err_code label_list_read(struct db *db, int64_t list, struct label_book *out, struct err *err)
{
    struct db_rows images, labels;
    BUG_IF(list < 0); /* a label review: live/labels/review_books.h */
    *out = (struct label_book){.n = 0};
    db_begin(db,
             "SELECT l.position, l.class, c.cid, l.verdict, l.main, l.object, l.votes FROM label l"
             " JOIN class c ON c.id = l.class WHERE l.list = ?1 ORDER BY l.position, l.rank",
             DB_VALS(db_int(list)), &labels, err);
    db_begin(db,
             "SELECT position, image, problematic, partial, inferred, main_object FROM label_list_image"
             " WHERE list = ?1 ORDER BY position",
             DB_VALS(db_int(list)), &images, err);
    enum err_code rc = read_images(&images, &labels, out, err);
    rc = db_end_after(&images, rc);
    return db_end_after(&labels, rc);
}

enum err_code label_list_covers(struct db *db, int64_t list, enum label_kind kind, int64_t revision, int64_t *has,
                                int64_t *counts, struct err *err)
{
    *has = *counts = 0;
    BUG_IF(list < 0);
    return db_maybe_ints(db,
                         "SELECT count(*), coalesce(sum(NOT i.problematic AND NOT i.partial AND (?3 OR EXISTS"
                         " (SELECT 1 FROM label x WHERE x.list = i.list AND x.position = i.position))), 0)"
                         " FROM label_list_image i WHERE i.list = ?1 AND EXISTS (SELECT 1 FROM set_list_image s"
                         "  WHERE s.image = i.image AND s.list = (SELECT list FROM revision WHERE id = ?2))",
                         DB_VALS(db_int(list), db_int(revision), db_int(kind == LABEL_KIND_REVIEW)), has, counts, err);
}

/* ---- writing ---- */

struct list_write {
    const struct label_version_new *v;
    int64_t list;
    size_t done;
};

/* The list and how many of its images are there, or a new empty one. */
static enum err_code find_list(struct db *db, struct list_write *w, struct err *err)
{
    const struct db_val digest = db_blob(w->v->digest, LABEL_DIGEST);
    int64_t done = 0;
    enum err_code rc = db_one_int(db, "SELECT id FROM label_list WHERE digest = ?1", &digest, 1, &w->list, err);
    if (rc == ERR_NOT_FOUND) {
        rc = db_run(db, "INSERT INTO label_list (digest, images, labels) VALUES (?1, ?2, ?3)",
                    DB_VALS(digest, db_int((int64_t)w->v->book->n), db_int((int64_t)w->v->book->n_labels)), err);
        w->list = db_last_id(db);
    }
    rc = rc == OK ? db_one_int(db, "SELECT coalesce(max(position) + 1, 0) FROM label_list_image WHERE list = ?1",
                               DB_VALS(db_int(w->list)), &done, err)
                  : rc;
    w->done = (size_t)done;
    return rc;
}

static enum err_code insert_label(struct db *db, const struct list_write *w, uint32_t rank, const struct label *l,
                                  struct err *err)
{
    return db_run(db,
                  "INSERT INTO label (list, position, rank, class, verdict, main, object, votes)"
                  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                  DB_VALS(db_int(w->list), db_int((int64_t)w->done), db_int(rank), db_int(l->class_id),
                          db_str(label_verdict_word((enum label_verdict)l->verdict)), db_int(l->main),
                          l->object < 0 ? db_null() : db_int(l->object), l->votes < 0 ? db_null() : db_int(l->votes)),
                  err);
}

static enum err_code insert_image(struct db *db, const struct list_write *w, struct err *err)
{
    const struct label_image *i = &w->v->book->images[w->done];
    enum err_code rc = db_run(db,
                              "INSERT INTO label_list_image (list, position, image, problematic, partial, inferred,"
                              " main_object) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                              DB_VALS(db_int(w->list), db_int((int64_t)w->done), db_int(i->image), db_int(i->problematic),
                                      db_int(i->partial), db_int(i->inferred),
                                      i->main_object < 0 ? db_null() : db_int(i->main_object)),
                              err);
    for (uint32_t k = 0; k < i->n && rc == OK; k++) {
        rc = insert_label(db, w, k, &w->v->book->labels[i->first + k], err);
    }
    return rc;
}

/* Asks in every slice how far the list is: another import of the same may be writing it too. */
static enum err_code list_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct list_write *w = arg;
    enum err_code rc = find_list(db, w, err);
    for (int k = 0; k < CHUNK && w->done < w->v->book->n && rc == OK; k++) {
        rc = insert_image(db, w, err);
        w->done++;
    }
    *more = w->done < w->v->book->n;
    return rc;
}

static enum err_code check_replace(const struct label_version_new *v, const struct label_version_row *now, struct err *err)
{
    if (now->kind != v->kind) {
        return err_rule(err, ERR_CONFLICT, "label-kind",
                        "The label source " SV_FMT " is of kind \"%s\", not \"%s\": choose another name. Nothing was written.",
                        SV_ARG(v->name), label_kind_word(now->kind), label_kind_word(v->kind));
    }
    if (!v->replace) {
        return err_rule(err, ERR_CONFLICT, "label-replace",
                        "There is a label source " SV_FMT " already, and its version %lld differs from this. To make this its "
                        "next version, give --replace and --reason; earlier versions stay. Nothing was written.",
                        SV_ARG(v->name), (long long)now->number);
    }
    return v->reason.n > 0 && v->reason.n <= LABEL_REASON && sv_utf8(v->reason)
               ? OK
               : err_rule(err, ERR_INPUT, "label-reason",
                          "Say why this replaces version %lld of " SV_FMT ": a reason of 1 to %d bytes. Nothing was written.",
                          (long long)now->number, SV_ARG(v->name), LABEL_REASON);
}

/* *source and *number: of the version that would be added; source 0: a new one. */
static enum err_code find_same(struct db *db, const struct label_version_new *v, struct arena *a, int64_t *id,
                               int64_t *source, int64_t *number, struct err *err)
{
    struct label_version_row now;
    bool review = false;
    *id = *source = 0;
    *number = 1;
    enum err_code rc = label_name_check(v->name, err);
    rc = rc == OK ? db_exists(db, "SELECT 1 FROM label_review WHERE name = ?1", DB_VALS(db_text(v->name)), &review, err) : rc;
    if (rc == OK && review) {
        return err_rule(err, ERR_CONFLICT, "label-kind",
                        "The label review " SV_FMT " is a label source by itself: choose another name. Nothing was written.",
                        SV_ARG(v->name));
    }
    rc = rc == OK ? db_find(db, version_row, &now, a, VERSION "WHERE s.name = ?1 ORDER BY v.number DESC LIMIT 1",
                            DB_VALS(db_text(v->name)), err)
                  : rc;
    if (rc != OK) {
        return rc == ERR_NOT_FOUND ? OK : rc;
    }
    *source = now.source;
    *number = now.number + 1;
    if (now.kind == v->kind && memcmp(now.digest, v->digest, LABEL_DIGEST) == 0) {
        *id = now.id;
        return OK;
    }
    return check_replace(v, &now, err);
}

/* The last, small transaction. Whether it is still to be added is asked again: another may have. */
static enum err_code add_version(struct db *db, const struct list_write *w, int64_t now, struct arena *a, int64_t *id,
                                 bool *added, struct err *err)
{
    const struct label_version_new *v = w->v;
    int64_t source, number;
    enum err_code rc = find_same(db, v, a, id, &source, &number, err);
    *added = rc == OK && *id == 0;
    if (!*added) {
        return rc;
    }
    if (source == 0) {
        rc = events_add(db, now, v->account, "labels.source", 0, NULL, &source, err);
        rc = rc == OK ? db_run(db, "INSERT INTO label_source (id, name, kind) VALUES (?1, ?2, ?3)",
                               DB_VALS(db_int(source), db_text(v->name), db_str(label_kind_word(v->kind))), err)
                      : rc;
    }
    rc = rc == OK ? events_add(db, now, v->account, "labels.import", source, NULL, id, err) : rc;
    return rc == OK ? db_run(db,
                             "INSERT INTO label_version (id, source, number, list, format, file, found, reason)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                             DB_VALS(db_int(*id), db_int(source), db_int(number), db_int(w->list), db_text(v->format),
                                     db_text(v->file), db_text(v->found), db_text(number > 1 ? v->reason : SV(""))),
                             err)
                    : rc;
}

enum err_code label_version_same(struct db *db, const struct label_version_new *v, int64_t *id, struct err *err)
{
    struct arena a;
    int64_t source, number;
    arena_init(&a, 1 << 20);
    enum err_code rc = find_same(db, v, &a, id, &source, &number, err);
    arena_release(&a);
    return rc;
}

enum err_code label_version_add(struct db *db, bool alone, const struct label_version_new *v, int64_t now, int64_t *id,
                                bool *added, struct err *err)
{
    struct list_write w = {.v = v};
    struct arena a;
    arena_init(&a, 1 << 20);
    *added = false;
    enum err_code rc = label_version_same(db, v, id, err);
    if (rc == OK && *id == 0) {
        rc = bulk_write(db, alone, list_step, &w, err);
        rc = rc == OK ? db_tx_begin(db, err) : rc;
        rc = rc == OK ? add_version(db, &w, now, &a, id, added, err) : rc;
        rc = db_tx_end(db, rc, err);
    }
    arena_release(&a);
    return rc;
}

/* ---- check ---- */

DB_ROW(list_state, struct label_list_state, id, images, labels, rows, label_rows, version, digest);

enum err_code label_lists_check(struct db *db, struct arena *a, struct label_list_state **out, size_t *n, struct err *err)
{
    return db_list(db, list_state, out, n, a,
                   "SELECT l.id, l.images, l.labels, (SELECT count(*) FROM label_list_image WHERE list = l.id),"
                   " (SELECT count(*) FROM label WHERE list = l.id),"
                   " coalesce((SELECT min(id) FROM label_version WHERE list = l.id), 0), l.digest FROM label_list l ORDER BY l.id",
                   DB_NONE, err);
}
