/* neighbors_store.c - full blocks go to the database, the rest waits for the lists that follow. */
#include "transfer/duplicates/neighbors_store.h"

#include <string.h>

#include "base/clock.h"
#include "db/bulk.h"

enum { UNREAD_AT_ONCE = 256 };

/* ------------------------------------------------------------------ beginning */

static bool same_ranges(const struct ranges *a, const struct ranges *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++) {
        same = a->at[i].first == b->at[i].first && a->at[i].count == b->at[i].count;
    }
    return same;
}

static bool same_search(const struct near_search *a, const struct near_search *b)
{
    return sv_eq(a->metric, b->metric) && sv_eq(a->space, b->space) && a->k == b->k && !(a->within < b->within) &&
           !(a->within > b->within) && same_ranges(&a->queries, &b->queries) && same_ranges(&a->refs, &b->refs);
}

static enum err_code put(struct neighbors_store *s)
{
    struct transfer *tr = s->tr;
    enum err_code rc = db_tx_begin(tr->db, tr->err);
    rc = rc == OK ? near_searches_put(tr->db, &s->search, s->account, clock_wall_ms(), tr->err) : rc;
    return db_tx_end(tr->db, rc, tr->err);
}

enum err_code neighbors_store_begin(struct neighbors_store *s, struct transfer *tr, const struct near_search *search,
                                    int64_t account)
{
    struct near_search *begun;
    size_t n = 0;
    *s = (struct neighbors_store){.tr = tr, .search = *search, .account = account};
    s->search.id = 0;
    enum err_code rc = near_searches_begun(tr->db, search->space, tr->arena, &begun, &n, tr->err);
    for (size_t i = 0; rc == OK && i < n && s->search.id == 0; i++) {
        s->search.id = same_search(&begun[i], search) ? begun[i].id : 0;
    }
    return rc != OK            ? rc
           : s->search.id == 0 ? put(s)
                               : near_searches_stored(tr->db, s->search.id, &s->next, tr->err);
}

/* ------------------------------------------------------------------ storing */

static enum err_code store_unread(struct db *db, struct neighbors_store *s, struct err *err)
{
    enum err_code rc = OK;
    for (int i = 0; rc == OK && i < UNREAD_AT_ONCE && s->at_unread < s->n_unread; i++) {
        rc = near_searches_unread(db, s->search.id, s->unread[s->at_unread++], err);
    }
    return rc;
}

static void fill_block(struct neighbors_store *s)
{
    for (; s->n_block < NEAR_BLOCK && s->at_list < s->n_lists; s->at_list++) {
        const struct near_list *from = &s->lists[s->at_list];
        struct near_neighbor *room = s->room[s->n_block];
        if (from->n) {
            memcpy(room, from->at, from->n * sizeof *room);
        }
        s->block[s->n_block++] = (struct near_list){room, from->n};
    }
}

static enum err_code store_block(struct db *db, struct neighbors_store *s, struct err *err)
{
    bool last = s->next + s->n_block == s->search.queries.numbers;
    if (s->n_block < NEAR_BLOCK && !last) {
        return OK;
    }
    enum err_code rc = near_searches_append(db, &s->search, s->next, s->block, s->n_block, err);
    s->next += s->n_block;
    s->n_block = 0;
    return rc == OK && last && !s->ends_later ? near_searches_end(db, s->search.id, s->account, clock_wall_ms(), err)
                                              : rc;
}

static enum err_code store_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct neighbors_store *s = arg;
    enum err_code rc = OK;
    if (s->at_unread < s->n_unread) {
        rc = store_unread(db, s, err);
    } else {
        fill_block(s);
        rc = store_block(db, s, err);
    }
    *more = s->at_unread < s->n_unread || s->at_list < s->n_lists;
    return rc;
}

enum err_code neighbors_store_take(struct neighbors_store *s, const struct near_list *lists, uint32_t n,
                                   const uint32_t *unread, uint32_t n_unread, struct err *err)
{
    s->lists = lists;
    s->n_lists = n;
    s->at_list = 0;
    s->unread = unread;
    s->n_unread = n_unread == s->told_unread ? 0 : n_unread; /* it only grows */
    s->at_unread = 0;
    s->told_unread = n_unread;
    return n == 0 ? OK : bulk_write(s->tr->db, s->tr->alone, store_step, s, err);
}

enum err_code neighbors_store_end(struct transfer *tr, const int64_t *searches, uint32_t n, int64_t account)
{
    enum err_code rc = db_tx_begin(tr->db, tr->err);
    for (uint32_t i = 0; i < n && rc == OK; i++) {
        rc = near_searches_end(tr->db, searches[i], account, clock_wall_ms(), tr->err);
    }
    return db_tx_end(tr->db, rc, tr->err);
}
