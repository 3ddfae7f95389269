/* label_file.c - which format a file has, what its rows say of one image together, and what a list about images adds. */
#include "transfer/labels/label_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/csv.h"

void label_file_open(struct label_file *f, struct import *im, struct prediction_target *t)
{
    *f = (struct label_file){.im = im, .target = t};
    map_u64_init(&f->by_image);
}

void label_file_close(struct label_file *f)
{
    map_u64_release(&f->by_image);
    free(f->images);
    free(f->image_line);
    free(f->rows);
}

/* ---- adding ---- */

bool label_file_image_id(struct label_file *f, uint64_t line, uint32_t image, uint32_t *at)
{
    if (f->n_images >= LABEL_IMAGES) {
        import_bad(f->im, line, "there are more than %d images", LABEL_IMAGES);
        return false;
    }
    *at = map_u64_put(&f->by_image, image, (uint32_t)f->n_images);
    if (*at == f->n_images) {
        xgrow(&f->images, &f->cap_images, f->n_images + 1, sizeof *f->images);
        xgrow(&f->image_line, &f->cap_lines, f->n_images + 1, sizeof *f->image_line);
        f->image_line[f->n_images] = line;
        f->images[f->n_images++] = (struct label_image){.image = image, .main_object = -1};
    }
    return true;
}

bool label_file_image(struct label_file *f, uint64_t line, struct sv name, uint32_t *at)
{
    uint32_t image = 0;
    uint16_t label;
    struct import *was = f->target->im;
    f->target->im = f->im;
    enum err_code rc = prediction_target_find(f->target, line, name, &image, &label);
    f->target->im = was;
    return rc == OK && image && label_file_image_id(f, line, image, at);
}

struct label *label_file_add(struct label_file *f, uint64_t line, uint32_t at, uint16_t cid)
{
    if (f->n_rows >= LABELS_MOST) {
        import_bad(f->im, line, "there are more than %d labels", LABELS_MOST);
        return NULL;
    }
    xgrow(&f->rows, &f->cap_rows, f->n_rows + 1, sizeof *f->rows);
    struct label_row *row = &f->rows[f->n_rows];
    *row = (struct label_row){at, (uint32_t)f->n_rows, line, {.cid = cid, .object = -1, .votes = -1}};
    f->n_rows++;
    return &row->l;
}

/* ---- one image ---- */

static int by_image(const void *a, const void *b)
{
    const struct label_row *x = a, *y = b;
    return x->image != y->image ? (x->image > y->image) - (x->image < y->image) : (x->seq > y->seq) - (x->seq < y->seq);
}

/* The label of that number among those that the book has of its last image; NULL. */
static struct label *same_label(struct label_book *b, uint16_t cid)
{
    const struct label_image *image = &b->images[b->n - 1];
    for (uint32_t i = 0; i < image->n; i++) {
        if (b->labels[image->first + i].cid == cid) {
            return &b->labels[image->first + i];
        }
    }
    return NULL;
}

/* A label that was there before: two verdicts are a conflict that is settled, all else is wrong. */
static void settle(struct label_file *f, const struct label_row *row, struct label *there)
{
    if (f->kind != LABEL_KIND_REVIEW || there->verdict == row->l.verdict) {
        import_bad(f->im, row->line, "the image has the label %d twice", row->l.cid);
        return;
    }
    f->conflicts++;
    there->verdict = row->l.verdict < there->verdict ? row->l.verdict : there->verdict;
}

static void take_row(struct label_file *f, const struct label_row *row, struct label_book *b, const uint32_t *class_ids)
{
    struct label *there = same_label(b, row->l.cid);
    if (there) {
        settle(f, row, there);
    } else if (b->images[b->n - 1].n == LABELS_OF_IMAGE) {
        import_bad(f->im, row->line, "the image has more than %d labels", LABELS_OF_IMAGE);
    } else {
        struct label *l = label_book_label(b, class_ids[row->l.cid], row->l.cid);
        const uint32_t class_id = l->class_id;
        *l = row->l;
        l->class_id = class_id;
    }
}

/* What is wrong with an image's labels together; NULL: nothing. */
static const char *wrong_image(const struct label_file *f, const struct label_image *image, const struct label *labels)
{
    int mains = 0, objects = 0;
    bool seen[LABEL_OBJECTS] = {false};
    for (uint32_t i = 0; i < image->n; i++) {
        const struct label *l = &labels[image->first + i];
        mains += l->main;
        objects = l->object >= objects ? l->object + 1 : objects;
        if (l->object >= 0) {
            seen[l->object] = true;
        }
    }
    for (int i = 0; i < objects; i++) {
        if (!seen[i]) {
            return "the objects of an image are numbered from 0, without gaps";
        }
    }
    if (f->kind == LABEL_KIND_MAIN && image->n != 1) {
        return "a source of main labels has exactly one label of each image";
    }
    if (mains > 1) {
        return "an image has one main label";
    }
    return image->main_object >= objects ? "the main object is none of the image's objects" : NULL;
}

enum err_code label_file_book(struct label_file *f, struct label_book *out)
{
    uint32_t *class_ids = xcalloc(PREDICTION_NONE + 1, sizeof *class_ids);
    size_t k = 0;
    *out = (struct label_book){.n = 0};
    for (size_t i = 0; i < f->im->n_classes; i++) {
        int64_t cid = f->im->class_list[i].cid;
        if (cid >= 0 && cid < PREDICTION_NONE) {
            class_ids[cid] = (uint32_t)f->im->class_list[i].id;
        }
    }
    if (f->n_rows) {
        qsort(f->rows, f->n_rows, sizeof *f->rows, by_image);
    }
    for (uint32_t i = 0; i < f->n_images; i++) {
        struct label_image *image = label_book_image(out, f->images[i].image);
        image->problematic = f->images[i].problematic;
        image->partial = f->images[i].partial;
        image->inferred = f->images[i].inferred;
        image->main_object = f->images[i].main_object;
        for (; k < f->n_rows && f->rows[k].image == i; k++) {
            take_row(f, &f->rows[k], out, class_ids);
        }
        const char *why = wrong_image(f, &out->images[i], out->labels);
        if (why) {
            import_bad(f->im, f->image_line[i], "%s", why);
        }
    }
    free(class_ids);
    return import_checked(f->im);
}

/* ---- about images ---- */

struct about {
    struct label_file *f;
    struct import im;
    struct csv csv;
    int image, stage, label, pool, problematic; /* columns; -1: not there */
};

static bool flag(struct about *a, int column, const char *name, bool otherwise)
{
    struct sv cell = column < 0 ? SV("") : sv_trim(a->csv.cells[column]);
    if (cell.n && !sv_is(cell, "0") && !sv_is(cell, "1")) {
        import_bad(&a->im, a->csv.line, "%s must be 0 or 1, not \"" SV_FMT "\"", name, SV_ARG(cell));
    }
    return cell.n ? sv_is(cell, "1") : otherwise;
}

/* Of a source of objects: whether the image is in it, and what follows. */
static bool take_stage(struct about *a, struct sv stage, uint32_t image)
{
    struct label_file *f = a->f;
    uint32_t known = map_u64_get(&f->by_image, image), at;
    bool easy = sv_is(stage, "easy"), out = sv_is(stage, "mis") || sv_is(stage, "amb");
    if ((easy || out) && known != MAP_NONE) {
        import_bad(&a->im, a->csv.line, "the image has labels in the other file, although its stage is " SV_FMT, SV_ARG(stage));
    } else if (!easy && !out && known == MAP_NONE) {
        import_bad(&a->im, a->csv.line, "the image has no labels in the other file, although its stage is " SV_FMT, SV_ARG(stage));
    }
    f->left_out += out;
    if (easy && known == MAP_NONE && a->label >= 0 && label_file_image_id(f, a->csv.line, image, &at)) {
        uint16_t cid = prediction_label(f->target, a->csv.line, sv_trim(a->csv.cells[a->label]));
        struct label *l = cid == PREDICTION_NONE ? NULL : label_file_add(f, a->csv.line, at, cid);
        if (l) {
            l->main = true;
            l->object = 0;
            f->images[at].inferred = true;
            f->inferred++;
        }
    } else if (easy && known == MAP_NONE) {
        import_bad(&a->im, a->csv.line, "an image whose stage is easy needs its label: the column label is missing");
    }
    return easy;
}

static enum err_code about_row(struct about *a)
{
    struct label_file *f = a->f;
    uint32_t image = 0, at = MAP_NONE;
    uint16_t label;
    struct sv stage = a->stage < 0 ? SV("") : sv_trim(a->csv.cells[a->stage]);
    if (f->stage && !sv_is(stage, f->stage)) {
        return OK;
    }
    f->target->im = &a->im;
    enum err_code rc = prediction_target_find(f->target, a->csv.line, sv_trim(a->csv.cells[a->image]), &image, &label);
    if (rc != OK || image == 0) {
        return rc;
    }
    bool listed = f->kind == LABEL_KIND_OBJECTS && stage.n ? take_stage(a, stage, image) || map_u64_get(&f->by_image, image) != MAP_NONE
                                                           : label_file_image_id(f, a->csv.line, image, &at);
    at = listed ? map_u64_get(&f->by_image, image) : MAP_NONE;
    if (at != MAP_NONE) {
        f->images[at].problematic |= flag(a, a->problematic, "problematic", false);
        f->images[at].partial |= !flag(a, a->pool, "in_review_pool", true);
    }
    return OK;
}

enum err_code label_file_about(struct label_file *f, const char *path)
{
    struct about a = {.f = f};
    struct err *err = f->im->tr->err;
    bool more = true;
    enum err_code rc = import_open_beside(&a.im, f->im, path);
    rc = rc == OK ? csv_open(&a.csv, a.im.name, a.im.text, err) : rc;
    rc = rc == OK ? csv_need(&a.csv, "image", &a.image, err) : rc;
    a.stage = csv_column(&a.csv, "stage");
    a.label = csv_column(&a.csv, "label");
    a.pool = csv_column(&a.csv, "in_review_pool");
    a.problematic = csv_column(&a.csv, "problematic");
    if (rc == OK && a.stage < 0 && a.pool < 0 && a.problematic < 0) {
        rc = err_rule(err, ERR_INPUT, "label-about", "%s has none of the columns stage, in_review_pool, problematic.", a.im.name);
    }
    struct import *was = f->target->im;
    while (rc == OK && (rc = csv_next(&a.csv, &more, err)) == OK && more) {
        rc = about_row(&a);
    }
    f->target->im = was;
    csv_close(&a.csv);
    rc = rc == OK ? import_checked(&a.im) : rc;
    import_close(&a.im);
    return rc;
}

/* ---- formats ---- */

enum err_code label_file_read(struct label_file *f)
{
    struct sv text = sv_trim(f->im->text), rest = text, first = sv_trim(sv_cut(&rest, '\n'));
    json_error_t why;
    json_t *line = sv_starts(text, "{") ? json_loadb(first.p, first.n, 0, &why) : NULL;
    bool jsonl = line && (json_object_get(line, "image") || json_object_get(line, "file_name"));
    json_decref(line);
    enum err_code rc = jsonl                                              ? label_read_jsonl(f)
                       : sv_starts(text, "[") || sv_starts(text, "{") ? label_read_items(f)
                                                                          : label_read_csv(f);
    if (rc == OK && f->n_images == 0 && f->im->bad == 0) {
        rc = err_rule(f->im->tr->err, ERR_INPUT, "labels-none", "%s has no rows%s%s. Nothing was written.", f->im->name,
                      f->stage ? " of stage " : "", f->stage ? f->stage : "");
    }
    return rc == OK ? import_checked(f->im) : rc;
}
