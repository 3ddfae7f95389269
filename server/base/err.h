/* err.h - the one way a function says that something failed.
 *
 * Fallible functions return enum err_code and take a `struct err *` last. The error is set where
 * it is understood, passed up unchanged and never overwritten: on success it is untouched.
 * web/core/reply.c alone maps codes to HTTP statuses; cli/main maps them to exit codes.
 * Knows nothing of HTTP, SQL or logging. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

enum err_code {
    OK = 0,
    ERR_INPUT,     /* what came from outside is malformed or breaks a stated limit of form */
    ERR_AUTH,      /* nobody is signed in, or the credential is wrong or over */
    ERR_DENIED,    /* signed in, but the role does not allow it */
    ERR_NOT_FOUND, /* no such thing, or not for this caller */
    ERR_CONFLICT,  /* the thing exists or changed meanwhile */
    ERR_LIMIT,     /* a size limit: body, buffer, count */
    ERR_RATE,      /* too many requests from there; try later */
    ERR_BUSY,      /* the server is overloaded or closing; try again */
    ERR_FULL,      /* the disk is full */
    ERR_IO,        /* reading or writing failed */
    ERR_BUG        /* must not happen; detail is for the log */
};

/* `rule` is a stable word a program may test for ("lease-over", "mask-beyond-grid"); `msg` is a
 * sentence for people: what happened, what was kept, what to do. Both are NUL-terminated. */
struct err {
    enum err_code code;
    char rule[48];
    char msg[480];
};

/* Sets the error unless it is already set; the rule is the code's own word. Returns `code`, or
 * the code that was there first. `err` may be NULL: then only the code is returned. */
enum err_code err_set(struct err *err, enum err_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* As err_set, naming the rule that was broken. */
enum err_code err_rule(struct err *err, enum err_code code, const char *rule, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* As err_set, with ": " and the text of errno `number` appended; ENOSPC becomes ERR_FULL. */
enum err_code err_errno(struct err *err, int number, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The code's own word: "input", "not-found", ... Never NULL. */
const char *err_word(enum err_code code);

/* Back to no error, for a caller that handled it. */
void err_clear(struct err *err);

/* A broken assumption of our own: prints file and line to stderr and aborts, in every build. */
#define BUG_IF(cond)                                                                               \
    do {                                                                                           \
        if (cond) {                                                                                \
            err_bug(__FILE__, __LINE__, #cond);                                                    \
        }                                                                                          \
    } while (0)
_Noreturn void err_bug(const char *file, int line, const char *what);

#endif
