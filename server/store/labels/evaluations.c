/* evaluations.c - lists are written in slices, with their state last, as all lists are that are too long for one
 * transaction beside a server. */
#include "store/labels/evaluations.h"

#include "db/bulk.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/core/known.h"
#include "store/labels/evaluation_people.h"

enum { CHUNK = 50, NAME_MOST = 63 };

DB_ROW(evaluation_row, struct evaluation_row, id, as_of, seed, images, at, account, people, answers, name, drawn_by, models, state,
       login);

#define STATE "(SELECT s.state FROM evaluation_state s WHERE s.evaluation = r.id ORDER BY s.id DESC LIMIT 1)"
#define WHOLE " EXISTS (SELECT 1 FROM evaluation_state s WHERE s.evaluation = r.id)"
/* ?1: an account whose work the list is now. */
#define THEIRS                                                                                                         \
    " coalesce((SELECT w.active FROM evaluation_person w WHERE w.account = ?1 AND w.evaluation = r.id"                 \
    " ORDER BY w.id DESC LIMIT 1), 0)"
#define EVALUATION                                                                                                     \
    "SELECT r.id, r.as_of, r.seed, r.images, e.at, e.account, (SELECT count(*) FROM evaluation_person w"               \
    "  WHERE w.evaluation = r.id AND w.active AND w.id = (SELECT max(id) FROM evaluation_person"                       \
    "   WHERE evaluation = r.id AND account = w.account)),"                                                            \
    " (SELECT count(*) FROM evaluation_answer k WHERE k.evaluation = r.id), r.name, r.drawn_by, r.models, " STATE ","  \
    " coalesce(n.external_id, '') FROM evaluation r JOIN event e ON e.id = r.id"                                       \
    " LEFT JOIN account a ON a.id = e.account LEFT JOIN identity n ON n.person = a.person AND n.source = 'local' "

static enum err_code no_evaluation(struct db *db, struct sv name, struct err *err)
{
    static const struct known known = {"evaluation", "evaluation", "Make one with `holdout evaluation create`",
                                       "SELECT r.name FROM evaluation r WHERE" WHOLE " ORDER BY r.name"};
    return known_refuse(db, &known, name, DB_NONE, err);
}

enum err_code evaluations_find(struct db *db, struct sv name, struct arena *a, struct evaluation_row *out, struct err *err)
{
    enum err_code rc = db_find(db, evaluation_row, out, a, EVALUATION "WHERE r.name = ?1 AND" WHOLE, DB_VALS(db_text(name)), err);
    return rc == ERR_NOT_FOUND ? no_evaluation(db, name, err) : rc;
}

enum err_code evaluations_list(struct db *db, int64_t account, struct arena *a, struct evaluation_row **out, size_t *n,
                               struct err *err)
{
    return db_list(db, evaluation_row, out, n, a,
                   EVALUATION "WHERE" WHOLE " AND (?1 = 0 OR (" STATE " = 'open' AND" THEIRS ")) ORDER BY r.name",
                   DB_VALS(db_int(account)), err);
}

enum err_code evaluations_at_desk(struct db *db, int64_t account, bool *out, struct err *err)
{
    return db_exists(db,
                     "SELECT 1 FROM (SELECT DISTINCT evaluation AS id FROM evaluation_person WHERE account = ?1) r"
                     " WHERE " STATE " = 'open' AND" THEIRS,
                     DB_VALS(db_int(account)), out, err);
}

/* ---- what is in one ---- */

DB_ROW(set_row, struct evaluation_set_row, side, revision, images, seen, most_right, set);

enum err_code evaluation_sets(struct db *db, int64_t evaluation, struct arena *a, struct evaluation_set_row **out, size_t *n,
                              struct err *err)
{
    return db_list(db, set_row, out, n, a,
                   "SELECT x.side, x.revision, x.images, x.seen, coalesce(x.most_right, -1), t.name || '/' || v.number"
                   " FROM evaluation_set x JOIN revision v ON v.id = x.revision JOIN image_set t ON t.id = v.image_set"
                   " WHERE x.evaluation = ?1 ORDER BY x.side",
                   DB_VALS(db_int(evaluation)), err);
}

DB_ROW(class_row, struct evaluation_class, class_id, cid, wnid, synset, gloss);

enum err_code evaluation_classes(struct db *db, int64_t evaluation, struct arena *a, struct evaluation_class **out, size_t *n,
                                 struct err *err)
{
    return db_list(db, class_row, out, n, a,
                   "SELECT c.id, c.cid, c.wnid, c.synset, c.gloss FROM evaluation_class k JOIN class c ON c.id = k.class"
                   " WHERE k.evaluation = ?1 ORDER BY c.cid, c.id",
                   DB_VALS(db_int(evaluation)), err);
}

DB_ROW(image_row, struct evaluation_image, image, side, models_right);

enum err_code evaluation_images(struct db *db, int64_t evaluation, struct arena *a, struct evaluation_image **out, size_t *n,
                                struct err *err)
{
    return db_list(db, image_row, out, n, a,
                   "SELECT image, side, coalesce(models_right, -1) FROM evaluation_image WHERE evaluation = ?1 ORDER BY number",
                   DB_VALS(db_int(evaluation)), err);
}

enum err_code evaluation_image_at(struct db *db, int64_t evaluation, int64_t number, int64_t *image, struct err *err)
{
    enum err_code rc = db_one_int(db, "SELECT image FROM evaluation_image WHERE evaluation = ?1 AND number = ?2",
                                  DB_VALS(db_int(evaluation), db_int(number)), image, err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "evaluation-item", "This evaluation has no such image.") : rc;
}

/* ---- making one ---- */

DB_ROW(candidate_row, struct evaluation_candidate, image, class_id, source);

enum err_code evaluation_candidates(struct db *db, int64_t revision, struct arena *a, struct evaluation_candidate **out, size_t *n,
                                    struct err *err)
{
    return db_list(db, candidate_row, out, n, a,
                   "SELECT s.image, s.class, coalesce(i.source, 0) FROM revision v JOIN set_list_image s ON s.list = v.list"
                   " JOIN image i ON i.id = s.image WHERE v.id = ?1 ORDER BY s.position",
                   DB_VALS(db_int(revision)), err);
}

/* ?1: an account. What an evaluation has is seen by those whose work it ever was, whether they were there yet or not. */
#define SAW                                                                                                            \
    "(SELECT w.image FROM account_shown w WHERE w.account = ?1 UNION ALL SELECT m.image FROM evaluation_image m"       \
    "  WHERE m.evaluation IN (SELECT evaluation FROM evaluation_person WHERE account = ?1))"

enum err_code evaluation_saw_list(struct db *db, int64_t account, struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db, "SELECT DISTINCT w.image FROM " SAW " w", DB_VALS(db_int(account)), a, out, n, err);
}

enum err_code evaluation_name_free(struct db *db, struct sv name, struct err *err)
{
    bool taken = false;
    if (!sv_is_word(name, "-_.") || name.n > NAME_MOST || name.p[0] == '.' || sv_is(name, "new")) {
        return err_rule(err, ERR_INPUT, "evaluation-name",
                        "The name of an evaluation must be 1 to %d letters, digits, \"-\", \"_\" or \".\", must not begin with a dot and "
                        "must not be \"new\". Nothing was written.",
                        NAME_MOST);
    }
    enum err_code rc = db_exists(db, "SELECT 1 FROM evaluation r WHERE r.name = ?1 AND" WHOLE, DB_VALS(db_text(name)), &taken, err);
    return rc == OK && taken ? err_rule(err, ERR_CONFLICT, "evaluation-taken",
                                        "There is an evaluation " SV_FMT " already: choose another name. Nothing was written.", SV_ARG(name))
                             : rc;
}

struct evaluation_write {
    const struct evaluation_new *v;
    int64_t id, now;
    size_t done;
};

/* What a killed run left was seen by nobody. */
static enum err_code drop_begun(struct db *db, const struct evaluation_write *w, struct err *err)
{
#define BEGUN "WHERE evaluation IN (SELECT id FROM evaluation WHERE name = ?1)"
    static const char *const steps[] = {"DELETE FROM evaluation_image " BEGUN, "DELETE FROM evaluation_class " BEGUN,
                                        "DELETE FROM evaluation_set " BEGUN, "DELETE FROM evaluation WHERE name = ?1"};
    const struct db_val name = db_text(w->v->name);
    enum err_code rc = OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && rc == OK; i++) {
        rc = db_run(db, steps[i], &name, 1, err);
    }
    return rc;
}

static enum err_code insert_parts(struct db *db, const struct evaluation_write *w, struct err *err)
{
    const struct evaluation_new *v = w->v;
    enum err_code rc = OK;
    for (size_t i = 0; i < v->n_sets && rc == OK; i++) {
        const struct evaluation_set_row *s = &v->sets[i];
        rc = db_run(db,
                    "INSERT INTO evaluation_set (evaluation, side, revision, images, seen, most_right)"
                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    DB_VALS(db_int(w->id), db_int(s->side), db_int(s->revision), db_int(s->images), db_int(s->seen),
                            s->most_right < 0 ? db_null() : db_int(s->most_right)),
                    err);
    }
    for (size_t i = 0; i < v->n_classes && rc == OK; i++) {
        rc = db_run(db, "INSERT INTO evaluation_class (evaluation, class) VALUES (?1, ?2)",
                    DB_VALS(db_int(w->id), db_int(v->classes[i])), err);
    }
    return rc;
}

static enum err_code begin(struct db *db, struct evaluation_write *w, struct err *err)
{
    const struct evaluation_new *v = w->v;
    enum err_code rc = evaluation_name_free(db, v->name, err);
    rc = rc == OK ? drop_begun(db, w, err) : rc;
    rc = rc == OK ? events_add(db, w->now, v->account, "evaluation.create", 0, NULL, &w->id, err) : rc;
    rc = rc == OK ? db_run(db,
                           "INSERT INTO evaluation (id, name, drawn_by, models, as_of, seed, images)"
                           " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                           DB_VALS(db_int(w->id), db_text(v->name), db_str(evaluation_word(v->by)), db_text(v->models),
                                   db_int(v->as_of), db_int(v->seed), db_int((int64_t)v->n)),
                           err)
                  : rc;
    return rc == OK ? insert_parts(db, w, err) : rc;
}

static enum err_code insert_image(struct db *db, const struct evaluation_write *w, size_t at, struct err *err)
{
    const struct evaluation_image *i = &w->v->images[at];
    return db_run(db, "INSERT INTO evaluation_image (evaluation, number, image, side, models_right) VALUES (?1, ?2, ?3, ?4, ?5)",
                  DB_VALS(db_int(w->id), db_int((int64_t)at), db_int(i->image), db_int(i->side),
                          i->models_right < 0 ? db_null() : db_int(i->models_right)),
                  err);
}

/* People who were shown an image since the list was drawn would not be eligible: the last step looks once more. */
static enum err_code finish(struct db *db, const struct evaluation_write *w, struct err *err)
{
    const struct evaluation_new *v = w->v;
    int64_t id;
    enum err_code rc = OK;
    for (size_t i = 0; i < v->n_people && rc == OK; i++) {
        rc = evaluation_assign(db, w->id, v->people[i], true, v->account, w->now, err);
    }
    rc = rc == OK ? events_add(db, w->now, v->account, "evaluation.open", w->id, NULL, &id, err) : rc;
    return rc == OK ? db_run(db, "INSERT INTO evaluation_state (id, evaluation, state) VALUES (?1, ?2, 'open')",
                             DB_VALS(db_int(id), db_int(w->id)), err)
                    : rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct evaluation_write *w = arg;
    enum err_code rc = w->id ? OK : begin(db, w, err);
    for (int k = 0; k < CHUNK && w->done < w->v->n && rc == OK; k++) {
        rc = insert_image(db, w, w->done, err);
        w->done++;
    }
    *more = w->done < w->v->n;
    return rc == OK && !*more ? finish(db, w, err) : rc;
}

enum err_code evaluation_add(struct db *db, bool alone, const struct evaluation_new *v, int64_t now, int64_t *id, struct err *err)
{
    struct evaluation_write w = {.v = v, .now = now};
    enum err_code rc = bulk_write(db, alone, write_step, &w, err);
    *id = w.id;
    return rc;
}

enum err_code evaluation_close(struct db *db, int64_t evaluation, int64_t by, int64_t now, struct err *err)
{
    int64_t id;
    bool closed = false;
    enum err_code rc = db_exists(db, "SELECT 1 FROM evaluation_state WHERE evaluation = ?1 AND state = 'closed'",
                                 DB_VALS(db_int(evaluation)), &closed, err);
    if (rc != OK || closed) {
        return rc;
    }
    rc = events_add(db, now, by, "evaluation.close", evaluation, NULL, &id, err);
    return rc == OK ? db_run(db, "INSERT INTO evaluation_state (id, evaluation, state) VALUES (?1, ?2, 'closed')",
                             DB_VALS(db_int(id), db_int(evaluation)), err)
                    : rc;
}

static enum err_code need_unseen(struct db *db, int64_t evaluation, int64_t account, struct err *err)
{
    int64_t seen = 0, near = 0;
    enum err_code rc = evaluation_seen_count(db, evaluation, account, &seen, &near, err);
    return rc == OK && seen ? err_rule(err, ERR_CONFLICT, "evaluation-seen",
                                       "They have seen %lld of the evaluation's images elsewhere, or will in another evaluation (%lld of them as "
                                       "near-duplicates), so they cannot take part. Make an evaluation with them from the start: it leaves out "
                                       "what they know.",
                                       (long long)seen, (long long)near)
                            : rc;
}

enum err_code evaluation_assign(struct db *db, int64_t evaluation, int64_t account, bool active, int64_t by, int64_t now,
                                struct err *err)
{
    int64_t id;
    bool is;
    enum err_code rc = evaluation_person_is(db, evaluation, account, &is, err);
    if (rc != OK || is == active) {
        return rc;
    }
    rc = active ? need_unseen(db, evaluation, account, err) : rc;
    rc = rc == OK ? events_add(db, now, by, active ? "evaluation.assign" : "evaluation.release", evaluation, NULL, &id, err) : rc;
    return rc == OK ? db_run(db, "INSERT INTO evaluation_person (id, evaluation, account, active) VALUES (?1, ?2, ?3, ?4)",
                             DB_VALS(db_int(id), db_int(evaluation), db_int(account), db_int(active)), err)
                    : rc;
}
