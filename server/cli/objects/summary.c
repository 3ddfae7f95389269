/* summary.c - `holdout object-summary`: what many images show, in numbers, as JSON. Reads files and no project. */
#include <jansson.h>
#include <stdio.h>

#include "cli/core/commands.h"
#include "cli/objects/object_files.h"
#include "measures/objects/summary_rows.h"

static struct object_summary_row summary_row(const struct object_files *o, struct arena *a)
{
    struct object_summary_row row = {.easy = (uint32_t)o->inferred, .left_out = (uint32_t)o->left_out};
    for (size_t i = 0; i < o->list.n; i++) {
        struct object_votes v = object_files_votes(o, i);
        if (v.inferred) {
            continue;
        }
        row.asked++;
        row.responses += v.responses;
        row.unassigned += v.unassigned > 0;
        row.ties += v.n_optimal > 1 && o->list.at[i].n > 1;
        row.main_ties += v.main_tied;
        row.number_ties += v.number_tied;
        object_summary_selected(&row, v.selected);
    }
    object_summary_finish(&row, &o->list, a);
    return row;
}

enum err_code cmd_object_summary(struct cli *cli)
{
    struct object_files o;
    object_files_init(&o, cli);
    enum err_code rc = object_files_read(&o, cli);
    if (rc == OK) {
        struct object_summary_row row = summary_row(&o, &cli->arena);
        json_t *all = record_json(&object_summary_record, &row);
        BUG_IF(!all);
        bool written = json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
        json_decref(all);
        rc = written ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
    }
    object_files_release(&o);
    return rc;
}
