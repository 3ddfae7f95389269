/* near_close_private.h - what the SQL over near_close has in common. Included by near_review.c and near_drawn.c alone. */
#ifndef STORE_DUPLICATES_NEAR_CLOSE_PRIVATE_H
#define STORE_DUPLICATES_NEAR_CLOSE_PRIVATE_H

#include "store/duplicates/near_searches.h"

/* Of a search s: it is of the space ?1, and made by this program. */
#define NEAR_CLOSE_SPACE " s.space = ?1 AND s.engine = '" NEAR_ENGINE "'"
/* Of a pair of images q and r: neither equal bytes nor one photo. */
#define NEAR_CLOSE_APART                                                                                               \
    " AND (q.source IS NULL OR q.source IS NOT r.source)"                                                              \
    " AND (q.source_id IS NULL OR q.source_id IS NOT r.source_id)"
/* banned(i): the images that are blacklisted, by their newest entry; `upto` limits which count. */
#define NEAR_CLOSE_BANNED(upto)                                                                                        \
    "listed AS (SELECT name, banned, max(event) FROM blacklisting" upto " GROUP BY name),"                             \
    " banned(i) AS MATERIALIZED (SELECT i.id FROM listed CROSS JOIN image i ON i.name = listed.name WHERE banned)"

#endif
