/* neighbors_export.h - the stored neighbours of every image that was searched, as CSV. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_EXPORT_H
#define TRANSFER_DUPLICATES_NEIGHBORS_EXPORT_H

#include "transfer/core/transfer.h"

/* As neighbors_print of neighbors_print.h has them, by a metric of the project; at most k of each, and none farther
 * than `within`. ERR_NOT_FOUND (rules "near-metric", "near-search": nothing is stored). */
enum err_code neighbors_export(struct transfer *tr, const char *metric, uint32_t k, double within);

#endif
