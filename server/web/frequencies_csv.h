/* frequencies_csv.h - selection frequencies as CSV: the same file from the page of a view and from
 * `holdout export frequencies`. Called by page_views.c and cli/cmd_export.c. */
#ifndef WEB_FREQUENCIES_CSV_H
#define WEB_FREQUENCIES_CSV_H

#include "base/str.h"
#include "live/view_count.h"
#include "store/images.h"

struct frequency {
    uint32_t image, class_id, shown, selected;
};
/* Those of a counted view; the caller frees them. */
struct frequency *frequencies_of(const struct view_counts *v, size_t *n);

/* image,wnid,n_assignments,n_selected, by image, then class; the list is sorted by the call. What has
 * no answers is left out: it has no frequency. `flush` (may be NULL) is called after every image and
 * may empty `out`. */
enum err_code frequencies_csv(struct db *db, struct frequency *list, size_t n, struct arena *a,
                              struct str *out,
                              enum err_code (*flush)(struct str *out, struct err *err),
                              struct err *err);

#endif
