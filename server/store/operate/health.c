/* health.c - SQL about the database itself. */
#include "store/operate/health.h"

enum { DAMAGE = 2 }; /* of the questions, the first: no rule of ours */

/* Statements whose every row is a problem, told in its first column. */
static const char *const questions[] = {
    "SELECT integrity_check FROM pragma_integrity_check(100) WHERE integrity_check <> 'ok'",
    "SELECT 'row ' || coalesce(rowid, '?') || ' of ' || \"table\" || ' names a missing row of ' ||"
    " parent FROM pragma_foreign_key_check LIMIT 100",
    "SELECT 'answer ' || w.id || ' has no event of its kind' FROM answer w"
    " LEFT JOIN event e ON e.id = w.id AND e.kind = 'answer' WHERE e.id IS NULL LIMIT 100",
    "SELECT 'answer ' || w.id || ' selects a cell that its grid does not have' FROM answer w"
    " JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid"
    " JOIN campaign k ON k.id = g.campaign AND k.task = 'contains'"
    " WHERE w.main IS NOT NULL OR w.mask >> (SELECT count(*) FROM grid_cell c WHERE c.grid = a.grid) <> 0 LIMIT 100",
    "SELECT 'grid ' || g.id || ' has options without being a CLASSIFY task, or is one without one image and options that"
    " are numbered from 0' FROM grid g JOIN campaign k ON k.id = g.campaign"
    " LEFT JOIN (SELECT grid, count(*) AS n, max(position) AS last FROM grid_option GROUP BY grid) o ON o.grid = g.id"
    " WHERE CASE k.task WHEN 'contains' THEN o.grid IS NOT NULL ELSE o.grid IS NULL OR o.last <> o.n - 1"
    "  OR (SELECT count(*) FROM grid_cell c WHERE c.grid = g.id) <> 1 END LIMIT 100",
    "SELECT 'grid ' || g.id || ' has cells that are not numbered from 0' FROM grid g"
    " JOIN (SELECT grid, count(*) AS n, max(position) AS last FROM grid_cell GROUP BY grid) c"
    " ON c.grid = g.id WHERE c.last <> c.n - 1 LIMIT 100",
    "SELECT 'grid ' || grid || ' shows image ' || image || ' twice' FROM grid_cell"
    " GROUP BY grid, image HAVING count(*) > 1 LIMIT 100",
    "SELECT 'assignment ' || a.id || ' does not match the person and campaign of its place'"
    " FROM assignment a JOIN place p ON p.id = a.place JOIN grid g ON g.id = a.grid"
    " WHERE p.person <> a.person OR p.campaign <> g.campaign LIMIT 100",
    "SELECT 'job ' || j.id || ' has no event of its kind' FROM job j"
    " LEFT JOIN event e ON e.id = j.id AND e.kind = 'job.start' WHERE e.id IS NULL LIMIT 100",
    "SELECT 'job ' || id || ' is ' || state || ', which does not match its times or arguments' FROM job"
    " WHERE (state IN ('done', 'failed', 'cancelled')) <> (ended_at IS NOT NULL)"
    " OR (state = 'running' AND started_at IS NULL)"
    " OR CASE WHEN json_valid(arguments) THEN json_type(arguments) <> 'array' ELSE 1 END LIMIT 100",
    "SELECT 'blacklist entry of ' || name || ' (event ' || event || ') has no matching reason'"
    " FROM blacklisting WHERE (banned = 1) <> (reason <> '') OR (reason = 'other' AND note = '')"
    " LIMIT 100",
    "SELECT 'review of neighbours of ' || name || ' does not list names' FROM neighbour_review"
    " WHERE CASE WHEN json_valid(neighbours) THEN json_type(neighbours) <> 'array' ELSE 1 END LIMIT 100",
    "SELECT 'revision ' || r.id || ' has a parent of another set, or a later one'"
    " FROM revision r JOIN revision p ON p.id = r.parent"
    " WHERE p.image_set <> r.image_set OR p.id >= r.id LIMIT 100",
    "SELECT 'revision ' || id || ' was sampled, but it is not recorded from what' FROM revision"
    " WHERE seed IS NOT NULL AND (as_of IS NULL OR as_of >= id OR newest_image IS NULL"
    "  OR vote_view IS NULL OR NOT coalesce(json_valid(inputs), 0) OR NOT coalesce(json_valid(facts), 0))"
    " LIMIT 100",
    "SELECT 'revision ' || id || ' has removals that cannot be read' FROM revision"
    " WHERE length(removals) % 9 <> 0 LIMIT 100",
    "SELECT 'review of class ' || class || ' in revision ' || revision || ' was not carried over when it"
    " was made' FROM class_review WHERE carried = 1 AND event <> revision LIMIT 100",
    "SELECT 'decision ' || d.id || ' undoes one about another class, or a later one'"
    " FROM class_decision d JOIN class_decision u ON u.id = d.undoes"
    " WHERE u.class <> d.class OR u.id >= d.id LIMIT 100",
};

static enum err_code ask_first(struct db *db, size_t n,
                               enum err_code (*each)(void *arg, struct sv text, struct err *err),
                               void *arg, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct db_rows r;
        rc = db_begin(db, questions[i], DB_NONE, &r, err);
        while (rc == OK && db_step(&r, err)) {
            rc = each(arg, db_col_text(&r, 0), err);
        }
        rc = db_end_after(&r, rc);
    }
    return rc;
}

enum err_code health_database(struct db *db,
                              enum err_code (*each)(void *arg, struct sv text, struct err *err),
                              void *arg, struct err *err)
{
    return ask_first(db, sizeof questions / sizeof *questions, each, arg, err);
}

enum err_code health_damage(struct db *db,
                            enum err_code (*each)(void *arg, struct sv text, struct err *err),
                            void *arg, struct err *err)
{
    return ask_first(db, DAMAGE, each, arg, err);
}

enum err_code health_moment(struct db *db, int64_t *event, int64_t *schema, struct err *err)
{
    enum err_code rc =
        db_one_int(db, "SELECT coalesce(max(id), 0) FROM event", DB_NONE, event, err);
    return rc == OK ? db_one_int(db, "PRAGMA user_version", DB_NONE, schema, err) : rc;
}
