/* label_plans.c - plans of labels, printed. */
#include "cli/objects/label_plans.h"

#include <jansson.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/objects/print_records.h"
#include "store/operate/jobs.h"

enum err_code label_plan_list_print(struct cli *cli, enum label_plan_kind kind)
{
    struct label_plan_row *list;
    struct printing out;
    size_t n = 0;
    struct sv name = sv_of(cli->n_args > 1 ? cli->args[1] : "");
    enum err_code rc = label_plans_list(cli->db, kind, name, &cli->arena, &list, &n, &cli->err);
    if (rc == OK && n == 0 && name.n) {
        struct label_plan_row none;
        rc = label_plans_find(cli->db, kind, name, &cli->arena, &none, &cli->err); /* says which there are */
    }
    if (rc != OK) {
        return rc;
    }
    printing_begin(&out, cli, &label_plan_record);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct label_plan_line line = label_plan_line(&list[i], cli->json, &cli->arena);
        rc = printing_row(&out, &line);
    }
    return printing_end(&out, rc);
}

static enum err_code print_json(struct cli *cli, const struct label_plan_row *p)
{
    const struct label_plan_line line = label_plan_line(p, true, &cli->arena);
    struct label_plan_campaign *list;
    size_t n = 0;
    enum err_code rc = label_plan_campaigns(cli->db, p->id, &cli->arena, &list, &n, &cli->err);
    if (rc != OK) {
        return rc;
    }
    json_t *json = record_json(&label_plan_record, &line), *campaigns = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(campaigns, json_stringn(list[i].name.p, list[i].name.n));
    }
    json_object_set_new(json, "campaigns", campaigns);
    bool written = json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) == 0 && putchar('\n') != EOF;
    json_decref(json);
    return written ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
}

enum err_code label_plan_show(struct cli *cli, enum label_plan_kind kind)
{
    struct label_plan_row p;
    enum err_code rc = label_plans_find(cli->db, kind, sv_of(cli->args[1]), &cli->arena, &p, &cli->err);
    return rc == OK ? print_json(cli, &p) : rc;
}

static enum err_code print_one(struct cli *cli, int64_t id)
{
    struct label_plan_row p;
    enum err_code rc = label_plans_get(cli->db, id, &cli->arena, &p, &cli->err);
    if (rc == OK && cli->json) {
        return print_json(cli, &p);
    }
    if (rc == OK && !cli->quiet) {
        printf(SV_FMT "/%lld\n", SV_ARG(p.name), (long long)p.version);
    }
    return rc;
}

enum err_code label_plan_keep(struct cli *cli, const struct label_plan_new *plan, const char **became)
{
    int64_t id = 0;
    bool added = false;
    enum err_code rc = label_plan_same(cli->db, plan, &id, &cli->err);
    if (rc == OK && id == 0 && !cli->dry_run) {
        rc = label_plan_add(cli->db, cli->alone, plan, clock_wall_ms(), &id, &added, &cli->err);
    }
    *became = added ? "a new version" : id ? "this version is there already" : "nothing was written (dry run)";
    return rc == OK && id ? print_one(cli, id) : rc;
}
