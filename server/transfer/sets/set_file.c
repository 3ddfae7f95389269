/* set_file.c - reads a list of images with their labels from CSV or a published dataset's JSON. */
#include "transfer/sets/set_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/csv.h"
#include "formats/manifest.h"
#include "store/sets/sets.h"

enum { IGNORED_MOST = 200 };

/* Where the reader is, and which names it has seen. */
struct reading {
    struct set_file *f;
    struct import *im;
    struct map_sv names;
};

static void add_entry(struct reading *r, uint64_t line, struct sv name, struct sv wnid)
{
    struct set_file *f = r->f;
    uint32_t at = map_sv_get(&r->im->classes, wnid);
    if (!manifest_id_good(name)) {
        import_bad(r->im, line, "an image's name has 1 to %d bytes of UTF-8 without control characters",
                   MANIFEST_ID_MOST);
        return;
    }
    if (at == MAP_NONE) {
        import_class(r->im, line, wnid); /* says so */
        return;
    }
    if (map_sv_put(&r->names, name, (uint32_t)f->n) != f->n) {
        import_bad(r->im, line, "image " SV_FMT " appears twice in the list", SV_ARG(name));
        return;
    }
    xgrow(&f->entries, &f->cap, f->n + 1, sizeof *f->entries);
    f->entries[f->n++] = (struct set_entry){arena_sv(r->im->tr->arena, name), at, line};
}

/* ---- CSV ---- */

struct set_columns {
    int image, wnid, row, cid;
};

static void note_ignored(struct set_file *f, const struct csv *csv, const struct set_columns *col,
                         struct arena *a)
{
    struct str s;
    str_init(&s, IGNORED_MOST);
    for (int i = 0; i < (int)csv->n_header; i++) {
        if (i != col->image && i != col->wnid && i != col->row && i != col->cid) {
            str_printf(&s, "%s" SV_FMT, s.n ? ", " : "", SV_ARG(csv->header[i]));
        }
    }
    f->ignored = s.n ? arena_sv(a, str_sv(&s)) : SV("");
    str_release(&s);
}

/* The number of the row and of its class, where the file has them, must say what the rest says: a list that
 * was sorted or cut has lost which prediction is whose. */
static void check_row(struct reading *r, const struct csv *csv, const struct set_columns *col,
                      uint64_t row)
{
    int64_t v = -1;
    struct sv wnid = csv->cells[col->wnid];
    if (col->row >= 0 && (!sv_i64(csv->cells[col->row], &v) || v < 0 || (uint64_t)v != row)) {
        import_bad(r->im, csv->line, "row is " SV_FMT ", but this is row %llu of the list",
                   SV_ARG(csv->cells[col->row]), (unsigned long long)row);
    }
    uint32_t at = col->cid < 0 ? MAP_NONE : map_sv_get(&r->im->classes, wnid);
    if (at != MAP_NONE &&
        (!sv_i64(csv->cells[col->cid], &v) || v != r->im->class_list[at].cid)) {
        import_bad(r->im, csv->line, "cid is " SV_FMT ", but class " SV_FMT " has %lld in this project",
                   SV_ARG(csv->cells[col->cid]), SV_ARG(wnid),
                   (long long)r->im->class_list[at].cid);
    }
}

static enum err_code read_csv(struct reading *r)
{
    struct csv csv;
    struct set_columns col = {0};
    struct err *err = r->im->tr->err;
    bool more = true;
    uint64_t row = 0;
    enum err_code rc = csv_open(&csv, r->im->name, r->im->text, err);
    rc = rc == OK ? csv_need(&csv, "image", &col.image, err) : rc;
    rc = rc == OK ? csv_need(&csv, "wnid", &col.wnid, err) : rc;
    if (rc == OK) {
        col.row = csv_column(&csv, "row");
        col.cid = csv_column(&csv, "cid");
        note_ignored(r->f, &csv, &col, r->im->tr->arena);
    }
    while (rc == OK && row <= SET_IMAGES && (rc = csv_next(&csv, &more, err)) == OK && more) {
        check_row(r, &csv, &col, row);
        add_entry(r, csv.line, csv.cells[col.image], csv.cells[col.wnid]);
        transfer_progress(r->im->tr, "reading the list", row++, 0);
    }
    csv_close(&csv);
    return rc;
}

/* ---- a published dataset ---- */

static struct sv text_of(const json_t *v)
{
    return json_is_string(v) ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

static enum err_code read_dataset(struct reading *r)
{
    json_error_t why;
    struct import *im = r->im;
    json_t *whole = json_loadb(im->text.p, im->text.n, JSON_REJECT_DUPLICATES, &why);
    json_t *list = json_object_get(whole, "image_filenames");
    enum err_code rc = OK;
    if (!whole) {
        rc = err_set(im->tr->err, ERR_INPUT, "%s:%d: %s", im->name, why.line, why.text);
    } else if (!json_is_array(list)) {
        rc = err_rule(im->tr->err, ERR_INPUT, "set-format",
                      "%s has no list \"image_filenames\" of [image, wnid], so it is not a published "
                      "dataset. Nothing was written.", im->name);
    } else if (json_array_size(list) > SET_IMAGES) {
        rc = err_rule(im->tr->err, ERR_LIMIT, "set-images",
                      "%s has %zu images; a set can have at most %d. Nothing was written.", im->name,
                      json_array_size(list), SET_IMAGES);
    }
    for (size_t i = 0; rc == OK && i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i);
        struct sv name = text_of(json_array_get(pair, 0)), wnid = text_of(json_array_get(pair, 1));
        if (json_array_size(pair) != 2 || !name.n || !wnid.n) {
            import_bad(im, i + 1, "entry %zu of image_filenames is not [image, wnid]", i + 1);
        } else {
            add_entry(r, i + 1, name, wnid);
        }
    }
    if (rc == OK) {
        json_object_del(whole, "image_filenames");
        r->f->parameters = json_incref(whole);
    }
    json_decref(whole);
    return rc;
}

enum err_code set_file_read(struct set_file *f, struct import *im)
{
    struct reading r = {.f = f, .im = im};
    struct sv start = sv_trim(im->text);
    bool json = start.n && start.p[0] == '{';
    *f = (struct set_file){.format = json ? "dataset" : "csv"};
    map_sv_init(&r.names);
    enum err_code rc = json ? read_dataset(&r) : read_csv(&r);
    map_sv_release(&r.names);
    rc = rc == OK ? import_checked(im) : rc;
    if (rc == OK && f->n > SET_IMAGES) {
        rc = err_rule(im->tr->err, ERR_LIMIT, "set-images",
                      "%s has more than %d images, the most that a set can have. Nothing was "
                      "written.", im->name,
                      SET_IMAGES);
    }
    if (rc == OK && f->n == 0) {
        rc = err_rule(im->tr->err, ERR_INPUT, "set-empty", "%s lists no image. Nothing was written.",
                      im->name);
    }
    transfer_progress_end(im->tr);
    return rc;
}

void set_file_release(struct set_file *f)
{
    free(f->entries);
    json_decref(f->parameters);
}
