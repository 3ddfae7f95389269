/* changes.c - `holdout changes`: what new sets change against the same originals, beside their average selection
 * frequency. The table is standard output and nothing else; --json says what it was made of too. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "cli/models/set_data.h"
#include "json/object.h"
#include "measures/scores/score_sheet.h"
#include "measures/votes/set_changes.h"
#include "sets/revisions/average.h"
#include "sets/revisions/made_of.h"
#include "store/operate/health.h"

#define OUT_MOST ((size_t)1 << 24)
enum { SETS_MOST = 1000 };

struct changes_run {
    struct cli *cli;
    struct revision_row *sets; /* the originals, then the new ones */
    struct set_changes_row *rows;
    size_t n;
    int64_t event;
};

/* ---- which sets ---- */

static void add_set(struct changes_run *c, struct list *sets, const struct revision_row *r)
{
    set_note_unsealed(c->cli, r);
    *LIST_ADD(sets, &c->cli->arena, struct revision_row) = *r;
}

static enum err_code add_named(struct changes_run *c, struct list *sets, struct sv name)
{
    struct revision_row r;
    enum err_code rc = revisions_find(c->cli->db, name, &c->cli->arena, &r, &c->cli->err);
    if (rc == OK) {
        add_set(c, sets, &r);
    }
    return rc;
}

/* The newest revision of every new set on which models may be scored. */
static enum err_code add_newest(struct changes_run *c, struct list *sets)
{
    struct revision_row *list;
    size_t n;
    enum err_code rc = revisions_list(c->cli->db, 0, &c->cli->arena, &list, &n, &c->cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (sv_is(list[i].role, "new") && revision_leads_set(list, n, &list[i])) {
            add_set(c, sets, &list[i]);
        }
    }
    return rc;
}

static enum err_code find_sets(struct changes_run *c, const char *original, const char *named)
{
    struct list sets = {0};
    struct sv rest = sv_of(named ? named : "");
    enum err_code rc = add_named(c, &sets, sv_of(original));
    if (!named) {
        rc = rc == OK ? add_newest(c, &sets) : rc;
    }
    while (rest.n && rc == OK && sets.n <= SETS_MOST) {
        struct sv name = sv_trim(sv_cut(&rest, ','));
        rc = name.n ? add_named(c, &sets, name) : OK;
    }
    c->sets = sets.items;
    c->n = sets.n;
    return rc == OK && sets.n > SETS_MOST ? cli_usage(c->cli, "--sets takes at most %d sets", SETS_MOST) : rc;
}

/* ---- numbers ---- */

static enum err_code count_frequencies(struct changes_run *c)
{
    struct cli *cli = c->cli;
    struct tally *t = tally_new();
    struct set_average *found = arena_calloc(&cli->arena, c->n, sizeof *found);
    enum err_code rc = tally_fold(t, cli->db, &cli->err);
    rc = rc == OK ? set_averages_own(cli->db, t, c->sets, c->n, &cli->arena, found, &cli->err) : rc;
    for (size_t i = 0; i < c->n && rc == OK; i++) {
        set_changes_take(&c->rows[i], &found[i].f, found[i].has_interval);
    }
    tally_free(t);
    return rc;
}

static enum err_code read_all(struct changes_run *c, const char *original, const char *named)
{
    struct cli *cli = c->cli;
    int64_t schema = 0;
    struct model_scores *scores = model_scores_new();
    enum err_code rc = db_snapshot(cli->db, &cli->err);
    if (rc == OK) {
        rc = health_moment(cli->db, &c->event, &schema, &cli->err);
        rc = rc == OK ? find_sets(c, original, named) : rc;
        c->rows = arena_calloc(&cli->arena, c->n + 1, sizeof *c->rows);
        rc = rc == OK ? set_changes_make(scores, cli->db, c->sets, c->n, &cli->arena, c->rows, &cli->err) : rc;
        rc = rc == OK ? count_frequencies(c) : rc;
        db_snapshot_end(cli->db);
    }
    model_scores_free(scores);
    return rc;
}

/* ---- output ---- */

static enum err_code print_json(const struct changes_run *c)
{
    json_t *sets = json_array();
    for (size_t i = 0; i < c->n; i++) {
        json_t *row = record_json(&set_changes_record, &c->rows[i]);
        json_object_set_new(row, "revision", set_data(&c->sets[i]));
        json_array_append_new(sets, row);
    }
    json_t *all = object(field_text("tool", "holdout " HOLDOUT_VERSION), field_int("as_of_event", c->event), field_json("sets", sets));
    bool written = all && json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(all);
    return written ? OK : err_set(&c->cli->err, ERR_IO, "cannot write the output");
}

enum err_code cmd_changes(struct cli *cli)
{
    struct changes_run c = {.cli = cli};
    const char *original = cli_opt(cli, "original"), *format = cli_opt(cli, "format");
    const struct score_format *as = score_format_named(format);
    struct str out;
    if (!original) {
        return cli_usage(cli, "give --original");
    }
    if (!as) {
        return cli_usage(cli, "--format must be csv, markdown or latex");
    }
    enum err_code rc = read_all(&c, original, cli_opt(cli, "sets"));
    if (rc != OK || cli->json) {
        return rc == OK ? print_json(&c) : rc;
    }
    str_init(&out, OUT_MOST);
    set_changes_write(c.rows, c.n, as->as, &out);
    return export_end(&out, OK, &cli->err);
}
