/* object_files.c - the columns of `objects`, and which images count. */
#include "cli/objects/object_files.h"

#include <stdlib.h>
#include <string.h>

enum { OBJECT_MEMBERS_MOST = 8000000, OBJECT_ROW_LABELS = 1000, ANSWERS_MOST = 50000000 };

struct object_row {        /* of `objects` */
    uint32_t image, label; /* label: the set's, or LABEL_NONE */
    uint32_t main;
    int main_object;
    uint32_t first_name, n;           /* objects' labels in `names` */
    uint32_t first_member, n_members; /* labels of objects in `members` */
    struct object_votes votes;
};
struct member {
    uint32_t label;
    int object;
};

void object_files_init(struct object_files *o, struct cli *cli)
{
    *o = (struct object_files){0};
    label_files_init(&o->f, cli);
    names_init(&o->superclasses);
}

void object_files_release(struct object_files *o)
{
    label_files_release(&o->f);
    names_release(&o->superclasses);
}

/* ---- superclasses ---- */

static enum err_code read_superclasses(struct object_files *o, const char *path)
{
    struct table_file t;
    struct cli *cli = o->f.cli;
    int class_column, superclass;
    bool more = true;
    enum err_code rc = labels_known_classes(&o->f.labels, path);
    if (rc != OK) {
        return rc;
    }
    rc = table_file_open(&t, cli, path);
    class_column = csv_column(&t.csv, "class");
    class_column = class_column >= 0 ? class_column : csv_column(&t.csv, "wnid");
    rc = rc == OK ? csv_need(&t.csv, "superclass", &superclass, &cli->err) : rc;
    while (rc == OK && (rc = table_file_next(&t, &more)) == OK && more) {
        struct sv name = table_file_cell(&t, superclass);
        uint32_t at = name.n ? names_put(&o->superclasses, name) : LABEL_NONE;
        *LIST_ADD(&o->superclass_of, &cli->arena, uint32_t) = at;
        if (o->superclasses.n > SUPERCLASSES_MOST) {
            rc = table_file_wrong(&t, "more than %d superclasses", (int)SUPERCLASSES_MOST);
        }
    }
    table_file_close(&t);
    return rc;
}

struct superclasses object_files_superclass_ids(const struct object_files *o)
{
    const uint32_t *of = o->superclass_of.items;
    uint32_t *by_id = arena_calloc(&o->f.cli->arena, o->f.labels.names.n + 1, sizeof *by_id);
    for (size_t i = 0; i < o->f.labels.names.n; i++) {
        by_id[o->f.labels.id[i]] = i < o->superclass_of.n ? of[i] : LABEL_NONE;
    }
    return (struct superclasses){by_id, (uint32_t)o->superclasses.n};
}

/* ---- objects ---- */

struct object_columns {
    int image, main, names, objects, main_object, dropped, label;
    int responses, n_optimal, main_tied, number_tied; /* -1: not there */
};

static enum err_code read_vote_number(const struct table_file *t, int column, uint32_t *out)
{
    int64_t n = 0;
    struct sv cell = table_file_cell(t, column);
    if (cell.n && (!sv_i64(cell, &n) || n < 0 || n > UINT32_MAX)) {
        return table_file_wrong(t, SV_FMT " must be a whole number", SV_ARG(t->csv.header[column]));
    }
    *out = (uint32_t)n;
    return OK;
}

static enum err_code read_votes(const struct table_file *t, const struct object_columns *c, struct object_row *row)
{
    struct object_votes *v = &row->votes;
    struct sv dropped = table_file_cell(t, c->dropped);
    uint32_t main_tied = 0, number_tied = 0;
    enum err_code rc = read_vote_number(t, c->responses, &v->responses);
    rc = rc == OK ? read_vote_number(t, c->n_optimal, &v->n_optimal) : rc;
    rc = rc == OK ? read_vote_number(t, c->main_tied, &main_tied) : rc;
    rc = rc == OK ? read_vote_number(t, c->number_tied, &number_tied) : rc;
    for (; dropped.n; sv_cut(&dropped, '+')) {
        v->unassigned++;
    }
    v->main_tied = main_tied > 0;
    v->number_tied = number_tied > 0;
    v->selected = row->n_members + v->unassigned;
    return rc;
}

static enum err_code read_names(struct object_files *o, const struct table_file *t, struct sv rest,
                                struct object_row *row)
{
    enum err_code rc = OK;
    row->first_name = (uint32_t)o->names.n;
    while (rc == OK && rest.p) {
        uint32_t label = 0;
        rc = labels_known_read(&o->f.labels, t, sv_cut(&rest, '|'), &label);
        if (rc == OK) {
            *LIST_ADD(&o->names, &o->f.cli->arena, uint32_t) = label;
            rc = ++row->n > OBJECT_ROW_LABELS ? table_file_wrong(t, "more than %d objects", (int)OBJECT_ROW_LABELS) : OK;
        }
    }
    return rc;
}

/* "698:4+858:9|7:1" */
static enum err_code read_members(struct object_files *o, const struct table_file *t, struct sv rest,
                                  struct object_row *row)
{
    enum err_code rc = OK;
    int object = 0;
    row->first_member = (uint32_t)o->members.n;
    for (; rc == OK && rest.p; object++) {
        struct sv labels = sv_cut(&rest, '|');
        while (rc == OK && labels.p) {
            struct sv one = sv_cut(&labels, '+');
            struct member m = {.object = object};
            rc = labels_known_read(&o->f.labels, t, sv_cut(&one, ':'), &m.label);
            if (rc == OK) {
                *LIST_ADD(&o->members, &o->f.cli->arena, struct member) = m;
                rc = ++row->n_members > OBJECT_ROW_LABELS ? table_file_wrong(t, "more than %d labels", (int)OBJECT_ROW_LABELS) : OK;
            }
        }
    }
    return rc == OK && object != (int)row->n
               ? table_file_wrong(t, "objects and object_labels have different numbers of objects")
               : rc;
}

static enum err_code object_row(struct object_files *o, const struct table_file *t, const struct object_columns *c)
{
    struct object_row row = {.label = LABEL_NONE};
    struct sv image = table_file_cell(t, c->image), names = table_file_cell(t, c->names),
              label = table_file_cell(t, c->label);
    int64_t main_object = -1;
    if (names.n == 0) {
        return OK; /* too few responses */
    }
    row.image = names_put(&o->f.images, image);
    if (o->f.images.n > LABEL_IMAGES_MOST || o->members.n > OBJECT_MEMBERS_MOST) {
        return err_rule(&t->cli->err, ERR_LIMIT, "images", "%s has more than %d images, or %d labels.", t->csv.name,
                        (int)LABEL_IMAGES_MOST, (int)OBJECT_MEMBERS_MOST);
    }
    uint32_t next = (uint32_t)o->rows.n;
    if (image.n == 0 || map_u64_put(&o->f.pairs, row.image, next) != next) {
        return table_file_wrong(t, image.n ? "the image has a row already" : "the image has no name");
    }
    enum err_code rc = read_names(o, t, names, &row);
    rc = rc == OK ? read_members(o, t, table_file_cell(t, c->objects), &row) : rc;
    rc = rc == OK ? labels_known_read(&o->f.labels, t, table_file_cell(t, c->main), &row.main) : rc;
    rc = rc == OK && label.n ? labels_known_read(&o->f.labels, t, label, &row.label) : rc;
    if (rc == OK &&
        (!sv_i64(table_file_cell(t, c->main_object), &main_object) || main_object < 0 || main_object >= row.n)) {
        rc = table_file_wrong(t, "main_object must be the number of an object, from 0");
    }
    row.main_object = (int)main_object;
    rc = rc == OK ? read_votes(t, c, &row) : rc;
    if (rc == OK) {
        *LIST_ADD(&o->rows, &o->f.cli->arena, struct object_row) = row;
    }
    return rc;
}

static enum err_code read_objects(struct object_files *o, const char *path)
{
    struct table_file t;
    struct object_columns c = {0};
    struct err *err = &o->f.cli->err;
    bool more = true;
    enum err_code rc = table_file_open(&t, o->f.cli, path);
    rc = rc == OK ? csv_need(&t.csv, "image", &c.image, err) : rc;
    rc = rc == OK ? csv_need(&t.csv, "main_label", &c.main, err) : rc;
    rc = rc == OK ? csv_need(&t.csv, "objects", &c.objects, err) : rc;
    rc = rc == OK ? csv_need(&t.csv, "object_labels", &c.names, err) : rc;
    rc = rc == OK ? csv_need(&t.csv, "main_object", &c.main_object, err) : rc;
    c.dropped = csv_column(&t.csv, "dropped");
    c.label = csv_column(&t.csv, "label");
    c.responses = csv_column(&t.csv, "num_responses");
    c.n_optimal = csv_column(&t.csv, "n_optimal");
    c.main_tied = csv_column(&t.csv, "main_tied");
    c.number_tied = csv_column(&t.csv, "num_objects_tied");
    while (rc == OK && (rc = table_file_next(&t, &more)) == OK && more) {
        rc = object_row(o, &t, &c);
    }
    table_file_close(&t);
    map_u64_release(&o->f.pairs);
    return rc;
}

/* ---- which images count ---- */

static struct object_row **rows_by_image(const struct object_files *o)
{
    struct object_row **of = arena_calloc(&o->f.cli->arena, o->f.images.n + 1, sizeof *of), *rows = o->rows.items;
    for (size_t i = 0; i < o->rows.n; i++) {
        of[rows[i].image] = &rows[i];
    }
    return of;
}

/* Numbers of labels to ids. */
static void use_ids(struct object_files *o)
{
    const uint32_t *id = o->f.labels.id;
    struct object_row *rows = o->rows.items;
    struct member *members = o->members.items;
    uint32_t *names = o->names.items;
    for (size_t i = 0; i < o->rows.n; i++) {
        rows[i].main = id[rows[i].main];
        rows[i].label = rows[i].label == LABEL_NONE ? LABEL_NONE : id[rows[i].label];
    }
    for (size_t i = 0; i < o->members.n; i++) {
        members[i].label = id[members[i].label];
    }
    for (size_t i = 0; i < o->names.n; i++) {
        names[i] = id[names[i]];
    }
}

/* False: the image does not count. */
static bool labels_of(const struct object_files *o, const struct object_row *row, const struct about_image *about,
                      struct image_labels *out)
{
    const uint32_t *names = o->names.items;
    const struct member *members = o->members.items;
    uint32_t label = about->told ? about->label : row ? row->label : LABEL_NONE;
    if (about->staged && about->stage == CANDIDATES_EASY) {
        uint32_t *own = arena_alloc(&o->f.cli->arena, sizeof *own);
        *own = label;
        *out = (struct image_labels){label, label, own, 1, 0, 0};
        return true;
    }
    if (!row || label == LABEL_NONE || (about->staged && about->stage != CANDIDATES_FU)) {
        return false;
    }
    *out = (struct image_labels){label, row->main, names + row->first_name, row->n, row->main_object, -1};
    for (uint32_t i = 0; i < row->n_members; i++) {
        const struct member *m = &members[row->first_member + i];
        out->label_object = m->label == label ? m->object : out->label_object;
    }
    return true;
}

static void list_images(struct object_files *o, struct object_row **of)
{
    struct list list = {0}, image = {0};
    o->row_of = arena_calloc(&o->f.cli->arena, o->f.images.n + 1, sizeof *o->row_of);
    for (uint32_t i = 0; i < o->f.images.n; i++) {
        struct image_labels im;
        struct about_image about = label_files_about(&o->f, i);
        if (about.staged) {
            o->stages[about.stage]++;
        }
        if (labels_of(o, of[i], &about, &im)) {
            bool easy = about.staged && about.stage == CANDIDATES_EASY;
            o->row_of[list.n] = easy ? NULL : of[i];
            o->inferred += easy;
            *LIST_ADD(&list, &o->f.cli->arena, struct image_labels) = im;
            *LIST_ADD(&image, &o->f.cli->arena, uint32_t) = i;
        } else {
            o->left_out += about.told || of[i];
        }
    }
    o->list = (struct image_list){list.items, list.n};
    o->image = image.items;
}

static void list_answers(struct object_files *o)
{
    struct arena *a = &o->f.cli->arena;
    const struct said_row *said = o->f.said;
    uint32_t *at = arena_calloc(a, o->f.images.n + 1, sizeof *at);
    memset(at, 0xff, o->f.images.n * sizeof *at);
    for (size_t i = 0; i < o->list.n; i++) {
        at[o->image[i]] = (uint32_t)i;
    }
    o->answers = arena_calloc(a, o->f.models.n + 1, sizeof *o->answers);
    for (size_t m = 0; m < o->f.models.n; m++) {
        o->answers[m] = arena_calloc(a, o->list.n + 1, sizeof **o->answers);
        memset(o->answers[m], 0xff, o->list.n * sizeof **o->answers); /* LABEL_NONE */
    }
    for (size_t i = 0; i < o->f.n_said; i++) {
        if (said[i].rank == 0 && at[said[i].image] != LABEL_NONE) {
            o->answers[said[i].model][at[said[i].image]] = said[i].label;
        }
    }
}

static void warn_of_gaps(const struct object_files *o)
{
    for (size_t m = 0; m < o->f.models.n; m++) {
        size_t without = 0;
        for (size_t i = 0; i < o->list.n; i++) {
            without += o->answers[m][i] == LABEL_NONE;
        }
        if (without) {
            cli_warn(o->f.cli, "Model " SV_FMT " says nothing about %zu of %zu images; they count as wrong.",
                     SV_ARG(o->f.models.at[m]), without, o->list.n);
        }
    }
}

enum err_code object_files_read(struct object_files *o, struct cli *cli)
{
    const char *images = cli_opt(cli, "images"), *classes = cli_opt(cli, "classes"),
               *said = cli_opt(cli, "predictions");
    enum err_code rc = classes ? read_superclasses(o, classes) : OK;
    rc = rc == OK && images ? label_files_images(&o->f, images) : rc;
    rc = rc == OK ? read_objects(o, cli->args[0]) : rc;
    rc = rc == OK && said ? label_files_predictions(&o->f, said, 1) : rc;
    if (rc != OK) {
        return rc;
    }
    label_files_end(&o->f);
    use_ids(o);
    list_images(o, rows_by_image(o));
    if (o->list.n && o->f.models.n > ANSWERS_MOST / o->list.n) {
        return err_rule(&cli->err, ERR_LIMIT, "predictions", "%zu models and %zu images are too many: at most %d answers.",
                        o->f.models.n, o->list.n, (int)ANSWERS_MOST);
    }
    list_answers(o);
    if (o->list.n == 0) {
        return err_rule(&cli->err, ERR_INPUT, "objects",
                        "No image counts: %s has no objects of images whose label is known.", cli->args[0]);
    }
    warn_of_gaps(o);
    return OK;
}

struct object_votes object_files_votes(const struct object_files *o, size_t at)
{
    const struct object_row *row = o->row_of[at];
    return row ? row->votes : (struct object_votes){.inferred = true};
}
