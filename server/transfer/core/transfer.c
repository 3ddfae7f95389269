/* transfer.c - tells whoever listens to an import or export how it goes, and hands on what is exported. */
#include "transfer/core/transfer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"

enum { FLUSH_BYTES = 1 << 16 };

__attribute__((format(printf, 3, 0))) static void say(const struct transfer *tr, enum transfer_say how,
                                                      const char *fmt, va_list ap)
{
    va_list again;
    if (!tr->say) {
        return;
    }
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    size_t size = n < 0 ? 1 : (size_t)n + 1;
    char *text = xcalloc(size, 1);
    vsnprintf(text, size, fmt, again);
    va_end(again);
    tr->say(tr->arg, how, text);
    free(text);
}

void transfer_note(const struct transfer *tr, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(tr, TRANSFER_NOTE, fmt, ap);
    va_end(ap);
}

void transfer_warn(const struct transfer *tr, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(tr, TRANSFER_WARNING, fmt, ap);
    va_end(ap);
}

void transfer_skipped(const struct transfer *tr, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(tr, TRANSFER_SKIPPED, fmt, ap);
    va_end(ap);
}

void transfer_progress(const struct transfer *tr, const char *what, uint64_t done, uint64_t total)
{
    if (tr->progress) {
        tr->progress(tr->arg, what, done, total);
    }
}

void transfer_progress_end(const struct transfer *tr)
{
    transfer_progress(tr, NULL, 0, 0);
}

static enum err_code hand_on(const struct transfer *tr, struct str *out, struct err *err)
{
    enum err_code rc = str_check(out, "a line of the output", err);
    if (rc == OK && out->n) {
        rc = tr->write(tr->arg, out->p, out->n, err);
    }
    str_clear(out);
    return rc;
}

enum err_code transfer_flush(const struct transfer *tr, struct str *out, struct err *err)
{
    return out->n < FLUSH_BYTES && !out->over ? OK : hand_on(tr, out, err);
}

enum err_code transfer_end(const struct transfer *tr, struct str *out, enum err_code rc)
{
    rc = rc == OK ? hand_on(tr, out, tr->err) : rc;
    rc = rc == OK ? tr->write(tr->arg, "", 0, tr->err) : rc;
    str_release(out);
    return rc;
}
