/* history_file.h - the history of a set as people publish it, read as a whole before anything is written. Either a
 * line for each revision, {name, parent, add: [[image, wnid]], remove: [image], size, is_valid, sha256_sorted, ...},
 * or whole datasets, {image_filenames: [[image, wnid]], starting_from, is_valid, ...}. A name ends with the number
 * of the revision: imagenetv2-b-7 is number 7 of imagenetv2-b. Revisions may come in any order: one whose parent is
 * not there yet waits until every file is read, then comes after its parent, which may also be in the project. */
#ifndef TRANSFER_IMPORTS_HISTORY_FILE_H
#define TRANSFER_IMPORTS_HISTORY_FILE_H

#include <jansson.h>

#include "store/sets/sets.h"
#include "transfer/imports/lines.h"
#include "transfer/imports/set_members.h"

enum { HISTORY_REVISIONS = 10000, HISTORY_ROWS = 50000000 };

struct history_member {
    uint32_t name; /* index into the history's names */
    uint32_t class_at;
};
struct history_revision {
    struct sv name, set;  /* as published; of the set */
    struct sv parent;     /* published name, or empty */
    int64_t number;
    uint64_t line;        /* where it stands */
    struct history_member *members; /* as the file lists them, or in order of names */
    size_t n;
    bool listed;          /* as the file lists them: all images and not changes of the parent */
    int valid;            /* 0, 1; -1: it does not say */
    struct sv parameters; /* JSON */
    unsigned char digest[SET_DIGEST];
    uint32_t parent_at;   /* index of the parent in this history, MAP_NONE: none, or in the project */
    int64_t parent_id;    /* of the parent in the project; 0: none, or in this history */
    int64_t there;        /* the revision in the project that says the same already; 0: none */
};
/* A revision that waits for its parent: where it stands. */
struct history_waiting {
    struct import *im;
    struct sv text;       /* its JSON, in the file that im has open */
    uint64_t line;
    struct sv name, parent;
    bool taken;
};
struct history_file {
    struct import *im;    /* the file that is being read */
    struct sv set;        /* the name that all are given, or empty: that of their published names */
    struct set_member *names; /* every image once */
    size_t n_names, cap_names;
    struct map_sv by_name, by_revision; /* by published names */
    struct map_sv by_number; /* "SET/7" */
    struct history_waiting *waiting;
    size_t n_waiting, cap_waiting;
    struct map_sv by_waiting; /* by published names */
    struct history_revision *revisions;
    size_t n, cap, rows;
};
/* Whether a text is such a file; otherwise it may be a list or a single dataset. */
bool history_file_is(struct sv text);
void history_file_init(struct history_file *h, struct import *im, struct sv set);
void history_file_release(struct history_file *h);
/* Adds the revisions of the file that h->im has open, which stays open until all is read. What is wrong is said with
 * its line (import_bad). */
enum err_code history_file_read(struct history_file *h);
/* After the last file: adds the revisions that waited for their parents. */
enum err_code history_file_read_waiting(struct history_file *h);
struct history_ask {
    struct sv role;       /* "original" or "new" */
    bool sealed;          /* the revisions are under construction */
    struct sv unseal;     /* why lists may hold what is sealed; empty: they may not */
};
/* Checks what can only be checked when all is read, then, unless it is a dry run, writes what the project has not yet:
 * images by name, then one revision after the other, frozen unless `sealed`. A list that holds what is sealed needs
 * a reason (sets/revisions/seal_check.h). Says what came of it. Importing twice
 * changes nothing, a killed import is completed by the next. */
enum err_code history_file_write(struct history_file *h, const struct history_ask *ask);

#endif
