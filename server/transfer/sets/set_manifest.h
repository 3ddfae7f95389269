/* set_manifest.h - a folder that `holdout export set` made, read again: what manifest.json says about
 * the set, where its list of images is, which of them were taken down. */
#ifndef TRANSFER_IMPORTS_SET_MANIFEST_H
#define TRANSFER_IMPORTS_SET_MANIFEST_H

#include <jansson.h>

#include "store/sets/sets.h"
#include "transfer/imports/lines.h"

enum { MANIFEST_STATES = 16, MANIFEST_JSON_MOST = 16 << 20 };

struct set_manifest {
    bool given;       /* false: what is imported is no such folder, and nothing else here is set */
    const char *list; /* manifest.csv: the images, in their order */
    const char *tombstones;
    struct sv role, strategy, parameters;
    unsigned char digest[SET_DIGEST];
    int64_t images, withheld;
    int valid; /* 0, 1; -1: it does not say */
    struct {
        enum revision_state state;
        struct sv reason;
    } states[MANIFEST_STATES]; /* in their order; a sealed set has none */
    size_t n_states;
};
/* `path` may be the folder, its manifest.json, or any other file. Texts in the import's arena.
 * ERR_INPUT (rule "set-manifest") says what is wrong with a manifest, ERR_NOT_FOUND that a folder
 * has none. */
enum err_code set_manifest_read(struct transfer *tr, const char *path, struct set_manifest *out);

/* The images that were read from the list are those that the manifest names: ERR_INPUT (rule
 * "set-digest"). */
enum err_code set_manifest_check(const struct set_manifest *m, size_t n,
                                 const unsigned char digest[SET_DIGEST], struct err *err);
/* An image of the list that has bytes in the project has those of the export: ERR_CONFLICT (rule
 * "set-bytes"), with the first that has not. Images without pixels, on either side, are fine. */
enum err_code set_manifest_bytes(struct transfer *tr, const struct set_manifest *m);
/* Brings a revision into the states that it had where it comes from: after the first one if it was
 * `added` just now (with that one), otherwise after those that it has if they are the first of these.
 */
enum err_code set_manifest_states(struct transfer *tr, const struct set_manifest *m, int64_t revision,
                                  bool added, int64_t now);

#endif
