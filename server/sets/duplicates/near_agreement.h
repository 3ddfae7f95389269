/* near_agreement.h - whether people who review duplicates say the same of a pair when it is shown again, to them or to
 * somebody else. */
#ifndef SETS_DUPLICATES_NEAR_AGREEMENT_H
#define SETS_DUPLICATES_NEAR_AGREEMENT_H

#include "db/db.h"
#include "record/record.h"

struct near_agreement {
    const char *who; /* "within": one person twice; "between": two people */
    int64_t pairs, alike;
    double kappa;    /* Cohen's, of duplicate, not, unsure; NAN: there is none (stats/kappa.h) */
};
enum { NEAR_AGREEMENTS = 2 };
extern const struct record near_agreement_record;
enum err_code near_agreement_get(struct db *db, struct near_agreement out[NEAR_AGREEMENTS], struct err *err);

#endif
