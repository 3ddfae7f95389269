/* near_space.c - SQL for the features that a metric compares: the newest that its model has. */
#include "store/duplicates/near_space.h"

#include "db/rows.h"

static enum err_code feature_space(struct db *db, const struct review_metric *m, int64_t as_of, struct arena *a,
                                   struct sv *out, struct err *err)
{
    struct sv digest = {0};
    enum err_code rc = db_maybe_text(db,
                                     "SELECT lower(hex(s.digest)) FROM feature_source s JOIN model m ON m.id = s.model"
                                     " WHERE m.name = ?1 AND s.id <= ?2 AND EXISTS (SELECT 1 FROM feature_block b"
                                     "  WHERE b.source = s.id) ORDER BY s.id DESC LIMIT 1",
                                     DB_VALS(db_str(m->model), db_int(as_of > 0 ? as_of : INT64_MAX)), a, &digest, err);
    if (digest.n) {
        *out = sv_of(arena_printf(a, "{\"kind\":\"feature\",\"model\":\"%s\",\"features\":\"" SV_FMT "\"}", m->model,
                                  SV_ARG(digest)));
    }
    return rc;
}

enum err_code near_space(struct db *db, const struct review_metric *m, int64_t as_of, struct arena *a, struct sv *out,
                         struct err *err)
{
    *out = SV("");
    switch (m->kind) {
    case NEAR_L2:
        *out = sv_of(arena_printf(a, "{\"kind\":\"l2\",\"side\":%u}", m->side));
        break;
    case NEAR_DSSIM:
        *out = sv_of(arena_printf(a, "{\"kind\":\"dssim\",\"side\":%u,\"window\":%u}", m->side, m->window));
        break;
    case NEAR_FEATURE:
        return m->model[0] ? feature_space(db, m, as_of, a, out, err) : OK;
    case NEAR_KINDS:
        break;
    }
    return OK;
}

enum err_code near_space_originals(struct db *db, const struct review_metric *m, struct arena *a, struct sv *out,
                                   struct err *err)
{
    struct sv space = {0};
    enum err_code rc = near_space(db, m, 0, a, &space, err);
    *out = space.n == 0 ? SV("")
                        : sv_of(arena_printf(a, "%.*s,\"queries\":\"original\"}", (int)space.n - 1, space.p));
    return rc;
}
