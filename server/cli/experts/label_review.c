/* label_review.c - `holdout label-review`: lists of images whose labels experts decide about. */
#include <stdio.h>

#include "base/clock.h"
#include "base/rng.h"
#include "cli/core/commands.h"
#include "cli/core/job.h"
#include "cli/core/table.h"
#include "experts/review_agreement.h"
#include "experts/review_facts.h"
#include "experts/review_images.h"
#include "experts/review_plan.h"
#include "experts/review_queue.h"
#include "live/labels/review_books.h"
#include "transfer/imports/imports.h"

#define OUT_MOST ((size_t)1 << 28)

/* Accounts whose logins are given, with commas between them, become people whose work the list is, or is no longer. */
static enum err_code assign(struct cli *cli, int64_t review, struct sv logins, bool active, int64_t by, int64_t now)
{
    int64_t *accounts;
    size_t n = 0;
    enum err_code rc = eligible_accounts(cli->db, logins, active, &cli->arena, &accounts, &n, &cli->err);
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = label_review_assign(cli->db, review, accounts[i], active, by, now, &cli->err);
    }
    return db_tx_end(cli->db, rc, &cli->err);
}

/* Who may review what, and why not all. */
static void tell_eligible(struct cli *cli, const struct eligible *e, int64_t reviewers)
{
    for (size_t i = 0; i < e->n; i++) {
        const struct eligibility *p = &e->people[i];
        const char *why = eligible_why(p, &cli->arena);
        if (p->active) {
            cli_note(cli, SV_FMT " may review %lld of the images%s%s.", SV_ARG(p->login), (long long)p->eligible, why ? ": " : "",
                     why ? why : "");
        }
    }
    if (e->starved) {
        cli_note(cli, "Images that fewer than %lld of them may review: %lld. Add somebody who has not seen them.",
                 (long long)reviewers, (long long)e->starved);
    }
}

static enum err_code read_ask(struct cli *cli, struct review_ask *out)
{
    int64_t reviewers, repeats;
    struct sv by = cli_text(cli, "by");
    *out = (struct review_ask){.name = sv_of(cli->args[1]), .set = cli_text(cli, "set"), .models = cli_text(cli, "models"),
                               .sources = cli_text(cli, "sources"), .candidates = cli_text(cli, "candidates"), .suggest = cli_text(cli, "suggest"),
                               .again = cli_has(cli, "again"), .evaluation = cli_text(cli, "evaluation"), .plan = cli->dry_run};
    if (out->set.n == 0) {
        return cli_usage(cli, "name the set with --set");
    }
    if (by.n && !review_queue_of(by, &out->queue)) {
        return cli_usage(cli, "--by is class, disagreement, random or errors");
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

static void tell_made(struct cli *cli, const struct review_ask *ask, const struct review_made *made)
{
    cli_note(cli, "%lld images with %lld labels, by what %lld models say; %lld of the images are drawn at random. Seed %lld.%s",
             (long long)made->images, (long long)made->labels, (long long)made->models, (long long)made->drawn, (long long)ask->seed,
             ask->plan ? " Nothing was written." : "");
    if (made->of_contains + made->of_classify + made->of_sources) {
        cli_note(cli, "People found %lld of the labels in CONTAINS grids and ticked %lld in CLASSIFY tasks; %lld are of other label sources.",
                 (long long)made->of_contains, (long long)made->of_classify, (long long)made->of_sources);
    }
    if (made->missing) {
        cli_note(cli, "%s: no predictions of this set.", made->missing);
    }
    if (made->suggested) {
        cli_note(cli, "What " SV_FMT " says first is suggested for %lld images and shown for %lld of them.", SV_ARG(ask->suggest),
                 (long long)made->suggested, (long long)made->shown);
    }
    if (made->taken) {
        cli_note(cli, "%s", made->taken);
    }
    for (size_t i = 0; i < made->n_common; i++) {
        cli_note(cli, "The review " SV_FMT ", which is open, has %lld of the images too.", SV_ARG(made->common[i].name),
                 (long long)made->common[i].images);
    }
}

static enum err_code create(struct cli *cli, struct review_ask *ask)
{
    struct review_made made;
    struct eligible who;
    const int64_t now = clock_wall_ms();
    const struct sv logins = cli_text(cli, "experts");
    int64_t *accounts;
    size_t n = 0;
    enum err_code rc = eligible_accounts(cli->db, logins, true, &cli->arena, &accounts, &n, &cli->err);
    rc = rc == OK ? review_make(cli->db, cli->alone, ask, now, &cli->arena, &made, &cli->err) : rc;
    rc = rc == OK && !ask->plan ? assign(cli, made.id, logins, true, ask->account, now) : rc;
    if (rc == OK) {
        tell_made(cli, ask, &made);
        rc = review_plan_people(cli->db, ask, &made, logins, now, &cli->arena, &who, &cli->err);
    }
    if (rc == OK && n) {
        tell_eligible(cli, &who, ask->reviewers);
    }
    return rc;
}

enum err_code cmd_label_review_create(struct cli *cli)
{
    struct review_ask ask;
    struct cli_job job;
    enum err_code rc = cli_job_begin(cli, &job);
    rc = rc == OK ? read_ask(cli, &ask) : rc;
    if (rc == OK) {
        ask.account = job.account;
        rc = create(cli, &ask);
    }
    cli_job_end(&job);
    return rc;
}

enum err_code cmd_label_review_agreement(struct cli *cli)
{
    struct label_review_row r;
    struct review_agreement g;
    const struct agreement_list *list;
    enum agreement_about about;
    struct str out;
    enum err_code rc = agreement_list_find(cli_text(cli, "rows"), &list, &cli->err);
    rc = rc == OK ? agreement_about_find(cli_text(cli, "suggestions"), &about, &cli->err) : rc;
    rc = rc == OK ? label_reviews_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err) : rc;
    rc = rc == OK ? review_agreement_read(cli->db, &r, about, &cli->arena, &g, &cli->err) : rc;
    str_init(&out, OUT_MOST);
    if (rc == OK) {
        size_t n;
        const void *rows = agreement_list_rows(&g, list, &n);
        record_table(list->record, RECORD_TABLE_CSV, rows, n, &out);
        cli_note(cli, "%lld labels of %lld images that at least two of %lld reviewers judged; intervals from %lld draws of images, seed %lld.",
                 (long long)g.labels, (long long)g.images, (long long)g.people, (long long)g.draws, (long long)g.seed);
        if (g.left_out) {
            cli_note(cli, "%lld looks at images on which a suggestion is shown are left out; --suggestions all counts them.", (long long)g.left_out);
        }
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
        struct review_progress s;
        rc = review_progress_read(cli->db, &rows[i], &cli->arena, &s, &cli->err);
        record_csv_text(&out, rows[i].name);
        str_addc(&out, ',');
        record_csv_text(&out, rows[i].set);
        str_printf(&out, "," SV_FMT ",%lld,%lld,%lld,%lld,%lld," SV_FMT ",%lld\n", SV_ARG(rows[i].state), (long long)rows[i].images,
                   (long long)s.done, (long long)s.begun, (long long)rows[i].reviewers, (long long)rows[i].repeats,
                   SV_ARG(rows[i].drawn_by), (long long)rows[i].seed);
    }
    return export_end(&out, rc, &cli->err);
}

/* The named list's rows of a record, as CSV. */
static enum err_code print(const struct record *record, const void *rows, size_t n, enum err_code rc, struct cli *cli)
{
    struct str out;
    str_init(&out, OUT_MOST);
    if (rc == OK) {
        record_table(record, RECORD_TABLE_CSV, rows, n, &out);
    }
    return export_end(&out, rc, &cli->err);
}

enum err_code cmd_label_review_queue(struct cli *cli)
{
    struct label_review_row r;
    struct review_queue_row *rows = NULL;
    size_t n = 0;
    enum err_code rc = label_reviews_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
    rc = rc == OK ? review_queue_list(cli->db, &r, &cli->arena, &rows, &n, &cli->err) : rc;
    return print(&review_queue_record, rows, n, rc, cli);
}

enum err_code cmd_label_review_eligible(struct cli *cli)
{
    struct label_review_row r;
    struct label_reviewer_row *people;
    size_t n = 0;
    struct eligible e = {.n = 0};
    enum err_code rc = label_reviews_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
    rc = rc == OK ? label_reviewers_list(cli->db, r.id, &cli->arena, &people, &n, &cli->err) : rc;
    rc = rc == OK ? eligible_read(cli->db, &r, people, n, &cli->arena, &e, &cli->err) : rc;
    return print(&eligibility_record, e.people, e.n, rc, cli);
}

enum err_code cmd_label_review_images(struct cli *cli)
{
    struct label_review_row r;
    struct review_images l = {.n = 0};
    struct review_images_ask ask = {.wnid = cli_text(cli, "class"), .by_class = true};
    const struct sv rows = cli_text(cli, "rows");
    const bool classes = sv_is(rows, "classes");
    if (rows.n && !classes && !sv_is(rows, "images")) {
        return cli_usage(cli, "--rows is images or classes");
    }
    enum err_code rc = review_image_state_find(cli_text(cli, "state"), &ask.state, &cli->err);
    rc = rc == OK ? label_reviews_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err) : rc;
    rc = rc == OK ? review_images_read(cli->db, &r, &ask, &cli->arena, &l, &cli->err) : rc;
    rc = rc == OK && !classes ? review_images_name(cli->db, l.rows, l.n, &cli->arena, &cli->err) : rc;
    return classes ? print(&review_image_class_record, l.classes, l.n_classes, rc, cli) : print(&review_image_record, l.rows, l.n, rc, cli);
}

enum err_code cmd_label_review_anchoring(struct cli *cli)
{
    struct label_review_row r;
    struct review_anchoring *rows = NULL;
    size_t n = 0;
    enum err_code rc = label_reviews_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
    rc = rc == OK ? review_anchoring_read(cli->db, &r, &cli->arena, &rows, &n, &cli->err) : rc;
    return print(&review_anchoring_record, rows, n, rc, cli);
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
    rc = rc == OK ? assign(cli, r.id, cli_text(cli, "add"), true, 0, now) : rc;
    rc = rc == OK ? assign(cli, r.id, cli_text(cli, "remove"), false, 0, now) : rc;
    if (rc == OK && (open || close)) {
        rc = db_tx_begin(cli->db, &cli->err);
        rc = rc == OK ? label_review_state(cli->db, r.id, open, 0, now, &cli->err) : rc;
        rc = db_tx_end(cli->db, rc, &cli->err);
    }
    return rc;
}
