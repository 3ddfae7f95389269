/* picks_import.c - `holdout import picks`: which images somebody picked, or took out again, for
 * a set without votes. Columns image, and if they are there stage (open, picked, pruned) and note.
 * Images may come later than what is said about them. A pick of an account is pruned by another person
 * only (store/sets/picks.h). */
#include "db/bulk.h"
#include "formats/csv.h"
#include "store/images/images.h"
#include "store/sets/picks.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

enum { CHUNK = 50, NAME_MOST = 255 };

struct picks_import {
    struct import im;
    struct csv csv;
    int image, stage, note; /* columns; -1: not there */
    int64_t account;        /* 0: nobody is named */
    uint64_t rows, done, changed, unknown;
};

static enum err_code open_csv(struct picks_import *p)
{
    struct err *err = p->im.tr->err;
    enum err_code rc = csv_open(&p->csv, p->im.name, p->im.text, err);
    rc = rc == OK ? csv_need(&p->csv, "image", &p->image, err) : rc;
    p->stage = csv_column(&p->csv, "stage");
    p->note = csv_column(&p->csv, "note");
    return rc;
}

static struct sv cell(const struct picks_import *p, int col, struct sv otherwise)
{
    return col < 0 ? otherwise : sv_trim(p->csv.cells[col]);
}

static enum pick_stage row_stage(const struct picks_import *p)
{
    return pick_stage_of(cell(p, p->stage, SV("picked")));
}

static void check_row(struct picks_import *p, struct sv name, struct map_sv *seen)
{
    uint32_t row = (uint32_t)p->rows++;
    if (name.n == 0 || name.n > NAME_MOST) {
        import_bad(&p->im, p->csv.line, "an image's name has 1 to %d bytes", NAME_MOST);
    } else if (map_sv_put(seen, name, row) != row) {
        import_bad(&p->im, p->csv.line, "two rows are about " SV_FMT, SV_ARG(name));
    }
    if (row_stage(p) == PICK_STAGES) {
        import_bad(&p->im, p->csv.line, "stage must be open, picked or pruned");
    }
    if (cell(p, p->note, SV("")).n > PICK_NOTE_MOST) {
        import_bad(&p->im, p->csv.line, "a note can have at most %d bytes", PICK_NOTE_MOST);
    }
}

/* What the project has of the image: whether it is there, and who picked it. */
static enum err_code check_known(struct picks_import *p, struct sv name)
{
    struct db *db = p->im.tr->db;
    struct pick_row row = {.name = name, .note = cell(p, p->note, SV("")), .stage = row_stage(p)};
    struct err said = {OK, "", ""};
    int64_t id = 0;
    bool held;
    enum err_code rc = images_find(db, name, &id, p->im.tr->err);
    p->unknown += id == 0;
    if (rc != OK || row.stage == PICK_STAGES || row.note.n > PICK_NOTE_MOST) {
        return rc;
    }
    rc = picks_check(db, &row, p->account, &held, &said);
    if (rc == ERR_CONFLICT || rc == ERR_INPUT) {
        import_bad(&p->im, p->csv.line, "%s", said.msg);
        return OK;
    }
    return rc == OK ? OK : err_rule(p->im.tr->err, rc, said.rule, "%s", said.msg);
}

static enum err_code validate(struct picks_import *p)
{
    struct map_sv seen;
    struct err *err = p->im.tr->err;
    bool more = true;
    map_sv_init(&seen);
    enum err_code rc = open_csv(p);
    while (rc == OK && (rc = csv_next(&p->csv, &more, err)) == OK && more) {
        struct sv name = sv_trim(p->csv.cells[p->image]);
        check_row(p, name, &seen);
        rc = check_known(p, name);
    }
    csv_close(&p->csv);
    map_sv_release(&seen);
    return rc == OK ? import_checked(&p->im) : rc;
}

/* The next few rows; their texts are borrowed from the file, but for those that were quoted. */
static enum err_code read_chunk(struct picks_import *p, struct arena *a, struct pick_row *rows,
                                size_t *n, bool *more, struct err *err)
{
    enum err_code rc = OK;
    for (*n = 0; *n < CHUNK; ++*n) {
        rc = csv_next(&p->csv, more, err);
        if (rc != OK || !*more) {
            break;
        }
        rows[*n] = (struct pick_row){.name = arena_sv(a, sv_trim(p->csv.cells[p->image])),
                                     .note = arena_sv(a, cell(p, p->note, SV(""))),
                                     .stage = row_stage(p)};
    }
    return rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct picks_import *p = arg;
    struct pick_row rows[CHUNK];
    struct arena a;
    size_t n = 0, changed = 0;
    *more = true;
    arena_init(&a, 1 << 20);
    enum err_code rc = read_chunk(p, &a, rows, &n, more, err);
    if (rc == OK) {
        rc = picks_write(db, rows, n, "picks.import", 0, p->account, p->im.now, &changed, err);
    }
    arena_release(&a);
    p->done += n;
    p->changed += changed;
    transfer_progress(p->im.tr, "picks", p->done, p->rows);
    return rc;
}

static enum err_code write_all(struct picks_import *p)
{
    struct transfer *tr = p->im.tr;
    enum err_code rc = open_csv(p);
    rc = rc == OK ? bulk_write(tr->db, tr->alone, write_step, p, tr->err) : rc;
    csv_close(&p->csv);
    return rc;
}

enum err_code picks_import(struct transfer *tr, const char *path, int64_t account)
{
    struct picks_import p = {.account = account};
    enum err_code rc = import_open(&p.im, tr, path);
    rc = rc == OK ? validate(&p) : rc;
    if (rc == OK && !tr->dry_run) {
        rc = write_all(&p);
    }
    if (rc == OK) {
        transfer_progress_end(tr);
        transfer_note(tr, "%llu rows read, %llu changed something%s.", (unsigned long long)p.rows,
                 (unsigned long long)p.changed, tr->dry_run ? " (dry run)" : "");
    }
    if (rc == OK && p.unknown > 0) {
        transfer_warn(tr, "%llu of the images are not in the project (yet).",
                 (unsigned long long)p.unknown);
    }
    import_close(&p.im);
    return rc;
}
