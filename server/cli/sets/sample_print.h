/* sample_print.h - a plan to sample, as CSV in the columns of the published programs' checks, and
 * in sentences: what is missing where, and what keeps candidates out. */
#ifndef CLI_SETS_SAMPLE_PRINT_H
#define CLI_SETS_SAMPLE_PRINT_H

#include "cli/core/cli.h"
#include "sets/sampling/sample.h"

/* On standard output. Columns of reasons that only this program has are there when they keep anything out. */
enum err_code sample_print_plan(struct cli *cli, const struct sample_job *job);
/* As notes: the whole, then what each short class needs; the first 20 unless --verbose. Of the
 * top images also the 20 classes with the lowest single and mean frequencies. Beside a parent: how it was sampled
 * otherwise, and how many of its images do not stay, by reason. Only reading the parent can fail. */
enum err_code sample_note_plan(struct cli *cli, const struct sample_job *job);

#endif
