/* rows.c - columns into fields, and the loops around that. */
#include "db/rows.h"

#include <string.h>

#include "base/list.h"

static void put_int(char *to, size_t size, int64_t v)
{
    switch (size) {
    case sizeof(int64_t):
        memcpy(to, &v, sizeof v);
        return;
    case sizeof(int32_t):
        memcpy(to, &(uint32_t){(uint32_t)v}, sizeof(uint32_t));
        return;
    default:
        BUG_IF(size != sizeof(uint16_t));
        memcpy(to, &(uint16_t){(uint16_t)v}, sizeof(uint16_t));
    }
}

/* Texts are read as blobs: they are the same bytes, and SQLite need not put a NUL behind them. */
static void put(const struct db_rows *r, int col, enum db_as as, size_t size, struct arena *a, char *to)
{
    struct sv s;
    switch (as) {
    case DB_AS_INT:
        put_int(to, size, db_col_int(r, col));
        break;
    case DB_AS_BOOL:
        *(bool *)to = db_col_int(r, col) != 0;
        break;
    case DB_AS_REAL:
        memcpy(to, &(double){db_col_real(r, col)}, sizeof(double));
        break;
    case DB_AS_TEXT:
        s = db_col_blob(r, col);
        s = a ? arena_sv(a, s) : s;
        memcpy(to, &s, sizeof s);
        break;
    case DB_AS_STRING:
        memcpy(to, &(const char *){arena_cstr(a, db_col_blob(r, col))}, sizeof(const char *));
        break;
    case DB_AS_BYTES:
        s = db_col_blob(r, col);
        if (s.n == size) {
            memcpy(to, s.p, size);
        }
        break;
    }
}

static void read_row(const struct db_rows *r, const struct db_columns *c, void *out, struct arena *a)
{
    for (int i = 0; i < DB_FIELDS && c->field[i].size; i++) {
        put(r, i, c->field[i].as, c->field[i].size, a, (char *)out + c->field[i].at);
    }
    if (c->then) {
        c->then(r, a, out);
    }
}

bool db_next_row(struct db_rows *rows, const struct db_columns *columns, void *out,
                 struct arena *a, struct err *err)
{
    bool more = db_step(rows, err);
    if (more) {
        memset(out, 0, columns->size);
        read_row(rows, columns, out, a);
    }
    return more;
}

enum err_code db_find_row(struct db *db, const struct db_columns *columns, void *out,
                          struct arena *a, const char *sql, const struct db_val *v, size_t n_values,
                          struct err *err)
{
    struct db_rows r;
    db_begin(db, sql, v, n_values, &r, err);
    bool found = db_next_row(&r, columns, out, a, err);
    enum err_code rc = db_end(&r);
    return rc == OK && !found ? ERR_NOT_FOUND : rc;
}

enum err_code db_maybe_row(struct db *db, const struct db_columns *columns, void *out,
                           struct arena *a, const char *sql, const struct db_val *v,
                           size_t n_values, struct err *err)
{
    struct db_rows r;
    db_begin(db, sql, v, n_values, &r, err);
    if (db_step(&r, err)) {
        read_row(&r, columns, out, a);
    }
    return db_end(&r);
}

enum err_code db_list_rows(struct db *db, const struct db_columns *columns, void *out, size_t *n,
                           struct arena *a, const char *sql, const struct db_val *v,
                           size_t n_values, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    db_begin(db, sql, v, n_values, &r, err);
    while (db_step(&r, err)) {
        read_row(&r, columns, list_add(&list, a, columns->size), a);
    }
    memcpy(out, &list.items, sizeof list.items);
    *n = list.n;
    return db_end(&r);
}

enum err_code db_exists(struct db *db, const char *sql, const struct db_val *v, size_t n, bool *out,
                        struct err *err)
{
    struct db_rows r;
    db_begin(db, sql, v, n, &r, err);
    *out = db_step(&r, err);
    return db_end(&r);
}

enum err_code db_maybe_int(struct db *db, const char *sql, const struct db_val *v, size_t n,
                           int64_t *out, struct err *err)
{
    enum err_code rc = db_one_int(db, sql, v, n, out, err);
    return rc == ERR_NOT_FOUND ? OK : rc;
}

enum err_code db_maybe_ints(struct db *db, const char *sql, const struct db_val *v, size_t n,
                            int64_t *first, int64_t *second, struct err *err)
{
    struct db_rows r;
    db_begin(db, sql, v, n, &r, err);
    if (db_step(&r, err)) {
        *first = db_col_int(&r, 0);
        *second = db_col_int(&r, 1);
    }
    return db_end(&r);
}

enum err_code db_maybe_text(struct db *db, const char *sql, const struct db_val *v, size_t n,
                            struct arena *a, struct sv *out, struct err *err)
{
    struct db_rows r;
    db_begin(db, sql, v, n, &r, err);
    if (db_step(&r, err)) {
        *out = arena_sv(a, db_col_text(&r, 0));
    }
    return db_end(&r);
}

enum err_code db_list_int(struct db *db, const char *sql, const struct db_val *v, size_t n_values,
                          struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    struct db_rows r;
    struct list list = {0};
    db_begin(db, sql, v, n_values, &r, err);
    while (db_step(&r, err)) {
        *LIST_ADD(&list, a, int64_t) = db_col_int(&r, 0);
    }
    *out = list.items;
    *n = list.n;
    return db_end(&r);
}
