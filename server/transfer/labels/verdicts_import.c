/* verdicts_import.c - `holdout label-review import`: verdicts that were given elsewhere (label_file.h), as looks of one
 * person in a label review. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "db/bulk.h"
#include "store/labels/label_looks.h"
#include "store/people/accounts.h"
#include "transfer/imports/imports.h"
#include "transfer/labels/label_file.h"

struct verdicts_import {
    const struct verdicts_ask *ask;
    struct transfer *tr;
    struct import im;
    struct prediction_target target;
    struct label_file file;
    struct label_book book;    /* of the file */
    struct map_u64 position;   /* image -> position in the list */
    int64_t review, account;
    size_t at, written, same, outside; /* outside: images that the list has not */
};

static enum err_code find_all(struct verdicts_import *v)
{
    struct label_review_row r;
    struct account by;
    struct transfer *tr = v->tr;
    uint32_t *images;
    size_t n = 0;
    enum err_code rc = label_reviews_find(tr->db, v->ask->review, tr->arena, &r, tr->err);
    rc = rc == OK ? label_review_images(tr->db, r.id, tr->arena, &images, &n, tr->err) : rc;
    v->review = r.id;
    for (size_t i = 0; i < n && rc == OK; i++) {
        map_u64_put(&v->position, images[i], (uint32_t)i);
    }
    if (rc == OK && v->ask->by) {
        rc = accounts_find_login(tr->db, sv_of(v->ask->by), tr->arena, &by, tr->err);
        v->account = rc == OK ? by.id : 0;
        rc = rc == ERR_NOT_FOUND ? err_rule(tr->err, rc, "no-account", "There is no account %s.", v->ask->by) : rc;
    }
    return rc;
}

/* Whether the person's newest words about the image are those of the file. */
static enum err_code is_same(struct verdicts_import *v, struct db *db, int64_t position, const struct label_image *image,
                             struct arena *a, bool *same, struct err *err)
{
    struct label_look_row *looks;
    struct look_said *said;
    size_t n = 0, n_said = 0, equal = 0, theirs = 0;
    int64_t newest = 0;
    bool problematic = false;
    enum err_code rc = label_looks_list(db, v->review, position, a, &looks, &n, err);
    rc = rc == OK ? label_looks_said(db, v->review, position, a, &said, &n_said, err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (looks[i].account == v->account && sv_is(looks[i].part, "review")) {
            newest = looks[i].id;
            problematic = looks[i].problematic.n > 0;
        }
    }
    for (size_t i = 0; i < n_said && rc == OK; i++) {
        theirs += said[i].look == newest;
        for (uint32_t k = 0; k < image->n; k++) {
            const struct label *l = &v->book.labels[image->first + k];
            equal += said[i].look == newest && said[i].class_id == l->class_id && (int)said[i].verdict == l->verdict;
        }
    }
    *same = newest && theirs == image->n && equal == image->n && problematic == image->problematic;
    return rc;
}

static enum err_code write_image(struct verdicts_import *v, struct db *db, int64_t position, const struct label_image *image,
                                 struct err *err)
{
    int64_t id;
    struct look_verdict *said = xcalloc(image->n + 1, sizeof *said);
    for (uint32_t k = 0; k < image->n; k++) {
        const struct label *l = &v->book.labels[image->first + k];
        said[k] = (struct look_verdict){l->class_id, l->verdict};
    }
    const struct label_look_new look = {.review = v->review, .position = position, .account = v->account, .part = LOOK_REVIEW,
                                        .verdicts = said, .n = image->n,
                                        .problem = image->problematic ? PROBLEM_LABEL : PROBLEMS, .comment = SV("")};
    enum err_code rc = label_look_add(db, &look, v->im.now, &id, err);
    free(said);
    return rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct verdicts_import *v = arg;
    struct arena a;
    bool same = true;
    arena_init(&a, 1 << 22);
    const struct label_image *image = v->at < v->book.n ? &v->book.images[v->at] : NULL;
    uint32_t position = image ? map_u64_get(&v->position, image->image) : MAP_NONE;
    bool says = position != MAP_NONE && (image->n || image->problematic);
    enum err_code rc = says ? is_same(v, db, position, image, &a, &same, err) : OK;
    rc = rc == OK && !same ? write_image(v, db, position, image, err) : rc;
    v->outside += image && position == MAP_NONE;
    v->written += !same;
    v->same += says && same;
    *more = ++v->at < v->book.n;
    arena_release(&a);
    return rc;
}

static enum err_code read_and_write(struct verdicts_import *v)
{
    struct transfer *tr = v->tr;
    v->file.stage = v->ask->stage;
    v->file.kind_given = true;
    v->file.kind = LABEL_KIND_REVIEW;
    enum err_code rc = find_all(v);
    rc = rc == OK ? label_file_read(&v->file) : rc;
    rc = rc == OK ? label_file_book(&v->file, &v->book) : rc;
    if (v->file.conflicts) {
        transfer_warn(tr, "%zu label%s of an image %s more than one verdict: correct counts before unclear, then wrong, then dontknow.",
                      v->file.conflicts, v->file.conflicts == 1 ? "" : "s", v->file.conflicts == 1 ? "has" : "have");
    }
    rc = rc == OK && !tr->dry_run ? bulk_write(tr->db, tr->alone, write_step, v, tr->err) : rc;
    if (rc == OK) {
        transfer_note(tr, "%llu rows read: verdicts about %zu images written, of %zu they are there already; %zu images are not in the list%s.",
                      (unsigned long long)v->file.read, v->written, v->same, v->outside, tr->dry_run ? " (dry run)" : "");
    }
    return rc;
}

enum err_code verdicts_import(struct transfer *tr, const struct verdicts_ask *ask)
{
    struct verdicts_import v = {.ask = ask, .tr = tr};
    map_u64_init(&v.position);
    enum err_code rc = import_open(&v.im, tr, ask->path);
    rc = rc == OK ? prediction_target_open(&v.target, &v.im, NULL, NULL) : rc;
    if (rc == OK) {
        label_file_open(&v.file, &v.im, &v.target);
        rc = read_and_write(&v);
        label_file_close(&v.file);
        label_book_release(&v.book);
    }
    prediction_target_close(&v.target);
    import_close(&v.im);
    map_u64_release(&v.position);
    return rc;
}
