/* potential_view.c - makes the view when it is first needed. */
#include "sets/labels/potential_view.h"

#include "base/clock.h"

static struct vote_view usual_view(void)
{
    return (struct vote_view){.name = SV(POTENTIAL_VIEW),
                              .description = SV("All accepted answers about potential labels."),
                              .kinds = SV("potential")};
}

static enum err_code make(struct db *db, struct err *err)
{
    const struct vote_view usual = usual_view();
    int64_t id;
    enum err_code rc = db_tx_begin(db, err);
    rc = rc == OK ? views_create(db, &usual, 0, clock_wall_ms(), &id, err) : rc;
    return db_tx_end(db, rc, err);
}

enum err_code potential_view_find(struct db *db, struct sv name, bool dry, struct arena *a, struct vote_view *out,
                                  struct err *err)
{
    const struct vote_view usual = usual_view();
    enum err_code rc = views_find(db, name.n ? name : usual.name, a, out, err);
    if (rc != ERR_NOT_FOUND || name.n) {
        return rc;
    }
    err_clear(err);
    if (dry) {
        *out = usual;
        return OK;
    }
    rc = make(db, err);
    return rc == OK ? views_find(db, usual.name, a, out, err) : rc;
}
