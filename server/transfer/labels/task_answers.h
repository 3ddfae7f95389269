/* task_answers.h - answers of an earlier study to tasks of one image each, read as a whole: whether the image contains a class
 * (CONTAINS), or which of several labels are there (CLASSIFY). Each task becomes a grid of one image in a campaign of
 * that task. */
#ifndef TRANSFER_IMPORTS_TASK_ANSWERS_H
#define TRANSFER_IMPORTS_TASK_ANSWERS_H

#include "base/list.h"
#include "store/work/grids.h"
#include "transfer/imports/lines.h"

struct task_read {
    struct sv name;        /* of the grid */
    int64_t image, class_id;
    struct grid_options options; /* CLASSIFY */
    uint64_t line;         /* of the file */
};
struct task_answer {
    uint32_t task;
    struct sv worker, name; /* what the study calls the person and the answer */
    uint64_t mask, line;
    int main;              /* OPTION_NONE: of CONTAINS */
};
struct task_answers {
    struct import *im;
    const char *campaign;  /* NULL: the usual name */
    bool classify;
    bool simulated;        /* nobody gave them: the people are marked so */
    struct list tasks, answers; /* struct task_read; struct task_answer, those of a task together */
};
/* Id of the image of that name; 0, and a bad row, when there is none. */
enum err_code task_image(struct import *im, uint64_t line, struct sv name, int64_t *out);
/* Checks everything against the project, says what is wrong with file and line, and writes it unless that is so or it is a dry
 * run. Twice changes nothing; a killed import is completed by the next. Says what came of it. */
enum err_code task_answers_write(struct task_answers *t);

#endif
