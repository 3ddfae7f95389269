/* cmd_check.c - `holdout check`: counts everything again by another way and compares, and looks
 * for rows without files and files without rows; with --config, what is wrong with config.ini,
 * whatever state the rest is in. Findings go to standard output, one a line. Restore ends with it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "cli/check_models.h"
#include "cli/check_sets.h"
#include "cli/check_stats.h"
#include "cli/commands.h"
#include "crypto/crypto.h"
#include "live/tally.h"
#include "store/decisions.h"
#include "store/images.h"
#include "store/paths.h"
#include "store/health.h"
#include "store/votes.h"

enum { FINDINGS_SHOWN = 100, FINDING_WORDS = 512 };

struct findings {
    struct cli *cli;
    uint64_t n;
    const struct tally *tally;
    uint64_t pairs, votes;
    unsigned char (*sources)[IMAGE_SHA]; /* sorted, as sources_each gives them */
    size_t n_sources, cap_sources;
    bool hash; /* read originals, not only look at their sizes */
};

__attribute__((format(printf, 2, 3))) static void found(struct findings *f, const char *fmt, ...)
{
    char text[FINDING_WORDS];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (f->n++ < FINDINGS_SHOWN) {
        printf("%s\n", text);
    }
}

static enum err_code compare_pair(void *arg, const struct vote_pair *p, struct err *err)
{
    (void)err;
    struct findings *f = arg;
    const struct tally_pair *t = tally_find(f->tally, p->image, p->class_id);
    f->pairs++;
    f->votes += (uint64_t)p->shown;
    if (!t || t->shown != p->shown || t->selected != p->selected) {
        found(f, "counter: image " SV_FMT ", class " SV_FMT
                 ": the counters say %u of %u, the answers %lld of %lld",
              SV_ARG(p->image_name), SV_ARG(p->wnid), t ? t->selected : 0, t ? t->shown : 0,
              (long long)p->selected, (long long)p->shown);
    }
    cli_progress(f->cli, "recounting votes", f->pairs, 0);
    return OK;
}

static enum err_code found_cut_off(void *arg, int64_t id, int64_t written, int64_t subjects,
                                   struct err *err)
{
    (void)err;
    const struct findings *f = arg;
    found(arg, "decision: %lld has %lld of its %lld rows: `holdout decide %s --continue %lld` goes on, "
               "--undo %lld takes it back",
          (long long)id, (long long)written, (long long)subjects, f->cli->dir, (long long)id,
          (long long)id);
    return OK;
}

static void found_text(void *arg, const char *text)
{
    found(arg, "%s", text);
}

/* The fold that the server keeps in memory against a recount by SQL alone. */
static enum err_code check_votes(struct findings *f)
{
    struct err *err = &f->cli->err;
    struct tally *t = tally_new();
    int64_t over = 0;
    struct tally_totals totals;
    enum err_code rc = tally_fold(t, f->cli->db, err);
    f->tally = t;
    tally_totals(t, &totals);
    if (rc == OK) {
        rc = votes_recount(f->cli->db, compare_pair, f, err);
    }
    if (rc == OK) {
        rc = check_stats(f->cli, t, found_text, f);
    }
    if (rc == OK) {
        rc = votes_over_n(f->cli->db, &over, err);
    }
    if (rc == OK) {
        rc = decisions_broken(f->cli->db, found_cut_off, f, err);
    }
    if (rc == OK && totals.votes != f->votes) {
        found(f, "counter: the counters hold %llu votes, the answers %llu",
              (unsigned long long)totals.votes, (unsigned long long)f->votes);
    }
    if (over) {
        found(f, "rule: %lld grids have more accepted answers than their campaign's N",
              (long long)over);
    }
    tally_free(t);
    return rc;
}

static enum err_code print_problem(void *arg, struct sv text, struct err *err)
{
    (void)err;
    found(arg, "database: " SV_FMT, SV_ARG(text));
    return OK;
}

static enum err_code check_rows(struct findings *f)
{
    struct err *err = &f->cli->err;
    int64_t orphans = 0, miscounted = 0;
    enum err_code rc = health_database(f->cli->db, print_problem, f, err);
    if (rc == OK) {
        rc = sources_orphans(f->cli->db, &orphans, err);
    }
    if (rc == OK) {
        rc = images_miscounted(f->cli->db, &miscounted, err);
    }
    if (orphans) {
        found(f, "orphan: %lld sources belong to no image", (long long)orphans);
    }
    if (miscounted) {
        found(f, "counter: %lld image counts by class and role are wrong", (long long)miscounted);
    }
    return rc;
}

static void check_size(struct findings *f, const char *path, int64_t bytes, const char *hint)
{
    int64_t size = fs_size(path);
    if (size < 0) {
        found(f, "missing: %s%s", path, hint);
    } else if (bytes >= 0 && size != bytes) {
        found(f, "size: %s has %lld bytes instead of %lld%s", path, (long long)size,
              (long long)bytes, hint);
    } else if (size == 0) {
        found(f, "size: %s is empty", path);
    }
}

/* The bytes that an original had when it was imported are its name. Renditions have no hash of their
 * own: importing again makes them. */
static void check_hash(struct findings *f, const struct source_row *s, const char *path,
                       const char *hint)
{
    unsigned char sha[IMAGE_SHA];
    struct err why = {0};
    enum err_code rc = crypto_sha256_file(path, sha, &why);
    if (rc != OK && rc != ERR_NOT_FOUND) {
        found(f, "unreadable: %s%s", why.msg, hint);
    } else if (rc == OK && memcmp(sha, s->sha256, IMAGE_SHA) != 0) {
        found(f, "content: %s is not what was imported%s", path, hint);
    }
}

static enum err_code check_source(void *arg, const struct source_row *s, struct err *err)
{
    struct findings *f = arg;
    struct arena a;
    (void)err;
    arena_init(&a, 1 << 16);
    xgrow(&f->sources, &f->cap_sources, f->n_sources + 1, sizeof *f->sources);
    memcpy(f->sources[f->n_sources++], s->sha256, IMAGE_SHA);
    const char *original = s->path.n
                               ? arena_cstr(&a, s->path)
                               : path_rendition(&a, f->cli->dir, s->sha256, RENDITION_SOURCE);
    const char *hint = s->path.n ? " (an original that the project only refers to: put it back, or "
                                   "import it again from where it is now)"
                                 : "";
    check_size(f, original, s->bytes, hint);
    if (f->hash && fs_size(original) == s->bytes) {
        check_hash(f, s, original, hint);
    }
    check_size(f, path_rendition(&a, f->cli->dir, s->sha256, RENDITION_VIEW), -1, "");
    check_size(f, path_rendition(&a, f->cli->dir, s->sha256, RENDITION_GRID), -1, "");
    cli_progress(f->cli, "checking files", f->n_sources, 0);
    arena_release(&a);
    return OK;
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, IMAGE_SHA);
}

static enum err_code check_file(void *arg, const char *relative, struct err *err)
{
    (void)err;
    struct findings *f = arg;
    unsigned char sha[IMAGE_SHA];
    const char *base = strrchr(relative, '/');
    base = base ? base + 1 : relative;
    const char *dot = strchr(base, '.');
    bool named = dot && crypto_unhex(sv_make(base, (size_t)(dot - base)), sha, IMAGE_SHA);
    if (!named || !f->n_sources ||
        !bsearch(sha, f->sources, f->n_sources, IMAGE_SHA, by_bytes)) {
        found(f, "orphan: images/%s belongs to no row (a killed import? import again, or delete "
                 "it)", relative);
    }
    return OK;
}

static enum err_code check_files(struct findings *f)
{
    enum err_code rc = sources_each(f->cli->db, check_source, f, &f->cli->err);
    char *images = project_path(&f->cli->arena, f->cli->dir, "images");
    if (rc == OK && fs_is_dir(images)) {
        rc = fs_walk(images, check_file, f, &f->cli->err);
    }
    return rc;
}

enum err_code check_open_project(struct cli *cli)
{
    struct findings f = {.cli = cli, .hash = cli_has(cli, "hash")};
    enum err_code rc = check_rows(&f);
    if (rc == OK) {
        rc = check_votes(&f);
    }
    if (rc == OK) {
        rc = check_models(cli, found_text, &f);
    }
    if (rc == OK) {
        rc = check_sets(cli, found_text, &f);
    }
    if (rc == OK) {
        rc = check_files(&f);
    }
    free(f.sources);
    if (rc != OK) {
        return rc;
    }
    cli_progress_end(cli);
    if (cli->json) {
        printf("{\"findings\":%llu,\"pairs\":%llu,\"sources\":%zu}\n", (unsigned long long)f.n,
               (unsigned long long)f.pairs, f.n_sources);
    }
    if (f.n) {
        return err_set(&cli->err, ERR_CONFLICT, "%llu finding%s", (unsigned long long)f.n,
                       f.n == 1 ? "" : "s");
    }
    cli_note(cli, "Nothing wrong: %llu pairs of image and class, %zu image files.",
             (unsigned long long)f.pairs, f.n_sources);
    return OK;
}

/* arg: the first, for the message at the end. */
static void print_mistake(void *arg, const char *text)
{
    char *first = arg;
    printf("config: %s\n", text);
    if (!*first) {
        snprintf(first, FINDING_WORDS, "%s", text);
    }
}

static enum err_code check_config(struct cli *cli)
{
    const char *flags[CLI_OPTIONS];
    char first[FINDING_WORDS] = "";
    size_t n = project_flags(cli, flags), mistakes = 0;
    if (!fs_is_dir(cli->dir)) {
        return err_set(&cli->err, ERR_NOT_FOUND, "%s is no folder", cli->dir);
    }
    enum err_code rc =
        config_check(cli->dir, flags, n, print_mistake, first, &mistakes, &cli->err);
    if (rc != OK) {
        return rc;
    }
    if (cli->json) {
        printf("{\"findings\":%zu}\n", mistakes);
    }
    if (mistakes) {
        return err_set(&cli->err, ERR_INPUT, "%zu mistake%s in the configuration: %s%s", mistakes,
                       mistakes == 1 ? "" : "s", first, mistakes == 1 ? "" : " ...");
    }
    cli_note(cli, "The configuration is fine.");
    return OK;
}

enum err_code cmd_check(struct cli *cli)
{
    if (cli_has(cli, "config")) {
        return check_config(cli);
    }
    enum err_code rc = project_open(cli);
    return rc == OK ? check_open_project(cli) : rc;
}
