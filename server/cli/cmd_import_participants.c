/* cmd_import_participants.c - `holdout import participants`: the people whom a campaign expects.
 * One column counts: participant_id, or external_id. Whoever is on the list already stays; panels
 * export their lists as they are. */
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/import.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "store/studies.h"

enum { CHUNK = 100, ID_MOST = 128 };

struct people_import {
    struct import im;
    struct csv csv;
    struct campaign campaign;
    struct study study;
    int col;
    uint64_t rows, done, added;
};

static enum err_code open_csv(struct people_import *pi)
{
    struct err *err = &pi->im.cli->err;
    enum err_code rc = csv_open(&pi->csv, pi->im.name, pi->im.text, err);
    if (rc == OK && (pi->col = csv_column(&pi->csv, "participant_id")) < 0) {
        pi->col = csv_column(&pi->csv, "external_id");
    }
    return rc == OK && pi->col < 0
               ? err_set(err, ERR_INPUT, "%s:1: there is no column participant_id or external_id",
                         pi->im.name)
               : rc;
}

static void check_row(struct people_import *pi, struct sv id, struct map_sv *seen)
{
    uint32_t row = (uint32_t)pi->rows++;
    bool control = false;
    for (size_t i = 0; i < id.n; i++) {
        control = control || (unsigned char)id.p[i] < ' ';
    }
    if (id.n == 0 || id.n > ID_MOST || control) {
        import_bad(&pi->im, pi->csv.line, "an id must have 1 to %d bytes and no control characters",
                   ID_MOST);
    } else if (map_sv_put(seen, id, row) != row) {
        import_bad(&pi->im, pi->csv.line, SV_FMT " is in the list twice", SV_ARG(id));
    }
}

static enum err_code validate(struct people_import *pi)
{
    struct map_sv seen;
    bool more = true;
    map_sv_init(&seen);
    enum err_code rc = open_csv(pi);
    while (rc == OK && (rc = csv_next(&pi->csv, &more, &pi->im.cli->err)) == OK && more) {
        /* The row's cells are gone with the next one. */
        check_row(pi, arena_sv(&pi->im.cli->arena, sv_trim(pi->csv.cells[pi->col])), &seen);
    }
    csv_close(&pi->csv);
    map_sv_release(&seen);
    return rc != OK ? rc : import_checked(&pi->im);
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct people_import *pi = arg;
    enum err_code rc = OK;
    *more = true;
    for (int i = 0; i < CHUNK && rc == OK; i++) {
        rc = csv_next(&pi->csv, more, err);
        if (rc != OK || !*more) {
            break;
        }
        bool added = false;
        rc = studies_participant(db, pi->campaign.id, pi->study.source,
                                 sv_trim(pi->csv.cells[pi->col]), 0, pi->im.now, &added, err);
        pi->added += added;
        pi->done++;
    }
    cli_progress(pi->im.cli, "participants", pi->done, pi->rows);
    return rc;
}

static enum err_code read_campaign(struct people_import *pi)
{
    struct cli *cli = pi->im.cli;
    if (!cli_has(cli, "campaign")) {
        return cli_usage(cli, "--campaign NAME says which campaign expects them");
    }
    struct sv name = sv_of(cli_opt(cli, "campaign"));
    if (campaigns_find(cli->db, name, &cli->arena, &pi->campaign, &cli->err) != OK) {
        return cli->err.code;
    }
    return studies_get(cli->db, pi->campaign.id, &cli->arena, &pi->study, &cli->err);
}

enum err_code cmd_import_participants(struct cli *cli)
{
    struct people_import pi = {.im.cli = cli};
    enum err_code rc = read_campaign(&pi);
    if (rc != OK) {
        return rc;
    }
    rc = import_open(&pi.im, cli, cli->args[1]);
    if (rc == OK) {
        rc = validate(&pi);
    }
    if (rc == OK && !cli->dry_run) {
        rc = open_csv(&pi);
        if (rc == OK) {
            rc = bulk_write(cli->db, cli->alone, write_step, &pi, &cli->err);
        }
        csv_close(&pi.csv);
    }
    if (rc == OK) {
        cli_progress_end(cli);
        cli_note(cli, "%llu participants read, %llu new on the list%s.",
                 (unsigned long long)pi.rows, (unsigned long long)pi.added,
                 cli->dry_run ? " (dry run)" : "");
    }
    import_close(&pi.im);
    return rc;
}
