/* process.h - a job's child process: started as a process of its own group with low priority, watched by a
 * file descriptor, signalled by that too, so that a number which came into other hands is never
 * hit. Knows nothing of the queue. */
#ifndef JOBS_PROCESS_H
#define JOBS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct process {
    int64_t pid;
    int fd;      /* a pidfd: readable when the process has ended */
    bool ours;   /* our child: its status can be had */
};
enum process_end {
    PROCESS_DONE,     /* exit 0 */
    PROCESS_STOPPED,  /* it was asked to end, and did */
    PROCESS_FAILED,   /* it reported that it failed */
    PROCESS_DIED      /* a signal ended it, or it is not known how */
};
struct process_status {
    enum process_end end;
    int number;       /* the exit status, or the signal */
};

/* Runs this program with the words in `argv` (NULL at the end; argv[0] is its name), output and errors to
 * `output`. When this process ends first, the child gets SIGTERM. Call from a thread that lives on. */
enum err_code process_start(const char *const *argv, int output, struct process *out, struct err *err);
/* One that somebody else started. ERR_NOT_FOUND when there is none. */
enum err_code process_watch(int64_t pid, struct process *out, struct err *err);
void process_signal(const struct process *p, int number);
/* When fd was readable, or waiting for it: how it ended; closes fd. */
struct process_status process_wait(struct process *p);
void process_forget(struct process *p);

#endif
