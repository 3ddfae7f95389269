/* report.h - what a run of build/load says at its end, as one JSON object. */
#ifndef LOAD_REPORT_H
#define LOAD_REPORT_H

#include <stdint.h>

#include "base/str.h"
#include "load/watch.h"
#include "load/work.h"

struct report_of {
    const char *mode;
    unsigned clients;
    const struct work_stats *work; /* NULL: nobody worked */
    const struct watch_stats *watch;
    int64_t pid; /* the server's, for its memory; 0: not asked for */
    int64_t elapsed_ns;
};

void report_final(struct str *out, const struct report_of *of);
/* One line while a soak runs. */
void report_progress(struct str *out, const struct work_stats *s, int64_t pid, int64_t elapsed_ns);

#endif
