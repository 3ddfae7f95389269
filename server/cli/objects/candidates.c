/* candidates.c - `holdout potential-labels`, `candidate-labels` and `valid-labels`: which labels images could have, by
 * what models say and by what people found. Reads files and no project. */
#include <string.h>

#include "cli/core/commands.h"
#include "cli/objects/label_files.h"
#include "cli/objects/print_records.h"
#include "cli/objects/thresholds.h"
#include "measures/objects/candidate_rows.h"
#include "measures/objects/valid_labels.h"

enum { TOP = 5 };

/* ---- potential labels ---- */

struct potential_run {
    struct cli *cli;
    struct label_files f;
    bool *chosen; /* models; NULL: all */
    struct printing out;
    bool histogram;
    uint32_t most;    /* labels of any image */
    uint32_t *images; /* by how many labels they have */
    uint64_t sum, n, without;
};

static enum err_code choose_models(struct potential_run *run)
{
    const char *text = cli_opt(run->cli, "models");
    struct sv rest = sv_of(text);
    run->chosen = text ? arena_calloc(&run->cli->arena, run->f.models.n + 1, sizeof *run->chosen) : NULL;
    while (text && rest.p) {
        struct sv name = sv_trim(sv_cut(&rest, ','));
        uint32_t model = names_get(&run->f.models, name);
        if (model == MAP_NONE) {
            return err_rule(&run->cli->err, ERR_INPUT, "model", "%s has no model \"" SV_FMT "\".", run->cli->args[0],
                            SV_ARG(name));
        }
        run->chosen[model] = true;
    }
    return OK;
}

/* Which of the models' answers are about the image: `said` is sorted by image. */
static size_t said_about(const struct potential_run *run, uint32_t image, size_t *at, uint32_t *labels)
{
    const struct said_row *said = run->f.said;
    size_t n = 0;
    while (*at < run->f.n_said && said[*at].image < image) {
        (*at)++;
    }
    for (; *at < run->f.n_said && said[*at].image == image; (*at)++) {
        if (!run->chosen || run->chosen[said[*at].model]) {
            labels[n++] = said[*at].label;
        }
    }
    return n;
}

static void count_potential(struct potential_run *run, size_t n)
{
    run->sum += n;
    run->n++;
    run->images[n]++;
    run->most = n > run->most ? (uint32_t)n : run->most;
}

static enum err_code print_potential(struct potential_run *run)
{
    size_t at = 0, room = run->f.models.n * LABEL_TOP_MOST + 2;
    uint32_t *said = arena_calloc(&run->cli->arena, room, sizeof *said);
    uint32_t *labels = arena_calloc(&run->cli->arena, room, sizeof *labels);
    run->images = arena_calloc(&run->cli->arena, room, sizeof *run->images);
    enum err_code rc = OK;
    printing_begin(&run->out, run->cli, run->histogram ? &image_histogram_record : &potential_record);
    for (uint32_t image = 0; image < run->f.n_about && rc == OK; image++) {
        struct about_image about = label_files_about(&run->f, image);
        size_t n = said_about(run, image, &at, said);
        run->without += about.told && n == 0;
        n = about.told ? potential_labels(about.label, said, n, labels) : 0;
        if (about.told) {
            count_potential(run, n);
        }
        if (about.told && !run->histogram) {
            struct potential_row row = {run->f.images.at[image],
                                        labels_joined(labels, n, run->f.labels.text, &run->out.scratch), (uint32_t)n};
            rc = printing_row(&run->out, &row);
        }
    }
    for (uint32_t n = 1; run->histogram && n <= run->most && rc == OK; n++) {
        struct histogram_row row = {n, run->images[n]};
        rc = printing_row(&run->out, &row);
    }
    return printing_end(&run->out, rc);
}

enum err_code cmd_potential_labels(struct cli *cli)
{
    struct potential_run run = {.cli = cli, .histogram = cli_has(cli, "histogram")};
    const char *images = cli_opt(cli, "images");
    int64_t top;
    enum err_code rc = images ? cli_opt_int(cli, "top", 1, LABEL_TOP_MOST, TOP, &top) : cli_usage(cli, "give --images");
    if (rc != OK) {
        return rc;
    }
    label_files_init(&run.f, cli);
    rc = label_files_images(&run.f, images);
    rc = rc == OK ? label_files_predictions(&run.f, cli->args[0], (uint32_t)top) : rc;
    rc = rc == OK ? choose_models(&run) : rc;
    if (rc == OK) {
        label_files_end(&run.f);
        rc = print_potential(&run);
    }
    if (rc == OK) {
        cli_note(cli, "%llu images with %.2f potential labels on average.", (unsigned long long)run.n,
                 run.n ? (double)run.sum / (double)run.n : 0);
    }
    if (rc == OK && run.without) {
        cli_warn(cli, "No model says anything about %llu of the images.", (unsigned long long)run.without);
    }
    label_files_release(&run.f);
    return rc;
}

/* ---- what people found ---- */

struct contains_run {
    struct cli *cli;
    struct label_files f;
    uint32_t tau, least, most;
    struct printing out;
    struct contains_count counts[CANDIDATE_LABELS];
    struct candidates_found found;
};

static enum err_code read_contains(struct contains_run *run)
{
    struct cli *cli = run->cli;
    const char *images = cli_opt(cli, "images");
    enum err_code rc = thresholds_read(cli, &run->tau, &run->least, &run->most);
    rc = rc == OK && images ? label_files_images(&run->f, images) : rc;
    rc = rc == OK ? label_files_contains(&run->f, cli->args[0]) : rc;
    if (rc == OK) {
        label_files_end(&run->f);
    }
    return rc;
}

/* The image whose rows begin at *at, which is moved behind them. */
static enum err_code next_image(struct contains_run *run, size_t *at, uint32_t *image, struct candidates_ask *ask)
{
    const struct contains_row *rows = run->f.contains;
    struct about_image about = label_files_about(&run->f, rows[*at].image);
    size_t n = 0;
    *image = rows[*at].image;
    if (!about.told) {
        return err_rule(&run->cli->err, ERR_INPUT, "label",
                        "Nothing says which label the set gives image " SV_FMT
                        ": the file needs a column label, or give "
                        "--images.",
                        SV_ARG(run->f.images.at[*image]));
    }
    for (; *at < run->f.n_contains && rows[*at].image == *image; (*at)++, n++) {
        if (n == CANDIDATE_LABELS) {
            return err_rule(&run->cli->err, ERR_LIMIT, "labels", "Image " SV_FMT " has more than %d labels.",
                            SV_ARG(run->f.images.at[*image]), (int)CANDIDATE_LABELS);
        }
        run->counts[n] = (struct contains_count){rows[*at].label, rows[*at].selected, rows[*at].shown};
    }
    *ask = (struct candidates_ask){about.label, run->counts, n, run->tau, run->least, run->most};
    return OK;
}

static enum err_code print_frequencies(struct contains_run *run, uint32_t image, const struct candidates_ask *ask)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < ask->n && rc == OK; i++) {
        struct contains_frequency_row row =
            contains_frequency_row(run->f.images.at[image], ask, &run->found, i, run->f.labels.text);
        rc = printing_row(&run->out, &row);
    }
    return rc;
}

static enum err_code print_candidates(struct contains_run *run)
{
    bool frequencies = cli_has(run->cli, "frequencies");
    uint64_t images[CANDIDATE_STAGES] = {0};
    struct candidates_ask ask;
    enum err_code rc = OK;
    uint32_t image = 0;
    printing_begin(&run->out, run->cli, frequencies ? &contains_frequency_record : &candidate_record);
    for (size_t at = 0; at < run->f.n_contains && rc == OK;) {
        rc = next_image(run, &at, &image, &ask);
        if (rc != OK) {
            break;
        }
        candidates_find(&ask, &run->found);
        images[run->found.stage]++;
        if (frequencies) {
            rc = print_frequencies(run, image, &ask);
            continue;
        }
        struct candidate_row row =
            candidate_row(run->f.images.at[image], &ask, &run->found, run->f.labels.text, &run->out.scratch);
        rc = printing_row(&run->out, &row);
    }
    rc = printing_end(&run->out, rc);
    for (int s = 0; s < CANDIDATE_STAGES && rc == OK; s++) {
        cli_note(run->cli, "%s: %llu images (%s).", candidate_stage_word((enum candidate_stage)s),
                 (unsigned long long)images[s], candidate_stage_about((enum candidate_stage)s));
    }
    return rc;
}

enum err_code cmd_candidate_labels(struct cli *cli)
{
    struct contains_run *run = arena_calloc(&cli->arena, 1, sizeof *run);
    run->cli = cli;
    label_files_init(&run->f, cli);
    enum err_code rc = read_contains(run);
    rc = rc == OK ? print_candidates(run) : rc;
    label_files_release(&run->f);
    return rc;
}

/* ---- how many labels are as good as the set's ---- */

struct valid_run {
    struct contains_run *c;
    bool absolute;
    struct names several; /* images by name -> 0: one object, 1: several; as `objects` wrote them */
    bool *multi;
    struct valid_counts counts;
};

/* How many objects images have, of the output of `objects`. */
static enum err_code read_objects(struct valid_run *run, const char *path)
{
    struct table_file t;
    struct cli *cli = run->c->cli;
    struct list multi = {0};
    int image = 0, column = 0;
    bool more = true;
    enum err_code rc = table_file_open(&t, cli, path);
    rc = rc == OK ? csv_need(&t.csv, "image", &image, &cli->err) : rc;
    rc = rc == OK ? csv_need(&t.csv, "num_objects", &column, &cli->err) : rc;
    while (rc == OK && (rc = table_file_next(&t, &more)) == OK && more) {
        struct sv cell = table_file_cell(&t, column);
        int64_t n = 0;
        if (cell.n == 0) {
            continue; /* too few responses */
        }
        uint32_t next = (uint32_t)run->several.n;
        if (!sv_i64(cell, &n) || n < 1) {
            rc = table_file_wrong(&t, "num_objects must be a whole number from 1");
        } else if (names_put(&run->several, table_file_cell(&t, image)) != next) {
            rc = table_file_wrong(&t, "the image has a row already");
        } else {
            *LIST_ADD(&multi, &cli->arena, bool) = n > 1;
        }
    }
    table_file_close(&t);
    run->multi = multi.items;
    return rc;
}

static void count_valid(struct valid_run *run, uint32_t image, const struct candidates_ask *ask)
{
    uint32_t known = names_get(&run->several, run->c->f.images.at[image]);
    valid_count(&run->counts, ask, known == MAP_NONE ? VALID_ALL : run->multi[known] ? VALID_MULTI : VALID_SINGLE, !run->absolute);
}

static enum err_code print_valid(struct valid_run *run)
{
    enum err_code rc = OK;
    struct candidates_ask ask;
    uint32_t image = 0;
    for (size_t at = 0; at < run->c->f.n_contains && rc == OK;) {
        rc = next_image(run->c, &at, &image, &ask);
        if (rc == OK) {
            count_valid(run, image, &ask);
        }
    }
    if (rc != OK) {
        return rc;
    }
    printing_begin(&run->c->out, run->c->cli, &valid_record);
    size_t n;
    const struct valid_row *rows = valid_rows(&run->counts, run->several.n > 0, &run->c->cli->arena, &n);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = printing_row(&run->c->out, &rows[i]);
    }
    return printing_end(&run->c->out, rc);
}

enum err_code cmd_valid_labels(struct cli *cli)
{
    struct valid_run *run = arena_calloc(&cli->arena, 1, sizeof *run);
    const char *objects = cli_opt(cli, "objects");
    run->c = arena_calloc(&cli->arena, 1, sizeof *run->c);
    run->c->cli = cli;
    run->absolute = cli_has(cli, "absolute");
    label_files_init(&run->c->f, cli);
    names_init(&run->several);
    enum err_code rc = read_contains(run->c);
    rc = rc == OK && objects ? read_objects(run, objects) : rc;
    rc = rc == OK ? print_valid(run) : rc;
    names_release(&run->several);
    label_files_release(&run->c->f);
    return rc;
}
