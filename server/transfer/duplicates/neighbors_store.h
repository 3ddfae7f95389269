/* neighbors_store.h - lists of a search into the database, block by block, so that whatever is committed stays when the
 * process ends, however it ends, and the same search resumes behind it. The blocks are the same however many lists come
 * at a time. Knows nothing of how lists are made. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_STORE_H
#define TRANSFER_DUPLICATES_NEIGHBORS_STORE_H

#include "store/duplicates/near_searches.h"
#include "transfer/core/transfer.h"

struct neighbors_store {
    struct transfer *tr;
    struct near_search search; /* as it is stored */
    int64_t account;           /* whose job it is; 0: none */
    bool ends_later;           /* the last list does not make it whole: neighbors_store_end does */
    uint32_t next;             /* the first query whose list is not stored */
    struct near_list block[NEAR_BLOCK];
    struct near_neighbor room[NEAR_BLOCK][NEAR_MOST];
    uint32_t n_block;          /* lists that wait for the rest of their block */
    const struct near_list *lists; /* what was taken, and how much of it was stored */
    uint32_t n_lists, at_list;
    const uint32_t *unread;
    uint32_t n_unread, at_unread, told_unread;
};
/* A stored search that is exactly this one and not whole is resumed; otherwise it is a new one. */
enum err_code neighbors_store_begin(struct neighbors_store *s, struct transfer *tr, const struct near_search *search,
                                    int64_t account);
/* Lists from query `next` on, as `take` of neighbors_run.h gives them. With the last the search is whole. */
enum err_code neighbors_store_take(struct neighbors_store *s, const struct near_list *lists, uint32_t n,
                                   const uint32_t *unread, uint32_t n_unread, struct err *err);
/* All these searches are whole, in one transaction. */
enum err_code neighbors_store_end(struct transfer *tr, const int64_t *searches, uint32_t n, int64_t account);

#endif
