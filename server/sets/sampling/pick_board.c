/* pick_board.c - counts every image of the pool under its class and keyword; targets are the
 * plan's. */
#include "sets/sampling/pick_board.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/map.h"
#include "store/core/events.h"
#include "store/operate/settings.h"

static const char setting[] = "picks.target";

/* ---- the target ---- */

/* What was set last; 10, all keywords, class by class before anybody did. */
static enum err_code target_get(struct db *db, struct pick_target *out, struct err *err)
{
    char text[64];
    int64_t together = 0;
    *out = (struct pick_target){.size = HISTOGRAM_SAMPLE};
    enum err_code rc = settings_text(db, setting, text, sizeof text, err);
    struct sv rest = sv_of(text);
    if (rc == OK && rest.n && sv_i64(sv_cut(&rest, ' '), &out->size) &&
        sv_i64(sv_cut(&rest, ' '), &out->keywords_most) && sv_i64(rest, &together)) {
        out->together = together != 0;
    }
    return rc;
}

enum err_code pick_target_put(struct db *db, const struct pick_target *t, int64_t account,
                              int64_t now, struct err *err)
{
    char text[64], detail[128];
    if (t->size < 1 || t->size > PICK_SIZE_MOST || t->keywords_most < 0 ||
        t->keywords_most > PICK_SIZE_MOST) {
        return err_rule(err, ERR_INPUT, "pick-target",
                        "Choose 1 to %d images per class, and 0 (all) to %d keywords. Nothing was stored.",
                        PICK_SIZE_MOST, PICK_SIZE_MOST);
    }
    snprintf(text, sizeof text, "%lld %lld %d", (long long)t->size, (long long)t->keywords_most,
             t->together);
    snprintf(detail, sizeof detail, "{\"size\":%lld}", (long long)t->size);
    enum err_code rc = settings_put(db, setting, sv_of(text), err);
    return rc == OK ? events_add(db, now, account, "picks.target", 0, detail, NULL, err) : rc;
}

/* ---- counting ---- */

struct counting {
    struct arena *a;
    const struct sample_job *job;
    struct pick_board *board;
    uint8_t *stage;       /* enum pick_stage of each image of the pool */
    struct list *cells;   /* struct pick_cell, of each class */
    struct map_u64 place; /* class and number of the keyword -> index into the cells of the class */
};

static enum err_code note_stage(void *arg, const struct pick_row *p, struct err *err)
{
    struct counting *g = arg;
    uint32_t at = pool_name(&g->job->pool, p->name);
    (void)err;
    if (at < g->job->pool.n) {
        g->stage[at] = (uint8_t)p->stage;
    }
    return OK;
}

/* `keyword` is its number in the pool, SAMPLE_UNKNOWN: none. */
static struct pick_cell *cell_of(struct counting *g, uint32_t class_index, uint32_t keyword)
{
    struct list *l = &g->cells[class_index];
    uint64_t key = (uint64_t)class_index << 32 | keyword;
    uint32_t at = map_u64_put(&g->place, key, (uint32_t)l->n);
    if (at == l->n) {
        struct pick_cell *fresh = list_add(l, g->a, sizeof *fresh);
        fresh->keyword =
            keyword == SAMPLE_UNKNOWN ? SV("") : arena_sv(g->a, g->job->pool.keywords[keyword]);
    }
    return (struct pick_cell *)l->items + at;
}

static void count(struct counting *g, size_t i)
{
    const struct pool *p = &g->job->pool;
    const struct sample_image *s = &p->sample[i];
    struct pick_cell *cell = cell_of(g, s->class_index, s->keyword);
    if (s->original) {
        cell->originals++;
    } else if (s->blacklisted) {
        cell->banned++;
    } else {
        cell->picked += g->stage[i] == PICK_PICKED;
        cell->pruned += g->stage[i] == PICK_PRUNED;
        cell->open += g->stage[i] == PICK_OPEN;
        cell->usable += sample_reason_of(&g->job->ask.rules, s, -1) == SAMPLE_FINE;
    }
}

static void take_targets(struct counting *g)
{
    const struct sample_plan *plan = &g->job->plan;
    for (size_t i = 0; i < plan->n_cells; i++) {
        const struct sample_cell *c = &plan->cells[i];
        struct pick_cell *cell = cell_of(g, c->class_index, c->bin);
        cell->target = c->target;
        cell->missing = c->missing;
    }
}

static int by_keyword(const void *a, const void *b)
{
    return sv_cmp(((const struct pick_cell *)a)->keyword, ((const struct pick_cell *)b)->keyword);
}

static void add_up(struct pick_cell *sum, const struct pick_cell *c)
{
    sum->originals += c->originals;
    sum->target += c->target;
    sum->usable += c->usable;
    sum->picked += c->picked;
    sum->pruned += c->pruned;
    sum->open += c->open;
    sum->banned += c->banned;
    sum->missing += c->missing;
}

static void finish(struct counting *g)
{
    const struct pool *p = &g->job->pool;
    struct pick_board *b = g->board;
    b->classes = arena_calloc(g->a, p->n_classes + 1, sizeof *b->classes);
    b->n = p->n_classes;
    for (uint32_t k = 0; k < p->n_classes; k++) {
        struct pick_class *c = &b->classes[k];
        const struct class_info *info = &p->classes[k];
        *c = (struct pick_class){.info = {.id = info->id,
                                          .cid = info->cid,
                                          .wnid = arena_sv(g->a, info->wnid),
                                          .synset = arena_sv(g->a, info->synset),
                                          .gloss = arena_sv(g->a, info->gloss)},
                                 .cells = g->cells[k].items,
                                 .n = g->cells[k].n};
        if (c->n > 0) {
            qsort(c->cells, c->n, sizeof *c->cells, by_keyword);
        }
        c->no_keywords = true;
        for (size_t i = 0; i < c->n; i++) {
            c->no_keywords =
                c->no_keywords && (c->cells[i].keyword.n == 0 || !c->cells[i].originals);
            add_up(&c->all, &c->cells[i]);
        }
        add_up(&b->all, &c->all);
    }
}

static struct sample_ask ask_of(const struct pick_target *t, int64_t flags_to_quarantine)
{
    struct sample_ask ask = {.rules = sample_rules_usual(SAMPLE_KEYWORD)};
    ask.rules.size = (uint32_t)t->size;
    ask.rules.keywords_most = (uint32_t)t->keywords_most;
    ask.rules.together = t->together;
    ask.rules.answers_least = 0; /* nobody voted */
    ask.pool.picked_only = true;
    ask.pool.flags_to_quarantine = flags_to_quarantine;
    return ask;
}

enum err_code pick_board_make(struct db *db, struct tally *t, int64_t flags_to_quarantine, struct arena *a,
                              struct pick_board *out, struct err *err)
{
    struct sample_job job = {.plan = {.n_cells = 0}};
    struct err own = {OK, "", ""};
    *out = (struct pick_board){.n = 0};
    enum err_code rc = target_get(db, &out->target, err);
    if (rc != OK) {
        return rc;
    }
    const struct sample_ask ask = ask_of(&out->target, flags_to_quarantine);
    rc = sample_make_plan(db, t, &ask, &job, &own);
    if (rc == ERR_INPUT && sv_starts(sv_of(own.rule), "sample-")) {
        out->none = arena_strdup(a, own.msg); /* the pool is there all the same */
        job.plan.n_cells = 0;
        rc = OK;
    } else if (rc != OK) {
        *err = own;
    }
    struct counting g = {.a = a,
                         .job = &job,
                         .board = out,
                         .stage = arena_calloc(a, job.pool.n + 1, 1),
                         .cells = arena_calloc(a, job.pool.n_classes + 1, sizeof *g.cells)};
    map_u64_init(&g.place);
    rc = rc == OK ? picks_each(db, job.pool.as_of, note_stage, &g, err) : rc;
    for (size_t i = 0; i < job.pool.n && rc == OK; i++) {
        count(&g, i);
    }
    if (rc == OK) {
        take_targets(&g);
        finish(&g);
    }
    map_u64_release(&g.place);
    sample_release(&job);
    return rc;
}

/* ---- finding ---- */

const struct pick_class *pick_board_class(const struct pick_board *b, struct sv wnid)
{
    for (size_t i = 0; i < b->n; i++) {
        if (sv_eq(b->classes[i].info.wnid, wnid)) {
            return &b->classes[i];
        }
    }
    return NULL;
}

const struct pick_cell *pick_class_cell(const struct pick_class *k, struct sv keyword)
{
    for (size_t i = 0; i < k->n; i++) {
        if (sv_eq(k->cells[i].keyword, keyword)) {
            return &k->cells[i];
        }
    }
    return NULL;
}
