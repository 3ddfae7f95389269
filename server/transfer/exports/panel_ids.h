/* panel_ids.h - ids that panels gave people leave the project: that is recorded before any of them is written, so that
 * it is known even if nobody ever reads the list. */
#ifndef TRANSFER_EXPORTS_PANEL_IDS_H
#define TRANSFER_EXPORTS_PANEL_IDS_H

#include "transfer/core/transfer.h"

struct panel_ids_taken {
    const char *what;          /* the list they are in, a word of the program's own */
    int64_t campaign, account; /* 0: all; 0: nobody's, such as the command line's */
};
/* Inside a transaction of the caller: a step of the writer; `taken` is a struct panel_ids_taken. */
enum err_code panel_ids_record_step(struct db *db, void *taken, struct err *err);
/* In a transaction of its own, for whoever has no account. */
enum err_code panel_ids_record_now(struct transfer *tr, const char *what, int64_t campaign);

#endif
