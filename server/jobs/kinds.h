/* kinds.h - THE job table: which commands the server may run as child processes, how many at once, and
 * which of their options a request may give. What comes from outside becomes an argument only as a value
 * of such an option, and only in that option's form: only this table says what is run, and no
 * shell is involved. A test holds it against cli/core/commands.c. */
#ifndef JOBS_KINDS_H
#define JOBS_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum { JOB_OPTIONS = 20 };

enum job_value {
    JOB_VALUE_SWITCH,  /* no value: "true" gives the option */
    JOB_VALUE_NAME,    /* 1 to 64 letters, digits, "-", "_", "."; begins with a letter or digit */
    JOB_VALUE_SET,     /* NAME, or NAME/NUMBER */
    JOB_VALUE_WORD,    /* one of `words` */
    JOB_VALUE_COUNT,   /* a whole number from `least` to `most` */
    JOB_VALUE_TEXT,    /* UTF-8 without control characters, at most JOB_TEXT_MOST bytes; no "-" first */
    JOB_VALUE_FILE     /* a file below DIR/models: the argument after DIR, so the first of a kind's options; or, of the
                          options "labels" and "upload" (the argument after DIR), below DIR/uploads, which pages write */
};
enum { JOB_NAME_MOST = 64, JOB_TEXT_MOST = 500 };

struct job_option {
    const char *name;      /* of the command's option, without "--" */
    enum job_value form;
    bool needed;
    bool argument;         /* the command's own argument after DIR, without its name: the first of a kind's options */
    const char *words;     /* of JOB_VALUE_WORD, separated by spaces */
    int64_t least, most;   /* of JOB_VALUE_COUNT */
};
struct job_kind {
    const char *name;      /* the command: "predict", "model add" */
    const char *summary;   /* what one of them does, for people */
    const char *verb;      /* titles begin with it */
    unsigned most_at_once; /* of this kind */
    struct job_option options[JOB_OPTIONS]; /* ends with a NULL name */
};
extern const struct job_kind job_kinds[];
extern const size_t job_kinds_count;
const struct job_kind *job_kind_find(struct sv name); /* NULL: none */

/* What a request gives: names as in the table, values as text ("true" for a switch). */
struct job_given {
    struct sv name, value;
};
/* Checks them and writes the JSON array that the row keeps, in the table's order, so that the same job
 * is the same text. ERR_INPUT: rules "job-option" (not one of this kind, given twice), "job-value",
 * "job-option-missing". */
enum err_code job_arguments(const struct job_kind *kind, const struct job_given *given, size_t n,
                            struct arena *a, struct sv *out, struct err *err);
/* What the row keeps as words, NULL after the last; "DIR/" of a file stands for `dir`. ERR_BUG when it is no such array: rows come from
 * job_arguments alone. */
enum err_code job_words(struct sv arguments, const char *dir, struct arena *a, const char ***out,
                        size_t *n, struct err *err);
/* "resnet50 on originals", for people who gave no title. */
const char *job_title(const struct job_kind *kind, const struct job_given *given, size_t n,
                      struct arena *a);
/* The command as one would type it: "holdout predict DIR --model resnet50". */
const char *job_command(struct sv kind, struct sv arguments, struct arena *a);

#endif
