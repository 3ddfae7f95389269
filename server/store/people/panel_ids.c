/* panel_ids.c - records who took panel ids out of the project. */
#include "store/people/panel_ids.h"

#include <stdio.h>

#include "store/core/events.h"

enum err_code panel_ids_record(struct db *db, struct sv what, int64_t campaign, int64_t account,
                               int64_t now, struct err *err)
{
    char detail[64]; /* `what` is a word of the program's own */
    snprintf(detail, sizeof detail, "{\"what\":\"" SV_FMT "\"}", SV_ARG(what));
    return events_add(db, now, account, "export.panel-ids", campaign, detail, NULL, err);
}
