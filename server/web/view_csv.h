/* view_csv.h - the frequencies of a counted view as CSV: the same rows for the page's download and
 * the command. Called by page_views.c; cli/ may. */
#ifndef WEB_VIEW_CSV_H
#define WEB_VIEW_CSV_H

#include "base/str.h"
#include "live/view_count.h"
#include "store/images.h"

/* image,wnid,n_assignments,n_selected, by the images' order in the project; pairs without answers are
 * left out: they have no frequency. `flush` (may be NULL) is called after every image and may empty
 * `out`. */
enum err_code view_csv(struct db *db, const struct view_counts *v, struct arena *a, struct str *out,
                       enum err_code (*flush)(struct str *out, struct err *err), struct err *err);

#endif
