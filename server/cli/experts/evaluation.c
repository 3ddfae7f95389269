/* evaluation.c - `holdout evaluation`: lists of images that people classify as models do. */
#include <stdio.h>

#include "base/clock.h"
#include "base/rng.h"
#include "cli/core/commands.h"
#include "cli/core/job.h"
#include "cli/core/table.h"
#include "experts/evaluation_facts.h"
#include "experts/evaluation_make.h"
#include "experts/evaluation_save.h"
#include "store/people/accounts.h"

#define OUT_MOST ((size_t)1 << 28)

static enum err_code read_ask(struct cli *cli, struct evaluation_ask *out)
{
    struct sv by = cli_text(cli, "by");
    *out = (struct evaluation_ask){.name = sv_of(cli->args[1]), .sets = {cli_text(cli, "original"), cli_text(cli, "new")},
                                   .models = cli_text(cli, "models"), .classes = cli_text(cli, "classes"), .people = cli_text(cli, "people"),
                                   .among = cli_has(cli, "among"), .dry = cli->dry_run, .flags = cli->config.flags_to_quarantine};
    if (by.n && !evaluation_word_of(by, &out->by)) {
        return cli_usage(cli, "--by is class or hardest");
    }
    if (out->sets[0].n == 0 && out->sets[1].n == 0) {
        return cli_usage(cli, "name the sets with --original and --new, or one of them");
    }
    enum err_code rc = cli_opt_int(cli, "images", 1, EVALUATION_IMAGES, 0, &out->images);
    return rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << 53, (int64_t)rng_fresh_seed(), &out->seed) : rc;
}

static void note_side(const struct cli *cli, const char *what, const struct evaluation_side *s)
{
    cli_note(cli, "%s: %lld images.", what, (long long)s->images);
    if (s->most_right >= 0) {
        cli_note(cli, "%s: at most %lld models have each of them right.", what, (long long)s->most_right);
    }
    if (s->seen) {
        cli_note(cli, "%s: %lld images were left out because one of the people had seen them, %lld of these as near-duplicates.", what,
                 (long long)s->seen, (long long)s->near);
    }
    if (s->sealed) {
        cli_note(cli, "%s: %lld images were left out because they are near-duplicates of sealed ones.", what, (long long)s->sealed);
    }
    if (s->without) {
        cli_note(cli, "%s: %lld images cannot be shown, show the same photo as another one here or in the other set, or lack a model's answer.",
                 what, (long long)s->without);
    }
}

enum err_code cmd_evaluation_create(struct cli *cli)
{
    struct evaluation_ask ask;
    struct evaluation_made made;
    struct cli_job job;
    enum err_code rc = cli_job_begin(cli, &job);
    rc = rc == OK ? read_ask(cli, &ask) : rc;
    if (rc == OK) {
        ask.account = job.account;
        rc = evaluation_make(cli->db, cli->alone, &ask, clock_wall_ms(), &cli->arena, &made, &cli->err);
    }
    cli_job_end(&job);
    if (rc == OK) {
        note_side(cli, "originals", &made.side[0]);
        note_side(cli, "new", &made.side[1]);
        cli_note(cli, "%lld images for %zu %s, each in an order of their own. Seed %lld.", (long long)made.images, made.people,
                 made.people == 1 ? "person" : "people", (long long)ask.seed);
    }
    return rc;
}

enum err_code cmd_evaluation_list(struct cli *cli)
{
    struct evaluation_row *rows;
    struct evaluation_facts *facts;
    struct str out;
    size_t n = 0;
    enum err_code rc = evaluations_list(cli->db, 0, &cli->arena, &rows, &n, &cli->err);
    str_init(&out, OUT_MOST);
    facts = arena_calloc(&cli->arena, n + 1, sizeof *facts);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = evaluation_facts_read(cli->db, &rows[i], &cli->arena, &facts[i], &cli->err);
    }
    if (rc == OK) {
        record_table(&evaluation_record, RECORD_TABLE_CSV, facts, n, &out);
    }
    return export_end(&out, rc, &cli->err);
}

/* Who could join, for people. */
static void note_guests(const struct cli *cli, const struct evaluation_guest *guests, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (guests[i].may) {
            cli_note(cli, SV_FMT " could join: they have seen none of its images.", SV_ARG(guests[i].login));
        } else {
            cli_note(cli, SV_FMT " cannot join: they have seen %lld of its images, %lld of these as near-duplicates.", SV_ARG(guests[i].login),
                     (long long)guests[i].seen, (long long)guests[i].near);
        }
    }
}

enum err_code cmd_evaluation_show(struct cli *cli)
{
    struct evaluation_row r;
    struct evaluation_facts f;
    struct str out;
    enum err_code rc = evaluations_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
    rc = rc == OK ? evaluation_facts_all(cli->db, &r, &cli->arena, &f, &cli->err) : rc;
    str_init(&out, OUT_MOST);
    if (rc == OK && cli->json) {
        json_t *object = record_json(&evaluation_facts_record, &f);
        char *json = json_dumps(object, JSON_INDENT(1));
        str_printf(&out, "%s\n", json);
        free(json);
        json_decref(object);
    } else if (rc == OK) {
        record_table(&evaluation_person_record, RECORD_TABLE_CSV, f.people, f.n_people, &out);
        note_guests(cli, f.guests, f.n_guests);
    }
    return export_end(&out, rc, &cli->err);
}

static enum err_code assign(struct cli *cli, int64_t evaluation, struct sv logins, bool active, int64_t now)
{
    enum err_code rc = OK;
    while (logins.n && rc == OK) {
        struct sv login = sv_trim(sv_cut(&logins, ','));
        struct account who;
        rc = accounts_find_login(cli->db, login, &cli->arena, &who, &cli->err);
        if (rc == ERR_NOT_FOUND || (rc == OK && active && !account_is_expert(&who))) {
            return err_rule(&cli->err, ERR_INPUT, "evaluation-people", "There is no account " SV_FMT " with the role expert or above.",
                            SV_ARG(login));
        }
        rc = rc == OK ? evaluation_assign(cli->db, evaluation, who.id, active, 0, now, &cli->err) : rc;
    }
    return rc;
}

enum err_code cmd_evaluation_change(struct cli *cli)
{
    struct evaluation_row r;
    const int64_t now = clock_wall_ms();
    enum err_code rc = evaluations_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
    rc = rc == OK && !sv_is(r.state, "open") ? err_rule(&cli->err, ERR_CONFLICT, "evaluation-closed",
                                                        "The evaluation " SV_FMT " is closed, so nothing was changed.", SV_ARG(r.name))
                                             : rc;
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    if (rc == OK) {
        rc = assign(cli, r.id, cli_text(cli, "add"), true, now);
        rc = rc == OK ? assign(cli, r.id, cli_text(cli, "remove"), false, now) : rc;
        rc = db_tx_end(cli->db, rc, &cli->err);
    }
    return rc;
}

enum err_code cmd_evaluation_close(struct cli *cli)
{
    struct evaluation_row r;
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    if (rc == OK) {
        rc = evaluations_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
        rc = rc == OK ? evaluation_end(cli->db, &r, 0, clock_wall_ms(), &cli->arena, &cli->err) : rc;
        rc = db_tx_end(cli->db, rc, &cli->err);
    }
    if (rc == OK) {
        cli_note(cli, "The evaluation " SV_FMT " is closed. What people said are predictions of theirs: `holdout score --by people --subset "
                 "evaluated:" SV_FMT "` compares them with models.",
                 SV_ARG(r.name), SV_ARG(r.name));
    }
    return rc;
}

enum err_code cmd_evaluation_export(struct cli *cli)
{
    struct evaluation_row r;
    struct evaluation_said *rows;
    struct str out;
    size_t n = 0;
    int64_t sealed = 0;
    enum err_code rc = evaluations_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
    rc = rc == OK ? evaluation_said_list(cli->db, &r, &cli->arena, &rows, &n, &sealed, &cli->err) : rc;
    str_init(&out, OUT_MOST);
    if (rc == OK && sealed) {
        cli_note(cli, "%lld answers are left out: a sealed set has their images.", (long long)sealed);
    }
    if (rc == OK) {
        record_table(&evaluation_said_record, RECORD_TABLE_CSV, rows, n, &out);
    }
    return export_end(&out, rc, &cli->err);
}
