/* rows.h - rows read into structs. A description names the field that each column goes into, in the order of the
 * SELECT; the compiler takes what a column is read as from the field, and refuses an `out` of another type.
 *
 *     DB_ROW(class_row, struct class_info, id, cid, wnid, synset, gloss, wikipedia);
 *
 *     return db_list(db, class_row, out, n, arena, CLASS "ORDER BY cid", DB_NONE, err);
 *
 * Integers of any size, bool (not 0), double, struct sv, const char * and arrays of unsigned char can be fields. NULL
 * reads as 0, false or the empty text; an array is filled by a blob of its very size and left alone by any other.
 * What the description does not name is zeroed, but by db_maybe. Knows nothing of entities. */
#ifndef DB_ROWS_H
#define DB_ROWS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "db/db.h"

/* ---- descriptions ---- */

enum db_as { DB_AS_INT, DB_AS_BOOL, DB_AS_REAL, DB_AS_TEXT, DB_AS_STRING, DB_AS_BYTES };
enum { DB_FIELDS = 32 };

struct db_columns {
    size_t size; /* of the struct */
    /* What a field cannot say of itself: called when the others are read, with the row. May be NULL. */
    void (*then)(const struct db_rows *r, struct arena *a, void *out);
    struct {
        unsigned short at, size;
        enum db_as as;
    } field[DB_FIELDS]; /* ends with one of no size */
};

/* Defines `name`: rows of `type`, whose first columns are the fields that follow. */
#define DB_ROW(name, type, ...) DB_ROW_THEN(name, type, NULL, __VA_ARGS__)
/* The same with a function for further columns. */
#define DB_ROW_THEN(name, type, then, ...)                                                         \
    static const union {                                                                           \
        struct db_columns columns;                                                                 \
        type *one;   /* never read: they say */                                                    \
        type **many; /* which `out` fits */                                                        \
    } name = {{sizeof(type), then, {DB_EACH_FIELD(type, __VA_ARGS__)}}}

/* ---- reading ---- */

/* The next row, as db_step. Texts are copied into the arena, with NULL borrowed until the next step. */
#define db_next(rows, row, out, arena, err)                                                        \
    db_next_row(rows, &(row).columns, DB_FITS(out, (row).one), arena, err)
/* The first row; ERR_NOT_FOUND, with `out` and err as they were, when there is none. Then sql, values, err. */
#define db_find(db, row, out, ...) db_find_row(db, &(row).columns, DB_FITS(out, (row).one), __VA_ARGS__)
/* The first row's fields, while the others stay; without a row all stay, which is no error. */
#define db_maybe(db, row, out, ...) db_maybe_row(db, &(row).columns, DB_FITS(out, (row).one), __VA_ARGS__)
/* All rows as an array in the arena, which keeps what was outgrown as well: not for millions. */
#define db_list(db, row, out, ...) db_list_rows(db, &(row).columns, DB_FITS(out, (row).many), __VA_ARGS__)

bool db_next_row(struct db_rows *rows, const struct db_columns *columns, void *out,
                 struct arena *a, struct err *err);
enum err_code db_find_row(struct db *db, const struct db_columns *columns, void *out,
                          struct arena *a, const char *sql, const struct db_val *v, size_t n_values,
                          struct err *err);
enum err_code db_maybe_row(struct db *db, const struct db_columns *columns, void *out,
                           struct arena *a, const char *sql, const struct db_val *v,
                           size_t n_values, struct err *err);
enum err_code db_list_rows(struct db *db, const struct db_columns *columns, void *out, size_t *n,
                           struct arena *a, const char *sql, const struct db_val *v,
                           size_t n_values, struct err *err);

/* ---- a column or two ---- */

/* Whether there is a row. */
enum err_code db_exists(struct db *db, const char *sql, const struct db_val *v, size_t n, bool *out,
                        struct err *err);
/* The first columns of the first row; without one they stay as they are, which is no error. */
enum err_code db_maybe_int(struct db *db, const char *sql, const struct db_val *v, size_t n,
                           int64_t *out, struct err *err);
enum err_code db_maybe_ints(struct db *db, const char *sql, const struct db_val *v, size_t n,
                            int64_t *first, int64_t *second, struct err *err);
enum err_code db_maybe_text(struct db *db, const char *sql, const struct db_val *v, size_t n,
                            struct arena *a, struct sv *out, struct err *err);
/* The first column of every row. */
enum err_code db_list_int(struct db *db, const char *sql, const struct db_val *v, size_t n_values,
                          struct arena *a, int64_t **out, size_t *n, struct err *err);

/* ---- how the macros do it ---- */

#define DB_FITS(out, like) (1 ? (out) : (like))

#define DB_FIELD(type, f)                                                                          \
    {offsetof(type, f), sizeof(((type *)0)->f),                                                    \
     _Generic(((type *)0)->f,                                                                      \
              bool: DB_AS_BOOL,                                                                    \
              double: DB_AS_REAL,                                                                  \
              struct sv: DB_AS_TEXT,                                                               \
              const char *: DB_AS_STRING,                                                          \
              unsigned char *: DB_AS_BYTES,                                                        \
              unsigned short: DB_AS_INT,                                                           \
              int: DB_AS_INT,                                                                      \
              unsigned: DB_AS_INT,                                                                 \
              long: DB_AS_INT,                                                                     \
              unsigned long: DB_AS_INT)}

/* DB_FIELD of each argument. */
#define DB_F1(t, f) DB_FIELD(t, f)
#define DB_F2(t, f, ...) DB_FIELD(t, f), DB_F1(t, __VA_ARGS__)
#define DB_F3(t, f, ...) DB_FIELD(t, f), DB_F2(t, __VA_ARGS__)
#define DB_F4(t, f, ...) DB_FIELD(t, f), DB_F3(t, __VA_ARGS__)
#define DB_F5(t, f, ...) DB_FIELD(t, f), DB_F4(t, __VA_ARGS__)
#define DB_F6(t, f, ...) DB_FIELD(t, f), DB_F5(t, __VA_ARGS__)
#define DB_F7(t, f, ...) DB_FIELD(t, f), DB_F6(t, __VA_ARGS__)
#define DB_F8(t, f, ...) DB_FIELD(t, f), DB_F7(t, __VA_ARGS__)
#define DB_F9(t, f, ...) DB_FIELD(t, f), DB_F8(t, __VA_ARGS__)
#define DB_F10(t, f, ...) DB_FIELD(t, f), DB_F9(t, __VA_ARGS__)
#define DB_F11(t, f, ...) DB_FIELD(t, f), DB_F10(t, __VA_ARGS__)
#define DB_F12(t, f, ...) DB_FIELD(t, f), DB_F11(t, __VA_ARGS__)
#define DB_F13(t, f, ...) DB_FIELD(t, f), DB_F12(t, __VA_ARGS__)
#define DB_F14(t, f, ...) DB_FIELD(t, f), DB_F13(t, __VA_ARGS__)
#define DB_F15(t, f, ...) DB_FIELD(t, f), DB_F14(t, __VA_ARGS__)
#define DB_F16(t, f, ...) DB_FIELD(t, f), DB_F15(t, __VA_ARGS__)
#define DB_F17(t, f, ...) DB_FIELD(t, f), DB_F16(t, __VA_ARGS__)
#define DB_F18(t, f, ...) DB_FIELD(t, f), DB_F17(t, __VA_ARGS__)
#define DB_F19(t, f, ...) DB_FIELD(t, f), DB_F18(t, __VA_ARGS__)
#define DB_F20(t, f, ...) DB_FIELD(t, f), DB_F19(t, __VA_ARGS__)
#define DB_F21(t, f, ...) DB_FIELD(t, f), DB_F20(t, __VA_ARGS__)
#define DB_F22(t, f, ...) DB_FIELD(t, f), DB_F21(t, __VA_ARGS__)
#define DB_F23(t, f, ...) DB_FIELD(t, f), DB_F22(t, __VA_ARGS__)
#define DB_F24(t, f, ...) DB_FIELD(t, f), DB_F23(t, __VA_ARGS__)
#define DB_F25(t, f, ...) DB_FIELD(t, f), DB_F24(t, __VA_ARGS__)
#define DB_F26(t, f, ...) DB_FIELD(t, f), DB_F25(t, __VA_ARGS__)
#define DB_F27(t, f, ...) DB_FIELD(t, f), DB_F26(t, __VA_ARGS__)
#define DB_F28(t, f, ...) DB_FIELD(t, f), DB_F27(t, __VA_ARGS__)
#define DB_F29(t, f, ...) DB_FIELD(t, f), DB_F28(t, __VA_ARGS__)
#define DB_F30(t, f, ...) DB_FIELD(t, f), DB_F29(t, __VA_ARGS__)
#define DB_F31(t, f, ...) DB_FIELD(t, f), DB_F30(t, __VA_ARGS__)
#define DB_F32(t, f, ...) DB_FIELD(t, f), DB_F31(t, __VA_ARGS__)
#define DB_NTH(                                                                                    \
    _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, _19, _20,     \
    _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, _32, name, ...) name
#define DB_EACH_FIELD(t, ...)                                                                      \
    DB_NTH(__VA_ARGS__, DB_F32, DB_F31, DB_F30, DB_F29, DB_F28, DB_F27, DB_F26, DB_F25, DB_F24,    \
    DB_F23, DB_F22, DB_F21, DB_F20, DB_F19, DB_F18, DB_F17, DB_F16, DB_F15, DB_F14, DB_F13,        \
    DB_F12, DB_F11, DB_F10, DB_F9, DB_F8, DB_F7, DB_F6, DB_F5, DB_F4, DB_F3, DB_F2, DB_F1, )(t,    \
    __VA_ARGS__)

#endif
