/* discriminate.c - `holdout discriminate`: can a linear model tell the images of a new set from the originals? The result
 * is kept in the project, where its page finds it, and printed: fold by fold as CSV, with --images image by image, with
 * --json with everything that was counted. */
#include <jansson.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/parallel.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/discriminate_data.h"
#include "cli/models/set_data.h"
#include "jobs/report.h"

#define OUT_MOST ((size_t)1 << 28)
enum { SEED_BITS = 53, MOST = 10000, MOST_MOST = DISCRIMINATOR_IMAGES / 2, FOLDS = 5 };

struct discriminate {
    struct cli *cli;
    struct discriminate_ask ask;
    struct discriminate_data data;
    struct discriminator d;
    struct job_report report;
};

/* ---- what is asked ---- */

static enum err_code read_sources(struct discriminate *x)
{
    struct cli *cli = x->cli;
    const char *text = cli_opt(cli, "features");
    struct sv rest = sv_of(text ? text : DISCRIMINATOR_STATISTICS);
    struct str name;
    str_init(&name, DISCRIMINATOR_FEATURES);
    while (rest.p) {
        struct sv one = sv_trim(sv_cut(&rest, ','));
        if (one.n && x->ask.n_sources == DISCRIMINATE_SOURCES) {
            str_release(&name);
            return cli_usage(cli, "--features takes at most %d names", DISCRIMINATE_SOURCES);
        }
        if (one.n) {
            x->ask.sources[x->ask.n_sources++] = one;
            str_addz(&name, name.n ? "+" : "");
            str_addsv(&name, one);
        }
    }
    bool long_one = name.over;
    x->d.features = arena_sv(&cli->arena, str_sv(&name));
    str_release(&name);
    return x->ask.n_sources == 0 ? cli_usage(cli, "--features names no model")
           : long_one            ? cli_usage(cli, "the names of --features are too long together")
                                 : OK;
}

static enum err_code read_ask(struct discriminate *x)
{
    struct cli *cli = x->cli;
    int64_t folds, most;
    enum err_code rc = read_sources(x);
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << SEED_BITS, 1, &x->d.seed) : rc;
    rc = rc == OK ? cli_opt_int(cli, "folds", DISCRIMINATOR_FOLDS_LEAST, DISCRIMINATOR_FOLDS_MOST, FOLDS, &folds) : rc;
    rc = rc == OK ? cli_opt_int(cli, "most", 10, MOST_MOST, MOST, &most) : rc;
    if (rc != OK) {
        return rc;
    }
    x->d.folds = (size_t)folds;
    x->d.resamples = DISCRIMINATOR_RESAMPLES;
    x->ask.most = (size_t)most;
    rc = revisions_find(cli->db, sv_of(cli_opt(cli, "new")), &cli->arena, &x->ask.fresh, &cli->err);
    return rc == OK ? revisions_find(cli->db, sv_of(cli_opt(cli, "original")), &cli->arena, &x->ask.original, &cli->err) : rc;
}

/* ---- doing it ---- */

static void show(void *arg, const char *what, uint64_t done, uint64_t total)
{
    struct discriminate *x = arg;
    struct err err = {OK, "", ""};
    cli_progress(x->cli, what, done, total);
    if (job_report_progress(&x->report, done, total, what, &err) != OK) {
        cli_note(x->cli, "%s", err.msg); /* the work goes on: only its page stands still */
    }
}

static bool asked_to_stop(void *arg)
{
    const struct discriminate *x = arg;
    return job_report_stop(&x->report);
}

static uint8_t *make_folds(struct discriminate *x, const uint32_t *groups)
{
    struct arena *a = &x->cli->arena;
    const struct discriminate_data *data = &x->data;
    struct group_member *members = arena_calloc(a, data->n + 1, sizeof *members);
    struct rng rng;
    rng_stream(&rng, (uint64_t)x->d.seed, 1);
    for (size_t i = 0; i < data->n; i++) {
        const struct discriminate_image *one = &data->images[i];
        members[i] = (struct group_member){groups[i], 2 * one->class_at + one->fresh};
    }
    return group_folds(members, data->n, x->d.n_groups, 2 * data->n_classes, (unsigned)x->d.folds, &rng, a);
}

static enum err_code score(struct discriminate *x, const uint32_t *groups, const uint8_t *folds)
{
    struct cli *cli = x->cli;
    struct discriminate_data *data = &x->data;
    double *scores = arena_calloc(&cli->arena, data->n + 1, sizeof *scores);
    uint32_t *classes = arena_calloc(&cli->arena, data->n + 1, sizeof *classes);
    bool *fresh = arena_calloc(&cli->arena, data->n + 1, sizeof *fresh);
    const struct train_watch watch = {.progress = show, .stop = asked_to_stop, .arg = x};
    for (size_t i = 0; i < data->n; i++) {
        classes[i] = data->images[i].class_at;
        fresh[i] = data->images[i].fresh;
    }
    const struct discriminator_images s = {.n = data->n,
                                           .width = data->width,
                                           .n_classes = data->n_classes,
                                           .rows = data->rows,
                                           .classes = classes,
                                           .folds = folds,
                                           .fresh = fresh,
                                           .n_folds = (unsigned)x->d.folds,
                                           .threads = parallel_cores()};
    enum err_code rc = discriminator_score(&s, &watch, scores, x->d.lambdas, &cli->err);
    cli_progress_end(cli);
    x->d.n = data->n;
    x->d.images = arena_calloc(&cli->arena, data->n + 1, sizeof *x->d.images);
    for (size_t i = 0; i < data->n; i++) {
        x->d.images[i] = (struct discriminator_image){data->images[i].image, groups[i], folds[i], fresh[i], scores[i]};
    }
    return rc;
}

static struct sv title_of(struct cli *cli, const struct revision_row *r)
{
    return sv_of(arena_printf(&cli->arena, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number));
}

static enum err_code compute(struct discriminate *x)
{
    struct cli *cli = x->cli;
    enum err_code rc = db_snapshot(cli->db, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = read_ask(x);
    rc = rc == OK ? discriminate_data_read(cli, &x->ask, (uint64_t)x->d.seed, &x->data) : rc;
    db_snapshot_end(cli->db);
    if (rc != OK) {
        return rc;
    }
    struct group_ties *ties = arena_calloc(&cli->arena, x->data.n + 1, sizeof *ties);
    for (size_t i = 0; i < x->data.n; i++) {
        ties[i] = x->data.images[i].ties;
    }
    uint32_t *groups = group_ties_join(ties, x->data.n, &cli->arena, &x->d.n_groups);
    if (x->d.n_groups < 2 * x->d.folds) {
        return err_rule(&cli->err, ERR_INPUT, "discriminator-groups",
                        "The images come from %zu uploaders and sources; %zu folds need %zu. Use fewer folds or more images",
                        x->d.n_groups, x->d.folds, 2 * x->d.folds);
    }
    return score(x, groups, make_folds(x, groups));
}

static enum err_code keep(struct discriminate *x)
{
    struct cli *cli = x->cli;
    struct discriminator *d = &x->d;
    d->set = title_of(cli, &x->ask.fresh);
    d->original = title_of(cli, &x->ask.original);
    d->set_id = x->ask.fresh.id;
    d->original_id = x->ask.original.id;
    d->at = clock_wall_ms();
    d->in_both = x->data.in_both;
    d->without_features = x->data.without_features;
    d->sealed = x->data.sealed;
    d->surplus = x->data.surplus;
    d->unknown = x->data.unknown;
    discriminator_count(d, d->resamples, &cli->arena);
    return cli->dry_run ? OK : discriminator_write(d, cli->dir, &cli->arena, &cli->err);
}

/* ---- saying it ---- */

static enum err_code print_json(const struct discriminate *x)
{
    json_t *all = record_json(&discriminator_record, &x->d);
    BUG_IF(!all);
    bool written = json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    return written ? OK : err_set(&x->cli->err, ERR_IO, "cannot write the output");
}

struct image_line {
    struct sv image, wnid;
    const char *set;
    int64_t fold;
    double score;
};
#define OF(member) RECORD_OF(struct image_line, member)
static RECORD(line_record, struct image_line, "discriminator_image", "The held-out score of an image.",
              {"image", OF(image), .about = "Its name."},
              {"wnid", OF(wnid), .about = "Its class."},
              {"set", OF(set), .about = "new or original."},
              {"fold", OF(fold), .about = "The fold in which it was held out, from 1."},
              {"score", OF(score), .about = "Above 0: it looks new; 1 is a usual distance from undecided."});
#undef OF

/* The most new-looking first. */
static void add_images(const struct discriminate *x, struct str *out)
{
    struct map_u64 place;
    map_u64_init(&place);
    for (size_t i = 0; i < x->data.n; i++) {
        map_u64_put(&place, (uint64_t)x->data.images[i].image, (uint32_t)i);
    }
    record_csv_names(&line_record, out);
    str_addc(out, '\n');
    for (size_t i = 0; i < x->d.n; i++) {
        const struct discriminator_image *one = &x->d.images[i];
        const struct discriminate_image *from = &x->data.images[map_u64_get(&place, (uint64_t)one->image)];
        const struct image_line line = {from->name, from->wnid, one->fresh ? "new" : "original", one->fold + 1, one->score};
        record_csv_cells(&line_record, &line, out);
        str_addc(out, '\n');
    }
    map_u64_release(&place);
}

static enum err_code print_csv(const struct discriminate *x, bool images)
{
    struct str out;
    str_init(&out, OUT_MOST);
    if (images) {
        add_images(x, &out);
        return export_end(&out, OK, &x->cli->err);
    }
    record_csv_names(&discriminator_fold_record, &out);
    str_addc(&out, '\n');
    for (size_t i = 0; i < x->d.folds; i++) {
        record_csv_cells(&discriminator_fold_record, &x->d.by_fold[i], &out);
        str_addc(&out, '\n');
    }
    return export_end(&out, OK, &x->cli->err);
}

static void tell(const struct discriminate *x)
{
    const struct cli *cli = x->cli;
    const struct discriminator *d = &x->d;
    cli_note(cli,
             "Right about %zu of %zu held-out images: %.1f %% (95 %% interval %.1f to %.1f; chance is 50), area %.3f (%.3f to %.3f), "
             "%zu groups in %zu folds, seed %lld.",
             d->all.right, d->n, 100 * d->all.accuracy, 100 * d->all.of_accuracy.lo, 100 * d->all.of_accuracy.hi, d->all.auc,
             d->all.of_auc.lo, d->all.of_auc.hi, d->n_groups, d->folds, (long long)d->seed);
    if (d->in_both + d->without_features + d->sealed + d->surplus) {
        cli_note(cli, "Left out: %u in both sets, %u without features, %u in a sealed set, %u beyond what the other set has in the class.",
                 d->in_both, d->without_features, d->sealed, d->surplus);
    }
    if (d->unknown) {
        cli_warn(cli,
                 "Of %u of the images neither uploader nor source is known: where they are of the same people, the accuracy is too high.",
                 d->unknown);
    }
}

static enum err_code discriminate(struct discriminate *x)
{
    struct cli *cli = x->cli;
    enum err_code rc = compute(x);
    rc = rc == OK ? keep(x) : rc;
    if (rc == OK) {
        set_note_unsealed(cli, &x->ask.fresh);
        tell(x);
        rc = cli->json ? print_json(x) : print_csv(x, cli_has(cli, "images"));
    }
    discriminate_data_release(&x->data);
    return rc;
}

enum err_code cmd_discriminate(struct cli *cli)
{
    struct discriminate *x = arena_calloc(&cli->arena, 1, sizeof *x);
    int64_t job = 0;
    x->cli = cli;
    if (!cli_has(cli, "new") || !cli_has(cli, "original")) {
        return cli_usage(cli, "give --original and --new");
    }
    enum err_code rc = cli_opt_int(cli, "job", 1, INT64_MAX, 0, &job);
    rc = rc == OK ? job_report_begin(&x->report, cli->db, job, &cli->err) : rc;
    if (rc == OK) {
        rc = discriminate(x);
        job_report_end(&x->report);
    }
    return rc;
}
