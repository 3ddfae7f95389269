/* news.h - whether something came that no event counter of the live pages tells: for web/core/app.c, which asks
 * once a second and after commits of other processes. */
#ifndef STORE_OPERATE_NEWS_H
#define STORE_OPERATE_NEWS_H

#include "db/db.h"

struct news {
    uint64_t jobs;   /* changes whenever a job is added, moves or reports something (jobs_stamp) */
    size_t open_jobs; /* that wait or run */
    uint64_t models; /* rises when models, predictions, features, sets or states of sets came */
    int64_t review;  /* newest event of a decision about a class's images, of a round of review, of a pick, of what
                        experts say in label reviews, evaluations and training */
};
/* A few lookups at the ends of tables, whatever their size. */
enum err_code news_read(struct db *db, struct news *out, struct err *err);

#endif
