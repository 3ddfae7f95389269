/* lines.c - shared parts of imports. */
#include "transfer/imports/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

enum { BAD_SHOWN = 50 };
#define STDIN_MOST ((size_t)2 << 30)

static void index_classes(struct import *im)
{
    for (size_t i = 0; i < im->n_classes; i++) {
        map_sv_put(&im->classes, im->class_list[i].wnid, (uint32_t)i);
    }
}

enum err_code import_classes_only(struct import *im, struct transfer *tr, const char *name)
{
    *im = (struct import){.tr = tr, .name = name, .now = clock_wall_ms()};
    map_sv_init(&im->classes);
    str_init(&im->stdin_text, STDIN_MOST);
    enum err_code rc =
        classes_list(tr->db, tr->arena, &im->class_list, &im->n_classes, tr->err);
    if (rc == OK) {
        index_classes(im);
    }
    return rc;
}

enum err_code import_open_beside(struct import *im, const struct import *first, const char *path)
{
    *im = (struct import){.tr = first->tr,
                          .now = first->now,
                          .class_list = first->class_list,
                          .n_classes = first->n_classes};
    map_sv_init(&im->classes);
    str_init(&im->stdin_text, STDIN_MOST);
    index_classes(im);
    return import_open_next(im, path);
}

static enum err_code read_stdin(struct import *im)
{
    struct transfer *tr = im->tr;
    if (tr->stdin_taken && !im->stdin_read) {
        return err_rule(tr->err, ERR_INPUT, "usage",
                        "standard input can only be read once: give the other list as a file");
    }
    enum err_code rc = im->stdin_read ? OK : fs_read("-", &im->stdin_text, tr->err);
    tr->stdin_taken = im->stdin_read = true;
    im->text = str_sv(&im->stdin_text);
    return rc;
}

enum err_code import_open_next(struct import *im, const char *path)
{
    bool from_stdin = strcmp(path, "-") == 0;
    enum err_code rc = OK;
    fs_unmap(&im->map);
    im->name = from_stdin ? "standard input" : path;
    im->text = SV("");
    im->by_entry = false;
    im->bad_line = 0;
    im->files++;
    if (from_stdin) {
        rc = read_stdin(im);
    } else {
        rc = fs_map(path, &im->map, im->tr->err);
        im->text = sv_make((const char *)im->map.data, im->map.n);
    }
    im->text = sv_unmarked(im->text);
    if (rc == OK && (sv_starts(im->text, "\xff\xfe") || sv_starts(im->text, "\xfe\xff"))) {
        rc = err_rule(im->tr->err, ERR_INPUT, "import-text",
                      "%s is stored as UTF-16. Save it as UTF-8 and import it again. Nothing was written.", im->name);
    }
    return rc;
}

enum err_code import_open(struct import *im, struct transfer *tr, const char *path)
{
    enum err_code rc = import_classes_only(im, tr, path);
    return rc == OK ? import_open_next(im, path) : rc;
}

void import_close(struct import *im)
{
    fs_unmap(&im->map);
    str_release(&im->stdin_text);
    map_sv_release(&im->classes);
}

void import_bad(struct import *im, uint64_t line, const char *fmt, ...)
{
    char text[600];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    transfer_progress_end(im->tr);
    im->bad += im->bad_line == 0 || line != im->bad_line; /* a row may be wrong in two ways */
    im->bad_line = line;
    if (im->told++ < BAD_SHOWN) {
        transfer_skipped(im->tr, "%s%s%llu: %s", im->name, im->by_entry ? ": entry " : ":",
                         (unsigned long long)line, text);
    }
}

void import_bad_file(struct import *im, const char *path, const char *fmt, ...)
{
    char text[600];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    transfer_progress_end(im->tr);
    im->bad++;
    if (im->told++ < BAD_SHOWN) {
        transfer_skipped(im->tr, "%s/%s: %s", im->name, path, text);
    }
}

enum err_code import_checked(struct import *im)
{
    if (im->bad == 0) {
        return OK;
    }
    return err_set(im->tr->err, ERR_INPUT,
                   "%llu row%s of %s cannot be imported (the first are named above); nothing was "
                   "written",
                   (unsigned long long)im->bad, im->bad == 1 ? "" : "s",
                   im->files > 1 ? "these files" : im->name);
}

int64_t import_class(struct import *im, uint64_t line, struct sv wnid)
{
    uint32_t at = map_sv_get(&im->classes, wnid);
    if (at == MAP_NONE) {
        import_bad(im, line, "class " SV_FMT " is not in the project; import classes first",
                   SV_ARG(wnid));
        return 0;
    }
    return im->class_list[at].id;
}

static enum err_code make_campaign(struct import *im, struct sv name, enum import_task task, struct campaign *out)
{
    struct transfer *tr = im->tr;
    campaign_defaults(out);
    out->name = name;
    out->title = name;
    out->imported = true;
    out->classify = task == IMPORT_CLASSIFY;
    out->shuffle = false;
    out->same_image_again = true;
    out->max_share = 1;
    out->state = SV("closed");
    enum err_code rc = db_tx_begin(tr->db, tr->err);
    rc = rc == OK ? campaigns_create(tr->db, out, 0, im->now, tr->err) : rc;
    return db_tx_end(tr->db, rc, tr->err);
}

enum err_code import_campaign(struct import *im, const char *given, bool make, struct campaign *out)
{
    return import_campaign_of(im, given, IMPORT_CONTAINS, make, out);
}

enum err_code import_campaign_of(struct import *im, const char *given, enum import_task task, bool make, struct campaign *out)
{
    struct transfer *tr = im->tr;
    struct sv name = sv_of(given ? given : "imported");
    struct err none = {OK, "", ""};
    enum err_code rc = campaigns_find(tr->db, name, tr->arena, out, &none);
    if (rc == ERR_NOT_FOUND && make) {
        return tr->dry_run ? OK : make_campaign(im, name, task, out);
    }
    if (rc == ERR_NOT_FOUND) {
        return err_set(tr->err, rc, "there is no campaign " SV_FMT "; import its hits first",
                       SV_ARG(name));
    }
    if (rc != OK) {
        *tr->err = none;
        return rc;
    }
    if (!out->imported) {
        return err_set(tr->err, ERR_CONFLICT,
                       "campaign " SV_FMT " was not imported but hands out work here; name another with "
                       "--campaign",
                       SV_ARG(name));
    }
    return out->classify == (task == IMPORT_CLASSIFY)
               ? OK
               : err_rule(tr->err, ERR_CONFLICT, "campaign-task",
                          "campaign " SV_FMT " has answers to the task %s; name another with --campaign", SV_ARG(name),
                          out->classify ? "CLASSIFY" : "CONTAINS");
}
