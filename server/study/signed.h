/* signed.h - links that the panel signs: whether the signature says who comes. A study's settings name
 * the one way that is taken (docs/panels.md); what the link itself says about it counts for nothing. */
#ifndef STUDY_SIGNED_H
#define STUDY_SIGNED_H

#include <jansson.h>

#include "study/entry.h"

enum { SIGNED_TOKEN_MOST = 4096 }; /* bytes of a JSON Web Token in a link */

/* Whether a study's key fits its way of signing; ERR_INPUT (rules "signing", "signing_key"). */
enum err_code signed_check_settings(const struct study_settings *s, struct err *err);
/* A study whose links carry a JSON Web Token, which says who comes. */
bool signed_by_token(const struct study_settings *s);

/* The claims of the link's token; new reference. ERR_DENIED (rules "study-signature",
 * "study-expired"). */
enum err_code signed_claims(const struct study *study, const struct study_settings *s,
                            const struct entry_link *link, json_t **claims);
/* What a token says of a parameter of the study's link; empty when nothing. `first`: the person's id. */
struct sv signed_value(const struct study *study, const json_t *claims, const char *name,
                       bool first);
/* Whether the link names somebody, and "sig" (and "exp", if it is there) fit the id where no token said
 * it. The same errors. */
enum err_code signed_id(const struct study *study, const struct entry *e,
                        const struct entry_link *link);

/* What the start page hands on with consent, so that a link may run out while somebody reads. */
const char *signed_entry(const struct study *study, const struct entry *e);
/* ERR_DENIED as above. */
enum err_code signed_entry_check(const struct study *study, const struct entry *e, struct sv given);

#endif
