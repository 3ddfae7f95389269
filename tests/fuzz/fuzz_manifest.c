/* fuzz_manifest.c - any text as an image manifest, CSV and JSON lines: reading comes to an end, a row
 * that is taken keeps its promises, and a row that is refused says so in words that can be shown. */
#include <stdint.h>
#include <string.h>

#include "formats/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_row(const struct manifest *m)
{
    BUG_IF(!manifest_id_good(m->field[MANIFEST_ID]));
    BUG_IF(m->field[MANIFEST_PATH].n == 0 || m->field[MANIFEST_CLASS].n == 0);
    for (size_t f = 0; f < MANIFEST_FIELDS; f++) {
        struct sv v = m->field[f];
        BUG_IF(v.n > MANIFEST_PATH_MOST || (v.n && !sv_utf8(v)) || memchr(v.n ? v.p : "", '\n', v.n));
    }
    struct sv role = m->field[MANIFEST_ROLE], date = m->field[MANIFEST_TAKEN_AT];
    BUG_IF(role.n && manifest_role(role) < 0);
    BUG_IF(date.n && !manifest_date_good(date));
}

static void read_as(const char *name, struct sv text)
{
    struct manifest m;
    struct err err = {OK, "", ""};
    uint64_t rows = 0, before = 0;
    bool more = true;
    if (manifest_open(&m, name, text, &err) != OK) {
        BUG_IF(err.code != ERR_INPUT || err.msg[0] == '\0');
        return;
    }
    while (more) {
        err_clear(&err);
        enum err_code rc = manifest_next(&m, &more, &err);
        BUG_IF(rc != err.code || (rc != OK && (rc != ERR_INPUT || err.msg[0] == '\0')));
        BUG_IF(rc != OK && !more); /* who is told of a bad row reads on */
        BUG_IF(m.line < before || ++rows > text.n + 2);
        before = m.line;
        if (rc == OK && more) {
            check_row(&m);
        }
    }
    manifest_close(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sv text = sv_make((const char *)data, n);
    read_as("fuzz.csv", text);
    read_as("fuzz.jsonl", text);
    read_as("fuzz", text);
    return 0;
}
