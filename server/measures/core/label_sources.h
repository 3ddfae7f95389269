/* label_sources.h - the label sources of the project as records, with how much of a set each covers. */
#ifndef MEASURES_LABEL_SOURCES_H
#define MEASURES_LABEL_SOURCES_H

#include "record/record.h"
#include "store/labels/labels.h"
#include "store/sets/sets.h"

struct label_source_row {
    struct label_version_row version;
    const char *kind, *rules; /* words; rules with commas between them */
    bool covered;             /* a set was asked about */
    int64_t set_images, has, counts;
};
extern const struct record label_source_record;
/* The newest version of each source, or all versions of one (its name; empty: of each the newest), newest first. `r`: the
 * set, NULL: none. ERR_NOT_FOUND (rule "label-source"). */
enum err_code label_sources_list(struct db *db, struct sv name, const struct revision_row *r, struct arena *a,
                                 struct label_source_row **out, size_t *n, struct err *err);

#endif
