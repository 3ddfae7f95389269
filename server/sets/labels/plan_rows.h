/* plan_rows.h - plans of labels, and what they say of images, as records for pages, commands and exports. */
#ifndef SETS_LABELS_PLAN_ROWS_H
#define SETS_LABELS_PLAN_ROWS_H

#include "measures/objects/candidate_rows.h"
#include "sets/labels/potential.h"

/* A version of a plan. */
struct label_plan_line {
    struct sv kind, name, set, by, file, potential, view;
    json_t *models; /* NULL: none, or not for JSON */
    int64_t version, newest, images, labels, at, top, as_of, least, most;
    bool sealed;
    double tau; /* NAN: not of candidates */
    const char *digest;
};
extern const struct record label_plan_record;
/* `json`: the line is made into JSON (record_json), which takes its models. */
struct label_plan_line label_plan_line(const struct label_plan_row *p, bool json, struct arena *a);

/* A potential label: image,wnid,source. */
struct potential_line {
    struct sv image, wnid;
    const char *source; /* label_origin_word, or what a file said */
};
extern const struct record potential_line_record;
const char *potential_source(const struct planned_label *l);

/* What texts need: names of images by position, wnids by class id. */
struct plan_names {
    struct sv *image; /* by place in the book */
    struct sv *wnid;  /* by class id; empty: none */
    size_t n_wnid;
};
enum err_code plan_names_read(struct db *db, const struct label_plan_book *b, struct arena *a, struct plan_names *out,
                              struct err *err);

/* The stored counts, stage and candidates of one image of a plan of candidates, for candidate_row() and
 * contains_frequency_row(). `counts` has room for the image's labels. */
void plan_asked_of(const struct label_plan_row *p, const struct label_plan_book *b, size_t at, struct contains_count *counts,
                struct candidates_ask *ask, struct candidates_found *found);

#endif
