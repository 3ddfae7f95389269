/* reviews_import.c - `holdout import reviews`: how the final review of revisions ended, class
 * by class, from one file or many. JSON lines, one for each revision: {name, not_reviewed: [wnid],
 * problematic: [wnid]}, where every other class of the revision is reviewed and fine; or the
 * published JSON of one revision, {wnid: {reviewed, problematic}}, which is named by the file,
 * NAME_review.json, or by `set`. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/jsonl.h"
#include "store/review/class_reviews.h"
#include "store/sets/sets.h"
#include "transfer/imports/decisions.h"
#include "transfer/imports/imports.h"

struct review {
    int64_t revision, class_id;
    bool reviewed, problematic;
};
struct class_state {
    bool there, not_reviewed, problematic;
};
struct reviews_import {
    struct decision_import d;
    struct review *reviews;
    size_t cap;
    struct class_state *states; /* of the revision that is being read, by index of im->class_list */
    struct map_u64 class_at;    /* class id -> index */
    size_t revisions;
    const char **files;
    size_t n_files;
    const char *set;            /* that they are about, or NULL */
};

static enum err_code put(struct db *db, void *arg, size_t i, int64_t event, bool *added,
                         struct err *err)
{
    const struct reviews_import *ri = arg;
    const struct review *r = &ri->reviews[i];
    struct class_review_row now;
    if (event) {
        return class_reviews_put(db, r->revision, r->class_id, event, r->reviewed, r->problematic,
                                 false, added, err);
    }
    enum err_code rc = class_reviews_of(db, r->revision, r->class_id, &now, err);
    *added = rc == OK && (now.reviewed != r->reviewed || now.problematic != r->problematic);
    return rc;
}

static int64_t subject(const void *arg, size_t i)
{
    const struct reviews_import *ri = arg;
    return ri->reviews[i].revision;
}

static void add_review(struct reviews_import *ri, uint64_t line, const struct review *r)
{
    xgrow(&ri->reviews, &ri->cap, ri->d.n + 1, sizeof *ri->reviews);
    ri->reviews[decision_import_add(&ri->d, line)] = *r;
}

/* ---- which revision ---- */

/* A set is named: the published names' numbers in that set. */
static struct sv wanted_name(struct reviews_import *ri, struct sv published)
{
    size_t at = published.n;
    while (at > 0 && published.p[at - 1] >= '0' && published.p[at - 1] <= '9') {
        at--;
    }
    return !ri->set ? published
                : sv_of(arena_printf(ri->d.im.tr->arena, "%s/" SV_FMT, ri->set,
                                     SV_ARG(sv_make(published.p + at, published.n - at))));
}

/* The id, 0 when there is none, which is a bad row. */
static enum err_code find_revision(struct reviews_import *ri, uint64_t line, struct sv name,
                                   int64_t *id)
{
    struct transfer *tr = ri->d.im.tr;
    struct err none = {OK, "", ""};
    struct revision_row row;
    enum err_code rc = revisions_find(tr->db, name, tr->arena, &row, &none);
    *id = rc == OK ? row.id : 0;
    if (rc == ERR_NOT_FOUND) {
        import_bad(&ri->d.im, line,
                   "there is no revision " SV_FMT
                   "; import it first, or name another with --set SET/NUMBER",
                   SV_ARG(name));
        return OK;
    }
    if (rc == OK &&
        decision_import_seen(&ri->d, sv_of(arena_printf(tr->arena, "%lld", (long long)row.id))) !=
            ri->d.n) {
        import_bad(&ri->d.im, line, "the review of " SV_FMT " appears twice", SV_ARG(name));
    }
    return rc == OK ? OK : err_set(tr->err, rc, "%s", none.msg);
}

static enum err_code mark_class(void *arg, const struct revision_name *m, struct err *err)
{
    struct reviews_import *ri = arg;
    (void)err;
    ri->states[map_u64_get(&ri->class_at, (uint64_t)m->class_id)].there = true;
    return OK;
}

/* ---- JSON lines ---- */

static void mark_listed(struct reviews_import *ri, uint64_t line, const json_t *list,
                        bool problematic)
{
    const json_t *wnid;
    size_t i;
    json_array_foreach(list, i, wnid)
    {
        struct sv name = sv_of(json_string_value(wnid));
        uint32_t at = map_sv_get(&ri->d.im.classes, name);
        if (at == MAP_NONE) {
            import_class(&ri->d.im, line, name); /* says so */
            continue;
        }
        struct class_state *s = &ri->states[at];
        s->there = true;
        s->problematic = s->problematic || problematic;
        s->not_reviewed = s->not_reviewed || !problematic;
    }
}

static enum err_code read_line(struct reviews_import *ri, uint64_t line, const json_t *v)
{
    struct import *im = &ri->d.im;
    const json_t *not_reviewed = json_object_get(v, "not_reviewed");
    const json_t *problematic = json_object_get(v, "problematic");
    struct sv name = sv_of(json_string_value(json_object_get(v, "name")));
    int64_t revision = 0;
    if (!name.n || !json_is_array(not_reviewed) || !json_is_array(problematic)) {
        import_bad(im, line,
                   "a review must have name, and the lists of classes not_reviewed and problematic");
        return OK;
    }
    enum err_code rc = find_revision(ri, line, wanted_name(ri, name), &revision);
    if (rc != OK || !revision) {
        return rc;
    }
    memset(ri->states, 0, im->n_classes * sizeof *ri->states);
    rc = revision_images_named(im->tr->db, revision, mark_class, ri, im->tr->err);
    mark_listed(ri, line, not_reviewed, false);
    mark_listed(ri, line, problematic, true);
    for (size_t k = 0; k < im->n_classes && rc == OK; k++) {
        const struct class_state *s = &ri->states[k];
        if (s->there) {
            add_review(
                ri, line,
                &(struct review){revision, im->class_list[k].id, !s->not_reviewed, s->problematic});
        }
    }
    ri->revisions++;
    ri->d.rows++;
    return rc;
}

static enum err_code read_lines(struct reviews_import *ri)
{
    struct import *im = &ri->d.im;
    struct jsonl j;
    json_t *v = NULL;
    enum err_code rc = OK;
    jsonl_open(&j, im->name, im->text);
    while (rc == OK && (rc = jsonl_next(&j, &v, im->tr->err)) == OK && v) {
        rc = read_line(ri, j.line, v);
        json_decref(v);
        transfer_progress(im->tr, "reading reviews", ri->d.n, 0);
    }
    return rc;
}

/* ---- the published JSON of one revision ---- */

/* "imagenetv2-b-33" of "reviews/imagenetv2-b-33_review.json". */
static struct sv published_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct sv name = sv_of(slash ? slash + 1 : path);
    static const char *const ends[] = {".json", "_review"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (sv_ends(name, ends[i])) {
            name = sv_make(name.p, name.n - strlen(ends[i]));
        }
    }
    return name;
}

/* A named SET/NUMBER is the revision of one file. Otherwise the file's name says its number, of the named set or the
 * set that it names itself; a name without a number is that of a set, whose newest revision it is. */
static enum err_code revision_of_file(struct reviews_import *ri, int64_t *id)
{
    const char *set = ri->set;
    struct sv published = published_name(ri->d.im.name);
    char last = published.n ? published.p[published.n - 1] : '-';
    bool own = set && (strchr(set, '/') || last < '0' || last > '9');
    if (own && ri->n_files > 1) {
        return err_rule(ri->d.im.tr->err, ERR_INPUT, "usage",
                        "--set %s is one revision, but there are %zu files", set, ri->n_files);
    }
    return find_revision(ri, 1, own ? sv_of(set) : wanted_name(ri, published), id);
}

static enum err_code read_one(struct reviews_import *ri)
{
    struct import *im = &ri->d.im;
    json_t *whole = NULL, *v;
    const char *wnid;
    uint64_t entry = 0;
    int64_t revision = 0;
    enum err_code rc = revision_of_file(ri, &revision);
    rc = rc == OK ? decision_import_object(&ri->d, &whole) : rc;
    json_object_foreach(whole, wnid, v)
    {
        const json_t *reviewed = json_object_get(v, "reviewed");
        const json_t *problematic = json_object_get(v, "problematic");
        int64_t class_id = import_class(im, ++entry, sv_of(wnid));
        ri->d.rows++;
        if (!json_is_boolean(reviewed) || !json_is_boolean(problematic)) {
            import_bad(im, entry, "class %s has no reviewed and problematic, true or false", wnid);
            continue;
        }
        add_review(ri, entry,
                   &(struct review){revision, class_id, json_is_true(reviewed),
                                    json_is_true(problematic)});
    }
    json_decref(whole);
    ri->revisions++;
    return rc;
}

/* A line of the first kind says "name"; the published file has classes only. */
static bool is_lines(const struct import *im)
{
    struct sv rest = sv_trim(im->text), first = sv_cut(&rest, '\n');
    json_t *v = json_loadb(first.p ? first.p : "", first.n, 0, NULL);
    bool lines = json_is_string(json_object_get(v, "name"));
    json_decref(v);
    return lines || first.n == 0;
}

static void index_classes(struct reviews_import *ri)
{
    const struct import *im = &ri->d.im;
    ri->states = xcalloc(im->n_classes + 1, sizeof *ri->states);
    for (size_t k = 0; k < im->n_classes; k++) {
        map_u64_put(&ri->class_at, (uint64_t)im->class_list[k].id, (uint32_t)k);
    }
}

static enum err_code read_files(struct reviews_import *ri)
{
    struct import *im = &ri->d.im;
    enum err_code rc = OK;
    index_classes(ri);
    for (size_t i = 0; i < ri->n_files && rc == OK; i++) {
        rc = i == 0 ? OK : import_open_next(im, ri->files[i]);
        if (rc == OK) {
            rc = is_lines(im) ? read_lines(ri) : read_one(ri);
        }
    }
    return rc;
}

enum err_code reviews_import(struct transfer *tr, const char **files, size_t n, const char *set)
{
    struct reviews_import ri = {
        .d = {.event = "reviews.import", .what = "Reviews of classes", .put = put, .subject = subject},
        .files = files,
        .n_files = n,
        .set = set};
    ri.d.arg = &ri;
    map_u64_init(&ri.class_at);
    enum err_code rc = decision_import_open(&ri.d, tr, files[0]);
    rc = rc == OK ? read_files(&ri) : rc;
    rc = rc == OK ? decision_import_run(&ri.d) : rc;
    if (rc == OK) {
        transfer_note(tr, "%zu revisions.", ri.revisions);
    }
    free(ri.reviews);
    free(ri.states);
    map_u64_release(&ri.class_at);
    decision_import_close(&ri.d);
    return rc;
}
