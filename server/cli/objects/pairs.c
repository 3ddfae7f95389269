/* pairs.c - `holdout cooccurring-pairs`, `confused-pairs` and `pair-accuracy`: pairs of classes that come together, that
 * people take for one another, and how models tell them apart. Reads files and no project. */
#include <string.h>

#include "cli/core/commands.h"
#include "cli/objects/object_files.h"
#include "cli/objects/print_records.h"
#include "measures/objects/image_label_rows.h"

enum { LEAST = 3, LEAST_MOST = 1000000 };
#define SHARE 0.25 /* of images that are called by the other's name */
#define FOUND 0.5  /* mean frequency of each class in the images of each */

/* ---- together ---- */

enum err_code cmd_cooccurring_pairs(struct cli *cli)
{
    struct object_files o;
    struct printing out;
    int64_t least;
    size_t n = 0;
    enum err_code rc = cli_opt_int(cli, "least", 1, LEAST_MOST, LEAST, &least);
    object_files_init(&o, cli);
    rc = rc == OK ? object_files_read(&o, cli) : rc;
    if (rc == OK) {
        const struct together_pair *pairs = pairs_together(&o.list, (uint32_t)least, &cli->arena, &n);
        printing_begin(&out, cli, &together_record);
        for (size_t i = 0; i < n && rc == OK; i++) {
            struct together_row row = together_row(&pairs[i], o.list.n, o.f.labels.text);
            rc = printing_row(&out, &row);
        }
        rc = printing_end(&out, rc);
    }
    object_files_release(&o);
    return rc;
}

/* ---- confused ---- */

static enum err_code print_confused(struct cli *cli, const struct object_files *o, uint32_t least, double share)
{
    struct printing out;
    size_t n = 0;
    enum err_code rc = OK;
    const struct confused_pair *pairs = pairs_confused(&o->list, least, share, &cli->arena, &n);
    printing_begin(&out, cli, &confused_record);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct confused_row row = confused_row(&pairs[i], o->f.labels.text);
        rc = printing_row(&out, &row);
    }
    return printing_end(&out, rc);
}

/* By what people found: the images of the file, and the set's labels of theirs. */
static enum err_code print_found(struct cli *cli, const struct label_files *f, double least)
{
    struct printing out;
    size_t n = 0;
    const struct contains_row *rows = f->contains;
    uint32_t *labels = arena_calloc(&cli->arena, f->images.n + 1, sizeof *labels);
    struct found_label *found = arena_calloc(&cli->arena, f->n_contains + 1, sizeof *found);
    enum err_code rc = OK;
    for (uint32_t i = 0; i < f->images.n; i++) {
        struct about_image about = label_files_about(f, i);
        labels[i] = about.label;
        if (!about.told) {
            return err_rule(&cli->err, ERR_INPUT, "label",
                            "Nothing says which label the set gives image " SV_FMT ": give --images.",
                            SV_ARG(f->images.at[i]));
        }
    }
    for (size_t i = 0; i < f->n_contains; i++) {
        found[i] = (struct found_label){rows[i].image, rows[i].label, rows[i].selected, rows[i].shown};
    }
    const struct found_pair *pairs = pairs_found(labels, f->images.n, found, f->n_contains, least, &cli->arena, &n);
    printing_begin(&out, cli, &found_pair_record);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct found_pair_row row = {f->labels.text[pairs[i].a], f->labels.text[pairs[i].b], pairs[i]};
        rc = printing_row(&out, &row);
    }
    return printing_end(&out, rc);
}

enum err_code cmd_confused_pairs(struct cli *cli)
{
    struct object_files o;
    const char *images = cli_opt(cli, "images");
    bool frequencies = cli_has(cli, "frequencies");
    double share;
    int64_t least;
    enum err_code rc = cli_opt_int(cli, "least", 1, LEAST_MOST, LEAST, &least);
    rc = rc == OK ? cli_opt_real(cli, "share", 0, 1, frequencies ? FOUND : SHARE, &share) : rc;
    object_files_init(&o, cli);
    if (rc == OK && frequencies) {
        rc = images ? label_files_images(&o.f, images) : OK;
        rc = rc == OK ? label_files_contains(&o.f, cli->args[0]) : rc;
        if (rc == OK) {
            label_files_end(&o.f);
            rc = print_found(cli, &o.f, share);
        }
    } else if (rc == OK) {
        rc = object_files_read(&o, cli);
        rc = rc == OK ? print_confused(cli, &o, (uint32_t)least, share) : rc;
    }
    object_files_release(&o);
    return rc;
}

/* ---- how models tell them apart ---- */

struct pair_of {
    uint32_t a, b;
};
struct apart_run {
    struct cli *cli;
    struct label_files f;
    struct list pairs; /* struct pair_of */
    uint32_t *labels;  /* of each image */
    uint32_t *answers; /* of one model */
};

static enum err_code read_pairs(struct apart_run *run, const char *path)
{
    struct table_file t;
    int a = 0, b = 0;
    bool more = true;
    enum err_code rc = table_file_open(&t, run->cli, path);
    rc = rc == OK ? csv_need(&t.csv, "class_a", &a, &run->cli->err) : rc;
    rc = rc == OK ? csv_need(&t.csv, "class_b", &b, &run->cli->err) : rc;
    while (rc == OK && (rc = table_file_next(&t, &more)) == OK && more) {
        struct pair_of p;
        rc = labels_known_read(&run->f.labels, &t, table_file_cell(&t, a), &p.a);
        rc = rc == OK ? labels_known_read(&run->f.labels, &t, table_file_cell(&t, b), &p.b) : rc;
        if (rc == OK && p.a == p.b) {
            rc = table_file_wrong(&t, "the two classes must differ");
        }
        if (rc == OK) {
            *LIST_ADD(&run->pairs, &run->cli->arena, struct pair_of) = p;
        }
    }
    table_file_close(&t);
    return rc;
}

static void take_answers(struct apart_run *run, uint32_t model)
{
    const struct said_row *said = run->f.said;
    memset(run->answers, 0xff, run->f.images.n * sizeof *run->answers); /* LABEL_NONE */
    for (size_t i = 0; i < run->f.n_said; i++) {
        if (said[i].model == model && said[i].rank == 0) {
            run->answers[said[i].image] = said[i].label;
        }
    }
}

static enum err_code print_apart(struct apart_run *run)
{
    struct printing out;
    enum err_code rc = OK;
    const struct pair_of *pairs = run->pairs.items;
    const uint32_t *id = run->f.labels.id;
    bool pooled = cli_has(run->cli, "pooled");
    printing_begin(&out, run->cli, &pair_accuracy_record);
    for (uint32_t m = 0; m < run->f.models.n && rc == OK; m++) {
        struct pair_accuracy all = {0};
        take_answers(run, m);
        for (size_t i = 0; i < run->pairs.n && rc == OK; i++) {
            uint32_t a = id[pairs[i].a], b = id[pairs[i].b];
            struct pair_accuracy p = pair_accuracy(a, b, run->labels, run->answers, run->f.images.n);
            struct pair_accuracy_row row =
                pair_accuracy_row(run->f.labels.text[a], run->f.labels.text[b], run->f.models.at[m], &p);
            all = (struct pair_accuracy){all.images + p.images, all.correct + p.correct, all.in_pair + p.in_pair};
            rc = pooled ? OK : printing_row(&out, &row);
        }
        struct pair_accuracy_row row = pair_accuracy_row(SV(""), SV(""), run->f.models.at[m], &all);
        rc = rc == OK && pooled ? printing_row(&out, &row) : rc;
    }
    return printing_end(&out, rc);
}

enum err_code cmd_pair_accuracy(struct cli *cli)
{
    struct apart_run run = {.cli = cli};
    const char *images = cli_opt(cli, "images"), *said = cli_opt(cli, "predictions");
    if (!images || !said) {
        return cli_usage(cli, "give --images and --predictions");
    }
    label_files_init(&run.f, cli);
    enum err_code rc = label_files_images(&run.f, images);
    size_t listed = run.f.images.n;
    rc = rc == OK ? read_pairs(&run, cli->args[0]) : rc;
    rc = rc == OK ? label_files_predictions(&run.f, said, 1) : rc;
    if (rc == OK) {
        label_files_end(&run.f);
        run.labels = arena_calloc(&cli->arena, run.f.images.n + 1, sizeof *run.labels);
        run.answers = arena_calloc(&cli->arena, run.f.images.n + 1, sizeof *run.answers);
        for (uint32_t i = 0; i < run.f.images.n; i++) {
            run.labels[i] = i < listed ? label_files_about(&run.f, i).label : LABEL_NONE;
        }
        rc = print_apart(&run);
    }
    label_files_release(&run.f);
    return rc;
}
