/* set_export.h - a revision as a folder that others can use without holdout: ImageFolder by wnid, manifest,
 * frequencies, pool, Hugging Face metadata, checksums. Called by cli/ (export set, the job of the page). */
#ifndef SETS_SET_EXPORT_H
#define SETS_SET_EXPORT_H

#include "sets/pool.h"

enum set_export_files { EXPORT_COPY, EXPORT_LINK, EXPORT_REFLINK };

struct set_export_ask {
    const struct revision_row *revision;
    const char *project, *target;  /* folders; the target must not exist, or be empty */
    enum set_export_files how;
    bool pool;                     /* all candidates with their frequencies too, without their pixels */
    void (*progress)(void *arg, size_t done, size_t of);
    bool (*stop)(void *arg);       /* NULL: never */
    void *arg;
};
/* Everything is written beside the target and renamed into place at the end: nothing half-made stays. Images that
 * were taken down stand in tombstones.csv instead; images without pixels in the manifest alone. ERR_CONFLICT (rule
 * "export-target") for a folder that is not empty. */
struct set_export_result {
    size_t images, without_pixels, tombstones;
    uint64_t bytes;
};
enum err_code set_export_write(struct db *db, struct tally *t, const struct set_export_ask *ask,
                               struct set_export_result *out, struct err *err);

#endif
