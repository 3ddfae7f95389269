/* sample.c - `holdout sample`: shows what a set would be (--plan), makes a revision of it, or
 * makes an earlier one again to see that it is the same (--replay). Also the job that /sets/new
 * starts. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/core/commands.h"
#include "cli/sets/sample_print.h"
#include "jobs/report.h"
#include "json/object.h"
#include "store/operate/jobs.h"

enum { THRESHOLDS_MOST = 16 << 20, COUNT_MOST = 1000000 };

struct sample_command {
    struct cli *cli;
    struct sample_ask ask;
    struct tally *tally;
    bool inherits; /* `ask` began as the parent's */
    int64_t job, account;
    int64_t counted_ns, planned_ns, written_ns; /* how long each took */
};

/* ---- options ---- */

/* What the parent was sampled by, which options then override. A parent that does not say leaves it all to them. */
static enum err_code inherit(struct sample_command *s)
{
    struct cli *cli = s->cli;
    const char *parent = cli_opt(cli, "parent");
    if (!parent) {
        return OK;
    }
    enum err_code rc =
        sample_ask_inherit(cli->db, sv_of(parent), &cli->arena, &s->ask, &cli->err);
    s->inherits = rc == OK;
    if (rc != OK && strcmp(cli->err.rule, "sample-parent") == 0 && cli_has(cli, "strategy")) {
        err_clear(&cli->err);
        s->ask.parent = sv_of(parent);
        return OK;
    }
    return rc;
}

static enum err_code read_strategy(struct sample_command *s)
{
    const char *word = cli_opt(s->cli, "strategy");
    for (int k = 0; k < SAMPLE_STRATEGIES && word; k++) {
        if (strcmp(word, sample_strategies[k]) == 0) {
            if (s->inherits) {
                sample_ask_strategy(&s->ask, (enum sample_strategy)k);
            } else {
                s->ask.rules = sample_rules_usual((enum sample_strategy)k);
            }
            return OK;
        }
    }
    return !word && s->inherits
               ? OK
               : cli_usage(s->cli, "--strategy must be matched, threshold, top or keyword");
}

static enum err_code read_count(struct sample_command *s, const char *name, int64_t least,
                                uint32_t *to)
{
    int64_t n = 0;
    enum err_code rc = cli_opt_int(s->cli, name, least, COUNT_MOST, *to, &n);
    *to = rc == OK ? (uint32_t)n : *to;
    return rc;
}

static enum err_code read_counts(struct sample_command *s)
{
    struct sample_rules *r = &s->ask.rules;
    int64_t size = r->size, seed = (int64_t)r->seed;
    enum err_code rc = cli_opt_int(s->cli, "size", 1, SAMPLE_SIZE_MOST, size, &size);
    r->size = (uint32_t)size;
    rc = rc == OK ? read_count(s, "answers", 0, &r->answers_least) : rc;
    rc = rc == OK ? read_count(s, "original-answers", 1, &r->original_answers_least) : rc;
    rc = rc == OK ? read_count(s, "originals-least", 0, &r->originals_least) : rc;
    rc = rc == OK ? read_count(s, "keywords", 0, &r->keywords_most) : rc;
    rc = rc == OK ? read_count(s, "uploader-most", 0, &s->ask.pool.uploader_most) : rc;
    rc = rc == OK ? read_count(s, "event-most", 0, &s->ask.pool.event_most) : rc;
    rc = rc == OK ? cli_opt_int(s->cli, "seed", 0, INT64_C(1) << SAMPLE_SEED_BITS, seed, &seed) : rc;
    r->seed = (uint64_t)seed;
    return rc == OK ? cli_opt_real(s->cli, "threshold", 0, 1, r->threshold, &r->threshold) : rc;
}

/* What only one strategy looks at would be silently of no effect with another. */
static enum err_code check_strategy(const struct sample_command *s)
{
    static const struct {
        const char *option;
        enum sample_strategy of;
    } only[] = {{"upward", SAMPLE_MATCHED},           {"originals-least", SAMPLE_MATCHED},
                {"no-upward", SAMPLE_MATCHED},        {"no-together", SAMPLE_KEYWORD},
                {"original-answers", SAMPLE_MATCHED}, {"threshold", SAMPLE_THRESHOLD},
                {"thresholds", SAMPLE_THRESHOLD},     {"keywords", SAMPLE_KEYWORD},
                {"together", SAMPLE_KEYWORD}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++) {
        if (cli_has(s->cli, only[i].option) && s->ask.rules.strategy != only[i].of) {
            return cli_usage(s->cli, "--%s is for --strategy %s", only[i].option,
                             sample_strategies[only[i].of]);
        }
    }
    return OK;
}

/* On, off, or as it was. */
static enum err_code read_switch(struct sample_command *s, const char *on, const char *off,
                                 bool *to)
{
    if (cli_has(s->cli, on) && cli_has(s->cli, off)) {
        return cli_usage(s->cli, "--%s and --%s contradict each other", on, off);
    }
    *to = cli_has(s->cli, on) || (*to && !cli_has(s->cli, off));
    return OK;
}

static enum err_code read_switches(struct sample_command *s)
{
    struct sample_rules *r = &s->ask.rules;
    enum err_code rc = read_switch(s, "upward", "no-upward", &r->upward);
    rc = rc == OK ? read_switch(s, "together", "no-together", &r->together) : rc;
    return rc == OK ? read_switch(s, "picked", "no-picked", &s->ask.pool.picked_only) : rc;
}

/* "n03014705=.6,n02090379=.6" as CSV. */
static struct sv pairs_as_csv(const char *pairs, struct arena *a)
{
    static const char head[] = "wnid,threshold\n";
    char *text = arena_printf(a, "%s%s\n", head, pairs);
    for (char *at = text + strlen(head); *at; at++) {
        *at = *at == ',' ? '\n' : *at == '=' ? ',' : *at;
    }
    return sv_of(text);
}

/* A file, or the pairs themselves. A request over the network names no files of this machine. */
static enum err_code read_thresholds(struct sample_command *s)
{
    struct cli *cli = s->cli;
    const char *given = cli_opt(cli, "thresholds");
    struct str text;
    if (!given) {
        return OK;
    }
    s->ask.n_own = 0;
    if (strcmp(given, "none") == 0) {
        return OK;
    }
    if (strchr(given, '=') || s->job) {
        return sample_thresholds_read(pairs_as_csv(given, &cli->arena), "--thresholds", &cli->arena,
                                      &s->ask, &cli->err);
    }
    str_init(&text, THRESHOLDS_MOST);
    enum err_code rc = fs_read(given, &text, &cli->err);
    if (rc == OK) {
        rc = sample_thresholds_read(arena_sv(&cli->arena, str_sv(&text)), given, &cli->arena,
                                    &s->ask, &cli->err);
    }
    str_release(&text);
    return rc;
}

static enum err_code read_options(struct sample_command *s)
{
    struct cli *cli = s->cli;
    enum err_code rc = inherit(s);
    rc = rc == OK ? read_strategy(s) : rc;
    rc = rc == OK ? check_strategy(s) : rc;
    rc = rc == OK ? read_counts(s) : rc;
    rc = rc == OK ? read_thresholds(s) : rc;
    rc = rc == OK ? read_switches(s) : rc;
    s->ask.set = cli_has(cli, "set") ? sv_of(cli_opt(cli, "set")) : s->ask.set;
    s->ask.pool.view = cli_has(cli, "view") ? sv_of(cli_opt(cli, "view")) : s->ask.pool.view;
    s->ask.pool.flags_to_quarantine = cli->config.flags_to_quarantine;
    if (rc == OK && s->ask.set.n == 0 && !cli_has(cli, "plan")) {
        rc = cli_usage(cli, "--set is missing: name the set that gets a new revision");
    }
    return rc;
}

/* ---- what was made ---- */

static enum err_code print_revision(struct sample_command *s, int64_t id)
{
    struct cli *cli = s->cli;
    struct revision_row r;
    struct revision_facts f;
    char hex[2 * SET_DIGEST + 1];
    if (revisions_get(cli->db, id, &cli->arena, &r, &cli->err) != OK ||
        revision_facts_get(cli->db, id, &cli->arena, &f, &cli->err) != OK) {
        return cli->err.code;
    }
    crypto_hex(r.digest, SET_DIGEST, hex);
    if (cli->json) {
        json_t *o = object(field_sv("set", r.set), field_int("number", r.number),
                           field_int("images", r.images), field_text("sha256_sorted", hex),
                           field_bool("valid", f.valid == 1),
                           field_json("facts", json_loadb(f.facts.p, f.facts.n, 0, NULL)));
        json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
        json_decref(o);
        puts("");
    } else {
        printf(SV_FMT "/%lld\n", SV_ARG(r.set), (long long)r.number);
    }
    cli_note(cli,
             SV_FMT
             "/%lld: %lld images, %s, %zu of the parent's removed; sealed until it is frozen.",
             SV_ARG(r.set), (long long)r.number, (long long)r.images,
             f.valid == 1 ? "every class complete" : "incomplete", f.n_removals);
    return OK;
}

static void note_times(const struct sample_command *s)
{
    if (s->cli->verbose) {
        cli_note(s->cli, "Votes counted in %.0f ms, pool and plan in %.0f ms, revision in %.0f ms.",
                 (double)s->counted_ns / 1e6, (double)s->planned_ns / 1e6,
                 (double)s->written_ns / 1e6);
    }
}

static enum err_code make_revision(struct sample_command *s)
{
    struct cli *cli = s->cli;
    struct sample_job job;
    int64_t id = 0, begun = clock_mono_ns();
    enum err_code rc = sample_make_plan(cli->db, s->tally, &s->ask, &job, &cli->err);
    s->planned_ns = clock_mono_ns() - begun;
    rc = rc == OK ? sample_note_plan(cli, &job) : rc;
    if (rc == OK && cli_has(cli, "plan")) {
        rc = sample_print_plan(cli, &job);
    } else if (rc == OK && !cli->dry_run) {
        begun = clock_mono_ns();
        rc = sample_write(cli->db, cli->alone, &job, s->account, clock_wall_ms(), &id, &cli->err);
        s->written_ns = clock_mono_ns() - begun;
        rc = rc == OK ? print_revision(s, id) : rc;
    }
    sample_release(&job);
    if (rc == OK) {
        note_times(s);
    }
    return rc;
}

static enum err_code replay(struct sample_command *s, const char *name)
{
    struct cli *cli = s->cli;
    struct revision_row r;
    struct sample_replay result;
    enum err_code rc = revisions_find(cli->db, sv_of(name), &cli->arena, &r, &cli->err);
    rc = rc == OK ? sample_replay(cli->db, s->tally, &r, &result, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    for (int k = 0; k < POOL_INPUTS; k++) {
        if (result.changed_inputs & 1U << k) {
            cli_warn(cli, "What it was sampled from has changed: %s.", pool_inputs[k]);
        }
    }
    if (!result.same) {
        return err_rule(&cli->err, ERR_CONFLICT, "sample-replay",
                        "The replay of " SV_FMT "/%lld differs from what is stored: %zu of its images are "
                        "missing, and %zu others came instead.",
                        SV_ARG(r.set), (long long)r.number, result.n_missing, result.n_further);
    }
    cli_note(cli, SV_FMT "/%lld comes out the same: %lld images in the same order.", SV_ARG(r.set),
             (long long)r.number, (long long)r.images);
    return OK;
}

/* ---- the whole ---- */

static enum err_code run(struct sample_command *s)
{
    struct cli *cli = s->cli;
    const char *again = cli_opt(cli, "replay");
    int64_t begun = clock_mono_ns();
    s->tally = tally_new();
    enum err_code rc = again ? OK : read_options(s);
    rc = rc == OK ? tally_fold(s->tally, cli->db, &cli->err) : rc;
    s->counted_ns = clock_mono_ns() - begun;
    rc = rc == OK ? (again ? replay(s, again) : make_revision(s)) : rc;
    tally_free(s->tally);
    return rc;
}

/* Too short to be stopped: as a job it only says that it is the job, and for whom. */
static enum err_code run_job(struct sample_command *s)
{
    struct cli *cli = s->cli;
    struct job_report report;
    struct job_row row;
    enum err_code rc = job_report_begin(&report, cli->db, s->job, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = s->job ? jobs_get(cli->db, s->job, &cli->arena, &row, &cli->err) : OK;
    s->account = s->job && rc == OK ? row.account : 0;
    rc = rc == OK ? run(s) : rc;
    job_report_end(&report);
    return rc;
}

enum err_code cmd_sample(struct cli *cli)
{
    struct sample_command s = {.cli = cli};
    enum err_code rc = cli_opt_int(cli, "job", 1, INT64_MAX, 0, &s.job);
    return rc == OK ? run_job(&s) : rc;
}
