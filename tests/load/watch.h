/* watch.h - those who only look, beside or instead of work.h: readers that get addresses one after
 * the other, and listeners that keep an event stream open. */
#ifndef LOAD_WATCH_H
#define LOAD_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "load/client.h"
#include "load/hist.h"

enum { WATCH_PATHS = 16 };

struct watch_options {
    unsigned first; /* connections first..first+readers+listeners-1 */
    unsigned readers, listeners;
    const char *paths[WATCH_PATHS]; /* readers take turns */
    unsigned n_paths;
    const char *events_path;
};

struct watch_stats {
    struct hist read;
    uint64_t read_ok, read_failed;
    int read_status; /* of the last that failed; 0: lost */
    uint64_t bytes;
    unsigned open; /* event streams now */
    uint64_t messages, heartbeats, ended, refused;
    int refused_status;
};

struct watch;
struct watch *watch_new(struct client *c, const struct watch_options *o);
void watch_free(struct watch *w);
void watch_start(struct watch *w);
void watch_stop(struct watch *w); /* readers finish what they have asked for */
bool watch_reading(const struct watch *w);
const struct watch_stats *watch_stats(const struct watch *w);

#endif
