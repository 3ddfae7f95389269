/* images_run.h - brings a list of image files into a project: threads read, hash, decode and write files, the
 * caller's own thread flushes and writes the rows. images_import.c knows where the list comes from. */
#ifndef TRANSFER_IMPORTS_IMAGES_RUN_H
#define TRANSFER_IMPORTS_IMAGES_RUN_H

#include "image/rendition.h"
#include "store/images/images.h"
#include "transfer/core/transfer.h"
#include "transfer/imports/image_files.h"

enum { IMPORT_THREADS_MOST = 64 };

/* What a manifest may say of an image besides; NULL when it says nothing. */
struct image_origin {
    struct sv taken_at, source_id, link, author, licence, keyword;
};

struct images_item {
    const char *path;  /* from the base folder, or absolute; lives as long as the job */
    uint64_t line;     /* of the manifest, 0: a folder's file */
    struct sv name;
    int64_t class_id;
    const char *role;
    bool bare;         /* only where it lies is noted: no copy, no pictures, and its pixels are not looked at */
    const struct image_origin *origin;
    const unsigned char *content; /* hash of what the image has in the project, NULL: nothing yet */
    struct outcome *outcome;      /* of the import; NULL: not there yet */
};

struct images_job {
    struct transfer *tr;
    int64_t now;
    const char *list;  /* for messages: the folder or the manifest */
    const char *role;  /* of images whose manifest says none */
    const char *base;  /* folder that paths begin at */
    struct rendition_options options;
    enum keep keep;
    int64_t threads;
    struct images_item *items;
    size_t n;
    uint64_t added, failed; /* out */
};
/* Every file that cannot be imported is named (TRANSFER_SKIPPED) and counted in job->failed; the
 * rest is imported. Failures that are no file's fault end it; a rerun completes. */
enum err_code images_run(struct images_job *job);

#endif
