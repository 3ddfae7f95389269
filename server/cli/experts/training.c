/* training.c - `holdout training`: lists of images on which experts learn classes. */
#include <stdio.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/rng.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "experts/training_facts.h"
#include "experts/training_make.h"
#include "store/labels/evaluations.h"
#include "store/labels/label_reviews.h"
#include "transfer/labels/training_file.h"

#define OUT_MOST ((size_t)1 << 28)
#define FILE_MOST ((size_t)1 << 24)

static enum err_code read_file(struct cli *cli, struct training_ask *ask)
{
    struct str whole;
    str_init(&whole, FILE_MOST);
    ask->file = cli_opt(cli, "file");
    enum err_code rc = fs_read(ask->file, &whole, &cli->err);
    struct training_item *items = NULL;
    rc = rc == OK ? training_file_read(cli->db, ask->file, str_sv(&whole), &cli->arena, &items, &ask->n, &cli->err) : rc;
    ask->items = items;
    str_release(&whole);
    return rc;
}

static enum err_code read_ask(struct cli *cli, struct training_ask *out)
{
    *out = (struct training_ask){.name = sv_of(cli->args[1]), .unlocks = cli_text(cli, "unlocks"), .set = cli_text(cli, "set"),
                                 .classes = cli_text(cli, "classes"), .models = cli_text(cli, "models"),
                                 .flags_to_quarantine = cli->config.flags_to_quarantine};
    if (!training_made_of(cli_text(cli, "of"), &out->made)) {
        return cli_usage(cli, "--of is relation, confusions, group or file");
    }
    if ((out->made == MADE_FILE) != cli_has(cli, "file") || (out->made == MADE_FILE) == cli_has(cli, "set")) {
        return cli_usage(cli, "name the set with --set, or with --of file the file with --file");
    }
    enum err_code rc = cli_opt_int(cli, "images", 1, TRAINING_IMAGES, 0, &out->images);
    rc = rc == OK ? cli_opt_int(cli, "pairs", 1, 1000, 10, &out->pairs) : rc;
    rc = rc == OK ? cli_opt_int(cli, "mark", 1, 100, TRAINING_MARK, &out->mark) : rc;
    rc = rc == OK ? cli_opt_int(cli, "span", 1, TRAINING_IMAGES, 0, &out->span) : rc;
    rc = rc == OK ? cli_opt_int(cli, "seed", 0, INT64_C(1) << 53, (int64_t)rng_fresh_seed(), &out->seed) : rc;
    return rc == OK && out->made == MADE_FILE ? read_file(cli, out) : rc;
}

enum err_code cmd_training_create(struct cli *cli)
{
    struct training_ask ask;
    struct training_plan plan;
    int64_t id;
    enum err_code rc = read_ask(cli, &ask);
    rc = rc == OK ? training_plan(cli->db, &ask, &cli->arena, &plan, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = cli->dry_run ? OK : db_tx_begin(cli->db, &cli->err);
    if (rc == OK && !cli->dry_run) {
        rc = training_list_add(cli->db, &plan.list, clock_wall_ms(), &id, &cli->err);
        rc = db_tx_end(cli->db, rc, &cli->err);
    }
    if (rc == OK) {
        cli_note(cli, "%zu images of %lld classes; pass: %lld %% of the latest %lld answers. Seed %lld.", plan.list.n, (long long)plan.classes,
                 (long long)plan.list.mark, (long long)plan.list.span, (long long)ask.seed);
    }
    if (rc == OK && plan.left_out) {
        cli_note(cli, "%lld images were left out: they are sealed, in an open label review or an evaluation, near-duplicates of such, or "
                 "hidden.", (long long)plan.left_out);
    }
    return rc;
}

enum err_code cmd_training_list(struct cli *cli)
{
    struct training_list_row *rows;
    struct str out;
    size_t n = 0;
    enum err_code rc = training_lists_list(cli->db, &cli->arena, &rows, &n, &cli->err);
    str_init(&out, OUT_MOST);
    str_addz(&out, "name,unlocks,state,made_of,images,mark,span,seed,answers,people\n");
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct training_list_row *l = &rows[i];
        record_csv_text(&out, l->name);
        str_addc(&out, ',');
        record_csv_text(&out, l->unlocks);
        str_printf(&out, "," SV_FMT "," SV_FMT ",%lld,%lld,%lld,%lld,%lld,%lld\n", SV_ARG(l->state), SV_ARG(l->made_of), (long long)l->images,
                   (long long)l->mark, (long long)l->span, (long long)l->seed, (long long)l->answers, (long long)l->people);
    }
    return export_end(&out, rc, &cli->err);
}

enum err_code cmd_training_show(struct cli *cli)
{
    struct training_facts f;
    struct training_list_row l;
    struct str out;
    enum err_code rc = training_lists_find(cli->db, sv_of(cli->args[1]), &cli->arena, &l, &cli->err);
    rc = rc == OK ? training_facts_read(cli->db, &l, 0, &cli->arena, &f, &cli->err) : rc;
    rc = rc == OK ? training_facts_people(cli->db, &cli->arena, &f, &cli->err) : rc;
    str_init(&out, OUT_MOST);
    if (rc == OK) {
        record_table(&training_person_record, RECORD_TABLE_CSV, f.people, f.n_people, &out);
    }
    return export_end(&out, rc, &cli->err);
}

static enum err_code change_state(struct cli *cli, bool open)
{
    struct training_list_row l;
    enum err_code rc = training_lists_find(cli->db, sv_of(cli->args[1]), &cli->arena, &l, &cli->err);
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    if (rc == OK) {
        rc = training_list_state(cli->db, l.id, open, 0, clock_wall_ms(), &cli->err);
        rc = db_tx_end(cli->db, rc, &cli->err);
    }
    return rc;
}

enum err_code cmd_training_change(struct cli *cli)
{
    const bool open = cli_has(cli, "open");
    return open == cli_has(cli, "close") ? cli_usage(cli, "--open or --close") : change_state(cli, open);
}

/* The list that --review or --evaluation names. */
static enum err_code find_work(struct cli *cli, enum training_for *kind, int64_t *list)
{
    struct label_review_row r = {0};
    struct evaluation_row e = {0};
    *kind = cli_has(cli, "evaluation") ? FOR_EVALUATION : FOR_LABEL_REVIEW;
    if (cli_has(cli, "review") == cli_has(cli, "evaluation")) {
        return cli_usage(cli, "name the work with --review or --evaluation");
    }
    enum err_code rc = *kind == FOR_EVALUATION ? evaluations_find(cli->db, cli_text(cli, "evaluation"), &cli->arena, &e, &cli->err)
                                               : label_reviews_find(cli->db, cli_text(cli, "review"), &cli->arena, &r, &cli->err);
    *list = *kind == FOR_EVALUATION ? e.id : r.id;
    return rc;
}

enum err_code cmd_training_need(struct cli *cli)
{
    const struct sv unlocks = sv_of(cli->args[1]);
    enum training_for kind;
    int64_t list;
    bool known = false;
    enum err_code rc = find_work(cli, &kind, &list);
    rc = rc == OK ? training_group_known(cli->db, unlocks, &known, &cli->err) : rc;
    if (rc == OK && !known) {
        return err_rule(&cli->err, ERR_NOT_FOUND, "training-group", "No training list unlocks a group " SV_FMT ".", SV_ARG(unlocks));
    }
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    if (rc == OK) {
        rc = training_need_set(cli->db, kind, list, unlocks, !cli_has(cli, "not"), 0, clock_wall_ms(), &cli->err);
        rc = db_tx_end(cli->db, rc, &cli->err);
    }
    return rc;
}
