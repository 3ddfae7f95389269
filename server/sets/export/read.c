/* read.c - everything that an export says, read before anything is written: the images
 * in one snapshot, then their votes as the revision was made from them. */
#include "sets/export/export_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "live/votes/view_ask.h"
#include "sets/sampling/sample.h"
#include "store/images/facts.h"
#include "store/work/flags.h"

enum { DECISIONS_ARENA = 1 << 20 };
const char *const export_pixels_words[] = {"file", "none", "withheld"};

static struct sv keep(struct set_export *e, struct sv text)
{
    return text.n ? arena_sv(&e->arena, text) : SV("");
}

static enum err_code add_row(void *arg, const struct export_image *i, struct err *err)
{
    struct set_export *e = arg;
    uint32_t at = map_u64_get(&e->class_at, (uint64_t)i->class_id);
    (void)err;
    BUG_IF(at == MAP_NONE || (i->has_source && i->sha256.n != IMAGE_SHA));
    xgrow(&e->rows, &e->cap, e->n + 1, sizeof *e->rows);
    struct export_row *r = &e->rows[e->n++];
    *r = (struct export_row){.name = keep(e, i->name),
                             .wnid = e->classes[at].wnid,
                             .role = keep(e, i->role),
                             .image = (uint32_t)i->image,
                             .class_at = at,
                             .pixels = EXPORT_NO_PIXELS};
    if (map_u64_get(&e->hidden, (uint64_t)i->image) != MAP_NONE) {
        r->pixels = EXPORT_WITHHELD; /* nothing that leads to it goes out */
        return OK;
    }
    r->taken_at = keep(e, i->taken_at);
    r->source_id = keep(e, i->source_id);
    r->link = keep(e, i->link);
    r->author = keep(e, i->author);
    r->licence = keep(e, i->licence);
    r->keyword = keep(e, i->keyword);
    if (i->has_source) {
        r->pixels = EXPORT_FILE;
        memcpy(r->sha256, i->sha256.p, IMAGE_SHA);
        r->bytes = i->bytes;
        r->width = (uint32_t)i->width;
        r->height = (uint32_t)i->height;
        r->reference = i->reference.n ? arena_cstr(&e->arena, i->reference) : NULL;
        r->file = export_file_name(e, r->wnid, r->name, sv_is(i->type, "png"));
    }
    return OK;
}

static enum err_code read_classes(struct set_export *e, struct db *db, struct err *err)
{
    enum err_code rc = classes_list(db, &e->arena, &e->classes, &e->n_classes, err);
    for (size_t i = 0; i < e->n_classes && rc == OK; i++) {
        map_u64_put(&e->class_at, (uint64_t)e->classes[i].id, (uint32_t)i);
    }
    return rc;
}

static enum err_code add_hidden(void *arg, int64_t image, struct err *err)
{
    struct set_export *e = arg;
    (void)err;
    map_u64_put(&e->hidden, (uint64_t)image, 0);
    return OK;
}

/* ---- tombstones ---- */

/* When it was decided, and why; enough flags hide an image without a decision. */
static enum err_code read_tombstone(struct set_export *e, struct db *db, uint32_t row,
                                    struct export_tombstone *t, struct err *err)
{
    struct arena a;
    struct flagged f;
    struct image_decided *list;
    size_t n = 0;
    int64_t image = e->rows[row].image;
    arena_init(&a, DECISIONS_ARENA);
    enum err_code rc = flags_of_image(db, e->ask->flags_to_quarantine, image, &a, &f, err);
    rc = rc == OK ? image_facts_decisions(db, image, &a, &list, &n, err) : rc;
    if (rc == OK) {
        *t = (struct export_tombstone){.row = row,
                                       .state = keep(e, f.state),
                                       .reason = f.decided ? keep(e, f.reason) : SV(""),
                                       .at = f.decided && n ? list[0].at : 0};
    }
    arena_release(&a);
    return rc;
}

static enum err_code read_tombstones(struct set_export *e, struct db *db, struct err *err)
{
    size_t cap = 0;
    enum err_code rc = OK;
    for (size_t i = 0; i < e->n && rc == OK; i++) {
        if (e->rows[i].pixels == EXPORT_WITHHELD) {
            xgrow(&e->tombstones, &cap, e->n_tombstones + 1, sizeof *e->tombstones);
            rc = read_tombstone(e, db, (uint32_t)i, &e->tombstones[e->n_tombstones++], err);
        }
    }
    return rc;
}

/* ---- the revision ---- */

static enum err_code read_revision(struct set_export *e, struct db *db, struct err *err)
{
    const struct revision_row *r = e->ask->revision;
    e->parameters = json_loadb(r->parameters.p, r->parameters.n, 0, NULL);
    if (!json_is_object(e->parameters)) {
        return err_rule(err, ERR_BUG, "set-parameters",
                        "the parameters of a revision are not readable");
    }
    enum err_code rc = revision_facts_get(db, r->id, &e->arena, &e->facts, err);
    rc = rc == OK ? export_states(db, r->id, &e->arena, &e->states, &e->n_states, err) : rc;
    rc = rc == OK ? seal_story_read(db, r, &e->arena, &e->seal, err) : rc;
    rc = rc == OK ? review_shown_sum(db, r->id, &e->review, err) : rc;
    rc = rc == OK ? label_plans_about(db, r->id, &e->arena, &e->plans, &e->n_plans, err) : rc;
    e->plan_lines = arena_calloc(&e->arena, e->n_plans + 1, sizeof *e->plan_lines);
    for (size_t i = 0; i < e->n_plans; i++) {
        e->plan_lines[i] = label_plan_line(&e->plans[i], false, &e->arena);
    }
    if (rc == OK && r->parent) {
        rc = revisions_get(db, r->parent, &e->arena, &e->parent, err);
    }
    return rc;
}

static enum err_code read_snapshot(struct set_export *e, struct db *db, struct err *err)
{
    enum err_code rc = read_revision(e, db, err);
    rc = rc == OK ? read_classes(e, db, err) : rc;
    rc = rc == OK ? flags_hidden(db, e->ask->flags_to_quarantine, add_hidden, e, err) : rc;
    rc = rc == OK ? export_images_of_list(db, e->ask->revision->list, add_row, e, err) : rc;
    return rc == OK ? read_tombstones(e, db, err) : rc;
}

/* ---- votes ---- */

/* The average over the set, from the answers that the pool counted, and the bias that belongs beside it; a set
 * whose bias cannot be said has none. */
static enum err_code read_mean(struct set_export *e, struct db *db, struct tally *t,
                               struct err *err)
{
    const struct set_bias_ask usual = {.flags_to_quarantine = e->ask->flags_to_quarantine};
    const struct revision_row *r = e->ask->revision;
    struct set_bias bias;
    struct err own = {0};
    enum err_code rc = set_average_make(db, t, e->pool.view.id, e->pool.as_of, &r->id, 1, &e->arena,
                                        &e->mean, err);
    struct sv name = sv_of(arena_printf(&e->arena, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number));
    if (rc == OK && set_bias_make(db, t, name, &usual, &e->arena, &bias, &own) == OK) {
        e->bias = set_bias_leading(&bias);
    }
    return rc;
}

/* What kept an image out of the revision, and not what would keep it out today. */
static enum err_code read_sampled_pool(struct set_export *e, struct db *db, struct tally *t,
                                       struct err *err)
{
    struct sample_ask ask;
    struct sample_job job;
    enum err_code rc = sample_ask_of(e->ask->revision, &e->facts, &e->arena, &ask, err);
    if (rc != OK) {
        return rc;
    }
    if (!ask.pool.flags_to_quarantine) {
        ask.pool.flags_to_quarantine = e->ask->flags_to_quarantine;
    }
    rc = sample_make_pool(db, t, &ask, &job, err);
    e->pool = job.pool;
    job.pool = (struct pool){0};
    sample_release(&job);
    return rc;
}

/* As the revision counted them; one that was not sampled here: as they are now. */
static enum err_code read_votes(struct set_export *e, struct db *db, struct tally *t,
                                struct err *err)
{
    struct pool_ask now = {.flags_to_quarantine = e->ask->flags_to_quarantine};
    enum err_code rc =
        e->facts.sampled ? read_sampled_pool(e, db, t, err) : pool_load(db, t, &now, &e->pool, err);
    e->pooled = true;
    for (size_t i = 0; i < e->n && rc == OK; i++) {
        struct export_row *r = &e->rows[i];
        uint32_t at = pool_find(&e->pool, r->image);
        const struct sample_image *s = at == MAP_NONE ? NULL : &e->pool.sample[at];
        /* Votes of another label than the list's are votes on another question. */
        if (s && e->pool.classes[s->class_index].id == e->classes[r->class_at].id) {
            r->shown = s->shown;
            r->selected = s->selected;
        }
    }
    return rc;
}

enum err_code export_read(struct set_export *e, struct db *db, struct tally *t, struct err *err)
{
    enum err_code rc = db_snapshot(db, err);
    if (rc != OK) {
        return rc;
    }
    rc = read_snapshot(e, db, err);
    db_snapshot_end(db);
    rc = rc == OK ? read_votes(e, db, t, err) : rc;
    if (rc == OK) {
        rc = set_campaigns_load(db, &e->pool.view, e->pool.as_of, e->ask->revision->id, &e->arena,
                                &e->campaigns, &e->n_campaigns, err);
    }
    return rc == OK ? read_mean(e, db, t, err) : rc;
}
