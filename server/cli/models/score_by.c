/* score_by.c - reads which sets and models are asked for, counts them class by class, by a statistic or people against models, prints the rows as CSV, or with
 * --json as records. */
#include "cli/models/score_by.h"

#include <jansson.h>
#include <stdio.h>

#include "cli/core/table.h"
#include "cli/models/set_data.h"
#include "json/object.h"
#include "measures/images/by_class_rows.h"
#include "measures/images/by_statistic.h"
#include "measures/people/people_gap_rows.h"
#include "measures/scores/model_pair.h"

#define OUT_MOST ((size_t)1 << 28)

struct by_run {
    struct cli *cli;
    struct model_scores *cache;
    const char *names[BY_CLASS_SETS]; /* as they were asked for */
    struct scored_set sets[BY_CLASS_SETS];
    struct sv titles[BY_CLASS_SETS];
    struct subset subset, fresh_subset;
    int top;
    double level;
    enum image_statistic which; /* IMAGE_STATISTICS: by class */
    int64_t *models;
    struct sv *model_names;
    json_t *counted, *left_out; /* names; [{model, reason}] */
    size_t n_models;
};

/* ---- what it is about ---- */

static enum err_code read_sets(struct by_run *s)
{
    struct cli *cli = s->cli;
    enum err_code rc = OK;
    for (int i = 0; i < BY_CLASS_SETS && rc == OK; i++) {
        struct scored_set *set = &s->sets[i];
        rc = s->names[i] ? scored_set_read(s->cache, cli->db, sv_of(s->names[i]), i ? &s->fresh_subset : &s->subset, &cli->arena, set, &cli->err) : OK;
        if (rc == OK && s->names[i]) {
            s->titles[i] = sv_of(arena_printf(&cli->arena, SV_FMT "/%lld", SV_ARG(set->r.set), (long long)set->r.number));
            set_note_unsealed(cli, &set->r);
        }
    }
    return rc;
}

static const char *lacks(const struct by_run *s, int64_t model)
{
    const char *why = NULL;
    for (int i = 0; i < BY_CLASS_SETS && !why; i++) {
        why = s->names[i] ? scored_set_lacks(&s->sets[i], model, s->top, &s->cli->arena) : NULL;
    }
    return why;
}

static enum err_code choose_models(struct by_run *s)
{
    struct cli *cli = s->cli;
    const char *named = cli_opt(cli, "model");
    struct model_row *list;
    size_t n = 0;
    enum err_code rc = models_named(cli->db, sv_of(named ? named : ""), &cli->arena, &list, &n, &cli->err);
    s->models = arena_calloc(&cli->arena, n + 1, sizeof *s->models);
    s->model_names = arena_calloc(&cli->arena, n + 1, sizeof *s->model_names);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const char *why = lacks(s, list[i].id);
        if (why) {
            cli_note(cli, "Left out: " SV_FMT " (%s).", SV_ARG(list[i].name), why);
            object_add(s->left_out, field_sv("model", list[i].name), field_text("reason", why));
        } else {
            s->model_names[s->n_models] = list[i].name;
            s->models[s->n_models++] = list[i].id;
            json_array_append_new(s->counted, json_stringn(list[i].name.p, list[i].name.n));
        }
    }
    return rc;
}

static enum err_code read_all(struct by_run *s)
{
    enum err_code rc = subset_option(s->cli, &s->subset);
    rc = rc == OK ? subset_option_new(s->cli, &s->fresh_subset) : rc;
    rc = rc == OK ? read_sets(s) : rc;
    return rc == OK ? choose_models(s) : rc;
}

/* ---- what is printed ---- */

static enum err_code print_json(const struct by_run *s, const char *name, json_t *rows)
{
    json_t *all = object(field_text("tool", "holdout " HOLDOUT_VERSION), field_int("top", s->top), field_sv("subset", s->subset.name),
                         field_sv("labels", s->subset.labels.name), field_sv("new_labels", s->fresh_subset.labels.name),
                         field_json("models", json_incref(s->counted)), field_json("left_out", json_incref(s->left_out)));
    json_object_set_new(all, name, rows);
    bool written = rows && json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    return written ? OK : err_set(&s->cli->err, ERR_IO, "cannot write the output");
}

static enum err_code print_csv(struct by_run *s, const struct record *record, const void *rows, size_t n)
{
    struct str out;
    str_init(&out, OUT_MOST);
    record_csv_names(record, &out);
    str_addc(&out, '\n');
    for (size_t i = 0; i < n; i++) {
        record_csv_cells(record, (const char *)rows + i * record->size, &out);
        str_addc(&out, '\n');
    }
    return export_end(&out, OK, &s->cli->err);
}

/* ---- by class ---- */

static void note_classes(const struct by_run *s, const struct by_class_list *list)
{
    uint32_t sealed = list->original.sealed + list->fresh.sealed;
    if (sealed) {
        cli_note(s->cli, "%u image%s that a sealed set has are in no class.", sealed, sealed == 1 ? "" : "s");
    }
    if (list->tested) {
        cli_note(s->cli, "%zu of %zu classes stand out: at most %g %% of these by chance.", list->discovered, list->tested,
                 100 * list->level);
    }
}

static enum err_code by_class(struct by_run *s)
{
    struct cli *cli = s->cli;
    struct by_class found;
    struct by_class_ask ask = {.subset = &s->subset, .fresh_subset = &s->fresh_subset, .models = s->models, .n_models = s->n_models, .top = s->top, .level = s->level};
    enum err_code rc = read_all(s);
    ask.models = s->models;
    ask.n_models = s->n_models;
    for (int i = 0; i < BY_CLASS_SETS; i++) {
        ask.sets[i] = s->names[i] ? &s->sets[i].r : NULL;
    }
    rc = rc == OK ? by_class_make(s->cache, cli->db, &ask, &cli->arena, &found, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct by_class_list list = by_class_rows(&found, s->titles, &cli->arena);
    note_classes(s, &list);
    return cli->json ? print_json(s, "by_class", record_json(&by_class_list_record, &list))
                     : print_csv(s, &by_class_row_record, list.rows, list.n_rows);
}

/* ---- by a statistic ---- */

static enum err_code by_statistic(struct by_run *s)
{
    struct cli *cli = s->cli;
    struct by_statistic found;
    enum err_code rc = read_all(s);
    struct by_statistic_ask ask = {.subset = &s->subset, .models = s->models, .n_models = s->n_models, .top = s->top, .which = s->which};
    for (int i = 0; i < BY_CLASS_SETS; i++) {
        ask.sets[i] = s->names[i] ? &s->sets[i].r : NULL;
    }
    rc = rc == OK ? by_statistic_make(s->cache, cli->db, &ask, &cli->arena, &found, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    uint32_t without = found.unmeasured[0] + found.unmeasured[1], sealed = found.sealed[0] + found.sealed[1];
    if (without) {
        cli_note(cli, "%u image%s without that statistic are in no bin.", without, without == 1 ? "" : "s");
    }
    if (sealed) {
        cli_note(cli, "%u image%s that a sealed set has are in no bin.", sealed, sealed == 1 ? "" : "s");
    }
    json_t *rows = cli->json ? json_array() : NULL;
    for (size_t i = 0; i < found.n && rows; i++) {
        json_array_append_new(rows, record_json(&statistic_bin_record, &found.bins[i]));
    }
    return rows ? print_json(s, "bins", rows) : print_csv(s, &statistic_bin_record, found.bins, found.n);
}

/* ---- people against models ---- */

enum { AGREEMENT_SEED = 1 };

static void note_people(const struct by_run *s, const struct people_gap *g)
{
    for (int i = 0; i < BY_CLASS_SETS; i++) {
        const struct people_set *set = &g->on[i];
        if (s->names[i]) {
            cli_note(s->cli, SV_FMT ": %u images; all people are wrong about %u, all models about %u, everybody about %u.",
                     SV_ARG(s->titles[i]), set->images, set->people_missed, set->models_missed, set->all_missed);
        }
    }
}

static enum err_code by_people(struct by_run *s)
{
    struct cli *cli = s->cli;
    struct people_sides sides;
    struct people_gap found;
    enum err_code rc = read_all(s);
    rc = rc == OK ? people_sides_of(cli->db, s->models, s->model_names, s->n_models, &cli->arena, &sides, &cli->err) : rc;
    if (rc == OK && (sides.n_people == 0 || sides.n_models == 0)) {
        return err_set(&cli->err, ERR_INPUT, "%s has predicted all of the images: %s",
                       sides.n_people ? "no model" : "nobody of the group \"" PEOPLE_GROUP "\"",
                       sides.n_people ? "import predictions of models (`holdout import predictions`)"
                                      : "let people classify images (`holdout evaluation create`) and compare these (--subset evaluated:NAME), "
                                        "or import what they answered as predictions, one name for each person, and give these names "
                                        "the group \"" PEOPLE_GROUP "\" (`holdout import model-facts`)");
    }
    if (rc != OK) {
        return rc;
    }
    const struct people_gap_ask ask = {{s->names[0] ? &s->sets[0].r : NULL, s->names[1] ? &s->sets[1].r : NULL},
                                       {&s->subset, &s->fresh_subset}, sides.people, sides.models, sides.n_people, sides.n_models};
    rc = people_gap_make(s->cache, cli->db, &ask, AGREEMENT_SEED, &cli->arena, &found, &cli->err);
    if (rc != OK) {
        return rc;
    }
    const struct people_gap_list list = people_gap_rows(&found, &sides, s->titles, &cli->arena);
    note_people(s, &found);
    return cli->json ? print_json(s, "people", record_json(&people_gap_list_record, &list))
                     : print_csv(s, &people_gap_record, list.pairs, list.n_pairs);
}

/* ---- which ---- */

enum err_code score_by(struct cli *cli, const char *original, const char *fresh, int top)
{
    struct by_run s = {.cli = cli, .names = {original, fresh}, .top = top, .level = 0.05};
    const char *what = cli_opt(cli, "by");
    bool people = sv_is(sv_of(what), "people");
    s.which = image_statistic_of(sv_of(what));
    if (!people && !sv_is(sv_of(what), "class") && s.which == IMAGE_STATISTICS) {
        return cli_usage(cli, "--by must be class, people, pixels, bytes, sharpness, brightness or saturation");
    }
    if (people && top != 1) {
        return cli_usage(cli, "--by people compares first answers: leave --top out");
    }
    if ((people || s.which != IMAGE_STATISTICS) && cli_has(cli, "chance")) {
        return cli_usage(cli, "--chance is for --by class");
    }
    enum err_code rc = cli_opt_real(cli, "chance", 0, 1, s.level, &s.level);
    rc = rc == OK ? db_snapshot(cli->db, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    s.counted = json_array();
    s.left_out = json_array();
    s.cache = model_scores_new();
    rc = people ? by_people(&s) : s.which == IMAGE_STATISTICS ? by_class(&s) : by_statistic(&s);
    if (rc == OK && s.n_models == 0) {
        cli_note(cli, "No model has predictions about all of the images: make them with `holdout predict` or import them with "
                      "`holdout import predictions`.");
    }
    model_scores_free(s.cache);
    json_decref(s.counted);
    json_decref(s.left_out);
    db_snapshot_end(cli->db);
    return rc;
}
