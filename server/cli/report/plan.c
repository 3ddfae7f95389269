/* plan.c - `holdout plan`: registers an analysis plan, lists those that there are, prints one as it was registered. */
#include <jansson.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "report/plan.h"

#define OUT_MOST ((size_t)1 << 26)

static void note(struct cli *cli, const struct plan_row *p)
{
    if (plan_is_late(p)) {
        cli_warn(cli, "The plan " SV_FMT " is late: %s. Every report says so.", SV_ARG(p->name), plan_words(p, &cli->arena));
    }
}

static enum err_code register_file(struct cli *cli, const char *path)
{
    struct str text;
    struct plan_row p;
    bool added = false;
    str_init(&text, ANALYSIS_BYTES);
    enum err_code rc = fs_read(path, &text, &cli->err);
    rc = rc == OK ? plan_register(cli->db, str_sv(&text), path, 0, clock_wall_ms(), &cli->arena, &added, &p, &cli->err) : rc;
    str_release(&text);
    if (rc == OK) {
        cli_note(cli, "%s " SV_FMT ": %s.", added ? "Registered the plan" : "This is already the plan", SV_ARG(p.name),
                 plan_words(&p, &cli->arena));
        note(cli, &p);
    }
    return rc;
}

static enum err_code show(struct cli *cli, const char *name)
{
    struct plan_row p;
    struct str out;
    enum err_code rc = plans_find(cli->db, sv_of(name), &cli->arena, &p, &cli->err);
    if (rc == OK) {
        note(cli, &p);
        str_init(&out, OUT_MOST);
        str_addsv(&out, p.body);
        rc = export_end(&out, OK, &cli->err);
    }
    return rc;
}

static enum err_code list_plans(struct cli *cli)
{
    struct plan_row *list;
    size_t n = 0;
    json_t *all = json_array();
    enum err_code rc = plans_list(cli->db, SV(""), &cli->arena, &list, &n, &cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = json_array_append_new(all, plan_json(&list[i], &cli->arena, &cli->err)) == 0 ? OK : cli->err.code;
    }
    if (rc == OK && (json_dumpf(all, stdout, JSON_INDENT(1)) != 0 || putchar('\n') == EOF)) {
        rc = err_set(&cli->err, ERR_IO, "cannot write the output");
    }
    json_decref(all);
    return rc;
}

enum err_code cmd_plan(struct cli *cli)
{
    const char *name = cli_opt(cli, "show");
    if (name && cli->n_args > 1) {
        return cli_usage(cli, "--show prints a plan that is registered: give no file");
    }
    return cli->n_args > 1 ? register_file(cli, cli->args[1]) : name ? show(cli, name) : list_plans(cli);
}
