/* image_run.h - a model over a list of images, as a command runs it: threads, progress, being a job, what is said about
 * images that cannot be read. What becomes of the results is the command's. */
#ifndef CLI_MODELS_IMAGE_RUN_H
#define CLI_MODELS_IMAGE_RUN_H

#include "cli/models/image_work.h"
#include "cli/models/use.h"
#include "jobs/report.h"

struct image_run {
    struct cli *cli;
    struct model_use model;
    struct image_work work;
    struct job_report report;
    const char *what;        /* of the progress bar: "predicting" */
    /* The result of one content; its images are image_work_next's. Calls come one at a time, from any thread. */
    enum err_code (*take)(void *arg, const struct work_content *c, const float *const *outputs, struct err *err);
    /* Whether what was taken should be stored now, and doing so. */
    enum err_code (*flush)(void *arg, struct err *err);
    void *arg;
    size_t computed, failed, contents; /* images with a result, without one; contents computed */
    int64_t started_ns, flushed_ns;
    int lock;                /* -1: none */
};

/* First of all, before threads: the signals, the job, and giving way to everybody else when it is one. */
enum err_code image_run_begin(struct image_run *r, struct cli *cli, const char *what);
/* Computes work.todo. Images that cannot be read are named on standard error, and the rest goes on; ERR_BUSY
 * (rule "job-stopped") when somebody asked to stop. What was taken is flushed in any case. */
enum err_code image_run_images(struct image_run *r);
/* A summary on standard output with --json, else a note; ERR_INPUT (rule "images-unread") when images failed. */
enum err_code image_run_tell(struct image_run *r);
void image_run_end(struct image_run *r);

/* One process at a time adds to what a model has, and locks `path` for it: ERR_BUSY (rule "model-busy"). Held
 * until image_run_end. */
enum err_code image_run_lock(struct image_run *r, const char *path);

#endif
