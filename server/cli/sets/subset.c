/* subset.c - `holdout subset`: subsets of images under a name: listed, made, and the images of a set that one means. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "formats/csv.h"
#include "sets/subsets/named.h"

#define OUT_MOST ((size_t)1 << 28)

static enum err_code print_faces(struct cli *cli, const struct named_face *list, size_t n)
{
    struct str out;
    str_init(&out, OUT_MOST);
    record_table(&named_subset_record, RECORD_TABLE_CSV, list, n, &out);
    return export_end(&out, OK, &cli->err);
}

/* The newest version of each, or all versions of one. */
static enum err_code list_subsets(struct cli *cli, struct sv name)
{
    struct subset_row *rows;
    size_t n = 0;
    const char *set = cli_opt(cli, "set");
    struct revision_row r;
    enum err_code rc = set ? revisions_find(cli->db, sv_of(set), &cli->arena, &r, &cli->err) : OK;
    rc = rc == OK ? subsets_list(cli->db, name, &cli->arena, &rows, &n, &cli->err) : rc;
    if (rc == OK && name.n && n == 0) {
        return err_rule(&cli->err, ERR_NOT_FOUND, "no-subset", "There is no subset " SV_FMT ".", SV_ARG(name));
    }
    struct named_face *faces = arena_calloc(&cli->arena, n + 1, sizeof *faces);
    for (size_t i = 0; i < n && rc == OK; i++) {
        faces[i] = named_face(&rows[i], &cli->arena);
        rc = set ? named_count(cli->db, &r, &cli->arena, &faces[i], &cli->err) : OK;
    }
    return rc == OK ? print_faces(cli, faces, n) : rc;
}

static enum err_code make(struct cli *cli, const char *name, const char *definition)
{
    const char *note = cli_opt(cli, "note");
    const struct named_ask ask = {.name = sv_of(name), .definition = sv_of(definition), .note = sv_of(note)};
    struct named_draft d;
    int64_t number = 0;
    bool added = false;
    enum err_code rc = named_make(cli->db, NULL, &ask, &cli->arena, &d, &cli->err);
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    if (rc == OK) {
        rc = db_tx_end(cli->db, named_store(cli->db, &d, clock_wall_ms(), &number, &added, &cli->err), &cli->err);
    }
    if (rc == OK) {
        cli_note(cli, "%s @%s/%lld: %s.", added ? "Stored" : "This is already", name, (long long)number, d.subset.label);
    }
    return rc;
}

static enum err_code add_image(void *arg, struct sv image, struct sv wnid, struct err *err)
{
    struct str *out = arg;
    csv_cell(out, image);
    str_addc(out, ',');
    csv_cell(out, wnid);
    str_addc(out, '\n');
    return export_flush(out, err);
}

/* "image,wnid", which `import set` reads. */
static enum err_code print_images(struct cli *cli, const char *name, const char *set)
{
    struct revision_row r;
    struct subset subset;
    struct str out;
    enum err_code rc = revisions_find(cli->db, sv_of(set), &cli->arena, &r, &cli->err);
    rc = rc == OK ? subset_find(cli->db, NULL, sv_of(arena_printf(&cli->arena, "@%s", name)), &cli->arena, &subset, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    str_init(&out, OUT_MOST);
    str_addz(&out, "image,wnid\n");
    return export_end(&out, named_images(cli->db, &subset, &r, add_image, &out, &cli->err), &cli->err);
}

enum err_code cmd_subset(struct cli *cli)
{
    const char *images = cli_opt(cli, "images-of");
    struct sv name = sv_of(cli->n_args > 1 ? cli->args[1] : NULL);
    if (images && cli->n_args != 2) {
        return cli_usage(cli, "--images-of prints the images that a subset means: name one, without a definition");
    }
    if (cli_opt(cli, "note") && cli->n_args != 3) {
        return cli_usage(cli, "--note is about a version that is made: give its definition");
    }
    return images ? print_images(cli, cli->args[1], images)
           : cli->n_args == 3 ? make(cli, cli->args[1], cli->args[2])
                              : list_subsets(cli, name);
}
