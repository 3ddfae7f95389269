/* neighbors_part.h - lists of a search as part files, to share the work among machines: what one of them computed, and
 * all of them read again in order. JSON lines behind a header: {"search": its place in the plan, "image": a query,
 * "near": [[reference, distance], ...]}, and {"search", "unread": [image, ...]} before what it concerns. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_PART_H
#define TRANSFER_DUPLICATES_NEIGHBORS_PART_H

#include "crypto/crypto.h"
#include "store/duplicates/near_searches.h"
#include "transfer/core/part_file.h"

/* What all parts are of. */
struct neighbors_shared {
    char plan[2 * CRYPTO_HASH + 1]; /* digest of the plan */
    const struct near_search *const *searches;
    uint32_t n;
};
/* Which queries of a search part `part` of `parts` computes, by their places. */
void neighbors_part_range(const struct near_search *s, uint32_t part, uint32_t parts, uint32_t *begin, uint32_t *end);

/* ---- writing ---- */

struct neighbors_part {
    struct part_file file;
    const struct neighbors_shared *shared;
    uint32_t part, parts;
    uint32_t *next;        /* of each search: the query whose list comes next; the caller's */
    uint32_t told_unread;  /* of the search at hand */
};
/* Opens the file or resumes it; `next`: room for shared->n numbers. ERR_CONFLICT (rule "part-differs") for a file of
 * another plan or part. */
enum err_code neighbors_part_open(struct neighbors_part *p, const char *path, const struct neighbors_shared *shared,
                                  uint32_t part, uint32_t parts, uint32_t *next, struct err *err);
/* As `take` of neighbors_run.h; what was taken is on the disk. */
enum err_code neighbors_part_take(struct neighbors_part *p, uint32_t search, uint32_t first,
                                  const struct near_list *lists, uint32_t n, const uint32_t *unread, uint32_t n_unread,
                                  struct err *err);

/* ---- reading ---- */

struct neighbors_merge; /* all part files of one plan */
/* ERR_CONFLICT (rule "part-differs") names the file that is of another plan, or the part that is missing or given
 * twice. Close it whatever came out. */
enum err_code neighbors_merge_open(struct neighbors_merge **out, const char *const *paths, uint32_t n,
                                   const struct neighbors_shared *shared, struct err *err);
/* The lists of a search from query `from` on, some at a time, as `take` of neighbors_run.h. Searches are asked for in
 * order. ERR_CONFLICT (rule "part-unfinished") for a file that lacks some. */
enum err_code neighbors_merge_each(struct neighbors_merge *m, uint32_t search, uint32_t from,
                                   enum err_code (*take)(void *arg, const struct near_list *lists, uint32_t n,
                                                         const uint32_t *unread, uint32_t n_unread, struct err *err),
                                   void *arg, struct err *err);
void neighbors_merge_close(struct neighbors_merge *m); /* NULL is allowed */

#endif
