/* check.c - the database as a whole, and the order in which the parts look at a project. */
#include "check/check.h"

#include <stdarg.h>
#include <stdio.h>

#include "check/parts.h"
#include "store/decisions/decisions.h"
#include "store/images/images.h"
#include "store/operate/health.h"
#include "store/votes/votes.h"

enum { SENTENCE = 512 };

void check_found(struct check *c, const char *fmt, ...)
{
    char text[SENTENCE];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    c->found(c->arg, text);
}

void check_progress(struct check *c, const char *what, uint64_t done, uint64_t total)
{
    if (c->progress) {
        c->progress(c->arg, what, done, total);
    }
}

void check_flaws(struct check *c, const char *what, const struct flaw *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        check_found(c, "%s " SV_FMT ": %lld %s", what, SV_ARG(list[i].list), (long long)list[i].n, list[i].what);
    }
}

/* ---- rows ---- */

static enum err_code found_problem(void *arg, struct sv text, struct err *err)
{
    (void)err;
    check_found(arg, "database: " SV_FMT, SV_ARG(text));
    return OK;
}

static enum err_code check_counts_of_images(struct check *c)
{
    int64_t miscounted = 0;
    enum err_code rc = images_miscounted(c->db, &miscounted, c->err);
    if (miscounted) {
        check_found(c, "counter: %lld image counts by class and role are wrong",
                    (long long)miscounted);
    }
    return rc;
}

static enum err_code check_rows(struct check *c)
{
    int64_t orphans = 0;
    enum err_code rc = health_database(c->db, found_problem, c, c->err);
    rc = rc == OK ? sources_orphans(c->db, &orphans, c->err) : rc;
    if (orphans) {
        check_found(c, "orphan: %lld sources belong to no image", (long long)orphans);
    }
    return rc == OK ? check_counts_of_images(c) : rc;
}

/* ---- answers ---- */

static enum err_code found_cut_off(void *arg, int64_t id, int64_t written, int64_t subjects,
                                   struct err *err)
{
    (void)err;
    struct check *c = arg;
    check_found(c, "decision: %lld has %lld of its %lld rows: `holdout decide %s --continue %lld` completes "
                "it, --undo %lld undoes it",
                (long long)id, (long long)written, (long long)subjects, c->dir, (long long)id,
                (long long)id);
    return OK;
}

static enum err_code check_answers(struct check *c, uint64_t *pairs)
{
    struct tally *t = tally_new();
    int64_t over = 0;
    enum err_code rc = check_votes(c, t, pairs);
    rc = rc == OK ? check_stats(c, t) : rc;
    rc = rc == OK ? check_responses(c) : rc;
    rc = rc == OK ? votes_over_n(c->db, &over, c->err) : rc;
    rc = rc == OK ? decisions_broken(c->db, found_cut_off, c, c->err) : rc;
    if (over) {
        check_found(c, "rule: %lld grids have more accepted answers than their campaign's N",
                    (long long)over);
    }
    tally_free(t);
    return rc;
}

/* ---- the whole ---- */

enum err_code check_project(struct check *c, struct check_counts *out)
{
    *out = (struct check_counts){0};
    enum err_code rc = check_rows(c);
    rc = rc == OK ? check_answers(c, &out->pairs) : rc;
    rc = rc == OK ? check_lists(c) : rc;
    rc = rc == OK ? check_neighbors(c) : rc;
    rc = rc == OK ? check_models(c) : rc;
    rc = rc == OK ? check_texts(c) : rc;
    rc = rc == OK ? check_labels(c) : rc;
    rc = rc == OK ? check_label_reviews(c) : rc;
    rc = rc == OK ? check_label_plans(c) : rc;
    rc = rc == OK ? check_training(c) : rc;
    rc = rc == OK ? check_evaluations(c) : rc;
    rc = rc == OK ? check_subsets(c) : rc;
    rc = rc == OK ? check_revisions(c) : rc;
    return rc == OK ? check_files(c, &out->sources) : rc;
}

enum err_code check_database(struct check *c)
{
    enum err_code rc = health_damage(c->db, found_problem, c, c->err);
    rc = rc == OK ? check_vote_sums(c) : rc;
    return rc == OK ? check_counts_of_images(c) : rc;
}
