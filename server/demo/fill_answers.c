/* fill_answers.c - a past for one campaign: sessions of many people run beside each other and are
 * written in the order of time. Who gets which grid follows the desk's rules (live/work/desk.h): never more
 * than N answers, never an image twice, at random among the first open grids. */
#include "demo/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "db/bulk.h"
#include "store/campaigns/studies.h"
#include "store/classes/classes.h"
#include "store/images/images.h"
#include "store/people/people.h"
#include "store/work/flags.h"
#include "store/work/grids.h"
#include "store/work/work.h"

enum { WINDOW = 16, PAUSE_MS = 4000, FLAG_ONE_IN = 60, LEAVE_AFTER = 3, FLAGGED_MOST = 64 };

/* ------------------------------------------------------------------ what there is to answer */

struct open_grid {
    int64_t id;
    unsigned class_index, n;
    int64_t answers;
    int64_t image[GRID_CELLS];
};
struct board {
    const struct fill *f;
    const struct campaign *k;
    struct open_grid *grids;
    size_t n, cap;
    size_t open, *order;  /* those with a free slot, in the plan's order */
    bool take;            /* the grid that cells are read of is of this campaign */
    int *class_of;        /* index in world_classes by class id */
    size_t n_classes;
    const struct truth_image **image; /* by image id */
    size_t n_images, cap_images;
};

static enum err_code note_image(void *arg, int64_t id, struct sv name, struct err *err)
{
    struct board *b = arg;
    (void)err;
    xgrow(&b->image, &b->cap_images, (size_t)id + 1, sizeof *b->image);
    while (b->n_images <= (size_t)id) {
        b->image[b->n_images++] = NULL;
    }
    b->image[id] = truth_of(b->f->truth, name);
    return OK;
}

static enum err_code note_grid(void *arg, const struct grid_row *g, struct err *err)
{
    struct board *b = arg;
    (void)err;
    b->take = g->campaign == b->k->id;
    if (b->take) {
        BUG_IF((size_t)g->class_id >= b->n_classes || b->class_of[g->class_id] < 0);
        xgrow(&b->grids, &b->cap, b->n + 1, sizeof *b->grids);
        b->grids[b->n++] = (struct open_grid){
            .id = g->id, .class_index = (unsigned)b->class_of[g->class_id]};
    }
    return OK;
}

static enum err_code note_cell(void *arg, int64_t image, enum cell_role role, bool expected,
                               struct err *err)
{
    struct board *b = arg;
    (void)role;
    (void)expected;
    (void)err;
    if (b->take) {
        struct open_grid *g = &b->grids[b->n - 1];
        g->image[g->n++] = image;
    }
    return OK;
}

static enum err_code note_classes(struct board *b, struct err *err)
{
    struct class_info *all;
    size_t n;
    enum err_code rc = classes_list(b->f->db, b->f->arena, &all, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        b->n_classes = (size_t)all[i].id >= b->n_classes ? (size_t)all[i].id + 1 : b->n_classes;
    }
    b->class_of = xcalloc(b->n_classes + 1, sizeof *b->class_of);
    for (size_t i = 0; i < n && rc == OK; i++) {
        b->class_of[all[i].id] = world_find(all[i].wnid);
    }
    return rc;
}

static enum err_code board_open(struct board *b, struct err *err)
{
    enum err_code rc = note_classes(b, err);
    rc = rc == OK ? images_each(b->f->db, note_image, b, err) : rc;
    rc = rc == OK ? grids_each(b->f->db, 0, note_grid, note_cell, b, err) : rc;
    b->order = xcalloc(b->n + 1, sizeof *b->order);
    for (b->open = 0; b->open < b->n; b->open++) {
        b->order[b->open] = b->open;
    }
    return rc;
}

static void board_close(struct board *b)
{
    free(b->grids);
    free(b->order);
    free(b->class_of);
    free(b->image);
}

/* ------------------------------------------------------------------ sessions */

struct session {
    unsigned index; /* in the crowd */
    int64_t person, place, at;
    int64_t answers;
    bool over;
    unsigned char *seen; /* bit per image */
};
struct show {
    const struct fill *f;
    const struct fill_part *part;
    struct board board;
    struct rng rng;
    struct session *sessions;
    int64_t flagged[FLAGGED_MOST]; /* images; at most one person's flags hide none */
    size_t n_flagged;
    uint64_t answers, wanted;
};

static bool saw(const struct session *s, const struct open_grid *g)
{
    bool any = false;
    for (unsigned i = 0; i < g->n; i++) {
        any = any || (s->seen[g->image[i] / 8] >> (g->image[i] % 8) & 1);
    }
    return any;
}

/* As desk_pick: from the first window of open grids that has one without a known image. */
static bool pick(struct show *w, const struct session *s, size_t *out)
{
    const struct board *b = &w->board;
    for (size_t first = 0; first < b->open; first += WINDOW) {
        size_t fit[WINDOW], n = 0;
        for (size_t i = first; i < b->open && i < first + WINDOW; i++) {
            if (!saw(s, &b->grids[b->order[i]])) {
                fit[n++] = i;
            }
        }
        if (n) {
            *out = fit[rng_below(&w->rng, n)];
            return true;
        }
    }
    return false;
}

static enum err_code join(struct show *w, struct session *s, struct err *err)
{
    char name[CROWD_NAME], code[CROWD_NAME];
    struct place p = {.campaign = w->part->campaign->id, .consent_version = SV("1")};
    crowd_name(s->index, name);
    snprintf(code, sizeof code, "D%09llX", (unsigned long long)(rng_u64(&w->rng) >> 28));
    p.code = sv_of(code);
    unsigned char nobody[WORK_HASH]; /* they never come back with it */
    crypto_random(nobody, sizeof nobody);
    enum err_code rc = people_find_external(w->f->db, SV("panel"), sv_of(name), &s->person, err);
    p.person = s->person;
    rc = rc == OK ? work_place_create(w->f->db, &p, nobody, s->at, err) : rc;
    s->place = p.id;
    return rc;
}

/* Now and then somebody says that something is wrong with a picture; never two about the same, so that
 * nothing is hidden by it. */
static enum err_code flag_one(struct show *w, const struct session *s, const struct open_grid *g,
                              int64_t assignment, struct err *err)
{
    static const struct {
        const char *kind, *note;
    } said[] = {{"broken", "the picture is almost black here"},
                {"other", "this is drawn, does it count?"},
                {"private", "the number plate can be read"},
                {"other", "the same picture as the one before"}};
    bool added, again = w->n_flagged == FLAGGED_MOST, flags = rng_below(&w->rng, FLAG_ONE_IN) == 0;
    int64_t image = g->image[rng_below(&w->rng, g->n)];
    size_t i = (size_t)rng_below(&w->rng, sizeof said / sizeof *said);
    for (size_t k = 0; k < w->n_flagged; k++) {
        again = again || w->flagged[k] == image;
    }
    if (again || !flags) {
        return OK;
    }
    w->flagged[w->n_flagged++] = image;
    const struct flag_new flag = {.image = image, .person = s->person, .assignment = assignment,
                                  .kind = sv_of(said[i].kind), .note = sv_of(said[i].note),
                                  .most = FLAGGED_MOST};
    return flags_add(w->f->db, &flag, s->at, &added, err);
}

static enum err_code write_answer(struct show *w, const struct session *s, const struct open_grid *g,
                                  const struct crowd_answer *given, struct err *err)
{
    char client[48];
    int64_t event, leased = s->at - given->active_ms - PAUSE_MS / 2;
    struct assignment as = {.grid = g->id, .person = s->person, .place = s->place, .has_seed = true,
                            .seed = rng_u64(&w->rng) >> 11, .leased_at = leased,
                            .lease_until = leased + w->part->campaign->lease_seconds * 1000};
    snprintf(client, sizeof client, "simulated-%u-%lld", s->index + 1, (long long)g->id);
    crypto_random(as.token, sizeof as.token);
    enum err_code rc = work_assignment_create(w->f->db, &as, err);
    if (rc == OK) {
        rc = work_answer_create(w->f->db, as.id, sv_of(client), given->mask, OPTION_NONE, false, given->active_ms,
                                SV(""), s->at, &event, err);
    }
    return rc == OK ? flag_one(w, s, g, as.id, err) : rc;
}

static void mark_answered(struct board *b, struct session *s, size_t at)
{
    struct open_grid *g = &b->grids[b->order[at]];
    for (unsigned i = 0; i < g->n; i++) {
        s->seen[g->image[i] / 8] |= (unsigned char)(1u << (g->image[i] % 8));
    }
    s->answers++;
    if (++g->answers == b->k->answers_per_grid) {
        memmove(&b->order[at], &b->order[at + 1], (--b->open - at) * sizeof *b->order);
    }
}

static enum err_code end_session(struct show *w, struct session *s, enum study_outcome how,
                                 struct err *err)
{
    s->over = true;
    return studies_outcome(w->f->db, s->place, how, 0, s->at, err);
}

/* The next grid of somebody who is in it: answered at s->at plus the time that takes. */
static enum err_code work_on(struct show *w, struct session *s, struct err *err)
{
    const struct campaign *k = w->part->campaign;
    const struct truth_image *images[GRID_CELLS];
    size_t at;
    int64_t share = (int64_t)(k->max_share * (double)k->answers_per_grid * (double)w->board.n);
    if (s->answers >= k->grids_per_place || s->answers >= share || !pick(w, s, &at)) {
        return end_session(w, s, STUDY_COMPLETE, err);
    }
    if (s->index % 9 == 5 && s->answers == LEAVE_AFTER) {
        return end_session(w, s, STUDY_PARTIAL, err);
    }
    const struct open_grid *g = &w->board.grids[w->board.order[at]];
    for (unsigned i = 0; i < g->n; i++) {
        images[i] = w->board.image[g->image[i]];
    }
    struct crowd_answer given = crowd_answer(w->f->seed, s->index, g->id, g->class_index, images, g->n);
    s->at += given.active_ms + PAUSE_MS;
    if (s->at > w->part->to) {
        s->over = true; /* still at it when the server starts */
        return OK;
    }
    enum err_code rc = write_answer(w, s, g, &given, err);
    mark_answered(&w->board, s, at);
    w->answers++;
    return rc;
}

/* Who does something next; NULL when nobody does any more. */
static struct session *next_session(struct show *w)
{
    struct session *next = NULL;
    for (unsigned i = 0; i < w->part->people; i++) {
        struct session *s = &w->sessions[i];
        if (!s->over && (!next || s->at < next->at)) {
            next = s;
        }
    }
    bool enough = w->part->share < 1 && w->answers >= w->wanted; /* else all of them come to their end */
    return next && next->at <= w->part->to && !enough ? next : NULL;
}

static enum err_code step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct show *w = arg;
    struct session *s = next_session(w);
    (void)db;
    *more = s != NULL;
    if (!s) {
        return OK;
    }
    if (w->f->progress) {
        w->f->progress(w->f->arg, w->answers, w->wanted);
    }
    return s->place ? work_on(w, s, err) : join(w, s, err);
}

static void invite(struct show *w)
{
    const struct fill_part *part = w->part;
    w->sessions = xcalloc(part->people, sizeof *w->sessions);
    for (unsigned i = 0; i < part->people; i++) {
        double turn = ((double)i + rng_unit(&w->rng)) / part->people;
        w->sessions[i] = (struct session){
            .index = part->first + i,
            .at = part->from + (int64_t)(turn * (double)(part->to - part->from)),
            .seen = xcalloc(w->board.n_images / 8 + 1, 1)};
    }
}

enum err_code fill_answers(const struct fill *f, const struct fill_part *part, struct err *err)
{
    struct show w = {.f = f, .part = part, .board = {.f = f, .k = part->campaign}};
    rng_seed(&w.rng, f->seed ^ hash_u64((uint64_t)part->campaign->id));
    enum err_code rc = board_open(&w.board, err);
    if (rc == OK) {
        double all = (double)w.board.n * (double)part->campaign->answers_per_grid;
        w.wanted = (uint64_t)(all * part->share);
        invite(&w);
        rc = bulk_write(f->db, true, step, &w, err);
        for (unsigned i = 0; i < part->people; i++) {
            free(w.sessions[i].seen);
        }
    }
    free(w.sessions);
    board_close(&w.board);
    return rc;
}
