/* potential_file.c - rows of the file, checked as they come. */
#include "transfer/labels/potential_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "formats/csv.h"
#include "store/images/images.h"
#include "transfer/imports/lines.h"

struct potential_file {
    struct import im;
    struct csv csv;
    int image, wnid, source; /* columns; source -1: not there */
    const struct potential_image *images;
    size_t n_images;
    struct map_u64 seen;     /* class and image */
    struct potential_named *rows;
    size_t n, cap;
};

static enum err_code find_image(struct potential_file *f, uint32_t *out)
{
    struct sv name = sv_trim(f->csv.cells[f->image]);
    int64_t id = 0;
    enum err_code rc = images_find(f->im.tr->db, name, &id, f->im.tr->err);
    size_t at = sorted_u32(f->images, f->n_images, sizeof *f->images, offsetof(struct potential_image, image), (uint32_t)id);
    bool among = id && at < f->n_images && f->images[at].image == id;
    if (rc == OK && !among) {
        import_bad(&f->im, f->csv.line, "%s image " SV_FMT, id ? "the plan is not about" : "there is no", SV_ARG(name));
    }
    *out = among ? (uint32_t)id : 0;
    return rc;
}

static enum err_code read_row(struct potential_file *f)
{
    uint32_t image;
    struct sv source = f->source < 0 ? SV("") : sv_trim(f->csv.cells[f->source]);
    int64_t class_id = import_class(&f->im, f->csv.line, sv_trim(f->csv.cells[f->wnid]));
    enum err_code rc = find_image(f, &image);
    if (source.n > LABEL_PLAN_SOURCE) {
        import_bad(&f->im, f->csv.line, "a source has at most %d bytes", (int)LABEL_PLAN_SOURCE);
    }
    if (rc != OK || !image || !class_id) {
        return rc;
    }
    uint32_t next = (uint32_t)f->n;
    if (map_u64_put(&f->seen, (uint64_t)class_id << 32 | image, next) != next) {
        import_bad(&f->im, f->csv.line, "the image has this label twice");
        return OK;
    }
    xgrow(&f->rows, &f->cap, f->n + 1, sizeof *f->rows);
    f->rows[f->n++] = (struct potential_named){image, (uint32_t)class_id, source.n ? arena_cstr(f->im.tr->arena, source) : NULL};
    return f->n <= LABEL_PLAN_LABELS
               ? OK
               : err_rule(f->im.tr->err, ERR_LIMIT, "label-plan-labels", "%s has more than %d labels.", f->im.name, (int)LABEL_PLAN_LABELS);
}

static enum err_code read_all(struct potential_file *f)
{
    struct err *err = f->im.tr->err;
    bool more = true;
    enum err_code rc = csv_open(&f->csv, f->im.name, f->im.text, err);
    rc = rc == OK ? csv_need(&f->csv, "image", &f->image, err) : rc;
    rc = rc == OK ? csv_need(&f->csv, "wnid", &f->wnid, err) : rc;
    f->source = csv_column(&f->csv, "source");
    while (rc == OK && (rc = csv_next(&f->csv, &more, err)) == OK && more) {
        rc = read_row(f);
    }
    csv_close(&f->csv);
    return rc == OK ? import_checked(&f->im) : rc;
}

static int by_pair(const void *a, const void *b)
{
    const struct potential_named *x = a, *y = b;
    return x->image != y->image ? (x->image > y->image) - (x->image < y->image)
                                : (x->class_id > y->class_id) - (x->class_id < y->class_id);
}

enum err_code potential_file_read(struct transfer *tr, const char *path, const struct potential_image *images, size_t n_images,
                                  struct potential_named **out, size_t *n)
{
    struct potential_file f = {.images = images, .n_images = n_images};
    *out = NULL;
    *n = 0;
    enum err_code rc = import_open(&f.im, tr, path);
    map_u64_init(&f.seen);
    rc = rc == OK ? read_all(&f) : rc;
    if (rc == OK) {
        *out = arena_calloc(tr->arena, f.n + 1, sizeof **out);
        *n = f.n;
        if (f.n) {
            qsort(f.rows, f.n, sizeof *f.rows, by_pair);
            memcpy(*out, f.rows, f.n * sizeof **out);
        }
    }
    map_u64_release(&f.seen);
    free(f.rows);
    import_close(&f.im);
    return rc;
}
