/* fuzz_csv.c - any bytes as a CSV file: nothing crashes, and what was read is read again the same
 * after it was written with csv_cell. */
#include <stdint.h>

#include "formats/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void write_row(struct str *out, const struct sv *cells, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        str_addz(out, i ? "," : "");
        /* A lone empty cell would be an empty line, which readers skip. */
        if (n == 1 && cells[i].n == 0) {
            str_addz(out, "\"\"");
        } else {
            csv_cell(out, cells[i]);
        }
    }
    str_addc(out, '\n');
}

/* Every row of `text` written to `out`; false when it was refused on the way. */
static bool rewrite(struct sv text, struct str *out)
{
    struct csv c;
    struct err err = {0};
    if (csv_open(&c, "fuzz", text, &err) != OK) {
        BUG_IF(err.code != ERR_INPUT);
        return false;
    }
    write_row(out, c.header, c.n_header);
    bool more = true;
    enum err_code rc;
    while ((rc = csv_next(&c, &more, &err)) == OK && more) {
        write_row(out, c.cells, c.n_cells);
    }
    BUG_IF(rc != err.code || (rc != OK && rc != ERR_INPUT));
    csv_close(&c);
    return rc == OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str once, twice;
    str_init(&once, 16 << 20);
    str_init(&twice, 16 << 20);
    if (rewrite(sv_make((const char *)data, n), &once)) {
        BUG_IF(!rewrite(str_sv(&once), &twice));
        BUG_IF(!sv_eq(str_sv(&once), str_sv(&twice)));
    }
    str_release(&once);
    str_release(&twice);
    return 0;
}
