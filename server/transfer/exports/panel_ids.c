/* panel_ids.c - see panel_ids.h. */
#include "transfer/exports/panel_ids.h"

#include "base/clock.h"
#include "store/people/panel_ids.h"

enum err_code panel_ids_record_step(struct db *db, void *taken, struct err *err)
{
    const struct panel_ids_taken *t = taken;
    return panel_ids_record(db, sv_of(t->what), t->campaign, t->account, clock_wall_ms(), err);
}

enum err_code panel_ids_record_now(struct transfer *tr, const char *what, int64_t campaign)
{
    struct panel_ids_taken taken = {.what = what, .campaign = campaign};
    enum err_code rc = db_tx_begin(tr->db, tr->err);
    if (rc != OK) {
        return rc;
    }
    rc = panel_ids_record_step(tr->db, &taken, tr->err);
    return db_tx_end(tr->db, rc, tr->err);
}
