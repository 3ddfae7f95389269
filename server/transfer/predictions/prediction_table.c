/* prediction_table.c - predictions as CSV. Columns of labels are p1.. or label1.., of scores
 * score1..; without columns of labels, every column that says nothing about the image is a model
 * with its top-1 labels.
 *
 * Without the column image row k is about image k of the list. Nothing of such a file is passed over: what it says
 * of its rows (row, wnid, cid) must fit the list, and a column that is not known may hold names under another word. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "formats/csv.h"
#include "transfer/predictions/prediction_file.h"

struct table {
    struct prediction_file *f;
    struct csv csv;
    int image, model; /* -1: there is none; without images row k is about image k of the list */
    int labels[PREDICTION_K], scores[PREDICTION_K];
    int k;
    bool scored, dropped;
    int row;           /* of rows without names: column of their number, from 0; -1: there is none */
    int about[2];      /* of rows without names: columns of their class; -1 */
    int wide[CSV_COLUMNS], n_wide; /* columns that are models */
};

static int numbered(const struct csv *csv, const char *word, int number)
{
    char name[24];
    snprintf(name, sizeof name, "%s%d", word, number);
    return csv_column(csv, name);
}

static bool is_about_image(struct sv column)
{
    static const char *const words[] = {"image", "row", "wnid", "cid", "model", "label", "role"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (sv_is(column, words[i])) {
            return true;
        }
    }
    return false;
}

/* 12 of "p12" for the word "p"; -1: it is not one of those. */
static int number_of(struct sv column, const char *word)
{
    size_t n = strlen(word);
    int number = sv_starts(column, word) && column.n > n && column.n - n < 9 ? 0 : -1;
    for (size_t i = n; i < column.n && number >= 0; i++) {
        number = isdigit((unsigned char)column.p[i]) ? 10 * number + (column.p[i] - '0') : -1;
    }
    return number;
}

/* Columns of one word count from 1 and leave none out: p0 would be lost, and with it the best label. */
static enum err_code check_numbers(const struct table *t, const char *word, int columns)
{
    const struct import *im = t->f->target->im;
    for (size_t i = 0; i < t->csv.n_header; i++) {
        struct sv column = t->csv.header[i];
        int number = number_of(column, word);
        if (number == 0 || number > columns) {
            return err_set(im->tr->err, ERR_INPUT,
                           "%s:1: the column " SV_FMT " does not fit the others: they must be %s1, %s2, ..., best "
                           "first, without a gap", im->name, SV_ARG(column), word, word);
        }
    }
    return OK;
}

/* Which of the columns of labels are kept: the best PREDICTION_K, which are the last when the file
 * has them worst first. */
static enum err_code find_labels(struct table *t, const char *word)
{
    int columns = 0, first = 0;
    while (numbered(&t->csv, word, columns + 1) >= 0) {
        columns++;
    }
    t->k = columns < PREDICTION_K ? columns : PREDICTION_K;
    t->dropped = columns > PREDICTION_K;
    first = t->f->reversed ? columns - t->k : 0;
    t->scored = true;
    for (int i = 0; i < t->k; i++) {
        t->labels[i] = numbered(&t->csv, word, first + i + 1);
        t->scores[i] = numbered(&t->csv, "score", first + i + 1);
        t->scored = t->scored && t->scores[i] >= 0;
    }
    enum err_code rc = check_numbers(t, word, columns);
    return rc == OK ? check_numbers(t, "score", columns) : rc;
}

/* The columns of a file without names of images. */
static enum err_code find_rows(struct table *t)
{
    const struct import *im = t->f->target->im;
    t->row = csv_column(&t->csv, "row");
    t->row = t->row < 0 ? csv_column(&t->csv, "") : t->row; /* as pandas heads its index */
    t->about[0] = csv_column(&t->csv, "wnid");
    t->about[1] = csv_column(&t->csv, "cid");
    for (int i = 0; i < (int)t->csv.n_header; i++) {
        struct sv column = t->csv.header[i];
        bool known = i == t->row || i == t->about[0] || i == t->about[1] || number_of(column, "p") >= 0 ||
                     number_of(column, "label") >= 0 || number_of(column, "score") >= 0;
        if (!known) {
            return err_set(im->tr->err, ERR_INPUT,
                           "%s:1: the column \"" SV_FMT "\" is not known. Call it image if it names the image of each "
                           "row; otherwise leave it out", im->name, SV_ARG(column));
        }
    }
    return prediction_target_rows(t->f->target);
}

static enum err_code find_columns(struct table *t)
{
    struct import *im = t->f->target->im;
    enum err_code rc = OK;
    t->image = csv_column(&t->csv, "image");
    t->model = csv_column(&t->csv, "model");
    if (numbered(&t->csv, "p", 1) >= 0) {
        rc = find_labels(t, "p");
    } else if (numbered(&t->csv, "label", 1) >= 0) {
        rc = find_labels(t, "label");
    } else if (t->image < 0) { /* a column of labels cannot be told from a misspelt "image" */
        return csv_need(&t->csv, "image", &t->image, im->tr->err);
    } else {
        for (int i = 0; i < (int)t->csv.n_header; i++) {
            if (!is_about_image(t->csv.header[i])) {
                t->wide[t->n_wide++] = i;
            }
        }
    }
    if (rc != OK) {
        return rc;
    }
    if (t->k == 0 && t->n_wide == 0) {
        return err_set(
            im->tr->err, ERR_INPUT,
            "%s:1: there is no column of labels: name them p1, p2, ... or label1, label2, ..., or give one "
            "column of top-1 labels for each model",
            im->name);
    }
    if (t->image < 0 && t->model >= 0) {
        return err_rule(im->tr->err, ERR_INPUT, "usage",
                        "%s:1: a file with a column model also needs a column image", im->name);
    }
    if (t->f->model_given && (t->model >= 0 || t->k == 0)) {
        return err_rule(im->tr->err, ERR_INPUT, "usage",
                        "%s names its models itself: leave out --model", im->name);
    }
    if (t->k && t->model < 0 && t->f->model.n == 0) {
        return err_rule(im->tr->err, ERR_INPUT, "usage", "%s names no model: name one with --model",
                        im->name);
    }
    return t->image < 0 ? find_rows(t) : OK;
}

/* What a row without a name says of itself: another number, or another class, and it is not the list's row. */
static void check_row(const struct table *t, uint64_t row)
{
    struct prediction_target *to = t->f->target;
    int64_t number = -1;
    if (t->row >= 0 && (!sv_i64(t->csv.cells[t->row], &number) || number < 0 || (uint64_t)number != row)) {
        import_bad(to->im, t->csv.line,
                   "row is \"" SV_FMT "\", but this is row %llu, counted from 0. Sort the file, or name the image of "
                   "each row in a column image", SV_ARG(t->csv.cells[t->row]), (unsigned long long)row);
    }
    for (int i = 0; i < 2; i++) {
        struct sv cell = t->about[i] < 0 ? SV("") : t->csv.cells[t->about[i]];
        uint16_t label = cell.n ? prediction_label(to, t->csv.line, cell) : to->label[row];
        if (label != to->label[row] && label != PREDICTION_NONE && to->label[row] != PREDICTION_NONE) {
            import_bad(to->im, t->csv.line,
                       "the row is about class " SV_FMT ", but row %llu of %s is about another: the file's rows "
                       "are in another order. --images IMAGES.csv names the image of each", SV_ARG(cell),
                       (unsigned long long)row, to->rows_of);
        }
    }
}

/* Labels and scores of a row; how many labels, 0 with a wrong row. Empty cells may stand behind the
 * last label, and a row whose first score is empty has none. */
static int read_labels(struct table *t, struct prediction *p, bool *scored)
{
    struct prediction_target *to = t->f->target;
    uint64_t bad = to->im->bad, line = t->csv.line;
    int n = 0;
    memset(p->labels, 0xff, sizeof p->labels);
    *scored = t->scored && t->csv.cells[t->scores[0]].n > 0;
    for (int i = 0; i < t->k; i++) {
        struct sv cell = t->csv.cells[t->labels[i]];
        double score = 0;
        if (cell.n == 0) {
            continue;
        }
        p->labels[i] = prediction_answer(to, line, cell);
        if (n++ < i) {
            import_bad(to->im, line, "label %d is missing, but there is one after it", i);
        }
        if (*scored && (!sv_f64(t->csv.cells[t->scores[i]], &score) || score < 0 || score > 1)) {
            import_bad(to->im, line, "score %d must be a probability from 0 to 1", i + 1);
        }
        p->scores[i] = (float)score;
    }
    if (n == 0) {
        import_bad(to->im, line, "there is no label");
    }
    return to->im->bad == bad ? n : 0;
}

static enum err_code add_long(struct table *t, struct prediction *p, uint16_t truth)
{
    struct prediction_file *f = t->f;
    bool scored;
    int n = read_labels(t, p, &scored);
    struct prediction_batch *b =
        prediction_batch_of(f, t->csv.line, t->model < 0 ? f->model : t->csv.cells[t->model]);
    if (!b || n == 0 || !prediction_shape(f, b, t->csv.line, n, scored)) {
        return OK;
    }
    b->dropped = t->dropped;
    return prediction_add(f, b, t->csv.line, p, truth);
}

/* One label for each model that the header names; an empty cell: no prediction. */
static enum err_code add_wide(struct table *t, struct prediction *p, uint16_t truth)
{
    struct import *im = t->f->target->im;
    enum err_code rc = OK;
    for (int i = 0; i < t->n_wide && rc == OK; i++) {
        uint64_t bad = im->bad, line = t->csv.line;
        struct sv cell = t->csv.cells[t->wide[i]];
        if (cell.n == 0) {
            continue;
        }
        struct prediction_batch *b = prediction_batch_of(t->f, line, t->csv.header[t->wide[i]]);
        memset(p->labels, 0xff, sizeof p->labels);
        p->labels[0] = prediction_answer(t->f->target, line, cell);
        if (b && im->bad == bad && prediction_shape(t->f, b, line, 1, false)) {
            rc = prediction_add(t->f, b, line, p, truth);
        }
    }
    return rc;
}

static enum err_code add_row(struct table *t, uint64_t row)
{
    struct prediction_target *to = t->f->target;
    struct prediction p = {0};
    uint16_t truth;
    enum err_code rc = OK;
    if (t->image >= 0) {
        rc = prediction_target_find(to, t->csv.line, t->csv.cells[t->image], &p.image, &truth);
    } else if (row < to->n) { /* what is left over is refused when all are counted */
        check_row(t, row);
        p.image = to->image[row];
        truth = to->label[row];
    }
    if (rc != OK || p.image == 0) {
        return rc;
    }
    return t->k ? add_long(t, &p, truth) : add_wide(t, &p, truth);
}

enum err_code prediction_read_table(struct prediction_file *f)
{
    struct table t = {.f = f};
    struct import *im = f->target->im;
    bool more = true;
    uint64_t rows = 0;
    enum err_code rc = csv_open(&t.csv, im->name, im->text, im->tr->err);
    rc = rc == OK ? find_columns(&t) : rc;
    while (rc == OK && (rc = csv_next(&t.csv, &more, im->tr->err)) == OK && more) {
        rc = add_row(&t, rows);
        transfer_progress(im->tr, "reading predictions", ++rows, 0);
    }
    if (rc == OK && t.image < 0) {
        rc = prediction_rows_check(f, (size_t)rows);
    }
    csv_close(&t.csv);
    return rc;
}
