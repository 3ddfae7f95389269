/* exports.h - the exports, written through the `write` of a struct transfer; what an import reads again has its
 * columns. Notes say what is left out, and as of when (core/transfer.h). */
#ifndef TRANSFER_EXPORTS_EXPORTS_H
#define TRANSFER_EXPORTS_EXPORTS_H

#include "domain/labels/labels.h"
#include "measures/objects/response_rows.h"
#include "sets/pool/pool.h"
#include "store/campaigns/campaigns.h"
#include "store/votes/views.h"
#include "transfer/core/transfer.h"
#include "transfer/exports/participants_csv.h"

struct matches_ask {
    bool bytes_only;      /* equal pixels of other files do not count */
    bool keywords, near_duplicates; /* what is recorded of them, unless it is a dry run */
    uint64_t max_pixels;  /* larger images are not decoded */
};
/* exact_matches.c. ERR_INPUT as well when some images could not be compared. */
enum err_code exact_matches(struct transfer *tr, const struct matches_ask *ask);
/* A folder, which must be new or empty, of <wnid>.md; CSV a,b,kind,note. */
enum err_code guide_export(struct transfer *tr, const char *folder);
enum err_code relations_export(struct transfer *tr);
enum err_code blacklist_export(struct transfer *tr);
/* `study`: its own JSON list with names of images; otherwise JSON lines with their numbers: ERR_INPUT (rule
 * "no-number") names an image without one. */
enum err_code hits_export(struct transfer *tr, const struct campaign *campaign, bool study);
/* near_duplicates_export.c: components of the recorded pairs, and images that share a photo with another.
 * `flags_to_quarantine` people's flags hide an image (sets/pool/pool.h). */
enum err_code near_components_export(struct transfer *tr);
enum err_code near_images_export(struct transfer *tr, int64_t flags_to_quarantine);
/* pool_export.c: `ask` without a moment; `size`: of the sets that the targets are for, per class. */
enum err_code pool_export(struct transfer *tr, const struct pool_ask *ask);
enum err_code histograms_export(struct transfer *tr, const struct pool_ask *ask, uint32_t size);
/* frequencies_export.c: of a vote view, NULL: the default one. */
enum err_code frequencies_export(struct transfer *tr, const char *view);
/* With `panel_ids` people have their panel's ids, and that is recorded first (panel_ids.h), here and below. */
enum err_code workers_export(struct transfer *tr, bool panel_ids);
/* A warning for every filter of the view that looks at what is measured, and so moves it. */
void transfer_warn_view(const struct transfer *tr, const struct vote_view *view);
/* Of one model, or of all: NULL. ERR_DENIED for a revision that is sealed. */
enum err_code predictions_export(struct transfer *tr, const char *set, const char *model);
enum labels_shape {
    LABELS_TABLE,   /* the table that `import labels` reads, as CSV or as JSON lines */
    LABELS_JSONL,
    LABELS_OBJECTS, /* as `objects` writes them */
    LABELS_REAL,    /* ReaL: lists of class numbers in the order of the set; without a set by name */
    LABELS_TFDS,    /* TensorFlow Datasets imagenet2012_multilabel, as JSON lines */
    LABELS_ANNOTATIONS, /* the review server of ImageNetV2: {image: {wnid: state}} */
    LABELS_SHAPES
};
extern const char *const labels_shape_words[LABELS_SHAPES]; /* "table", "jsonl", "objects", "real", "tfds", "annotations" */
bool labels_shape_of(struct sv word, enum labels_shape *out); /* false: it is none */
/* Whether a source of that kind can be written so. */
bool labels_shape_fits(enum labels_shape shape, enum label_kind kind);
struct labels_export_ask {
    const char *source; /* NAME[/NUMBER] */
    const char *set;    /* of objects, real, tfds and annotations: only its images, with its labels, real in its order; NULL: all */
    enum labels_shape shape;
    bool numbers;       /* class numbers instead of wnids, in tables and objects */
};
/* Notes what the shape has no word for. ERR_NOT_FOUND (rule "label-source"); ERR_INPUT (rule "label-kind"): the shape is
 * not for sources of that kind. */
enum err_code labels_export(struct transfer *tr, const struct labels_export_ask *ask);
/* participants_export.c: everybody in a campaign (participants_csv), and what a panel is told of decisions after a
 * number, which holds panel ids whatever is asked (participants_pay_list). */
enum err_code participants_export(struct transfer *tr, const struct campaign *campaign, bool panel_ids);
enum err_code pay_list_export(struct transfer *tr, const struct campaign *campaign, enum pay_list list,
                              int64_t after, struct pay_list_told *told);
/* views_export.c */
enum err_code views_export(struct transfer *tr);
enum err_code classes_export(struct transfer *tr);
/* responses_export.c: the answers to the CLASSIFY tasks of a campaign that count whatever the view, as `objects` and `import
 * responses` read them; or the order of each task's labels, for `objects --order`. Checks are left out. */
struct responses_export_ask {
    const struct campaign *campaign; /* whose task is CLASSIFY */
    enum response_shape shape;
    bool order;     /* instead: image,label,candidate_order */
    bool numbers;   /* class numbers instead of wnids */
    bool workers;   /* with who answered, by pseudonym; of imported studies what their files call them */
    bool panel_ids; /* by what their panel calls them */
};
enum err_code responses_export(struct transfer *tr, const struct responses_export_ask *ask);
/* `is_long`: a line for each image, worker and answer. */
enum err_code votes_export(struct transfer *tr, const struct campaign *campaign, bool is_long, bool panel_ids);

#endif
