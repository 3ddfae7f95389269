/* golden_files.h - texts of the golden folder, unpacked where they come as .xz, and rows of its CSV
 * files. Whatever goes wrong fails the test. */
#ifndef TESTS_GOLDEN_FILES_H
#define TESTS_GOLDEN_FILES_H

#include <stdbool.h>

#include "base/arena.h"
#include "formats/csv.h"

/* What a program prints; argv[0] is found by $PATH. */
struct sv golden_run(const char *const *argv, struct arena *a);
/* A file below $HOLDOUT_GOLDEN/imagenetv2, e.g. "hits/images.csv.xz". */
struct sv golden_text(const char *golden, const char *name, struct arena *a);

/* The same as a table; csv_close when done. */
void golden_table(const char *golden, const char *name, struct csv *c, struct arena *a);
bool golden_row(struct csv *c);
/* Cells of the current row by name. */
struct sv golden_cell(const struct csv *c, const char *column);
uint32_t golden_number(const struct csv *c, const char *column);

#endif
