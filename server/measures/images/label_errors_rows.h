/* label_errors_rows.h - likely label errors as rows: the API's record and CSV. */
#ifndef MEASURES_LABEL_ERRORS_ROWS_H
#define MEASURES_LABEL_ERRORS_ROWS_H

#include "measures/images/label_errors.h"
#include "record/record.h"

struct label_error_row {
    int64_t rank, id; /* rank: from 1 */
    struct sv image, wnid, other; /* other: wnid, empty for none or a class that is not in the project */
    uint32_t models, say, other_say;
    double confidence, other_confidence;
    bool likely, has_file;
};
extern const struct record label_error_record;
/* Of `n` from `skip` on, with their names; in the arena. */
enum err_code label_error_rows(struct db *db, const struct label_errors *l, size_t skip, size_t n, struct arena *a,
                               struct label_error_row **out, struct err *err);

#endif
