/* set.c - `holdout export set`: a revision as a list of images with labels on standard
 * output, or as a folder with everything that others need (sets/export/export.h). The folder is also
 * what the Export button of a revision's page makes, as a job, below DIR/exports. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "formats/csv.h"
#include "jobs/report.h"
#include "sets/export/export.h"

enum { OUT_MOST = 1 << 24, FOLDERS_MOST = 10000 };
#define LIST_MOST ((size_t)1 << 31)

struct export_run {
    struct cli *cli;
    struct revision_row revision;
    struct set_export_ask ask;
    struct set_export_result result;
    struct job_report report;
    const char
        *shown; /* where the folder is, for people: on a job's page not where the project is */
    const char *note; /* what the job's page says while it runs */
    bool job_lost;    /* the row says that this process is not the job any more */
};

/* ---- a list ---- */

static enum err_code print_image(void *arg, const struct revision_name *m, struct err *err)
{
    struct str *out = arg;
    csv_cell(out, m->name);
    str_addc(out, ',');
    csv_cell(out, m->wnid);
    str_addc(out, '\n');
    return out->max == OUT_MOST ? export_flush(out, err) : OK;
}

static enum err_code save_list(struct cli *cli, const char *path, struct str *out)
{
    enum err_code rc = str_check(out, path, &cli->err);
    if (rc == OK && fs_exists(path)) {
        rc = err_rule(&cli->err, ERR_CONFLICT, "export-target",
                      "%s already exists. Nothing was written; choose another name.", path);
    }
    rc = rc == OK ? fs_write_whole(path, out->p, out->n, true, &cli->err) : rc;
    str_release(out);
    return rc;
}

static enum err_code export_list(struct export_run *x)
{
    struct cli *cli = x->cli;
    const char *path = cli_opt(cli, "output");
    struct str out;
    str_init(&out, path ? LIST_MOST : OUT_MOST);
    str_addz(&out, "image,wnid\n");
    enum err_code rc = revision_images_named(cli->db, x->revision.id, print_image, &out, &cli->err);
    if (rc == OK && path) {
        return save_list(cli, path, &out);
    }
    return export_end(&out, rc, &cli->err);
}

/* ---- a folder ---- */

static void show_progress(void *arg, size_t done, size_t of)
{
    struct export_run *x = arg;
    cli_progress(x->cli, "exporting images", done, of);
    if (!x->job_lost) {
        x->job_lost = job_report_progress(&x->report, done, of, x->note, &x->cli->err) != OK;
    }
}

static bool should_stop(void *arg)
{
    const struct export_run *x = arg;
    return x->job_lost || job_report_stop(&x->report);
}

/* exports/SET-NUMBER, or with a further number when that is taken: an earlier export stays what it
 * is. */
static const char *own_folder(const struct export_run *x)
{
    struct cli *cli = x->cli;
    const char *first = arena_printf(&cli->arena, "exports/" SV_FMT "-%" PRId64,
                                     SV_ARG(x->revision.set), x->revision.number);
    const char *name = first;
    for (int i = 2; fs_exists(project_path(&cli->arena, cli->dir, name)) && i < FOLDERS_MOST; i++) {
        name = arena_printf(&cli->arena, "%s-%d", first, i);
    }
    return name;
}

static void tell(const struct export_run *x)
{
    const struct set_export_result *r = &x->result;
    if (x->cli->json) {
        printf("{\"images\":%zu,\"files\":%zu,\"bytes\":%" PRIu64
               ",\"without_pixels\":%zu,\"withheld\":%zu}\n",
               r->images, r->files, r->bytes, r->without_pixels, r->tombstones);
        return;
    }
    if (r->without_pixels) {
        cli_note(x->cli, "%zu images are known by name only: they are in manifest.csv but have no files.",
                 r->without_pixels);
    }
    if (r->tombstones) {
        cli_note(x->cli,
                 "%zu images were taken down or are in quarantine: tombstones.csv says why.",
                 r->tombstones);
    }
    /* A job's page shows the last line. */
    cli_note(x->cli, SV_FMT "/%" PRId64 ": %zu images, %zu files of %.1f MB, in %s.",
             SV_ARG(x->revision.set), x->revision.number, r->images, r->files,
             (double)r->bytes / 1e6, x->shown);
}

static enum err_code export_folder(struct export_run *x)
{
    struct cli *cli = x->cli;
    struct tally *t = tally_new();
    const char *output = cli_opt(cli, "output");
    const char *own = output ? NULL : own_folder(x);
    x->ask.target = output ? output : project_path(&cli->arena, cli->dir, own);
    x->shown = own && x->report.job ? own : x->ask.target;
    x->note = arena_printf(&cli->arena, "exporting into %s", x->shown);
    show_progress(x, 0, (size_t)x->revision.images);
    enum err_code rc = tally_fold(t, cli->db, &cli->err);
    if (rc == OK) {
        struct err why = {0};
        rc = set_export_write(cli->db, t, &x->ask, &x->result, &why);
        cli_progress_end(cli);
        if (rc != OK && job_report_stop(&x->report)) {
            rc = job_report_stopped(&cli->err);
        } else if (rc != OK) {
            rc = err_rule(&cli->err, rc, why.rule, "%s", why.msg);
        }
    }
    tally_free(t);
    if (rc == OK) {
        tell(x);
    }
    return rc;
}

/* ---- arguments ---- */

static enum err_code read_options(struct export_run *x, bool *folder)
{
    struct cli *cli = x->cli;
    const char *format = cli_opt(cli, "format");
    bool link = cli_has(cli, "link"), reflink = cli_has(cli, "reflink");
    bool pool = cli_has(cli, "pool"), verify = cli_has(cli, "verify");
    *folder = format && strcmp(format, "folder") == 0;
    if (format && !*folder && strcmp(format, "list") != 0) {
        return cli_usage(cli, "--format must be list or folder");
    }
    if (link && reflink) {
        return cli_usage(cli, "give only one of --link and --reflink");
    }
    if (!*folder && (link || reflink || pool || verify)) {
        return cli_usage(cli, "--link, --reflink, --pool and --verify need --format folder");
    }
    if (*folder && cli_opt(cli, "output") && !*cli_opt(cli, "output")) {
        return cli_usage(cli, "--output needs the name of a folder");
    }
    x->ask = (struct set_export_ask){.revision = &x->revision,
                                     .project = cli->dir,
                                     .how = link      ? EXPORT_LINK
                                            : reflink ? EXPORT_REFLINK
                                                      : EXPORT_COPY,
                                     .pool = pool,
                                     .verify = verify,
                                     .flags_to_quarantine = cli->config.flags_to_quarantine,
                                     .now = clock_wall_ms(),
                                     .progress = show_progress,
                                     .stop = should_stop,
                                     .arg = x};
    return OK;
}

enum err_code cmd_export_set(struct cli *cli)
{
    struct export_run x = {.cli = cli};
    bool folder = false;
    int64_t job = 0;
    enum err_code rc = read_options(&x, &folder);
    rc = rc == OK ? cli_opt_int(cli, "job", 1, INT64_MAX, 0, &job) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = job_report_begin(&x.report, cli->db, job, &cli->err);
    if (rc == OK) {
        rc = revisions_find(cli->db, sv_of(cli->args[1]), &cli->arena, &x.revision, &cli->err);
    }
    if (rc == OK) {
        rc = folder ? export_folder(&x) : export_list(&x);
    }
    job_report_end(&x.report);
    return rc;
}
