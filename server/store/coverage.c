/* coverage.c - SQL for answers per image under its own class. */
#include "store/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "domain/grid.h"
#include "store/flags.h"

/* Answers that are in the analysis and count to N, per grid: a common table. */
#define PER_GRID                                                                                   \
    "state AS (SELECT answer, value, max(id) FROM answer_state WHERE field = 'analysis'"           \
    "   GROUP BY answer),"                                                                         \
    " per_grid AS (SELECT a.grid AS grid, count(*) AS n FROM answer w"                             \
    "   JOIN assignment a ON a.id = w.assignment LEFT JOIN state s ON s.answer = w.id"             \
    "   WHERE w.surplus = 0 AND coalesce(s.value, 'in') = 'in' GROUP BY a.grid)"

static enum err_code hide(void *arg, int64_t image, struct err *err)
{
    struct coverage *c = arg;
    (void)err;
    if (image > 0 && (size_t)image < c->n) {
        c->hidden[image] = true;
    }
    return OK;
}

/* Adds column 1 of every row to the image in column 0. */
static enum err_code add_rows(struct db_rows *r, const struct coverage *c, uint32_t *to,
                              struct err *err)
{
    while (db_step(r, err)) {
        int64_t image = db_col_int(r, 0);
        if (image > 0 && (size_t)image < c->n) {
            to[image] += (uint32_t)db_col_int(r, 1);
        }
    }
    return db_end(r);
}

static enum err_code load_answers(struct db *db, struct sv kind, const struct coverage *c,
                                  struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "WITH " PER_GRID
        ", view AS (SELECT kinds, campaigns FROM vote_view WHERE name = 'default'"
        "   ORDER BY id DESC LIMIT 1),"
        " counted AS (SELECT k.id FROM campaign k, view v WHERE"
        "   CASE WHEN instr('|' || v.kinds || '|', '|' || ?1 || '|') > 0"
        "   THEN instr('|' || v.kinds || '|', '|' || k.kind || '|') > 0 OR"
        "     instr('|' || v.campaigns || '|', '|' || k.name || '|') > 0"
        "   ELSE k.kind = ?1 END)"
        " SELECT c.image, p.n FROM per_grid p JOIN grid g ON g.id = p.grid"
        " JOIN grid_cell c ON c.grid = g.id JOIN image i ON i.id = c.image AND i.class = g.class"
        " WHERE g.excluded IS NULL AND g.campaign IN counted",
        DB_VALS(db_text(kind)), &r, err);
    return rc != OK ? rc : add_rows(&r, c, c->now, err);
}

enum err_code coverage_load(struct db *db, struct sv kind, int64_t k, struct coverage *out,
                            struct err *err)
{
    int64_t last = 0;
    *out = (struct coverage){0};
    enum err_code rc = db_one_int(db, "SELECT coalesce(max(id), 0) FROM image", DB_NONE, &last,
                                  err);
    if (rc != OK) {
        return rc;
    }
    out->n = (size_t)last + 1;
    out->now = xcalloc(out->n, sizeof *out->now);
    out->coming = xcalloc(out->n, sizeof *out->coming);
    out->hidden = xcalloc(out->n, sizeof *out->hidden);
    rc = load_answers(db, kind, out, err);
    return rc != OK ? rc : flags_hidden(db, k, hide, out, err);
}

void coverage_release(struct coverage *c)
{
    free(c->now);
    free(c->coming);
    free(c->hidden);
    *c = (struct coverage){0};
}

enum err_code coverage_add_campaign(struct db *db, const struct campaign *k, struct coverage *c,
                                    struct plan_summary *out, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_one_int(db, "SELECT count(*) FROM grid WHERE campaign = ?1",
                                  DB_VALS(db_int(k->id)), &out->grids, err);
    if (rc == OK) {
        rc = db_one_int(db, "SELECT count(*) FROM grid WHERE campaign = ?1 AND special = 1",
                        DB_VALS(db_int(k->id)), &out->special, err);
    }
    if (rc != OK) {
        return rc;
    }
    rc = db_begin(db,
                  "WITH " PER_GRID
                  " SELECT c.image, max(0, ?2 - coalesce(p.n, 0)), c.role, i.class = g.class"
                  " FROM grid g LEFT JOIN per_grid p ON p.grid = g.id"
                  " JOIN grid_cell c ON c.grid = g.id JOIN image i ON i.id = c.image"
                  " WHERE g.campaign = ?1 AND g.excluded IS NULL",
                  DB_VALS(db_int(k->id), db_int(k->answers_per_grid)), &r, err);
    if (rc != OK) {
        return rc;
    }
    bool *seen = xcalloc(c->n, sizeof *seen);
    while (db_step(&r, err)) {
        int64_t image = db_col_int(&r, 0);
        if (image <= 0 || (size_t)image >= c->n) {
            continue; /* came after the counts were made */
        }
        if (db_col_int(&r, 3)) {
            c->coming[image] += (uint32_t)db_col_int(&r, 1);
        }
        out->planned += db_col_int(&r, 2) == CELL_CANDIDATE && !seen[image];
        seen[image] = seen[image] || db_col_int(&r, 2) == CELL_CANDIDATE;
    }
    free(seen);
    return db_end(&r);
}

/* One image of the class. */
static void count_image(const struct coverage *c, size_t id, bool original, int64_t wanted,
                        struct class_coverage *k)
{
    uint64_t now = c->now[id], after = now + c->coming[id];
    if (c->hidden[id]) {
        k->hidden++;
    } else if (original) {
        k->originals++;
        k->covered += now >= PLAN_COVERED;
        k->covered_after += after >= PLAN_COVERED;
    } else {
        k->candidates++;
        k->open += now < (uint64_t)wanted;
        k->open_after += after < (uint64_t)wanted;
    }
}

enum err_code coverage_classes(struct db *db, const struct coverage *c, int64_t answers_per_grid,
                               struct arena *a, struct class_coverage **out, size_t *n,
                               struct err *err)
{
    int64_t count = 0;
    *n = 0;
    enum err_code rc = db_one_int(db, "SELECT count(*) FROM class", DB_NONE, &count, err);
    if (rc != OK) {
        return rc;
    }
    *out = arena_calloc(a, (size_t)count + 1, sizeof **out);
    struct db_rows r;
    rc = db_begin(db,
                  "SELECT class, id, role = 'original' FROM image"
                  " WHERE role IN ('original', 'candidate') AND id < ?1 ORDER BY class",
                  DB_VALS(db_int((int64_t)c->n)), &r, err);
    if (rc != OK) {
        return rc;
    }
    struct class_coverage *k = NULL;
    while (db_step(&r, err)) {
        int64_t class_id = db_col_int(&r, 0);
        if ((!k || k->class_id != class_id) && *n < (size_t)count) {
            k = &(*out)[(*n)++];
            k->class_id = class_id;
        }
        count_image(c, (size_t)db_col_int(&r, 1), db_col_int(&r, 2) != 0, answers_per_grid, k);
    }
    return db_end(&r);
}

enum err_code coverage_pool(struct db *db, const struct coverage *c, int64_t class_id,
                            const char *role, struct arena *a, struct plan_pool *out,
                            size_t *hidden, struct err *err)
{
    int64_t count = 0;
    *out = (struct plan_pool){0};
    enum err_code rc = db_one_int(
        db, "SELECT coalesce(sum(n), 0) FROM image_count WHERE class = ?1 AND role = ?2",
        DB_VALS(db_int(class_id), db_str(role)), &count, err);
    if (rc != OK || count == 0) {
        return rc;
    }
    struct plan_image *images = arena_calloc(a, (size_t)count, sizeof *images);
    struct db_rows r;
    rc = db_begin(db,
                  "SELECT id, source FROM image WHERE class = ?1 AND role = ?2 AND id < ?3"
                  " ORDER BY id LIMIT ?4",
                  DB_VALS(db_int(class_id), db_str(role), db_int((int64_t)c->n), db_int(count)),
                  &r, err);
    if (rc != OK) {
        return rc;
    }
    while (db_step(&r, err)) {
        size_t id = (size_t)db_col_int(&r, 0);
        if (c->hidden[id]) {
            ++*hidden;
        } else {
            images[out->n++] = (struct plan_image){(int64_t)id, db_col_int(&r, 1), c->now[id]};
        }
    }
    out->images = images;
    return db_end(&r);
}

enum err_code coverage_of_campaign(struct db *db, const struct campaign *k, int64_t flags,
                                   struct arena *a, struct plan_summary *out, struct err *err)
{
    struct coverage c;
    const struct plan_terms terms = {k->answers_per_grid, k->grids_per_place, k->pay_cents,
                                     k->max_share, k->expected_minutes};
    *out = (struct plan_summary){0};
    enum err_code rc = coverage_load(db, k->kind, flags, &c, err);
    if (rc == OK) {
        rc = coverage_add_campaign(db, k, &c, out, err);
    }
    if (rc == OK) {
        rc = coverage_classes(db, &c, k->answers_per_grid, a, &out->classes, &out->n_classes, err);
    }
    if (rc == OK) {
        plan_cost(&terms, out->grids, &out->cost);
        coverage_totals(out->classes, out->n_classes, k->coverage, &out->totals);
    }
    coverage_release(&c);
    return rc;
}
