/* tasks.c - reads CLASSIFY tasks from a file, for `holdout classify`. */
#include "transfer/labels/tasks.h"

#include "base/list.h"
#include "formats/csv.h"
#include "store/images/images.h"
#include "transfer/imports/lines.h"

struct reading {
    struct import im;
    struct csv csv;
    int image, label, known; /* columns; known -1: not there */
    struct list tasks;       /* struct task_new */
    struct task_new *now;    /* of the image whose rows these are; NULL: its image is not known */
    struct map_sv seen;
    uint64_t first;          /* line of its first row */
};

/* An image's rows are over. */
static void finish(struct reading *r, struct tasks_found *found)
{
    struct task_new *t = r->now;
    r->now = NULL;
    if (!t) {
        return;
    }
    if (t->options.n == 1) { /* nobody has to be asked which */
        found->single++;
        r->tasks.n--;
    }
}

static enum err_code begin(struct reading *r, struct sv name)
{
    int64_t image = 0, cid = 0;
    uint32_t at = (uint32_t)r->seen.n;
    r->first = r->csv.line;
    if (map_sv_put(&r->seen, name, at) != at) {
        import_bad(&r->im, r->csv.line, "the rows of image " SV_FMT " do not stand together", SV_ARG(name));
        return OK;
    }
    enum err_code rc = images_find_cid(r->im.tr->db, name, &image, &cid, r->im.tr->err);
    if (rc == OK && image == 0) {
        import_bad(&r->im, r->csv.line, "there is no image " SV_FMT, SV_ARG(name));
    } else if (rc == OK) {
        r->now = LIST_ADD(&r->tasks, r->im.tr->arena, struct task_new);
        *r->now = (struct task_new){.image = image};
        for (size_t i = 0; i < r->im.n_classes; i++) {
            r->now->class_id += r->im.class_list[i].cid == cid ? r->im.class_list[i].id : 0;
        }
    }
    return rc;
}

static void add_label(struct reading *r)
{
    struct grid_options *o = &r->now->options;
    int64_t class_id = import_class(&r->im, r->csv.line, sv_trim(r->csv.cells[r->label]));
    struct sv known = r->known < 0 ? SV("") : sv_trim(r->csv.cells[r->known]);
    for (unsigned i = 0; i < o->n; i++) {
        if (class_id && o->class_id[i] == class_id) {
            import_bad(&r->im, r->csv.line, "this label of the image is already in an earlier row");
            return;
        }
    }
    if (o->n == GRID_OPTIONS) {
        import_bad(&r->im, r->csv.line, "an image can have at most %d labels", GRID_OPTIONS);
        return;
    }
    if (known.n && !sv_is(known, "0") && !sv_is(known, "1")) {
        import_bad(&r->im, r->csv.line, "known must be 1, 0 or empty");
    }
    o->known |= sv_is(known, "1") ? UINT32_C(1) << o->n : 0;
    o->class_id[o->n++] = class_id;
}

static enum err_code read_rows(struct reading *r, struct tasks_found *found)
{
    struct str last;
    bool more = true;
    enum err_code rc = OK;
    str_init(&last, 1 << 16);
    while (rc == OK && (rc = csv_next(&r->csv, &more, r->im.tr->err)) == OK && more) {
        struct sv name = sv_trim(r->csv.cells[r->image]);
        if (r->first == 0 || !sv_eq(name, str_sv(&last))) {
            finish(r, found);
            rc = begin(r, name);
            str_clear(&last);
            str_addsv(&last, name);
        }
        if (rc == OK && r->now) {
            add_label(r);
        }
    }
    finish(r, found);
    str_release(&last);
    return rc;
}

static enum err_code read_file(struct reading *r, struct tasks_found *found)
{
    struct err *err = r->im.tr->err;
    enum err_code rc = csv_open(&r->csv, r->im.name, r->im.text, err);
    rc = rc == OK ? csv_need(&r->csv, "image", &r->image, err) : rc;
    rc = rc == OK ? csv_need(&r->csv, "label", &r->label, err) : rc;
    r->known = csv_column(&r->csv, "known");
    rc = rc == OK ? read_rows(r, found) : rc;
    csv_close(&r->csv);
    rc = rc == OK ? import_checked(&r->im) : rc;
    found->tasks = r->tasks.n;
    for (size_t i = 0; i < r->tasks.n; i++) {
        found->checks += ((struct task_new *)r->tasks.items)[i].options.known != 0;
    }
    if (rc == OK && r->tasks.n == 0) {
        rc = err_rule(err, ERR_INPUT, "nothing-to-plan",
                      "No image has two candidate labels, so there is nothing to ask.");
    }
    return rc;
}

enum err_code tasks_read(struct transfer *tr, const char *path, struct task_new **list, struct tasks_found *found)
{
    struct reading r = {.first = 0};
    *found = (struct tasks_found){0};
    map_sv_init(&r.seen);
    enum err_code rc = import_open(&r.im, tr, path);
    rc = rc == OK ? read_file(&r, found) : rc;
    *list = r.tasks.items;
    import_close(&r.im);
    map_sv_release(&r.seen);
    return rc;
}
