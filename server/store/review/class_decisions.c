/* class_decisions.c - SQL that writes what people decide about the images of a class in one go, and
 * that takes such a decision back. What is read of decisions for pages is in
 * class_decisions_read.c. */
#include "store/review/class_decisions.h"

#include <string.h>

#include "base/list.h"
#include "base/map.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/duplicates/near_pairs.h"
#include "store/review/class_reviews.h"

enum { NAME_PAIR_MOST = 8192 };

struct pair_change {
    struct sv a, b;
    bool same;
};
struct deciding {
    struct db *db;
    const struct class_decision *d;
    int64_t event;
    bool any; /* something was written */
    struct arena arena;
    struct map_sv at;    /* "a\nb" to its place among the changes: the last word on a pair holds */
    struct list changes; /* struct pair_change */
};

enum err_code class_version(struct db *db, int64_t class_id, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT coalesce(max(id), 0) FROM class_decision WHERE class = ?1",
                      DB_VALS(db_int(class_id)), out, err);
}

/* ---- what may be decided ---- */

static enum err_code check_size(const struct class_decision *d, struct err *err)
{
    size_t names = d->n_apart;
    bool flags = d->reviewed != DECIDED_NOTHING || d->problematic != DECIDED_NOTHING;
    for (size_t i = 0; i < d->n_groups && i < CLASS_DECISION_GROUPS; i++) {
        names += d->groups[i].n;
    }
    if (names == 0 && d->n_images == 0 && d->n_groups == 0 && !flags && !d->undoes) {
        return err_rule(
            err, ERR_INPUT, "class-decision",
            "This decision is empty. Nothing was changed; choose images, or mark the class as reviewed.");
    }
    if (d->n_images > CLASS_DECISION_IMAGES || names > CLASS_DECISION_NAMES ||
        d->n_groups > CLASS_DECISION_GROUPS) {
        return err_rule(
            err, ERR_INPUT, "class-decision",
            "One decision can cover at most %d images on or off the blacklist, and at most %d near-duplicate "
            "sets of %d images in all. Nothing was changed; decide in several steps.",
            CLASS_DECISION_IMAGES, CLASS_DECISION_GROUPS, CLASS_DECISION_NAMES);
    }
    if ((flags && !d->revision) || (d->undoes && (flags || names || d->n_images || d->n_groups))) {
        return err_rule(
            err, ERR_INPUT, "class-decision",
            d->undoes
                ? "An undo cannot be combined with other changes. Nothing was changed."
                : "A class is reviewed in a revision of a set. Nothing was changed; name the revision.");
    }
    return OK;
}

static enum err_code check_seen(struct db *db, const struct class_decision *d, int64_t seen,
                                int64_t *version, struct err *err)
{
    enum err_code rc = class_version(db, d->class_id, version, err);
    return rc == OK && seen != CLASS_SEEN_ANY && seen != *version
               ? err_rule(err, ERR_CONFLICT, "class-changed",
                          "Somebody decided about this class since you opened it. Nothing of yours was "
                          "stored yet; look at what changed, then send yours again.")
               : rc;
}

/* An image of the class is one that was collected for it, or stands under it in the revision. */
static enum err_code check_image(const struct deciding *w, struct sv name, struct err *err)
{
    int64_t is = 0;
    enum err_code rc = db_one_int(
        w->db,
        "SELECT 1 FROM image i WHERE i.name = ?1 AND (i.class = ?2 OR EXISTS (SELECT 1"
        " FROM revision r JOIN set_list_image s ON s.list = r.list"
        " WHERE r.id = ?3 AND s.image = i.id AND s.class = ?2))",
        DB_VALS(db_text(name), db_int(w->d->class_id), db_int(w->d->revision)), &is, err);
    return rc == ERR_NOT_FOUND
               ? err_rule(err, ERR_INPUT, "class-decision-image",
                          "The class has no image " SV_FMT ". Nothing was changed.", SV_ARG(name))
               : rc;
}

/* Histories speak of images that the project never had: those are known as well. */
static enum err_code check_known(const struct deciding *w, struct sv name, struct err *err)
{
    int64_t is = 0;
    enum err_code rc = db_one_int(w->db,
                                  "SELECT 1 FROM image WHERE name = ?1 UNION ALL"
                                  " SELECT 1 FROM near_duplicate WHERE a = ?1 UNION ALL"
                                  " SELECT 1 FROM near_duplicate WHERE b = ?1 LIMIT 1",
                                  DB_VALS(db_text(name)), &is, err);
    return rc == ERR_NOT_FOUND
               ? err_rule(err, ERR_INPUT, "near-duplicate-set",
                          "No image is called " SV_FMT ". Nothing was changed; correct the "
                          "near-duplicate set and send it again.",
                          SV_ARG(name))
               : rc;
}

/* ---- near-duplicate sets ---- */

static enum err_code change_pair(struct deciding *w, struct sv x, struct sv y, bool same,
                                 struct err *err)
{
    struct sv a = sv_cmp(x, y) < 0 ? x : y, b = sv_eq(a, x) ? y : x;
    if (w->changes.n == CLASS_DECISION_PAIRS || a.n + b.n > NAME_PAIR_MOST) {
        return err_rule(
            err, ERR_INPUT, "class-decision",
            "This would change more than %d pairs of near-duplicates. Nothing was changed; decide "
            "in several steps.",
            CLASS_DECISION_PAIRS);
    }
    struct sv key = sv_of(arena_printf(&w->arena, "%.*s\n%.*s", (int)a.n, a.p, (int)b.n, b.p));
    uint32_t at = map_sv_put(&w->at, key, (uint32_t)w->changes.n);
    if (at == w->changes.n) {
        list_add(&w->changes, &w->arena, sizeof(struct pair_change));
    }
    ((struct pair_change *)w->changes.items)[at] = (struct pair_change){a, b, same};
    return OK;
}

/* Place of a name in a list; n without one. */
static size_t place_of(const struct sv *names, size_t n, struct sv name)
{
    size_t i = 0;
    while (i < n && !sv_eq(names[i], name)) {
        i++;
    }
    return i;
}

static bool among(const struct sv *names, size_t n, struct sv name)
{
    return place_of(names, n, name) < n;
}

/* Taking apart: names that leave, and what each group of those that hang together held together. */
struct parting {
    bool *met;     /* of each name of `apart` */
    size_t *queue; /* places in `apart`, of the group that is walked through */
    size_t n_queue;
    struct list staying; /* struct sv: neighbours of the group that stay */
};

/* One name leaves its set; its neighbours are noted. */
static enum err_code part_one(struct deciding *w, struct sv name, struct parting *p,
                              struct err *err)
{
    struct near_pair *pairs;
    size_t n;
    enum err_code rc = near_pairs_of(w->db, name, &w->arena, &pairs, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct sv other = sv_eq(pairs[i].a, name) ? pairs[i].b : pairs[i].a;
        size_t at = place_of(w->d->apart, w->d->n_apart, other);
        rc = change_pair(w, name, other, false, err);
        if (at == w->d->n_apart) {
            if (!among(p->staying.items, p->staying.n, other)) {
                *LIST_ADD(&p->staying, &w->arena, struct sv) = other;
            }
        } else if (!p->met[at]) {
            p->met[at] = true;
            p->queue[p->n_queue++] = at;
        }
    }
    return rc;
}

/* The name leaves its set with all that leave and hang on it; what they held together stays one. */
static enum err_code set_apart(struct deciding *w, size_t at, struct parting *p, struct err *err)
{
    enum err_code rc = OK;
    p->queue[0] = at;
    p->n_queue = 1;
    p->met[at] = true;
    p->staying = (struct list){0};
    for (size_t i = 0; i < p->n_queue && rc == OK; i++) {
        rc = part_one(w, w->d->apart[p->queue[i]], p, err);
    }
    const struct sv *stays = p->staying.items;
    for (size_t i = 1; i < p->staying.n && rc == OK; i++) {
        rc = change_pair(w, stays[0], stays[i], true, err);
    }
    return rc;
}

/* Who leaves is an image of the class, or was said to be a near-duplicate of one. */
static enum err_code check_apart(const struct deciding *w, struct sv name, struct err *err)
{
    int64_t is = 0;
    enum err_code rc = check_known(w, name, err);
    if (rc != OK) {
        return rc;
    }
    rc = db_one_int(w->db,
                    "WITH related(name) AS (SELECT ?1 UNION SELECT b FROM near_duplicate WHERE a = "
                    "?1 UNION SELECT a FROM near_duplicate WHERE b = ?1)"
                    " SELECT 1 FROM related m JOIN image i ON i.name = m.name"
                    " WHERE i.class = ?2 OR EXISTS (SELECT 1 FROM revision r"
                    "  JOIN set_list_image s ON s.list = r.list"
                    "  WHERE r.id = ?3 AND s.image = i.id AND s.class = ?2) LIMIT 1",
                    DB_VALS(db_text(name), db_int(w->d->class_id), db_int(w->d->revision)), &is,
                    err);
    return rc == ERR_NOT_FOUND
               ? err_rule(err, ERR_INPUT, "near-duplicate-set",
                          SV_FMT " is neither an image of the class nor a near-duplicate of one. Nothing was "
                                 "changed; take it out of its set on the page of its own class.",
                          SV_ARG(name))
               : rc;
}

static enum err_code put_apart(struct deciding *w, struct err *err)
{
    size_t n = w->d->n_apart;
    enum err_code rc = OK;
    struct parting p = {.met = arena_calloc(&w->arena, n + 1, sizeof *p.met),
                        .queue = arena_calloc(&w->arena, n + 1, sizeof *p.queue)};
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = check_apart(w, w->d->apart[i], err);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (!p.met[i]) {
            rc = set_apart(w, i, &p, err);
        }
    }
    return rc;
}

static enum err_code set_together(struct deciding *w, const struct decided_group *g,
                                  struct err *err)
{
    if (g->n < 2) {
        return err_rule(err, ERR_INPUT, "near-duplicate-set",
                        "A near-duplicate set needs at least two images. Nothing was changed.");
    }
    enum err_code rc = OK;
    for (size_t i = 0; i < g->n && rc == OK; i++) {
        if (among(g->names, i, g->names[i])) {
            return err_rule(err, ERR_INPUT, "near-duplicate-set",
                            SV_FMT " appears twice in a near-duplicate set. Nothing was changed.",
                            SV_ARG(g->names[i]));
        }
        rc = check_known(w, g->names[i], err);
        if (rc == OK && i > 0) {
            rc = change_pair(w, g->names[0], g->names[i], true, err);
        }
    }
    return rc;
}

static enum err_code put_pairs(struct deciding *w, struct err *err)
{
    enum err_code rc = put_apart(w, err);
    for (size_t i = 0; i < w->d->n_groups && rc == OK; i++) {
        rc = set_together(w, &w->d->groups[i], err);
    }
    const struct pair_change *c = w->changes.items;
    for (size_t i = 0; i < w->changes.n && rc == OK; i++) {
        bool added = false;
        rc = near_pairs_put(w->db, w->event, c[i].a, c[i].b, c[i].same, &added, err);
        w->any = w->any || added;
    }
    return rc;
}

/* ---- blacklist and review ---- */

static enum err_code put_images(struct deciding *w, struct err *err)
{
    struct map_sv seen;
    enum err_code rc = OK;
    map_sv_init(&seen);
    for (size_t i = 0; i < w->d->n_images && rc == OK; i++) {
        const struct decided_image *m = &w->d->images[i];
        bool added = false;
        if (map_sv_put(&seen, m->name, (uint32_t)i) != i) {
            rc = err_rule(err, ERR_INPUT, "class-decision-image",
                          SV_FMT " appears twice in this decision. Nothing was changed.",
                          SV_ARG(m->name));
            break;
        }
        rc = check_image(w, m->name, err);
        if (rc == OK) {
            rc = blacklist_put(w->db, w->event, m->name, m->banned, m->banned ? m->reason : SV(""),
                               m->banned ? m->note : SV(""), &added, err);
        }
        w->any = w->any || added;
    }
    map_sv_release(&seen);
    return rc;
}

static enum err_code put_review(struct deciding *w, struct err *err)
{
    const struct class_decision *d = w->d;
    struct class_review_row now;
    bool added = false;
    if (d->reviewed == DECIDED_NOTHING && d->problematic == DECIDED_NOTHING) {
        return OK;
    }
    enum err_code rc = class_reviews_of(w->db, d->revision, d->class_id, &now, err);
    if (rc == OK) {
        rc = class_reviews_put(w->db, d->revision, d->class_id, w->event,
                               d->reviewed == DECIDED_NOTHING ? now.reviewed : d->reviewed != 0,
                               d->problematic == DECIDED_NOTHING ? now.problematic
                                                                 : d->problematic != 0,
                               false, &added, err);
    }
    w->any = w->any || added;
    return rc;
}

/* ---- undoing ---- */

static enum err_code undone(struct err *err, const char *why)
{
    return err_rule(err, ERR_CONFLICT, "class-undone",
                    "This decision cannot be undone: %s. Nothing was changed; make a new decision instead.",
                    why);
}

static enum err_code check_undo(struct deciding *w, int64_t *revision, struct err *err)
{
    int64_t n = 0, id = w->d->undoes;
    enum err_code rc = db_one_int(
        w->db, "SELECT coalesce(revision, 0) FROM class_decision WHERE id = ?1 AND class = ?2",
        DB_VALS(db_int(id), db_int(w->d->class_id)), revision, err);
    if (rc == ERR_NOT_FOUND) {
        return err_rule(err, ERR_NOT_FOUND, "class-decision", "The class has no such decision.");
    }
    if (rc == OK) {
        rc = db_one_int(w->db, "SELECT count(*) FROM class_decision WHERE undoes = ?1",
                        DB_VALS(db_int(id)), &n, err);
    }
    if (rc == OK && n) {
        return undone(err, "it was undone already");
    }
    if (rc == OK) {
        rc = db_one_int(
            w->db,
            "SELECT EXISTS (SELECT 1 FROM blacklisting x JOIN blacklisting y ON y.name = x.name"
            "  AND y.event > x.event WHERE x.event = ?1)"
            " + EXISTS (SELECT 1 FROM near_duplicate x JOIN near_duplicate y ON y.a = x.a AND y.b "
            "= x.b"
            "  AND y.event > x.event WHERE x.event = ?1)"
            " + EXISTS (SELECT 1 FROM class_review x JOIN class_review y ON y.revision = x.revision"
            "  AND y.class = x.class AND y.event > x.event"
            "  WHERE x.revision = ?2 AND x.class = ?3 AND x.event = ?1)",
            DB_VALS(db_int(id), db_int(*revision), db_int(w->d->class_id)), &n, err);
    }
    return rc == OK && n ? undone(err, "a later decision changed the same things again") : rc;
}

DB_ROW(image_before_row, struct decided_image, name, banned, reason, note);
DB_ROW(pair_change_row, struct pair_change, a, b, same);

/* What stood before the decision for each image that it was about; (off, "", "") where nothing did.
 */
static enum err_code undo_images(struct deciding *w, struct err *err)
{
    struct decided_image *m;
    size_t n;
    enum err_code rc = db_list(w->db, image_before_row, &m, &n, &w->arena,
                               "SELECT x.name, coalesce(b.banned, 0), coalesce(b.reason, ''),"
                               " coalesce(b.note, '') FROM blacklisting x LEFT JOIN blacklisting b"
                               " ON b.name = x.name AND b.event = (SELECT max(p.event) FROM blacklisting p"
                               "  WHERE p.name = x.name AND p.event < x.event) WHERE x.event = ?1",
                               DB_VALS(db_int(w->d->undoes)), err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        bool added = false;
        rc = blacklist_put(w->db, w->event, m[i].name, m[i].banned, m[i].reason, m[i].note, &added,
                           err);
        w->any = w->any || added;
    }
    return rc;
}

static enum err_code undo_pairs(struct deciding *w, struct err *err)
{
    struct pair_change *c;
    size_t n;
    enum err_code rc = db_list(w->db, pair_change_row, &c, &n, &w->arena,
                               "SELECT a, b, same FROM near_duplicate WHERE event = ?1",
                               DB_VALS(db_int(w->d->undoes)), err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        bool added = false;
        rc = near_pairs_put(w->db, w->event, c[i].a, c[i].b, !c[i].same, &added, err);
        w->any = w->any || added;
    }
    return rc;
}

DB_ROW(review_before_row, struct class_review_row, event, reviewed, problematic, carried);

static enum err_code undo_review(struct deciding *w, int64_t revision, struct err *err)
{
    struct class_review_row newest = {0}, before = {0};
    struct db_rows r;
    bool added = false;
    db_begin(w->db,
             "SELECT event, reviewed, problematic, carried FROM class_review WHERE revision = ?1"
             " AND class = ?2 AND event <= ?3 ORDER BY event DESC LIMIT 2",
             DB_VALS(db_int(revision), db_int(w->d->class_id), db_int(w->d->undoes)), &r, err);
    if (db_next(&r, review_before_row, &newest, NULL, err)) {
        db_next(&r, review_before_row, &before, NULL, err);
    }
    enum err_code rc = db_end(&r);
    if (rc == OK && newest.event == w->d->undoes) {
        rc = class_reviews_put(w->db, revision, w->d->class_id, w->event, before.reviewed,
                               before.problematic, before.carried, &added, err);
    }
    w->any = w->any || added;
    return rc;
}

/* ---- writing ---- */

static enum err_code begin(struct deciding *w, int64_t revision, int64_t account, int64_t now,
                           struct err *err)
{
    enum err_code rc =
        events_add(w->db, now, account, w->d->undoes ? "class.undo" : "class.decision",
                   w->d->class_id, NULL, &w->event, err);
    return rc == OK ? db_run(w->db,
                             "INSERT INTO class_decision (id, class, revision, undoes) VALUES (?1, "
                             "?2, ?3, ?4)",
                             DB_VALS(db_int(w->event), db_int(w->d->class_id),
                                     revision ? db_int(revision) : db_null(),
                                     w->d->undoes ? db_int(w->d->undoes) : db_null()),
                             err)
                    : rc;
}

static enum err_code write_undo(struct deciding *w, int64_t account, int64_t now, struct err *err)
{
    int64_t revision = 0;
    enum err_code rc = check_undo(w, &revision, err);
    rc = rc == OK ? begin(w, revision, account, now, err) : rc;
    rc = rc == OK ? undo_images(w, err) : rc;
    rc = rc == OK ? undo_pairs(w, err) : rc;
    return rc == OK ? undo_review(w, revision, err) : rc;
}

static enum err_code write_new(struct deciding *w, int64_t account, int64_t now, struct err *err)
{
    enum err_code rc = begin(w, w->d->revision, account, now, err);
    rc = rc == OK ? put_images(w, err) : rc;
    rc = rc == OK ? put_pairs(w, err) : rc;
    return rc == OK ? put_review(w, err) : rc;
}

/* In a savepoint of its own: what says nothing new leaves no event behind. */
static enum err_code write_one(struct deciding *w, int64_t account, int64_t now, struct err *err)
{
    enum err_code rc = db_savepoint(w->db, err);
    if (rc != OK) {
        return rc;
    }
    rc = w->d->undoes ? write_undo(w, account, now, err) : write_new(w, account, now, err);
    if (rc != OK || !w->any) {
        db_savepoint_rollback(w->db);
        return rc;
    }
    return db_savepoint_release(w->db, err);
}

enum err_code class_decisions_check(struct db *db, const struct class_decision *d, int64_t seen,
                                    int64_t *version, struct err *err)
{
    enum err_code rc = check_size(d, err);
    return rc == OK ? check_seen(db, d, seen, version, err) : rc;
}

enum err_code class_decisions_write(struct db *db, const struct class_decision *d, int64_t seen,
                                    int64_t account, int64_t now, int64_t *id, struct err *err)
{
    struct deciding w = {.db = db, .d = d};
    enum err_code rc = class_decisions_check(db, d, seen, id, err);
    if (rc != OK) {
        return rc;
    }
    arena_init(&w.arena, 16 << 20);
    map_sv_init(&w.at);
    rc = write_one(&w, account, now, err);
    if (rc == OK && w.any) {
        *id = w.event;
    }
    map_sv_release(&w.at);
    arena_release(&w.arena);
    return rc;
}
