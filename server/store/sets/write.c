/* write.c - SQL that writes image sets, their revisions and the states of these.
 *
 * A list is written in slices before the revision that names it: tens of thousands of rows take
 * longer than a transaction beside a server may. It is found again by its digest and its order, so
 * that a killed import is completed by the next, and revisions with equal content share one. */
#include <string.h>

#include "base/hash.h"
#include "db/bulk.h"
#include "store/core/events.h"
#include "store/review/class_reviews.h"
#include "store/sets/score_pins.h"
#include "store/sets/seals.h"
#include "store/sets/sets.h"

enum { CHUNK = 100 };

static bool name_good(struct sv name)
{
    return sv_is_word(name, "-_.") && name.n < SET_NAME && name.p[0] != '.';
}

enum err_code set_name_check(struct sv name, struct err *err)
{
    bool free = !sv_is(name, "new"); /* /sets/new is where one is made */
    return free && name_good(name)
               ? OK
               : err_rule(
                     err, ERR_INPUT, "set-name",
                     "The name of a set must be 1 to %d letters, digits, \"-\", \"_\" or \".\"; "
                     "it must not begin with a dot, and \"new\" is reserved.",
                     SET_NAME - 1);
}

/* ---- lists ---- */

struct list_write {
    const struct revision_new *r;
    int64_t ordering, list;
    size_t done;
};

/* Of the rows as numbers. Within one digest it tells orders apart, nothing else: no need of more.
 */
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
        rc = db_one_int(db,
                        "SELECT coalesce(max(position) + 1, 0) FROM set_list_image WHERE list = ?1",
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
        return rc == OK ? db_run(db, "INSERT INTO image_set (id, name, role) VALUES (?1, ?2, ?3)",
                                 DB_VALS(db_int(out->id), db_text(r->set), db_text(r->role)), err)
                        : rc;
    }
    return rc == OK ? OK : err_set(err, rc, "%s", none.msg);
}

/* Who gives a revision a state, when and why. */
struct state_given {
    enum revision_state state;
    struct sv reason;
    int64_t account, now;
};

static enum err_code add_state(struct db *db, int64_t revision, const struct state_given *g,
                               int64_t *id, struct err *err)
{
    static const char *const kinds[] = {"set.sealed", "set.unsealed", "set.frozen", "set.released"};
    enum err_code rc = events_add(db, g->now, g->account, kinds[g->state], revision, NULL, id, err);
    rc = rc == OK && g->state >= REVISION_FROZEN ? score_pin_add(db, revision, err) : rc;
    return rc == OK ? db_run(db,
                             "INSERT INTO revision_state (id, revision, state, reason)"
                             " VALUES (?1, ?2, ?3, ?4)",
                             DB_VALS(db_int(*id), db_int(revision),
                                     db_str(revision_state_word(g->state)), db_text(g->reason)),
                             err)
                    : rc;
}

/* Unseals `revision` early, because models may be scored on its images in the revision `through`. */
static enum err_code open_through(struct db *db, int64_t revision, int64_t through, int64_t shared,
                                  const struct state_given *g, struct err *err)
{
    const struct state_given early = {REVISION_UNSEALED, g->reason, g->account, g->now};
    int64_t id = 0;
    enum err_code rc = add_state(db, revision, &early, &id, err);
    return rc == OK ? seals_opening_add(db, id, through, shared, err) : rc;
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

/* ERR_CONFLICT when the number that was asked for is another revision's already. */
static enum err_code find_number(struct db *db, const struct revision_new *r, int64_t set,
                                 int64_t *id, struct arena *a, struct err *err)
{
    struct revision_row there;
    int64_t found = 0;
    enum err_code rc =
        db_one_int(db, "SELECT id FROM revision WHERE image_set = ?1 AND number = ?2",
                   DB_VALS(db_int(set), db_int(r->number - 1)), &found, err);
    if (rc == ERR_NOT_FOUND) {
        return OK;
    }
    rc = rc == OK ? revisions_get(db, found, a, &there, err) : rc;
    if (rc == OK && memcmp(there.digest, r->digest, SET_DIGEST) != 0) {
        return err_rule(err, ERR_CONFLICT, "set-number",
                        SV_FMT "/%lld already exists with other images. It stays as it is; nothing was "
                        "written.",
                        SV_ARG(r->set), (long long)there.number);
    }
    *id = rc == OK ? found : 0;
    return rc;
}

/* The revision that says the same already: the one with the number that was asked for, else the
 * set's newest; *id 0 otherwise. */
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
    if (rc == OK && r->number > 0) {
        return find_number(db, r, s.id, id, a, err);
    }
    if (rc != OK || r->always || !s.newest) {
        return rc;
    }
    rc = revisions_get(db, s.newest, a, &newest, err);
    if (rc == OK && memcmp(newest.digest, r->digest, SET_DIGEST) == 0) {
        *id = s.newest;
    }
    return rc;
}

static struct db_val known(int64_t x)
{
    return x ? db_int(x) : db_null();
}

/* The revision's own row; what is not known of how it came about stays empty. */
static enum err_code insert_revision(struct db *db, const struct list_write *w, int64_t set,
                                     int64_t id, struct arena *a, struct err *err)
{
    static const struct revision_facts nothing = {.valid = -1};
    const struct revision_new *r = w->r;
    const struct revision_facts *f = r->facts ? r->facts : &nothing;
    struct sv removals = revision_removals_pack(f->removals, f->n_removals, a);
    return db_run(
        db,
        "INSERT INTO revision (id, image_set, number, parent, strategy, parameters, list,"
        " seed, as_of, newest_image, vote_view, inputs, facts, valid, removals, rows_known)"
        " VALUES (?1, ?2, CASE ?3 WHEN 0 THEN (SELECT coalesce(max(number) + 1, 0)"
        "  FROM revision WHERE image_set = ?2) ELSE ?3 - 1 END, nullif(?4, 0), ?5, ?6, ?7,"
        " ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        DB_VALS(db_int(id), db_int(set), db_int(r->number), db_int(r->parent), db_text(r->strategy),
                db_text(r->parameters), db_int(w->list), f->sampled ? db_int(f->seed) : db_null(),
                known(f->as_of), known(f->newest_image), known(f->vote_view),
                db_text_opt(f->inputs), db_text_opt(f->facts),
                f->valid < 0 ? db_null() : db_int(f->valid),
                removals.n ? db_blob(removals.p, removals.n) : db_null(), db_int(!r->rows_unknown)),
        err);
}

/* Classes that need no second look begin as reviewed. */
static enum err_code carry_reviews(struct db *db, const struct revision_new *r, int64_t id,
                                   struct err *err)
{
    enum err_code rc = OK;
    bool added;
    for (size_t i = 0; i < r->n_carried && rc == OK; i++) {
        rc = class_reviews_put(db, id, r->carried[i], id, true, false, true, &added, err);
    }
    return rc;
}

/* Another one may have opened them meanwhile. */
enum err_code revision_open_others(struct db *db, int64_t through, const struct revision_opened *opened, size_t n,
                                   struct sv reason, int64_t account, int64_t now, struct err *err)
{
    const struct state_given g = {REVISION_UNSEALED, reason, account, now};
    struct arena a;
    enum err_code rc = OK;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct revision_row there;
        rc = revisions_get(db, opened[i].revision, &a, &there, err);
        if (rc == OK && there.state == REVISION_SEALED) {
            rc = open_through(db, there.id, through, opened[i].shared, &g, err);
        }
        arena_clear(&a);
    }
    arena_release(&a);
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
    rc = rc == OK ? events_add(db, now, r->account, "set.revision", 0, NULL, id, err) : rc;
    rc = rc == OK ? insert_revision(db, w, s.id, *id, a, err) : rc;
    rc = rc == OK ? carry_reviews(db, r, *id, err) : rc;
    if (rc == OK && r->state != REVISION_SEALED) {
        const struct state_given g = {r->state, r->state_reason, r->account, now};
        int64_t state = 0;
        rc = add_state(db, *id, &g, &state, err);
    }
    return rc == OK ? revision_open_others(db, *id, r->opened, r->n_opened, r->opened_reason, r->account, now,
                                           err)
                    : rc;
}

enum err_code revisions_add(struct db *db, bool alone, const struct revision_new *r, int64_t now,
                            int64_t *id, bool *added, struct err *err)
{
    struct list_write w = {.r = r, .ordering = ordering_of(r)};
    struct arena a;
    arena_init(&a, (size_t)1 << 30);
    *added = false;
    enum err_code rc = set_name_check(r->set, err);
    if (rc == OK && r->n > SET_IMAGES) {
        rc = err_rule(err, ERR_LIMIT, "set-images",
                      "A set can have at most %d images. Nothing was written.", SET_IMAGES);
    }
    rc = rc == OK ? find_same(db, r, id, &a, err) : rc;
    if (rc == OK && *id == 0) {
        rc = bulk_write(db, alone, list_step, &w, err);
        rc = rc == OK ? db_tx_begin(db, err) : rc;
        rc = rc == OK ? add_revision(db, &w, now, &a, id, added, err) : rc;
        rc = db_tx_end(db, rc, err);
    }
    arena_release(&a);
    return rc;
}

enum err_code revisions_same(struct db *db, const struct revision_new *r, int64_t *id, struct err *err)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    enum err_code rc = find_same(db, r, id, &a, err);
    arena_release(&a);
    return rc;
}

/* ---- states ---- */

static enum err_code state_conflict(const struct revision_row *r, struct err *err)
{
    if (r->sealed_by.n) {
        return err_rule(err, ERR_CONFLICT, "set-state",
                        SV_FMT "/%lld is already %s. Models are not scored on it because " SV_FMT " has the "
                               "same images and is sealed: freeze or unseal that one. Nothing was changed.",
                        SV_ARG(r->set), (long long)r->number, revision_state_word(r->state),
                        SV_ARG(r->sealed_by));
    }
    return err_rule(err, ERR_CONFLICT, "set-state",
                    SV_FMT "/%lld is already %s; a revision can only go from sealed to unsealed, frozen and "
                           "released. Nothing was changed.",
                    SV_ARG(r->set), (long long)r->number, revision_state_word(r->state));
}

/* The content that is opened is theirs too. */
static enum err_code open_copies(struct db *db, const struct revision_row *r, const struct state_given *g,
                                 struct arena *a, struct err *err)
{
    struct seal *over;
    size_t n = 0;
    enum err_code rc = seals_over(db, r->id, a, &over, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = open_through(db, over[i].revision, r->id, over[i].images, g, err);
    }
    return rc;
}

enum err_code revision_state_add(struct db *db, int64_t revision, enum revision_state state,
                                 struct sv reason, int64_t account, int64_t now, struct err *err)
{
    const struct state_given given = {state, reason, account, now};
    struct arena a;
    struct revision_row r;
    int64_t id;
    arena_init(&a, 1 << 20);
    enum err_code rc = revisions_get(db, revision, &a, &r, err);
    if (rc == OK && (reason.n == 0 || reason.n > SET_REASON || !sv_utf8(reason))) {
        rc = err_rule(err, ERR_INPUT, "set-reason",
                      "Give a reason of 1 to %d bytes. Nothing was changed.", SET_REASON);
    } else if (rc == OK && state <= r.state) {
        rc = state_conflict(&r, err);
    }
    if (rc == OK && state != REVISION_SEALED) {
        rc = open_copies(db, &r, &given, &a, err);
    }
    rc = rc == OK ? add_state(db, revision, &given, &id, err) : rc;
    arena_release(&a);
    return rc;
}
