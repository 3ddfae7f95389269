/* neighbors_search.c - search after search as it is planned: into the database, into a part file, or out of all part
 * files. One process at a time stores. */
#include "transfer/duplicates/neighbors_search.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "store/duplicates/near_metrics.h"
#include "transfer/duplicates/neighbors_part.h"
#include "transfer/duplicates/neighbors_pictures.h"
#include "transfer/duplicates/neighbors_run.h"
#include "transfer/duplicates/neighbors_store.h"
#include "transfer/duplicates/neighbors_todo.h"

#define DIGEST_TEXT_MOST ((size_t)1 << 31)

struct searching {
    struct transfer *tr;
    const struct neighbors_ask *ask;
    struct neighbors_todo todo;
    struct neighbors_shared shared; /* of part files */
    uint64_t pairs, pairs_before;   /* of all searches, and of those that are over */
    const struct planned *at;       /* the search that runs, in which of its queries */
    uint32_t begin, end;
    struct neighbors_store store;   /* one of these takes its lists */
    struct neighbors_part *part;
};

static uint64_t pairs_of(const struct planned *p, uint32_t begin, uint32_t end)
{
    return (uint64_t)(end - begin) * p->search.refs.numbers;
}

/* ------------------------------------------------------------------ one search */

static enum err_code take(void *arg, uint32_t first, const struct near_list *lists, uint32_t n, const uint32_t *unread,
                          uint32_t n_unread, struct err *err)
{
    struct searching *s = arg;
    return s->part ? neighbors_part_take(s->part, (uint32_t)(s->at - s->todo.planned), first, lists, n, unread, n_unread, err)
                   : neighbors_store_take(&s->store, lists, n, unread, n_unread, err);
}

static enum err_code progress(void *arg, double share, struct err *err)
{
    const struct searching *s = arg;
    uint64_t done = s->pairs_before + (uint64_t)(share * (double)pairs_of(s->at, s->begin, s->end));
    transfer_progress(s->tr, "searching near-duplicates", done, s->pairs);
    return s->ask->progress ? s->ask->progress(s->ask->arg, done, s->pairs, s->at->metric->name, err) : OK;
}

/* Queries from `begin` to before `end` of a planned search. */
static enum err_code run_planned(struct searching *s, const struct planned *p, uint32_t begin, uint32_t end)
{
    const struct neighbors_run run = {.compared = &s->todo.compared, .search = &p->search, .begin = begin, .end = end,
                                      .threads = s->ask->threads, .memory = s->ask->memory, .arg = s, .take = take,
                                      .progress = progress};
    s->at = p;
    s->begin = begin;
    s->end = end;
    enum err_code rc = neighbors_todo_use(&s->todo, p->metric, s->tr->err);
    rc = rc == OK && begin < end ? neighbors_run(&run, s->tr->err) : rc;
    s->pairs_before += pairs_of(p, begin, end);
    return rc;
}

static enum err_code search_planned(struct searching *s, const struct planned *p)
{
    enum err_code rc = neighbors_store_begin(&s->store, s->tr, &p->search, s->ask->account);
    return rc == OK ? run_planned(s, p, s->store.next, p->search.queries.numbers) : rc;
}

/* ------------------------------------------------------------------ what is said */

static const char *what_of(const struct searching *s)
{
    return s->ask->originals ? "original" : "candidate";
}

static void note_planned(const struct searching *s, const struct planned *p, bool done)
{
    uint32_t queries = p->search.queries.numbers, refs = p->search.refs.numbers;
    transfer_note(s->tr, "%s: %u %s%s %s %u image%s.", p->metric->name, queries, what_of(s), queries == 1 ? "" : "s",
                  done ? "compared with" : "to compare with", refs, refs == 1 ? "" : "s");
}

static bool is_planned(const struct searching *s, const struct review_metric *m)
{
    for (uint32_t i = 0; i < s->todo.n; i++) {
        if (s->todo.planned[i].metric == m) {
            return true;
        }
    }
    return false;
}

/* How many pairs a reviewer may have to look at. */
static enum err_code note_close(const struct searching *s, const struct review_metric *m)
{
    struct transfer *tr = s->tr;
    struct near_search *searches;
    struct sv space;
    size_t n = 0;
    int64_t close = 0;
    enum err_code rc = neighbors_todo_space(&s->todo, m, &space, tr->err);
    rc = rc == OK ? near_searches_whole(tr->db, space, 0, tr->arena, &searches, &n, tr->err) : rc;
    rc = rc == OK ? near_searches_count_close(tr->db, searches, n, m->threshold, &close, tr->err) : rc;
    if (rc == OK && n > 0) {
        transfer_note(tr, "%s: %lld neighbours within %.6g%s.", m->name, (long long)close, m->threshold,
                      is_planned(s, m) ? "" : "; there was nothing to compare");
    }
    return rc;
}

static enum err_code note_metrics(const struct searching *s)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < s->todo.gate.n && rc == OK; i++) {
        const struct review_metric *m = &s->todo.gate.metric[i];
        rc = neighbors_todo_wants(&s->todo, m) ? note_close(s, m) : OK;
    }
    return rc;
}

/* ------------------------------------------------------------------ the project's metrics */

static enum err_code turn_on(const struct searching *s, struct review_metric m)
{
    struct transfer *tr = s->tr;
    bool changed;
    m.enabled = true;
    enum err_code rc = near_metrics_put(tr->db, &m, s->ask->account, clock_wall_ms(), &changed, tr->err);
    if (rc == OK) {
        transfer_note(tr, "Turned on %s: images of %u x %u pixels, threshold %.6g; `holdout near-metrics %s` changes it.",
                      m.name, m.side, m.side, m.threshold, tr->dir);
    }
    return rc;
}

/* Without any metric the published ones of pixels are turned on: a search is what somebody asks for here. */
static enum err_code turn_on_usual(const struct searching *s)
{
    struct transfer *tr = s->tr;
    struct review_gate gate;
    enum err_code rc = near_metrics_get(tr->db, 0, &gate, tr->err);
    bool any = s->ask->metric != NULL;
    for (size_t m = 0; m < gate.n; m++) {
        any = any || gate.metric[m].enabled;
    }
    if (rc == OK && !any && s->ask->tiny) {
        return err_rule(tr->err, ERR_INPUT, "near-metric-tiny",
                        "No metric is on, and the published ones are for images of 256 x 256 pixels; `holdout near-metrics %s "
                        "NAME --kind l2 --size 32 --threshold X` defines one for tiny images",
                        tr->dir);
    }
    if (rc == OK && !any && tr->dry_run) {
        transfer_note(tr, "No metric is on; the search would turn on l2 and dssim.");
        return OK;
    }
    rc = rc == OK && !any ? turn_on(s, gate.metric[REVIEW_L2]) : rc;
    return rc == OK && !any ? turn_on(s, gate.metric[REVIEW_DSSIM]) : rc;
}

static enum err_code open_search(struct searching *s, struct transfer *tr, const struct neighbors_ask *ask, bool resumes)
{
    *s = (struct searching){.tr = tr, .ask = ask};
    enum err_code rc = turn_on_usual(s);
    rc = rc == OK ? neighbors_todo_make(&s->todo, tr, ask, resumes) : rc;
    for (uint32_t i = 0; i < s->todo.n; i++) {
        s->pairs += pairs_of(&s->todo.planned[i], 0, s->todo.planned[i].search.queries.numbers);
    }
    return rc;
}

static enum err_code close_search(struct searching *s, enum err_code rc)
{
    rc = rc == OK ? neighbors_todo_end(&s->todo) : rc;
    neighbors_todo_release(&s->todo);
    return rc;
}

/* ------------------------------------------------------------------ the whole search */

static enum err_code lock(const struct transfer *tr, int *fd)
{
    struct err why = {0};
    enum err_code rc = fs_lock(fs_join(tr->arena, tr->dir, "neighbors.lock"), true, fd, &why);
    return rc == ERR_BUSY ? err_rule(tr->err, rc, "neighbors-busy",
                                     "Another process is searching near-duplicates right now; try again when that is done.")
           : rc != OK     ? err_rule(tr->err, rc, why.rule, "%s", why.msg)
                          : OK;
}

static enum err_code search_all(struct searching *s)
{
    enum err_code rc = OK;
    for (uint32_t i = 0; i < s->todo.n && rc == OK; i++) {
        const struct planned *p = &s->todo.planned[i];
        rc = s->tr->dry_run ? OK : search_planned(s, p);
        transfer_progress_end(s->tr);
        if (rc == OK) {
            note_planned(s, p, !s->tr->dry_run);
        }
    }
    rc = rc == OK ? neighbors_pictures(s->tr, &s->ask->pictures, s->ask->threads) : rc;
    return rc == OK ? note_metrics(s) : rc;
}

enum err_code neighbors_search(struct transfer *tr, const struct neighbors_ask *ask)
{
    struct searching *s = xcalloc(1, sizeof *s);
    int fd = -1;
    enum err_code rc = lock(tr, &fd);
    rc = rc == OK ? open_search(s, tr, ask, true) : rc;
    rc = rc == OK ? search_all(s) : rc;
    rc = close_search(s, rc);
    fs_unlock(fd);
    free(s);
    return rc;
}

/* ------------------------------------------------------------------ parts */

static void add_images(struct str *text, const struct compared *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        str_printf(text, "%lld ", (long long)c->images[i].image);
        str_addsv(text, c->images[i].sha256);
    }
}

static void add_search(struct str *text, struct arena *a, const struct near_search *s)
{
    str_printf(text, SV_FMT "\n" SV_FMT "\n" SV_FMT "\n%lld %.17g\n", SV_ARG(s->metric), SV_ARG(s->space),
               SV_ARG(s->engine), (long long)s->k, s->within);
    str_printf(text, "%zu %zu\n", s->queries.n, s->refs.n);
    str_addsv(text, ranges_bytes(&s->queries, a));
    str_addsv(text, ranges_bytes(&s->refs, a));
}

/* Parts are of one plan: the same images with the same bytes, and the same searches of them. */
static enum err_code share(struct searching *s)
{
    struct transfer *tr = s->tr;
    unsigned char digest[CRYPTO_HASH];
    struct str text;
    str_init(&text, DIGEST_TEXT_MOST);
    const struct near_search **searches = arena_calloc(tr->arena, s->todo.n + 1, sizeof *searches);
    add_images(&text, &s->todo.compared);
    for (uint32_t i = 0; i < s->todo.n; i++) {
        searches[i] = &s->todo.planned[i].search;
        add_search(&text, tr->arena, searches[i]);
    }
    enum err_code rc = str_check(&text, "the plan of the search", tr->err);
    if (rc == OK) {
        crypto_sha256(text.p, text.n, digest);
        crypto_hex(digest, sizeof digest, s->shared.plan);
        s->shared.searches = searches;
        s->shared.n = s->todo.n;
    }
    str_release(&text);
    return rc;
}

static enum err_code run_part(struct searching *s, struct neighbors_part *part)
{
    enum err_code rc = OK;
    s->part = part;
    s->pairs /= part->parts;
    for (uint32_t i = 0; i < s->todo.n && rc == OK; i++) {
        const struct planned *p = &s->todo.planned[i];
        uint32_t begin, end;
        neighbors_part_range(&p->search, part->part, part->parts, &begin, &end);
        rc = run_planned(s, p, part->next[i], end);
        transfer_progress_end(s->tr);
        if (rc == OK) {
            transfer_note(s->tr, "%s: %u of %u %ss compared with %u images.", p->metric->name, end - begin,
                          p->search.queries.numbers, what_of(s), p->search.refs.numbers);
        }
    }
    return rc;
}

enum err_code neighbors_search_part(struct transfer *tr, const struct neighbors_ask *ask, const char *path,
                                    uint32_t number, uint32_t parts)
{
    struct searching *s = xcalloc(1, sizeof *s);
    struct neighbors_part part = {0};
    enum err_code rc = open_search(s, tr, ask, false);
    rc = rc == OK ? share(s) : rc;
    if (rc == OK) {
        uint32_t *next = arena_calloc(tr->arena, s->todo.n + 1, sizeof *next);
        rc = neighbors_part_open(&part, path, &s->shared, number, parts, next, tr->err);
    }
    rc = rc == OK ? run_part(s, &part) : rc;
    part_file_close(&part.file);
    rc = close_search(s, rc);
    free(s);
    return rc;
}

static enum err_code store_lists(void *arg, const struct near_list *lists, uint32_t n, const uint32_t *unread,
                                 uint32_t n_unread, struct err *err)
{
    return neighbors_store_take(arg, lists, n, unread, n_unread, err);
}

/* As long as a search is missing none of them counts: the plan stays the one that the files are of, and the same command
 * stores what a killed one did not. */
static enum err_code merge_all(struct searching *s, struct neighbors_merge *m)
{
    struct transfer *tr = s->tr;
    int64_t *stored = arena_calloc(tr->arena, s->todo.n + 1, sizeof *stored);
    enum err_code rc = OK;
    for (uint32_t i = 0; i < s->todo.n && rc == OK; i++) {
        rc = neighbors_store_begin(&s->store, tr, &s->todo.planned[i].search, s->ask->account);
        s->store.ends_later = true;
        stored[i] = s->store.search.id;
        rc = rc == OK ? neighbors_merge_each(m, i, s->store.next, store_lists, &s->store, tr->err) : rc;
    }
    rc = rc == OK ? neighbors_store_end(tr, stored, s->todo.n, s->ask->account) : rc;
    for (uint32_t i = 0; i < s->todo.n && rc == OK; i++) {
        note_planned(s, &s->todo.planned[i], true);
    }
    rc = rc == OK ? neighbors_pictures(tr, &s->ask->pictures, s->ask->threads) : rc;
    return rc == OK ? note_metrics(s) : rc;
}

enum err_code neighbors_search_merge(struct transfer *tr, const struct neighbors_ask *ask, const char *const *paths,
                                     uint32_t n)
{
    struct searching *s = xcalloc(1, sizeof *s);
    struct neighbors_merge *m = NULL;
    int fd = -1;
    enum err_code rc = lock(tr, &fd);
    rc = rc == OK ? open_search(s, tr, ask, false) : rc;
    rc = rc == OK ? share(s) : rc;
    rc = rc == OK ? neighbors_merge_open(&m, paths, n, &s->shared, tr->err) : rc;
    rc = rc == OK ? merge_all(s, m) : rc;
    neighbors_merge_close(m);
    rc = close_search(s, rc);
    fs_unlock(fd);
    free(s);
    return rc;
}
