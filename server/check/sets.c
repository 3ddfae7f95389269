/* sets.c - lists of images against their digests, and how revisions followed one another. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "check/parts.h"
#include "sets/revisions/digest.h"
#include "sets/revisions/history.h"
#include "store/review/class_reviews.h"
#include "store/sets/revision_facts.h"
#include "store/sets/sets.h"

/* ---- lists ---- */

struct lines {
    struct set_line *list;
    size_t n, cap;
    struct arena texts;
};

static enum err_code add_line(void *arg, const struct revision_name *r, struct err *err)
{
    (void)err;
    struct lines *l = arg;
    xgrow(&l->list, &l->cap, l->n + 1, sizeof *l->list);
    l->list[l->n++] = (struct set_line){arena_sv(&l->texts, r->name), arena_sv(&l->texts, r->wnid)};
    return OK;
}

static enum err_code check_digest(struct check *c, const struct set_list_state *s)
{
    struct lines l = {0};
    unsigned char digest[SET_DIGEST];
    struct revision_row r;
    arena_init(&l.texts, (size_t)1 << 31);
    enum err_code rc = revisions_get(c->db, s->revision, c->arena, &r, c->err);
    rc = rc == OK ? revision_images_named(c->db, s->revision, add_line, &l, c->err) : rc;
    if (rc == OK) {
        set_digest(l.list, l.n, digest);
        if (memcmp(digest, s->digest, SET_DIGEST) != 0) {
            check_found(c, "set: the images and labels of " SV_FMT "/%lld do not match its digest", SV_ARG(r.set), (long long)r.number);
        }
    }
    free(l.list);
    arena_release(&l.texts);
    return rc;
}

struct list_states {
    struct set_list_state *list;
    size_t n, cap;
};

static enum err_code keep_state(void *arg, const struct set_list_state *s, struct err *err)
{
    (void)err;
    struct list_states *l = arg;
    xgrow(&l->list, &l->cap, l->n + 1, sizeof *l->list);
    l->list[l->n++] = *s;
    return OK;
}

enum err_code check_lists(struct check *c)
{
    struct list_states l = {0};
    enum err_code rc = sets_check(c->db, keep_state, &l, c->err);
    for (size_t i = 0; i < l.n && rc == OK; i++) {
        const struct set_list_state *s = &l.list[i];
        check_progress(c, "checking sets", i, l.n);
        if (s->revision == 0) {
            check_found(c, "set: a list of %lld images belongs to no revision: the import of a set was cut "
                        "off after %lld; run the same import again to complete it",
                        (long long)s->images, (long long)s->rows);
        } else if (s->rows != s->images) {
            check_found(c, "set: a list has %lld rows instead of %lld", (long long)s->rows,
                        (long long)s->images);
        } else {
            rc = check_digest(c, s);
        }
    }
    free(l.list);
    return rc;
}

/* ---- revisions ---- */

static void found_in(struct check *c, const struct revision_row *r, const char *what)
{
    check_found(c, "set: " SV_FMT "/%lld %s", SV_ARG(r->set), (long long)r->number, what);
}

/* Each image that is gone must have its reason, and nothing else may have one. */
static void check_removals(struct check *c, const struct revision_row *r,
                           const struct revision_facts *f, const struct set_diff *d)
{
    if (d->n_recorded != d->diff.n_removed || d->n_recorded != f->n_removals) {
        found_in(c, r, "does not give exactly one reason for each image of its parent that is gone");
    }
}

/* What its own event wrote of reviews is what it carried over. */
static enum err_code check_carried(struct check *c, const struct revision_row *r,
                                   const struct set_diff *d, struct arena *a)
{
    struct class_review_row *rows;
    size_t n = 0, wrong = 0;
    enum err_code rc = class_reviews_list(c->db, r->id, r->id, a, &rows, &n, c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        for (size_t k = 0; k < d->diff.n_changed; k++) { /* a few thousand classes at most */
            wrong += d->classes[d->diff.changed[k]].id == rows[i].class_id;
        }
    }
    if (wrong) {
        found_in(c, r, "carried over the final review of classes whose images changed");
    }
    return rc;
}

static enum err_code check_revision(struct check *c, const struct revision_row *r)
{
    struct arena a;
    struct revision_facts f;
    struct revision_row parent;
    struct set_diff d = {0};
    arena_init(&a, SIZE_MAX / 2);
    enum err_code rc = revision_facts_get(c->db, r->id, &a, &f, c->err);
    if (rc == OK && f.sampled && r->parent) {
        rc = revisions_get(c->db, r->parent, &a, &parent, c->err);
        rc = rc == OK ? set_diff_make(c->db, &parent, r, &d, c->err) : rc;
        if (rc == OK) {
            check_removals(c, r, &f, &d);
            rc = check_carried(c, r, &d, &a);
        }
    }
    set_diff_free(&d);
    arena_release(&a);
    return rc;
}

enum err_code check_revisions(struct check *c)
{
    struct revision_row *list;
    size_t n = 0;
    enum err_code rc = revisions_list(c->db, 0, c->arena, &list, &n, c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = check_revision(c, &list[i]);
        check_progress(c, "checking revisions", i, n);
    }
    return rc;
}
