/* neighbors_csv.h - neighbours as CSV: image,rank,neighbor,distance. Knows nothing of where they come from. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_CSV_H
#define TRANSFER_DUPLICATES_NEIGHBORS_CSV_H

#include "neighbors/search.h"
#include "transfer/core/transfer.h"

struct neighbors_csv {
    struct transfer *tr;
    enum search_kind kind; /* pixels: distances are whole numbers */
    struct str out;
    uint64_t rows;
};
void neighbors_csv_begin(struct neighbors_csv *csv, struct transfer *tr, enum search_kind kind);
void neighbors_csv_add(struct neighbors_csv *csv, struct sv image, uint32_t rank, struct sv neighbor, double distance);
/* Passes the rest on, unless `rc` says that something failed before. */
enum err_code neighbors_csv_end(struct neighbors_csv *csv, enum err_code rc);

#endif
