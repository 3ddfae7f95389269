/* sets.c - SQL that reads image sets, their revisions, and the lists of images that these consist
 * of; what writes them is in write.c. */
#include "store/sets/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

enum { SETS_NAMED = 8 };

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
        *LIST_ADD(&l, a, struct set_row) = read_set(&r, a);
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
    enum err_code rc = db_begin(db, "SELECT name FROM image_set ORDER BY name LIMIT ?1",
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
    return n ? err_rule(err, ERR_NOT_FOUND, "set",
                        "There is no image set " SV_FMT "; there are: %s.", SV_ARG(name), known)
             : err_rule(err, ERR_NOT_FOUND, "set",
                        "There is no image set " SV_FMT
                        ": the project has none yet. `holdout import set` "
                        "makes one.",
                        SV_ARG(name));
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
    " coalesce(t.state, 'sealed'), coalesce(t.reason, ''), coalesce(te.at, 0), r.list,"            \
    " (SELECT q.name || '/' || q.number FROM set_list o JOIN sealed_revision q ON q.list = o.id"   \
    "  WHERE o.digest = l.digest AND q.id <> r.id"                                                 \
    "  AND NOT (q.image_set = r.image_set AND q.id > r.id) ORDER BY q.id LIMIT 1),"                \
    " r.rows_known"                                                                                \
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
                             .list = db_col_int(r, 15),
                             .sealed_by = arena_sv(a, db_col_text(r, 16)),
                             .rows_known = db_col_int(r, 17) != 0};
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

/* The set of that name; where there is none, the one of a published name such as imagenetv2-b-7,
 * which is the revision imagenetv2-b/7. */
static enum err_code find_named(struct db *db, struct sv *set, struct sv *number, struct arena *a,
                                struct set_row *out, struct err *err)
{
    struct err none = {OK, "", ""};
    size_t dash = set->n;
    int64_t n;
    enum err_code rc = sets_find(db, *set, a, out, &none);
    while (dash > 0 && set->p[dash - 1] != '-') {
        dash--;
    }
    struct sv end = sv_make(set->p + dash, set->n - dash);
    if (rc == ERR_NOT_FOUND && !number->p && dash > 1 && sv_i64(end, &n)) {
        struct err other = {OK, "", ""};
        if (sets_find(db, sv_make(set->p, dash - 1), a, out, &other) == OK) {
            *set = sv_make(set->p, dash - 1);
            *number = end;
            return OK;
        }
    }
    return rc == OK ? OK : err_rule(err, rc, none.rule, "%s", none.msg);
}

enum err_code sets_named_like(struct db *db, struct sv name, struct arena *a, struct sv *set,
                              struct sv *revision, struct err *err)
{
    struct db_rows r;
    *set = *revision = SV("");
    enum err_code rc = db_begin(db,
                                "SELECT x.name, s.name || '/' || r.number FROM revision r"
                                " JOIN image_set s ON s.id = r.image_set"
                                " JOIN image_set x ON x.name = s.name || '-' || r.number"
                                " WHERE ?1 IN (x.name, s.name) ORDER BY r.id LIMIT 1",
                                DB_VALS(db_text(name)), &r, err);
    if (rc == OK && db_step(&r, err)) {
        *set = arena_sv(a, db_col_text(&r, 0));
        *revision = arena_sv(a, db_col_text(&r, 1));
    }
    return rc != OK ? rc : db_end(&r);
}

enum err_code revisions_find(struct db *db, struct sv name, struct arena *a,
                             struct revision_row *out, struct err *err)
{
    struct sv number = name, set = sv_cut(&number, '/');
    struct set_row s = {0};
    int64_t wanted = -1;
    bool found = false;
    enum err_code rc = find_named(db, &set, &number, a, &s, err);
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
                                        " has %lld, numbered from 0.",
                                        SV_ARG(name), SV_ARG(s.name), (long long)s.revisions);
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
        *LIST_ADD(&l, a, struct revision_row) = read_revision(&r, a);
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
        (*out)[(*n)++] =
            (struct revision_image){(uint32_t)db_col_int(&r, 0), (uint32_t)db_col_int(&r, 1)};
    }
    return db_end(&r);
}

enum err_code revision_images_named(struct db *db, int64_t id,
                                    enum err_code (*each)(void *arg, const struct revision_name *m,
                                                          struct err *err),
                                    void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db,
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

enum err_code revision_may_be_scored(const struct revision_row *r, struct err *err)
{
    bool open = sv_is(r->role, "original") || r->state != REVISION_SEALED;
    if (open && !r->sealed_by.n) {
        return OK;
    }
    if (open) {
        return err_rule(err, ERR_DENIED, "set-sealed",
                        SV_FMT "/%lld has the same images as " SV_FMT
                               ", which is sealed: models are not scored on a set that is under "
                               "construction. Freeze " SV_FMT
                               " when it is final, or unseal it early; reports will show your "
                               "reason.",
                        SV_ARG(r->set), (long long)r->number, SV_ARG(r->sealed_by),
                        SV_ARG(r->sealed_by));
    }
    return err_rule(
        err, ERR_DENIED, "set-sealed",
        SV_FMT "/%lld is sealed: models are not scored on a set that is under construction. "
               "Freeze it when it is final, or unseal it early; reports will show your reason.",
        SV_ARG(r->set), (long long)r->number);
}

/* ---- health ---- */

enum err_code sets_check(struct db *db,
                         enum err_code (*each)(void *arg, const struct set_list_state *l,
                                               struct err *err),
                         void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db,
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
