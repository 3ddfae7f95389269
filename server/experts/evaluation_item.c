/* evaluation_item.c - the order follows from the list's seed and the account; what is answered, from the answers. */
#include "experts/evaluation_item.h"

#include "experts/training_stand.h"

enum err_code evaluation_theirs(struct db *db, struct sv name, int64_t account, struct arena *a, struct evaluation_row *out,
                                struct err *err)
{
    bool theirs = false;
    enum err_code rc = evaluations_find(db, name, a, out, err);
    rc = rc == OK ? evaluation_person_is(db, out->id, account, &theirs, err) : rc;
    rc = rc == OK && theirs ? training_need_check(db, FOR_EVALUATION, out->id, account, a, err) : rc;
    return rc == OK && !theirs ? err_rule(err, ERR_DENIED, "evaluation-theirs",
                                          "The evaluation " SV_FMT " is not your work. Ask a lead to add you to it.", SV_ARG(out->name))
                               : rc;
}

static uint32_t *order_of(const struct evaluation_turn *t, struct arena *a)
{
    uint32_t *order = arena_alloc(a, ((size_t)t->list->images + 1) * sizeof *order);
    evaluation_order((uint64_t)t->list->seed, t->account, (uint32_t)t->list->images, order);
    return order;
}

enum err_code evaluation_number_at(const struct evaluation_turn *t, int64_t place, struct arena *a, int64_t *number, struct err *err)
{
    if (place < 0 || place >= t->list->images) {
        return err_rule(err, ERR_NOT_FOUND, "evaluation-item", "This evaluation has no such image.");
    }
    *number = order_of(t, a)[place];
    return OK;
}

static enum err_code passed_over(struct db *db, const struct evaluation_turn *t, int64_t image, bool *out, struct err *err)
{
    *out = t->hidden && t->hidden(t->arg, image);
    return *out ? OK : evaluation_seen_elsewhere(db, t->account, image, out, err);
}

enum err_code evaluation_next(struct db *db, const struct evaluation_turn *t, int64_t after, struct arena *a,
                              struct evaluation_place *out, struct err *err)
{
    int64_t *numbers;
    size_t n = 0;
    const int64_t images = t->list->images;
    *out = (struct evaluation_place){.place = -1, .of = images};
    enum err_code rc = evaluation_answered(db, t->list->id, t->account, a, &numbers, &n, err);
    bool *answered = arena_calloc(a, (size_t)images + 1, sizeof *answered), over = false;
    for (size_t i = 0; i < n && rc == OK; i++) {
        answered[numbers[i]] = true;
    }
    out->answered = (int64_t)n;
    const uint32_t *order = order_of(t, a);
    for (int64_t place = after + 1; place < images && out->place < 0 && rc == OK; place++) {
        int64_t image = 0;
        if (answered[order[place]]) {
            continue;
        }
        rc = evaluation_image_at(db, t->list->id, order[place], &image, err);
        rc = rc == OK ? passed_over(db, t, image, &over, err) : rc;
        if (rc == OK && !over) {
            out->place = place;
            out->number = order[place];
            out->image = image;
        }
    }
    return rc;
}
