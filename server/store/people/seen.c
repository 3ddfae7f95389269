/* seen.c - one statement. */
#include "store/people/seen.h"

static const char *const words[SAWS] = {"page", "review", "training", "evaluation", "guide"};

enum err_code seen_add(struct db *db, int64_t account, int64_t image, enum saw how, int64_t at, struct err *err)
{
    return db_run(db,
                  "INSERT INTO account_saw (account, image, how, at) SELECT ?1, ?2, ?3, ?4"
                  " WHERE EXISTS (SELECT 1 FROM image WHERE id = ?2) ON CONFLICT DO NOTHING",
                  DB_VALS(db_int(account), db_int(image), db_str(words[how]), db_int(at)), err);
}
