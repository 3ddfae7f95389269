/* export_private.h - what the parts of an export share: the list of its images, read before
 * anything is written. Included by server/sets/export/ alone. */
#ifndef SETS_EXPORT_EXPORT_PRIVATE_H
#define SETS_EXPORT_EXPORT_PRIVATE_H

#include <jansson.h>
#include <stdio.h>

#include "base/map.h"
#include "base/str.h"
#include "sets/bias/bias.h"
#include "sets/export/export.h"
#include "sets/labels/plan_rows.h"
#include "sets/revisions/average.h"
#include "sets/revisions/campaigns.h"
#include "sets/revisions/seal_story.h"
#include "stats/binomial.h"
#include "store/images/images.h"
#include "store/review/shown.h"
#include "store/sets/export_images.h"
#include "store/sets/revision_facts.h"

#define EXPORT_ALPHA 0.05

enum export_pixels {
    EXPORT_FILE,      /* its file is in the folder */
    EXPORT_NO_PIXELS, /* known by name only */
    EXPORT_WITHHELD   /* taken down, or in quarantine */
};
extern const char *const export_pixels_words[]; /* "file", "none", "withheld" */

struct export_row {
    struct sv name, wnid, role, taken_at, source_id, link, author, licence, keyword;
    const char *file;      /* below the target; NULL without pixels */
    const char *reference; /* absolute path; NULL: the project has the bytes */
    unsigned char sha256[IMAGE_SHA];
    int64_t bytes;
    uint32_t image, width, height;
    uint32_t class_at;        /* index into `classes` */
    uint32_t shown, selected; /* answers in the view; shown 0: there are none */
    enum export_pixels pixels;
};
struct export_tombstone {
    uint32_t row;
    struct sv state, reason; /* "takedown" or "quarantine" */
    int64_t at;              /* 0: nobody decided, enough people flagged it */
};

struct set_export {
    const struct set_export_ask *ask;
    struct set_export_result result;
    struct arena arena;
    struct export_row *rows;
    size_t n, cap;
    struct class_info *classes; /* of the project, by cid */
    size_t n_classes;
    struct map_u64 class_at; /* id -> index */
    struct map_u64 hidden;   /* id of an image that is taken down or in quarantine -> 0 */
    struct export_tombstone *tombstones;
    size_t n_tombstones;
    struct revision_facts facts;
    struct revision_row parent; /* id 0: none */
    struct export_state *states;
    size_t n_states;
    json_t *parameters; /* of the revision */
    struct pool pool;
    bool pooled;               /* `pool` is loaded */
    struct seal_story seal;
    struct set_average mean;   /* of the set, under the pool's view */
    struct bias_leading bias;  /* `estimate.known` false: none */
    struct set_campaign *campaigns; /* whose answers `pool` counts, and that measured the set again */
    size_t n_campaigns;
    struct review_shown_sum review;
    struct label_plan_row *plans; /* of labels that its images could have */
    struct label_plan_line *plan_lines; /* the same as records, without models */
    size_t n_plans;
    struct map_sv files;       /* lower-case file names that are taken */
    struct map_u64 intervals;  /* (k, n) -> index into `interval` */
    struct interval *interval;
    size_t n_intervals, cap_intervals;
    const char *temp; /* TARGET.partial */
};

/* read.c: everything about the set, in one snapshot, then its votes. */
enum err_code export_read(struct set_export *e, struct db *db, struct tally *t, struct err *err);

/* names.c: where the image's file goes, "images/WNID/NAME.jpg"; no two are equal, where
 * capitals do not count either. In the arena. */
const char *export_file_name(struct set_export *e, struct sv wnid, struct sv name, bool png);

/* asked.c: the campaigns that its numbers come from and its final review, for the manifest and for
 * README.md. */
void export_asked_json(const struct set_export *e, json_t *manifest);
void export_asked_text(struct str *s, const struct set_export *e);
/* about.c: free text in a line or a table of Markdown. */
void export_line(struct str *s, struct sv text);

/* files.c: the images into `temp`. */
enum err_code export_files(struct set_export *e, struct err *err);

/* A text file in `temp`, written in pieces. */
struct export_text {
    FILE *file;
    struct str buf;
    const char *path;
};
enum err_code export_text_open(struct export_text *t, struct set_export *e, const char *name,
                               struct err *err);
enum err_code export_text_flush(struct export_text *t, struct err *err); /* when much is waiting */
enum err_code export_text_close(struct export_text *t, enum err_code rc, struct err *err);
/* Clopper-Pearson at 95 %; each (k, n) is computed once. */
/* ",n_assignments,n_selected,frequency,lo,hi"; the last three empty without answers. */
void export_add_votes(struct set_export *e, struct str *out, uint32_t shown, uint32_t selected);

/* lists.c: manifest.csv, images.csv, classes.csv, frequencies.csv, metadata.jsonl,
 * tombstones.csv. */
enum err_code export_lists(struct set_export *e, struct err *err);
/* pool.c: pool.csv. */
enum err_code export_pool(struct set_export *e, struct db *db, struct err *err);
/* about.c: manifest.json and README.md. */
enum err_code export_about(struct set_export *e, struct err *err);

#endif
