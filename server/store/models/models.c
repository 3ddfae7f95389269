/* models.c - SQL for models. A model's row stays as it was added, but for its note; removing it and
 * bringing it back are rows of their own. */
#include "store/models/models.h"

#include <string.h>

#include "db/rows.h"
#include "store/core/events.h"
#include "store/core/known.h"

enum { NOTE_MOST = 2000, REASON_MOST = 1000 };

#define REMOVED                                                                                    \
    "coalesce((SELECT x.removed FROM model_removal x WHERE x.model = m.id ORDER BY x.id DESC"      \
    " LIMIT 1), 0)"
#define MODEL                                                                                      \
    "SELECT m.id, e.at, coalesce(m.bytes, 0), m.name, m.kind, coalesce(m.file, ''),"               \
    " coalesce(m.recipe, ''), coalesce(m.facts, ''), m.note, m.hash, " REMOVED                     \
    " FROM model m JOIN event e ON e.id = m.id "

enum err_code model_name_check(struct sv name, struct err *err)
{
    bool good = sv_is_word(name, "-_.@") && name.n < MODEL_NAME && name.p[0] != '.' && name.p[0] != '@';
    return good ? OK
                : err_rule(err, ERR_INPUT, "model-name",
                           "The name of a model must be 1 to %d letters, digits, \"-\", \"_\", \".\" or \"@\", and must "
                           "not begin with a dot or \"@\".",
                           MODEL_NAME - 1);
}

/* ---- reading ---- */

DB_ROW(model_row, struct model_row, id, at, bytes, name, kind, file, recipe, facts, note, hash,
       removed);

static enum err_code no_model(struct db *db, struct sv name, struct err *err)
{
    static const struct known known = {"model", "model", "Add one with `holdout model add`",
                                       "SELECT m.name FROM model m WHERE NOT " REMOVED " ORDER BY m.name"};
    return known_refuse(db, &known, name, DB_NONE, err);
}

enum err_code models_find(struct db *db, struct sv name, struct arena *a, struct model_row *out,
                          struct err *err)
{
    enum err_code rc = db_find(db, model_row, out, a, MODEL "WHERE m.name = ?1",
                               DB_VALS(db_text(name)), err);
    return rc == ERR_NOT_FOUND ? no_model(db, name, err) : rc;
}

enum err_code models_list(struct db *db, bool removed_too, struct arena *a, struct model_row **out,
                          size_t *n, struct err *err)
{
    return db_list(db, model_row, out, n, a, MODEL "WHERE ?1 OR NOT " REMOVED " ORDER BY m.name",
                   DB_VALS(db_int(removed_too)), err);
}

static size_t place_of(const struct model_row *list, size_t n, struct sv name)
{
    size_t i = 0;
    while (i < n && !sv_eq(list[i].name, name)) {
        i++;
    }
    return i;
}

enum err_code models_named(struct db *db, struct sv names, struct arena *a, struct model_row **out, size_t *n,
                           struct err *err)
{
    struct model_row *all;
    size_t n_all = 0;
    enum err_code rc = models_list(db, false, a, &all, &n_all, err);
    *out = all;
    *n = n_all;
    if (rc != OK || sv_trim(names).n == 0) {
        return rc;
    }
    *n = 0;
    *out = arena_calloc(a, n_all + 1, sizeof **out);
    while (names.n) {
        struct sv name = sv_trim(sv_cut(&names, ','));
        size_t at = place_of(all, n_all, name);
        if (at == n_all) {
            return no_model(db, name, err);
        }
        if (place_of(*out, *n, name) == *n) {
            (*out)[(*n)++] = all[at];
        }
    }
    return OK;
}

/* ---- writing ---- */

static enum err_code check_text(struct sv text, size_t most, const char *what, struct err *err)
{
    return text.n <= most && sv_utf8(text)
               ? OK
               : err_rule(err, ERR_INPUT, "model-text",
                          "The %s of a model must be text of at most %zu bytes. Nothing was changed.",
                          what, most);
}

static enum err_code insert(struct db *db, struct model_row *m, int64_t account, int64_t now,
                            struct err *err)
{
    bool onnx = m->file.n > 0;
    enum err_code rc = events_add(db, now, account, "model.add", 0, NULL, &m->id, err);
    if (rc != OK) {
        return rc;
    }
    m->at = now;
    return db_run(db,
                  "INSERT INTO model (id, name, kind, file, hash, bytes, recipe, facts, note)"
                  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                  DB_VALS(db_int(m->id), db_text(m->name), db_text(m->kind), db_text_opt(m->file),
                          onnx ? db_blob(m->hash, MODEL_HASH) : db_null(),
                          onnx ? db_int(m->bytes) : db_null(), db_text_opt(m->recipe),
                          db_text_opt(m->facts), db_text(m->note)),
                  err);
}

static enum err_code say_removed(struct db *db, int64_t id, bool removed, struct sv reason,
                                 int64_t account, int64_t now, struct err *err)
{
    int64_t event;
    enum err_code rc = events_add(db, now, account, removed ? "model.remove" : "model.restore", id,
                                  NULL, &event, err);
    return rc == OK
               ? db_run(db,
                        "INSERT INTO model_removal (id, model, removed, reason) VALUES (?1, ?2, "
                        "?3, ?4)",
                        DB_VALS(db_int(event), db_int(id), db_int(removed), db_text(reason)), err)
               : rc;
}

enum err_code models_put(struct db *db, struct model_row *m, int64_t account, int64_t now,
                         bool *added, struct err *err)
{
    struct arena a;
    struct model_row there;
    enum err_code rc = model_name_check(m->name, err);
    rc = rc == OK ? check_text(m->note, NOTE_MOST, "note", err) : rc;
    if (rc != OK) {
        return rc;
    }
    arena_init(&a, 16 << 20);
    rc = db_find(db, model_row, &there, &a, MODEL "WHERE m.name = ?1",
                 DB_VALS(db_text(m->name)), err);
    *added = rc == ERR_NOT_FOUND || (rc == OK && there.removed);
    if (rc == ERR_NOT_FOUND) {
        rc = insert(db, m, account, now, err);
    } else if (rc == OK) {
        m->id = there.id;
        m->at = there.at;
        bool same = sv_eq(m->kind, there.kind) && sv_eq(m->recipe, there.recipe) &&
                    memcmp(m->hash, there.hash, MODEL_HASH) == 0;
        if (!same) {
            rc = err_rule(err, ERR_CONFLICT, "model-differs",
                          "There %s another model named " SV_FMT " (other content or another recipe), "
                          "and predictions refer to it. Nothing was changed; choose another name.",
                          there.removed ? "was" : "is", SV_ARG(m->name));
        } else if (there.removed) {
            rc = say_removed(db, there.id, false, SV(""), account, now, err);
        }
    }
    arena_release(&a);
    return rc;
}

enum err_code models_remove(struct db *db, int64_t id, struct sv reason, int64_t account,
                            int64_t now, struct err *err)
{
    int64_t removed;
    enum err_code rc = check_text(reason, REASON_MOST, "removal's reason", err);
    if (rc == OK) {
        rc = db_one_int(db, "SELECT " REMOVED " FROM model m WHERE m.id = ?1", DB_VALS(db_int(id)),
                        &removed, err);
        if (rc == ERR_NOT_FOUND) {
            return err_rule(err, rc, "model", "There is no such model.");
        }
    }
    return rc != OK || removed ? rc : say_removed(db, id, true, reason, account, now, err);
}

enum err_code models_note(struct db *db, int64_t id, struct sv note, int64_t account, int64_t now,
                          struct err *err)
{
    enum err_code rc = check_text(note, NOTE_MOST, "note", err);
    if (rc == OK) {
        rc = db_run(db, "UPDATE model SET note = ?2 WHERE id = ?1",
                    DB_VALS(db_int(id), db_text(note)), err);
    }
    if (rc == OK && db_changes(db) == 0) {
        return err_rule(err, ERR_NOT_FOUND, "model", "There is no such model.");
    }
    return rc == OK ? events_add(db, now, account, "model.note", id, NULL, NULL, err) : rc;
}

enum err_code models_has_results(struct db *db, int64_t model, const unsigned char digest[32],
                                 bool *out, struct err *err)
{
    int64_t found = 0;
    enum err_code rc = db_one_int(
        db,
        "SELECT EXISTS (SELECT 1 FROM prediction_source WHERE model = ?1 AND digest = ?2)"
        " OR EXISTS (SELECT 1 FROM feature_source WHERE model = ?1 AND digest = ?2)",
        DB_VALS(db_int(model), db_blob(digest, 32)), &found, err);
    *out = found != 0;
    return rc;
}
