/* names.h - keeping the ids that panels give people out of free text. Such ids stand in `identity`
 * and `arrival` alone, so that forgetting somebody can erase them; a note that repeats one would
 * outlive that. Called by the files of store/ that write notes and reasons, and by people_forget. */
#ifndef STORE_NAMES_H
#define STORE_NAMES_H

#include "db/db.h"

/* ERR_INPUT (rule "text-names-person") when the text holds, as a word of its own, the person's id or
 * something else that the panel's link said of them. */
enum err_code names_refuse(struct db *db, int64_t person, struct sv text, struct err *err);

/* Replaces the person's ids by "[erased]" wherever somebody typed them: notes, reasons, flags. A
 * text written about another person may name this one, so all are looked at. */
enum err_code names_erase(struct db *db, int64_t person, struct err *err);

#endif
