/* record.h - records: what is said of one thing (a participant, a token, the scores of a model) by one table of its
 * fields. From it come the JSON object, the header and the lines of CSV, tables in Markdown and LaTeX, and the schema
 * in the API's description, so that they cannot drift apart. A new field is a row.
 *
 *     #define OF(member) RECORD_OF(struct api_token, member)
 *     RECORD(token_record, struct api_token, "token", "An API token, ...",
 *         {"id", OF(id), .about = "Its number, by which it is revoked."},
 *         {"revoked_at", OF(revoked_at), RECORD_MOMENT, .maybe = true, .about = "..."});
 *
 * How a value is read follows from the type of the struct's member, how it is written from its kind. What is worked out
 * (an address, a text, another record) is a member of a struct that the table's file fills. Knows nothing of what
 * records are about. */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/sv.h"

enum record_kind {
    RECORD_PLAIN,   /* text, whole number, number, or yes and no, as the member's type says */
    RECORD_MOMENT,  /* milliseconds since 1970, as ISO 8601 in UTC; maybe: 0 */
    RECORD_MINUTES, /* milliseconds, as minutes, in CSV with two decimals; maybe: 0 and less */
    RECORD_AMOUNT,  /* cents, as units of a currency, in CSV with two decimals; maybe: less than 0 */
    RECORD_ROUNDED, /* double, with one decimal (or `decimals`), as printed tables have it; in CSV only */
    RECORD_WHOLE,   /* double that holds a whole number */
    RECORD_PARSED,  /* struct sv that holds JSON, as its value; in JSON only; maybe: empty or none */
    RECORD_LIST,    /* rows of another record, pointed to by the member, or a list that is made; in JSON only */
    RECORD_TEXTS,   /* json_t *: a list of texts */
    RECORD_NUMBERS, /* json_t *: a list of numbers */
    RECORD_BESIDE,  /* the fields of another record, a part or (in JSON only) made: among this one's, without a name;
                       maybe, RECORD_IF: without them */
};
enum record_face { RECORD_BOTH, RECORD_JSON, RECORD_CSV };

/* How a member is read. */
enum record_as {
    RECORD_AS_NONE,
    RECORD_AS_SV,
    RECORD_AS_STRING,
    RECORD_AS_BOOL,
    RECORD_AS_I64,
    RECORD_AS_I32,
    RECORD_AS_U32,
    RECORD_AS_REAL,
    RECORD_AS_ROWS,
    RECORD_AS_MADE, /* json_t *: made already. record_json takes the reference; in JSON only */
    RECORD_AS_PART, /* a struct in the row that another record is about; in JSON only, but for RECORD_BESIDE */
};

struct record;
struct record_field {
    const char *name;   /* in JSON and in CSV */
    enum record_as as;  /* RECORD_OF fills these two */
    size_t at;
    enum record_kind kind;
    enum record_face face;
    bool maybe;         /* null in JSON and an empty cell for what is empty: a text without bytes, a whole number 0, a
                           double that is NAN, a json_t * that is NULL, no rows */
    bool holes;         /* RECORD_TEXTS: some of them may be null */
    bool absent;        /* in JSON it is left out instead of null */
    size_t known;       /* RECORD_IF: a bool without which it is null, whatever was made; 0: none */
    const char *no;     /* in CSV of a bool that is false; NULL: "no" */
    int decimals;       /* of a double in CSV and printed tables; 0: as few digits as tell it apart */
    bool plus;          /* of a double in printed tables: what is above 0 has a sign, too */
    size_t lo, hi, ranged; /* RECORD_RANGE, in printed tables only; 0: none */
    /* Instead of a member: a whole number that is worked out from the row. */
    int64_t (*number)(const void *row);
    const struct record *of; /* what RECORD_LIST lists, what a part is or what was made; NULL: an object of any members */
    size_t count;            /* of rows: where the size_t with their number lies */
    const char *about;  /* one sentence, with the unit, for the API's description */
};

struct record {
    const char *name, *about; /* in the API's description */
    const struct record_field *fields; /* in the order of JSON and CSV; ends with an empty row */
    size_t size;               /* of the struct */
};

/* A new reference; NULL when a text is not UTF-8, a number is not finite or what should be made is NULL, as object() of
 * json/object.h. What is made is taken even then. */
json_t *record_json(const struct record *r, const void *row);
/* Adds what json_dumps(record_json(r, row), JSON_COMPACT) says, without making it; false where that would be NULL: what
 * was added is not JSON then. No two fields may have one name. */
bool record_text(const struct record *r, const void *row, struct str *out);
/* Names, and one row's cells, with commas between them and no line end. */
void record_csv_names(const struct record *r, struct str *out);
void record_csv_cells(const struct record *r, const void *row, struct str *out);
/* One cell, of a table whose columns are not known beforehand. */
void record_csv_text(struct str *out, struct sv text);
void record_csv_number(struct str *out, double v);

/* Rows as a table of what is in CSV. Markdown as GitHub reads it; LaTeX is a tabular with the rules of the package
 * booktabs. There the names are heads, numbers stand to the right, negative ones have a minus, ranges stand behind their
 * values as in 82.9 [82.5, 83.2], and what is not known is a dash; whatever the language would read as its own is
 * escaped. */
enum record_table { RECORD_TABLE_CSV, RECORD_TABLE_MARKDOWN, RECORD_TABLE_LATEX };
void record_table(const struct record *r, enum record_table as, const void *rows, size_t n, struct str *out);
/* A line below such a printed table: a paragraph, in LaTeX a comment with the caption. */
void record_table_caption(enum record_table as, struct sv text, struct str *out);
/* The JSON Schema of what record_json makes, in the dialect of OpenAPI 3.0; what is listed refers to
 * #/components/schemas/NAME. New reference. */
json_t *record_schema(const struct record *r);

#define RECORD(variable, type, named, text, ...)                                                   \
    const struct record variable = {.name = named,                                                 \
                                    .about = text,                                                 \
                                    .fields = (const struct record_field[]){__VA_ARGS__, {0}},     \
                                    .size = sizeof(type)}

/* The member that a field is read from; the kind may follow. */
#define RECORD_OF(type, member)                                                                    \
    .as = _Generic(((type *)0)->member,                                                            \
                   struct sv: RECORD_AS_SV,                                                        \
                   const char *: RECORD_AS_STRING,                                                 \
                   bool: RECORD_AS_BOOL,                                                           \
                   double: RECORD_AS_REAL,                                                         \
                   int: RECORD_AS_I32,                                                             \
                   unsigned: RECORD_AS_U32,                                                        \
                   long: RECORD_AS_I64,                                                            \
                   unsigned long: RECORD_AS_I64,                                                   \
                   json_t *: RECORD_AS_MADE),                                                      \
    .at = offsetof(type, member)
/* Rows of another record: as many as the size_t member `number` says. */
#define RECORD_ROWS(type, member, number)                                                          \
    .as = RECORD_AS_ROWS, .at = offsetof(type, member), .count = offsetof(type, number), .kind = RECORD_LIST
#define RECORD_PART(type, member) .as = RECORD_AS_PART, .at = offsetof(type, member)
#define RECORD_SELF .as = RECORD_AS_PART, .at = 0 /* the row itself, of which the other record is another view */
#define RECORD_IF(type, member) .known = offsetof(type, member) + 1
/* Behind the value: from one double to another, where the bool (if there is one) is true. */
#define RECORD_BOUNDS(type, low, high) .lo = offsetof(type, low) + 1, .hi = offsetof(type, high) + 1
#define RECORD_RANGE(type, member)                                                                 \
    RECORD_BOUNDS(type, member.lo, member.hi), .ranged = offsetof(type, member.known) + 1

#endif
