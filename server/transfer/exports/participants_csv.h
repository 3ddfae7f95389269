/* participants_csv.h - who took part, as CSV, as lists for the panel and as JSON: the same for the
 * command line and for the lead's pages. Knows nothing of HTTP.
 *
 * Ids and what the panel's link said are written as they came, quoted where CSV needs it and never
 * with a mark before = + - or @ (formats/csv.h): the lists go back to the panel, which must find its
 * own ids. Import them into a spreadsheet as text. */
#ifndef TRANSFER_EXPORTS_PARTICIPANTS_CSV_H
#define TRANSFER_EXPORTS_PARTICIPANTS_CSV_H

#include <jansson.h>

#include "base/str.h"
#include "record/record.h"
#include "store/people/participants.h"

/* Called after every few hundred rows, and at the end, to pass on what `out` holds; NULL keeps it. */
typedef enum err_code (*participants_flush)(void *arg, struct str *out, struct err *err);

/* All participants of a campaign with a header row: pseudonym, verified, ... With `panel_ids`, which the
 * caller has recorded (panel_ids.h), participant_id stands first, and at the end a column for each
 * of the study's id parameters ("A|B|C") but the first, which is the id. */
enum err_code participants_csv(struct db *db, int64_t campaign, bool panel_ids, struct sv id_parameters,
                               struct str *out, participants_flush flush, void *arg,
                               struct err *err);

/* What a panel is told. APPROVE: an id a line. REJECT: CSV with header participant_id,reason. BONUS:
 * "id,amount" a line. */
enum pay_list { PAY_LIST_APPROVE, PAY_LIST_REJECT, PAY_LIST_BONUS, PAY_LISTS };
const char *pay_list_name(enum pay_list list); /* "approve", "reject", "bonus" */
struct pay_list_told {
    int64_t rows, nameless; /* nameless: decided, but their id is not known (any more) */
    int64_t newest;         /* number of the newest decision in the list */
};
/* Decisions with a number after `after`. */
enum err_code participants_pay_list(struct db *db, int64_t campaign, enum pay_list list,
                                    int64_t after, struct str *out, participants_flush flush,
                                    void *arg, struct pay_list_told *told, struct err *err);

/* What JSON and CSV say of a participant, and what they add with `panel_ids`. */
extern const struct record participant_item_record; /* participant_json */

/* One participant with the names of the CSV's columns. `panel_ids` as above: participant_id and arrival.
 * New reference. */
json_t *participant_json(const struct participant *p, bool panel_ids);

#endif
