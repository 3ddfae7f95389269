/* image_list_import.c - `holdout import image-list`: images by name, without pixels.
 * Columns: idx (number that hits refer to, optional), image, wnid, kind (cand, val, or a role),
 * source_id, date_taken (optional). */
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "formats/manifest.h"
#include "store/images/images.h"
#include "domain/images/image_role.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

enum { CHUNK = 200, NAME_MOST = 255 };

struct columns {
    int idx, image, wnid, kind, source_id, date_taken;
};

struct list_import {
    struct import im;
    struct csv csv;
    struct columns col;
    uint64_t rows, done, added;
};

static enum err_code open_csv(struct list_import *li)
{
    struct err *err = li->im.tr->err;
    enum err_code rc = csv_open(&li->csv, li->im.name, li->im.text, err);
    rc = rc == OK ? csv_need(&li->csv, "image", &li->col.image, err) : rc;
    rc = rc == OK ? csv_need(&li->csv, "wnid", &li->col.wnid, err) : rc;
    rc = rc == OK ? csv_need(&li->csv, "kind", &li->col.kind, err) : rc;
    li->col.idx = csv_column(&li->csv, "idx");
    li->col.source_id = csv_column(&li->csv, "source_id");
    li->col.date_taken = csv_column(&li->csv, "date_taken");
    return rc;
}

/* The role that a kind means; empty for an unknown one. */
static struct sv role_of(struct sv kind)
{
    if (sv_is(kind, "cand")) {
        return SV("candidate");
    }
    if (sv_is(kind, "val")) {
        return SV("original");
    }
    enum image_role role = image_role_of(kind);
    return role < IMAGE_ROLES ? sv_of(image_role_words[role]) : SV("");
}

static struct sv optional(const struct csv *csv, int col)
{
    return col < 0 ? SV("") : csv->cells[col];
}

/* The row as an image; what is wrong with it is a bad row. */
static struct image_row read_row(struct list_import *li)
{
    const struct csv *csv = &li->csv;
    struct image_row i = {
        .name = csv->cells[li->col.image],
        .class_id = import_class(&li->im, csv->line, csv->cells[li->col.wnid]),
        .role = role_of(csv->cells[li->col.kind]),
        .source_id = optional(csv, li->col.source_id),
        .taken_at = optional(csv, li->col.date_taken),
        .idx = -1,
    };
    if (i.name.n == 0 || i.name.n > NAME_MOST) {
        import_bad(&li->im, csv->line, "the image's name must have 1 to %d bytes", NAME_MOST);
    }
    if (i.role.n == 0) {
        import_bad(&li->im, csv->line, "kind must be cand, val, " IMAGE_ROLE_LIST);
    }
    if (i.taken_at.n && !manifest_date_good(i.taken_at)) {
        import_bad(&li->im, csv->line, "date_taken \"" SV_FMT "\" must be a date YYYY-MM-DD or YYYY-MM-DD HH:MM:SS",
                   SV_ARG(i.taken_at));
    }
    if (li->col.idx >= 0 && (!sv_i64(csv->cells[li->col.idx], &i.idx) || i.idx < 0)) {
        import_bad(&li->im, csv->line, "idx must be a whole number from 0");
    }
    return i;
}

/* A row that contradicts what is in the project is a bad row as well. */
static enum err_code compare_row(struct list_import *li, const struct image_row *i)
{
    struct err why = {OK, "", ""};
    bool known;
    enum err_code rc = images_check(li->im.tr->db, i, &known, &why);
    if (rc == ERR_CONFLICT) {
        import_bad(&li->im, li->csv.line, "%s", why.msg);
        return OK;
    }
    *li->im.tr->err = why;
    return rc;
}

static enum err_code validate(struct list_import *li)
{
    struct map_sv names;
    struct map_u64 numbers;
    bool more = true;
    map_sv_init(&names);
    map_u64_init(&numbers);
    enum err_code rc = open_csv(li);
    while (rc == OK && (rc = csv_next(&li->csv, &more, li->im.tr->err)) == OK && more) {
        uint64_t bad = li->im.bad;
        struct image_row i = read_row(li);
        uint32_t row = (uint32_t)li->rows++;
        if (map_sv_put(&names, i.name, row) != row) {
            import_bad(&li->im, li->csv.line, "image " SV_FMT " appears twice in the list",
                       SV_ARG(i.name));
        }
        if (i.idx >= 0 && map_u64_put(&numbers, (uint64_t)i.idx, row) != row) {
            import_bad(&li->im, li->csv.line, "idx %lld appears twice in the list",
                       (long long)i.idx);
        }
        rc = li->im.bad == bad ? compare_row(li, &i) : OK;
    }
    csv_close(&li->csv);
    map_sv_release(&names);
    map_u64_release(&numbers);
    return rc == OK ? import_checked(&li->im) : rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct list_import *li = arg;
    uint64_t added_here = 0;
    enum err_code rc = OK;
    *more = true;
    for (int k = 0; k < CHUNK && rc == OK; k++) {
        rc = csv_next(&li->csv, more, err);
        if (rc != OK || !*more) {
            break;
        }
        struct image_row i = read_row(li);
        bool added = false;
        rc = images_put(db, &i, &added, err);
        added_here += added;
        li->done++;
    }
    if (rc == OK) {
        rc = images_event(db, added_here, li->im.now, err);
        li->added += added_here;
    }
    transfer_progress(li->im.tr, "images", li->done, li->rows);
    return rc;
}

enum err_code image_list_import(struct transfer *tr, const char *path)
{
    struct list_import li = {0};
    enum err_code rc = import_open(&li.im, tr, path);
    rc = rc == OK ? validate(&li) : rc;
    if (rc == OK && !tr->dry_run) {
        rc = open_csv(&li);
        rc = rc == OK ? bulk_write(tr->db, tr->alone, write_step, &li, tr->err) : rc;
        csv_close(&li.csv);
    }
    if (rc == OK) {
        transfer_progress_end(tr);
        transfer_note(tr, "%llu images read, %llu new%s.", (unsigned long long)li.rows,
                 (unsigned long long)li.added, tr->dry_run ? " (dry run)" : "");
    }
    import_close(&li.im);
    return rc;
}
