/* label_table.c - labels as tables: a row for each label, or a row for each image with its objects. */
#include <stdio.h>

#include "formats/csv.h"
#include "formats/jsonl.h"
#include "transfer/labels/label_file.h"

enum { COL_IMAGE, COL_LABEL, COL_VERDICT, COL_OBJECT, COL_VOTES, COL_MAIN, COL_MAIN_OBJECT, COL_PROBLEMATIC, COL_PARTIAL, COL_INFERRED, COL_STAGE, COLUMNS };
static const char *const column_names[COLUMNS][3] = {
    {"image"}, {"label", "class", "wnid"}, {"verdict", "state"}, {"object"}, {"votes"}, {"main"}, {"main_object"},
    {"problematic"}, {"partial"}, {"inferred"}, {"stage"},
};

/* ---- a row for each label ---- */

static bool number(struct label_file *f, uint64_t line, int column, struct sv cell, int64_t most, int64_t *out)
{
    if (cell.n == 0) {
        return true;
    }
    if (!sv_i64(cell, out) || *out < 0 || *out > most) {
        import_bad(f->im, line, "%s must be a number from 0 to %lld, not \"" SV_FMT "\"", column_names[column][0], (long long)most,
                   SV_ARG(cell));
        return false;
    }
    return true;
}

static bool flag(struct label_file *f, uint64_t line, int column, struct sv cell)
{
    int64_t v = 0;
    return number(f, line, column, cell, 1, &v) && v == 1;
}

static void read_verdict(struct label_file *f, uint64_t line, struct sv cell, struct label *l)
{
    enum label_verdict v = VERDICT_CORRECT;
    if (cell.n && !label_verdict_of(cell, &v)) {
        import_bad(f->im, line, "the verdict \"" SV_FMT "\" is none: it must be correct, unclear, wrong or dontknow", SV_ARG(cell));
    } else if (f->kind != LABEL_KIND_REVIEW && v != VERDICT_CORRECT) {
        import_bad(f->im, line, "a verdict other than correct needs a source of kind review, not %s", label_kind_word(f->kind));
    }
    l->verdict = (unsigned char)v;
}

static void read_row(struct label_file *f, uint64_t line, const struct sv *cells)
{
    uint32_t at;
    int64_t object = -1, votes = -1, main_object = -1;
    f->read++;
    if (f->stage && !sv_is(cells[COL_STAGE], f->stage)) {
        return;
    }
    if (!label_file_image(f, line, cells[COL_IMAGE], &at)) {
        return;
    }
    struct label_image *image = &f->images[at];
    image->problematic |= flag(f, line, COL_PROBLEMATIC, cells[COL_PROBLEMATIC]);
    image->partial |= flag(f, line, COL_PARTIAL, cells[COL_PARTIAL]);
    image->inferred |= flag(f, line, COL_INFERRED, cells[COL_INFERRED]);
    number(f, line, COL_MAIN_OBJECT, cells[COL_MAIN_OBJECT], LABEL_OBJECTS - 1, &main_object);
    image->main_object = main_object >= 0 ? (int)main_object : image->main_object;
    if (cells[COL_LABEL].n == 0) {
        return;
    }
    uint16_t cid = prediction_label(f->target, line, cells[COL_LABEL]);
    struct label *l = cid == PREDICTION_NONE ? NULL : label_file_add(f, line, at, cid);
    if (l && number(f, line, COL_OBJECT, cells[COL_OBJECT], LABEL_OBJECTS - 1, &object) &&
        number(f, line, COL_VOTES, cells[COL_VOTES], LABEL_VOTES, &votes)) {
        l->object = (int)object;
        l->votes = votes;
        l->main = flag(f, line, COL_MAIN, cells[COL_MAIN]) || f->kind == LABEL_KIND_MAIN;
        read_verdict(f, line, cells[COL_VERDICT], l);
    }
}

/* What a table is about, by its columns. */
static enum err_code know_kind(struct label_file *f, const bool has[COLUMNS])
{
    enum label_kind by_columns = has[COL_VERDICT] ? LABEL_KIND_REVIEW : has[COL_OBJECT] ? LABEL_KIND_OBJECTS : has[COL_MAIN] ? LABEL_KIND_MAIN : LABEL_KIND_LABELS;
    f->kind = f->kind_given ? f->kind : by_columns;
    if (f->stage && !has[COL_STAGE]) {
        return err_rule(f->im->tr->err, ERR_INPUT, "label-stage", "%s has no column stage, by which --stage chooses.", f->im->name);
    }
    return f->kind == LABEL_KIND_OBJECTS && !has[COL_OBJECT]
               ? err_rule(f->im->tr->err, ERR_INPUT, "label-kind",
                          "%s has no column object, which a source of kind objects needs.", f->im->name)
               : OK;
}

static enum err_code read_table(struct label_file *f, struct csv *csv)
{
    struct err *err = f->im->tr->err;
    int column[COLUMNS];
    bool has[COLUMNS], more = true;
    for (int i = 0; i < COLUMNS; i++) {
        column[i] = -1;
        for (int k = 0; k < 3 && column_names[i][k] && column[i] < 0; k++) {
            column[i] = csv_column(csv, column_names[i][k]);
        }
        has[i] = column[i] >= 0;
    }
    enum err_code rc = has[COL_IMAGE] && has[COL_LABEL]
                           ? know_kind(f, has)
                           : err_rule(err, ERR_INPUT, "label-columns",
                                      "%s:1: a table of labels has the columns image and label; with objects, main_label and objects.",
                                      f->im->name);
    f->format = LABEL_TABLE_CSV;
    while (rc == OK && (rc = csv_next(csv, &more, err)) == OK && more) {
        struct sv cells[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            cells[i] = has[i] ? sv_trim(csv->cells[column[i]]) : SV("");
        }
        read_row(f, csv->line, cells);
        transfer_progress(f->im->tr, "reading labels", csv->line, 0);
    }
    return rc;
}

/* ---- JSON lines ---- */

/* A member as text; numbers and booleans as in CSV. False, and a wrong row, for lists and objects. */
static bool cell_of(struct label_file *f, uint64_t line, const json_t *v, char *room, size_t n, struct sv *out)
{
    *out = SV("");
    if (json_is_string(v)) {
        *out = sv_make(json_string_value(v), json_string_length(v));
    } else if (json_is_integer(v) || json_is_boolean(v)) {
        snprintf(room, n, "%lld", json_is_integer(v) ? (long long)json_integer_value(v) : json_is_true(v) ? 1LL : 0LL);
        *out = sv_of(room);
    } else if (v && !json_is_null(v)) {
        import_bad(f->im, line, "a member that must be a text or a whole number is neither");
        return false;
    }
    return true;
}

static void read_object(struct label_file *f, uint64_t line, const json_t *o)
{
    char room[COLUMNS][24];
    struct sv cells[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        const json_t *v = NULL;
        for (int k = 0; k < 3 && column_names[i][k] && !v; k++) {
            v = json_object_get(o, column_names[i][k]);
        }
        if (!cell_of(f, line, v, room[i], sizeof room[i], &cells[i])) {
            return;
        }
    }
    read_row(f, line, cells);
}

static void know_object(const json_t *o, bool has[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++) {
        has[i] = false;
        for (int k = 0; k < 3 && column_names[i][k]; k++) {
            has[i] = has[i] || json_object_get(o, column_names[i][k]);
        }
    }
}

enum err_code label_read_jsonl(struct label_file *f)
{
    struct jsonl lines;
    struct err *err = f->im->tr->err;
    bool has[COLUMNS];
    json_t *o = NULL;
    jsonl_open(&lines, f->im->name, f->im->text);
    enum err_code rc = jsonl_next(&lines, &o, err);
    bool tfds = rc == OK && o && label_is_tfds(o);
    if (rc == OK && o && !tfds) {
        know_object(o, has);
        rc = know_kind(f, has);
    }
    f->format = LABEL_TABLE_JSONL;
    while (rc == OK && o) {
        if (tfds) {
            label_read_tfds(f, lines.line, o);
            f->read++;
        } else {
            read_object(f, lines.line, o);
        }
        json_decref(o);
        o = NULL;
        transfer_progress(f->im->tr, "reading labels", lines.line, 0);
        rc = jsonl_next(&lines, &o, err);
    }
    json_decref(o);
    return rc;
}

/* ---- a row for each image, with its objects ---- */

struct objects_columns {
    int image, main_label, main_object, dropped, objects, object_labels;
};

/* "LABEL:VOTES+LABEL:VOTES" of one object. */
static void read_one_object(struct label_file *f, uint64_t line, uint32_t at, struct sv text, int object)
{
    while (text.n) {
        struct sv votes = sv_cut(&text, '+'), label = sv_cut(&votes, ':');
        int64_t n = -1;
        uint16_t cid = prediction_label(f->target, line, label);
        if (!sv_i64(votes, &n) || n < 0 || n > LABEL_VOTES) {
            import_bad(f->im, line, "an object is written as LABEL:VOTES+LABEL:VOTES");
            return;
        }
        struct label *l = cid == PREDICTION_NONE ? NULL : label_file_add(f, line, at, cid);
        if (l) {
            l->object = object;
            l->votes = n;
        }
    }
}

static void read_dropped(struct label_file *f, uint64_t line, uint32_t at, struct sv text)
{
    while (text.n) {
        uint16_t cid = prediction_label(f->target, line, sv_cut(&text, '+'));
        if (cid != PREDICTION_NONE) {
            label_file_add(f, line, at, cid);
        }
    }
}

/* Marks the main label among the rows just added, or adds it when it is not among them. */
static void mark_main(struct label_file *f, uint64_t line, uint32_t at, size_t since, uint16_t cid)
{
    for (size_t i = since; i < f->n_rows; i++) {
        if (f->rows[i].l.cid == cid) {
            f->rows[i].l.main = true;
            return;
        }
    }
    struct label *l = label_file_add(f, line, at, cid);
    if (l) {
        l->main = true;
    }
}

/* Whether the labels that the file gives to the objects are those that follow from the votes. */
static void check_names(struct label_file *f, uint64_t line, size_t since, struct sv names)
{
    struct label labels[LABELS_OF_IMAGE];
    unsigned char said[LABELS_OF_IMAGE];
    uint32_t n = 0;
    for (size_t i = since; i < f->n_rows && n < LABELS_OF_IMAGE; i++) {
        labels[n++] = f->rows[i].l;
    }
    labels_said(labels, n, said);
    for (int object = 0; names.n; object++) {
        uint16_t cid = prediction_label(f->target, line, sv_cut(&names, '|'));
        bool found = cid == PREDICTION_NONE;
        for (uint32_t i = 0; i < n; i++) {
            found = found || (labels[i].object == object && labels[i].cid == cid && said[i] & SAID_NAMES);
        }
        if (!found) {
            import_bad(f->im, line, "the label of object %d is not the one with most votes", object);
        }
    }
}

static void read_objects_row(struct label_file *f, const struct csv *csv, const struct objects_columns *c)
{
    uint32_t at;
    int64_t main_object = -1;
    const size_t since = f->n_rows;
    struct sv objects = sv_trim(csv->cells[c->objects]);
    f->read++;
    if (!label_file_image(f, csv->line, sv_trim(csv->cells[c->image]), &at)) {
        return;
    }
    if (objects.n == 0 && sv_trim(csv->cells[c->main_label]).n == 0) {
        return; /* too few people were asked: an image without labels, which does not count */
    }
    for (int object = 0; objects.n; object++) {
        struct sv one = sv_cut(&objects, '|');
        if (object == LABEL_OBJECTS) {
            import_bad(f->im, csv->line, "there are more than %d objects", LABEL_OBJECTS);
            return;
        }
        read_one_object(f, csv->line, at, one, object);
    }
    if (c->dropped >= 0) {
        read_dropped(f, csv->line, at, sv_trim(csv->cells[c->dropped]));
    }
    uint16_t main_label = prediction_label(f->target, csv->line, sv_trim(csv->cells[c->main_label]));
    if (main_label != PREDICTION_NONE) {
        mark_main(f, csv->line, at, since, main_label);
    }
    if (c->main_object >= 0 && number(f, csv->line, COL_MAIN_OBJECT, sv_trim(csv->cells[c->main_object]), LABEL_OBJECTS - 1, &main_object)) {
        f->images[at].main_object = (int)main_object;
    }
    if (c->object_labels >= 0) {
        check_names(f, csv->line, since, sv_trim(csv->cells[c->object_labels]));
    }
}

static enum err_code read_objects(struct label_file *f, struct csv *csv)
{
    struct err *err = f->im->tr->err;
    struct objects_columns c = {.main_object = csv_column(csv, "main_object"), .dropped = csv_column(csv, "dropped"),
                                .object_labels = csv_column(csv, "object_labels")};
    bool more = true;
    enum err_code rc = csv_need(csv, "image", &c.image, err);
    rc = rc == OK ? csv_need(csv, "main_label", &c.main_label, err) : rc;
    rc = rc == OK ? csv_need(csv, "objects", &c.objects, err) : rc;
    f->format = LABEL_OBJECTS_CSV;
    f->kind = f->kind_given ? f->kind : LABEL_KIND_OBJECTS;
    while (rc == OK && (rc = csv_next(csv, &more, err)) == OK && more) {
        read_objects_row(f, csv, &c);
        transfer_progress(f->im->tr, "reading labels", csv->line, 0);
    }
    return rc;
}

enum err_code label_read_csv(struct label_file *f)
{
    struct csv csv;
    enum err_code rc = csv_open(&csv, f->im->name, f->im->text, f->im->tr->err);
    bool objects = rc == OK && csv_column(&csv, "main_label") >= 0 && csv_column(&csv, "objects") >= 0;
    rc = rc != OK ? rc : objects ? read_objects(f, &csv) : read_table(f, &csv);
    csv_close(&csv);
    return rc;
}
