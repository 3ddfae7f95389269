/* flags.c - SQL for flags and decisions about images. */
#include "store/flags.h"

#include <stdio.h>

#include "domain/grid.h"
#include "store/events.h"

const char *const flag_kinds[FLAG_KINDS] = {"disturbing", "private", "illegal", "broken", "other"};

static bool kind_known(struct sv kind)
{
    for (size_t i = 0; i < FLAG_KINDS; i++) {
        if (sv_is(kind, flag_kinds[i])) {
            return true;
        }
    }
    return false;
}

static enum err_code check_note(struct sv note, struct err *err)
{
    if (note.n > FLAG_NOTE_MAX || !sv_utf8(note)) {
        return err_rule(err, ERR_INPUT, "flag-note",
                        "The note must be text of at most %d bytes. Nothing was stored; shorten it "
                        "and send it again.", FLAG_NOTE_MAX);
    }
    return OK;
}

enum err_code flags_add(struct db *db, int64_t image, int64_t person, int64_t assignment,
                        struct sv kind, struct sv note, int64_t now, bool *added, struct err *err)
{
    *added = false;
    if (!kind_known(kind)) {
        return err_rule(err, ERR_INPUT, "flag-kind",
                        "Say what is wrong: disturbing, private, illegal, broken or other. Nothing "
                        "was stored.");
    }
    int64_t there = 0, id = 0;
    enum err_code rc = check_note(note, err);
    if (rc == OK) {
        rc = db_one_int(db, "SELECT 1 FROM flag WHERE image = ?1 AND person = ?2 AND kind = ?3",
                        DB_VALS(db_int(image), db_int(person), db_text(kind)), &there, err);
    }
    if (rc != ERR_NOT_FOUND) {
        return rc;
    }
    rc = events_add(db, now, 0, "flag", image, NULL, &id, err);
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO flag (id, image, person, assignment, kind, note)"
                    " VALUES (?1, ?2, ?3, nullif(?4, 0), ?5, ?6)",
                    DB_VALS(db_int(id), db_int(image), db_int(person), db_int(assignment),
                            db_text(kind), db_text(note)),
                    err);
    }
    *added = rc == OK;
    return rc;
}

enum err_code flags_decide(struct db *db, int64_t image, struct sv decision, struct sv reason,
                           int64_t account, int64_t now, struct err *err)
{
    bool takedown = sv_is(decision, "takedown");
    if (!takedown && !sv_is(decision, "quarantine") && !sv_is(decision, "clear")) {
        return err_rule(err, ERR_INPUT, "decision",
                        "An image can be cleared, put in quarantine or taken down.");
    }
    if (takedown && sv_trim(reason).n == 0) {
        return err_rule(err, ERR_INPUT, "reason-missing",
                        "A takedown needs a reason. Nothing was changed; write one and decide "
                        "again.");
    }
    int64_t there = 0, id = 0;
    enum err_code rc = check_note(reason, err);
    if (rc == OK) {
        rc = db_one_int(db, "SELECT 1 FROM image WHERE id = ?1", DB_VALS(db_int(image)), &there,
                        err);
    }
    if (rc == ERR_NOT_FOUND) {
        return err_rule(err, ERR_NOT_FOUND, "no-image", "There is no such image.");
    }
    char kind[32];
    snprintf(kind, sizeof kind, "image." SV_FMT, SV_ARG(decision));
    if (rc == OK) {
        rc = events_add(db, now, account, kind, image, NULL, &id, err);
    }
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO image_decision (id, image, decision, reason)"
                    " VALUES (?1, ?2, ?3, ?4)",
                    DB_VALS(db_int(id), db_int(image), db_text(decision), db_text(reason)), err);
    }
    return rc;
}

/* Of image t: the newest decision, and how many people flagged it since it was cleared last. */
#define STANDING                                                                                   \
    "coalesce((SELECT d.decision FROM image_decision d WHERE d.image = t.image"                    \
    "  ORDER BY d.id DESC LIMIT 1), ''),"                                                          \
    " (SELECT count(DISTINCT f.person) FROM flag f WHERE f.image = t.image AND f.id > coalesce("   \
    "  (SELECT max(d.id) FROM image_decision d WHERE d.image = t.image"                            \
    "   AND d.decision = 'clear'), 0))"

/* The rule in flags.h: what an image's newest decision and fresh flags make of it. */
static const char *standing(struct sv decision, int64_t fresh, int64_t k)
{
    if (sv_is(decision, "takedown")) {
        return "takedown";
    }
    if (sv_is(decision, "quarantine") || fresh >= k) {
        return "quarantine";
    }
    return fresh > 0 ? "open" : "clear";
}

enum err_code flags_newest(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db,
                      "SELECT max(coalesce((SELECT max(id) FROM flag), 0),"
                      " coalesce((SELECT max(id) FROM image_decision), 0))",
                      DB_NONE, out, err);
}

enum err_code flags_changed(struct db *db, int64_t k, int64_t after,
                            enum err_code (*each)(void *arg, int64_t image, bool hidden,
                                                  struct err *err),
                            void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT t.image, " STANDING " FROM (SELECT image FROM flag WHERE id > ?1"
        " UNION SELECT image FROM image_decision WHERE id > ?1) t",
        DB_VALS(db_int(after)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        const char *state = standing(db_col_text(&r, 1), db_col_int(&r, 2), k);
        rc = each(arg, db_col_int(&r, 0), *state == 't' || *state == 'q', err);
    }
    return db_end_after(&r, rc);
}

struct hidden_only {
    enum err_code (*each)(void *arg, int64_t image, struct err *err);
    void *arg;
};

static enum err_code pass_hidden(void *arg, int64_t image, bool hidden, struct err *err)
{
    struct hidden_only *h = arg;
    return hidden ? h->each(h->arg, image, err) : OK;
}

enum err_code flags_hidden(struct db *db, int64_t k,
                           enum err_code (*each)(void *arg, int64_t image, struct err *err),
                           void *arg, struct err *err)
{
    struct hidden_only h = {each, arg};
    return flags_changed(db, k, 0, pass_hidden, &h, err);
}

/* The columns that read_flagged expects, of (image, newest) t. */
#define FLAGGED                                                                                    \
    "SELECT t.image, " STANDING ", t.newest, e.at, i.name, c.wnid,"                                \
    " (SELECT count(DISTINCT f.person) FROM flag f WHERE f.image = t.image),"                      \
    " coalesce((SELECT group_concat(kind, '|') FROM (SELECT DISTINCT f.kind FROM flag f"           \
    "  WHERE f.image = t.image ORDER BY f.kind)), ''),"                                            \
    " coalesce((SELECT d.reason FROM image_decision d WHERE d.image = t.image"                     \
    "  ORDER BY d.id DESC LIMIT 1), '')"                                                           \
    " FROM t JOIN event e ON e.id = t.newest JOIN image i ON i.id = t.image"                       \
    " JOIN class c ON c.id = i.class "

static void read_flagged(const struct db_rows *r, int64_t k, struct arena *a, struct flagged *f)
{
    struct sv decision = db_col_text(r, 1);
    const char *state = standing(decision, db_col_int(r, 2), k);
    f->image = db_col_int(r, 0);
    f->state = sv_of(state);
    f->decided = sv_is(decision, state);
    f->newest = db_col_int(r, 3);
    f->newest_at = db_col_int(r, 4);
    f->name = arena_sv(a, db_col_text(r, 5));
    f->wnid = arena_sv(a, db_col_text(r, 6));
    f->people = db_col_int(r, 7);
    f->kinds = arena_sv(a, db_col_text(r, 8));
    f->reason = arena_sv(a, db_col_text(r, 9));
}

/* Of the image of row x: the newest decision ends the matter, and no flag x came after it. */
#define SETTLED(x)                                                                                 \
    "EXISTS (SELECT 1 FROM image_decision d WHERE d.image = " x ".image"                           \
    " AND (d.decision = 'takedown' OR (d.decision = 'clear' AND d.id >= " x ".id))"                \
    " AND NOT EXISTS (SELECT 1 FROM image_decision l WHERE l.image = d.image AND l.id > d.id))"

/* Walks flags from the newest: a row is the newest of its image when no later one names it. */
enum err_code flags_list(struct db *db, int64_t k, int64_t before, bool open_only, size_t most,
                         struct arena *a, struct flagged **out, size_t *n, struct err *err)
{
    *n = 0;
    *out = arena_calloc(a, most ? most : 1, sizeof **out);
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "WITH t(newest, image) AS ("
        " SELECT f.id, f.image FROM flag f WHERE f.id < ?1 AND NOT EXISTS ("
        "   SELECT 1 FROM flag g WHERE g.image = f.image AND g.id > f.id)"
        "   AND (?2 = 0 OR NOT " SETTLED("f") ")"
        " UNION ALL SELECT c.id, c.image FROM image_decision c WHERE c.id < ?1 AND NOT EXISTS ("
        "   SELECT 1 FROM flag g WHERE g.image = c.image) AND NOT EXISTS ("
        "   SELECT 1 FROM image_decision g WHERE g.image = c.image AND g.id > c.id)"
        "   AND (?2 = 0 OR NOT " SETTLED("c") ")"
        " ORDER BY 1 DESC) " FLAGGED "ORDER BY t.newest DESC",
        DB_VALS(db_int(before > 0 ? before : INT64_MAX), db_int(open_only)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (*n < most && db_step(&r, err)) {
        read_flagged(&r, k, a, &(*out)[(*n)++]);
    }
    return db_end(&r);
}

enum err_code flags_of_image(struct db *db, int64_t k, int64_t image, struct arena *a,
                             struct flagged *out, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "WITH t(newest, image) AS (SELECT coalesce((SELECT max(id) FROM flag WHERE image = ?1),"
        " (SELECT max(id) FROM image_decision WHERE image = ?1)), ?1) " FLAGGED,
        DB_VALS(db_int(image)), &r, err);
    if (rc != OK) {
        return rc;
    }
    bool found = db_step(&r, err);
    if (found) {
        read_flagged(&r, k, a, out);
    }
    rc = db_end(&r);
    if (rc == OK && !found) {
        return err_rule(err, ERR_NOT_FOUND, "no-flag", "Nobody flagged this image.");
    }
    return rc;
}

enum err_code flags_waiting(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db,
                      "SELECT count(DISTINCT f.image) FROM flag f WHERE f.id > coalesce("
                      "(SELECT max(d.id) FROM image_decision d WHERE d.image = f.image), 0)"
                      " AND coalesce((SELECT d.decision FROM image_decision d"
                      "  WHERE d.image = f.image ORDER BY d.id DESC LIMIT 1), 'clear') = 'clear'",
                      DB_NONE, out, err);
}

enum err_code flags_notes(struct db *db, int64_t image, size_t most, struct arena *a,
                          struct flag_note **out, size_t *n, struct err *err)
{
    *n = 0;
    *out = arena_calloc(a, most ? most : 1, sizeof **out);
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT f.id, e.at, f.kind, f.note, p.pseudonym FROM flag f JOIN event e ON e.id = f.id"
        " JOIN person p ON p.id = f.person WHERE f.image = ?1 ORDER BY f.id DESC LIMIT ?2",
        DB_VALS(db_int(image), db_int((int64_t)most)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        (*out)[(*n)++] = (struct flag_note){
            .id = db_col_int(&r, 0),
            .at = db_col_int(&r, 1),
            .kind = arena_sv(a, db_col_text(&r, 2)),
            .note = arena_sv(a, db_col_text(&r, 3)),
            .pseudonym = arena_sv(a, db_col_text(&r, 4)),
        };
    }
    return db_end(&r);
}

enum err_code flags_of_assignment(struct db *db, int64_t person, int64_t assignment,
                                  struct arena *a, struct flag_given **out, size_t *n,
                                  struct err *err)
{
    enum { MOST = GRID_CELLS * FLAG_KINDS };
    *n = 0;
    *out = arena_calloc(a, MOST, sizeof **out);
    struct db_rows r;
    /* By the index on person: nobody flags so much that it matters. */
    enum err_code rc = db_begin(db,
                                "SELECT f.image, e.at, f.kind, f.note FROM flag f"
                                " JOIN event e ON e.id = f.id WHERE f.person = ?1"
                                " AND f.assignment = ?2 ORDER BY f.id LIMIT ?3",
                                DB_VALS(db_int(person), db_int(assignment), db_int(MOST)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        (*out)[(*n)++] = (struct flag_given){
            .image = db_col_int(&r, 0),
            .at = db_col_int(&r, 1),
            .kind = arena_sv(a, db_col_text(&r, 2)),
            .note = arena_sv(a, db_col_text(&r, 3)),
        };
    }
    return db_end(&r);
}
