/* panel_ids.c - records who took panel ids out of the project. */
#include "store/people/panel_ids.h"

#include <stdio.h>

#include "db/rows.h"
#include "store/core/events.h"

enum err_code panel_ids_record(struct db *db, struct sv what, int64_t campaign, int64_t account,
                               int64_t now, struct err *err)
{
    char detail[64]; /* `what` is a word of the program's own */
    snprintf(detail, sizeof detail, "{\"what\":\"" SV_FMT "\"}", SV_ARG(what));
    return events_add(db, now, account, "export.panel-ids", campaign, detail, NULL, err);
}

struct called {
    struct sv name;
};
DB_ROW(called_row, struct called, name);

enum err_code people_called(struct db *db, int64_t person, bool panel_ids, struct arena *a, struct sv *out, struct err *err)
{
    struct called c;
    enum err_code rc = db_find(db, called_row, &c, a,
                               "SELECT " PANEL_IDS_NAME("?2") " FROM person p LEFT JOIN identity i ON i.person = p.id WHERE p.id = ?1",
                               DB_VALS(db_int(person), db_int(panel_ids)), err);
    if (rc == OK) {
        *out = c.name;
    }
    return rc;
}
