/* agreement.c - SQL for one grid as leads look at it, with the agreement of its answers. */
#include "store/votes/agreement.h"

#include "base/list.h"
#include "db/rows.h"

DB_ROW(cell_row, struct grid_cell_seen, image, role, own_class, pixels, name);

static enum err_code read_cells(struct db *db, struct arena *a, struct grid_seen *g,
                                struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT c.image, c.role, i.class = ?2, i.source IS NOT NULL, i.name FROM grid_cell c"
             " JOIN image i ON i.id = c.image WHERE c.grid = ?1 ORDER BY c.position",
             DB_VALS(db_int(g->id), db_int(g->class_id)), &r, err);
    while (g->n < GRID_CELLS && db_next(&r, cell_row, &g->cells[g->n], a, err)) {
        g->n++;
    }
    return db_end(&r);
}

DB_ROW(grid_row, struct grid_seen, id, campaign, class_id, created_at, special, name, excluded);

enum err_code agreement_grid(struct db *db, int64_t grid, struct arena *a, struct grid_seen *out,
                          struct err *err)
{
    enum err_code rc = db_find(
        db, grid_row, out, a,
        "SELECT id, campaign, class, created_at, special, name, excluded FROM grid WHERE id = ?1",
        DB_VALS(db_int(grid)), err);
    if (rc == ERR_NOT_FOUND) {
        return err_rule(err, rc, "no-grid", "There is no such grid.");
    }
    struct grid_options options = {0};
    rc = rc == OK ? read_cells(db, a, out, err) : rc;
    rc = rc == OK ? grids_options(db, grid, &options, err) : rc;
    out->known = options.known;
    return rc == OK && options.n ? grids_option_list(db, grid, a, &out->options, &out->n_options, err) : rc;
}

/* What the controls of that grid expect. */
static struct agreement_key key_of(const struct grid_seen *g)
{
    if (g->n_options) {
        uint64_t all = ((uint64_t)1 << g->n_options) - 1;
        return (struct agreement_key){.n = (unsigned)g->n_options, .gold = g->known ? all : 0, .gold_positive = g->known, .whole = true};
    }
    struct agreement_key key = {.n = g->n};
    for (unsigned j = 0; j < g->n; j++) {
        uint64_t bit = (uint64_t)1 << j;
        key.positive |= g->cells[j].role == CELL_POSITIVE ? bit : 0;
        key.negative |= g->cells[j].role == CELL_NEGATIVE ? bit : 0;
        key.gold |= g->cells[j].role == CELL_GOLD ? bit : 0;
        key.gold_positive |= g->cells[j].role == CELL_GOLD && g->cells[j].own_class ? bit : 0;
    }
    return key;
}

static enum lent_state state_of(const struct lent *l, bool surplus, bool out, int64_t now)
{
    if (l->answer == 0) {
        return l->lease_until > now ? LENT_LEASED : LENT_EXPIRED;
    }
    return surplus ? LENT_SURPLUS : out ? LENT_OUT : LENT_STORED;
}

static void read_lent(const struct db_rows *r, int64_t now, struct arena *a, struct lent *l)
{
    *l = (struct lent){
        .id = db_col_int(r, 0),
        .person = db_col_int(r, 1),
        .place = db_col_int(r, 2),
        .leased_at = db_col_int(r, 3),
        .lease_until = db_col_int(r, 4),
        .pseudonym = arena_sv(a, db_col_text(r, 5)),
        .has_seed = !db_col_null(r, 6),
        .seed = (uint64_t)db_col_int(r, 6),
        .answer = db_col_int(r, 7),
        .at = db_col_int(r, 8),
        .active_ms = db_col_null(r, 9) ? -1 : db_col_int(r, 9),
        .mask = (uint64_t)db_col_int(r, 10),
        .device = arena_sv(a, db_col_text(r, 12)),
        .rule = arena_sv(a, db_col_text(r, 14)),
        .pay = arena_sv(a, db_col_text(r, 15)),
        .main = db_col_null(r, 16) ? -1 : db_col_int(r, 16),
    };
    l->state = state_of(l, db_col_int(r, 11) != 0, sv_is(db_col_text(r, 13), "out"), now);
}

static void add_agreement(const struct grid_seen *g, struct lent *list, size_t n, struct arena *a)
{
    struct agreement_key key = key_of(g);
    struct agreement_answer *answers = arena_calloc(a, n ? n : 1, sizeof *answers);
    struct agreement *agreements = arena_calloc(a, n ? n : 1, sizeof *agreements);
    size_t answered = 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i].answer) {
            answers[answered++] =
                (struct agreement_answer){list[i].mask, list[i].state == LENT_STORED};
        }
    }
    agreement_compute(&key, answers, answered, agreements);
    answered = 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i].answer) {
            list[i].agreement = agreements[answered++];
        }
    }
}

enum err_code agreement_lent(struct db *db, const struct grid_seen *g, int64_t now, struct arena *a,
                          struct lent **out, size_t *n, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    db_begin(
        db,
        "SELECT a.id, a.person, a.place, a.leased_at, a.lease_until, p.pseudonym, a.seed, w.id,"
        " w.at, w.active_ms, w.mask, w.surplus, w.device,"
        " (SELECT s.value FROM answer_state s WHERE s.answer = w.id AND s.field = 'analysis'"
        "  ORDER BY s.id DESC LIMIT 1),"
        " (SELECT s.rule FROM answer_state s WHERE s.answer = w.id AND s.field = 'analysis'"
        "  ORDER BY s.id DESC LIMIT 1),"
        " coalesce((SELECT s.value FROM answer_state s WHERE s.answer = w.id AND s.field = 'pay'"
        "  ORDER BY s.id DESC LIMIT 1), 'pending'), w.main"
        " FROM assignment a JOIN person p ON p.id = a.person"
        " LEFT JOIN answer w ON w.assignment = a.id WHERE a.grid = ?1"
        " ORDER BY a.leased_at, a.id",
        DB_VALS(db_int(g->id)), &r, err);
    while (db_step(&r, err)) {
        read_lent(&r, now, a, list_add(&list, a, sizeof **out));
    }
    *out = list.items;
    *n = list.n;
    enum err_code rc = db_end(&r);
    if (rc == OK) {
        add_agreement(g, *out, *n, a);
    }
    return rc;
}

enum err_code agreement_grid_of(struct db *db, int64_t assignment, int64_t *grid, struct err *err)
{
    enum err_code rc = db_one_int(db, "SELECT grid FROM assignment WHERE id = ?1",
                                  DB_VALS(db_int(assignment)), grid, err);
    return rc == ERR_NOT_FOUND
               ? err_rule(err, ERR_NOT_FOUND, "no-assignment", "There is no such assignment.")
               : rc;
}
