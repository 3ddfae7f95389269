/* way.c - in which order a reviewer sees the classes, and what is left. */
#include "web/review/way.h"

#include "base/map.h"
#include "web/parts/set_data.h"

static size_t class_at(const struct review_way *w, int64_t class_id)
{
    for (size_t i = 0; i < w->n_classes; i++) {
        if (w->classes[i].class_id == class_id) {
            return i;
        }
    }
    return w->n_classes;
}

size_t review_way_find(const struct review_way *w, int64_t class_id, bool again)
{
    size_t at = class_at(w, class_id);
    return at < w->n_classes ? w->place[2 * at + again] : w->n_turns;
}

static void find_places(struct ctx *c, struct review_way *w)
{
    w->place = arena_alloc(c->arena, (2 * w->n_classes + 1) * sizeof *w->place);
    for (size_t i = 0; i < 2 * w->n_classes; i++) {
        w->place[i] = w->n_turns;
    }
    for (size_t i = 0; i < w->n_turns; i++) {
        w->place[2 * w->turns[i].class_index + w->turns[i].again] = i;
    }
}

/* In a round a class is done when this reviewer is through with it, whoever else was before. */
static enum err_code mark_turns(struct ctx *c, struct review_way *w)
{
    struct review_turn *mine;
    struct map_u64 index;
    size_t n;
    if (review_turns_list(c->db, w->round.id, c->user.account, c->arena, &mine, &n, &c->err) !=
        OK) {
        return c->err.code;
    }
    map_u64_init(&index);
    for (size_t i = 0; i < w->n_classes; i++) {
        map_u64_put(&index, (uint64_t)w->classes[i].class_id, (uint32_t)i);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t k = map_u64_get(&index, (uint64_t)mine[i].class_id);
        size_t at = k != MAP_NONE ? w->place[2 * k + mine[i].again] : w->n_turns;
        if (at < w->n_turns) {
            w->done[at] = true;
        }
    }
    map_u64_release(&index);
    return OK;
}

static void mark_reviewed(struct review_way *w)
{
    for (size_t i = 0; i < w->n_turns; i++) {
        w->done[i] = w->classes[w->turns[i].class_index].reviewed;
    }
}

enum err_code review_way_make(struct ctx *c, bool marks, struct review_way *out)
{
    *out = (struct review_way){.n_turns = 0};
    if (set_asked(c, &out->revision) != OK) {
        return c->err.code;
    }
    int64_t id = out->revision.id;
    enum err_code rc =
        marks
            ? review_progress_classes(c->db, id, c->arena, &out->classes, &out->n_classes, &c->err)
            : review_progress_short(c->db, id, c->arena, &out->classes, &out->n_classes, &c->err);
    if (rc != OK || review_rounds_newest(c->db, id, &out->round, &c->err) != OK) {
        return c->err.code;
    }
    if (marks && review_shown_list(c->db, id, c->arena, &out->shown, &out->n_shown, &c->err) != OK) {
        return c->err.code;
    }
    bool blind = out->round.id != 0;
    round_order((uint64_t)(blind ? out->round.seed : id), c->user.account, (uint32_t)out->n_classes,
                blind ? out->round.repeats : 0, c->arena, &out->turns, &out->n_turns);
    find_places(c, out);
    out->done = arena_calloc(c->arena, out->n_turns + 1, sizeof *out->done);
    if (blind) {
        rc = mark_turns(c, out);
    } else {
        mark_reviewed(out);
    }
    for (size_t i = 0; i < out->n_turns; i++) {
        out->n_done += out->done[i];
    }
    return rc;
}

static bool is_due(const struct review_way *w, size_t at)
{
    const struct round_turn *t = &w->turns[at];
    if (w->done[at] || !t->again) {
        return !w->done[at];
    }
    return w->done[w->place[2 * t->class_index]];
}

size_t review_way_next(const struct review_way *w, size_t at)
{
    for (size_t k = 1; k <= w->n_turns; k++) {
        size_t i = at < w->n_turns ? (at + k) % w->n_turns : k - 1;
        if (i != at && is_due(w, i)) {
            return i;
        }
    }
    return w->n_turns;
}

const char *review_way_url(struct ctx *c, const struct review_way *w, size_t at)
{
    if (at >= w->n_turns) {
        return arena_printf(c->arena, "%s/review", set_url(c->arena, &w->revision));
    }
    const struct round_turn *t = &w->turns[at];
    return arena_printf(c->arena, "%s/" SV_FMT "%s", set_url(c->arena, &w->revision),
                        SV_ARG(w->classes[t->class_index].wnid), t->again ? "?again=1" : "");
}
