/* review_files.c - three files in memory, and the tables that follow from them. */
#include "cli/objects/review_files.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "cli/core/table.h"
#include "cli/objects/table_file.h"
#include "json/object.h"
#include "measures/scores/label_rows.h"

#define OUT_MOST ((size_t)1 << 28)
enum { IMAGES_MOST = 2000000, STAGES_MOST = 64, CLASS_MOST = 65534, NOT_REVIEWED = VERDICTS };

struct seen_image {
    struct sv name;
    uint32_t stage, dataset, row; /* row: of its predictions; MAP_NONE: none */
    uint32_t correct;             /* labels that are */
    uint16_t label;
    bool pooled;
};
struct review_files {
    struct cli *cli;
    struct names stages, datasets;
    struct seen_image *images;
    size_t n, cap;
    struct map_sv image_at;       /* "STAGE/IMAGE" -> place */
    bool staged;                  /* images have stages */
    struct map_u64 verdicts;      /* place and class -> enum label_verdict */
    struct {
        uint32_t correct, unclear, wrong, dontknow, conflicts;
    } said[STAGES_MOST];          /* rows of each stage by state */
    struct sv *models;
    size_t n_models, n_rows, cap_answers;
    struct map_sv row_at;         /* image -> row of answers */
    uint16_t *answers;            /* [row * n_models + model] */
};

/* ---- reading ---- */

static enum err_code read_class(const struct table_file *f, struct sv cell, uint16_t *out)
{
    int64_t v = 0;
    if (!sv_i64(cell, &v) || v < 0 || v > CLASS_MOST) {
        return table_file_wrong(f, "a class must be a number from 0 to %d, not \"" SV_FMT "\"", CLASS_MOST, SV_ARG(cell));
    }
    *out = (uint16_t)v;
    return OK;
}

static struct sv key_of(struct arena *a, struct sv stage, struct sv image)
{
    return sv_of(arena_printf(a, SV_FMT "/" SV_FMT, SV_ARG(stage), SV_ARG(image)));
}

static enum err_code read_image(struct review_files *r, const struct table_file *f, const int column[5])
{
    struct sv name = table_file_cell(f, column[0]), stage = table_file_cell(f, column[2]), pool = table_file_cell(f, column[4]);
    if (r->n == IMAGES_MOST) {
        return err_rule(&r->cli->err, ERR_LIMIT, "row", "%s has more than %d images.", f->csv.name, IMAGES_MOST);
    }
    xgrow(&r->images, &r->cap, r->n + 1, sizeof *r->images);
    struct seen_image *i = &r->images[r->n];
    *i = (struct seen_image){.name = arena_sv(&r->cli->arena, name), .row = MAP_NONE, .pooled = !sv_is(pool, "0")};
    if (pool.n && !sv_is(pool, "0") && !sv_is(pool, "1")) {
        return table_file_wrong(f, "in_review_pool must be 0 or 1, not \"" SV_FMT "\"", SV_ARG(pool));
    }
    if (map_sv_put(&r->image_at, key_of(&r->cli->arena, stage, name), (uint32_t)r->n) != r->n || name.n == 0) {
        return table_file_wrong(f, "the image \"" SV_FMT "\" has a row already, or no name", SV_ARG(name));
    }
    i->stage = names_put(&r->stages, stage.n ? stage : SV("all"));
    struct sv dataset = table_file_cell(f, column[3]);
    i->dataset = names_put(&r->datasets, dataset.n ? dataset : SV("not said"));
    if (r->stages.n > STAGES_MOST || r->datasets.n > STAGES_MOST) {
        return table_file_wrong(f, "there are more than %d stages or datasets", STAGES_MOST);
    }
    r->n++;
    return read_class(f, table_file_cell(f, column[1]), &i->label);
}

static enum err_code read_images(struct review_files *r, const char *path)
{
    struct table_file f;
    int column[5];
    bool more = true;
    enum err_code rc = table_file_open(&f, r->cli, path);
    rc = rc == OK ? csv_need(&f.csv, "image", &column[0], &r->cli->err) : rc;
    rc = rc == OK ? csv_need(&f.csv, "label", &column[1], &r->cli->err) : rc;
    column[2] = csv_column(&f.csv, "stage");
    column[3] = csv_column(&f.csv, "dataset");
    column[4] = csv_column(&f.csv, "in_review_pool");
    r->staged = column[2] >= 0;
    while (rc == OK && (rc = table_file_next(&f, &more)) == OK && more) {
        rc = read_image(r, &f, column);
    }
    table_file_close(&f);
    return rc;
}

static uint64_t verdict_key(uint32_t place, uint16_t class_id) { return (uint64_t)place << 16 | class_id; }

static enum label_verdict verdict_of(const struct review_files *r, uint32_t place, uint16_t class_id)
{
    uint32_t v = map_u64_get(&r->verdicts, verdict_key(place, class_id));
    return v == MAP_NONE ? (enum label_verdict)NOT_REVIEWED : (enum label_verdict)v;
}

static enum err_code read_review(struct review_files *r, const struct table_file *f, const int column[4])
{
    struct sv image = table_file_cell(f, column[0]), state = table_file_cell(f, column[2]), stage = table_file_cell(f, column[3]);
    uint32_t place = map_sv_get(&r->image_at, key_of(&r->cli->arena, r->staged ? stage : SV(""), image));
    enum label_verdict v;
    uint16_t class_id = 0;
    if (place == MAP_NONE) {
        return table_file_wrong(f, "the image " SV_FMT " is not among the images of that stage", SV_ARG(image));
    }
    if (!label_verdict_of(state, &v)) {
        return table_file_wrong(f, "the state \"" SV_FMT "\" is none: it must be correct, unclear, wrong or dontknow", SV_ARG(state));
    }
    enum err_code rc = read_class(f, table_file_cell(f, column[1]), &class_id);
    if (rc != OK) {
        return rc;
    }
    const enum label_verdict was = verdict_of(r, place, class_id);
    uint32_t stage_at = r->images[place].stage;
    uint32_t *counts[VERDICTS] = {&r->said[stage_at].correct, &r->said[stage_at].unclear, &r->said[stage_at].wrong, &r->said[stage_at].dontknow};
    ++*counts[v];
    r->images[place].correct += v == VERDICT_CORRECT && was != VERDICT_CORRECT;
    r->said[stage_at].conflicts += was != (enum label_verdict)NOT_REVIEWED;
    map_u64_set(&r->verdicts, verdict_key(place, class_id), was < v ? was : v);
    return OK;
}

static enum err_code read_reviews(struct review_files *r, const char *path)
{
    struct table_file f;
    int column[4];
    bool more = true;
    enum err_code rc = table_file_open(&f, r->cli, path);
    rc = rc == OK ? csv_need(&f.csv, "image", &column[0], &r->cli->err) : rc;
    rc = rc == OK ? csv_need(&f.csv, "class", &column[1], &r->cli->err) : rc;
    rc = rc == OK ? csv_need(&f.csv, "state", &column[2], &r->cli->err) : rc;
    column[3] = csv_column(&f.csv, "stage");
    rc = rc == OK && r->staged ? csv_need(&f.csv, "stage", &column[3], &r->cli->err) : rc;
    while (rc == OK && (rc = table_file_next(&f, &more)) == OK && more) {
        rc = read_review(r, &f, column);
    }
    table_file_close(&f);
    return rc;
}

static enum err_code read_answers(struct review_files *r, const struct table_file *f, int image)
{
    size_t model = 0;
    enum err_code rc = OK;
    if (map_sv_put(&r->row_at, table_file_cell(f, image), (uint32_t)r->n_rows) != r->n_rows) {
        return table_file_wrong(f, "the image " SV_FMT " has a row already", SV_ARG(table_file_cell(f, image)));
    }
    xgrow(&r->answers, &r->cap_answers, (r->n_rows + 1) * r->n_models, sizeof *r->answers);
    for (size_t c = 0; c < f->csv.n_header && rc == OK; c++) {
        if ((int)c != image) {
            rc = read_class(f, table_file_cell(f, (int)c), &r->answers[r->n_rows * r->n_models + model++]);
        }
    }
    r->n_rows++;
    return rc;
}

static enum err_code read_predictions(struct review_files *r, const char *path)
{
    struct table_file f;
    int image;
    bool more = true;
    enum err_code rc = table_file_open(&f, r->cli, path);
    rc = rc == OK ? csv_need(&f.csv, "image", &image, &r->cli->err) : rc;
    if (rc == OK) {
        r->models = arena_calloc(&r->cli->arena, f.csv.n_header + 1, sizeof *r->models);
        for (size_t c = 0; c < f.csv.n_header; c++) {
            if ((int)c != image) {
                r->models[r->n_models++] = arena_sv(&r->cli->arena, f.csv.header[c]);
            }
        }
        rc = r->n_models ? OK : err_rule(&r->cli->err, ERR_INPUT, "row", "%s:1: there is no column of a model", path);
    }
    while (rc == OK && (rc = table_file_next(&f, &more)) == OK && more) {
        rc = read_answers(r, &f, image);
    }
    table_file_close(&f);
    return rc;
}

static void match_rows(struct review_files *r)
{
    size_t without = 0;
    for (size_t i = 0; i < r->n; i++) {
        r->images[i].row = map_sv_get(&r->row_at, r->images[i].name);
        without += r->images[i].row == MAP_NONE;
    }
    if (without) {
        cli_note(r->cli, "%zu image%s without predictions: they do not count.", without, without == 1 ? " is" : "s are");
    }
}

/* ---- what models answered ---- */

static unsigned char said_of(const struct review_files *r, uint32_t place, uint16_t answer)
{
    static const unsigned char bits[VERDICTS + 1] = {SAID_CORRECT, SAID_UNCLEAR, SAID_WRONG, SAID_DONTKNOW, 0};
    return (unsigned char)(bits[verdict_of(r, place, answer)] | (answer == r->images[place].label ? SAID_SET : 0));
}

static bool all_pooled(const struct review_files *r, uint32_t stage)
{
    size_t i = 0;
    while (i < r->n && (r->images[i].stage != stage || r->images[i].pooled)) {
        i++;
    }
    return i == r->n;
}

static struct multilabel count_model(const struct review_files *r, uint32_t stage, size_t model)
{
    struct multilabel_count c;
    multilabel_begin(&c, UINT16_MAX + 1);
    for (uint32_t i = 0; i < r->n; i++) {
        const struct seen_image *image = &r->images[i];
        if (image->stage == stage && image->pooled && image->row != MAP_NONE) {
            multilabel_add(&c, said_of(r, i, r->answers[image->row * r->n_models + model]), image->label, false, false);
        }
    }
    return multilabel_end(&c);
}

static void print_metrics(struct review_files *r, struct str *out)
{
    struct arena *a = &r->cli->arena;
    struct multilabel_row *rows = arena_calloc(a, r->stages.n * r->n_models + 1, sizeof *rows);
    size_t n = 0;
    for (uint32_t s = 0; s < r->stages.n; s++) {
        struct sv name = r->stages.at[s];
        struct sv subset = all_pooled(r, s) ? name : sv_of(arena_printf(a, SV_FMT "_in_pool", SV_ARG(name)));
        for (size_t m = 0; m < r->n_models; m++) {
            const struct multilabel counts = count_model(r, s, m);
            rows[n++] = multilabel_row(subset, r->models[m], &counts, a);
        }
    }
    multilabel_csv(LABEL_KIND_REVIEW, rows, n, out);
}

/* ---- the queue of a review ---- */

struct unique {
    uint16_t answer;
    uint32_t models;
};

static int most_models_first(const void *a, const void *b)
{
    const struct unique *x = a, *y = b;
    return x->models != y->models ? (x->models < y->models) - (x->models > y->models) : (x->answer > y->answer) - (x->answer < y->answer);
}

/* The different predictions of an image; `list` has room for one of each model. */
static size_t unique_of(const struct review_files *r, const struct seen_image *image, struct unique *list)
{
    size_t n = 0;
    for (size_t m = 0; m < r->n_models && image->row != MAP_NONE; m++) {
        uint16_t answer = r->answers[image->row * r->n_models + m];
        size_t k = 0;
        while (k < n && list[k].answer != answer) {
            k++;
        }
        if (k == n) {
            list[n++] = (struct unique){answer, 0};
        }
        list[k].models++;
    }
    if (n) {
        qsort(list, n, sizeof *list, most_models_first);
    }
    return n;
}

static const char *state_word(enum label_verdict v)
{
    return v == (enum label_verdict)NOT_REVIEWED ? "unreviewed" : label_verdict_word(v);
}

static void print_queue(struct review_files *r, struct str *out)
{
    struct unique *list = xcalloc(r->n_models + 1, sizeof *list);
    str_addz(out, "image,stage,n_unique,queue\n");
    for (uint32_t i = 0; i < r->n; i++) {
        size_t n = unique_of(r, &r->images[i], list);
        csv_cell(out, r->images[i].name);
        str_addc(out, ',');
        csv_cell(out, r->stages.at[r->images[i].stage]);
        str_printf(out, ",%zu,", n);
        for (size_t k = 0; k < n; k++) {
            str_printf(out, "%s%d:%u:%s", k ? "+" : "", list[k].answer, list[k].models, state_word(verdict_of(r, i, list[k].answer)));
        }
        str_addc(out, '\n');
    }
    free(list);
}

/* ---- what there is ---- */

static void add_one(json_t *counts, const char *key)
{
    json_object_set_new(counts, key, json_integer(json_integer_value(json_object_get(counts, key)) + 1));
}

static json_t *summary_of(struct review_files *r, uint32_t stage, struct unique *list)
{
    json_t *hist = json_object(), *label = json_object(), *datasets = json_object();
    size_t images = 0, pooled = 0, unique = 0;
    for (uint32_t d = 0; d < r->datasets.n; d++) {
        json_object_set_new(datasets, arena_cstr(&r->cli->arena, r->datasets.at[d]), json_integer(0));
    }
    for (uint32_t i = 0; i < r->n; i++) {
        const struct seen_image *image = &r->images[i];
        if (image->stage == stage) {
            images++;
            pooled += image->pooled;
            unique += unique_of(r, image, list);
            add_one(datasets, arena_cstr(&r->cli->arena, r->datasets.at[image->dataset]));
            add_one(hist, arena_printf(&r->cli->arena, "%u", image->correct));
            add_one(label, state_word(verdict_of(r, i, image->label)));
        }
    }
    return object(field_int("images", (int64_t)images), field_json("datasets", datasets), field_int("in_review_pool", (int64_t)pooled),
                  field_json("states", object(field_int("correct", r->said[stage].correct), field_int("unclear", r->said[stage].unclear),
                                              field_int("wrong", r->said[stage].wrong), field_int("dontknow", r->said[stage].dontknow))),
                  field_int("conflicts", r->said[stage].conflicts), field_json("n_correct_hist", hist), field_json("label_state", label),
                  field_int("unique_predictions", (int64_t)unique));
}

static enum err_code print_summary(struct review_files *r)
{
    struct unique *list = xcalloc(r->n_models + 1, sizeof *list);
    json_t *all = json_object();
    for (uint32_t s = 0; s < r->stages.n; s++) {
        json_object_set_new(all, arena_cstr(&r->cli->arena, r->stages.at[s]), summary_of(r, s, list));
    }
    bool written = json_dumpf(all, stdout, JSON_INDENT(1)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    free(list);
    return written ? OK : err_set(&r->cli->err, ERR_IO, "cannot write the output");
}

static enum err_code print(struct review_files *r)
{
    struct str out;
    if (cli_has(r->cli, "summary")) {
        return print_summary(r);
    }
    str_init(&out, OUT_MOST);
    if (cli_has(r->cli, "queue")) {
        print_queue(r, &out);
    } else {
        print_metrics(r, &out);
    }
    return export_end(&out, OK, &r->cli->err);
}

enum err_code review_files_print(struct cli *cli)
{
    struct review_files r = {.cli = cli};
    names_init(&r.stages);
    names_init(&r.datasets);
    map_sv_init(&r.image_at);
    map_sv_init(&r.row_at);
    map_u64_init(&r.verdicts);
    enum err_code rc = read_images(&r, cli_opt(cli, "images"));
    rc = rc == OK ? read_reviews(&r, cli_opt(cli, "reviews")) : rc;
    rc = rc == OK ? read_predictions(&r, cli_opt(cli, "predictions")) : rc;
    if (rc == OK) {
        match_rows(&r);
        rc = print(&r);
    }
    map_u64_release(&r.verdicts);
    map_sv_release(&r.row_at);
    map_sv_release(&r.image_at);
    names_release(&r.datasets);
    names_release(&r.stages);
    free(r.images);
    free(r.answers);
    return rc;
}
