/* print_records.c - a record's rows, one by one. */
#include "cli/objects/print_records.h"

#include "cli/core/table.h"
#include "json/object.h"

#define OUT_MOST ((size_t)1 << 26)
#define SCRATCH_MOST ((size_t)1 << 26)

void printing_begin(struct printing *p, struct cli *cli, const struct record *record)
{
    *p = (struct printing){.cli = cli, .record = record};
    str_init(&p->out, OUT_MOST);
    arena_init(&p->scratch, SCRATCH_MOST);
    if (!cli->json) {
        record_csv_names(record, &p->out);
        str_addc(&p->out, '\n');
    }
}

enum err_code printing_row(struct printing *p, const void *row)
{
    if (p->cli->json) {
        json_add_line(record_json(p->record, row), &p->out);
    } else {
        record_csv_cells(p->record, row, &p->out);
        str_addc(&p->out, '\n');
    }
    arena_clear(&p->scratch);
    return export_flush(&p->out, &p->cli->err);
}

enum err_code printing_end(struct printing *p, enum err_code rc)
{
    arena_release(&p->scratch);
    return export_end(&p->out, rc, &p->cli->err);
}
