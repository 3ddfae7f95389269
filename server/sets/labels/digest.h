/* digest.h - by what plans with the same content are known. */
#ifndef SETS_LABELS_DIGEST_H
#define SETS_LABELS_DIGEST_H

#include "domain/labels/label_plan.h"
#include "store/labels/label_plans.h"

/* SHA-256 of label_plan_pack. */
void label_plan_digest(const struct label_plan_book *b, unsigned char out[LABEL_PLAN_DIGEST]);

#endif
