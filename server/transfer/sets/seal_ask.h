/* seal_ask.h - the question of imports whose lists hold what is sealed (sets/revisions/seal_check.h). */
#ifndef TRANSFER_IMPORTS_SEAL_ASK_H
#define TRANSFER_IMPORTS_SEAL_ASK_H

#include "sets/revisions/seal_check.h"
#include "transfer/core/transfer.h"

/* What a revision that is to be added opens; nothing when models may not be scored on it, or when the project has it
 * already. `ids`: of its r->n images, 0 for unknown ones; `what`: the list, as people call it; `reason`: why it may
 * hold what is sealed. ERR_DENIED (rule "set-sealed") when that is empty. */
enum err_code seal_ask_list(struct transfer *tr, const struct revision_new *r, const uint32_t *ids, const char *what,
                            struct sv reason, struct seal_asked *out);
/* Says what was opened by the revision `through`. */
void seal_ask_note(struct transfer *tr, const struct seal_asked *asked, const char *through);

#endif
