/* numbers.c - see numbers.h. */
#include "unit.h"

#include "numbers.h"
#include "store/work/work.h"
#include "world.h"

enum { IMAGES = 70, GRIDS = 26, PEOPLE = NUMBERS_PEOPLE };

static bool one_in(struct numbers *w, uint64_t n)
{
    return rng_below(&w->r, n) == 0;
}

static void need(struct temp_project *t, enum err_code rc)
{
    if (rc != OK) {
        fail_msg("%s: %s", t->err.rule, t->err.msg);
    }
}

/* Neighbours in the list of images, so that grids share some; a pair can stand in two roles. */
static void add_grid(struct numbers *w, const int64_t *images)
{
    int64_t cells[GRID_CELLS];
    enum cell_role roles[GRID_CELLS];
    unsigned n = one_in(w, 6) ? 48 : 1 + (unsigned)rng_below(&w->r, 20);
    unsigned from = (unsigned)rng_below(&w->r, IMAGES);
    for (unsigned i = 0; i < n; i++) {
        unsigned at = (from + i) % IMAGES;
        cells[i] = images[at];
        roles[i] = one_in(w, 9) ? (enum cell_role)rng_below(&w->r, 4) : (enum cell_role)(at * 5 % 7 % 4);
    }
    size_t g = w->n_grids++;
    unsigned c = one_in(w, 4) ? (unsigned)rng_below(&w->r, NUMBERS_CAMPAIGNS) : 0;
    w->grid_campaign[g] = w->campaigns[c];
    w->cells[g] = n;
    w->grids[g] = world_grid_roles(w->t->db, w->campaigns[c],
                                   w->classes[rng_below(&w->r, NUMBERS_CLASSES)], cells, roles, n,
                                   one_in(w, 8) ? "a test" : "");
}

void numbers_begin(struct numbers *w, struct temp_project *t, uint64_t seed)
{
    static const char *const kinds[] = {"main", "pilot", "top-up"};
    static const char *const roles[] = {"candidate", "original", "original", "gold"};
    int64_t images[IMAGES];
    *w = (struct numbers){.t = t, .now = WORLD_NOW};
    rng_seed(&w->r, seed);
    need(t, db_tx_begin(t->db, &t->err));
    for (unsigned i = 0; i < NUMBERS_CLASSES; i++) {
        w->classes[i] = world_class(t->db, i + 1);
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        images[i] = world_image(t->db, i, w->classes[rng_below(&w->r, NUMBERS_CLASSES)],
                                roles[i * 5 % 7 % 4]);
    }
    for (int i = 0; i < NUMBERS_CAMPAIGNS; i++) {
        struct campaign k = world_terms(kinds[i]);
        k.kind = sv_of(kinds[i]);
        w->campaigns[i] = world_campaign(t->db, &k);
    }
    for (int i = 0; i < PEOPLE; i++) {
        w->people[i] = world_person(t->db);
    }
    for (int i = 0; i < GRIDS; i++) {
        add_grid(w, images);
    }
    need(t, db_tx_commit(t->db, &t->err));
}

static uint64_t random_mask(struct numbers *w, unsigned cells)
{
    uint64_t all = ((uint64_t)1 << cells) - 1;
    uint64_t what = rng_below(&w->r, 10);
    return what == 0 ? 0 : what == 1 ? all : all & (rng_u64(&w->r) | rng_u64(&w->r));
}

bool numbers_answer(struct numbers *w)
{
    struct temp_project *t = w->t;
    size_t g = (size_t)rng_below(&w->r, w->n_grids);
    int64_t person = w->people[rng_below(&w->r, PEOPLE)], id = 0;
    bool had = true;
    need(t, work_had_grid(t->db, w->grids[g], person, &had, &t->err));
    if (had || w->n_answers == sizeof w->answers / sizeof *w->answers) {
        return false;
    }
    w->now += (int64_t)rng_below(&w->r, 200000);
    struct assignment as = {.grid = w->grids[g],
                            .person = person,
                            .place = 0,
                            .leased_at = w->now,
                            .lease_until = w->now + 600000,
                            .has_seed = !one_in(w, 4),
                            .seed = rng_u64(&w->r) >> 11};
    memcpy(as.token, &(uint64_t){w->n_answers + 1}, sizeof(uint64_t));
    need(t, db_run(t->db,
                   "INSERT INTO assignment (token, grid, person, seed, leased_at, lease_until)"
                   " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                   DB_VALS(db_blob(as.token, sizeof as.token), db_int(as.grid), db_int(person),
                           as.has_seed ? db_int((int64_t)as.seed) : db_null(), db_int(w->now),
                           db_int(as.lease_until)),
                   &t->err));
    int64_t active = one_in(w, 5) ? -1 : 1 + (int64_t)rng_below(&w->r, one_in(w, 9) ? 9000000 : 60000);
    need(t, work_answer_create(t->db, db_last_id(t->db), SV("client"), random_mask(w, w->cells[g]), OPTION_NONE,
                               one_in(w, 9), active, SV(""), w->now, &id, &t->err));
    w->answers[w->n_answers++] = id;
    return true;
}

void numbers_turn(struct numbers *w)
{
    if (w->n_answers) {
        world_judge(w->t->db, w->answers[rng_below(&w->r, w->n_answers)], rng_below(&w->r, 2));
    }
}

void numbers_exclude(struct numbers *w)
{
    world_exclude(w->t->db, w->grids[rng_below(&w->r, w->n_grids)]);
}

void numbers_happen(struct numbers *w, unsigned events)
{
    struct temp_project *t = w->t;
    need(t, db_tx_begin(t->db, &t->err));
    for (unsigned i = 0; i < events; i++) {
        if (rng_below(&w->r, 10) < 7) {
            numbers_answer(w);
        } else {
            numbers_turn(w);
        }
    }
    need(t, db_tx_commit(t->db, &t->err));
}

/* ---- facts ---- */

static void load_cells(struct temp_project *t, struct fact *f)
{
    struct db_rows r;
    need(t, db_begin(t->db,
                     "SELECT c.image, c.role, i.class = g.class,"
                     " (SELECT d.role FROM grid_cell d JOIN grid h ON h.id = d.grid"
                     "  WHERE d.image = c.image AND h.class = g.class ORDER BY d.grid, d.position)"
                     " FROM grid_cell c JOIN image i ON i.id = c.image JOIN grid g ON g.id = c.grid"
                     " WHERE c.grid = ?1 ORDER BY c.position",
                     DB_VALS(db_int(f->grid)), &r, &t->err));
    for (f->n = 0; db_step(&r, &t->err); f->n++) {
        f->image[f->n] = db_col_int(&r, 0);
        f->role[f->n] = (enum cell_role)db_col_int(&r, 1);
        f->own[f->n] = db_col_int(&r, 2) != 0;
        f->pair_role[f->n] = (enum cell_role)db_col_int(&r, 3);
    }
    need(t, db_end(&r));
}

/* Answers to the same grid have the same cells. */
static void add_cells(struct temp_project *t, struct facts *all, struct fact *f)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *g = &all->items[i];
        if (g->grid == f->grid) {
            f->n = g->n;
            memcpy(f->image, g->image, sizeof f->image);
            memcpy(f->role, g->role, sizeof f->role);
            memcpy(f->pair_role, g->pair_role, sizeof f->pair_role);
            memcpy(f->own, g->own, sizeof f->own);
            return;
        }
    }
    load_cells(t, f);
}

struct facts facts_load(struct temp_project *t, int64_t as_of)
{
    struct db_rows r;
    struct facts all = {0};
    int64_t until = as_of ? as_of : INT64_MAX;
    size_t most = (size_t)temp_int(t, "SELECT count(*) FROM answer");
    all.items = arena_calloc(&t->arena, most + 1, sizeof *all.items);
    need(t, db_begin(t->db,
                     "SELECT w.id, a.grid, g.campaign, g.class, a.person, w.at, w.active_ms, w.mask,"
                     " a.seed, w.surplus, coalesce((SELECT s.value FROM answer_state s WHERE"
                     "  s.answer = w.id AND s.field = 'analysis' AND s.id <= ?1 ORDER BY s.id DESC"
                     "  LIMIT 1), 'in') = 'out', coalesce((SELECT x.reason <> '' FROM grid_exclusion x"
                     "  WHERE x.grid = g.id AND x.id <= ?1 ORDER BY x.id DESC LIMIT 1),"
                     "  (SELECT x.reason = '' FROM grid_exclusion x WHERE x.grid = g.id"
                     "  ORDER BY x.id LIMIT 1), g.excluded IS NOT NULL), k.kind <> 'pilot'"
                     " FROM answer w JOIN assignment a ON a.id = w.assignment"
                     " JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign"
                     " WHERE w.id <= ?1 ORDER BY w.id",
                     DB_VALS(db_int(until)), &r, &t->err));
    while (db_step(&r, &t->err)) {
        struct fact f = {.id = db_col_int(&r, 0),
                         .grid = db_col_int(&r, 1),
                         .campaign = db_col_int(&r, 2),
                         .class_id = db_col_int(&r, 3),
                         .person = db_col_int(&r, 4),
                         .at = db_col_int(&r, 5),
                         .active_ms = db_col_int(&r, 6),
                         .mask = (uint64_t)db_col_int(&r, 7),
                         .seed = (uint64_t)db_col_int(&r, 8),
                         .has_seed = !db_col_null(&r, 8),
                         .surplus = db_col_int(&r, 9) != 0,
                         .out = db_col_int(&r, 10) != 0,
                         .excluded = db_col_int(&r, 11) != 0,
                         .main = db_col_int(&r, 12) != 0};
        all.items[all.n++] = f;
    }
    need(t, db_end(&r));
    size_t n = all.n;
    for (all.n = 0; all.n < n; all.n++) { /* cells of those before are known */
        add_cells(t, &all, &all.items[all.n]);
    }
    return all;
}

/* ---- scores, by their words ---- */

bool fact_agreement(const struct facts *all, const bool *in, size_t answer, double *out)
{
    const struct fact *f = &all->items[answer];
    unsigned others = 0, same = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *o = &all->items[i];
        if (i == answer || o->grid != f->grid || !fact_accepted(o) || (in && !in[i])) {
            continue;
        }
        others++;
        for (unsigned j = 0; j < f->n; j++) {
            same += (f->mask >> j & 1) == (o->mask >> j & 1);
        }
    }
    *out = others ? (double)same / others / f->n : 0;
    return others > 0;
}

bool fact_relative(const struct facts *all, const bool *in, size_t answer, double *out)
{
    double own, sum = 0;
    unsigned n = 0;
    if (!fact_agreement(all, in, answer, &own)) {
        return false;
    }
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *o = &all->items[i];
        double theirs;
        if (o->grid == all->items[answer].grid && fact_accepted(o) && (!in || in[i])) {
            n++;
            sum += fact_agreement(all, in, i, &theirs) ? theirs : 0;
        }
    }
    *out = n > 1 ? own - sum / n : 0;
    return true;
}

struct fact_controls fact_controls(const struct fact *f)
{
    struct fact_controls c = {{0}, {0}};
    for (unsigned j = 0; j < f->n; j++) {
        bool selected = f->mask >> j & 1;
        bool want = f->role[j] == CELL_POSITIVE || (f->role[j] == CELL_GOLD && f->own[j]);
        c.of[f->role[j]]++;
        c.right[f->role[j]] += selected == want;
    }
    return c;
}
