/* compare.h - where two texts of one file differ: cells of CSV, texts between tags, lines. Shared by report/verify.c and
 * compare.c alone. */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "base/list.h"
#include "report/verify.h"

struct compare {
    struct arena *a;
    struct verify_found *out;
    struct list findings;              /* struct verify_finding */
};
void compare_add(struct compare *k, const struct verify_finding *f);
/* As the file's name says what it is. */
void compare_files(struct compare *k, const char *file, struct sv reported, struct sv recomputed);

#endif
