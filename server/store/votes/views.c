/* views.c - SQL for vote_view. Knows nothing of counting: live/votes/view_count.h does that with what
 * views_campaigns and views_blocked say. */
#include "store/votes/views.h"

#include <string.h>

#include "base/list.h"
#include "db/rows.h"
#include "store/campaigns/campaigns.h"
#include "store/core/events.h"

/* Every version; how many there are of its name up to it. */
#define VERSION_SELECT                                                                             \
    "SELECT v.id, e.at, coalesce(e.account, 0), coalesce(v.as_of, 0),"                             \
    " (SELECT count(*) FROM vote_view o WHERE o.name = v.name AND o.id <= v.id), v.name,"          \
    " v.description, v.kinds, v.campaigns, coalesce(i.external_id, ''), v.filters"                 \
    " FROM vote_view v JOIN event e ON e.id = v.id LEFT JOIN account c ON c.id = e.account"        \
    " LEFT JOIN identity i ON i.person = c.person"
/* The newest version of every name. */
#define VIEW_SELECT                                                                                \
    VERSION_SELECT " WHERE v.id = (SELECT max(o.id) FROM vote_view o WHERE o.name = v.name)"

/* Its rules are in the column behind these. */
DB_ROW(view_row, struct vote_view, id, at, account, as_of, versions, name, description, kinds,
       campaigns, login);

static enum err_code read_views(struct db *db, const char *sql, const struct db_val *v, size_t n_values,
                                struct arena *a, struct vote_view **out, size_t *n, struct err *err)
{
    struct db_rows r;
    struct vote_view view;
    struct list list = {0};
    enum err_code rc = db_begin(db, sql, v, n_values, &r, err);
    while (rc == OK && db_next(&r, view_row, &view, a, err)) {
        rc = view_rules_parse(db_col_text(&r, 10), &view.rules, err);
        *LIST_ADD(&list, a, struct vote_view) = view;
    }
    *out = list.items;
    *n = list.n;
    return db_end_after(&r, rc);
}

enum err_code views_list(struct db *db, struct arena *a, struct vote_view **out, size_t *n,
                         struct err *err)
{
    return read_views(db, VIEW_SELECT " ORDER BY v.name <> 'default', v.name", DB_NONE, a, out, n, err);
}

enum err_code views_versions(struct db *db, struct sv name, struct arena *a, struct vote_view **out,
                             size_t *n, struct err *err)
{
    return read_views(db, VERSION_SELECT " WHERE v.name = ?1 ORDER BY v.id DESC LIMIT 100",
                      DB_VALS(db_text(name)), a, out, n, err);
}

/* The only row, if there is one. */
static enum err_code read_one(struct db *db, const char *sql, const struct db_val *v, size_t n_values,
                              struct arena *a, struct vote_view *out, const char *missing,
                              struct err *err)
{
    struct vote_view *list;
    size_t n;
    enum err_code rc = read_views(db, sql, v, n_values, a, &list, &n, err);
    if (rc == OK && n) {
        *out = list[0];
    }
    return rc == OK && !n ? err_rule(err, ERR_NOT_FOUND, "no-view", "%s", missing) : rc;
}

enum err_code views_find(struct db *db, struct sv name, struct arena *a, struct vote_view *out,
                         struct err *err)
{
    return read_one(db, VIEW_SELECT " AND v.name = ?1", DB_VALS(db_text(name)), a, out,
                    "There is no view with that name.", err);
}

enum err_code views_named(struct db *db, struct sv name, struct arena *a, struct vote_view *out, struct err *err)
{
    int64_t number = 0;
    struct sv rest = name, first = sv_cut(&rest, '/');
    if (!sv_i64(rest, &number)) {
        return views_find(db, name, a, out, err);
    }
    return read_one(db, VERSION_SELECT " WHERE v.name = ?1 ORDER BY v.id LIMIT 1 OFFSET max(?2 - 1, 0)",
                    DB_VALS(db_text(first), db_int(number)), a, out, "There is no such version of that view.", err);
}

enum err_code views_version(struct db *db, int64_t id, struct sv name, struct arena *a,
                            struct vote_view *out, struct err *err)
{
    return read_one(db, VERSION_SELECT " WHERE v.id = ?1 AND ?2 IN ('', v.name)",
                    DB_VALS(db_int(id), db_text(name)), a, out,
                    "There is no such version of that view.", err);
}

enum err_code views_campaigns(struct db *db, const struct vote_view *v, struct arena *a,
                              int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db,
                       "SELECT id FROM campaign WHERE"
                       " instr('|' || ?1 || '|', '|' || kind || '|') > 0 OR"
                       " instr('|' || ?2 || '|', '|' || name || '|') > 0 ORDER BY id",
                       DB_VALS(db_text(v->kinds), db_text(v->campaigns)), a, out, n, err);
}

enum err_code views_blocked(struct db *db, int64_t as_of, struct arena *a, int64_t **out, size_t *n,
                            struct err *err)
{
    /* SQLite takes `kind` from the row that has the max(). */
    return db_list_int(db,
                       "SELECT person, max(id), kind FROM person_note"
                       " WHERE kind IN ('block', 'unblock') AND id <= ?1"
                       " GROUP BY person HAVING kind = 'block' ORDER BY person",
                       DB_VALS(db_int(as_of > 0 ? as_of : INT64_MAX)), a, out, n, err);
}

enum err_code views_blocked_last(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT coalesce(max(id), 0) FROM person_note WHERE kind IN ('block', 'unblock')", DB_NONE, out, err);
}

static enum err_code check_texts(const struct vote_view *v, struct err *err)
{
    bool good = v->name.n > 0 && v->name.n <= VIEW_NAME_MOST && !sv_is(v->name, "default") &&
                !sv_is(v->name, "new");
    for (size_t i = 0; i < v->name.n && good; i++) {
        char c = v->name.p[i];
        good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    }
    if (!good) {
        return err_rule(err, ERR_INPUT, "view-name",
                        "A view's name must be 1 to %d of a-z, 0-9 and -, but neither \"default\" nor "
                        "\"new\". Nothing was stored.",
                        VIEW_NAME_MOST);
    }
    if (v->description.n > VIEW_TEXT_MOST || !sv_utf8(v->description)) {
        return err_rule(err, ERR_INPUT, "view-text",
                        "A view's description must be text of at most %d bytes. Nothing was stored.",
                        VIEW_TEXT_MOST);
    }
    return OK;
}

static bool stands_in(struct sv joined, struct sv word)
{
    for (struct sv rest = joined; rest.p;) {
        if (sv_eq(sv_cut(&rest, '|'), word)) {
            return true;
        }
    }
    return false;
}

/* Every word of `joined` is one that the query finds, and stands there once. */
static enum err_code check_words(struct db *db, struct sv joined, const char *sql, const char *rule,
                                 const char *what, struct err *err)
{
    for (struct sv rest = joined; rest.p && joined.n;) {
        int64_t known;
        struct sv word = sv_cut(&rest, '|');
        enum err_code rc = word.n && sv_utf8(word)
                               ? db_one_int(db, sql, DB_VALS(db_text(word)), &known, err)
                               : ERR_NOT_FOUND;
        if (rc != OK && rc != ERR_NOT_FOUND) {
            return rc;
        }
        if (rc == ERR_NOT_FOUND || stands_in(rest, word)) {
            bool shown = word.n <= 64 && sv_utf8(word);
            return err_rule(err, ERR_INPUT, rule, "\"" SV_FMT "\" %s. Nothing was stored.",
                            SV_ARG(shown ? word : SV("?")),
                            rc == OK ? "is in the view's list twice" : what);
        }
    }
    return OK;
}

/* Which votes: kinds and campaigns that there are, an event that has happened. */
static enum err_code check_choice(struct db *db, const struct vote_view *v, struct err *err)
{
    enum err_code rc = check_words(
        db, v->kinds,
        "SELECT 1 FROM (VALUES ('pilot'), ('main'), ('top-up'), ('potential'), ('re-measurement'),"
        " ('training'), ('evaluation')) WHERE column1 = ?1",
        "view-kind", "is not a kind of campaign", err);
    if (rc == OK) {
        rc = check_words(db, v->campaigns, "SELECT 1 FROM campaign WHERE name = ?1",
                         "view-campaign", "is not a campaign", err);
    }
    if (rc == OK && v->kinds.n == 0 && v->campaigns.n == 0) {
        rc = err_rule(err, ERR_INPUT, "view-campaign",
                      "The view chooses no campaign, neither by kind nor by name, so it would count nothing. "
                      "Nothing was stored.");
    }
    int64_t last = 0;
    rc = rc == OK ? events_last(db, &last, err) : rc;
    if (rc == OK && (v->as_of < 0 || v->as_of > last)) {
        rc = err_rule(err, ERR_INPUT, "view-as-of",
                      "A view counts up to an event between 1 and %lld, the newest, or all of "
                      "them. Nothing was stored.",
                      (long long)last);
    }
    return rc;
}

static enum err_code check_room(struct db *db, struct err *err)
{
    int64_t n = 0;
    enum err_code rc =
        db_one_int(db, "SELECT count(DISTINCT name) FROM vote_view", DB_NONE, &n, err);
    return rc == OK && n >= VIEWS_MOST
               ? err_rule(err, ERR_LIMIT, "views-most",
                          "There are already %d views, and views are never deleted: make a new version of "
                          "one of them. Nothing was stored.",
                          VIEWS_MOST)
               : rc;
}

enum err_code views_create(struct db *db, const struct vote_view *v, int64_t account, int64_t now,
                           int64_t *id, struct err *err)
{
    struct arena a;
    struct vote_view old = {0};
    *id = 0;
    arena_init(&a, 1 << 16);
    enum err_code rc = check_texts(v, err);
    rc = rc == OK ? check_choice(db, v, err) : rc;
    const char *filters = view_rules_json(&v->rules, &a);
    rc = rc == OK ? views_find(db, v->name, &a, &old, err) : rc;
    if (rc == ERR_NOT_FOUND) { /* its first version */
        err_clear(err);
        rc = check_room(db, err);
    }
    bool same = old.id && sv_eq(old.description, v->description) && sv_eq(old.kinds, v->kinds) &&
                sv_eq(old.campaigns, v->campaigns) && old.as_of == v->as_of &&
                strcmp(view_rules_json(&old.rules, &a), filters) == 0;
    if (rc == OK && !same) {
        rc = events_add(db, now, account, "views.create", 0, NULL, id, err);
    }
    if (rc == OK && !same) {
        rc = db_run(db,
                    "INSERT INTO vote_view (id, name, description, kinds, campaigns, filters,"
                    " as_of) VALUES (?1, ?2, ?3, ?4, ?5, ?6, nullif(?7, 0))",
                    DB_VALS(db_int(*id), db_text(v->name), db_text(v->description),
                            db_text(v->kinds), db_text(v->campaigns), db_str(filters),
                            db_int(v->as_of)),
                    err);
    }
    arena_release(&a);
    return rc;
}
