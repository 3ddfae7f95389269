/* images_import.c - `holdout import images`: the list of files, from folders
 * FOLDER/<wnid>/<name> or from a manifest (formats/manifest.h). The whole list is checked first;
 * what is wrong with it is told line by line, and nothing is written. Then images_run.c does
 * the work. A file that cannot be decoded, a truncated one too, is named and skipped; the import
 * fails then when the others are in. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "domain/images/image_role.h"
#include "formats/manifest.h"
#include "transfer/imports/images_run.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

struct list {
    const struct images_ask *ask;
    struct import im;
    struct images_job job;
    struct sv prefix;
    struct images_item *items;
    size_t cap;
    struct map_sv names; /* of all items, to their index */
    char *class_folder;  /* of the file before, and what it means */
    int64_t class_id;
    int base;            /* of a manifest: the folder, open */
};

/* ---------------------------------------------------------------- both kinds of lists */

__attribute__((format(printf, 3, 4))) static void bad(struct list *l,
                                                      const struct images_item *item,
                                                      const char *fmt, ...)
{
    char text[600];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (item->line) {
        import_bad(&l->im, item->line, "%s", text);
    } else {
        import_bad_file(&l->im, item->path, "%s", text);
    }
}

/* What the project knows of the image must not contradict the list. */
static enum err_code compare(struct list *l, struct images_item *item, struct err *err)
{
    struct db *db = l->im.tr->db;
    struct err why = {OK, "", ""};
    struct image_row row = {.name = item->name,
                            .class_id = item->class_id,
                            .role = sv_of(item->role),
                            .idx = -1};
    unsigned char sha256[IMAGE_SHA];
    bool known = false, found = false;
    enum err_code rc = images_check(db, &row, &known, &why);
    if (rc == ERR_CONFLICT) {
        bad(l, item, "%s", why.msg);
        return OK;
    }
    if (rc != OK) {
        *err = why;
        return rc;
    }
    rc = known ? sources_of_name(db, item->name, sha256, &found, err) : OK;
    if (rc == OK && found) {
        unsigned char *copy = arena_alloc(l->im.tr->arena, IMAGE_SHA);
        memcpy(copy, sha256, IMAGE_SHA);
        item->content = copy;
    }
    return rc;
}

/* Adds an item whose form is good. Its name is copied to the map of names already. */
static enum err_code add_item(struct list *l, const struct images_item *item, struct err *err)
{
    uint32_t n = (uint32_t)l->job.n, same = map_sv_put(&l->names, item->name, n);
    if (same != n) {
        const struct images_item *first = &l->items[same];
        if (item->line) {
            bad(l, item, "id " SV_FMT " is also the id of line %" PRIu64 "%s", SV_ARG(item->name),
                first->line, strcmp(item->path, first->path) ? ", with another file" : "");
        } else {
            bad(l, item, "%s/%s gives the same name " SV_FMT "; rename one, or import the folders one by one "
                "with --prefix", l->job.list, first->path, SV_ARG(item->name));
        }
        return OK;
    }
    xgrow(&l->items, &l->cap, l->job.n + 1, sizeof *l->items);
    l->items[l->job.n] = *item;
    l->job.items = l->items;
    return compare(l, &l->items[l->job.n++], err);
}

/* A role that was checked. */
static void take_role(struct images_item *item, struct sv role)
{
    item->role = image_role_words[image_role_of(role)];
    item->bare = image_role_of(role) == IMAGE_TRAINING;
}

/* ---------------------------------------------------------------- a folder */

/* The image's name: prefix and file name without its ending. */
static struct sv image_name(struct list *l, const char *relative)
{
    const char *base = strrchr(relative, '/');
    base = base ? base + 1 : relative;
    const char *dot = strrchr(base, '.');
    struct sv stem = sv_make(base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
    return sv_of(arena_printf(l->im.tr->arena, SV_FMT SV_FMT, SV_ARG(l->prefix), SV_ARG(stem)));
}

/* The class of the folder that the file lies in; a missing one is told once. */
static int64_t class_of_folder(struct list *l, const char *relative, size_t n)
{
    struct sv wnid = sv_make(relative, n);
    if (!l->class_folder || !sv_is(wnid, l->class_folder)) {
        uint32_t at = map_sv_get(&l->im.classes, wnid);
        l->class_folder = arena_cstr(l->im.tr->arena, wnid);
        l->class_id = at == MAP_NONE ? 0 : l->im.class_list[at].id;
        if (at == MAP_NONE) {
            import_bad_file(&l->im, l->class_folder,
                            "class %s is not in the project; import classes first",
                            l->class_folder);
        }
    }
    return l->class_id;
}

static enum err_code add_file(void *arg, const char *relative, struct err *err)
{
    struct list *l = arg;
    const char *slash = strchr(relative, '/');
    struct images_item item = {.path = arena_strdup(l->im.tr->arena, relative)};
    if (!slash) {
        bad(l, &item, "is not in a class folder");
        return OK;
    }
    item.class_id = class_of_folder(l, relative, (size_t)(slash - relative));
    item.name = image_name(l, relative);
    take_role(&item, sv_of(l->job.role));
    if (!manifest_id_good(item.name)) {
        bad(l, &item, "the name must be UTF-8 without control characters and at most %d bytes",
            MANIFEST_ID_MOST);
        return OK;
    }
    return item.class_id ? add_item(l, &item, err) : OK;
}

static enum err_code read_folder(struct list *l)
{
    struct transfer *tr = l->im.tr;
    if (l->ask->base) {
        return err_rule(tr->err, ERR_INPUT, "usage", "--base is for a manifest; %s is a folder",
                        l->job.list);
    }
    l->job.base = l->job.list;
    enum err_code rc = fs_walk(l->job.list, add_file, l, tr->err);
    if (rc == OK && l->im.bad == 0 && l->job.n == 0) {
        rc = err_set(tr->err, ERR_INPUT, "%s holds no files in class folders", l->job.list);
    }
    return rc;
}

/* ---------------------------------------------------------------- a manifest */

static const struct image_origin *read_origin(struct list *l, const struct manifest *m)
{
    static const enum manifest_field fields[] = {MANIFEST_TAKEN_AT, MANIFEST_SOURCE_ID,
                                                 MANIFEST_LINK,     MANIFEST_AUTHOR,
                                                 MANIFEST_LICENCE,  MANIFEST_KEYWORD};
    struct image_origin o;
    struct sv *to[] = {&o.taken_at, &o.source_id, &o.link, &o.author, &o.licence, &o.keyword};
    struct arena *a = l->im.tr->arena;
    bool any = false;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        *to[i] = arena_sv(a, m->field[fields[i]]);
        any = any || to[i]->n;
    }
    if (!any) {
        return NULL;
    }
    struct image_origin *copy = arena_alloc(a, sizeof *copy);
    *copy = o;
    return copy;
}

/* Whether the file can be opened; told here, so that nothing is written when it cannot. */
static bool readable(struct list *l, const struct images_item *item)
{
    struct stat st;
    if (fstatat(l->base, item->path, &st, 0) != 0 || faccessat(l->base, item->path, R_OK, 0) != 0) {
        bad(l, item, "path %s cannot be read: %s", item->path, strerror(errno));
        return false;
    }
    if (!S_ISREG(st.st_mode)) {
        bad(l, item, "path %s is not a file", item->path);
        return false;
    }
    return true;
}

static enum err_code add_line(struct list *l, const struct manifest *m, struct err *err)
{
    struct arena *a = l->im.tr->arena;
    struct sv role = m->field[MANIFEST_ROLE];
    struct images_item item = {
        .path = arena_cstr(a, m->field[MANIFEST_PATH]),
        .line = m->line,
        .name = arena_sv(a, m->field[MANIFEST_ID]),
        .class_id = import_class(&l->im, m->line, m->field[MANIFEST_CLASS]),
        .origin = read_origin(l, m),
    };
    take_role(&item, role.n ? role : sv_of(l->job.role));
    /* A line may be wrong in more than one way; all are told. */
    bool good = readable(l, &item) && item.class_id;
    return good ? add_item(l, &item, err) : OK;
}

static enum err_code read_lines(struct list *l, struct manifest *m)
{
    struct transfer *tr = l->im.tr;
    bool more = true;
    enum err_code rc = OK;
    while (rc == OK) {
        struct err why = {OK, "", ""};
        rc = manifest_next(m, &more, &why);
        if (rc == ERR_INPUT) {
            import_bad(&l->im, m->line, "%s", why.msg);
            rc = OK;
        } else if (rc != OK) {
            *tr->err = why;
        } else if (!more) {
            break;
        } else {
            rc = add_line(l, m, tr->err);
        }
    }
    if (rc == OK && l->im.bad == 0 && l->job.n == 0) {
        rc = err_set(tr->err, ERR_INPUT, "%s lists no images", l->im.name);
    }
    return rc;
}

/* The folder that paths of a manifest begin at. */
static const char *manifest_base(struct list *l)
{
    struct transfer *tr = l->im.tr;
    const char *slash = strrchr(l->job.list, '/');
    if (l->ask->base) {
        return l->ask->base;
    }
    if (!slash) {
        return ".";
    }
    size_t n = slash == l->job.list ? 1 : (size_t)(slash - l->job.list);
    return arena_cstr(tr->arena, sv_make(l->job.list, n));
}

static enum err_code read_manifest(struct list *l)
{
    struct transfer *tr = l->im.tr;
    struct manifest m;
    if (l->ask->prefix) {
        return err_rule(tr->err, ERR_INPUT, "usage",
                        "--prefix is for a folder; a manifest names its images itself");
    }
    l->job.base = manifest_base(l);
    l->base = open(l->job.base, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (l->base < 0) {
        return err_errno(tr->err, errno, "cannot open folder %s", l->job.base);
    }
    enum err_code rc = manifest_open(&m, l->im.name, l->im.text, tr->err);
    if (rc == OK) {
        rc = read_lines(l, &m);
        manifest_close(&m);
    }
    close(l->base);
    return rc;
}

/* ---------------------------------------------------------------- both together */

static enum err_code read_list(struct list *l)
{
    enum err_code rc = fs_is_dir(l->job.list) ? read_folder(l) : read_manifest(l);
    return rc == OK ? import_checked(&l->im) : rc;
}

static enum err_code tell_result(const struct list *l)
{
    struct transfer *tr = l->im.tr;
    const struct images_job *job = &l->job;
    transfer_note(tr, "%zu files, %" PRIu64 " new images, %" PRIu64 " skipped%s.", job->n, job->added,
             job->failed, tr->dry_run ? " (dry run)" : "");
    return job->failed == 0
               ? OK
               : err_set(tr->err, ERR_INPUT,
                         "%" PRIu64 " files could not be read; the others are imported",
                         job->failed);
}

enum err_code images_import(struct transfer *tr, const struct images_ask *ask)
{
    const char *path = ask->path;
    struct list l = {.ask = ask, .prefix = sv_of(ask->prefix), .base = -1};
    map_sv_init(&l.names);
    enum err_code rc = fs_is_dir(path) ? import_classes_only(&l.im, tr, path)
                                       : import_open(&l.im, tr, path);
    l.job = (struct images_job){.tr = tr,
                                .now = l.im.now,
                                .list = path,
                                .role = ask->role,
                                .options = ask->options,
                                .keep = ask->keep,
                                .threads = ask->threads};
    rc = rc == OK ? read_list(&l) : rc;
    if (rc == OK && !tr->dry_run) {
        rc = images_run(&l.job);
    }
    transfer_progress_end(tr);
    rc = rc == OK ? tell_result(&l) : rc;
    free(l.items);
    map_sv_release(&l.names);
    import_close(&l.im);
    return rc;
}
