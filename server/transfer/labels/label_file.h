/* label_file.h - labels of images as files have them, made into a book (domain/labels/labels.h). Recognised by the content,
 * never by the name:
 *
 *   table    CSV or JSON lines, a row for each label: image, label, and any of verdict, object, votes, main, main_object,
 *            problematic, partial, inferred, stage; an empty label: the image has none. `class` and `wnid` are other
 *            names of label, `state` of verdict
 *   objects  CSV with main_label and objects, as answers to CLASSIFY are aggregated (Tsipras et al., 2020)
 *   real     JSON list of lists of class numbers, in the order of a set or of a list of images; or {image: [label]}
 *   annotations JSON {image: {label: state}}, states as verdicts, or unreviewed (ImageNetV2's review server)
 *   tfds     JSON lines or list of objects with file_name, correct_multi_labels, wrong_multi_labels,
 *            unclear_multi_labels, is_problematic (TensorFlow Datasets imagenet2012_multilabel)
 *
 * Labels are class numbers or wnids. A wrong row is reported (import_bad) and reading continues. */
#ifndef TRANSFER_IMPORTS_LABEL_FILE_H
#define TRANSFER_IMPORTS_LABEL_FILE_H

#include <jansson.h>

#include "domain/labels/labels.h"
#include "transfer/predictions/prediction_file.h"

enum label_format { LABEL_TABLE_CSV, LABEL_TABLE_JSONL, LABEL_OBJECTS_CSV, LABEL_REAL, LABEL_TFDS, LABEL_ANNOTATIONS };

struct label_row {
    uint32_t image; /* index into images */
    uint32_t seq;   /* in the order of the file */
    uint64_t line;
    struct label l;
};
struct label_file {
    struct import *im;
    struct prediction_target *target;
    const char *stage;          /* only rows of this one; NULL: all */
    bool kind_given;
    enum label_kind kind;
    enum label_format format;
    struct label_image *images; /* in order; without `first` and `n` */
    uint64_t *image_line;       /* where each was first seen */
    size_t n_images, cap_images, cap_lines;
    struct map_u64 by_image;
    struct label_row *rows;
    size_t n_rows, cap_rows;
    uint64_t read;              /* rows of the file */
    size_t conflicts;           /* labels with two verdicts: correct counts before unclear, wrong, dontknow */
    size_t inferred, left_out;  /* images of which --about says that */
    size_t other_label;         /* images whose label in the file is not the set's, or the project's */
};
void label_file_open(struct label_file *f, struct import *im, struct prediction_target *t);
void label_file_close(struct label_file *f);
/* Reads im->text. ERR_INPUT when a row is wrong; ERR_LIMIT beyond the caps of domain/labels/labels.h. */
enum err_code label_file_read(struct label_file *f);
/* Reads a CSV about images: image, and any of stage, label, in_review_pool, problematic. Those without labels in the
 * file have none; of a source of objects, `stage` easy means one object with the set's label, mis and amb that the
 * image is left out. */
enum err_code label_file_about(struct label_file *f, const char *path);
/* Once all is read: the labels by image. ERR_INPUT when something of an image is wrong. The caller releases the book. */
enum err_code label_file_book(struct label_file *f, struct label_book *out);

/* For the readers (label_table.c, label_json.c). The image's index; false, and a wrong row, when it is not known. */
bool label_file_image(struct label_file *f, uint64_t line, struct sv name, uint32_t *at);
bool label_file_image_id(struct label_file *f, uint64_t line, uint32_t image, uint32_t *at);
/* Adds a label of it; NULL, and a wrong row, when it is too many. */
struct label *label_file_add(struct label_file *f, uint64_t line, uint32_t at, uint16_t cid);
enum err_code label_read_csv(struct label_file *f);
enum err_code label_read_jsonl(struct label_file *f);
enum err_code label_read_items(struct label_file *f);
/* A line or item in the shape of TensorFlow Datasets. */
void label_read_tfds(struct label_file *f, uint64_t line, const json_t *o);
bool label_is_tfds(const json_t *o);

#endif
