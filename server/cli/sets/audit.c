/* audit.c - `holdout audit`: what is wrong with a revision by what is known today, as CSV. */
#include <stdio.h>

#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "sets/revisions/audit.h"
#include "sets/revisions/seal_story.h"

enum { OUT_MOST = 1 << 26, ANSWERS_MOST = 1000000 };

static void print_finding(struct str *out, const struct set_audit *audit, size_t at)
{
    const struct audit_finding *f = &audit->findings[at];
    struct str names;
    str_init(&names, OUT_MOST);
    for (size_t i = 0; i < f->n_images; i++) {
        str_addz(&names, i ? " " : "");
        str_addsv(&names, audit->pool.name[f->images[i]]);
    }
    const struct audit_line line = {.kind = audit_kinds[f->kind],
                                    .wnid = audit->pool.classes[f->class_index].wnid,
                                    .names = str_sv(&names),
                                    .detail = audit->detail[at]};
    record_csv_cells(&audit_line_record, &line, out);
    str_addc(out, '\n');
    str_release(&names);
}

static enum err_code print_all(struct cli *cli, const struct set_audit *audit)
{
    struct str out;
    enum err_code rc = OK;
    str_init(&out, OUT_MOST);
    record_csv_names(&audit_line_record, &out);
    str_addc(&out, '\n');
    for (size_t i = 0; i < audit->n && rc == OK; i++) {
        print_finding(&out, audit, i);
        rc = export_flush(&out, &cli->err);
    }
    return export_end(&out, rc, &cli->err);
}

/* What is no finding about an image, but about all of them: where they were scored before. */
static void note_seal(struct cli *cli, const struct revision_row *r, const struct seal_story *seal)
{
    for (size_t i = 0; i < seal->n_copies; i++) {
        cli_note(cli, SV_FMT " has the same images.", SV_ARG(seal->copies[i]));
    }
    for (size_t i = 0; i < seal->n_openings; i++) {
        cli_note(cli, "%s.", seal_opening_text(&cli->arena, &seal->openings[i]));
    }
    if (seal->images) {
        cli_note(cli, SV_FMT "/%lld: %s", SV_ARG(r->set), (long long)r->number,
                 seal_scored_text(&cli->arena, seal));
    }
}

enum err_code cmd_audit(struct cli *cli)
{
    struct revision_row r;
    struct set_audit audit = {0};
    struct seal_story seal;
    int64_t answers = 0;
    struct tally *t = tally_new();
    enum err_code rc = revisions_find(cli->db, sv_of(cli->args[1]), &cli->arena, &r, &cli->err);
    rc = rc == OK ? cli_opt_int(cli, "answers", 0, ANSWERS_MOST, set_audit_answers(&r), &answers)
                  : rc;
    rc = rc == OK ? tally_fold(t, cli->db, &cli->err) : rc;
    rc = rc == OK ? set_audit_make(cli->db, t, &r, (uint32_t)answers,
                                   cli->config.flags_to_quarantine, cli->dir, &audit, &cli->err)
                  : rc;
    rc = rc == OK ? seal_story_read(cli->db, &r, &cli->arena, &seal, &cli->err) : rc;
    rc = rc == OK ? print_all(cli, &audit) : rc;
    if (rc == OK) {
        cli_note(cli, SV_FMT "/%lld: %zu findings among %lld images.%s", SV_ARG(r.set),
                 (long long)r.number, audit.n, (long long)r.images,
                 answers ? "" : " Answers were not counted; --answers N asks for at least N of each image.");
    }
    if (rc == OK) {
        note_seal(cli, &r, &seal);
    }
    if (rc == OK && audit.n && cli_has(cli, "strict")) {
        rc = err_rule(&cli->err, ERR_CONFLICT, "audit",
                      "the audit of " SV_FMT "/%lld found something", SV_ARG(r.set),
                      (long long)r.number);
    }
    set_audit_release(&audit);
    tally_free(t);
    return rc;
}
