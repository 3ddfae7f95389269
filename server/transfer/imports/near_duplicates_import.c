/* near_duplicates_import.c - `holdout import near-duplicates`: pairs of images that show the
 * same photo, from CSV (a,b) or the published JSON {image: [images]}; `holdout import override`:
 * images that stay although they have near-duplicates, a name a line or a JSON list. A pair may
 * stand there in both directions, and an image beside itself says nothing. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "formats/csv.h"
#include "store/duplicates/near_pairs.h"
#include "store/images/images.h"
#include "transfer/imports/decisions.h"
#include "transfer/imports/imports.h"

struct pairs_import {
    struct decision_import d;
    struct near_pair *pairs; /* of an override: `a` alone */
    size_t cap, loops;
};

static enum err_code put_pair(struct db *db, void *arg, size_t i, int64_t event, bool *added,
                              struct err *err)
{
    const struct pairs_import *pi = arg;
    return near_pairs_put(db, event, pi->pairs[i].a, pi->pairs[i].b, true, added, err);
}

static enum err_code put_keep(struct db *db, void *arg, size_t i, int64_t event, bool *added,
                              struct err *err)
{
    const struct pairs_import *pi = arg;
    return near_keeps_put(db, event, pi->pairs[i].a, true, added, err);
}

static void keep_pair(struct pairs_import *pi, uint64_t line, struct sv a, struct sv b)
{
    struct arena *arena = pi->d.im.tr->arena;
    xgrow(&pi->pairs, &pi->cap, pi->d.n + 1, sizeof *pi->pairs);
    pi->pairs[decision_import_add(&pi->d, line)] =
        (struct near_pair){.a = arena_sv(arena, a), .b = arena_sv(arena, b)};
}

static void add_pair(struct pairs_import *pi, uint64_t line, struct sv x, struct sv y)
{
    int order = sv_cmp(x, y);
    struct sv a = order < 0 ? x : y, b = order < 0 ? y : x;
    pi->d.rows++;
    if (!decision_import_name(&pi->d, line, x) || !decision_import_name(&pi->d, line, y)) {
        return;
    }
    if (order == 0) {
        pi->loops++;
        return;
    }
    /* No name has a line feed in it. */
    struct str key;
    str_init(&key, (size_t)1 << 12);
    str_printf(&key, SV_FMT "\n" SV_FMT, SV_ARG(a), SV_ARG(b));
    if (decision_import_seen(&pi->d, str_sv(&key)) == pi->d.n) {
        keep_pair(pi, line, a, b);
    }
    str_release(&key);
}

static enum err_code read_pairs_csv(struct pairs_import *pi)
{
    struct import *im = &pi->d.im;
    struct err *err = im->tr->err;
    struct csv csv;
    int a = 0, b = 0;
    bool more = true;
    enum err_code rc = csv_open(&csv, im->name, im->text, err);
    rc = rc == OK ? csv_need(&csv, "a", &a, err) : rc;
    rc = rc == OK ? csv_need(&csv, "b", &b, err) : rc;
    while (rc == OK && (rc = csv_next(&csv, &more, err)) == OK && more) {
        add_pair(pi, csv.line, csv.cells[a], csv.cells[b]);
        transfer_progress(im->tr, "reading pairs", pi->d.n, 0);
    }
    csv_close(&csv);
    return rc;
}

static void add_neighbours(struct pairs_import *pi, uint64_t entry, const char *name,
                           const json_t *list)
{
    const json_t *other;
    size_t i;
    if (!json_is_array(list)) {
        import_bad(&pi->d.im, entry, "the near-duplicates of %s are not a list", name);
        return;
    }
    json_array_foreach(list, i, other)
    {
        if (json_is_string(other)) {
            add_pair(pi, entry, sv_of(name), sv_of(json_string_value(other)));
        } else {
            import_bad(&pi->d.im, entry, "the near-duplicates of %s are not all names", name);
        }
    }
}

static enum err_code read_pairs_json(struct pairs_import *pi)
{
    json_t *whole = NULL, *list;
    const char *name;
    uint64_t entry = 0;
    enum err_code rc = decision_import_object(&pi->d, &whole);
    json_object_foreach(whole, name, list)
    {
        add_neighbours(pi, ++entry, name, list);
    }
    json_decref(whole);
    return rc;
}

static bool begins(const struct decision_import *d, char c)
{
    struct sv start = sv_trim(d->im.text);
    return start.n && start.p[0] == c;
}

enum err_code near_duplicates_import(struct transfer *tr, const char *path)
{
    struct pairs_import pi = {.d = {.event = "near-duplicates.import",
                                    .what = "Pairs of near-duplicates",
                                    .put = put_pair}};
    pi.d.arg = &pi;
    enum err_code rc = decision_import_open(&pi.d, tr, path);
    if (rc == OK) {
        rc = begins(&pi.d, '{') || begins(&pi.d, '[') ? read_pairs_json(&pi) : read_pairs_csv(&pi);
    }
    rc = rc == OK ? decision_import_run(&pi.d) : rc;
    if (rc == OK && pi.loops) {
        transfer_note(tr, "%zu rows name an image as a near-duplicate of itself; they are ignored.",
                 pi.loops);
    }
    free(pi.pairs);
    decision_import_close(&pi.d);
    return rc;
}

/* ---- override ---- */

static void add_keep(struct pairs_import *pi, uint64_t line, struct sv name)
{
    pi->d.rows++;
    if (decision_import_name(&pi->d, line, name) && decision_import_seen(&pi->d, name) == pi->d.n) {
        keep_pair(pi, line, name, SV(""));
    }
}

static enum err_code read_keeps_json(struct pairs_import *pi)
{
    json_t *whole = NULL;
    const json_t *name;
    size_t i;
    enum err_code rc = decision_import_array(&pi->d, &whole);
    json_array_foreach(whole, i, name)
    {
        if (json_is_string(name)) {
            add_keep(pi, i + 1, sv_of(json_string_value(name)));
        } else {
            import_bad(&pi->d.im, i + 1, "this is not an image's name");
        }
    }
    json_decref(whole);
    return rc;
}

static void read_keeps(struct pairs_import *pi)
{
    struct sv rest = pi->d.im.text;
    for (uint64_t line = 1; rest.p; line++) {
        struct sv name = sv_trim(sv_cut(&rest, '\n'));
        if (name.n) {
            add_keep(pi, line, name);
        }
    }
}

/* Any text has lines: what names no image of the project may be a file of another kind. */
static enum err_code warn_unknown(const struct pairs_import *pi)
{
    struct transfer *tr = pi->d.im.tr;
    size_t unknown = 0;
    struct sv first = SV("");
    enum err_code rc = OK;
    for (size_t i = 0; i < pi->d.n && rc == OK; i++) {
        int64_t id = 0;
        rc = images_find(tr->db, pi->pairs[i].a, &id, tr->err);
        first = id == 0 && unknown == 0 ? pi->pairs[i].a : first;
        unknown += id == 0;
    }
    if (rc == OK && unknown) {
        transfer_warn(tr, "%zu of the %zu names are not (yet) images of the project; the first is " SV_FMT ".", unknown,
                      pi->d.n, SV_ARG(first));
    }
    return rc;
}

enum err_code override_import(struct transfer *tr, const char *path)
{
    struct pairs_import pi = {
        .d = {.event = "override.import", .what = "Images that stay", .put = put_keep}};
    pi.d.arg = &pi;
    enum err_code rc = decision_import_open(&pi.d, tr, path);
    if (rc == OK && (begins(&pi.d, '[') || begins(&pi.d, '{'))) {
        rc = read_keeps_json(&pi);
    } else if (rc == OK) {
        read_keeps(&pi);
    }
    rc = rc == OK ? decision_import_run(&pi.d) : rc;
    rc = rc == OK ? warn_unknown(&pi) : rc;
    free(pi.pairs);
    decision_import_close(&pi.d);
    return rc;
}
