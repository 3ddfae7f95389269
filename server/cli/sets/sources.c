/* sources.c - `holdout set sources|choose`: which predictions score the models on a revision,
 * what other sources say about the same images, and the decision for another source. The rule is
 * that of measures/scores/score_fold.h. */
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "formats/csv.h"
#include "measures/scores/model_scores.h"
#include "store/classes/classes.h"
#include "store/sets/score_pins.h"

#define OUT_MOST ((size_t)1 << 24)

struct sources_list {
    struct cli *cli;
    struct revision_row r;
    struct model_scores *scores;
    struct model_row *models; /* by name */
    size_t n_models;
    struct str out;
};

static enum err_code open_list(struct sources_list *l, const char *model)
{
    struct cli *cli = l->cli;
    enum err_code rc = revisions_find(cli->db, sv_of(cli->args[1]), &cli->arena, &l->r, &cli->err);
    rc = rc == OK ? revision_may_be_scored(&l->r, &cli->err) : rc;
    if (rc == OK && model) {
        l->models = arena_calloc(&cli->arena, 1, sizeof *l->models);
        l->n_models = 1;
        return models_find(cli->db, sv_of(model), &cli->arena, l->models, &cli->err);
    }
    return rc == OK ? models_list(cli->db, false, &cli->arena, &l->models, &l->n_models, &cli->err)
                    : rc;
}

/* ---- sources ---- */

static const struct prediction_source *source_named(const struct prediction_source *list, size_t n,
                                                    int64_t id)
{
    size_t i = 0;
    while (i < n && list[i].id != id) {
        i++;
    }
    return i < n ? &list[i] : NULL;
}

static size_t differing(const struct source_difference *list, size_t n, int64_t source)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        found += list[i].source == source;
    }
    return found;
}

static enum err_code add_sources(struct sources_list *l, const struct model_row *m, struct arena *a)
{
    struct cli *cli = l->cli;
    struct source_score *list;
    struct source_difference *differ = NULL;
    struct prediction_source *all;
    size_t n = 0, n_all = 0, n_differ = 0;
    enum err_code rc =
        model_scores_sources(l->scores, cli->db, &l->r, m->id, a, &list, &n, &cli->err);
    rc = rc == OK ? predictions_sources(cli->db, m->id, a, &all, &n_all, &cli->err) : rc;
    if (rc == OK && n > 1) {
        rc = model_scores_differences(l->scores, cli->db, &l->r, m->id, 0, a, &differ, &n_differ,
                                      &cli->err);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct source_score *s = &list[i];
        const struct prediction_source *p = source_named(all, n_all, s->source);
        str_printf(&l->out, SV_FMT ",%" PRId64 "," SV_FMT ",", SV_ARG(m->name), s->source,
                   SV_ARG(p ? p->kind : SV("")));
        csv_cell(&l->out, p ? p->engine : SV(""));
        str_printf(&l->out, ",%u,%u,%u,", s->predicted, s->counted, s->top1);
        if (s->k >= PREDICTION_K) {
            str_printf(&l->out, "%u", s->topk);
        }
        str_printf(&l->out, ",%zu,%s\n", differing(differ, n_differ, s->source),
                   s->decided ? "yes" : "no");
        rc = export_flush(&l->out, &cli->err);
    }
    return rc;
}

/* ---- differences ---- */

struct names {
    struct sv *of; /* by position */
    size_t n;
    struct arena *a;
};

static enum err_code keep_name(void *arg, const struct revision_name *m, struct err *err)
{
    struct names *n = arg;
    (void)err;
    if ((size_t)m->position < n->n) {
        n->of[m->position] = arena_sv(n->a, m->name);
    }
    return OK;
}

static struct sv wnid_of(const struct class_info *classes, const struct map_u64 *by_cid, uint16_t cid)
{
    uint32_t at = map_u64_get(by_cid, cid);
    return at == MAP_NONE ? SV("") : classes[at].wnid;
}

static enum err_code add_differences(struct sources_list *l, const struct model_row *m,
                                     struct arena *a)
{
    struct cli *cli = l->cli;
    struct source_difference *list;
    struct class_info *classes;
    struct map_u64 by_cid;
    size_t n = 0, n_classes = 0;
    struct names names = {.n = (size_t)l->r.images, .a = a};
    enum err_code rc = model_scores_differences(l->scores, cli->db, &l->r, m->id, 0, a, &list, &n,
                                                &cli->err);
    names.of = arena_calloc(a, names.n + 1, sizeof *names.of);
    rc = rc == OK && n ? revision_images_named(cli->db, l->r.id, keep_name, &names, &cli->err) : rc;
    rc = rc == OK ? classes_list(cli->db, a, &classes, &n_classes, &cli->err) : rc;
    map_u64_init(&by_cid);
    for (size_t i = 0; i < n_classes && rc == OK; i++) {
        map_u64_put(&by_cid, (uint64_t)classes[i].cid, (uint32_t)i);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct source_difference *d = &list[i];
        csv_cell(&l->out, names.of[d->position]);
        str_printf(&l->out, "," SV_FMT ",%" PRId64 "," SV_FMT ",%" PRId64 "," SV_FMT "\n",
                   SV_ARG(m->name), d->counts.source,
                   SV_ARG(wnid_of(classes, &by_cid, d->counts.p.labels[0])), d->source,
                   SV_ARG(wnid_of(classes, &by_cid, d->other.labels[0])));
        rc = export_flush(&l->out, &cli->err);
    }
    map_u64_release(&by_cid);
    return rc;
}

enum err_code cmd_set_sources(struct cli *cli)
{
    struct sources_list l = {.cli = cli};
    bool differences = cli_has(cli, "differences");
    enum err_code rc = open_list(&l, cli_opt(cli, "model"));
    l.scores = model_scores_new();
    str_init(&l.out, OUT_MOST);
    str_addz(&l.out, differences
                         ? "image,model,counted_source,counted_label,other_source,other_label\n"
                         : "model,source,kind,made_by,images,counted,top1_correct,top5_correct,"
                           "differs,chosen\n");
    for (size_t i = 0; i < l.n_models && rc == OK; i++) {
        struct arena a;
        arena_init(&a, (size_t)1 << 31);
        rc = differences ? add_differences(&l, &l.models[i], &a) : add_sources(&l, &l.models[i], &a);
        arena_release(&a);
    }
    rc = export_end(&l.out, rc, &cli->err);
    model_scores_free(l.scores);
    return rc;
}

/* ---- choose ---- */

/* The source must have predictions about the revision, or the model would have no score. */
static enum err_code check_source(struct sources_list *l, int64_t source)
{
    struct cli *cli = l->cli;
    struct source_score *list;
    size_t n = 0, i = 0;
    enum err_code rc = model_scores_sources(l->scores, cli->db, &l->r, l->models->id, &cli->arena,
                                            &list, &n, &cli->err);
    while (i < n && list[i].source != source) {
        i++;
    }
    return rc != OK || i < n
               ? rc
               : err_rule(&cli->err, ERR_NOT_FOUND, "score-source",
                          "The model " SV_FMT " has no source %" PRId64 " of predictions about " SV_FMT "/%"
                          PRId64 ". Nothing was changed; `holdout set sources` lists the ones it has.",
                          SV_ARG(l->models->name), source, SV_ARG(l->r.set), l->r.number);
}

static enum err_code write_choice(struct sources_list *l, int64_t source, struct sv reason)
{
    struct cli *cli = l->cli;
    int64_t now = clock_wall_ms(), model = l->models->id;
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = source
             ? score_decision_add(cli->db, l->r.id, model, source, reason, 0, now, &cli->err)
             : score_decision_undo(cli->db, l->r.id, model, reason, 0, now, &cli->err);
    if (rc == OK && !cli->dry_run) {
        rc = db_tx_commit(cli->db, &cli->err);
    }
    db_tx_rollback(cli->db); /* does nothing after a commit */
    return rc;
}

static const struct model_score *score_of(const struct model_score *list, size_t n, int64_t model)
{
    size_t i = 0;
    while (i < n && list[i].model != model) {
        i++;
    }
    return i < n ? &list[i] : NULL;
}

/* What counts now, for whoever decided. */
static enum err_code note_choice(struct sources_list *l)
{
    struct cli *cli = l->cli;
    struct model_score *list;
    size_t n = 0;
    enum err_code rc =
        model_scores_of(l->scores, cli->db, &l->r, NULL, &cli->arena, &list, &n, &cli->err);
    const struct model_score *s = rc == OK ? score_of(list, n, l->models->id) : NULL;
    if (s) {
        cli_note(cli,
                 SV_FMT "/%" PRId64 ": source %" PRId64 " scores " SV_FMT
                        ", %u of %u right at top-1%s.",
                 SV_ARG(l->r.set), l->r.number, s->source, SV_ARG(l->models->name), s->top1,
                 s->predicted, cli->dry_run ? " (dry run: nothing was changed)" : "");
    }
    return rc;
}

enum err_code cmd_set_choose(struct cli *cli)
{
    struct sources_list l = {.cli = cli};
    const char *reason = cli_opt(cli, "reason");
    bool undo = cli_has(cli, "undo");
    int64_t source = 0;
    if (!reason || !*reason) {
        return cli_usage(cli, "--reason is missing: it is kept in the history");
    }
    if (undo ? cli->n_args != 3
             : cli->n_args != 4 || !sv_i64(sv_of(cli->args[3]), &source) || source < 1) {
        return cli_usage(cli, "give the number of a source, or --undo");
    }
    l.scores = model_scores_new();
    enum err_code rc = open_list(&l, cli->args[2]);
    rc = rc == OK && !undo ? check_source(&l, source) : rc;
    rc = rc == OK ? write_choice(&l, source, sv_of(reason)) : rc;
    rc = rc == OK ? note_choice(&l) : rc;
    model_scores_free(l.scores);
    return rc;
}
