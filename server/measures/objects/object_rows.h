/* object_rows.h - what people ticked in an image, counted (domain/labels/objects.h), as lines of CSV and JSON: its objects, and
 * how often each label was chosen, for training with a distribution of labels instead of one. */
#ifndef MEASURES_OBJECT_ROWS_H
#define MEASURES_OBJECT_ROWS_H

#include <jansson.h>

#include "base/arena.h"
#include "base/str.h"
#include "domain/labels/objects.h"

struct object_image {
    struct sv image;
    struct sv label;        /* that the set gives the image; empty: not known */
    uint32_t label_id;      /* its class id, where it is known */
    const struct sv *names; /* of the labels, in candidate order */
    const struct objects_ask *ask;
    const struct objects_found *found;
    uint32_t kept;          /* responses of each subset; 0: none was looked at */
    const struct objects_stability *stability; /* NULL: not asked for */
};

/* The published columns image,label,num_responses,num_objects,num_objects_tied,main_label,main_tied,candidate_order,
 * dropped,within_cost,n_optimal,objects,object_labels,main_object,main_votes,label_object; with stability
 * kept,subsets,same_main,same_num_objects,same_objects (shares) behind them. Labels are joined by "+", objects by "|".
 * What too few responses leave open is empty. */
void object_csv_names(bool stability, struct str *out);
void object_csv_row(const struct object_image *im, struct arena *a, struct str *out);
/* The same with each label's counts and shares; new reference. */
json_t *object_json(const struct object_image *im, struct arena *a);

/* image,label,selected,responses,frequency,share,main: a row for each label that somebody selected. frequency: of the
 * responses; share: of all selections, adds up to 1 over the image; main: of the responses, those that call it the main
 * one, adds up to 1. */
void soft_csv_names(struct str *out);
void soft_csv_rows(const struct object_image *im, struct str *out);
/* {"image", "responses", "share": {label: share}, "main": {label: share}}; new reference. */
json_t *soft_json(const struct object_image *im);

#endif
