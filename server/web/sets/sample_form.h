/* sample_form.h - what /sets/new asks for: its fields, read from an address, a form or kept for the
 * page, as a request to sets/sampling/sample.h and as the options of the job that does it. */
#ifndef WEB_SETS_SAMPLE_FORM_H
#define WEB_SETS_SAMPLE_FORM_H

#include "jobs/kinds.h"
#include "sets/sampling/sample.h"
#include "web/core/app.h"

enum sample_field {
    FIELD_SET,
    FIELD_STRATEGY,
    FIELD_PARENT,
    FIELD_SIZE,
    FIELD_ANSWERS,
    FIELD_ORIGINALS_LEAST,
    FIELD_ORIGINAL_ANSWERS,
    FIELD_UPWARD,
    FIELD_THRESHOLD,
    FIELD_OWN,
    FIELD_KEYWORDS,
    FIELD_TOGETHER,
    FIELD_PICKED,
    FIELD_UPLOADER_MOST,
    FIELD_EVENT_MOST,
    FIELD_VIEW,
    FIELD_SEED,
    SAMPLE_FIELDS
};
struct sample_form {
    struct sv text[SAMPLE_FIELDS]; /* as typed; what nobody typed is as the parent was sampled, or what is usual */
    const struct sample_ask *inherited; /* how the parent was sampled; NULL: there is none, or it does not say */
    bool parent_silent;            /* there is a parent, which was imported */
    enum sample_field wrong;       /* which one an error is about; SAMPLE_FIELDS: none of them */
};
const char *sample_field_name(enum sample_field f); /* "originals-least" */

/* From an address, from a form. Switches are "true" or "false"; `form` not empty says that a form was sent, so that a
 * box which is not ticked is off and an empty list is none. */
void sample_form_query(struct ctx *c, struct sample_form *out);
void sample_form_typed(struct ctx *c, struct sample_form *out);
/* The request; ERR_INPUT (rules "sample-field", "set-name", and those of sample_rules_check). A plan needs no name. */
enum err_code sample_form_ask(struct sample_form *f, struct arena *a, struct sample_ask *out,
                              struct err *err);
/* What of it is not the usual, or with a parent all that the strategy looks at, as options of a job. */
size_t sample_form_given(const struct sample_form *f, struct job_given out[SAMPLE_FIELDS]);
/* The same as fields of this form. */
size_t sample_form_fields(const struct sample_form *f, struct job_given out[SAMPLE_FIELDS]);
/* "?set=...&strategy=...": the page with this form. */
const char *sample_form_address(const struct sample_form *f, struct arena *a);
/* {set, strategy, ..., as typed (switches true or false), is_matched, is_threshold, is_top, is_keyword}. New
 * reference. */
json_t *sample_form_json(const struct sample_form *f);

#endif
