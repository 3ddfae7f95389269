/* set_history.h - the history of a set as people publish it, read as a whole before anything is written. Either a
 * line for each revision, {name, parent, add: [[image, wnid]], remove: [image], size, is_valid, sha256_sorted, ...},
 * or whole datasets, {image_filenames: [[image, wnid]], starting_from, is_valid, ...}. A name ends with the number
 * of the revision: imagenetv2-b-7 is number 7 of imagenetv2-b. Parents stand before their children, or are in the
 * project. Called by the imports of sets. */
#ifndef CLI_SET_HISTORY_H
#define CLI_SET_HISTORY_H

#include <jansson.h>

#include "cli/import.h"
#include "cli/set_members.h"
#include "store/sets.h"

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
    struct history_member *members; /* in order of names */
    size_t n;
    int valid;            /* 0, 1; -1: it does not say */
    struct sv parameters; /* JSON */
    unsigned char digest[SET_DIGEST];
    uint32_t parent_at;   /* index of the parent in this history, MAP_NONE: none, or in the project */
    int64_t parent_id;    /* of the parent in the project; 0: none, or in this history */
    int64_t there;        /* the revision in the project that says the same already; 0: none */
};
struct set_history {
    struct import *im;
    struct sv set;        /* the name that all are given, or empty: that of their published names */
    struct set_member *names; /* every image once */
    size_t n_names, cap_names;
    struct map_sv by_name, by_revision;
    struct history_revision *revisions;
    size_t n, cap, rows;
};
/* Whether a text is such a file; otherwise it may be a list or a single dataset. */
bool set_history_is(struct sv text);
void set_history_init(struct set_history *h, struct import *im, struct sv set);
void set_history_release(struct set_history *h);
/* Adds the revisions of the file that h->im has open. What is wrong is said with its line (import_bad). */
enum err_code set_history_read(struct set_history *h);
/* --role: "new" unless given. */
enum err_code set_history_role(struct cli *cli, struct sv *out);
/* Checks what can only be checked when all is read, then, unless --dry-run, writes what the project has not yet:
 * images by name, then one revision after the other, frozen unless --sealed. Says what came of it. Importing twice
 * changes nothing, a killed import is completed by the next. */
enum err_code set_history_write(struct set_history *h, struct sv role);

#endif
