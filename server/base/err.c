/* err.c - formatting of struct err. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
    [OK] = "ok",         [ERR_INPUT] = "input",         [ERR_AUTH] = "auth",
    [ERR_DENIED] = "denied", [ERR_NOT_FOUND] = "not-found", [ERR_CONFLICT] = "conflict",
    [ERR_LIMIT] = "limit",   [ERR_RATE] = "rate",           [ERR_BUSY] = "busy",
    [ERR_FULL] = "disk-full", [ERR_IO] = "io",              [ERR_BUG] = "bug",
};

const char *err_word(enum err_code code)
{
    return words[code];
}

void err_clear(struct err *err)
{
    err->code = OK;
    err->rule[0] = '\0';
    err->msg[0] = '\0';
}

/* Takes away the last character of a message that was cut: half of one is no UTF-8, and what
 * writes JSON would refuse the whole message. */
static void cut_character(char *msg)
{
    size_t n = strlen(msg);
    while (n && ((unsigned char)msg[n - 1] & 0xc0) == 0x80) {
        n--;
    }
    msg[n ? n - 1 : 0] = '\0';
}

__attribute__((format(printf, 4, 0))) static enum err_code
fill(struct err *err, enum err_code code, const char *rule, const char *fmt, va_list ap)
{
    if (!err) {
        return code;
    }
    if (err->code != OK) {
        return err->code;
    }
    err->code = code;
    snprintf(err->rule, sizeof err->rule, "%s", rule);
    if (vsnprintf(err->msg, sizeof err->msg, fmt, ap) >= (int)sizeof err->msg) {
        cut_character(err->msg);
    }
    return code;
}

enum err_code err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    code = fill(err, code, err_word(code), fmt, ap);
    va_end(ap);
    return code;
}

enum err_code err_rule(struct err *err, enum err_code code, const char *rule, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    code = fill(err, code, rule, fmt, ap);
    va_end(ap);
    return code;
}

enum err_code err_errno(struct err *err, int number, const char *fmt, ...)
{
    enum err_code code = number == ENOSPC || number == EDQUOT ? ERR_FULL : ERR_IO;
    if (err && err->code != OK) {
        return err->code;
    }
    va_list ap;
    va_start(ap, fmt);
    code = fill(err, code, err_word(code), fmt, ap);
    va_end(ap);
    if (err) {
        size_t n = strlen(err->msg);
        char why[128];
        snprintf(err->msg + n, sizeof err->msg - n, ": %s", strerror_r(number, why, sizeof why));
    }
    return code;
}

void err_bug(const char *file, int line, const char *what)
{
    fprintf(stderr, "holdout: bug at %s:%d: %s\n", file, line, what);
    abort();
}
