/* prediction_file.h - predictions of models as files have them, made into records of the project's images and
 * class numbers. Four kinds, recognised by the content, never by the name:
 *
 *   .npy   n x k class numbers, best first; row k is about image k of a set or of an image list
 *   CSV    image,p1,...,pk | image,model,p1,... | image,label1,...,score1,... | image,MODEL,MODEL,...
 *          (the last: one column of top-1 labels for each model); labels are class numbers or wnids
 *   JSONL  {"image": ..., "labels": [...], "scores": [...], "model": ...}
 *   parts  of `predict --shard`: JSON lines below a header {"holdout": "predictions", ...}
 *
 * A wrong row is reported (import_bad) and reading continues. */
#ifndef TRANSFER_IMPORTS_PREDICTION_FILE_H
#define TRANSFER_IMPORTS_PREDICTION_FILE_H

#include <jansson.h>

#include "store/models/predictions.h"
#include "store/sets/sets.h"
#include "transfer/imports/lines.h"

enum { PREDICTION_RECORDS_MOST = 20000000, PREDICTION_MODELS_MOST = 4096 };

/* The images that rows can be about. */
struct prediction_target {
    struct import *im;         /* classes, and the file that is read: its name, its wrong rows */
    int64_t revision;          /* 0: any image of the project, found by name */
    struct revision_row set;   /* the one that was named; id 0 without one */
    bool may_be_scored;        /* the revision is not sealed */
    const char *rows_of;       /* what the order of rows is from, for messages; NULL: there is none */
    const char *no_rows;       /* why rows without names cannot be matched; NULL when they can, or without rows */
    size_t n;                  /* rows */
    uint32_t *image;           /* by row */
    uint16_t *label;           /* by row: cid, PREDICTION_NONE: not known */
    struct map_sv names;       /* image -> row; filled when the first file with names is read */
    bool named;
    bool *cid_known;           /* by cid */
};
/* The name of a revision and a list of images, either may be NULL. ERR_INPUT when a file of image names has others
 * than the set. To be closed on failure too; a zeroed one may be. */
enum err_code prediction_target_open(struct prediction_target *t, struct import *im, const char *set,
                                     const char *images);
void prediction_target_close(struct prediction_target *t);
/* Whether files that name no images have rows: ERR_INPUT (rule "usage" without --set and --images, "rows-unknown"
 * when the order of the list is not that of predictions) with the remedy. */
enum err_code prediction_target_rows(const struct prediction_target *t);
/* *image 0, and a wrong row, when the image is not among those. */
enum err_code prediction_target_find(struct prediction_target *t, uint64_t line, struct sv name,
                                     uint32_t *image, uint16_t *label);
/* Class number of a text: a wnid or a number. PREDICTION_NONE, and a wrong row, for anything else. */
uint16_t prediction_label(struct prediction_target *t, uint64_t line, struct sv text);
/* The same for what a model said, which may be no class at all: PREDICTION_NO_CLASS, as answers in words that were mapped can
 * be. Wrong on every image. */
uint16_t prediction_answer(struct prediction_target *t, uint64_t line, struct sv text);
/* The same for a number. */
uint16_t prediction_number(struct prediction_target *t, uint64_t line, int64_t cid);

/* Predictions of one model that were made alike. */
struct prediction_batch {
    struct sv model;
    struct prediction *p;      /* sorted by image once the file is read */
    size_t n, cap;
    size_t labelled, hits[PREDICTION_K]; /* records whose image has a label, and where it stands */
    struct prediction_pair {             /* of each of those */
        uint16_t label, answer;
    } * pairs;
    size_t cap_pairs;
    int k;                     /* columns; PREDICTION_K at most */
    bool scored, dropped;      /* dropped: it had more than PREDICTION_K columns */
    bool part;                 /* its header says what follows */
    struct sv hash, recipe, engine, bytes, shard;
    unsigned char digest[PREDICTION_DIGEST];
};
struct prediction_file {
    struct prediction_target *target;
    struct sv model;           /* of files that do not name one */
    bool model_given;          /* by whoever imports: a file that names another is refused */
    bool reversed;             /* columns are worst first */
    struct prediction_batch *batches;
    size_t n, cap;
    struct map_sv by_model;
    struct map_u64 seen;       /* batch and image */
    bool distinct;             /* no image can come twice: rows are those of a list */
    uint64_t records;
};
void prediction_file_open(struct prediction_file *f, struct prediction_target *t, struct sv model, bool model_given,
                          bool reversed);
/* Reads im->text. */
enum err_code prediction_file_read(struct prediction_file *f);
void prediction_file_close(struct prediction_file *f);

/* For the readers (prediction_lines.c, prediction_table.c, prediction_file.c). */
enum err_code prediction_read_lines(struct prediction_file *f);
enum err_code prediction_read_table(struct prediction_file *f);
/* Of a file without names of images: prediction_target_rows, a model, and as many rows as the list has. */
enum err_code prediction_rows_check(const struct prediction_file *f, size_t rows);
/* The batch of a model, made if there is none. NULL, and a wrong row, for an invalid name. */
struct prediction_batch *prediction_batch_of(struct prediction_file *f, uint64_t line, struct sv model);
struct prediction_batch *prediction_batch_new(struct prediction_file *f, struct sv model);
/* Takes note of a record with k labels. False, and a wrong row, when its batch has other ones. */
bool prediction_shape(struct prediction_file *f, struct prediction_batch *b, uint64_t line, int k, bool scored);
/* Adds a record whose labels are as in the file; reports what is wrong with them. ERR_LIMIT at
 * PREDICTION_RECORDS_MOST. */
enum err_code prediction_add(struct prediction_file *f, struct prediction_batch *b, uint64_t line,
                             const struct prediction *p, uint16_t truth);

/* prediction_write.c: stores a batch. `name` is that of its file. */
struct prediction_written {
    int64_t model, source;
    struct sv name;     /* of the model; in the import's arena */
};
struct prediction_write_counts {
    uint64_t added, models;
    struct prediction_written *written; /* batches of which something was new; free it */
    size_t n_written, cap_written;
};
struct prediction_writing {
    struct transfer *tr;
    const char *name;
    int64_t revision, now;
    struct sv list;            /* digest of the revision's list; empty without one */
    bool reversed;
    struct prediction_write_counts *counts;
};
enum err_code prediction_write(const struct prediction_writing *how, const struct prediction_batch *b);

#endif
