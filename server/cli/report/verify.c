/* verify.c - `holdout verify`: findings as CSV (with --json as records) on standard output. */
#include "report/verify.h"

#include <stdio.h>

#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "json/object.h"

#define OUT_MOST ((size_t)1 << 26)

static void show_progress(void *arg, const char *what, uint64_t done, uint64_t total)
{
    cli_progress(arg, what, done, total);
}

static enum err_code print_csv(struct cli *cli, const struct verify_found *found)
{
    struct str out;
    str_init(&out, OUT_MOST);
    record_csv_names(&verify_finding_record, &out);
    str_addc(&out, '\n');
    for (size_t i = 0; i < found->n; i++) {
        record_csv_cells(&verify_finding_record, &found->findings[i], &out);
        str_addc(&out, '\n');
    }
    return export_end(&out, OK, &cli->err);
}

static enum err_code print_json(struct cli *cli, const struct verify_found *found)
{
    json_t *list = json_array();
    for (size_t i = 0; i < found->n; i++) {
        json_array_append_new(list, record_json(&verify_finding_record, &found->findings[i]));
    }
    json_t *all = object(field_text("tool", found->tool), field_bool("recomputed", found->recomputed), field_count("files", found->files),
                         field_count("values", found->values), field_count("findings_all", found->all), field_json("findings", list));
    bool written = all && json_dumpf(all, stdout, JSON_INDENT(1)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    return written ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
}

/* What was looked at, and whether all of it is well. */
static enum err_code conclude(struct cli *cli, const struct verify_found *found)
{
    if (!sv_is(sv_of(found->tool), "holdout " HOLDOUT_VERSION)) {
        cli_note(cli, "The report was written by %s; this is holdout %s. Texts may differ where numbers do not.", found->tool, HOLDOUT_VERSION);
    }
    if (found->all) {
        return err_set(&cli->err, ERR_CONFLICT, "%zu difference%s%s", found->all, found->all == 1 ? "" : "s",
                       found->recomputed ? "" : "; no number was computed again: give --project");
    }
    cli_note(cli, found->recomputed ? "%zu files are as they were written, and %zu values computed again are the same."
                                    : "%zu files are as they were written. No number was computed again: give --project.",
             found->files, found->values);
    return OK;
}

enum err_code cmd_verify(struct cli *cli)
{
    const char *project = cli_opt(cli, "project");
    struct verify_found found;
    enum err_code rc = OK;
    if (project) {
        cli->dir = project;
        rc = project_open(cli);
    }
    const struct verify_ask ask = {.folder = cli->args[0], .db = cli->db, .progress = show_progress, .arg = cli};
    rc = rc == OK ? report_verify(&ask, &cli->arena, &found, &cli->err) : rc;
    cli_progress_end(cli);
    rc = rc == OK ? cli->json ? print_json(cli, &found) : print_csv(cli, &found) : rc;
    return rc == OK ? conclude(cli, &found) : rc;
}
