/* hold.h - by which secret somebody holds a place. Knowing a panel's id is enough to continue the
 * work; the code of finished work, leaving and being forgotten are for the person who joined (place.own).
 * The secret is part of the place's addresses; a browser keeps it too, for the day when
 * its person comes back through the panel's link. Knows nothing of accounts. */
#ifndef STUDY_HOLD_H
#define STUDY_HOLD_H

#include "crypto/crypto.h"
#include "store/work/work.h"
#include "study/study.h"

/* The place that a secret opens; `text` is the secret as part of an address (hold_text). ERR_NOT_FOUND (rules
 * "token", "no-place"). */
enum err_code hold_find(const struct study *study, struct sv text, struct place *out);
/* The secret of *p as addresses have it; "~" and a grid's token where that is what is known. */
const char *hold_text(struct arena *a, const struct place *p);
/* When what this browser keeps (study.kept) opens the same place with more right, *p is what it opens.
 * *known (may be NULL) says whether it keeps a secret of this place. */
enum err_code hold_by_kept(const struct study *study, struct place *p, bool *known);
/* *is says whether this browser holds a place of that person, in whatever campaign, by the
 * place's own secret. */
enum err_code hold_is_person(const struct study *study, int64_t person, bool *is);

/* The hash under which a secret is stored. */
void hold_hash(const unsigned char key[CRYPTO_HASH], const unsigned char token[WORK_TOKEN],
               unsigned char out[WORK_HASH]);

/* The rest is for write steps. */

/* Projects from before schema 7 hold the secrets of places themselves: hashes them. `key`: CRYPTO_HASH
 * bytes. */
enum err_code hold_hash_old(struct db *db, void *key, struct err *err);

/* A further secret of *p, which is set to it. */
enum err_code hold_new(const struct study *study, struct place *p, bool own);
/* `code` must be the completion code of this place alone; then *p gets a secret that is its own.
 * ERR_DENIED (rule "place-code"). */
enum err_code hold_prove(const struct study *study, struct place *p, struct sv code);

#endif
