/* frequencies_csv.h - selection frequencies as CSV: the same file from the page of a view and from
 * `holdout export frequencies`. */
#ifndef TRANSFER_EXPORTS_FREQUENCIES_CSV_H
#define TRANSFER_EXPORTS_FREQUENCIES_CSV_H

#include "base/str.h"
#include "live/votes/view_count.h"
#include "store/images/images.h"
#include "transfer/core/transfer.h"

struct frequency {
    uint32_t image, class_id, shown, selected;
};
/* Those of a counted view; the caller frees them. */
struct frequency *frequencies_of(const struct view_counts *v, size_t *n);

/* image,wnid,n_assignments,n_selected, by image, then class; the list is sorted by the call. What has
 * no answers is left out: it has no frequency. `out` is handed on as it fills, unless `tr` is NULL. */
enum err_code frequencies_csv(struct db *db, struct frequency *list, size_t n, struct arena *a,
                              struct str *out, const struct transfer *tr, struct err *err);

#endif
