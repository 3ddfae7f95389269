/* decisions.h - what the imports of decisions about images share (blacklist, near-duplicates, reviews of
 * neighbours). The import reads its whole file into a list of its own, one number each; then what holds already
 * is left out and the rest is written in short steps, each with an event of its own, so that whatever is sampled
 * meanwhile counts whole steps. Importing twice changes nothing, and a killed import is completed by the next.
 * Knows nothing of what a decision says. */
#ifndef TRANSFER_IMPORTS_DECISIONS_H
#define TRANSFER_IMPORTS_DECISIONS_H

#include <jansson.h>

#include "transfer/imports/lines.h"

/* Where a decision stands. */
struct decision_row {
    const char *file;
    uint64_t line;
    bool by_entry;        /* the line is an entry's number */
};
struct decision_import {
    struct import im;
    const char *event;    /* kind of the events */
    const char *what;     /* "Blacklist entries", for people */
    /* Writes decision i with the event, or with event 0 says whether it would (store/review/blacklist.h). */
    enum err_code (*put)(struct db *db, void *arg, size_t i, int64_t event, bool *added,
                         struct err *err);
    /* What the event of decision i is about; NULL: nothing. */
    int64_t (*subject)(const void *arg, size_t i);
    void *arg;
    struct decision_row *at;
    size_t n, cap;
    size_t rows;          /* that the files have, repeated ones too; 0: as many as decisions */
    struct map_sv seen;
    uint32_t *fresh;      /* those that do not hold yet */
    size_t n_fresh, done;
    size_t beside;        /* the last decisions, which follow from what the file does not say */
    size_t fresh_given;   /* of n_fresh, without those */
};
/* Opens the file; close it whatever came out. Further files: import_open_next(&d->im). */
enum err_code decision_import_open(struct decision_import *d, struct transfer *tr, const char *path);
void decision_import_close(struct decision_import *d);
/* The number of a new decision. */
size_t decision_import_add(struct decision_import *d, uint64_t line);
/* The number of the decision that has the key already, d->n when there is none: then it is that of the next. */
size_t decision_import_seen(struct decision_import *d, struct sv key);
/* Whether it can be an image's name; otherwise the row is bad. */
bool decision_import_name(struct decision_import *d, uint64_t line, struct sv name);
/* The whole file as JSON, an object; ERR_INPUT names the line. The caller decrefs. */
enum err_code decision_import_object(struct decision_import *d, json_t **out);
/* The same, a list. */
enum err_code decision_import_array(struct decision_import *d, json_t **out);
/* Checks, compares, and unless it is a dry run writes; says what came of it. */
enum err_code decision_import_run(struct decision_import *d);

#endif
