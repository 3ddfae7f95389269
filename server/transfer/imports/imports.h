/* imports.h - the imports: each takes a file or several, checks all of it, names what is wrong with its place
 * (lines.h), and writes nothing if anything is; then it writes what the project has not. Importing twice changes
 * nothing, and a killed import is completed by the next. The caller gets the result as notes (core/transfer.h). A
 * path may be "-", standard input. */
#ifndef TRANSFER_IMPORTS_IMPORTS_H
#define TRANSFER_IMPORTS_IMPORTS_H

#include "base/sv.h"
#include "image/rendition.h"
#include "store/models/features.h"
#include "transfer/core/transfer.h"
#include "transfer/imports/history_file.h"
#include "transfer/imports/image_files.h"

struct classes_files {
    const char *classes;
    const char *wikipedia, *similar; /* {wnid: [text]}, or NULL */
};
struct features_ask {
    const char *file;     /* .npy: a row of float32 for each image */
    const char *names;    /* CSV (image,wnid): whose rows they are, in their order */
    const char *role;     /* reference or training */
    struct sv model;      /* its name */
    struct feature_source *source; /* which features of it; how many numbers they have is known, rows and id are set */
};
struct hits_ask {
    const char **files;
    size_t n_files;       /* one at least */
    const char *campaign; /* NULL: "imported" */
    const char **exclude; /* lists of HITs that nobody counts (hits_exclude.h) */
    size_t n_exclude;
};
struct images_ask {
    const char *path;     /* a folder of class folders, or a manifest */
    const char *base;     /* folder that a manifest's paths begin at; NULL: the one it lies in */
    const char *prefix;   /* of the names of a folder's images, or NULL */
    const char *role;     /* of images whose manifest says none */
    struct rendition_options options;
    enum keep keep;
    int64_t threads;
};
struct labels_ask {
    const char *path;
    struct sv name;       /* of the source */
    const char *kind;     /* domain/labels/labels.h; NULL: by the file's format and columns */
    const char *set, *images; /* as of predictions: whose rows a list without names has, and which images there may be */
    const char *about;    /* CSV of what is known of images beside their labels (label_file.h), or NULL */
    const char *stage;    /* only rows of this stage, or NULL */
    const char *reason;   /* of `replace`, or NULL */
    bool replace;         /* a source that is there gets a new version */
    int64_t account;      /* who brings them; 0: the command line */
};
struct verdicts_ask {
    const char *path, *stage; /* stage: as of labels_ask */
    struct sv review;     /* the list */
    const char *by;       /* login of whose verdicts they are, NULL: nobody's who has an account */
};
struct predictions_ask {
    const char **files;   /* and folders */
    size_t n_files;       /* one at least */
    const char *set, *images; /* whose rows they are (prediction_file.h), or NULL */
    const char *model;    /* NULL: the files' names say it */
    bool reversed;        /* columns are worst first */
};
struct texts_ask {
    const char *path, *model; /* JSON lines (formats/said.h) */
    const char *set;      /* which images they may be about, or NULL: any */
    const char *recipe;   /* how the model was asked; NULL: the lines say it, if anything does */
};
struct texts_map_ask {
    const char *model, *mapping;
    const char *csv;      /* a person's list: text,wnid; NULL: that of the newest version, if there is one */
    const char *first;    /* "text" or "scores": which counts where a line has both; NULL: as csv, and "text" at first */
    bool add;             /* the rows of the newest version stay, but for texts that the CSV decides */
};
struct set_ask {
    struct sv name;
    const char *path;     /* a list, a folder that was exported, or a history */
    struct history_ask how;
    bool role_given;      /* otherwise an exported folder's own role counts */
};

/* blacklist_import.c. `reasons`: what reason codes mean; NULL: the file NAME_reasons.csv beside the list. */
enum err_code blacklist_import(struct transfer *tr, const char *path, const char *reasons);
enum err_code classes_import(struct transfer *tr, const struct classes_files *files);
/* Images of which only features are known (store/duplicates/feature_only.h). Features that are there are never replaced.
 * ERR_INPUT: rules "npy-header", "npy-type", "npy-shape" (formats/npy.h), "features-width" when rows are not as long as
 * those of the model, "features-rows" when not as many as names. */
enum err_code features_import(struct transfer *tr, const struct features_ask *ask);
enum err_code hits_import(struct transfer *tr, const struct hits_ask *ask);
enum err_code image_list_import(struct transfer *tr, const char *path);
/* ERR_INPUT as well when some files could not be read and the others are imported. */
enum err_code images_import(struct transfer *tr, const struct images_ask *ask);
/* near_duplicates_import.c */
enum err_code near_duplicates_import(struct transfer *tr, const char *path);
enum err_code override_import(struct transfer *tr, const char *path);
/* Kind, replacing and refusals: store/labels/labels.h. *there: the source's newest version said the same before. */
enum err_code labels_import(struct transfer *tr, const struct labels_ask *ask, bool *there);
enum err_code model_facts_import(struct transfer *tr, const char *path);
/* neighbours_import.c. Images that are not listed have nothing left to review, unless `listed_only`. */
enum err_code review_thresholds_import(struct transfer *tr, const char *path, bool listed_only);
enum err_code nn_reviews_import(struct transfer *tr, const char *path);
enum err_code participants_import(struct transfer *tr, const char *path, const char *campaign);
/* `account`: whose picks they are; 0: nobody's. */
enum err_code picks_import(struct transfer *tr, const char *path, int64_t account);
enum err_code predictions_import(struct transfer *tr, const struct predictions_ask *ask);
/* What a model said in its own words, stored as it is; texts_map.c makes predictions of it. */
enum err_code texts_import(struct transfer *tr, const struct texts_ask *ask);
/* Predictions of the model MODEL@MAPPING, from all texts of the model; a mapping that says something else than its newest version
 * becomes the next one. ERR_CONFLICT (rule "texts-incomplete") when an import of texts was cut off. */
enum err_code texts_map(struct transfer *tr, const struct texts_map_ask *ask);
/* Images that the list does not have are counted and left out. */
enum err_code verdicts_import(struct transfer *tr, const struct verdicts_ask *ask);
/* `set`: the revision, or the set whose numbers the published names have; NULL: they are the names here. */
enum err_code reviews_import(struct transfer *tr, const char **files, size_t n, const char *set);
enum err_code set_import(struct transfer *tr, const struct set_ask *ask);
/* set_import.c: several files are one history; parents may be in any of them. */
enum err_code sets_import(struct transfer *tr, const char **files, size_t n, const struct history_ask *ask);
/* What people ticked in images (formats/responses.h), as answers to CLASSIFY tasks. Images are known by name, labels by wnid or
 * number. The first import of a task says which labels it has. */
struct responses_import_ask {
    const char *path;
    const char *campaign; /* NULL: "classify" */
    const char *order;    /* CSV image,candidate_order and perhaps label; NULL: what was ticked, by class */
    bool simulated;       /* the people are marked so */
};
enum err_code responses_import(struct transfer *tr, const struct responses_import_ask *ask);
/* `campaign`: NULL: "imported". A file task,worker,label is read by task_votes_import. */
enum err_code votes_import(struct transfer *tr, const char *path, const char *campaign);
/* task_votes_import.c: single votes, IMAGE:WNID,worker,1 or 0, of the file that `im` has open; each task becomes a grid of one
 * image. ERR_INPUT (rule "task-labels") when labels are classes: `import responses` reads those. */
struct import;
enum err_code task_votes_import(struct import *im, const char *campaign);
enum err_code wordnet_import(struct transfer *tr, const char *path);
/* A folder of <wnid>.md; `reason` of the versions, empty: "imported". */
enum err_code guide_import(struct transfer *tr, const char *folder, struct sv reason);
/* CSV a,b,kind[,note]. */
enum err_code relations_import(struct transfer *tr, const char *path);

#endif
