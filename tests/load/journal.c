/* journal.c - writes the journal of acknowledged answers. */
#include "load/journal.h"

#include <errno.h>

enum { LINE_MAX_BYTES = 1024 };

void journal_selected(struct str *out, uint64_t mask)
{
    const char *comma = "";
    str_addc(out, '[');
    while (mask) {
        str_addz(out, comma);
        str_addi(out, __builtin_ctzll(mask));
        mask &= mask - 1;
        comma = ",";
    }
    str_addc(out, ']');
}

enum err_code journal_open(const char *path, FILE **out, struct err *err)
{
    FILE *f = fopen(path, "ae");
    if (!f) {
        return err_errno(err, errno, "cannot open the journal %s", path);
    }
    *out = f;
    return OK;
}

enum err_code journal_write(FILE *f, struct sv assignment, struct sv client_id, uint64_t mask,
                            struct sv status, int64_t event, struct err *err)
{
    struct str line;
    str_init(&line, LINE_MAX_BYTES);
    str_printf(&line, "{\"assignment\":\"" SV_FMT "\",\"client_id\":\"" SV_FMT "\",\"selected\":",
               SV_ARG(assignment), SV_ARG(client_id));
    journal_selected(&line, mask);
    str_printf(&line, ",\"status\":\"" SV_FMT "\",\"event\":%lld}\n", SV_ARG(status),
               (long long)event);
    enum err_code rc = str_check(&line, "a journal line", err);
    if (rc == OK && (fwrite(line.p, 1, line.n, f) != line.n || fflush(f) != 0)) {
        rc = err_errno(err, errno, "cannot write the journal");
    }
    str_release(&line);
    return rc;
}

enum err_code journal_close(FILE *f, struct err *err)
{
    if (f && fclose(f) != 0) {
        return err_errno(err, errno, "cannot close the journal");
    }
    return OK;
}
