/* set_name_note.h - what imports of sets say about a name that two things could have. */
#ifndef TRANSFER_IMPORTS_SET_NAME_NOTE_H
#define TRANSFER_IMPORTS_SET_NAME_NOTE_H

#include "transfer/core/transfer.h"

/* Points out a set that is named as the revision of another one is published, "a-33" beside "a/33". */
enum err_code set_name_note(struct transfer *tr, struct sv name);

#endif
