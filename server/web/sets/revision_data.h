/* revision_data.h - what a revision's page says of it besides its images: how it came about, what
 * it was made from, what it lost and why, how far its review is, what may be done next. */
#ifndef WEB_SETS_REVISION_DATA_H
#define WEB_SETS_REVISION_DATA_H

#include "sets/revisions/history.h"
#include "sets/revisions/seal_story.h"
#include "store/sets/revision_facts.h"
#include "store/votes/views.h"
#include "web/core/app.h"

struct revision_about {
    struct revision_row r, parent;      /* parent.id 0: none */
    struct set_history_row history;
    struct revision_facts facts;
    struct vote_view view;              /* that it was sampled under; id 0: none on record */
    json_t *said;                       /* facts.facts read; released by revision_about_release */
    struct seal_opening *openings;      /* that it is one of the two of */
    size_t n_openings;
    const char *copies;                 /* names of other revisions with its content, or NULL */
    const char *elsewhere;              /* of a sealed one: sets on which models may be scored that have images of
                                         * it, or NULL */
};
/* Reads the lists of the set's revisions: helper threads only. Release it whatever came out. */
enum err_code revision_about_read(struct ctx *c, const struct revision_row *r,
                                  struct revision_about *out);
void revision_about_release(struct revision_about *about);

/* New references; none of them fails. */
json_t *revision_tiles(struct arena *a, const struct revision_about *about);
/* [{term, value}]: who, when, how, from what, digests. `revision` is set_data_revision's. */
json_t *revision_terms(struct arena *a, const struct revision_about *about, const json_t *revision);
/* [{term, value}] of the parameters as they are stored, and of the digests of all inputs. */
json_t *revision_parameters(struct arena *a, struct sv parameters);
json_t *revision_inputs(struct arena *a, const struct revision_about *about);
/* {rows [{reason, label, count}], any, changes, any_changes (settings that differ), diff_url} against the parent; null without one. */
json_t *revision_removals(struct arena *a, const struct revision_about *about);
/* [{wnid, name, url}] of classes that lack images. */
json_t *revision_short(struct ctx *c, const struct revision_about *about);
/* [{label, url, hint}]: review, audit, differences, bias, the next sample. */
json_t *revision_links(struct arena *a, const struct revision_about *about);
/* [{state, label, hint, primary, warnings [{text}]}]: states that it may be given now. */
json_t *revision_steps(struct arena *a, const struct revision_about *about);

const char *revision_removed_label(enum revision_removed reason); /* "on the blacklist" */

#endif
