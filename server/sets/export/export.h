/* export.h - a revision as a folder that others can use without holdout: ImageFolder by wnid,
 * manifest, frequencies, pool, Hugging Face metadata, checksums. */
#ifndef SETS_EXPORT_EXPORT_H
#define SETS_EXPORT_EXPORT_H

#include "sets/pool/pool.h"

enum set_export_files { EXPORT_COPY, EXPORT_LINK, EXPORT_REFLINK };

/* Files of an exported folder that are read again (transfer/sets/set_manifest.c), and what the manifest says
 * it is. */
#define EXPORT_MANIFEST "manifest.json"
#define EXPORT_LIST "manifest.csv"
#define EXPORT_TOMBSTONES "tombstones.csv"
#define EXPORT_FORMAT "holdout-set"
enum { EXPORT_VERSION = 1 };

struct set_export_ask {
    const struct revision_row *revision;
    const char *project, *target; /* folders; the target must not exist, or be empty */
    enum set_export_files how;
    bool pool;   /* all candidates with their frequencies too, without their pixels */
    bool verify; /* read every file again and compare it with its hash */
    int64_t flags_to_quarantine; /* people whose flags hide an image (config) */
    int64_t now;
    unsigned threads; /* 0: one per core */
    void (*progress)(void *arg, size_t done, size_t of);
    bool (*stop)(void *arg); /* NULL: never */
    void *arg;
};
/* Everything is written beside the target, into TARGET.partial, and renamed into place at the end:
 * nothing half-made stays, and what a killed export left is removed by the next. Of images that
 * were taken down or are in quarantine the name alone is exported, and tombstones.csv says why;
 * images without pixels are only in the manifest.
 *
 * ERR_CONFLICT: rules "export-target" (something is there, or the folder above is not),
 * "export-link" (the file system cannot share files the way that was asked for), "export-file"
 * (bytes are missing, or are not what was imported); ERR_BUSY: "export-busy" (another export writes
 * there), "job-stopped" never: `stop` ends it with "export-stopped". */
struct set_export_result {
    size_t images, files, without_pixels, tombstones;
    uint64_t bytes;
};
enum err_code set_export_write(struct db *db, struct tally *t, const struct set_export_ask *ask,
                               struct set_export_result *out, struct err *err);

#endif
