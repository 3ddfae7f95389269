/* score.c - `holdout score`: how models do on the originals and on a new set, as the paper's
 * tables have it, or on one set alone. CSV on standard output is the table and nothing else, with
 * --common the gap on common classes and intervals too; --format makes Markdown or LaTeX of it. --json has all of
 * that, and says beside it what it was made of: program, event, digests of both sets, engines. Every revision of a
 * set: score_revisions.c; parts of a set: score_by.c. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/score_by.h"
#include "cli/models/score_revisions.h"
#include "cli/models/set_data.h"
#include "cli/models/text_notes.h"
#include "json/object.h"
#include "measures/scores/gap.h"
#include "measures/scores/model_gaps.h"
#include "measures/scores/pair_table.h"
#include "measures/scores/score_alone.h"
#include "measures/scores/score_sheet.h"
#include "sets/revisions/made_of.h"
#include "stats/binomial.h"
#include "store/operate/health.h"

#define OUT_MOST ((size_t)1 << 26)
enum { SEED_BITS = 53 }; /* JSON keeps these exactly */

struct score_run {
    struct cli *cli;
    struct model_scores *cache;
    struct scored_set original, fresh; /* fresh: the new set, or the only one */
    struct subset subset, fresh_subset;
    bool pair, common, summary;
    const struct score_level *level;
    const struct score_format *format;
    int top, fresh_top;
    uint64_t seed;
    struct model_row *models; /* by name */
    size_t n_models;
    int64_t event; /* newest of the moment that was looked at */
    struct pair_table table;
    struct model_gaps_found gaps; /* by line; where they are printed */
    json_t *left_out; /* [{model, reason}] */
};

/* ---- which sets, which models ---- */

static enum err_code read_set(struct score_run *s, const char *name, const struct subset *subset, struct scored_set *out)
{
    struct cli *cli = s->cli;
    enum err_code rc = scored_set_read(s->cache, cli->db, sv_of(name), subset, &cli->arena, out, &cli->err);
    if (rc == OK) {
        set_note_unsealed(cli, &out->r);
    }
    return rc;
}

static void leave_out(struct score_run *s, const struct model_row *m, const char *why)
{
    cli_note(s->cli, "Left out: " SV_FMT " (%s).", SV_ARG(m->name), why);
    object_add(s->left_out, field_sv("model", m->name), field_text("reason", why));
}

static void note_mixed(const struct score_run *s, const struct scored_set *set)
{
    size_t mixed = 0;
    for (size_t i = 0; i < set->n; i++) {
        mixed += set->scores[i].sources > 1;
    }
    if (mixed) {
        cli_note(s->cli,
                 "Predictions of %zu model%s about " SV_FMT " were not all made in the same way (see "
                 "`--json`).",
                 mixed, mixed == 1 ? "" : "s", SV_ARG(set->r.set));
    }
}

/* ---- two sets ---- */

static void make_table(struct score_run *s)
{
    pair_table_make(&s->original, &s->fresh, s->models, s->n_models, (const int[]){s->top, s->fresh_top}, s->level, &s->cli->arena, &s->table);
    for (size_t i = 0; i < s->table.n_left; i++) {
        leave_out(s, s->table.left[i].model, s->table.left[i].why);
    }
}

static enum err_code make_gaps(struct score_run *s, struct model_scores *cache)
{
    struct cli *cli = s->cli;
    const struct model_gaps_ask ask = {.original = &s->original.r,
                                       .fresh = &s->fresh.r,
                                       .subset = &s->subset,
                                       .fresh_subset = &s->fresh_subset,
                                       .top = s->top,
                                       .fresh_top = s->fresh_top,
                                       .models = s->table.models,
                                       .n = s->table.n,
                                       .level = s->level,
                                       .seed = s->seed,
                                       .wait = true};
    struct model_gaps *gaps = model_gaps_new();
    enum err_code rc =
        model_gaps_of(gaps, cache, cli->db, &ask, &cli->arena, &s->gaps, &cli->err);
    model_gaps_free(gaps);
    return rc;
}

/* ---- reading ---- */

static enum err_code read_all(struct score_run *s, const char *original, const char *fresh,
                              struct model_scores *cache)
{
    struct cli *cli = s->cli;
    int64_t schema = 0;
    enum err_code rc = health_moment(cli->db, &s->event, &schema, &cli->err);
    rc = rc == OK ? subset_option(cli, &s->subset) : rc;
    rc = rc == OK ? subset_option_new(cli, &s->fresh_subset) : rc;
    rc = rc == OK && s->pair ? read_set(s, original, &s->subset, &s->original) : rc;
    rc = rc == OK ? read_set(s, fresh, s->pair ? &s->fresh_subset : &s->subset, &s->fresh) : rc;
    rc = rc == OK ? models_list(cli->db, false, &cli->arena, &s->models, &s->n_models, &cli->err)
                  : rc;
    if (rc == OK && s->pair) {
        make_table(s);
        rc = s->common || cli->json ? make_gaps(s, cache) : OK;
    }
    return rc;
}

static enum err_code read_sets(struct score_run *s, const char *original, const char *fresh)
{
    enum err_code rc = db_snapshot(s->cli->db, &s->cli->err);
    if (rc == OK) {
        rc = read_all(s, original, fresh, s->cache);
        db_snapshot_end(s->cli->db);
    }
    return rc;
}

/* ---- one set ---- */

struct alone {
    const struct model_row *model;
    const struct model_score *score;
    int top;
};

static int by_right(const void *a, const void *b)
{
    const struct alone *x = a, *y = b;
    uint32_t p = model_score_right(x->score, x->top), q = model_score_right(y->score, y->top);
    return p != q ? (p < q) - (p > q) : sv_cmp(x->model->name, y->model->name);
}

static struct alone *make_list(struct score_run *s, size_t *n)
{
    struct alone *list = arena_calloc(&s->cli->arena, s->n_models + 1, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < s->n_models; i++) {
        const struct model_score *m = scored_set_find(&s->fresh, s->models[i].id);
        const char *why = scored_set_lacks(&s->fresh, s->models[i].id, s->top, &s->cli->arena);
        if (why) {
            leave_out(s, &s->models[i], why);
        } else {
            list[(*n)++] = (struct alone){&s->models[i], m, s->top};
        }
    }
    if (*n) {
        qsort(list, *n, sizeof *list, by_right);
    }
    return list;
}

/* ---- JSON ---- */

static json_t *json_sv(struct sv v)
{
    return json_stringn(v.p, v.n);
}

static json_t *json_side(uint32_t k, uint32_t n, double acc, double lo, double hi, uint32_t rank)
{
    return object(field_int("correct", k), field_int("n", n), field_real("acc", acc),
                  field_real("lo", lo), field_real("hi", hi), field_int("rank", rank));
}

static json_t *json_line(const struct score_line *l)
{
    const struct score_counts *c = &l->counts;
    return object(field_text("model", c->model),
                  field_json("original", json_side(c->orig_correct, c->orig_n, l->orig_acc,
                                                   l->orig_lo, l->orig_hi, l->orig_rank)),
                  field_json("new", json_side(c->new_correct, c->new_n, l->new_acc, l->new_lo,
                                              l->new_hi, l->new_rank)),
                  field_real("gap", l->gap), field_int("delta_rank", l->delta_rank));
}

static json_t *json_alone(const struct alone *m, uint32_t rank, double alpha)
{
    json_t *o = object(field_json("model", json_sv(m->model->name)));
    for (int top = 1; top <= m->score->k && top <= 5; top += 4) {
        uint32_t k = model_score_right(m->score, top), n = m->score->images;
        struct interval ci = binomial_clopper_pearson(k, n, alpha);
        json_object_set_new(o, top == 1 ? "top1" : "top5",
                            json_side(k, n, 100 * ((double)k / n), 100 * ci.lo, 100 * ci.hi, rank));
    }
    return o;
}

static enum err_code add_model(struct score_run *s, json_t *list, json_t *line, int64_t model)
{
    struct cli *cli = s->cli;
    const struct made_of_ask ask = {.model = model, .fresh = &s->fresh.r, .original = s->pair ? &s->original.r : NULL};
    enum err_code rc = made_of_add(line, s->cache, cli->db, &ask, &cli->arena, &cli->err);
    json_array_append_new(list, line);
    return rc;
}

static enum err_code print_json(struct score_run *s, const struct alone *list, size_t n)
{
    json_t *models = json_array();
    enum err_code rc = OK;
    for (size_t i = 0; i < s->table.n && rc == OK; i++) {
        json_t *line = json_line(&s->table.lines[i]);
        gap_data_add(line, &s->gaps, i);
        rc = add_model(s, models, line, s->table.models[i]);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = add_model(s, models, json_alone(&list[i], (uint32_t)i + 1, s->level->alpha), list[i].model->id);
    }
    json_t *texts = json_array();
    rc = rc == OK && s->pair ? text_notes_json(s->cli, s->cache, &s->original.r, texts) : rc;
    rc = rc == OK && !(s->pair && s->original.r.id == s->fresh.r.id) ? text_notes_json(s->cli, s->cache, &s->fresh.r, texts) : rc;
    json_t *all =
        object(field_text("tool", "holdout " HOLDOUT_VERSION), field_int("as_of_event", s->event),
               field_int("top", s->top), field_sv("subset", s->subset.name), field_sv("labels", s->subset.labels.name), field_sv("new_labels", s->pair ? s->fresh_subset.labels.name : SV("")),
               field_text("interval", "Clopper-Pearson"), field_real("alpha", s->level->alpha), field_json("models", models),
               field_json("left_out", json_incref(s->left_out)), field_json("texts", texts));
    if (s->pair) {
        const struct score_summary summary = score_summarise(s->table.lines, s->table.n);
        json_object_set_new(all, "gaps", gap_data_about(&s->gaps));
        json_object_set_new(all, "summary", record_json(&score_summary_record, &summary));
        json_object_set_new(all, "original", set_data(&s->original.r));
        json_object_set_new(all, "new_subset", json_string(arena_cstr(&s->cli->arena, s->fresh_subset.name)));
        json_object_set_new(all, "new_top", json_integer(s->fresh_top));
    }
    json_object_set_new(all, s->pair ? "new" : "set", set_data(&s->fresh.r));
    if (rc == OK && (json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) != 0 ||
                     putchar('\n') == EOF)) {
        rc = err_set(&s->cli->err, ERR_IO, "cannot write the output");
    }
    json_decref(all);
    return rc;
}

static const char *title(struct score_run *s, const struct revision_row *r)
{
    return arena_printf(&s->cli->arena, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number);
}

static void print_sheet(struct score_run *s, struct str *out)
{
    const struct score_sheet sheet = {.original = title(s, &s->original.r),
                                      .fresh = title(s, &s->fresh.r),
                                      .right = score_right_words(s->top, s->fresh_top, &s->cli->arena),
                                      .part = subset_title(&s->subset, &s->fresh_subset, &s->cli->arena),
                                      .level = s->level,
                                      .lines = s->table.lines,
                                      .n = s->table.n,
                                      .gaps = s->common ? &s->gaps : NULL,
                                      .summary = s->summary};
    score_sheet_write(&sheet, s->format->as, out);
}

/* What is right, of one set. */
static const char *right_text(const struct score_run *s)
{
    const struct label_pick *labels = &s->subset.labels;
    return label_pick_is_set(labels)
               ? arena_printf(&s->cli->arena, "top-%d", s->top)
               : arena_printf(&s->cli->arena, "top-%d by the labels of " SV_FMT, s->top, SV_ARG(labels->name));
}

static void print_alone(struct score_run *s, const struct alone *list, size_t n, struct str *out)
{
    struct arena *a = &s->cli->arena;
    struct score_alone *rows = arena_calloc(a, n + 1, sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        rows[i] = score_alone((uint32_t)i + 1, list[i].model->name, list[i].score, s->level);
    }
    const char *about = arena_printf(a, "Accuracy in percent on %s%s%s%s, with %s Clopper-Pearson intervals; ranks by %s.",
                                     title(s, &s->fresh.r), n ? arena_printf(a, " (%u images)", rows[0].n) : "",
                                     s->subset.name.n ? ", " : "", s->subset.name.n ? s->subset.label : "", s->level->label,
                                     right_text(s));
    score_alone_write(rows, n, about, s->format->as, out);
}

static enum err_code print(struct score_run *s)
{
    size_t n = 0;
    struct alone *list = NULL;
    struct str out;
    if (s->pair) {
        note_mixed(s, &s->original);
    } else {
        list = make_list(s, &n);
    }
    note_mixed(s, &s->fresh);
    if (s->table.n == 0 && n == 0) {
        cli_note(s->cli, "No model has predictions about all of the images%s: make them with `holdout predict` or import them with "
                         "`holdout import predictions`.",
                 subset_is_all(&s->subset) ? "" : ", or none of its images is in the subset");
    }
    if (s->cli->json) {
        return print_json(s, list, n);
    }
    str_init(&out, OUT_MOST);
    if (s->pair) {
        print_sheet(s, &out);
    } else {
        print_alone(s, list, n, &out);
    }
    return export_end(&out, OK, &s->cli->err);
}

/* ---- parts, every revision of one set ---- */

static enum err_code by_revision(struct cli *cli, const char *set)
{
    if (!cli_has(cli, "revisions")) {
        return cli_usage(cli, "--model is for --by and --revisions");
    }
    if (!set || cli_has(cli, "common") || cli_has(cli, "seed") || cli_has(cli, "top") || cli_has(cli, "level") ||
        cli_has(cli, "summary") || cli_has(cli, "new-top") || cli_has(cli, "new-subset")) {
        return cli_usage(cli, "--revisions is about one --set, at top-1 and top-5, without options of the table of two sets");
    }
    const struct score_format *format = score_format_named(cli_opt(cli, "format"));
    return format ? score_revisions(cli, set, format->as) : cli_usage(cli, "--format must be csv, markdown or latex");
}

/* How the table is to look. */
static enum err_code read_looks(struct score_run *s)
{
    struct cli *cli = s->cli;
    const char *format = cli_opt(cli, "format"), *level = cli_opt(cli, "level");
    s->format = score_format_named(format);
    s->level = score_level_named(sv_of(level ? level : ""));
    s->summary = cli_has(cli, "summary");
    return !s->format ? cli_usage(cli, "--format must be csv, markdown or latex")
           : !s->level      ? cli_usage(cli, "--level must be 0.95 or 0.995")
           : format && cli->json ? cli_usage(cli, "--format and --json are two ways to print: give one")
           : s->summary && (!s->pair || cli->json)
               ? cli_usage(cli, "--summary is about the table of two sets: give --original and --new, without --json")
               : OK;
}

static enum err_code by_parts(struct cli *cli, const char *original, const char *fresh, int top)
{
    if (cli_has(cli, "common") || cli_has(cli, "seed") || cli_has(cli, "revisions") || cli_has(cli, "format") ||
        cli_has(cli, "level") || cli_has(cli, "summary") || cli_has(cli, "new-top") || cli_has(cli, "new-subset")) {
        return cli_usage(cli, "--by is without --revisions and options of the table of two sets");
    }
    return score_by(cli, original, fresh, top);
}

/* How much of the answers in words stands for no class: it counts as wrong, so it is said beside the table. */
static enum err_code note_texts(const struct score_run *s)
{
    enum err_code rc = s->pair ? text_notes(s->cli, s->cache, &s->original.r, 0) : OK;
    return rc == OK && !(s->pair && s->original.r.id == s->fresh.r.id) ? text_notes(s->cli, s->cache, &s->fresh.r, 0) : rc;
}

enum err_code cmd_score(struct cli *cli)
{
    struct score_run s = {.cli = cli};
    const char *original = cli_opt(cli, "original"), *fresh = cli_opt(cli, "new");
    const char *only = cli_opt(cli, "set");
    int64_t seed = GAP_SEED;
    enum err_code rc = top_options(cli, &s.top, &s.fresh_top);
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << SEED_BITS, GAP_SEED, &seed) : rc;
    if (rc != OK) {
        return rc;
    }
    if (only ? original || fresh : !original && !fresh) {
        return cli_usage(cli, "give --original and --new, or one --set");
    }
    if (cli_has(cli, "by")) {
        return by_parts(cli, original, fresh ? fresh : only, s.top);
    }
    if (cli_has(cli, "chance")) {
        return cli_usage(cli, "--chance is for --by class");
    }
    if (cli_has(cli, "revisions") || cli_has(cli, "model")) {
        return by_revision(cli, only);
    }
    s.pair = original && fresh;
    s.common = cli_opt(cli, "common") != NULL;
    s.seed = (uint64_t)seed;
    if ((cli_has(cli, "new-labels") || cli_has(cli, "new-subset") || cli_has(cli, "new-top")) && !s.pair) {
        return cli_usage(cli, "--new-subset, --new-labels and --new-top are for the new set of a pair: give --original and --new");
    }
    if (s.common && !s.pair) {
        return cli_usage(cli, "--common compares two sets: give --original and --new");
    }
    if (cli_opt(cli, "seed") && !s.common && !(s.pair && cli->json)) {
        return cli_usage(cli, "--seed is for the intervals: give --common or --json, and two sets");
    }
    rc = read_looks(&s);
    if (rc != OK) {
        return rc;
    }
    s.left_out = json_array();
    s.cache = model_scores_new();
    rc = read_sets(&s, original, fresh ? fresh : original ? original : only);
    rc = rc == OK ? print(&s) : rc;
    rc = rc == OK && !cli->quiet ? note_texts(&s) : rc;
    model_scores_free(s.cache);
    json_decref(s.left_out);
    return rc;
}
