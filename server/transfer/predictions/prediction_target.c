/* prediction_target.c - which images the rows of a file with predictions are about. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "store/images/images.h"
#include "transfer/predictions/prediction_file.h"
#include "transfer/sets/set_file.h"

static void know_classes(struct prediction_target *t)
{
    t->cid_known = xcalloc(PREDICTION_NONE, sizeof *t->cid_known);
    for (size_t i = 0; i < t->im->n_classes; i++) {
        int64_t cid = t->im->class_list[i].cid;
        if (cid >= 0 && cid < PREDICTION_NONE) {
            t->cid_known[cid] = true;
        }
    }
}

static uint16_t label_of(int64_t cid)
{
    return cid >= 0 && cid < PREDICTION_NONE ? (uint16_t)cid : PREDICTION_NONE;
}

static void make_rows(struct prediction_target *t, size_t n)
{
    t->n = n;
    t->image = xcalloc(n + 1, sizeof *t->image);
    t->label = xcalloc(n + 1, sizeof *t->label);
}

static enum err_code rows_of_set(struct prediction_target *t)
{
    struct transfer *tr = t->im->tr;
    struct revision_image *images;
    struct map_u64 cids;
    size_t n;
    enum err_code rc = revisions_images(tr->db, t->revision, tr->arena, &images, &n, tr->err);
    if (rc != OK) {
        return rc;
    }
    map_u64_init(&cids);
    for (size_t i = 0; i < t->im->n_classes; i++) {
        map_u64_put(&cids, (uint64_t)t->im->class_list[i].id,
                    label_of(t->im->class_list[i].cid));
    }
    make_rows(t, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t cid = map_u64_get(&cids, images[i].class_id);
        t->image[i] = images[i].image;
        t->label[i] = cid == MAP_NONE ? PREDICTION_NONE : (uint16_t)cid;
    }
    map_u64_release(&cids);
    return OK;
}

static enum err_code add_name(void *arg, const struct revision_name *m, struct err *err)
{
    (void)err;
    struct prediction_target *t = arg;
    if ((size_t)m->position < t->n) {
        map_sv_put(&t->names, m->name, (uint32_t)m->position);
    }
    return OK;
}

static enum err_code read_names(struct prediction_target *t)
{
    struct transfer *tr = t->im->tr;
    if (t->named) {
        return OK;
    }
    t->named = true;
    return t->revision
               ? revision_images_named(tr->db, t->revision, add_name, t, tr->err)
               : OK;
}

/* The rows of a list of images: each must be one of the set, or, without a set, of the project. */
static enum err_code rows_of_list(struct prediction_target *t, const struct set_file *list)
{
    struct prediction_target known = *t; /* of the set */
    t->rows_of = arena_strdup(t->im->tr->arena, t->im->name);
    enum err_code rc = read_names(&known);
    struct map_sv names;
    map_sv_init(&names);
    t->no_rows = NULL;
    make_rows(t, list->n);
    for (size_t i = 0; i < list->n && rc == OK; i++) {
        const struct set_entry *e = &list->entries[i];
        rc = prediction_target_find(&known, e->line, e->name, &t->image[i], &t->label[i]);
        if (t->revision == 0) {
            t->label[i] = label_of(t->im->class_list[e->class_at].cid);
        }
        map_sv_put(&names, e->name, (uint32_t)i);
    }
    free(known.image);
    free(known.label);
    map_sv_release(&known.names);
    t->names = names;
    t->named = true;
    return rc == OK ? import_checked(t->im) : rc;
}

static enum err_code read_list(struct prediction_target *t, const char *path)
{
    struct import list;
    struct import *files = t->im;
    struct set_file file = {0};
    enum err_code rc = import_open(&list, files->tr, path);
    rc = rc == OK ? set_file_read(&file, &list) : rc;
    if (rc == OK) {
        t->im = &list;
        rc = rows_of_list(t, &file);
        t->im = files;
    }
    set_file_release(&file);
    import_close(&list);
    return rc;
}

enum err_code prediction_target_open(struct prediction_target *t, struct import *im, const char *set,
                                     const char *images)
{
    struct transfer *tr = im->tr;
    struct revision_row r = {.id = 0};
    enum err_code rc = OK;
    *t = (struct prediction_target){.im = im};
    map_sv_init(&t->names);
    know_classes(t);
    if (set) {
        rc = revisions_find(tr->db, sv_of(set), tr->arena, &r, tr->err);
        t->revision = rc == OK ? r.id : 0;
        t->set = r;
        t->may_be_scored = rc == OK && revision_may_be_scored(&r, NULL) == OK;
        t->rows_of = set;
        t->no_rows = r.rows_known ? NULL : "imported without the order of its list";
        rc = rc == OK ? rows_of_set(t) : rc;
    }
    if (rc == OK && images) {
        rc = read_list(t, images);
    }
    return rc;
}

enum err_code prediction_target_rows(const struct prediction_target *t)
{
    struct err *err = t->im->tr->err;
    if (!t->rows_of) {
        return err_rule(err, ERR_INPUT, "usage",
                        "%s has no names of images: name the set of its rows with --set, or the file that "
                        "lists them with --images",
                        t->im->name);
    }
    return !t->no_rows
               ? OK
               : err_rule(err, ERR_INPUT, "rows-unknown",
                          "%s names no images, and %s is %s, so the order of the rows is not known. --images "
                          "IMAGES.csv names the image of each row, in order, with the columns image and "
                          "wnid. Nothing was written.",
                          t->im->name, t->rows_of, t->no_rows);
}

void prediction_target_close(struct prediction_target *t)
{
    free(t->image);
    free(t->label);
    free(t->cid_known);
    map_sv_release(&t->names);
}

/* Any image of the project; its label is the class that it was collected for. */
static enum err_code find_any(struct prediction_target *t, struct sv name, uint32_t *image,
                              uint16_t *label)
{
    struct transfer *tr = t->im->tr;
    int64_t id = 0, cid = -1;
    enum err_code rc = images_find_cid(tr->db, name, &id, &cid, tr->err);
    *image = (uint32_t)id;
    *label = label_of(cid);
    return rc;
}

enum err_code prediction_target_find(struct prediction_target *t, uint64_t line, struct sv name,
                                     uint32_t *image, uint16_t *label)
{
    enum err_code rc = read_names(t);
    *image = 0;
    *label = PREDICTION_NONE;
    if (rc == OK && t->n) {
        uint32_t row = map_sv_get(&t->names, name);
        *image = row == MAP_NONE ? 0 : t->image[row];
        *label = row == MAP_NONE ? PREDICTION_NONE : t->label[row];
    } else if (rc == OK) {
        rc = find_any(t, name, image, label);
    }
    if (rc == OK && *image == 0) {
        import_bad(t->im, line, "image " SV_FMT " is not in %s", SV_ARG(name),
                   t->n ? t->rows_of : "the project; import its image list or set first");
    }
    return rc;
}

uint16_t prediction_number(struct prediction_target *t, uint64_t line, int64_t cid)
{
    if (cid < 0 || cid >= PREDICTION_NONE || !t->cid_known[cid]) {
        import_bad(t->im, line, "%lld is not the number of a class; this project has %zu classes, "
                   "numbered as `import classes` read them", (long long)cid, t->im->n_classes);
        return PREDICTION_NONE;
    }
    return (uint16_t)cid;
}

uint16_t prediction_answer(struct prediction_target *t, uint64_t line, struct sv text)
{
    return sv_is(text, PREDICTION_NO_CLASS) ? PREDICTION_NONE : prediction_label(t, line, text);
}

uint16_t prediction_label(struct prediction_target *t, uint64_t line, struct sv text)
{
    int64_t cid = -1;
    uint32_t at = map_sv_get(&t->im->classes, text);
    if (at != MAP_NONE) {
        return prediction_number(t, line, t->im->class_list[at].cid);
    }
    if (!sv_i64(text, &cid)) {
        import_bad(t->im, line, "\"" SV_FMT "\" is neither the number nor the wnid of a class",
                   SV_ARG(text));
        return PREDICTION_NONE;
    }
    return prediction_number(t, line, cid);
}
