/* search.h - the nearest of many pictures among many, in the memory that is given: queries in batches, for each batch
 * all references in blocks, read again each time. The result depends on neither, nor on the number of threads. Knows
 * nothing of files, names and classes: who calls says how a row is read and which pairs are compared. */
#ifndef NEIGHBORS_SEARCH_H
#define NEIGHBORS_SEARCH_H

#include "base/err.h"
#include "neighbors/nearest.h"

enum search_kind {
    SEARCH_PIXELS,   /* squared distance of side x side x 3 bytes */
    SEARCH_FEATURES, /* squared distance of `size` floats */
    SEARCH_SSIM      /* (1 - SSIM) / 2 of side x side x 3 bytes with a window */
};
struct search_metric {
    enum search_kind kind;
    uint32_t side, window, size;
};
/* Bytes of a row. */
size_t search_row_size(const struct search_metric *m);

/* One side. `read` is called by several threads, for different rows; *there false: this row cannot be had, it is near
 * nobody, and the rest goes on. */
struct search_rows {
    uint32_t n;
    enum err_code (*read)(void *arg, uint32_t row, void *out, bool *there, struct err *err);
    void *arg;
};

struct search {
    struct search_metric metric;
    struct search_rows queries, references;
    uint32_t k;        /* 1 to NEAREST_MOST */
    unsigned threads;
    size_t memory;     /* bytes, for rows and what is made of them; a batch and a block hold at least one row */
    uint32_t batch;    /* queries at a time, at most: what is lost when the search is stopped; 0: what memory has room for */
    void *arg;         /* of all that follow */
    /* SEARCH_SSIM: whether a pair is compared, by any thread; NULL: all are. The other kinds compare all at once: who
     * wants some of them left out asks for more neighbours. */
    bool (*compares)(void *arg, uint32_t query, uint32_t reference);
    /* Lists of the queries `first` to before `first + n`, in order: once for each batch. there[i] false: query
     * first + i could not be read, and its list is empty. */
    enum err_code (*take)(void *arg, uint32_t first, uint32_t n, const struct nearest *lists, const bool *there,
                          struct err *err);
    /* So many of all pairs were looked at; false ends the search with ERR_BUSY (rule "search-stopped"). */
    bool (*progress)(void *arg, double share);
};

/* From query `from` on (0: all), which is where a search that was stopped goes on. */
enum err_code search_run(const struct search *s, uint32_t from, struct err *err);

#endif
