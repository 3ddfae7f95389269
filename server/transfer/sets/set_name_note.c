/* set_name_note.c - points out names of sets that read as revisions. */
#include "transfer/sets/set_name_note.h"

#include "store/sets/sets.h"

enum err_code set_name_note(struct transfer *tr, struct sv name)
{
    struct sv set, revision;
    enum err_code rc = sets_named_like(tr->db, name, tr->arena, &set, &revision, tr->err);
    if (rc == OK && set.n) {
        transfer_warn(tr,
                 "The set " SV_FMT " has the name under which the revision " SV_FMT
                 " is published: " SV_FMT " alone means the set. Write " SV_FMT
                 " for the revision.",
                 SV_ARG(set), SV_ARG(revision), SV_ARG(set), SV_ARG(revision));
    }
    return rc;
}
