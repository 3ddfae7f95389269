/* new_folder.h - a folder that is there whole or not at all: written beside its target, into TARGET.partial, flushed and
 * renamed into place at the end. What one that was killed left is removed by the next. Knows nothing of what it holds. */
#ifndef BASE_NEW_FOLDER_H
#define BASE_NEW_FOLDER_H

#include "base/arena.h"
#include "base/err.h"

struct new_folder_words { /* of messages and rules */
    const char *what, *a_what, *done; /* "export", "an export", "exported" */
    const char *mark;                 /* ".MARK" in the folder as long as it is not finished */
};
struct new_folder {
    const struct new_folder_words *words;
    struct arena *arena;
    const char *target, *temp, *above; /* temp: where to write; `above`: the folder that both lie in */
    int lock;                          /* on temp; -1: not ours */
};
/* Names alone: nothing is looked at. */
struct new_folder new_folder_of(struct arena *a, const struct new_folder_words *words, const char *target);
/* Whether the target is new or an empty folder; removes what stands at temp if a killed one left it. Before anything long
 * is computed. ERR_CONFLICT (rule "WHAT-target"), ERR_BUSY (rule "WHAT-busy"): another one writes there. */
enum err_code new_folder_check(struct new_folder *f, struct err *err);
/* Makes temp, for this process alone; then new_folder_close whatever comes out. ERR_BUSY as above. */
enum err_code new_folder_open(struct new_folder *f, struct err *err);
/* rc OK: renames temp to the target; else, or when that fails, removes it. Returns rc, or what failed here. */
enum err_code new_folder_close(struct new_folder *f, enum err_code rc, struct err *err);

#endif
