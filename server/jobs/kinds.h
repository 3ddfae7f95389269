/* kinds.h - THE job table: which commands the server may run as child processes, and how many at once. */
#ifndef JOBS_KINDS_H
#define JOBS_KINDS_H

#include <stddef.h>

struct job_kind {
    const char *name;      /* the command: "predict", "features", "train" */
    const char *summary;
    unsigned most_at_once; /* of this kind */
};
extern const struct job_kind job_kinds[];
extern const size_t job_kinds_count;
const struct job_kind *job_kind_find(const char *name); /* NULL: none */

#endif
