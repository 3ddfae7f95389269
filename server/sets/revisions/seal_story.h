/* seal_story.h - what readers of a set must know of its seal: whether models had been scored on its images before it was
 * frozen, in which other sets, what was unsealed early because of it or through it, and which other revisions have the
 * same content. For manifests, reports, audits and pages. */
#ifndef SETS_REVISIONS_SEAL_STORY_H
#define SETS_REVISIONS_SEAL_STORY_H

#include <jansson.h>

#include "record/record.h"
#include "store/sets/seals.h"
#include "store/sets/sets.h"

struct seal_scored { /* another set on which models could be scored before */
    struct sv name;        /* "SET/NUMBER" */
    size_t images, models; /* images of both that some model had said something about; how many models */
};
struct seal_story {
    bool frozen;           /* "before" ends with that; otherwise with now */
    size_t of;             /* images of the revision */
    size_t images, models; /* those of `sets`, each once */
    struct seal_scored *sets; /* by revision; without those that no model had predicted */
    size_t n_sets;
    struct seal_opening *openings; /* that the revision is one of the two of; by event */
    size_t n_openings;
    struct sv *copies;     /* "SET/NUMBER" */
    size_t n_copies;
};
/* Reads all predictions: helper threads and commands only. What a model said counts from when its source began. In
 * the arena. */
enum err_code seal_story_read(struct db *db, const struct revision_row *r, struct arena *a,
                              struct seal_story *out, struct err *err);

/* "5 of its 10 images had been scored in other sets before it was frozen (1 model): 5 in pilot/0." */
const char *seal_scored_text(struct arena *a, const struct seal_story *s);
/* "matched/0 was unsealed through copy/0, which has 8 of its images: REASON" */
const char *seal_opening_text(struct arena *a, const struct seal_opening *o);
/* A seal_scored_record, seal_opening_record each, names of sets. New references. */
json_t *seal_scored_json(const struct seal_story *s);
json_t *seal_openings_json(const struct seal_story *s);
json_t *seal_copies_json(const struct seal_story *s);
extern const struct record seal_scored_record, seal_opening_record;

#endif
