/* check_sets.c - the part of `check` about how revisions followed one another. Called by
 * cmd_check.c. */
#include "cli/check_sets.h"

#include <stdio.h>

#include "sets/history.h"
#include "store/class_reviews.h"
#include "store/revision_facts.h"

enum { WORDS = 512 };

struct sets_check {
    struct cli *cli;
    void (*found)(void *arg, const char *text);
    void *arg;
};

static void say(const struct sets_check *c, const struct revision_row *r, const char *what)
{
    char text[WORDS];
    snprintf(text, sizeof text, "set: " SV_FMT "/%lld %s", SV_ARG(r->set), (long long)r->number,
             what);
    c->found(c->arg, text);
}

/* Each image that is gone must have its reason, and nothing else may have one. */
static void check_removals(const struct sets_check *c, const struct revision_row *r,
                           const struct revision_facts *f, const struct set_diff *d)
{
    if (d->n_recorded != d->diff.n_removed || d->n_recorded != f->n_removals) {
        say(c, r, "does not say why each image is gone that its parent had");
    }
}

/* What its own event wrote of reviews is what it carried over. */
static enum err_code check_carried(const struct sets_check *c, const struct revision_row *r,
                                   const struct set_diff *d, struct arena *a)
{
    struct class_review_row *rows;
    size_t n = 0, wrong = 0;
    enum err_code rc = class_reviews_list(c->cli->db, r->id, r->id, a, &rows, &n, &c->cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        for (size_t k = 0; k < d->diff.n_changed; k++) { /* a few thousand classes at most */
            wrong += d->classes[d->diff.changed[k]].id == rows[i].class_id;
        }
    }
    if (wrong) {
        say(c, r, "carried over the review of classes whose images changed");
    }
    return rc;
}

static enum err_code check_revision(const struct sets_check *c, const struct revision_row *r)
{
    struct arena a;
    struct revision_facts f;
    struct revision_row parent;
    struct set_diff d;
    arena_init(&a, SIZE_MAX / 2);
    enum err_code rc = revision_facts_get(c->cli->db, r->id, &a, &f, &c->cli->err);
    if (rc == OK && f.sampled && r->parent) {
        rc = revisions_get(c->cli->db, r->parent, &a, &parent, &c->cli->err);
        rc = rc == OK ? set_diff_make(c->cli->db, &parent, r, &a, &d, &c->cli->err) : rc;
        if (rc == OK) {
            check_removals(c, r, &f, &d);
            rc = check_carried(c, r, &d, &a);
        }
    }
    arena_release(&a);
    return rc;
}

enum err_code check_sets(struct cli *cli, void (*found)(void *arg, const char *text), void *arg)
{
    const struct sets_check c = {cli, found, arg};
    struct revision_row *list;
    size_t n = 0;
    enum err_code rc = revisions_list(cli->db, 0, &cli->arena, &list, &n, &cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = check_revision(&c, &list[i]);
        cli_progress(cli, "checking revisions", i, n);
    }
    return rc;
}
