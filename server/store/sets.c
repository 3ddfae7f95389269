/* sets.c - SQL for image sets, their revisions, and the lists of images that these consist of.
 *
 * A list is written in slices before the revision that names it: tens of thousands of rows take longer
 * than a transaction beside a server may. It is found again by its digest and its order, so that a
 * killed import is completed by the next, and revisions with equal content share one. */
#include "store/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "db/bulk.h"
#include "store/events.h"
#include "store/list.h"

enum { CHUNK = 100, SETS_NAMED = 8 };

static const char *const state_words[] = {"sealed", "unsealed", "frozen", "released"};

const char *revision_state_word(enum revision_state s)
{
    return state_words[s];
}

static enum revision_state state_of(struct sv word)
{
    for (int s = REVISION_RELEASED; s > REVISION_SEALED; s--) {
        if (sv_is(word, state_words[s])) {
            return (enum revision_state)s;
        }
    }
    return REVISION_SEALED;
}

static bool name_good(struct sv name)
{
    bool good = name.n >= 1 && name.n < SET_NAME && name.p[0] != '.';
    for (size_t i = 0; i < name.n && good; i++) {
        char c = name.p[i];
        good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
    }
    return good;
}

enum err_code set_name_check(struct sv name, struct err *err)
{
    return name_good(name)
               ? OK
               : err_rule(err, ERR_INPUT, "set-name",
                          "The name of a set must be 1 to %d letters, digits, \"-\", \"_\" or \".\", and "
                          "must not begin with a dot.", SET_NAME - 1);
}

/* ---- reading ---- */

#define SET                                                                                        \
    "SELECT s.id, s.name, s.role, (SELECT count(*) FROM revision r WHERE r.image_set = s.id),"     \
    " coalesce((SELECT r.id FROM revision r WHERE r.image_set = s.id ORDER BY r.number DESC"       \
    "  LIMIT 1), 0) FROM image_set s "

static struct set_row read_set(const struct db_rows *r, struct arena *a)
{
    return (struct set_row){.id = db_col_int(r, 0),
                            .name = arena_sv(a, db_col_text(r, 1)),
                            .role = arena_sv(a, db_col_text(r, 2)),
                            .revisions = db_col_int(r, 3),
                            .newest = db_col_int(r, 4)};
}

enum err_code sets_list(struct db *db, struct arena *a, struct set_row **out, size_t *n,
                        struct err *err)
{
    struct list l = {0};
    struct db_rows r;
    enum err_code rc = db_begin(db, SET "ORDER BY s.name", DB_NONE, &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        *(struct set_row *)list_add(&l, a, sizeof(struct set_row)) = read_set(&r, a);
    }
    *out = l.items;
    *n = l.n;
    return db_end(&r);
}

/* ERR_NOT_FOUND that names the first of the sets there are. */
static enum err_code no_set(struct db *db, struct sv name, struct err *err)
{
    char known[SETS_NAMED * (SET_NAME + 2) + 8] = "";
    size_t used = 0, n = 0;
    struct db_rows r;
    enum err_code rc =
        db_begin(db, "SELECT name FROM image_set ORDER BY name LIMIT ?1",
                 DB_VALS(db_int(SETS_NAMED + 1)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err) && used < sizeof known) {
        struct sv one = n < SETS_NAMED ? db_col_text(&r, 0) : SV("...");
        used += (size_t)snprintf(known + used, sizeof known - used, "%s" SV_FMT, n ? ", " : "",
                                 SV_ARG(one));
        n++;
    }
    rc = db_end(&r);
    if (rc != OK) {
        return rc;
    }
    return n ? err_rule(err, ERR_NOT_FOUND, "set", "There is no image set " SV_FMT "; there are: %s.",
                        SV_ARG(name), known)
             : err_rule(err, ERR_NOT_FOUND, "set",
                        "There is no image set " SV_FMT ": the project has none yet. `holdout import set` "
                        "makes one.", SV_ARG(name));
}

enum err_code sets_find(struct db *db, struct sv name, struct arena *a, struct set_row *out,
                        struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, SET "WHERE s.name = ?1", DB_VALS(db_text(name)), &r, err);
    if (rc != OK) {
        return rc;
    }
    bool found = db_step(&r, err);
    if (found) {
        *out = read_set(&r, a);
    }
    rc = db_end(&r);
    return rc != OK || found ? rc : no_set(db, name, err);
}

#define REVISION                                                                                   \
    "SELECT r.id, r.image_set, r.number, coalesce(r.parent, 0), s.name, s.role, r.strategy,"       \
    " r.parameters, l.images, e.at, coalesce(e.account, 0), l.digest,"                             \
    " coalesce(t.state, 'sealed'), coalesce(t.reason, ''), coalesce(te.at, 0), r.list"             \
    " FROM revision r JOIN image_set s ON s.id = r.image_set JOIN set_list l ON l.id = r.list"     \
    " JOIN event e ON e.id = r.id"                                                                 \
    " LEFT JOIN revision_state t ON t.id = (SELECT max(id) FROM revision_state"                    \
    "  WHERE revision = r.id) LEFT JOIN event te ON te.id = t.id "

static struct revision_row read_revision(const struct db_rows *r, struct arena *a)
{
    struct revision_row v = {.id = db_col_int(r, 0),
                             .image_set = db_col_int(r, 1),
                             .number = db_col_int(r, 2),
                             .parent = db_col_int(r, 3),
                             .set = arena_sv(a, db_col_text(r, 4)),
                             .role = arena_sv(a, db_col_text(r, 5)),
                             .strategy = arena_sv(a, db_col_text(r, 6)),
                             .parameters = arena_sv(a, db_col_text(r, 7)),
                             .images = db_col_int(r, 8),
                             .at = db_col_int(r, 9),
                             .account = db_col_int(r, 10),
                             .state = state_of(db_col_text(r, 12)),
                             .state_reason = arena_sv(a, db_col_text(r, 13)),
                             .state_at = db_col_int(r, 14),
                             .list = db_col_int(r, 15)};
    struct sv digest = db_col_blob(r, 11);
    memcpy(v.digest, digest.p, digest.n < SET_DIGEST ? digest.n : SET_DIGEST);
    return v;
}

static enum err_code one_revision(struct db *db, const char *sql, const struct db_val *v, size_t n,
                                  struct arena *a, struct revision_row *out, bool *found,
                                  struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, sql, v, n, &r, err);
    if (rc != OK) {
        return rc;
    }
    *found = db_step(&r, err);
    if (*found) {
        *out = read_revision(&r, a);
    }
    return db_end(&r);
}

enum err_code revisions_find(struct db *db, struct sv name, struct arena *a,
                             struct revision_row *out, struct err *err)
{
    struct sv number = name, set = sv_cut(&number, '/');
    struct set_row s = {0};
    int64_t wanted = -1;
    bool found = false;
    enum err_code rc = sets_find(db, set, a, &s, err);
    if (rc != OK) {
        return rc;
    }
    if (!number.p) {
        rc = one_revision(db, REVISION "WHERE r.id = ?1", DB_VALS(db_int(s.newest)), a, out, &found,
                          err);
    } else if (sv_i64(number, &wanted) && wanted >= 0) {
        rc = one_revision(db, REVISION "WHERE r.image_set = ?1 AND r.number = ?2",
                          DB_VALS(db_int(s.id), db_int(wanted)), a, out, &found, err);
    }
    return rc != OK || found ? rc
                             : err_rule(err, ERR_NOT_FOUND, "set",
                                        "There is no revision " SV_FMT ": the set " SV_FMT
                                        " has %lld, numbered from 0.", SV_ARG(name), SV_ARG(s.name),
                                        (long long)s.revisions);
}

enum err_code revisions_get(struct db *db, int64_t id, struct arena *a, struct revision_row *out,
                            struct err *err)
{
    bool found = false;
    enum err_code rc =
        one_revision(db, REVISION "WHERE r.id = ?1", DB_VALS(db_int(id)), a, out, &found, err);
    return rc != OK || found ? rc
                             : err_rule(err, ERR_NOT_FOUND, "set", "There is no such revision.");
}

enum err_code revisions_list(struct db *db, int64_t set, struct arena *a, struct revision_row **out,
                             size_t *n, struct err *err)
{
    struct list l = {0};
    struct db_rows r;
    enum err_code rc =
        db_begin(db, REVISION "WHERE ?1 = 0 OR r.image_set = ?1 ORDER BY s.name, r.number",
                 DB_VALS(db_int(set)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        *(struct revision_row *)list_add(&l, a, sizeof(struct revision_row)) = read_revision(&r, a);
    }
    *out = l.items;
    *n = l.n;
    return db_end(&r);
}

enum err_code revisions_images(struct db *db, int64_t id, struct arena *a,
                               struct revision_image **out, size_t *n, struct err *err)
{
    struct db_rows r;
    int64_t list = 0, images = 0;
    enum err_code rc = db_begin(db,
                                "SELECT l.id, l.images FROM revision r JOIN set_list l"
                                " ON l.id = r.list WHERE r.id = ?1",
                                DB_VALS(db_int(id)), &r, err);
    if (rc != OK) {
        return rc;
    }
    if (db_step(&r, err)) {
        list = db_col_int(&r, 0);
        images = db_col_int(&r, 1);
    }
    rc = db_end(&r);
    if (rc == OK) {
        rc = db_begin(db,
                      "SELECT image, class FROM set_list_image WHERE list = ?1 ORDER BY position"
                      " LIMIT ?2",
                      DB_VALS(db_int(list), db_int(images)), &r, err);
    }
    if (rc != OK) {
        return rc;
    }
    *n = 0;
    *out = arena_calloc(a, (size_t)images, sizeof **out);
    while (db_step(&r, err)) {
        (*out)[(*n)++] = (struct revision_image){(uint32_t)db_col_int(&r, 0),
                                                 (uint32_t)db_col_int(&r, 1)};
    }
    return db_end(&r);
}

enum err_code revision_images_named(struct db *db, int64_t id,
                                    enum err_code (*each)(void *arg, const struct revision_name *m,
                                                          struct err *err),
                                    void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db,
                                "SELECT l.position, i.id, i.name, k.id, k.wnid, k.cid FROM revision v"
                                " JOIN set_list_image l ON l.list = v.list"
                                " JOIN image i ON i.id = l.image JOIN class k ON k.id = l.class"
                                " WHERE v.id = ?1 ORDER BY l.position",
                                DB_VALS(db_int(id)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        const struct revision_name m = {.position = db_col_int(&r, 0),
                                        .image = db_col_int(&r, 1),
                                        .name = db_col_text(&r, 2),
                                        .class_id = db_col_int(&r, 3),
                                        .wnid = db_col_text(&r, 4),
                                        .cid = db_col_int(&r, 5)};
        rc = each(arg, &m, err);
    }
    return db_end_after(&r, rc);
}

/* ---- writing ---- */

struct list_write {
    const struct revision_new *r;
    int64_t ordering, list;
    size_t done;
};

/* Of the rows as numbers. Within one digest it tells orders apart, nothing else: no need of more. */
static int64_t ordering_of(const struct revision_new *r)
{
    uint64_t h = hash_stable("", 0);
    for (size_t i = 0; i < r->n; i++) {
        const uint32_t row[3] = {(uint32_t)i, r->images[i].image, r->images[i].class_id};
        h = (h ^ hash_stable(row, sizeof row)) * UINT64_C(0x100000001b3);
    }
    return (int64_t)(h >> 1);
}

/* The list and how many of its rows are there, or a new empty one. */
static enum err_code find_list(struct db *db, struct list_write *w, struct err *err)
{
    const struct db_val key[] = {db_blob(w->r->digest, SET_DIGEST), db_int(w->ordering),
                                 db_int((int64_t)w->r->n)};
    int64_t done = 0;
    enum err_code rc = db_one_int(
        db, "SELECT id FROM set_list WHERE digest = ?1 AND ordering = ?2 AND images = ?3", key, 3,
        &w->list, err);
    if (rc == ERR_NOT_FOUND) {
        rc = db_run(db, "INSERT INTO set_list (digest, ordering, images) VALUES (?1, ?2, ?3)", key,
                    3, err);
        w->list = db_last_id(db);
    }
    if (rc == OK) {
        rc = db_one_int(db, "SELECT coalesce(max(position) + 1, 0) FROM set_list_image WHERE list = ?1",
                        DB_VALS(db_int(w->list)), &done, err);
    }
    w->done = (size_t)done;
    return rc;
}

/* Asks in every slice how far the list is: another import of the same may be writing it too. */
static enum err_code list_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct list_write *w = arg;
    enum err_code rc = find_list(db, w, err);
    for (int k = 0; k < CHUNK && w->done < w->r->n && rc == OK; k++) {
        const struct revision_image *i = &w->r->images[w->done];
        rc = db_run(db,
                    "INSERT INTO set_list_image (list, position, image, class)"
                    " VALUES (?1, ?2, ?3, ?4)",
                    DB_VALS(db_int(w->list), db_int((int64_t)w->done), db_int(i->image),
                            db_int(i->class_id)),
                    err);
        w->done++;
    }
    *more = w->done < w->r->n;
    return rc;
}

static enum err_code find_or_make_set(struct db *db, const struct revision_new *r, int64_t now,
                                      struct arena *a, struct set_row *out, struct err *err)
{
    struct err none = {OK, "", ""};
    enum err_code rc = sets_find(db, r->set, a, out, &none);
    if (rc == ERR_NOT_FOUND) {
        *out = (struct set_row){.name = r->set, .role = r->role};
        rc = events_add(db, now, r->account, "set.create", 0, NULL, &out->id, err);
        return rc != OK ? rc
                        : db_run(db, "INSERT INTO image_set (id, name, role) VALUES (?1, ?2, ?3)",
                                 DB_VALS(db_int(out->id), db_text(r->set), db_text(r->role)), err);
    }
    return rc == OK ? OK : err_set(err, rc, "%s", none.msg);
}

static enum err_code add_state(struct db *db, int64_t revision, enum revision_state state,
                               struct sv reason, int64_t account, int64_t now, struct err *err)
{
    static const char *const kinds[] = {"set.sealed", "set.unsealed", "set.frozen", "set.released"};
    int64_t id = 0;
    enum err_code rc = events_add(db, now, account, kinds[state], revision, NULL, &id, err);
    return rc != OK ? rc
                    : db_run(db,
                             "INSERT INTO revision_state (id, revision, state, reason)"
                             " VALUES (?1, ?2, ?3, ?4)",
                             DB_VALS(db_int(id), db_int(revision), db_str(state_words[state]),
                                     db_text(reason)),
                             err);
}

static enum err_code check_role(const struct set_row *s, struct sv role, struct err *err)
{
    return sv_eq(s->role, role)
               ? OK
               : err_rule(err, ERR_CONFLICT, "set-role",
                          "The set " SV_FMT " has the role \"" SV_FMT "\", not \"" SV_FMT
                          "\": choose another name. Nothing was written.",
                          SV_ARG(s->name), SV_ARG(s->role), SV_ARG(role));
}

enum err_code sets_take(struct db *db, struct sv name, struct sv role, struct err *err)
{
    struct arena a;
    struct set_row s;
    struct err none = {OK, "", ""};
    arena_init(&a, 1 << 16);
    enum err_code rc = set_name_check(name, err);
    if (rc == OK) {
        rc = sets_find(db, name, &a, &s, &none);
        rc = rc == OK              ? check_role(&s, role, err)
             : rc == ERR_NOT_FOUND ? OK
                                   : err_set(err, rc, "%s", none.msg);
    }
    arena_release(&a);
    return rc;
}

/* The set's newest revision when it says the same; *id 0 otherwise. */
static enum err_code find_same(struct db *db, const struct revision_new *r, int64_t *id,
                               struct arena *a, struct err *err)
{
    struct err none = {OK, "", ""};
    struct set_row s;
    struct revision_row newest;
    *id = 0;
    enum err_code rc = sets_find(db, r->set, a, &s, &none);
    if (rc == ERR_NOT_FOUND) {
        return OK;
    }
    if (rc != OK) {
        return err_set(err, rc, "%s", none.msg);
    }
    rc = check_role(&s, r->role, err);
    rc = rc == OK && s.newest ? revisions_get(db, s.newest, a, &newest, err) : rc;
    if (rc == OK && s.newest && memcmp(newest.digest, r->digest, SET_DIGEST) == 0) {
        *id = s.newest;
    }
    return rc;
}

/* The last, small transaction. Whether it is still to be added is asked again: another may have. */
static enum err_code add_revision(struct db *db, const struct list_write *w, int64_t now,
                                  struct arena *a, int64_t *id, bool *added, struct err *err)
{
    const struct revision_new *r = w->r;
    struct set_row s = {0};
    enum err_code rc = find_same(db, r, id, a, err);
    *added = rc == OK && *id == 0;
    if (!*added) {
        return rc;
    }
    rc = find_or_make_set(db, r, now, a, &s, err);
    if (rc == OK) {
        rc = events_add(db, now, r->account, "set.revision", 0, NULL, id, err);
    }
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO revision (id, image_set, number, parent, strategy, parameters, list)"
                    " VALUES (?1, ?2, (SELECT coalesce(max(number) + 1, 0) FROM revision"
                    "  WHERE image_set = ?2), nullif(?3, 0), ?4, ?5, ?6)",
                    DB_VALS(db_int(*id), db_int(s.id), db_int(r->parent), db_text(r->strategy),
                            db_text(r->parameters), db_int(w->list)),
                    err);
    }
    if (rc == OK && r->state != REVISION_SEALED) {
        rc = add_state(db, *id, r->state, r->state_reason, r->account, now, err);
    }
    return rc;
}

static enum err_code in_transaction_end(struct db *db, enum err_code rc, struct err *err)
{
    if (rc == OK) {
        rc = db_tx_commit(db, err);
    }
    if (rc != OK) {
        db_tx_rollback(db);
    }
    return rc;
}

enum err_code revisions_add(struct db *db, bool alone, const struct revision_new *r, int64_t now,
                            int64_t *id, bool *added, struct err *err)
{
    struct list_write w = {.r = r, .ordering = ordering_of(r)};
    struct arena a;
    arena_init(&a, 1 << 20);
    *added = false;
    enum err_code rc = set_name_check(r->set, err);
    if (rc == OK && r->n > SET_IMAGES) {
        rc = err_rule(err, ERR_LIMIT, "set-images", "A set has at most %d images; nothing was written.",
                      SET_IMAGES);
    }
    if (rc == OK) {
        rc = find_same(db, r, id, &a, err);
    }
    if (rc == OK && *id == 0) {
        rc = bulk_write(db, alone, list_step, &w, err);
        if (rc == OK) {
            rc = db_tx_begin(db, err);
        }
        if (rc == OK) {
            rc = in_transaction_end(db, add_revision(db, &w, now, &a, id, added, err), err);
        }
    }
    arena_release(&a);
    return rc;
}

enum err_code revision_state_add(struct db *db, int64_t revision, enum revision_state state,
                                 struct sv reason, int64_t account, int64_t now, struct err *err)
{
    struct arena a;
    struct revision_row r;
    arena_init(&a, 1 << 20);
    enum err_code rc = revisions_get(db, revision, &a, &r, err);
    if (rc == OK && (reason.n == 0 || reason.n > SET_REASON || !sv_utf8(reason))) {
        rc = err_rule(err, ERR_INPUT, "set-reason",
                      "A reason of 1 to %d bytes must be given. Nothing was changed.", SET_REASON);
    } else if (rc == OK && state <= r.state) {
        rc = err_rule(err, ERR_CONFLICT, "set-state",
                      SV_FMT "/%lld is %s already; a state leads only from sealed to unsealed, frozen and "
                      "released. Nothing was changed.",
                      SV_ARG(r.set), (long long)r.number, state_words[r.state]);
    }
    if (rc == OK) {
        rc = add_state(db, revision, state, reason, account, now, err);
    }
    arena_release(&a);
    return rc;
}

enum err_code revision_may_be_scored(const struct revision_row *r, struct err *err)
{
    if (sv_is(r->role, "original") || r->state != REVISION_SEALED) {
        return OK;
    }
    return err_rule(err, ERR_DENIED, "set-sealed",
                    SV_FMT "/%lld is sealed: models are not scored on a set that is under construction. "
                    "Freeze it when it is final, or unseal it early with a reason, which reports print: "
                    "`holdout set freeze|unseal`.", SV_ARG(r->set), (long long)r->number);
}

/* ---- health ---- */

enum err_code sets_check(struct db *db,
                         enum err_code (*each)(void *arg, const struct set_list_state *l,
                                               struct err *err),
                         void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db,
                                "SELECT l.id, l.images, l.digest, (SELECT count(*) FROM set_list_image i"
                                "  WHERE i.list = l.id), coalesce((SELECT min(id) FROM revision v"
                                "  WHERE v.list = l.id), 0) FROM set_list l ORDER BY l.id",
                                DB_NONE, &r, err);
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        struct set_list_state l = {.id = db_col_int(&r, 0),
                                   .images = db_col_int(&r, 1),
                                   .rows = db_col_int(&r, 3),
                                   .revision = db_col_int(&r, 4)};
        struct sv digest = db_col_blob(&r, 2);
        memcpy(l.digest, digest.p, digest.n < SET_DIGEST ? digest.n : SET_DIGEST);
        rc = each(arg, &l, err);
    }
    return db_end_after(&r, rc);
}
