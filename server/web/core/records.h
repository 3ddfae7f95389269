/* records.h - records (record/record.h) of the API alone, each defined beside the handler that replies it. What
 * exports say as well is in measures/ and transfer/. Knows nothing of what they are about. */
#ifndef WEB_CORE_RECORDS_H
#define WEB_CORE_RECORDS_H

#include "record/record.h"

extern const struct record cursor_record; /* reply_items of web/core/reply.h */
extern const struct record pick_class_record, pick_numbers_record, problem_record, set_image_record, token_record;

#endif
