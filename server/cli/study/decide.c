/* decide.c - `holdout decide`: answers in or out of the analysis, in bulk, beside a running server
 * or without one; undo; going on with a decision that was cut off. What would change is computed as for
 * a page (study/decision_make.h). The people's file: a pseudonym or a panel's id a line. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "cli/core/commands.h"
#include "db/bulk.h"
#include "json/object.h"
#include "store/people/people.h"
#include "store/people/workers.h"
#include "study/decision_data.h"
#include "study/decision_write.h"
#include "transfer/imports/lines.h"

enum { PIECE_MS = 1 };

/* ---- what is asked ---- */

static enum err_code read_people(struct cli *cli, const char *path, struct choice *c)
{
    struct import im;
    struct list people = {0};
    enum err_code rc = import_open(&im, cli_transfer(cli), path);
    uint64_t line = 0;
    for (struct sv rest = im.text; rc == OK && rest.p;) {
        struct sv id = sv_trim(sv_cut(&rest, '\n'));
        struct person who;
        int64_t person = -1;
        line++;
        if (id.n == 0) {
            continue;
        }
        rc = workers_search(cli->db, id, &person, &cli->err);
        if (rc == OK && person < 0) {
            import_bad(&im, line, "nobody has that pseudonym or panel id");
        } else if (rc == OK) {
            rc = people_get(cli->db, person, &cli->arena, &who, &cli->err);
            *LIST_ADD(&people, &cli->arena, struct sv) = who.pseudonym;
        }
    }
    rc = rc == OK ? import_checked(&im) : rc;
    import_close(&im);
    c->people = people.items;
    c->n_people = people.n;
    return rc == OK && people.n == 0
               ? err_rule(&cli->err, ERR_INPUT, "decision-choice", "%s names nobody", path)
               : rc;
}

static enum err_code read_choice(struct cli *cli, struct choice *c)
{
    const char *names[] = {"view", "campaign", "before", "reason", "undo"};
    struct choice_word words[8];
    size_t n = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (cli_has(cli, names[i])) {
            words[n++] = (struct choice_word){sv_of(names[i]), sv_of(cli_opt(cli, names[i]))};
        }
    }
    words[n++] = (struct choice_word){SV("value"), cli_has(cli, "in") ? SV("in") : SV("out")};
    enum err_code rc = choice_read(words, n, &cli->arena, c, &cli->err);
    c->reopen = cli_has(cli, "reopen");
    if (rc == OK) {
        choice_usual_reason(c, &cli->arena);
    }
    return rc == OK && cli_has(cli, "people") ? read_people(cli, cli_opt(cli, "people"), c) : rc;
}

static enum err_code check_usage(struct cli *cli)
{
    int what = cli_has(cli, "in") + cli_has(cli, "out") + cli_has(cli, "undo") +
               cli_has(cli, "continue");
    bool chooses = cli_has(cli, "in") || cli_has(cli, "out");
    if (what != 1) {
        return cli_usage(cli, "give one of --out, --in, --undo ID and --continue ID");
    }
    if (chooses && cli_has(cli, "people") == cli_has(cli, "view")) {
        return cli_usage(cli, "give either --people FILE or --view NAME");
    }
    if (!chooses && (cli_has(cli, "people") || cli_has(cli, "view") || cli_has(cli, "reopen"))) {
        return cli_usage(cli, "--people, --view and --reopen need --out or --in");
    }
    if (chooses && !cli_has(cli, "reason") && !cli->dry_run) {
        return cli_usage(cli, "a decision needs --reason TEXT");
    }
    return OK;
}

/* ---- writing ---- */

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct draft_writing *w = arg;
    enum err_code rc = decisions_write(db, &w->work, 0, w->now, PIECE_MS, &w->piece, err);
    *more = w->piece.more;
    return rc;
}

static enum err_code create_only(struct db *db, void *arg, bool *more, struct err *err)
{
    *more = false;
    return draft_create(db, arg, err);
}

static enum err_code write_rest(struct cli *cli, int64_t id)
{
    struct draft_writing w = {.id = id, .now = clock_wall_ms()};
    enum err_code rc = decisions_load(cli->db, id, &cli->arena, &w.work, &cli->err);
    return rc == OK ? bulk_write(cli->db, cli->alone, write_step, &w, &cli->err) : rc;
}

struct asked {
    struct cli *cli;
    const struct choice *choice;
};

static enum err_code look(void *arg, struct draft *out, struct err *err)
{
    const struct asked *asked = arg;
    struct cli *cli = asked->cli;
    struct tally *t = tally_new();
    const struct draft_ask ask = {.db = cli->db, .tally = t, .arena = &cli->arena,
                                  .choice = asked->choice};
    *out = (struct draft){.n_money = 0};
    enum err_code rc = tally_fold(t, cli->db, err);
    rc = rc == OK ? draft_make(&ask, out, err) : rc;
    tally_free(t);
    return rc;
}

static enum err_code create(void *arg, struct draft_writing *w, struct err *err)
{
    const struct asked *asked = arg;
    return bulk_write(asked->cli->db, asked->cli->alone, create_only, w, err);
}

/* *id 0: nothing would change. */
static enum err_code decide(struct cli *cli, const struct choice *c, struct draft *draft,
                            int64_t *id)
{
    struct asked asked = {cli, c};
    const struct deciding d = {.look = look, .create = create, .arg = &asked};
    struct decision_made made;
    if (cli->dry_run) {
        return look(&asked, draft, &cli->err);
    }
    enum err_code rc = decision_store(&d, draft, &made, &cli->err);
    *id = rc == OK ? made.id : 0;
    return *id ? write_rest(cli, *id) : rc;
}

/* ---- telling ---- */

static void print_json(json_t *o)
{
    char *text = json_dumps(o, JSON_COMPACT);
    json_decref(o);
    BUG_IF(!text);
    puts(text);
    free(text);
}

static enum err_code tell_json(struct cli *cli, const struct draft *draft, int64_t id)
{
    struct decision d;
    json_t *preview = draft_json(cli->db, draft, &cli->arena, &cli->err);
    json_t *made = json_null();
    if (preview && id) {
        made = decisions_get(cli->db, id, &cli->arena, &d, &cli->err) == OK
                   ? decision_json(cli->db, &d, &cli->arena, &cli->err)
                   : NULL;
    }
    if (!preview || !made) {
        json_decref(preview);
        return cli->err.code;
    }
    print_json(object(field_json("decision", made),
                      field_int("changed", id ? draft->d.subjects : 0),
                      field_json("preview", preview)));
    return OK;
}

static void tell_text(struct cli *cli, const struct draft *draft, json_t *preview, int64_t id)
{
    const json_t *effect = json_object_get(preview, "effect"), *row, *warning;
    size_t i;
    printf("%s: %s of %s\n", json_string_value(json_object_get(preview, "title")),
           json_string_value(json_object_get(preview, "subjects_text")),
           json_string_value(json_object_get(preview, "people_text")));
    json_array_foreach(json_object_get(effect, "rows"), i, row) {
        const json_t *before = json_object_get(row, "before"), *after = json_object_get(row, "after");
        printf("%-18s %s -> %s\n", json_string_value(json_object_get(row, "label")),
               json_string_value(json_object_get(before, "text")),
               json_string_value(json_object_get(after, "text")));
    }
    json_array_foreach(json_object_get(preview, "warnings"), i, warning) {
        cli_note(cli, "note: %s", json_string_value(json_object_get(warning, "text")));
    }
    if (id) {
        cli_note(cli, "This is decision %lld. `holdout decide %s --undo %lld` undoes it.", (long long)id,
                 cli->dir, (long long)id);
    } else {
        cli_note(cli, draft->d.subjects ? "Nothing was written (dry run)."
                                        : "Nothing would change; nothing was written.");
    }
}

static enum err_code tell(struct cli *cli, const struct draft *draft, int64_t id)
{
    if (cli->json) {
        return tell_json(cli, draft, id);
    }
    json_t *preview = draft_json(cli->db, draft, &cli->arena, &cli->err);
    if (preview) {
        tell_text(cli, draft, preview, id);
    }
    json_decref(preview);
    return cli->err.code;
}

static enum err_code go_on(struct cli *cli)
{
    struct decision d;
    int64_t id = 0;
    enum err_code rc = cli_opt_int(cli, "continue", 1, INT64_MAX, 0, &id);
    if (rc == OK && !cli->dry_run) {
        rc = write_rest(cli, id);
    }
    rc = rc == OK ? decisions_get(cli->db, id, &cli->arena, &d, &cli->err) : rc;
    json_t *o = rc == OK ? decision_json(cli->db, &d, &cli->arena, &cli->err) : NULL;
    if (!o) {
        return cli->err.code;
    }
    if (cli->json) {
        print_json(o);
        return OK;
    }
    cli_note(cli, "Decision %lld: %s of %s written.", (long long)id,
             json_string_value(json_object_get(o, "written_text")),
             json_string_value(json_object_get(o, "subjects_text")));
    json_decref(o);
    return OK;
}

enum err_code cmd_decide(struct cli *cli)
{
    struct choice c;
    struct draft draft = {.n_money = 0};
    int64_t id = 0;
    enum err_code rc = check_usage(cli);
    if (rc != OK || cli_has(cli, "continue")) {
        return rc == OK ? go_on(cli) : rc;
    }
    rc = read_choice(cli, &c);
    if (rc == OK && !cli->dry_run) {
        rc = decisions_reason(c.reason, &cli->err);
    }
    rc = rc == OK ? decide(cli, &c, &draft, &id) : rc;
    rc = rc == OK ? tell(cli, &draft, id) : rc;
    draft_release(&draft);
    return rc;
}
