/* print_records.h - rows of one record on standard output: CSV, with --json JSON lines. */
#ifndef CLI_OBJECTS_PRINT_RECORDS_H
#define CLI_OBJECTS_PRINT_RECORDS_H

#include "cli/core/cli.h"
#include "record/record.h"

struct printing {
    struct cli *cli;
    const struct record *record;
    struct str out;
    struct arena scratch; /* for texts of the next row; empty after it */
};
void printing_begin(struct printing *p, struct cli *cli, const struct record *record);
enum err_code printing_row(struct printing *p, const void *row);
/* Prints the rest and releases everything, also when rc is an error, which stays. */
enum err_code printing_end(struct printing *p, enum err_code rc);

#endif
