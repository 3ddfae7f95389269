/* visits.c - SQL for place_visit. */
#include "store/work/visits.h"

#include <string.h>

enum { OLD_MOST = 1024 };

enum err_code visits_create(struct db *db, int64_t place, const unsigned char hash[WORK_HASH],
                            bool own, int64_t now, int64_t *id, struct err *err)
{
    enum err_code rc =
        db_run(db, "INSERT INTO place_visit (place, hash, own, at) VALUES (?1, ?2, ?3, ?4)",
               DB_VALS(db_int(place), db_blob(hash, WORK_HASH), db_int(own), db_int(now)), err);
    if (rc != OK) {
        return rc;
    }
    *id = db_last_id(db);
    return db_run(db,
                  "DELETE FROM place_visit WHERE place = ?1 AND own = 0 AND id NOT IN (SELECT id"
                  " FROM place_visit WHERE place = ?1 ORDER BY id DESC LIMIT ?2) AND id NOT IN"
                  " (SELECT a.visit FROM assignment a WHERE a.place = ?1)",
                  DB_VALS(db_int(place), db_int(VISITS_KEPT)), err);
}

enum err_code visits_worked(struct db *db, int64_t place, int64_t visit, bool *worked,
                            struct err *err)
{
    int64_t n = 0;
    enum err_code rc = db_one_int(db,
                                  "SELECT EXISTS (SELECT 1 FROM assignment a JOIN answer w"
                                  " ON w.assignment = a.id WHERE a.place = ?1 AND a.visit = ?2)",
                                  DB_VALS(db_int(place), db_int(visit)), &n, err);
    *worked = n != 0;
    return rc;
}

enum err_code visits_code_is_own(struct db *db, const struct place *p, bool *own, struct err *err)
{
    int64_t others = 0;
    enum err_code rc = db_one_int(db,
                                  "SELECT EXISTS (SELECT 1 FROM place WHERE campaign = ?1 AND"
                                  " code = ?2 AND id <> ?3) OR EXISTS (SELECT 1 FROM study_code"
                                  " WHERE campaign = ?1 AND code = ?2)",
                                  DB_VALS(db_int(p->campaign), db_text(p->code), db_int(p->id)),
                                  &others, err);
    *own = rc == OK && p->code.n > 0 && !others;
    return rc;
}

enum err_code visits_hash_old(struct db *db, size_t most,
                              void (*hash)(void *arg, const unsigned char token[WORK_TOKEN],
                                           unsigned char out[WORK_HASH]),
                              void *arg, size_t *n, struct err *err)
{
    struct {
        int64_t place;
        unsigned char token[WORK_TOKEN];
    } old[OLD_MOST];
    struct db_rows r;
    *n = 0;
    most = most < OLD_MOST ? most : OLD_MOST;
    db_begin(db, "SELECT id, token FROM place WHERE length(token) = ?1 LIMIT ?2",
             DB_VALS(db_int(WORK_TOKEN), db_int((int64_t)most)), &r, err);
    while (*n < most && db_step(&r, err)) {
        old[*n].place = db_col_int(&r, 0);
        memcpy(old[(*n)++].token, db_col_blob(&r, 1).p, WORK_TOKEN);
    }
    enum err_code rc = db_end(&r);
    for (size_t i = 0; i < *n && rc == OK; i++) {
        unsigned char now[WORK_HASH];
        hash(arg, old[i].token, now);
        rc = db_run(db, "UPDATE place SET token = ?2 WHERE id = ?1",
                    DB_VALS(db_int(old[i].place), db_blob(now, WORK_HASH)), err);
    }
    return rc;
}
