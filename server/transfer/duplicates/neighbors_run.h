/* neighbors_run.h - computes the lists of some queries of one search. Knows nothing of where the lists go. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_RUN_H
#define TRANSFER_DUPLICATES_NEIGHBORS_RUN_H

#include "store/duplicates/near_searches.h"
#include "transfer/duplicates/compared.h"

struct neighbors_run {
    struct compared *compared;        /* by id, and by the search's metric */
    const struct near_search *search; /* its queries and references, and k */
    uint32_t begin, end;              /* places of the queries that are wanted */
    unsigned threads;
    size_t memory;                    /* bytes, for the images that are compared at one time */
    void *arg;                        /* of what follows */
    /* The lists of n queries from place `first` on, in order; those that could not be read have empty ones. Images that
     * could not be read until now are among `unread` (n_unread of them, ascending), in every call. */
    enum err_code (*take)(void *arg, uint32_t first, const struct near_list *lists, uint32_t n, const uint32_t *unread,
                          uint32_t n_unread, struct err *err);
    /* So many of all pairs are compared; what it fails with ends the run. */
    enum err_code (*progress)(void *arg, double share, struct err *err);
};
enum err_code neighbors_run(const struct neighbors_run *run, struct err *err);

#endif
