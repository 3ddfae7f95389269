/* audit.h - the audit of a revision by what is known today (domain/sampling/audit.h). */
#ifndef SETS_REVISIONS_AUDIT_H
#define SETS_REVISIONS_AUDIT_H

#include "domain/sampling/audit.h"
#include "record/record.h"
#include "sets/pool/pool.h"

struct set_audit {
    struct pool pool;
    struct audit_finding *findings; /* `images` and `originals` are indices into pool.name */
    size_t n;
    struct sv *detail;              /* of each finding, as the column `detail` of audit_*.csv has it */
};
/* What a finding says. `holdout audit` prints it as CSV; the page and the API show it with addresses of their own, and
 * the images as a list of audit_image_record. */
struct audit_line {
    const char *kind;
    struct sv wnid, names, detail; /* names: of the images, separated by spaces */
    const char *synset, *class_url, *more;
    json_t *images, *originals;
};
struct audit_image {
    struct sv name;
    const char *url;
};
extern const struct record audit_line_record, audit_image_record;
/* How many answers an image of the revision should have: what it was sampled with; 0 for an import, whose votes are
 * not said to be here. */
uint32_t set_audit_answers(const struct revision_row *r);
/* `answers_least` 0: answers are not asked for; `flags_to_quarantine` people's flags hide an image; `dir`: the
 * project, whose files are looked for. Release it whatever came out. */
enum err_code set_audit_make(struct db *db, struct tally *t, const struct revision_row *r, uint32_t answers_least,
                             int64_t flags_to_quarantine, const char *dir, struct set_audit *out,
                             struct err *err);
void set_audit_release(struct set_audit *audit);

#endif
