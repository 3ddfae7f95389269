/* training_stand.c - derived from answers, every time. */
#include "experts/training_stand.h"

#include "base/list.h"

/* The part that has the first image without an answer. */
static void find_part(const struct training_list_row *l, const bool *answered, struct training_progress *out)
{
    int64_t at = 0;
    out->parts = training_parts(l->images);
    while (at < l->images && answered[at]) {
        at++;
    }
    if (at == l->images) {
        return;
    }
    const int64_t first = at / TRAINING_PART * TRAINING_PART;
    out->part = at / TRAINING_PART + 1;
    for (int64_t i = first; i < first + TRAINING_PART && i < l->images; i++) {
        out->part_images++;
        out->part_done += answered[i];
    }
}

enum err_code training_progress_read(struct db *db, const struct training_list_row *l, int64_t account, struct arena *a,
                                     struct training_progress *out, struct err *err)
{
    struct training_answer_row *rows;
    size_t n = 0, counted = 0;
    *out = (struct training_progress){.done = 0};
    enum err_code rc = training_answers_own(db, l->id, account, a, &rows, &n, err);
    bool *answered = arena_calloc(a, (size_t)l->images + 1, sizeof *answered), *fits = arena_calloc(a, n + 1, sizeof *fits);
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < n; i++) {
        out->done += !answered[rows[i].position];
        answered[rows[i].position] = true;
        if (rows[i].counts) {
            fits[counted++] = rows[i].fits;
        }
    }
    find_part(l, answered, out);
    out->stand = training_stand(fits, counted, l->mark, l->span);
    out->share = binomial_proportion(out->stand.right, out->stand.n);
    return OK;
}

/* What one of its lists says of a group. */
static enum err_code take_list(struct db *db, const struct training_list_row *l, int64_t account, struct arena *a,
                               struct training_group *g, struct err *err)
{
    struct training_progress p = {.done = 0};
    if (g->list.n == 0 && sv_is(l->state, "open")) {
        g->list = l->name;
    }
    enum err_code rc = g->unlocked ? OK : training_progress_read(db, l, account, a, &p, err);
    g->unlocked = g->unlocked || p.stand.passed;
    return rc;
}

enum err_code training_groups(struct db *db, int64_t account, struct arena *a, struct training_group **out, size_t *n, struct err *err)
{
    struct training_list_row *lists;
    struct list groups = {0};
    size_t n_lists = 0;
    enum err_code rc = training_lists_list(db, a, &lists, &n_lists, err);
    for (size_t i = 0; i < n_lists && rc == OK; i++) {
        struct training_group *g = groups.n ? (struct training_group *)groups.items + groups.n - 1 : NULL;
        if (!g || !sv_eq(g->unlocks, lists[i].unlocks)) {
            g = LIST_ADD(&groups, a, struct training_group);
            *g = (struct training_group){.unlocks = lists[i].unlocks, .list = SV("")};
        }
        rc = take_list(db, &lists[i], account, a, g, err);
    }
    *out = groups.items;
    *n = groups.n;
    return rc;
}

enum err_code training_missing(struct db *db, enum training_for kind, int64_t list, int64_t account, struct arena *a,
                               struct training_group **out, size_t *n, struct err *err)
{
    struct sv *needs;
    struct list missing = {0};
    size_t n_needs = 0;
    enum err_code rc = training_needs(db, kind, list, a, &needs, &n_needs, err);
    for (size_t i = 0; i < n_needs && rc == OK; i++) {
        struct training_group g = {.unlocks = needs[i], .list = SV("")};
        struct training_list_row *lists;
        size_t n_lists = 0;
        rc = training_lists_unlocking(db, needs[i], a, &lists, &n_lists, err);
        for (size_t k = 0; k < n_lists && !g.unlocked && rc == OK; k++) {
            rc = take_list(db, &lists[k], account, a, &g, err);
        }
        if (!g.unlocked) {
            *LIST_ADD(&missing, a, struct training_group) = g;
        }
    }
    *out = missing.items;
    *n = missing.n;
    return rc;
}

enum err_code training_need_check(struct db *db, enum training_for kind, int64_t list, int64_t account, struct arena *a,
                                  struct err *err)
{
    struct training_group *missing;
    size_t n = 0;
    const char *names = "";
    enum err_code rc = training_missing(db, kind, list, account, a, &missing, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        names = arena_printf(a, "%s%s" SV_FMT, names, i ? ", " : "", SV_ARG(missing[i].unlocks));
    }
    return rc == OK && n ? err_rule(err, ERR_DENIED, "training-needed",
                                    "This work needs training that you have not passed yet: %s. Open Training to see your lists.", names)
                         : rc;
}
