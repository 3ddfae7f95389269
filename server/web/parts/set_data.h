/* set_data.h - revisions of sets, and how models do on them, as page data and as JSON. "Sealed until frozen"
 * is asked here once for everybody: what set_scoreable refuses is shown nowhere, with the reason. */
#ifndef WEB_PARTS_SET_DATA_H
#define WEB_PARTS_SET_DATA_H

#include "measures/scores/model_scores.h"
#include "web/core/app.h"

const char *set_title(struct arena *a, const struct revision_row *r); /* "matched/3" */
const char *set_label(struct arena *a, const struct revision_row *r); /* "matched/3, 10,000 images, sealed", in lists to choose from */
const char *set_url(struct arena *a, const struct revision_row *r);   /* "/sets/matched/3" */
/* Where the state can be changed that keeps models from being scored on it: its own, or that of the set by which it
 * is sealed. */
const char *set_state_url(struct arena *a, const struct revision_row *r);
bool set_scoreable(const struct revision_row *r);

/* The revision that the address's first two parameters name. ERR_NOT_FOUND (rule "set"). */
enum err_code set_asked(struct ctx *c, struct revision_row *out);

/* The one named, else the newest new one on which models may be scored, else the newest originals. ERR_NOT_FOUND and
 * ERR_DENIED (rule "set-sealed"). */
enum err_code set_to_score(struct ctx *c, struct sv asked, struct revision_row *out);

/* Of a page about something else that says how much of a set it covers: ?set=, else the newest originals that models may be
 * scored on, else any newest one. */
struct set_shown {
    struct revision_row set; /* id 0: there is none */
    struct revision_row *revisions;
    size_t n;
};
/* ERR_NOT_FOUND (rule "set"). */
enum err_code set_shown_read(struct ctx *c, struct set_shown *out);
json_t *set_shown_choices(struct ctx *c, const struct set_shown *s); /* [{value, label, current}] */

/* Part of the images and whose labels, as addresses name them: subset_labelled with the server's votes. */
enum err_code set_part_asked(struct ctx *c, struct sv subset, struct sv labels, struct subset *out);

struct subset_when set_part_when(struct ctx *c); /* now, by those */

/* A revision_record: `sealed` says why, and what to do. New reference; NULL with c->err set. */
json_t *set_data_revision(struct ctx *c, const struct revision_row *r);

/* For scripts: an accuracy_record; null without predictions. New reference. */
json_t *set_data_score(struct arena *a, uint32_t right, uint32_t n);
/* For tables, in percent: {value "82.9", note "82.5–83.2, n 50,000"}; "n 1,200 of 50,000" when not all images
 * have a prediction yet. null without predictions. New reference. */
json_t *set_data_cell(struct arena *a, uint32_t right, uint32_t n, uint32_t images);
/* The same for a table whose head says n: the note has it only when it is another. alpha: one minus the level of the interval. */
json_t *set_data_short_cell(struct arena *a, uint32_t right, uint32_t n, uint32_t images, double alpha);

/* How all models do on a revision, as model_scores_of; by binary search. NULL: no predictions. */
const struct model_score *set_score_of(const struct model_score *scores, size_t n, int64_t model);

#endif
