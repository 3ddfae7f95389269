/* superclasses.c - `holdout superclasses`: superclasses under a name: listed, stored from a table, written again. */
#include <stdio.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "sets/subsets/superclasses.h"

#define OUT_MOST ((size_t)1 << 26)

static enum err_code print_list(struct cli *cli)
{
    struct superclass_list_row *rows;
    struct str out;
    size_t n = 0;
    enum err_code rc = superclass_lists_newest(cli->db, &cli->arena, &rows, &n, &cli->err);
    struct superclasses_face *faces = arena_calloc(&cli->arena, n + 1, sizeof *faces);
    for (size_t i = 0; i < n && rc == OK; i++) {
        faces[i] = superclasses_face(&rows[i], &cli->arena);
    }
    str_init(&out, OUT_MOST);
    if (rc == OK) {
        record_table(&superclasses_record, RECORD_TABLE_CSV, faces, n, &out);
    }
    return export_end(&out, rc, &cli->err);
}

static enum err_code print_one(struct cli *cli, struct sv name)
{
    struct superclass_list_row row;
    struct str out;
    enum err_code rc = superclass_lists_find(cli->db, name, &cli->arena, &row, &cli->err);
    str_init(&out, OUT_MOST);
    rc = rc == OK ? superclasses_csv(cli->db, row.id, &cli->arena, &out, &cli->err) : rc;
    return export_end(&out, rc, &cli->err);
}

static enum err_code store(struct cli *cli, const char *name, const char *file)
{
    struct str text;
    struct superclasses_draft d;
    int64_t number = 0;
    bool added = false, standard = sv_is(sv_of(file), "-");
    str_init(&text, OUT_MOST);
    enum err_code rc = standard ? fs_read_fd(fileno(stdin), "standard input", &text, &cli->err) : fs_read(file, &text, &cli->err);
    const struct superclasses_ask ask = {.name = sv_of(name), .note = sv_of(cli_opt(cli, "note")),
                                         .file = standard ? "standard input" : file, .text = str_sv(&text)};
    rc = rc == OK ? superclasses_make(cli->db, &ask, &cli->arena, &d, &cli->err) : rc;
    if (rc == OK && cli_has(cli, "dry-run")) {
        cli_note(cli, "%zu classes have a superclass. Nothing was stored.", d.n);
    } else if (rc == OK && (rc = db_tx_begin(cli->db, &cli->err)) == OK) {
        rc = db_tx_end(cli->db, superclasses_store(cli->db, &d, clock_wall_ms(), &number, &added, &cli->err), &cli->err);
    }
    if (rc == OK && number) {
        cli_note(cli, "%s @%s/%lld: %zu classes have a superclass.", added ? "Stored" : "This is already", name, (long long)number, d.n);
    }
    str_release(&text);
    return rc;
}

enum err_code cmd_superclasses(struct cli *cli)
{
    if (cli_opt(cli, "note") && cli->n_args != 3) {
        return cli_usage(cli, "--note is about a version that is made: give its file");
    }
    return cli->n_args == 3   ? store(cli, cli->args[1], cli->args[2])
           : cli->n_args == 2 ? print_one(cli, sv_of(cli->args[1]))
                              : print_list(cli);
}
