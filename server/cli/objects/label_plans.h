/* label_plans.h - what the commands about plans of labels share: lists of plans, one of them, being a job. */
#ifndef CLI_OBJECTS_LABEL_PLANS_H
#define CLI_OBJECTS_LABEL_PLANS_H

#include "cli/core/cli.h"
#include "jobs/report.h"
#include "sets/labels/plan_rows.h"

/* Every plan of the kind as CSV, or JSON lines: the newest versions; with a name after DIR all versions of that. */
enum err_code label_plan_list_print(struct cli *cli, enum label_plan_kind kind);
/* The plan that is named after DIR, as JSON: what it was made of. */
enum err_code label_plan_show(struct cli *cli, enum label_plan_kind kind);
/* Stores a plan that was made, unless one like it is there or this is a dry run, and prints "NAME/VERSION", or with --json
 * all of it. *became: which of these it was, for a note. */
enum err_code label_plan_keep(struct cli *cli, const struct label_plan_new *plan, const char **became);

#endif
