/* flags.c - SQL for flags and decisions about images. */
#include "store/work/flags.h"

#include <stdio.h>

#include "db/rows.h"
#include "domain/grids/grid.h"
#include "store/core/events.h"

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
                        "and send it again.",
                        FLAG_NOTE_MAX);
    }
    return OK;
}

/* --- what counts towards quarantine --- */

/* Who answered, or is on the list of the assignment's campaign, and is not blocked. */
static enum err_code is_trusted(struct db *db, int64_t person, int64_t assignment, int64_t *out,
                                struct err *err)
{
    return db_one_int(db,
                      "SELECT (?2 = 0 OR EXISTS (SELECT 1 FROM assignment a"
                      "  JOIN answer w ON w.assignment = a.id WHERE a.person = ?1)"
                      " OR EXISTS (SELECT 1 FROM assignment a JOIN grid g ON g.id = a.grid"
                      "  JOIN participant p ON p.campaign = g.campaign AND p.person = ?1"
                      "  WHERE a.id = ?2))"
                      " AND NOT EXISTS (SELECT 1 FROM blocked b WHERE b.person = ?1)",
                      DB_VALS(db_int(person), db_int(assignment)), out, err);
}

/* Other images whose flags by the person count, without those that a lead agreed about. */
static enum err_code images_counted(struct db *db, int64_t person, int64_t image, int64_t *out,
                                    struct err *err)
{
    return db_one_int(db,
                      "SELECT count(DISTINCT f.image) FROM flag f"
                      " JOIN flag_counted n ON n.flag = f.id WHERE f.person = ?1 AND f.image <> ?2"
                      " AND coalesce((SELECT d.decision FROM image_decision d"
                      "  WHERE d.image = f.image ORDER BY d.id DESC LIMIT 1), 'clear') = 'clear'",
                      DB_VALS(db_int(person), db_int(image)), out, err);
}

/* Counts the flag from event `since` on if the person has a vote left; *counted says whether. */
static enum err_code count_flag(struct db *db, int64_t flag, int64_t image, int64_t person,
                                int64_t since, int64_t most, bool *counted, struct err *err)
{
    int64_t others = 0;
    enum err_code rc = images_counted(db, person, image, &others, err);
    *counted = rc == OK && others < most;
    return *counted
               ? db_run(db, "INSERT INTO flag_counted (flag, since) VALUES (?1, ?2)",
                        DB_VALS(db_int(flag), db_int(since)), err)
               : rc;
}

#define UNCOUNTED                                                                                  \
    "SELECT f.id, f.image FROM flag f WHERE f.person = ?1 AND f.id > ?2"                           \
    " AND NOT EXISTS (SELECT 1 FROM flag_counted n WHERE n.flag = f.id)"

/* The person's oldest flag after `after` that does not count; ERR_NOT_FOUND without. `again`: only
 * flags of images that another flag of theirs counts for, and that no lead agreed about. */
static enum err_code next_uncounted(struct db *db, int64_t person, int64_t after, bool again,
                                    int64_t *flag, int64_t *image, struct err *err)
{
    *flag = *image = 0;
    enum err_code rc = db_maybe_ints(
        db,
        again ? UNCOUNTED
                " AND f.image IN (SELECT s.image FROM flag s JOIN flag_counted n ON n.flag = s.id"
                "  WHERE s.person = ?1)"
                " AND coalesce((SELECT d.decision FROM image_decision d"
                "  WHERE d.image = f.image ORDER BY d.id DESC LIMIT 1), 'clear') = 'clear'"
                " ORDER BY f.id LIMIT 1"
              : UNCOUNTED " ORDER BY f.id LIMIT 1",
        DB_VALS(db_int(person), db_int(after)), flag, image, err);
    return rc == OK && *flag == 0 ? ERR_NOT_FOUND : rc;
}

/* The first flag that finds no vote left ends the walk over all of them: who has thousands must not
 * make the writer look at each. What can count then is more about an image that counts already. */
enum err_code flags_answered(struct db *db, int64_t person, int64_t assignment, int64_t answer,
                             int64_t most, struct err *err)
{
    int64_t flag = 0, image = 0, trusted = 0;
    bool spent = false, go_on = true;
    enum err_code rc = next_uncounted(db, person, 0, false, &flag, &image, err);
    rc = rc == OK ? is_trusted(db, person, assignment, &trusted, err) : rc;
    while (rc == OK && trusted && go_on) {
        bool counted;
        rc = count_flag(db, flag, image, person, answer, most, &counted, err);
        go_on = counted || !spent;
        spent = !counted || spent;
        if (rc == OK && go_on) {
            rc = next_uncounted(db, person, flag, spent, &flag, &image, err);
        }
    }
    return rc == ERR_NOT_FOUND ? OK : rc;
}

static enum err_code count_new(struct db *db, int64_t flag, int64_t image, int64_t person,
                               int64_t assignment, int64_t most, struct err *err)
{
    int64_t trusted = 0;
    bool counted;
    enum err_code rc = is_trusted(db, person, assignment, &trusted, err);
    return rc == OK && trusted ? count_flag(db, flag, image, person, flag, most, &counted, err)
                               : rc;
}

/* --- flags and decisions --- */

enum err_code flags_add(struct db *db, const struct flag_new *f, int64_t now, bool *added,
                        struct err *err)
{
    *added = false;
    if (!kind_known(f->kind)) {
        return err_rule(err, ERR_INPUT, "flag-kind",
                        "Say what is wrong: disturbing, private, illegal, broken or other. Nothing "
                        "was stored.");
    }
    int64_t there = 0, id = 0;
    enum err_code rc = check_note(f->note, err);
    if (rc == OK) {
        rc =
            db_one_int(db, "SELECT 1 FROM flag WHERE image = ?1 AND person = ?2 AND kind = ?3",
                       DB_VALS(db_int(f->image), db_int(f->person), db_text(f->kind)), &there, err);
    }
    if (rc != ERR_NOT_FOUND) {
        return rc;
    }
    rc = events_add(db, now, 0, "flag", f->image, NULL, &id, err);
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO flag (id, image, person, assignment, kind, note)"
                    " VALUES (?1, ?2, ?3, nullif(?4, 0), ?5, ?6)",
                    DB_VALS(db_int(id), db_int(f->image), db_int(f->person), db_int(f->assignment),
                            db_text(f->kind), db_text(f->note)),
                    err);
    }
    rc = rc == OK ? count_new(db, id, f->image, f->person, f->assignment, f->most, err) : rc;
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
    rc = rc == OK ? events_add(db, now, account, kind, image, NULL, &id, err) : rc;
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO image_decision (id, image, decision, reason)"
                    " VALUES (?1, ?2, ?3, ?4)",
                    DB_VALS(db_int(id), db_int(image), db_text(decision), db_text(reason)), err);
    }
    return rc;
}

/* What follows is as of event `until`, an SQL expression; FOREVER: of everything. */
#define FOREVER "9223372036854775807"

/* Flag f is set aside: it neither counts nor waits. */
#define DISMISSED(until)                                                                           \
    "coalesce((SELECT x.dismissed FROM flag_dismissal x WHERE x.flag = f.id AND x.id <= " until    \
    "  ORDER BY x.id DESC LIMIT 1), 0)"

/* People who flagged image t since it was cleared last, with flags that nobody dismissed. */
#define FRESH(until, also)                                                                         \
    "(SELECT count(DISTINCT f.person) FROM flag f WHERE f.image = t.image AND f.id <= " until      \
    " AND f.id > coalesce((SELECT max(d.id) FROM image_decision d WHERE d.image = t.image"         \
    "   AND d.decision = 'clear' AND d.id <= " until "), 0) AND NOT " DISMISSED(until) also ")"

/* What hides image t or not: the newest decision, how many people's flags count. */
#define HIDING(until)                                                                              \
    "coalesce((SELECT d.decision FROM image_decision d WHERE d.image = t.image"                    \
    "  AND d.id <= " until " ORDER BY d.id DESC LIMIT 1), '')," FRESH(until,                       \
        " AND EXISTS (SELECT 1 FROM flag_counted n WHERE n.flag = f.id AND n.since <= " until ")")

/* Of image t now: the same, and how many flagged it since it was cleared last. */
#define STANDING HIDING(FOREVER) "," FRESH(FOREVER, "")

/* Who ever flagged it; the newest flag, the newest decision without any. */
#define PEOPLE "(SELECT count(DISTINCT f.person) FROM flag f WHERE f.image = t.image)"
#define NEWEST                                                                                     \
    "coalesce((SELECT max(f.id) FROM flag f WHERE f.image = t.image),"                             \
    " (SELECT max(d.id) FROM image_decision d WHERE d.image = t.image))"

/* The rule in flags.h. The row's columns from `col` on are HIDING. */
static bool is_hidden(const struct db_rows *r, int col, int64_t flags_to_quarantine)
{
    struct sv decision = db_col_text(r, col);
    return sv_is(decision, "takedown") || sv_is(decision, "quarantine") ||
           db_col_int(r, col + 1) >= flags_to_quarantine;
}

static const char *const state_names[FLAG_STATES] = {"open", "quarantine", "clear", "takedown"};

/* What an image's newest decision and fresh flags make of it. The row's columns from `col` on are
 * STANDING. */
static enum flag_state standing(const struct db_rows *r, int col, int64_t flags_to_quarantine)
{
    return sv_is(db_col_text(r, col), "takedown")   ? FLAG_TAKEDOWN
           : is_hidden(r, col, flags_to_quarantine) ? FLAG_QUARANTINE
           : db_col_int(r, col + 2) > 0             ? FLAG_OPEN
                                                    : FLAG_CLEAR;
}

enum err_code flags_newest(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db,
                      "SELECT max(coalesce((SELECT max(id) FROM flag), 0),"
                      " coalesce((SELECT max(id) FROM image_decision), 0),"
                      " coalesce((SELECT max(since) FROM flag_counted), 0),"
                      " coalesce((SELECT max(id) FROM flag_dismissal), 0))",
                      DB_NONE, out, err);
}

enum err_code flags_changed(struct db *db, int64_t flags_to_quarantine, int64_t after,
                            enum err_code (*each)(void *arg, int64_t image,
                                                  const struct flag_standing *s, struct err *err),
                            void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT t.image, " STANDING ", " PEOPLE ", " NEWEST " FROM (SELECT image FROM flag WHERE id > ?1"
        " UNION SELECT image FROM image_decision WHERE id > ?1"
        " UNION SELECT f.image FROM flag_counted n JOIN flag f ON f.id = n.flag WHERE n.since > ?1"
        " UNION SELECT f.image FROM flag_dismissal x JOIN flag f ON f.id = x.flag"
        "  WHERE x.id > ?1) t",
        DB_VALS(db_int(after)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        struct sv decision = db_col_text(&r, 1);
        struct flag_standing s = {.state = standing(&r, 1, flags_to_quarantine),
                                  .people = db_col_int(&r, 4), .newest = db_col_int(&r, 5)};
        s.hidden = s.state == FLAG_QUARANTINE || s.state == FLAG_TAKEDOWN;
        s.waits = s.state == FLAG_OPEN || (s.state == FLAG_QUARANTINE && !sv_is(decision, "quarantine"));
        rc = each(arg, db_col_int(&r, 0), &s, err);
    }
    return db_end_after(&r, rc);
}

struct hidden_only {
    enum err_code (*each)(void *arg, int64_t image, struct err *err);
    void *arg;
};

static enum err_code pass_hidden(void *arg, int64_t image, const struct flag_standing *s,
                                 struct err *err)
{
    struct hidden_only *h = arg;
    return s->hidden ? h->each(h->arg, image, err) : OK;
}

enum err_code flags_hidden(struct db *db, int64_t flags_to_quarantine,
                           enum err_code (*each)(void *arg, int64_t image, struct err *err),
                           void *arg, struct err *err)
{
    struct hidden_only h = {each, arg};
    return flags_changed(db, flags_to_quarantine, 0, pass_hidden, &h, err);
}

enum err_code flags_as_of(struct db *db, int64_t flags_to_quarantine, int64_t as_of,
                          enum err_code (*each)(void *arg, int64_t image, bool hidden, struct err *err),
                          void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db,
                                "SELECT t.image, " HIDING("?1") " FROM (SELECT image FROM flag"
                                " WHERE id <= ?1 UNION SELECT image FROM image_decision"
                                " WHERE id <= ?1) t ORDER BY t.image",
                                DB_VALS(db_int(as_of)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_int(&r, 0), is_hidden(&r, 1, flags_to_quarantine), err);
    }
    return db_end_after(&r, rc);
}

static void read_flagged(const struct db_rows *r, int64_t flags_to_quarantine, struct arena *a,
                         struct flagged *f)
{
    f->image = db_col_int(r, 0);
    f->state = sv_of(state_names[standing(r, 1, flags_to_quarantine)]);
    f->decided = sv_eq(db_col_text(r, 1), f->state);
    f->people = db_col_int(r, 4);
    f->newest_at = db_col_int(r, 5);
    f->name = arena_sv(a, db_col_text(r, 6));
    f->wnid = arena_sv(a, db_col_text(r, 7));
    f->kinds = arena_sv(a, db_col_text(r, 8));
    f->reason = arena_sv(a, db_col_text(r, 9));
}

enum err_code flags_of_image(struct db *db, int64_t flags_to_quarantine, int64_t image, struct arena *a,
                             struct flagged *out, struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT t.image, " STANDING ", " PEOPLE ", e.at, i.name, c.wnid,"
             " coalesce((SELECT group_concat(kind, '|') FROM (SELECT DISTINCT f.kind FROM flag f"
             "  WHERE f.image = t.image ORDER BY f.kind)), ''),"
             " coalesce((SELECT d.reason FROM image_decision d WHERE d.image = t.image"
             "  ORDER BY d.id DESC LIMIT 1), '')"
             " FROM (SELECT ?1 AS image) t JOIN event e ON e.id = " NEWEST
             " JOIN image i ON i.id = t.image JOIN class c ON c.id = i.class",
             DB_VALS(db_int(image)), &r, err);
    bool found = db_step(&r, err);
    if (found) {
        read_flagged(&r, flags_to_quarantine, a, out);
    }
    enum err_code rc = db_end(&r);
    if (rc == OK && !found) {
        return err_rule(err, ERR_NOT_FOUND, "no-flag", "Nobody flagged this image.");
    }
    return rc;
}

DB_ROW(flag_note_row, struct flag_note, id, at, kind, note, pseudonym);
DB_ROW(flag_given_row, struct flag_given, image, at, kind, note);

enum err_code flags_notes(struct db *db, int64_t image, size_t most, struct arena *a,
                          struct flag_note **out, size_t *n, struct err *err)
{
    return db_list(
        db, flag_note_row, out, n, a,
        "SELECT f.id, e.at, f.kind, f.note, p.pseudonym FROM flag f JOIN event e ON e.id = f.id"
        " JOIN person p ON p.id = f.person WHERE f.image = ?1 ORDER BY f.id DESC LIMIT ?2",
        DB_VALS(db_int(image), db_int((int64_t)most)), err);
}

enum err_code flags_of_assignment(struct db *db, int64_t person, int64_t assignment,
                                  struct arena *a, struct flag_given **out, size_t *n,
                                  struct err *err)
{
    /* By the index on person: nobody flags so much that it matters. */
    return db_list(db, flag_given_row, out, n, a,
                   "SELECT f.image, e.at, f.kind, f.note FROM flag f"
                   " JOIN event e ON e.id = f.id WHERE f.person = ?1"
                   " AND f.assignment = ?2 ORDER BY f.id LIMIT ?3",
                   DB_VALS(db_int(person), db_int(assignment), db_int(GRID_CELLS * FLAG_KINDS)), err);
}
