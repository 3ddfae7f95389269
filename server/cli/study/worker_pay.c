/* worker_pay.c - `holdout worker pay`: decisions about pay, from a file or for everybody who is
 * complete. The file: CSV with columns participant_id (the panel's id or a pseudonym), decision
 * (approve, reject or pending), bonus (an amount, may be empty) and reason (of a rejection). */
#include "base/clock.h"
#include "base/list.h"
#include "cli/core/workers.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "store/campaigns/studies.h"
#include "store/decisions/pay.h"
#include "store/people/names.h"
#include "store/people/people.h"
#include "transfer/imports/lines.h"

enum { APPROVED_AT_ONCE = 20 };

struct decision {
    int64_t place;
    struct pay_change change;
};

struct pay_file {
    struct import im;
    struct csv csv;
    int col_id, col_decision, col_bonus, col_reason;
    struct campaign campaign;
    struct sv source;
    struct map_u64 seen; /* place -> index of its decision */
    struct list decisions;
    size_t done;
    uint64_t changed;
};

/* The place of whoever has that id or pseudonym; 0, and a bad row, when there is none. */
static enum err_code place_of(struct pay_file *f, struct sv id, int64_t *place)
{
    struct transfer *tr = f->im.tr;
    struct place found;
    bool any = false;
    int64_t person = 0;
    *place = 0;
    enum err_code rc = people_find_external(tr->db, f->source, id, &person, tr->err);
    if (rc == ERR_NOT_FOUND) {
        rc = people_find_pseudonym(tr->db, id, &person, NULL);
    }
    if (rc == OK) {
        rc = work_place_of(tr->db, f->campaign.id, person, tr->arena, &found, &any, tr->err);
    }
    if (rc == OK && any) {
        *place = found.id;
        return OK;
    }
    import_bad(&f->im, f->csv.line, "nobody with that id or pseudonym takes part in " SV_FMT,
               SV_ARG(f->campaign.name));
    return rc == ERR_NOT_FOUND ? OK : rc;
}

static struct sv cell(const struct pay_file *f, int col)
{
    return col < 0 ? SV("") : sv_trim(f->csv.cells[col]);
}

static struct sv state_of(struct pay_file *f, struct sv word)
{
    static const struct {
        const char *word, *state;
    } words[] = {{"approve", "approved"}, {"approved", "approved"}, {"reject", "rejected"},
                 {"rejected", "rejected"}, {"pending", "pending"}, {"", ""}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (sv_is(word, words[i].word)) {
            return sv_of(words[i].state);
        }
    }
    import_bad(&f->im, f->csv.line, "decision must be approve, reject, pending or empty");
    return SV("");
}

/* What is wrong with the reason or the amount is a bad row, not the end. */
static enum err_code check_change(struct pay_file *f, int64_t place, struct pay_change *change)
{
    struct err why = {0};
    struct sv amount = cell(f, f->col_bonus);
    change->bonus_cents = -1;
    if (amount.n && !pay_amount(amount, &change->bonus_cents)) {
        import_bad(&f->im, f->csv.line, "bonus must be an amount such as 1.50");
    }
    enum err_code rc = pay_check(change, &why);
    if (rc == OK && place) {
        int64_t person = 0;
        rc = people_of_place(f->im.tr->db, place, &person, &why);
        rc = rc == OK ? names_refuse(f->im.tr->db, person, change->reason, &why) : rc;
    }
    if (rc == ERR_INPUT) {
        import_bad(&f->im, f->csv.line, "%s", why.msg);
        return OK;
    }
    *f->im.tr->err = why;
    return rc;
}

static enum err_code read_row(struct pay_file *f)
{
    struct arena *a = f->im.tr->arena;
    struct decision d = {.change = {.state = state_of(f, cell(f, f->col_decision)),
                                    .reason = arena_sv(a, cell(f, f->col_reason))}};
    enum err_code rc = place_of(f, cell(f, f->col_id), &d.place);
    rc = rc == OK ? check_change(f, d.place, &d.change) : rc;
    if (rc != OK || d.place == 0) {
        return rc;
    }
    uint32_t at = (uint32_t)f->decisions.n;
    if (map_u64_put(&f->seen, (uint64_t)d.place, at) != at) {
        import_bad(&f->im, f->csv.line, "this person appears twice in the file");
        return OK;
    }
    *LIST_ADD(&f->decisions, a, struct decision) = d;
    return OK;
}

static enum err_code read_file(struct pay_file *f)
{
    struct err *err = f->im.tr->err;
    bool more = true;
    enum err_code rc = csv_open(&f->csv, f->im.name, f->im.text, err);
    rc = rc == OK ? csv_need(&f->csv, "participant_id", &f->col_id, err) : rc;
    rc = rc == OK ? csv_need(&f->csv, "decision", &f->col_decision, err) : rc;
    f->col_bonus = csv_column(&f->csv, "bonus");
    f->col_reason = csv_column(&f->csv, "reason");
    while (rc == OK && (rc = csv_next(&f->csv, &more, err)) == OK && more) {
        rc = read_row(f);
    }
    csv_close(&f->csv);
    return rc == OK ? import_checked(&f->im) : rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct pay_file *f = arg;
    bool changed = false;
    if (f->done < f->decisions.n) {
        const struct decision *d = (const struct decision *)f->decisions.items + f->done;
        enum err_code rc = pay_decide(db, d->place, &d->change, 0, f->im.now, &changed, err);
        if (rc != OK) {
            return rc;
        }
        f->changed += changed;
        f->done++;
    }
    *more = f->done < f->decisions.n;
    return OK;
}

static enum err_code pay_by_file(struct cli *cli, const struct campaign *k, const char *path)
{
    struct pay_file f = {.campaign = *k};
    struct study_settings s = {0};
    map_u64_init(&f.seen);
    enum err_code rc = import_open(&f.im, cli_transfer(cli), path);
    rc = rc == OK ? studies_get(cli->db, k->id, &cli->arena, &s, &cli->err) : rc;
    f.source = s.source;
    rc = rc == OK ? read_file(&f) : rc;
    if (rc == OK && !cli->dry_run) {
        rc = bulk_write(cli->db, cli->alone, write_step, &f, &cli->err);
    }
    if (rc == OK) {
        cli_note(cli, "%zu decisions read, %llu new%s.", f.decisions.n,
                 (unsigned long long)f.changed, cli->dry_run ? " (dry run)" : "");
    }
    map_u64_release(&f.seen);
    import_close(&f.im);
    return rc;
}

struct approval {
    int64_t campaign, now, total;
};

static enum err_code approve_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct approval *p = arg;
    size_t n = 0;
    enum err_code rc =
        pay_approve_complete(db, p->campaign, APPROVED_AT_ONCE, 0, p->now, &n, err);
    p->total += (int64_t)n;
    *more = n == APPROVED_AT_ONCE;
    return rc;
}

static enum err_code approve_all(struct cli *cli, const struct campaign *k)
{
    struct approval p = {.campaign = k->id, .now = clock_wall_ms()};
    enum err_code rc =
        cli->dry_run ? pay_count_complete(cli->db, k->id, &p.total, &cli->err)
                     : bulk_write(cli->db, cli->alone, approve_step, &p, &cli->err);
    if (rc == OK) {
        cli_note(cli, "%lld complete and pending: %s.", (long long)p.total,
                 cli->dry_run ? "would be approved (dry run)" : "approved");
    }
    return rc;
}

enum err_code cmd_worker_pay(struct cli *cli)
{
    struct campaign k;
    const char *file = cli_opt(cli, "file");
    if ((file != NULL) == cli_has(cli, "approve-all")) {
        return cli_usage(cli, "give either --approve-all or --file FILE");
    }
    enum err_code rc = worker_campaign(cli, &k);
    if (rc != OK) {
        return rc;
    }
    return file ? pay_by_file(cli, &k, file) : approve_all(cli, &k);
}
