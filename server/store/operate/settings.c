/* settings.c - SQL for setting and secret. */
#include "store/operate/settings.h"

#include <stdio.h>
#include <string.h>

enum err_code settings_put(struct db *db, const char *key, struct sv value, struct err *err)
{
    return db_run(db,
                  "INSERT INTO setting (key, value) VALUES (?1, ?2)"
                  " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                  DB_VALS(db_str(key), db_text(value)), err);
}

enum err_code settings_try(struct db *db, struct err *err)
{
    /* Not an update to the same value, which SQLite would notice and leave. */
    enum err_code rc = settings_put(db, "try", SV(""), err);
    return rc == OK ? db_run(db, "DELETE FROM setting WHERE key = 'try'", DB_NONE, err) : rc;
}

/* As much of the text as fits with its NUL, whole characters only. */
static void copy_cut(struct sv text, char *out, size_t n)
{
    size_t used = 0, step;
    while (used < text.n &&
           (step = sv_utf8_first(sv_make(text.p + used, text.n - used))) > 0 && used + step < n) {
        used += step;
    }
    memcpy(out, used ? text.p : "", used);
    out[used] = '\0';
}

enum err_code settings_text(struct db *db, const char *key, char *out, size_t n, struct err *err)
{
    struct db_rows r;
    db_begin(db, "SELECT value FROM setting WHERE key = ?1", DB_VALS(db_str(key)), &r, err);
    out[0] = '\0';
    if (db_step(&r, err)) {
        copy_cut(db_col_text(&r, 0), out, n);
    }
    return db_end(&r);
}

enum err_code settings_put_secret(struct db *db, const char *key, const void *p, size_t n,
                                  struct err *err)
{
    return db_run(db, "INSERT INTO secret (key, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                  DB_VALS(db_str(key), db_blob(p, n)), err);
}

enum err_code settings_secret(struct db *db, const char *key, void *out, size_t n,
                              struct err *err)
{
    struct db_rows r;
    db_begin(db, "SELECT value FROM secret WHERE key = ?1", DB_VALS(db_str(key)), &r, err);
    bool good = db_step(&r, err) && db_col_blob(&r, 0).n == n;
    if (good) {
        memcpy(out, db_col_blob(&r, 0).p, n);
    }
    enum err_code rc = db_end(&r);
    if (rc == OK && !good) {
        return err_set(err, ERR_IO, "the project has no %s: was its database made by init?", key);
    }
    return rc;
}

static const char proxy_key[] = "proxy.unknown";

enum err_code settings_put_proxy(struct db *db, const char *address, int64_t now, struct err *err)
{
    char text[128];
    int n = snprintf(text, sizeof text, "%lld %s", (long long)now, address);
    return settings_put(db, proxy_key, sv_make(text, (size_t)n), err);
}

enum err_code settings_proxy(struct db *db, int64_t now, char *out, size_t n, struct err *err)
{
    char text[128];
    int64_t at = 0;
    enum err_code rc = settings_text(db, proxy_key, text, sizeof text, err);
    struct sv address = sv_of(rc == OK ? text : ""), when = sv_cut(&address, ' ');
    bool lately = sv_i64(when, &at) && now - at < INT64_C(86400000);
    snprintf(out, n, SV_FMT, SV_ARG(lately ? address : SV("")));
    return rc;
}
