/* participants_import.c - `holdout import participants`: the people whom a campaign expects.
 * One column counts: participant_id, or external_id. Whoever is on the list already stays; panels
 * export their lists as they are. */
#include <stdlib.h>

#include "base/outside.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "store/campaigns/studies.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

enum { CHUNK = 100, ID_MOST = 128 };

struct people_import {
    struct import im;
    struct csv csv;
    struct campaign campaign;
    struct study_settings study;
    int col;
    uint64_t rows, done, added;
};

static enum err_code open_csv(struct people_import *pi)
{
    struct err *err = pi->im.tr->err;
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
    if (id.n == 0 || id.n > ID_MOST || outside_controls(id)) {
        import_bad(&pi->im, pi->csv.line, "an id must have 1 to %d bytes and no control characters",
                   ID_MOST);
    } else if (outside_formula(id)) {
        import_bad(&pi->im, pi->csv.line, "the id " SV_FMT " " OUTSIDE_FORMULA_TEXT, SV_ARG(id));
    } else if (map_sv_put(seen, id, row) != row) {
        import_bad(&pi->im, pi->csv.line, SV_FMT " appears twice in the list", SV_ARG(id));
    }
}

static enum err_code validate(struct people_import *pi)
{
    struct map_sv seen;
    bool more = true;
    map_sv_init(&seen);
    enum err_code rc = open_csv(pi);
    while (rc == OK && (rc = csv_next(&pi->csv, &more, pi->im.tr->err)) == OK && more) {
        /* The row's cells are gone with the next one. */
        check_row(pi, arena_sv(pi->im.tr->arena, sv_trim(pi->csv.cells[pi->col])), &seen);
    }
    csv_close(&pi->csv);
    map_sv_release(&seen);
    return rc == OK ? import_checked(&pi->im) : rc;
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
    transfer_progress(pi->im.tr, "participants", pi->done, pi->rows);
    return rc;
}

static enum err_code read_campaign(struct people_import *pi, const char *campaign)
{
    struct transfer *tr = pi->im.tr;
    if (campaigns_find(tr->db, sv_of(campaign), tr->arena, &pi->campaign, tr->err) != OK) {
        return tr->err->code;
    }
    return studies_get(tr->db, pi->campaign.id, tr->arena, &pi->study, tr->err);
}

enum err_code participants_import(struct transfer *tr, const char *path, const char *campaign)
{
    struct people_import pi = {.im.tr = tr};
    enum err_code rc = read_campaign(&pi, campaign);
    if (rc != OK) {
        return rc;
    }
    rc = import_open(&pi.im, tr, path);
    rc = rc == OK ? validate(&pi) : rc;
    if (rc == OK && !tr->dry_run) {
        rc = open_csv(&pi);
        rc = rc == OK ? bulk_write(tr->db, tr->alone, write_step, &pi, tr->err) : rc;
        csv_close(&pi.csv);
    }
    if (rc == OK) {
        transfer_progress_end(tr);
        transfer_note(tr, "%llu participants read, %llu new on the list%s.",
                 (unsigned long long)pi.rows, (unsigned long long)pi.added,
                 tr->dry_run ? " (dry run)" : "");
    }
    import_close(&pi.im);
    return rc;
}
