/* tasks.h - CLASSIFY tasks from a file: which labels each image could have, and of checks which it shows. */
#ifndef TRANSFER_IMPORTS_TASKS_H
#define TRANSFER_IMPORTS_TASKS_H

#include "store/work/grids.h"
#include "transfer/core/transfer.h"

struct task_new {
    int64_t image;
    int64_t class_id; /* the label that the image's set gives it */
    struct grid_options options; /* two at least, in candidate order; known: of a check */
};
struct tasks_found {
    size_t tasks, checks; /* checks are among the tasks */
    size_t single;        /* images with one candidate: nobody needs to be asked */
};
/* From CSV with the columns image and label, a row for each candidate in candidate order, an image's rows in a run; if
 * there is a column known, 1 marks the labels that a check's image is known to show. The list of found->tasks is in the
 * arena. ERR_INPUT with the number of bad rows, or when no image has two candidates. */
enum err_code tasks_read(struct transfer *tr, const char *path, struct task_new **list, struct tasks_found *found);

#endif
