/* plan_print.h - a plan as text or JSON: what it costs, what it covers, what it leaves out. */
#ifndef CLI_STUDY_PLAN_PRINT_H
#define CLI_STUDY_PLAN_PRINT_H

#include "cli/study/plan_write.h"

/* Adds up a plan that is made; `classes` of the planned class alone when `class_id` is not 0. The
 * rows are in the command's arena. */
void plan_sum(struct plan *p, int64_t class_id, struct plan_summary *out);
/* On standard output: JSON with --json, else text unless --quiet. */
enum err_code plan_print(const struct plan *p, const struct plan_summary *s);

#endif
