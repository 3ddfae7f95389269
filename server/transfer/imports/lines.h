/* lines.h - what imports share: the file as text, the project's classes by wnid, and
 * the list of bad rows. An import reads and checks its whole file first, says every bad row with
 * file and line, and writes nothing if there is one; then it writes in short idempotent chunks. */
#ifndef TRANSFER_IMPORTS_LINES_H
#define TRANSFER_IMPORTS_LINES_H

#include "base/fs.h"
#include "base/map.h"
#include "store/campaigns/campaigns.h"
#include "store/classes/classes.h"
#include "transfer/core/transfer.h"

struct import {
    struct transfer *tr;
    const char *name;     /* of the file, for messages */
    int files;            /* opened so far */
    struct sv text;       /* without a byte order mark */
    struct fs_map map;
    struct str stdin_text;
    bool stdin_read;      /* into it */
    bool by_entry;        /* the file has entries, not lines: "entry 7" instead of ":7" */
    uint64_t bad;         /* rows found wrong so far */
    uint64_t bad_line, told; /* the last of them; messages about all */
    struct map_sv classes; /* wnid -> index into class_list */
    struct class_info *class_list;
    size_t n_classes;
    int64_t now;
};

/* Opens the file ("-": standard input) and reads the classes. */
enum err_code import_open(struct import *im, struct transfer *tr, const char *path);
/* Opens another file instead, for imports of several; texts of the one before are gone. What was wrong there stays
 * counted. Standard input can be one of them, once for a struct transfer: it is read once and kept. */
enum err_code import_open_next(struct import *im, const char *path);
/* For a file that stays open beside `first`, with whose classes it is read; those are borrowed. */
enum err_code import_open_beside(struct import *im, const struct import *first, const char *path);
/* For an import that reads a folder instead: the classes alone. */
enum err_code import_classes_only(struct import *im, struct transfer *tr, const char *name);
void import_close(struct import *im);
/* Says what is wrong with a line (or an entry); the first 50 are shown. */
void import_bad(struct import *im, uint64_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for a file of a folder that is imported, or for the folder of a class. */
void import_bad_file(struct import *im, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* ERR_INPUT with the count when a row was bad. */
enum err_code import_checked(struct import *im);
/* Class id of a wnid; 0, and a bad row, when there is none. */
int64_t import_class(struct import *im, uint64_t line, struct sv wnid);
/* The campaign that holds an imported study, "imported" unless `given`: found, or made when
 * `make`. ERR_CONFLICT when the name belongs to a campaign that hands out work. */
enum err_code import_campaign(struct import *im, const char *given, bool make, struct campaign *out);
/* The same of a campaign of that task; ERR_CONFLICT (rule "campaign-task") when the one that is there has another. */
enum import_task { IMPORT_CONTAINS, IMPORT_CLASSIFY };
enum err_code import_campaign_of(struct import *im, const char *given, enum import_task task, bool make, struct campaign *out);

#endif
