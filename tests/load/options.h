/* options.h - the command line of build/load. */
#ifndef LOAD_OPTIONS_H
#define LOAD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "load/watch.h"
#include "load/work.h"

enum mode { MODE_SUBMIT, MODE_CYCLE, MODE_SOAK, MODE_EVENTS, MODE_READ, MODE_MIXED };

struct options {
    enum mode mode;
    char host[256];
    int64_t port, clients, count, streams, readers, pid, every, seed;
    const char *journal, *token, *topics;
    struct work_options work;
    struct watch_options watch;
};

const char *mode_name(enum mode m);
bool mode_works(enum mode m); /* people answer in it */

/* False after a message on stderr. Texts are borrowed from argv. */
bool options_parse(struct options *o, int argc, char **argv);

#endif
