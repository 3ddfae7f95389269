/* text_notes.h - what is said beside scores of models whose predictions a mapping made from texts. */
#ifndef CLI_MODELS_TEXT_NOTES_H
#define CLI_MODELS_TEXT_NOTES_H

#include <jansson.h>

#include "cli/core/cli.h"
#include "measures/scores/model_scores.h"

/* A note for each such model (0: all of them) with answers about the set: how much is out of list, ambiguous, empty. */
enum err_code text_notes(struct cli *cli, struct model_scores *scores, const struct revision_row *r, int64_t model);
/* Adds what those notes say to a list, as text_share_record. */
enum err_code text_notes_json(struct cli *cli, struct model_scores *scores, const struct revision_row *r, json_t *list);

#endif
