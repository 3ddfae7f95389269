/* coverage.c - SQL for answers per image under its own class. */
#include "store/campaigns/coverage.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "domain/grids/grid.h"
#include "store/work/flags.h"

static enum err_code hide(void *arg, int64_t image, struct err *err)
{
    struct coverage *c = arg;
    (void)err;
    if (image > 0 && (size_t)image < c->n) {
        c->hidden[image] = true;
    }
    return OK;
}

/* One walk along an index that holds all of it; cells then need no look at their images. */
static enum err_code load_images(struct db *db, struct coverage *c, struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT id, class, (role = 'original') + 2 * (role = 'candidate')"
             " FROM image INDEXED BY image_class",
             DB_NONE, &r, err);
    while (db_step(&r, err)) {
        size_t id = (size_t)db_col_int(&r, 0);
        if (id < c->n) { /* later ones came after the arrays were made */
            c->class_id[id] = (uint32_t)db_col_int(&r, 1);
            c->kind[id] = (unsigned char)db_col_int(&r, 2);
        }
    }
    return db_end(&r);
}

static enum err_code load_answered(struct db *db, const struct coverage *c, struct err *err)
{
    struct db_rows r;
    db_begin(
        db,
        "WITH state AS (SELECT answer, value, max(id) FROM answer_state WHERE field = 'analysis'"
        "   GROUP BY answer)"
        " SELECT a.grid FROM answer w JOIN assignment a ON a.id = w.assignment"
        " LEFT JOIN state s ON s.answer = w.id"
        " WHERE w.surplus = 0 AND coalesce(s.value, 'in') = 'in'",
        DB_NONE, &r, err);
    while (db_step(&r, err)) {
        size_t grid = (size_t)db_col_int(&r, 0);
        if (grid < c->n_grids) {
            c->answered[grid]++;
        }
    }
    return db_end(&r);
}

enum err_code coverage_pairs(struct db *db, struct sv kind, const struct coverage *c,
                             void (*each)(void *arg, uint32_t image, uint32_t class_id, uint32_t answers), void *arg,
                             struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "WITH view AS (SELECT kinds, campaigns FROM vote_view WHERE name = 'default'"
             "   ORDER BY id DESC LIMIT 1),"
             " counted AS (SELECT k.id FROM campaign k, view v WHERE k.task = 'contains' AND"
             "   CASE WHEN instr('|' || v.kinds || '|', '|' || ?1 || '|') > 0"
             "   THEN instr('|' || v.kinds || '|', '|' || k.kind || '|') > 0 OR"
             "     instr('|' || v.campaigns || '|', '|' || k.name || '|') > 0"
             "   ELSE k.kind = ?1 END)"
             " SELECT g.id, g.class, c.image FROM grid g CROSS JOIN grid_cell c ON c.grid = g.id"
             " WHERE g.excluded IS NULL AND g.campaign IN counted AND g.id < ?2",
             DB_VALS(db_text(kind), db_int((int64_t)c->n_grids)), &r, err);
    while (db_step(&r, err)) {
        each(arg, (uint32_t)db_col_int(&r, 2), (uint32_t)db_col_int(&r, 1), c->answered[db_col_int(&r, 0)]);
    }
    return db_end(&r);
}

static void add_now(void *arg, uint32_t image, uint32_t class_id, uint32_t answers)
{
    const struct coverage *c = arg;
    if (image < c->n && c->class_id[image] == class_id) {
        c->now[image] += answers;
    }
}

enum err_code coverage_waiting(struct db *db, const struct campaign *k, const struct coverage *c,
                               void (*each)(void *arg, uint32_t image, uint32_t class_id, uint32_t answers), void *arg,
                               struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT g.id, g.class, c.image, k.answers_per_grid FROM campaign k JOIN grid g ON g.campaign = k.id"
             " CROSS JOIN grid_cell c ON c.grid = g.id WHERE k.kind = ?1 AND k.task = 'contains' AND k.id <> ?2"
             " AND k.imported = 0 AND k.state <> 'closed' AND g.excluded IS NULL AND g.id < ?3 AND c.role = 0",
             DB_VALS(db_text(k->kind), db_int(k->id), db_int((int64_t)c->n_grids)), &r, err);
    while (db_step(&r, err)) {
        uint32_t answers = c->answered[db_col_int(&r, 0)];
        if (answers < (uint64_t)db_col_int(&r, 3)) {
            each(arg, (uint32_t)db_col_int(&r, 2), (uint32_t)db_col_int(&r, 1), answers);
        }
    }
    return db_end(&r);
}

enum err_code coverage_seen(struct db *db, void (*each)(void *arg, int64_t image, int64_t people), void *arg,
                            struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT c.image, sum(a.n) FROM (SELECT grid, count(*) AS n FROM assignment GROUP BY grid) a"
             " CROSS JOIN grid_cell c ON c.grid = a.grid GROUP BY c.image",
             DB_NONE, &r, err);
    while (db_step(&r, err)) {
        each(arg, db_col_int(&r, 0), db_col_int(&r, 1));
    }
    return db_end(&r);
}

enum err_code coverage_load(struct db *db, struct sv kind, int64_t flags_to_quarantine, struct coverage *out,
                            struct err *err)
{
    int64_t image = 0, grid = 0;
    *out = (struct coverage){0};
    enum err_code rc =
        db_one_int(db, "SELECT coalesce(max(id), 0) FROM image", DB_NONE, &image, err);
    if (rc == OK) {
        rc = db_one_int(db, "SELECT coalesce(max(id), 0) FROM grid", DB_NONE, &grid, err);
    }
    if (rc != OK) {
        return rc;
    }
    out->n = (size_t)image + 1;
    out->n_grids = (size_t)grid + 1;
    out->class_id = xcalloc(out->n, sizeof *out->class_id);
    out->kind = xcalloc(out->n, sizeof *out->kind);
    out->now = xcalloc(out->n, sizeof *out->now);
    out->coming = xcalloc(out->n, sizeof *out->coming);
    out->hidden = xcalloc(out->n, sizeof *out->hidden);
    out->answered = xcalloc(out->n_grids, sizeof *out->answered);
    rc = load_images(db, out, err);
    rc = rc == OK ? load_answered(db, out, err) : rc;
    rc = rc == OK ? coverage_pairs(db, kind, out, add_now, out, err) : rc;
    return rc == OK ? flags_hidden(db, flags_to_quarantine, hide, out, err) : rc;
}

void coverage_release(struct coverage *c)
{
    free(c->class_id);
    free(c->kind);
    free(c->now);
    free(c->coming);
    free(c->hidden);
    free(c->answered);
    *c = (struct coverage){0};
}

/* One cell of the campaign. */
static void add_cell(struct coverage *c, const struct db_rows *r, int64_t wanted, bool *seen,
                     struct plan_summary *out)
{
    size_t grid = (size_t)db_col_int(r, 0), image = (size_t)db_col_int(r, 2);
    if (grid >= c->n_grids || image >= c->n) {
        return; /* came after the counts were made */
    }
    if (c->class_id[image] == (uint32_t)db_col_int(r, 1) && c->answered[grid] < wanted) {
        c->coming[image] += (uint32_t)wanted - c->answered[grid];
    }
    if (db_col_int(r, 3) == CELL_CANDIDATE && !seen[image]) {
        seen[image] = true;
        out->planned++;
    }
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
    db_begin(db,
             "SELECT g.id, g.class, c.image, c.role FROM grid g"
             " CROSS JOIN grid_cell c ON c.grid = g.id"
             " WHERE g.campaign = ?1 AND g.excluded IS NULL",
             DB_VALS(db_int(k->id)), &r, err);
    bool *seen = xcalloc(c->n, sizeof *seen);
    while (db_step(&r, err)) {
        add_cell(c, &r, k->answers_per_grid, seen, out);
    }
    free(seen);
    return db_end(&r);
}

/* One image of the class. */
static void count_image(const struct coverage *c, size_t id, int64_t wanted,
                        struct class_coverage *k)
{
    uint64_t now = c->now[id], after = now + c->coming[id];
    if (c->hidden[id]) {
        k->hidden++;
    } else if (c->kind[id] == COVERAGE_ORIGINAL) {
        k->originals++;
        k->covered += now >= PLAN_COVERED;
        k->covered_after += after >= PLAN_COVERED;
    } else {
        k->candidates++;
        k->open += now < (uint64_t)wanted;
        k->open_after += after < (uint64_t)wanted;
    }
}

void coverage_classes(const struct coverage *c, int64_t answers_per_grid, struct arena *a,
                      struct class_coverage **out, size_t *n)
{
    uint32_t last = 0;
    for (size_t i = 0; i < c->n; i++) {
        last = c->class_id[i] > last ? c->class_id[i] : last;
    }
    struct class_coverage *all = arena_calloc(a, (size_t)last + 1, sizeof *all);
    for (size_t i = 0; i < c->n; i++) {
        if (c->kind[i] != COVERAGE_OTHER) {
            struct class_coverage *k = &all[c->class_id[i]];
            k->class_id = c->class_id[i];
            count_image(c, i, answers_per_grid, k);
        }
    }
    *n = 0;
    for (size_t i = 0; i <= last; i++) { /* those that have any, moved up */
        if (all[i].class_id) {
            all[(*n)++] = all[i];
        }
    }
    *out = all;
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
    db_begin(db,
             "SELECT id, source FROM image WHERE class = ?1 AND role = ?2 AND id < ?3"
             " ORDER BY id LIMIT ?4",
             DB_VALS(db_int(class_id), db_str(role), db_int((int64_t)c->n), db_int(count)),
             &r, err);
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

enum err_code coverage_of_campaign(struct db *db, const struct campaign *k, int64_t flags_to_quarantine,
                                   struct arena *a, struct plan_summary *out, struct err *err)
{
    struct coverage c;
    const struct plan_terms terms = campaign_plan_terms(k);
    *out = (struct plan_summary){0};
    enum err_code rc = coverage_load(db, k->kind, flags_to_quarantine, &c, err);
    rc = rc == OK ? coverage_add_campaign(db, k, &c, out, err) : rc;
    if (rc == OK) {
        coverage_classes(&c, k->answers_per_grid, a, &out->classes, &out->n_classes);
        plan_cost(&terms, out->grids, &out->cost);
        coverage_totals(out->classes, out->n_classes, k->coverage, &out->totals);
    }
    coverage_release(&c);
    return rc;
}
