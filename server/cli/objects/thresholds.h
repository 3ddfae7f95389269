/* thresholds.h - the options that say what makes a label a candidate: --tau, --least, --most. */
#ifndef CLI_OBJECTS_THRESHOLDS_H
#define CLI_OBJECTS_THRESHOLDS_H

#include "cli/core/cli.h"
#include "domain/labels/candidates.h"

/* In thousandths, people, labels; CANDIDATE_TAU and the like where they are not given. */
enum err_code thresholds_read(struct cli *cli, uint32_t *tau, uint32_t *least, uint32_t *most);

#endif
