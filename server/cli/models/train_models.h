/* train_models.h - baselines (infer/train/train.h) of a project: which images, of which classes,
 * and the model and its recipe into the project. Images are read once for any number of models. */
#ifndef CLI_MODELS_TRAIN_MODELS_H
#define CLI_MODELS_TRAIN_MODELS_H

#include "cli/core/cli.h"
#include "infer/train/train.h"
#include "jobs/report.h"
#include "store/classes/classes.h"

struct train_models {
    struct cli *cli;
    struct job_report *report;  /* NULL: nobody asks how far it is, or to stop */
    unsigned side, threads;
    struct class_info *classes; /* by cid: label k is classes[k] */
    size_t n_classes, n, cap;
    const char **paths;         /* of images, in the command's arena */
    uint32_t *labels;
    const char *from;           /* for people: "images in demo-images/train" */
    uint64_t skipped;
    struct train_images *images;
};

/* Reads the images of FOLDER/WNID/, or those of a role of the project, and its classes. Files that cannot be read
 * are said and left out. ERR_INPUT: rule "train-folder" for a folder that is no class, "train-images" for a class
 * with too few. */
enum err_code train_models_read_folder(struct train_models *t, const char *folder);
enum err_code train_models_read_role(struct train_models *t, const char *role);
void train_models_release(struct train_models *t);

/* Trains a model and adds it, with a note that says how it was made. The same again changes nothing; another one
 * of that name is ERR_CONFLICT (rule "model-differs"). */
enum err_code train_models_make(struct train_models *t, const char *name, const struct train_plan *p,
                                struct train_facts *out);

#endif
