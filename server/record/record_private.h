/* record_private.h - how the faces of a record read its fields. */
#ifndef RECORD_RECORD_PRIVATE_H
#define RECORD_RECORD_PRIVATE_H

#include "base/clock.h"
#include "record/record.h"

struct record_value {
    enum { IS_NULL, IS_TEXT, IS_WHOLE, IS_REAL, IS_BOOL } is;
    struct sv text;
    int64_t whole;
    double real;
    int decimals; /* in tables; -1: as few digits as tell it apart */
    char iso[CLOCK_ISO_SIZE];
};
/* Of a member that is a value: no list, no part. A text may be in *v. */
void record_value_read(const struct record_field *f, const void *row, struct record_value *v);

static inline const void *record_part_of(const struct record_field *f, const void *row)
{
    return (const char *)row + f->at;
}

/* How many rows of another record. */
static inline size_t record_rows(const struct record_field *f, const void *row)
{
    return *(const size_t *)((const char *)row + f->count);
}

/* Of RECORD_IF; true for other fields. */
bool record_is_known(const struct record_field *f, const void *row);
/* Whether what should be made may be NULL. */
bool record_may_lack(const struct record_field *f, const void *row);
/* What was made, or NULL where it is not wanted; the reference is taken either way. */
json_t *record_take_made(const struct record_field *f, const void *row);
/* Any field's value but RECORD_BESIDE's, as in JSON; NULL when it cannot be written. New reference. */
json_t *record_value_json(const struct record_field *f, const void *row);

/* Whether it is one: the table ends with a row that is none. */
static inline bool record_is_field(const struct record_field *f)
{
    return f->name || f->of;
}

#endif
