/* set_members.c - images of sets, by name. */
#include "transfer/imports/set_members.h"

#include "db/bulk.h"
#include "store/duplicates/near_metrics.h"
#include "store/images/images.h"

enum { CHUNK = 100 };

enum err_code set_members_find(struct set_members *m)
{
    struct transfer *tr = m->tr;
    enum err_code rc = db_snapshot(tr->db, tr->err);
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < m->n && rc == OK; i++) {
        int64_t id = 0;
        rc = images_find(tr->db, m->list[i].name, &id, tr->err);
        m->list[i].image = (uint32_t)id;
        m->unknown += id == 0;
        transfer_progress(tr, "looking up images", i, m->n);
    }
    db_snapshot_end(tr->db);
    return rc;
}

/* Another import may have been faster. */
static enum err_code add_one(struct db *db, struct set_members *m, struct set_member *one,
                             bool *added, struct err *err)
{
    bool original = sv_is(m->role, "original");
    struct image_row row = {.name = one->name,
                            .class_id = one->class_id,
                            .role = original ? SV("original") : SV("candidate"),
                            .idx = -1};
    int64_t id = 0;
    enum err_code rc = images_find(db, row.name, &id, err);
    if (rc == OK && id == 0) {
        rc = images_put(db, &row, added, err);
        rc = rc == OK ? images_find(db, row.name, &id, err) : rc;
    }
    one->image = (uint32_t)id;
    return rc;
}

static enum err_code add_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct set_members *m = arg;
    uint64_t added_here = 0;
    int64_t before = 0;
    enum err_code rc = near_metrics_newest(db, &before, err);
    for (int k = 0; k < CHUNK && m->done < m->n && rc == OK; m->done++) {
        bool added = false;
        if (m->list[m->done].image == 0) {
            rc = add_one(db, m, &m->list[m->done], &added, err);
            k++;
        }
        added_here += added;
    }
    if (rc == OK) {
        rc = images_event(db, added_here, m->now, err);
        rc = rc == OK && added_here ? near_metrics_extend(db, before, err) : rc;
        m->added += added_here;
    }
    transfer_progress(m->tr, "images", m->done, m->n);
    *more = m->done < m->n;
    return rc;
}

enum err_code set_members_add(struct set_members *m)
{
    return bulk_write(m->tr->db, m->tr->alone, add_step, m, m->tr->err);
}
