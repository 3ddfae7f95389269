/* classes_import.c - `holdout import classes`: the classes of the test set.
 * CSV with the columns cid,wnid,synset,gloss,wikipedia (or key,name,gloss,url; cid may be absent:
 * then it is the rank of the wnid in sorted order), words and addresses joined by "|"; or JSON
 * lines {cid, wnid, synset [..], gloss, wikipedia [..], similar [wnid ..]}; or a JSON list of such
 * objects, as class_info.json is published, whose addresses and similar classes are files of their
 * own, {wnid: [address]} and {wnid: [wnid]}. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/outside.h"
#include "base/xalloc.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "formats/jsonl.h"
#include "store/models/predictions.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

enum { CLASSES_MOST = 1000000, CHUNK = 50, WNID_MOST = 128, LINK_SHOWN = 100 };

struct entry {
    struct class_info info;
    struct sv *similar; /* wnids, itself first */
    size_t n_similar;
    uint64_t line;
};

struct classes_import {
    struct import im;
    struct entry *entries;
    size_t n, cap, at;
    uint64_t changed;
};

static struct entry *add_entry(struct classes_import *ci, uint64_t line)
{
    xgrow(&ci->entries, &ci->cap, ci->n + 1, sizeof *ci->entries);
    ci->entries[ci->n] = (struct entry){.line = line, .info = {.cid = -1}};
    return &ci->entries[ci->n++];
}

/* The first of the names that is a column. */
static int either(const struct csv *csv, const char *a, const char *b)
{
    int col = csv_column(csv, a);
    return col >= 0 ? col : csv_column(csv, b);
}

static struct sv cell(struct classes_import *ci, const struct csv *csv, int col)
{
    return col < 0 ? SV("") : arena_sv(ci->im.tr->arena, csv->cells[col]);
}

static enum err_code read_csv(struct classes_import *ci)
{
    struct err *err = ci->im.tr->err;
    struct csv csv;
    bool more = true;
    enum err_code rc = csv_open(&csv, ci->im.name, ci->im.text, err);
    if (rc != OK) {
        return rc;
    }
    int cid = csv_column(&csv, "cid"), wnid = either(&csv, "wnid", "key");
    int synset = either(&csv, "synset", "name"), gloss = csv_column(&csv, "gloss");
    int wikipedia = either(&csv, "wikipedia", "url");
    if (wnid < 0 || synset < 0) {
        rc = err_set(err, ERR_INPUT,
                     "%s:1: the header needs the columns wnid (or key) and synset "
                     "(or name)",
                     ci->im.name);
    }
    while (rc == OK && (rc = csv_next(&csv, &more, err)) == OK && more) {
        struct entry *e = add_entry(ci, csv.line);
        e->info.wnid = cell(ci, &csv, wnid);
        e->info.synset = cell(ci, &csv, synset);
        e->info.gloss = cell(ci, &csv, gloss);
        e->info.wikipedia = cell(ci, &csv, wikipedia);
        if (cid >= 0 && (!sv_i64(csv.cells[cid], &e->info.cid) || e->info.cid < 0)) {
            import_bad(&ci->im, csv.line, "cid must be a whole number from 0");
        }
    }
    csv_close(&csv);
    return rc;
}

/* A list of texts joined by "|", or a text as it is. */
static struct sv joined(struct arena *a, const json_t *v)
{
    struct str s;
    size_t i;
    const json_t *item;
    str_init(&s, 1 << 16);
    if (json_is_string(v)) {
        str_add(&s, json_string_value(v), json_string_length(v));
    }
    json_array_foreach(v, i, item)
    {
        str_addz(&s, i ? "|" : "");
        if (json_is_string(item)) {
            str_add(&s, json_string_value(item), json_string_length(item));
        }
    }
    struct sv out = arena_sv(a, str_sv(&s));
    str_release(&s);
    return out;
}

static void take_wikipedia(struct classes_import *ci, struct entry *e, const json_t *list)
{
    e->info.wikipedia = joined(ci->im.tr->arena, list);
}

static void take_similar(struct classes_import *ci, struct entry *e, const json_t *list)
{
    struct arena *a = ci->im.tr->arena;
    e->n_similar = json_array_size(list);
    e->similar = arena_calloc(a, e->n_similar, sizeof *e->similar);
    for (size_t i = 0; i < e->n_similar; i++) {
        e->similar[i] = joined(a, json_array_get(list, i));
    }
}

static void add_object(struct classes_import *ci, uint64_t line, const json_t *o)
{
    struct arena *a = ci->im.tr->arena;
    struct entry *e = add_entry(ci, line);
    json_t *cid = json_object_get(o, "cid");
    e->info.cid = json_is_integer(cid) ? json_integer_value(cid) : -1;
    e->info.wnid = joined(a, json_object_get(o, "wnid"));
    e->info.synset = joined(a, json_object_get(o, "synset"));
    if (e->info.synset.n == 0) { /* other files have objects with a wnid too */
        import_bad(&ci->im, line,
                   "\"synset\" must give the words for the class, as a string or a list of strings");
    }
    e->info.gloss = joined(a, json_object_get(o, "gloss"));
    take_wikipedia(ci, e, json_object_get(o, "wikipedia"));
    take_similar(ci, e, json_object_get(o, "similar"));
}

static enum err_code read_jsonl(struct classes_import *ci)
{
    struct jsonl j;
    json_t *o;
    enum err_code rc;
    jsonl_open(&j, ci->im.name, ci->im.text);
    while ((rc = jsonl_next(&j, &o, ci->im.tr->err)) == OK && o) {
        add_object(ci, j.line, o);
        json_decref(o);
    }
    return rc;
}

/* Lines are not known behind this: entries are counted. */
static enum err_code read_list(struct classes_import *ci)
{
    struct import *im = &ci->im;
    json_error_t why;
    json_t *whole = json_loadb(im->text.p, im->text.n, JSON_REJECT_DUPLICATES, &why), *o;
    size_t i;
    if (!whole) {
        return err_set(im->tr->err, ERR_INPUT, "%s:%d: %s", im->name, why.line, why.text);
    }
    im->by_entry = true;
    json_array_foreach(whole, i, o)
    {
        if (json_is_object(o)) {
            add_object(ci, i + 1, o);
        } else {
            import_bad(im, i + 1, "a class must be an object, {cid, wnid, synset, gloss}");
        }
    }
    json_decref(whole);
    return OK;
}

/* ---- files beside it ---- */

static bool is_texts(const json_t *list)
{
    const json_t *v;
    size_t i;
    bool good = json_is_array(list);
    json_array_foreach(list, i, v)
    {
        good = good && json_is_string(v);
    }
    return good;
}

/* A list for each class; lists of classes that are not in the import are ignored, unless the file has no others. */
static enum err_code read_beside(struct classes_import *ci, const char *option, const char *path,
                                 void (*take)(struct classes_import *, struct entry *,
                                              const json_t *))
{
    struct transfer *tr = ci->im.tr;
    const char *wnid;
    json_error_t why;
    json_t *whole, *list;
    struct import beside;
    struct map_sv at;
    uint64_t entry = 0;
    bool found = false;
    if (!path) {
        return OK;
    }
    enum err_code rc = import_open_beside(&beside, &ci->im, path);
    beside.by_entry = true;
    whole = rc == OK ? json_loadb(beside.text.p, beside.text.n, JSON_REJECT_DUPLICATES, &why) : NULL;
    map_sv_init(&at);
    for (size_t i = 0; i < ci->n; i++) {
        map_sv_put(&at, ci->entries[i].info.wnid, (uint32_t)i);
    }
    if (rc == OK && !whole) {
        rc = err_set(tr->err, ERR_INPUT, "%s:%d: %s", path, why.line, why.text);
    }
    if (rc == OK && !json_is_object(whole)) {
        rc = err_set(tr->err, ERR_INPUT,
                     "%s: --%s must be a JSON object with a list for each wnid", path, option);
    }
    json_object_foreach(whole, wnid, list)
    {
        uint32_t k = map_sv_get(&at, sv_of(wnid));
        entry++;
        if (k != MAP_NONE && is_texts(list)) {
            take(ci, &ci->entries[k], list);
            found = true;
        } else if (k != MAP_NONE) {
            import_bad(&beside, entry, "what --%s has for class %s is not a list of strings", option, wnid);
        }
    }
    rc = rc == OK ? import_checked(&beside) : rc;
    if (rc == OK && entry && !found) {
        rc = err_rule(tr->err, ERR_INPUT, "classes-beside",
                      "%s: --%s must have a list for each wnid, but none of its %llu names is a class of %s. "
                      "Nothing was written.", path, option, (unsigned long long)entry, ci->im.name);
    }
    map_sv_release(&at);
    json_decref(whole);
    import_close(&beside);
    return rc;
}

static enum err_code read_file(struct classes_import *ci)
{
    struct sv start = sv_trim(ci->im.text);
    char first = start.n ? start.p[0] : ' ';
    return first == '{'   ? read_jsonl(ci)
           : first == '[' ? read_list(ci)
                          : read_csv(ci);
}

static int by_wnid(const void *a, const void *b)
{
    return sv_cmp((*(struct entry *const *)a)->info.wnid, (*(struct entry *const *)b)->info.wnid);
}

/* A class that keeps its number: once there are predictions, they are of it. */
static void check_number(struct classes_import *ci, const struct entry *e)
{
    uint32_t at = map_sv_get(&ci->im.classes, e->info.wnid);
    if (at != MAP_NONE && ci->im.class_list[at].cid != e->info.cid) {
        import_bad(&ci->im, e->line,
                   "cid is %lld, but class " SV_FMT " has %lld in the project, and predictions use that number",
                   (long long)e->info.cid, SV_ARG(e->info.wnid), (long long)ci->im.class_list[at].cid);
    }
}

/* A cid of the project stays with its class: predictions count by it. */
static enum err_code check_project(struct classes_import *ci)
{
    struct transfer *tr = ci->im.tr;
    struct map_u64 cids;
    int64_t predictions = 0;
    enum err_code rc = predictions_newest(tr->db, &predictions, tr->err);
    map_u64_init(&cids);
    for (size_t i = 0; i < ci->im.n_classes; i++) {
        map_u64_put(&cids, (uint64_t)ci->im.class_list[i].cid, (uint32_t)i);
    }
    for (size_t i = 0; i < ci->n; i++) {
        const struct entry *e = &ci->entries[i];
        uint32_t at = map_u64_get(&cids, (uint64_t)e->info.cid);
        if (at != MAP_NONE && !sv_eq(ci->im.class_list[at].wnid, e->info.wnid)) {
            import_bad(&ci->im, e->line, "cid %lld is class " SV_FMT " in the project",
                       (long long)e->info.cid, SV_ARG(ci->im.class_list[at].wnid));
        } else if (predictions) {
            check_number(ci, e);
        }
    }
    map_u64_release(&cids);
    return rc;
}

/* It is a folder's name, and stands in lists of files and in CSV, where readers have no quotes to
 * undo. */
static bool wnid_good(struct sv wnid)
{
    bool good = wnid.n > 0 && wnid.n <= WNID_MOST && wnid.p[0] != '.';
    for (size_t i = 0; i < wnid.n && good; i++) {
        unsigned char c = (unsigned char)wnid.p[i];
        good = c >= ' ' && c != 0x7f && !strchr("/\\,\"'", c);
    }
    return good;
}

static void check_links(struct classes_import *ci, const struct entry *e)
{
    struct sv rest = e->info.wikipedia;
    while (rest.n) {
        struct sv link = sv_cut(&rest, '|');
        if (link.n && !outside_web_link(link)) {
            import_bad(&ci->im, e->line,
                       "the link \"%.*s\" of class " SV_FMT " must begin with http:// or https:// and "
                       "contain no spaces or quotes", link.n < LINK_SHOWN ? (int)link.n : LINK_SHOWN,
                       link.p, SV_ARG(e->info.wnid));
        }
    }
}

/* Classes without a cid get their rank; checks that wnids and cids are unique and usable. */
static void check_entries(struct classes_import *ci)
{
    struct entry **sorted = xcalloc(ci->n, sizeof(struct entry *));
    struct map_u64 cids;
    map_u64_init(&cids);
    for (size_t i = 0; i < ci->n; i++) {
        sorted[i] = &ci->entries[i];
    }
    if (ci->n) {
        qsort(sorted, ci->n, sizeof *sorted, by_wnid);
    }
    for (size_t i = 0; i < ci->n; i++) {
        struct entry *e = sorted[i];
        struct sv wnid = e->info.wnid;
        e->info.cid = e->info.cid < 0 ? (int64_t)i : e->info.cid;
        check_links(ci, e);
        if (outside_formula(wnid)) {
            import_bad(&ci->im, e->line, "the wnid " SV_FMT " " OUTSIDE_FORMULA_TEXT, SV_ARG(wnid));
        } else if (!wnid_good(wnid)) {
            import_bad(&ci->im, e->line,
                       "the wnid must have 1 to %d characters, must not begin with a dot and must not "
                       "contain /, backslash, comma, quote or control characters: exports use it as a "
                       "folder's name",
                       WNID_MOST);
        } else if (i && sv_eq(wnid, sorted[i - 1]->info.wnid)) {
            import_bad(&ci->im, e->line, "class " SV_FMT " is already in %s %llu",
                       SV_ARG(wnid), ci->im.by_entry ? "entry" : "line", (unsigned long long)sorted[i - 1]->line);
        }
        if (map_u64_put(&cids, (uint64_t)e->info.cid, (uint32_t)i) != i) {
            import_bad(&ci->im, e->line, "cid %lld belongs to another class already",
                       (long long)e->info.cid);
        }
    }
    map_u64_release(&cids);
    free(sorted);
}

static enum err_code write_classes(struct db *db, void *arg, bool *more, struct err *err)
{
    struct classes_import *ci = arg;
    uint64_t changed_here = 0;
    enum err_code rc = OK;
    for (int k = 0; k < CHUNK && ci->at < ci->n && rc == OK; k++) {
        bool changed = false;
        rc = classes_put(db, &ci->entries[ci->at++].info, &changed, err);
        changed_here += changed;
    }
    if (rc == OK && changed_here) {
        rc = classes_event(db, changed_here, ci->im.now, err);
        ci->changed += changed_here;
    }
    *more = ci->at < ci->n;
    return rc;
}

/* After all classes are there: their similar ones, by wnid. */
static enum err_code write_similar(struct db *db, void *arg, bool *more, struct err *err)
{
    struct classes_import *ci = arg;
    enum err_code rc = OK;
    if (ci->at < ci->n) {
        const struct entry *e = &ci->entries[ci->at++];
        int64_t own = import_class(&ci->im, e->line, e->info.wnid);
        for (size_t i = 0; i < e->n_similar && rc == OK; i++) {
            uint32_t other = map_sv_get(&ci->im.classes, e->similar[i]);
            if (other != MAP_NONE) {
                rc = classes_put_similar(db, own, (int64_t)i, ci->im.class_list[other].id, err);
            }
        }
    }
    *more = ci->at < ci->n;
    return rc;
}

static enum err_code write_all(struct classes_import *ci)
{
    struct transfer *tr = ci->im.tr;
    enum err_code rc = bulk_write(tr->db, tr->alone, write_classes, ci, tr->err);
    if (rc != OK) {
        return rc;
    }
    /* Read again: now with ids. */
    map_sv_release(&ci->im.classes);
    rc = classes_list(tr->db, tr->arena, &ci->im.class_list, &ci->im.n_classes, tr->err);
    for (size_t i = 0; i < ci->im.n_classes && rc == OK; i++) {
        map_sv_put(&ci->im.classes, ci->im.class_list[i].wnid, (uint32_t)i);
    }
    ci->at = 0;
    return rc == OK ? bulk_write(tr->db, tr->alone, write_similar, ci, tr->err) : rc;
}

enum err_code classes_import(struct transfer *tr, const struct classes_files *files)
{
    struct classes_import ci = {0};
    enum err_code rc = import_open(&ci.im, tr, files->classes);
    rc = rc == OK ? read_file(&ci) : rc;
    rc = rc == OK ? read_beside(&ci, "wikipedia", files->wikipedia, take_wikipedia) : rc;
    rc = rc == OK ? read_beside(&ci, "similar", files->similar, take_similar) : rc;
    if (rc == OK && ci.n > CLASSES_MOST) {
        rc = err_set(tr->err, ERR_LIMIT, "more than %d classes", CLASSES_MOST);
    }
    if (rc == OK) {
        check_entries(&ci);
        rc = check_project(&ci);
        rc = rc == OK ? import_checked(&ci.im) : rc;
    }
    if (rc == OK && !tr->dry_run) {
        rc = write_all(&ci);
    }
    if (rc == OK) {
        transfer_note(tr, "%zu classes read, %llu new or changed%s.", ci.n,
                 (unsigned long long)ci.changed, tr->dry_run ? " (dry run)" : "");
    }
    free(ci.entries);
    import_close(&ci.im);
    return rc;
}
