/* label_review.c - `holdout label-review`: lists of images whose labels experts decide about. */
#include <stdio.h>

#include "base/clock.h"
#include "base/rng.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "experts/review_agreement.h"
#include "experts/review_make.h"
#include "experts/review_queue.h"
#include "store/labels/label_reviews.h"
#include "store/people/accounts.h"
#include "transfer/imports/imports.h"

#define OUT_MOST ((size_t)1 << 28)

static struct sv text(const struct cli *cli, const char *name)
{
    const char *value = cli_opt(cli, name);
    return value ? sv_of(value) : SV("");
}

/* Logins with commas between them become people whose work the list is, or is no longer. */
static enum err_code assign(struct cli *cli, int64_t review, struct sv logins, bool active, int64_t now)
{
    enum err_code rc = OK;
    while (logins.n && rc == OK) {
        struct sv login = sv_trim(sv_cut(&logins, ','));
        struct account who;
        rc = accounts_find_login(cli->db, login, &cli->arena, &who, &cli->err);
        if (rc == ERR_NOT_FOUND) {
            return err_rule(&cli->err, rc, "no-account", "There is no account " SV_FMT ".", SV_ARG(login));
        }
        rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
        rc = rc == OK ? label_review_assign(cli->db, review, who.id, active, 0, now, &cli->err) : rc;
        rc = db_tx_end(cli->db, rc, &cli->err);
    }
    return rc;
}

static enum err_code read_ask(struct cli *cli, struct review_ask *out)
{
    int64_t reviewers, repeats;
    struct sv by = text(cli, "by");
    *out = (struct review_ask){.name = sv_of(cli->args[1]), .set = text(cli, "set"), .models = text(cli, "models"),
                               .sources = text(cli, "sources")};
    if (out->set.n == 0) {
        return cli_usage(cli, "name the set with --set");
    }
    if (by.n && !review_queue_of(by, &out->queue)) {
        return cli_usage(cli, "--by is class, disagreement or random");
    }
    enum err_code rc = cli_opt_int(cli, "images", 1, LABEL_REVIEW_IMAGES, 0, &out->images);
    rc = rc == OK ? cli_opt_int(cli, "random", 0, LABEL_REVIEW_IMAGES, 0, &out->beside) : rc;
    rc = rc == OK ? cli_opt_int(cli, "reviewers", 1, LABEL_REVIEWERS, 1, &reviewers) : rc;
    rc = rc == OK ? cli_opt_int(cli, "repeats", 0, LABEL_REPEATS_MOST, 5, &repeats) : rc;
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << 53, (int64_t)rng_fresh_seed(), &out->seed) : rc;
    if (rc == OK) {
        out->reviewers = (int)reviewers;
        out->repeats = (int)repeats;
    }
    return rc;
}

enum err_code cmd_label_review_create(struct cli *cli)
{
    struct review_ask ask;
    struct review_made made;
    const int64_t now = clock_wall_ms();
    enum err_code rc = read_ask(cli, &ask);
    rc = rc == OK ? review_make(cli->db, cli->alone, &ask, now, &cli->arena, &made, &cli->err) : rc;
    rc = rc == OK ? assign(cli, made.id, text(cli, "experts"), true, now) : rc;
    if (rc == OK) {
        cli_note(cli, "%lld images with %lld labels, by what %lld models say; %lld of the images are drawn at random. Seed %lld.",
                 (long long)made.images, (long long)made.labels, (long long)made.models, (long long)made.drawn, (long long)ask.seed);
    }
    return rc;
}

enum err_code cmd_label_review_agreement(struct cli *cli)
{
    struct label_review_row r;
    struct review_agreement g;
    const struct agreement_list *list;
    struct str out;
    enum err_code rc = agreement_list_find(text(cli, "rows"), &list, &cli->err);
    rc = rc == OK ? label_reviews_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err) : rc;
    rc = rc == OK ? review_agreement_read(cli->db, &r, &cli->arena, &g, &cli->err) : rc;
    str_init(&out, OUT_MOST);
    if (rc == OK) {
        size_t n;
        const void *rows = agreement_list_rows(&g, list, &n);
        record_table(list->record, RECORD_TABLE_CSV, rows, n, &out);
        cli_note(cli, "%lld labels of %lld images that at least two of %lld reviewers judged; intervals from %lld draws of images, seed %lld.",
                 (long long)g.labels, (long long)g.images, (long long)g.people, (long long)g.draws, (long long)g.seed);
    }
    return export_end(&out, rc, &cli->err);
}

enum err_code cmd_label_review_import(struct cli *cli)
{
    const struct verdicts_ask ask = {.path = cli->args[2], .stage = cli_opt(cli, "stage"), .review = sv_of(cli->args[1]),
                                     .by = cli_opt(cli, "by")};
    return verdicts_import(cli_transfer(cli), &ask);
}

enum err_code cmd_label_review_list(struct cli *cli)
{
    struct label_review_row *rows;
    struct str out;
    size_t n = 0;
    enum err_code rc = label_reviews_list(cli->db, 0, &cli->arena, &rows, &n, &cli->err);
    str_init(&out, OUT_MOST);
    str_addz(&out, "name,set,state,images,reviewed,begun,reviewers,repeats,by,seed\n");
    for (size_t i = 0; i < n && rc == OK; i++) {
        int64_t done, begun;
        rc = label_review_progress(cli->db, &rows[i], &done, &begun, &cli->err);
        record_csv_text(&out, rows[i].name);
        str_addc(&out, ',');
        record_csv_text(&out, rows[i].set);
        str_printf(&out, "," SV_FMT ",%lld,%lld,%lld,%lld,%lld," SV_FMT ",%lld\n", SV_ARG(rows[i].state), (long long)rows[i].images,
                   (long long)done, (long long)begun, (long long)rows[i].reviewers, (long long)rows[i].repeats,
                   SV_ARG(rows[i].drawn_by), (long long)rows[i].seed);
    }
    return export_end(&out, rc, &cli->err);
}

enum err_code cmd_label_review_queue(struct cli *cli)
{
    struct label_review_row r;
    struct review_queue_row *rows;
    struct str out;
    size_t n = 0;
    enum err_code rc = label_reviews_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
    rc = rc == OK ? review_queue_list(cli->db, &r, &cli->arena, &rows, &n, &cli->err) : rc;
    str_init(&out, OUT_MOST);
    if (rc == OK) {
        record_table(&review_queue_record, RECORD_TABLE_CSV, rows, n, &out);
    }
    return export_end(&out, rc, &cli->err);
}

enum err_code cmd_label_review_change(struct cli *cli)
{
    struct label_review_row r;
    const int64_t now = clock_wall_ms();
    const bool open = cli_has(cli, "open"), close = cli_has(cli, "close");
    if (open && close) {
        return cli_usage(cli, "--open or --close, not both");
    }
    enum err_code rc = label_reviews_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
    rc = rc == OK ? assign(cli, r.id, text(cli, "add"), true, now) : rc;
    rc = rc == OK ? assign(cli, r.id, text(cli, "remove"), false, now) : rc;
    if (rc == OK && (open || close)) {
        rc = db_tx_begin(cli->db, &cli->err);
        rc = rc == OK ? label_review_state(cli->db, r.id, open, 0, now, &cli->err) : rc;
        rc = db_tx_end(cli->db, rc, &cli->err);
    }
    return rc;
}
