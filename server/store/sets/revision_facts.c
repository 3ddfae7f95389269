/* revision_facts.c - SQL for how a revision came about. Written by write.c with the revision's
 * row. */
#include "store/sets/revision_facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/le.h"
#include "db/rows.h"

enum { REMOVAL_BYTES = 9 };

const char *const revision_removed_words[REMOVED_REASONS] = {
    "blacklisted", "few-assignments", "below-threshold", "near-duplicate", "unreviewed",
    "limit",       "not-picked",      "not-drawn",       "takedown",       "unknown",
    "moved",       "not-searched"};
const char *const revision_removed_short[REMOVED_REASONS] = {
    [REMOVED_BLACKLISTED] = "blacklisted",
    [REMOVED_FEW_ASSIGNMENTS] = "too few answers",
    [REMOVED_BELOW_THRESHOLD] = "below the threshold",
    [REMOVED_NEAR_DUPLICATE] = "near-duplicate",
    [REMOVED_UNREVIEWED] = "near neighbours not reviewed",
    [REMOVED_LIMIT] = "over the limit of an uploader or event",
    [REMOVED_NOT_PICKED] = "not picked, or pruned",
    [REMOVED_NOT_DRAWN] = "not drawn",
    [REMOVED_TAKEDOWN] = "hidden or taken down",
    [REMOVED_UNKNOWN] = "no longer a candidate of its class",
    [REMOVED_MOVED] = "moved to another bin by votes",
    [REMOVED_UNSEARCHED] = "not searched for near-duplicates",
};

static int by_class_and_image(const void *a, const void *b)
{
    const struct revision_removal *x = a, *y = b;
    if (x->class_id != y->class_id) {
        return x->class_id < y->class_id ? -1 : 1;
    }
    return x->image < y->image ? -1 : x->image > y->image;
}

struct sv revision_removals_pack(const struct revision_removal *list, size_t n, struct arena *a)
{
    unsigned char *bytes = arena_alloc(a, n * REMOVAL_BYTES + 1);
    struct revision_removal *sorted = arena_alloc(a, (n + 1) * sizeof *sorted);
    if (n) {
        memcpy(sorted, list, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, by_class_and_image);
    }
    for (size_t i = 0; i < n; i++) {
        unsigned char *p = bytes + i * REMOVAL_BYTES;
        le_put_u32(p, sorted[i].image);
        le_put_u32(p + 4, sorted[i].class_id);
        p[8] = (unsigned char)sorted[i].reason;
    }
    return sv_make((const char *)bytes, n * REMOVAL_BYTES);
}

/* A reason that a later program wrote is one that this program does not know. */
static void unpack(struct sv blob, struct arena *a, struct revision_facts *out)
{
    const unsigned char *p = (const unsigned char *)blob.p;
    out->n_removals = blob.n / REMOVAL_BYTES;
    out->removals = arena_alloc(a, (out->n_removals + 1) * sizeof *out->removals);
    for (size_t i = 0; i < out->n_removals; i++, p += REMOVAL_BYTES) {
        enum revision_removed reason = p[8] < REMOVED_REASONS ? p[8] : REMOVED_UNKNOWN;
        out->removals[i] = (struct revision_removal){le_u32(p), le_u32(p + 4), reason};
    }
}

static void read_rest(const struct db_rows *r, struct arena *a, void *out)
{
    struct revision_facts *f = out;
    f->sampled = !db_col_null(r, 1);
    f->valid = db_col_null(r, 7) ? -1 : (int)db_col_int(r, 7);
    unpack(db_col_blob(r, 8), a, f);
}
DB_ROW_THEN(revision_facts_row, struct revision_facts, read_rest, revision, seed, as_of,
            newest_image, vote_view, inputs, facts);

enum err_code revision_facts_get(struct db *db, int64_t revision, struct arena *a,
                                 struct revision_facts *out, struct err *err)
{
    enum err_code rc = db_find(db, revision_facts_row, out, a,
                               "SELECT id, seed, as_of, newest_image, vote_view, inputs, facts, valid,"
                               " removals FROM revision WHERE id = ?1",
                               DB_VALS(db_int(revision)), err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "set", "There is no such revision.") : rc;
}
