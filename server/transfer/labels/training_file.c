/* training_file.c - rows are checked one by one; nothing is written here. */
#include "transfer/labels/training_file.h"

#include "base/list.h"
#include "base/map.h"
#include "formats/csv.h"
#include "store/classes/classes.h"
#include "store/images/images.h"

struct reading {
    struct db *db;
    struct csv csv;
    int image, wnid; /* columns; wnid -1: none */
    struct map_u64 seen;
    struct arena *a;
    struct err *err;
};

static enum err_code wrong(struct reading *r, struct sv what, const char *why)
{
    return err_rule(r->err, ERR_INPUT, "training-file", "%s:%llu: " SV_FMT ": %s Nothing was stored.", r->csv.name,
                    (unsigned long long)r->csv.line, SV_ARG(what), why);
}

static enum err_code read_row(struct reading *r, struct training_item *out)
{
    const struct sv name = r->csv.cells[r->image], wnid = r->wnid < 0 ? SV("") : r->csv.cells[r->wnid];
    struct image_row image;
    struct class_info k;
    int64_t id = 0;
    enum err_code rc = images_find(r->db, name, &id, r->err);
    if (rc == OK && id == 0) {
        return wrong(r, name, "there is no such image.");
    }
    if (rc == OK && map_u64_get(&r->seen, (uint64_t)id) != MAP_NONE) {
        return wrong(r, name, "the image is listed twice.");
    }
    rc = rc == OK ? images_get(r->db, id, r->a, &image, r->err) : rc;
    if (rc == OK && wnid.n == 0 && sv_is(image.role, "candidate")) {
        return wrong(r, name, "it is a candidate, whose class nobody has confirmed: name it in a column wnid.");
    }
    map_u64_put(&r->seen, (uint64_t)id, 1);
    *out = (struct training_item){(uint32_t)id, (uint32_t)image.class_id};
    if (rc != OK || wnid.n == 0) {
        return rc;
    }
    rc = classes_find(r->db, wnid, r->a, &k, r->err);
    out->class_id = rc == OK ? (uint32_t)k.id : 0;
    return rc == ERR_NOT_FOUND ? wrong(r, wnid, "there is no such class.") : rc;
}

static enum err_code read_rows(struct reading *r, struct list *rows)
{
    bool more = true;
    enum err_code rc = csv_need(&r->csv, "image", &r->image, r->err);
    r->wnid = csv_column(&r->csv, "wnid");
    while (rc == OK && (rc = csv_next(&r->csv, &more, r->err)) == OK && more) {
        struct training_item item;
        if (rows->n == TRAINING_IMAGES) {
            return wrong(r, r->csv.cells[r->image], "a training list has at most 5000 images.");
        }
        rc = read_row(r, &item);
        if (rc == OK) {
            *LIST_ADD(rows, r->a, struct training_item) = item;
        }
    }
    return rc;
}

enum err_code training_file_read(struct db *db, const char *name, struct sv text, struct arena *a, struct training_item **out,
                                 size_t *n, struct err *err)
{
    struct reading r = {.db = db, .a = a, .err = err};
    struct list rows = {0};
    map_u64_init(&r.seen);
    enum err_code rc = csv_open(&r.csv, name, text, err);
    if (rc == OK) {
        rc = read_rows(&r, &rows);
        csv_close(&r.csv);
    }
    map_u64_release(&r.seen);
    *out = rows.items;
    *n = rows.n;
    return rc;
}
