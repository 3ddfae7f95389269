/* label_files.c - rows of the files, checked as they come. */
#include "cli/objects/label_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/manifest.h"

void label_files_init(struct label_files *f, struct cli *cli)
{
    *f = (struct label_files){.cli = cli};
    labels_known_init(&f->labels, cli);
    names_init(&f->images);
    names_init(&f->models);
    map_u64_init(&f->pairs);
}

void label_files_release(struct label_files *f)
{
    labels_known_release(&f->labels);
    names_release(&f->images);
    names_release(&f->models);
    map_u64_release(&f->pairs);
    free(f->about);
    free(f->contains);
    free(f->said);
}

struct about_image label_files_about(const struct label_files *f, uint32_t image)
{
    return image < f->n_about ? f->about[image] : (struct about_image){0};
}

/* A label's text while files are read. */
static struct sv text_of(const struct label_files *f, uint32_t number) { return f->labels.names.at[number]; }

static enum err_code read_image(struct label_files *f, const struct table_file *t, int column, uint32_t *out)
{
    struct sv name = table_file_cell(t, column);
    if (!manifest_id_good(name)) {
        return table_file_wrong(t, "the image needs a name of 1 to 255 bytes without control characters");
    }
    *out = names_put(&f->images, name);
    return f->images.n <= LABEL_IMAGES_MOST ? OK
                                            : err_rule(&t->cli->err, ERR_LIMIT, "images", "%s names more than %d images.",
                                                       t->csv.name, (int)LABEL_IMAGES_MOST);
}

static struct about_image *about_of(struct label_files *f, uint32_t image)
{
    if (image >= f->n_about) {
        xgrow(&f->about, &f->about_cap, image + 1, sizeof *f->about);
        memset(f->about + f->n_about, 0, (image + 1 - f->n_about) * sizeof *f->about);
        f->n_about = image + 1;
    }
    return &f->about[image];
}

static enum err_code room_for(const struct table_file *t, size_t rows)
{
    return rows < LABEL_ROWS_MOST ? OK
                                     : err_rule(&t->cli->err, ERR_LIMIT, "rows", "%s has more than %d rows.",
                                                t->csv.name, (int)LABEL_ROWS_MOST);
}

/* ---- which label the set gives ---- */

static enum err_code read_stage(const struct table_file *t, struct sv word, struct about_image *about)
{
    for (int i = 0; i < CANDIDATE_STAGES && !about->staged; i++) {
        about->staged = sv_is(word, candidate_stage_word((enum candidate_stage)i));
        about->stage = (enum candidate_stage)i;
    }
    return about->staged ? OK : table_file_wrong(t, "stage must be easy, fu, mis or amb");
}

static enum err_code image_row(struct label_files *f, const struct table_file *t, const int *columns)
{
    uint32_t image = 0;
    enum err_code rc = read_image(f, t, columns[0], &image);
    if (rc != OK) {
        return rc;
    }
    struct about_image *about = about_of(f, image);
    if (about->told) {
        return table_file_wrong(t, "image " SV_FMT " has a row already", SV_ARG(f->images.at[image]));
    }
    about->told = true;
    rc = labels_known_read(&f->labels, t, table_file_cell(t, columns[1]), &about->label);
    return rc == OK && columns[2] >= 0 ? read_stage(t, table_file_cell(t, columns[2]), about) : rc;
}

enum err_code label_files_images(struct label_files *f, const char *path)
{
    struct table_file t;
    int columns[3] = {0};
    bool more = true;
    enum err_code rc = table_file_open(&t, f->cli, path);
    rc = rc == OK ? csv_need(&t.csv, "image", &columns[0], &f->cli->err) : rc;
    columns[1] = csv_column(&t.csv, "label");
    columns[2] = csv_column(&t.csv, "stage");
    rc = rc == OK && columns[1] < 0 ? csv_need(&t.csv, "wnid", &columns[1], &f->cli->err) : rc;
    while (rc == OK && (rc = table_file_next(&t, &more)) == OK && more) {
        rc = image_row(f, &t, columns);
    }
    table_file_close(&t);
    map_u64_release(&f->pairs);
    return rc;
}

/* ---- what people found ---- */

struct contains_columns {
    int image, class_id, selected, shown, label;
};

static enum err_code read_count(const struct table_file *t, int column, uint32_t *out)
{
    int64_t n;
    if (!sv_i64(table_file_cell(t, column), &n) || n < 0 || n > CANDIDATE_PEOPLE) {
        return table_file_wrong(t, SV_FMT " must be a whole number from 0 to %d", SV_ARG(t->csv.header[column]),
                                (int)CANDIDATE_PEOPLE);
    }
    *out = (uint32_t)n;
    return OK;
}

/* The set's label, which every row of an image repeats. */
static enum err_code same_label(struct label_files *f, const struct table_file *t, uint32_t image, struct sv cell)
{
    uint32_t label;
    enum err_code rc = labels_known_read(&f->labels, t, cell, &label);
    if (rc != OK) {
        return rc;
    }
    struct about_image *about = about_of(f, image);
    if (about->told && about->label != label) {
        return table_file_wrong(t, "the label of image " SV_FMT " is " SV_FMT " elsewhere", SV_ARG(f->images.at[image]),
                                SV_ARG(text_of(f, about->label)));
    }
    about->told = true;
    about->label = label;
    return OK;
}

static enum err_code contains_row(struct label_files *f, const struct table_file *t, const struct contains_columns *c)
{
    struct contains_row row = {.line = t->csv.line};
    enum err_code rc = room_for(t, f->n_contains);
    rc = rc == OK ? read_image(f, t, c->image, &row.image) : rc;
    rc = rc == OK ? labels_known_read(&f->labels, t, table_file_cell(t, c->class_id), &row.label) : rc;
    rc = rc == OK ? read_count(t, c->selected, &row.selected) : rc;
    rc = rc == OK ? read_count(t, c->shown, &row.shown) : rc;
    rc = rc == OK && c->label >= 0 ? same_label(f, t, row.image, table_file_cell(t, c->label)) : rc;
    if (rc == OK && row.selected > row.shown) {
        rc = table_file_wrong(t, "%u people found it, but only %u were asked", row.selected, row.shown);
    }
    uint32_t next = (uint32_t)f->n_contains;
    if (rc == OK && map_u64_put(&f->pairs, (uint64_t)row.image << 32 | row.label, next) != next) {
        rc = table_file_wrong(t, "label " SV_FMT " of image " SV_FMT " has a row already",
                              SV_ARG(text_of(f, row.label)), SV_ARG(f->images.at[row.image]));
    }
    if (rc == OK) {
        xgrow(&f->contains, &f->contains_cap, f->n_contains + 1, sizeof *f->contains);
        f->contains[f->n_contains++] = row;
    }
    return rc;
}

/* The first of two names that the file has. */
static enum err_code either(const struct table_file *t, const char *a, const char *b, int *out)
{
    *out = csv_column(&t->csv, b);
    return *out >= 0 ? OK : csv_need(&t->csv, a, out, &t->cli->err);
}

enum err_code label_files_contains(struct label_files *f, const char *path)
{
    struct table_file t;
    struct contains_columns c = {0};
    bool more = true;
    enum err_code rc = table_file_open(&t, f->cli, path);
    rc = rc == OK ? csv_need(&t.csv, "image", &c.image, &f->cli->err) : rc;
    rc = rc == OK ? either(&t, "class", "wnid", &c.class_id) : rc;
    rc = rc == OK ? either(&t, "selected", "n_selected", &c.selected) : rc;
    rc = rc == OK ? either(&t, "shown", "n_assignments", &c.shown) : rc;
    c.label = csv_column(&t.csv, "label");
    while (rc == OK && (rc = table_file_next(&t, &more)) == OK && more) {
        rc = contains_row(f, &t, &c);
    }
    table_file_close(&t);
    map_u64_release(&f->pairs);
    return rc;
}

/* ---- what models say ---- */

struct said_columns {
    int image, model;
    int answers[CSV_COLUMNS]; /* the best first; without `model` each is that of a model */
    uint32_t models[CSV_COLUMNS];
    uint32_t n;
};

static enum err_code add_said(struct label_files *f, const struct table_file *t, struct said_row row, int column)
{
    struct sv cell = table_file_cell(t, column);
    if (cell.n == 0) {
        return OK;
    }
    enum err_code rc = room_for(t, f->n_said);
    rc = rc == OK ? labels_known_read(&f->labels, t, cell, &row.label) : rc;
    if (rc == OK) {
        xgrow(&f->said, &f->said_cap, f->n_said + 1, sizeof *f->said);
        f->said[f->n_said++] = row;
    }
    return rc;
}

/* Each model says something about an image once. */
static enum err_code begin_said(struct label_files *f, const struct table_file *t, uint32_t image, uint32_t model)
{
    uint32_t line = (uint32_t)t->csv.line;
    return map_u64_put(&f->pairs, (uint64_t)image << 32 | model, line) == line
               ? OK
               : table_file_wrong(t, "image " SV_FMT " has a row of model " SV_FMT " already",
                                  SV_ARG(f->images.at[image]), SV_ARG(f->models.at[model]));
}

static enum err_code said_row(struct label_files *f, const struct table_file *t, const struct said_columns *c)
{
    struct said_row row = {0};
    struct sv model = table_file_cell(t, c->model);
    enum err_code rc = read_image(f, t, c->image, &row.image);
    if (rc == OK && c->model >= 0) {
        rc = model.n ? OK : table_file_wrong(t, "the model has no name");
        row.model = names_put(&f->models, model);
        rc = rc == OK ? begin_said(f, t, row.image, row.model) : rc;
    }
    for (uint32_t i = 0; i < c->n && rc == OK; i++) {
        if (c->model < 0) {
            row.model = c->models[i];
            rc = begin_said(f, t, row.image, row.model);
        } else {
            row.rank = i;
        }
        rc = rc == OK ? add_said(f, t, row, c->answers[i]) : rc;
    }
    if (rc == OK && f->models.n > LABEL_MODELS_MOST) {
        rc = err_rule(&f->cli->err, ERR_LIMIT, "models", "%s has more than %d models.", t->csv.name,
                      (int)LABEL_MODELS_MOST);
    }
    return rc;
}

static void find_ranked(const struct table_file *t, uint32_t top, struct said_columns *c)
{
    static const char *const words[] = {"p", "label"};
    for (size_t w = 0; w < 2 && c->n == 0; w++) {
        char name[24];
        int column;
        do {
            snprintf(name, sizeof name, "%s%u", words[w], c->n + 1);
            column = csv_column(&t->csv, name);
            if (column >= 0) {
                c->answers[c->n++] = column;
            }
        } while (column >= 0 && c->n < top);
    }
}

/* Every column but those that say what the image is. */
static void find_models(struct label_files *f, const struct table_file *t, struct said_columns *c)
{
    for (size_t i = 0; i < t->csv.n_header; i++) {
        struct sv name = sv_trim(t->csv.header[i]);
        if (!sv_is(name, "image") && !sv_is(name, "label") && !sv_is(name, "wnid") && name.n) {
            c->models[c->n] = names_put(&f->models, name);
            c->answers[c->n++] = (int)i;
        }
    }
}

enum err_code label_files_predictions(struct label_files *f, const char *path, uint32_t top)
{
    struct table_file t;
    struct said_columns c = {0};
    bool more = true;
    enum err_code rc = table_file_open(&t, f->cli, path);
    rc = rc == OK ? csv_need(&t.csv, "image", &c.image, &f->cli->err) : rc;
    c.model = csv_column(&t.csv, "model");
    if (rc == OK && c.model >= 0) {
        find_ranked(&t, top, &c);
        rc = c.n ? OK : csv_need(&t.csv, "p1", &c.answers[0], &f->cli->err);
    } else if (rc == OK) {
        find_models(f, &t, &c);
    }
    while (rc == OK && (rc = table_file_next(&t, &more)) == OK && more) {
        rc = said_row(f, &t, &c);
    }
    table_file_close(&t);
    map_u64_release(&f->pairs);
    return rc;
}

/* ---- in order ---- */

static int contains_order(const void *a, const void *b)
{
    const struct contains_row *x = a, *y = b;
    return x->image != y->image ? (x->image > y->image) - (x->image < y->image)
                                : (x->label > y->label) - (x->label < y->label);
}

static int said_order(const void *a, const void *b)
{
    const struct said_row *x = a, *y = b;
    uint64_t p = (uint64_t)x->model << 32 | x->rank, q = (uint64_t)y->model << 32 | y->rank;
    return x->image != y->image ? (x->image > y->image) - (x->image < y->image) : (p > q) - (p < q);
}

void label_files_end(struct label_files *f)
{
    struct contains_row *contains = f->contains;
    struct said_row *said = f->said;
    labels_known_end(&f->labels);
    const uint32_t *id = f->labels.id;
    for (size_t i = 0; i < f->n_contains; i++) {
        contains[i].label = id[contains[i].label];
    }
    for (size_t i = 0; i < f->n_said; i++) {
        said[i].label = id[said[i].label];
    }
    for (size_t i = 0; i < f->n_about; i++) {
        f->about[i].label = f->about[i].told ? id[f->about[i].label] : 0;
    }
    if (f->n_contains) {
        qsort(contains, f->n_contains, sizeof *contains, contains_order);
    }
    if (f->n_said) {
        qsort(said, f->n_said, sizeof *said, said_order);
    }
}
