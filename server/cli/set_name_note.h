/* set_name_note.h - what commands that make sets say about a name that two things could have. */
#ifndef CLI_SET_NAME_NOTE_H
#define CLI_SET_NAME_NOTE_H

#include "cli/cli.h"

/* Points out a set that is named as the revision of another one is published, "a-33" beside "a/33". */
enum err_code set_name_note(struct cli *cli, struct sv name);

#endif
