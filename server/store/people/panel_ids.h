/* panel_ids.h - what people are called where something leaves the project: by pseudonym, unless
 * panel ids are asked for, and then that is recorded. */
#ifndef STORE_PEOPLE_PANEL_IDS_H
#define STORE_PEOPLE_PANEL_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sv.h"
#include "db/db.h"

/* SQL for the name of person p with identity i: the pseudonym; of imported studies what their files call them; with
 * the parameter `asked` set the panel's id, where it is known. The same in every export, so that they join. */
#define PANEL_IDS_NAME(asked)                                                                      \
    "coalesce(CASE WHEN " asked " OR p.kind = 'imported' THEN i.external_id END, p.pseudonym)"

/* The same of one person. ERR_NOT_FOUND (without setting err). */
enum err_code people_called(struct db *db, int64_t person, bool panel_ids, struct arena *a, struct sv *out, struct err *err);

/* Inside the caller's transaction: the event "export.panel-ids", of which list (`what`) and campaign (0: all). */
enum err_code panel_ids_record(struct db *db, struct sv what, int64_t campaign, int64_t account, int64_t now,
                               struct err *err);

#endif
