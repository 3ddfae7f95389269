/* neighbors_metric.h - a metric of the project as a search wants it. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_METRIC_H
#define TRANSFER_DUPLICATES_NEIGHBORS_METRIC_H

#include "domain/review/review_gate.h"
#include "neighbors/search.h"
#include "transfer/core/transfer.h"

/* How its pairs are compared; the size of features is found. */
struct search_metric neighbors_metric(const struct review_metric *m);
/* The metric of that name, in the gate; ERR_NOT_FOUND (rule "near-metric"). */
enum err_code neighbors_metric_find(const struct review_gate *gate, const char *name, const struct transfer *tr,
                                    const struct review_metric **out);

#endif
