/* seal_ask.h - the question of imports whose lists hold what is sealed (sets/seal_check.h): --unseal REASON. Called by
 * the imports of sets. */
#ifndef CLI_SEAL_ASK_H
#define CLI_SEAL_ASK_H

#include "cli/cli.h"
#include "sets/seal_check.h"

/* --unseal; empty when it is not given. */
struct sv seal_reason(const struct cli *cli);
/* What a revision that is to be added opens; nothing when models may not be scored on it, or when the project has it
 * already. `ids`: of its r->n images, 0 for unknown ones; `what`: the list, as people call it. ERR_DENIED (rule
 * "set-sealed") without a reason. */
enum err_code seal_ask_list(struct cli *cli, const struct revision_new *r, const uint32_t *ids, const char *what,
                            struct seal_asked *out);
/* Says what was opened by the revision `through`. */
void seal_ask_note(struct cli *cli, const struct seal_asked *asked, const char *through);

#endif
