/* worker.c - `holdout worker list|show|block|unblock|note|forget`: the people who work. Rows in
 * commands.c. What is decided here has no account in the event log. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/clock.h"
#include "cli/core/accounts.h"
#include "cli/core/workers.h"
#include "db/bulk.h"
#include "json/object.h"
#include "store/people/erasure.h"
#include "store/people/notes.h"
#include "store/people/participants.h"
#include "store/people/people.h"
#include "store/people/workers.h"
#include "transfer/exports/panel_ids.h"
#include "transfer/exports/participants_csv.h"

enum { A_PAGE = 200, PAGE_ARENA = 16 << 20, ERASE_WAIT_MS = 10000 };

/* The person that the arguments name. */
static enum err_code person_of(struct cli *cli, int64_t *person)
{
    const char *id = cli_opt(cli, "id");
    const char *source = cli_has(cli, "source") ? cli_opt(cli, "source") : "panel";
    if ((cli->n_args > 1) == (id != NULL)) {
        return cli_usage(cli, "name one person, by PSEUDONYM or by --source and --id");
    }
    if (!id) {
        enum err_code rc = people_find_pseudonym(cli->db, sv_of(cli->args[1]), person, NULL);
        return rc == ERR_NOT_FOUND
                   ? err_rule(&cli->err, rc, "no-person",
                              "nobody has the pseudonym %s; `holdout worker list` shows everybody",
                              cli->args[1])
                   : rc;
    }
    enum err_code rc =
        people_find_external(cli->db, sv_of(source), sv_of(id), person, &cli->err);
    return rc == ERR_NOT_FOUND
               ? err_rule(&cli->err, rc, "no-person",
                          "nobody has that id from %s; people who were forgotten can only be found by "
                          "pseudonym",
                          source)
               : rc;
}

/* ---- list ---- */

static json_t *text(struct sv s)
{
    return s.n ? json_stringn(s.p, s.n) : json_null();
}

/* Imported studies keep the names of their files. */
static struct sv name_of(const struct worker *w, bool panel_ids)
{
    return panel_ids || sv_is(w->kind, "imported") ? w->external_id : SV("");
}

static json_t *worker_json(const struct worker *w, bool panel_ids)
{
    char created[CLOCK_ISO_SIZE], last[CLOCK_ISO_SIZE];
    return object(
        field_json("pseudonym", text(w->pseudonym)), field_json("kind", text(w->kind)),
        field_json("source", text(w->source)), field_json("id", text(name_of(w, panel_ids))),
        field_text("created_at", clock_iso(w->created_at, created)),
        field_text("last_at", w->last_at ? clock_iso(w->last_at, last) : NULL),
        field_int("places", w->places), field_int("grids_answered", w->grids),
        field_real("minutes", (double)w->active_ms / 60000),
        field_json("hourly_rate",
                   w->rate_cents >= 0 ? json_real((double)w->rate_cents / 100) : json_null()),
        field_json("currency", text(w->currency)), field_bool("blocked", w->blocked),
        field_bool("forgotten", w->forgotten));
}

static void print_worker(const struct worker *w, bool panel_ids)
{
    struct sv name = name_of(w, panel_ids);
    printf(SV_FMT "\t" SV_FMT "\t" SV_FMT "\t%" PRId64 "\t%" PRId64 "\t%.1f\t%s\n",
           SV_ARG(w->pseudonym), SV_ARG(w->kind),
           SV_ARG(w->forgotten ? SV("(forgotten)")
                  : name.n     ? name
                               : SV("-")),
           w->places, w->grids, (double)w->active_ms / 60000, w->blocked ? "blocked" : "");
}

static enum err_code filter_option(struct cli *cli, enum worker_filter *out)
{
    const char *name = cli_opt(cli, "filter");
    *out = WORKERS_ALL;
    for (unsigned i = 0; name && i < WORKERS_FILTERS; i++) {
        if (strcmp(name, worker_filter_name((enum worker_filter)i)) == 0) {
            *out = (enum worker_filter)i;
            return OK;
        }
    }
    return name ? cli_usage(cli, "--filter must be all, blocked or forgotten") : OK;
}

/* Page by page: a project may know a hundred thousand people. */
enum err_code cmd_worker_list(struct cli *cli)
{
    struct arena arena;
    struct worker *page;
    size_t n = A_PAGE;
    int64_t after = 0;
    enum worker_filter filter;
    json_t *list = cli->json ? json_array() : NULL;
    bool panel_ids = cli_has(cli, "panel-ids");
    enum err_code rc = filter_option(cli, &filter);
    if (rc == OK && panel_ids) {
        rc = panel_ids_record_now(cli_transfer(cli), "workers", 0);
    }
    arena_init(&arena, PAGE_ARENA);
    if (rc == OK && !list) {
        printf("pseudonym\tkind\tid\tplaces\tgrids\tminutes\tstate\n");
    }
    while (rc == OK && n == A_PAGE) {
        arena_release(&arena);
        rc = workers_page(cli->db, filter, SV(""), after, A_PAGE, &arena, &page, &n, &cli->err);
        for (size_t i = 0; i < n && rc == OK; i++) {
            after = page[i].person;
            if (list) {
                json_array_append_new(list, worker_json(&page[i], panel_ids));
            } else {
                print_worker(&page[i], panel_ids);
            }
        }
    }
    if (rc == OK && list) {
        json_dumpf(list, stdout, JSON_INDENT(2));
        putchar('\n');
    }
    json_decref(list);
    arena_release(&arena);
    return rc;
}

/* ---- show ---- */

struct shown {
    struct worker worker;
    struct participant *parts;
    struct note *notes;
    size_t n_parts, n_notes;
    bool panel_ids;
};

static void show_json(const struct shown *s)
{
    json_t *out = worker_json(&s->worker, s->panel_ids), *parts = json_array(), *notes = json_array();
    for (size_t i = 0; i < s->n_parts; i++) {
        json_t *part = participant_json(&s->parts[i], s->panel_ids);
        json_object_set_new(part, "campaign", text(s->parts[i].campaign_name));
        json_array_append_new(parts, part);
    }
    for (size_t i = 0; i < s->n_notes; i++) {
        char at[CLOCK_ISO_SIZE];
        object_add(notes, field_text("at", clock_iso(s->notes[i].at, at)),
                   field_json("kind", text(s->notes[i].kind)),
                   field_json("text", text(s->notes[i].text)),
                   field_json("by", text(s->notes[i].by)));
    }
    json_object_set_new(out, "campaigns", parts);
    json_object_set_new(out, "notes", notes);
    json_dumpf(out, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(out);
}

static void show_text(const struct shown *s)
{
    printf("pseudonym\tkind\tid\tplaces\tgrids\tminutes\tstate\n");
    print_worker(&s->worker, s->panel_ids);
    for (size_t i = 0; i < s->n_parts; i++) {
        const struct participant *p = &s->parts[i];
        printf("campaign\t" SV_FMT "\t" SV_FMT "\t%" PRId64 " grids\t%.1f min\tpay " SV_FMT "\n",
               SV_ARG(p->campaign_name), SV_ARG(p->outcome.n ? p->outcome : SV("in it")),
               p->grids, (double)p->active_ms / 60000, SV_ARG(p->pay_state));
    }
    for (size_t i = 0; i < s->n_notes; i++) {
        char at[CLOCK_ISO_SIZE];
        printf(SV_FMT "\t%.10s\t" SV_FMT "\t" SV_FMT "\n", SV_ARG(s->notes[i].kind),
               clock_iso(s->notes[i].at, at),
               SV_ARG(s->notes[i].by.n ? s->notes[i].by : SV("-")), SV_ARG(s->notes[i].text));
    }
}

enum err_code cmd_worker_show(struct cli *cli)
{
    struct shown s = {.panel_ids = cli_has(cli, "panel-ids")};
    int64_t person = 0;
    enum err_code rc = person_of(cli, &person);
    rc = rc == OK ? workers_get(cli->db, person, &cli->arena, &s.worker, &cli->err) : rc;
    if (rc == OK) {
        rc = participants_of(cli->db, person, &cli->arena, &s.parts, &s.n_parts, &cli->err);
    }
    rc = rc == OK ? notes_list(cli->db, person, &cli->arena, &s.notes, &s.n_notes, &cli->err) : rc;
    if (rc == OK && s.panel_ids) {
        rc = panel_ids_record_now(cli_transfer(cli), "worker", 0);
    }
    if (rc == OK) {
        (cli->json ? show_json : show_text)(&s);
    }
    return rc;
}

/* ---- notes and blocks ---- */

static enum err_code add_note(struct cli *cli, const char *kind, const char *words,
                              const char *done)
{
    int64_t person = 0;
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    if (rc != OK) {
        return rc;
    }
    rc = person_of(cli, &person);
    if (rc == OK) {
        rc = notes_add(cli->db, person, kind, sv_of(words), 0, clock_wall_ms(), &cli->err);
    }
    rc = db_tx_end(cli->db, rc, &cli->err);
    if (rc == OK) {
        cli_note(cli, "%s", done);
    }
    return rc;
}

enum err_code cmd_worker_block(struct cli *cli)
{
    const char *reason = cli_opt(cli, "reason");
    return reason && *reason ? add_note(cli, "block", reason,
                                        "Blocked: no further grids; what they answered stays.")
                             : cli_usage(cli, "a block needs --reason TEXT");
}

enum err_code cmd_worker_unblock(struct cli *cli)
{
    return add_note(cli, "unblock", cli_has(cli, "reason") ? cli_opt(cli, "reason") : "",
                    "No longer blocked.");
}

enum err_code cmd_worker_note(struct cli *cli)
{
    const char *words = cli_opt(cli, "text");
    return words && *words ? add_note(cli, "note", words, "Noted.")
                           : cli_usage(cli, "a note needs --text TEXT");
}

/* ---- forget ---- */

/* True without a terminal: then the caller is a program, which meant it. */
static bool confirmed(const struct cli *cli)
{
    char line[16] = "";
    if (cli_has(cli, "yes") || !isatty(STDIN_FILENO)) {
        return true;
    }
    fputs("This erases who the person is for good; answers stay under the pseudonym.\n"
          "Type yes to continue: ",
          stderr);
    return fgets(line, sizeof line, stdin) && strcmp(line, "yes\n") == 0;
}

static enum err_code erase_step(struct db *db, void *arg, bool *more, struct err *err)
{
    (void)arg;
    return erasure_slice(db, 0, more, err);
}

enum err_code cmd_worker_forget(struct cli *cli)
{
    int64_t person = 0;
    enum err_code rc = person_of(cli, &person);
    if (rc == OK && !confirmed(cli)) {
        rc = err_rule(&cli->err, ERR_INPUT, "not-confirmed", "nothing was changed");
    }
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = people_forget(cli->db, clock_wall_ms(), 0, person, &cli->err);
    rc = db_tx_end(cli->db, rc, &cli->err);
    if (rc != OK) {
        return rc;
    }
    struct err why = {0};
    rc = bulk_write(cli->db, cli->alone, erase_step, NULL, &why);
    if (rc != OK) {
        return err_rule(&cli->err, rc, why.rule,
                        "The person is forgotten, but copies of the id may still be in the database: %s. The "
                        "server removes them the next time it runs.",
                        why.msg);
    }
    rc = db_erase_finish(cli->db, ERASE_WAIT_MS, &why);
    if (rc != OK) {
        return err_rule(&cli->err, rc, "log-in-use",
                        "The person is forgotten, but %s/holdout.db-wal still holds the erased "
                        "bytes: %s. Run the command again, or stop the server.",
                        cli->dir, why.msg);
    }
    cli_note(cli, "Forgotten. Backups made earlier still contain the id.");
    return OK;
}
