/* view_ask.c - resolves a vote view. */
#include "live/votes/view_ask.h"

enum err_code view_ask_of(struct db *db, const struct vote_view *v, int64_t as_of, struct arena *a,
                          struct view_ask *out, struct err *err)
{
    int64_t *campaigns, *blocked;
    bool own = v->as_of > 0 && (as_of <= 0 || v->as_of < as_of);
    *out = (struct view_ask){.rules = v->rules, .as_of = own ? v->as_of : as_of};
    enum err_code rc = views_campaigns(db, v, a, &campaigns, &out->n_campaigns, err);
    rc = rc == OK ? views_blocked(db, out->as_of, a, &blocked, &out->n_blocked, err) : rc;
    if (rc == OK) {
        out->campaigns = campaigns;
        out->blocked = blocked;
    }
    return rc;
}

enum err_code view_count_once(struct db *db, const struct vote_view *v, int64_t as_of, struct arena *a, struct view_counts *out,
                              struct err *err)
{
    struct view_ask ask;
    struct tally *t = tally_new();
    enum err_code rc = tally_fold(t, db, err);
    rc = rc == OK ? view_ask_of(db, v, as_of, a, &ask, err) : rc;
    rc = rc == OK ? view_count(t, &ask, out, err) : rc;
    tally_free(t);
    return rc;
}
