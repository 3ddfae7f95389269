/* doctor.c - `holdout doctor`: is this machine fit to run the project, and does it? A line for
 * each thing looked at: ok, warn or fail, and what to do. Changes nothing; exit 1 when one failed. */
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/core/commands.h"
#include "cli/operate/doctor.h"
#include "db/migrate.h"
#include "json/object.h"
#include "store/operate/settings.h"

enum { LOG_MIB_WARN = 128, BACKUP_DAYS_WARN = 7 };
#define DAY_MS INT64_C(86400000)

static const char *const state_words[] = {"ok", "warn", "fail"};

struct report {
    struct doctor doctor; /* first: doctor_say finds the rest by it */
    unsigned n[3];
    json_t *lines;        /* with --json */
};

void doctor_say(struct doctor *d, enum doctor_state state, const char *what, const char *fmt, ...)
{
    struct report *r = (struct report *)d;
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    r->n[state]++;
    if (r->lines) {
        object_add(r->lines, field_text("what", what), field_text("state", state_words[state]),
                   field_text("text", text));
    } else {
        printf("%-5s %-12s %s\n", state_words[state], what, text);
    }
}

/* ---- configuration ---- */

static void say_mistake(void *arg, const char *text)
{
    doctor_say(arg, DOCTOR_FAIL, "config", "%s", text);
}

static void configuration(struct doctor *d)
{
    struct cli *cli = d->cli;
    const char *flags[CLI_OPTIONS];
    size_t n = project_flags(cli, flags), mistakes = 0;
    struct err err = {0};
    if (config_check(cli->dir, flags, n, say_mistake, d, &mistakes, &err) != OK) {
        doctor_say(d, DOCTOR_FAIL, "config", "%s: let this account read it", err.msg);
    } else if (mistakes == 0 && config_load(&cli->config, cli->dir, flags, n, &err) == OK) {
        d->configured = true;
        doctor_say(d, DOCTOR_OK, "config", "no mistakes");
    }
}

/* ---- the database ---- */

static void last_backup(struct doctor *d)
{
    char text[32];
    int64_t made = 0;
    struct err err = {0};
    if (settings_text(d->cli->db, "backup.last", text, sizeof text, &err) != OK ||
        !sv_i64(sv_of(text), &made)) {
        doctor_say(d, DOCTOR_WARN, "backup", "none was made yet: run `holdout backup %s TARGET`, ideally "
                   "every night", d->cli->dir);
        return;
    }
    char iso[CLOCK_ISO_SIZE];
    int64_t days = (clock_wall_ms() - made) / DAY_MS;
    if (days >= BACKUP_DAYS_WARN) {
        doctor_say(d, DOCTOR_WARN, "backup", "the last one is %lld days old (%s): run `holdout "
                   "backup` every night", (long long)days, clock_iso(made, iso));
    } else {
        doctor_say(d, DOCTOR_OK, "backup", "the last one is of %s", clock_iso(made, iso));
    }
}

static void unknown_proxy(struct doctor *d)
{
    char address[64];
    struct err err = {0};
    if (settings_proxy(d->cli->db, clock_wall_ms(), address, sizeof address, &err) == OK &&
        *address) {
        doctor_say(d, DOCTOR_WARN, "proxy", "%s sends X-Forwarded-For but is not in server.trusted_proxies: "
                   "if it is your proxy, name it there; otherwise everybody counts as one address", address);
    }
}

/* Copies that `migrate` left hold what was erased since. */
static void leftover_copies(struct doctor *d)
{
    static const char begin[] = "holdout.db.version-";
    unsigned n = 0;
    DIR *folder = opendir(d->cli->dir);
    for (struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder)) {
        n += strncmp(e->d_name, begin, sizeof begin - 1) == 0;
    }
    if (folder) {
        closedir(folder);
    }
    if (n) {
        doctor_say(d, DOCTOR_WARN, "copies", "%u copies of the database from before a migration: delete "
                   "%s/%s* once you are satisfied; they name people who were forgotten since",
                   n, d->cli->dir, begin);
    }
}

static void write_ahead_log(struct doctor *d)
{
    int64_t mib = db_wal_size(d->database) >> 20;
    if (mib >= LOG_MIB_WARN) {
        doctor_say(d, DOCTOR_WARN, "wal", "the write-ahead log has %lld MiB: something has been reading the "
                   "database for a long time (an export, sqlite3 left open); end it and the log shrinks",
                   (long long)mib);
    } else {
        doctor_say(d, DOCTOR_OK, "wal", "%lld MiB of write-ahead log", (long long)mib);
    }
}

static void database(struct doctor *d)
{
    struct migrate_state state = {0, 0};
    struct err err = {0};
    enum err_code rc = db_open(d->database, DB_READ, &d->cli->db, &err);
    rc = rc == OK ? migrate_check(d->cli->db, &state, &err) : rc;
    if (rc != OK) {
        doctor_say(d, DOCTOR_FAIL, "database", "%s", err.msg);
    } else if (state.have < state.want) {
        doctor_say(d, DOCTOR_FAIL, "database", "version %d of %d: stop the server and run `holdout "
                   "migrate %s`", state.have, state.want, d->cli->dir);
    } else {
        doctor_say(d, DOCTOR_OK, "database", "version %d, %lld MiB", state.have,
                   (long long)(fs_size(d->database) >> 20));
        last_backup(d);
        unknown_proxy(d);
    }
    write_ahead_log(d);
    leftover_copies(d);
}

/* ---- the whole ---- */

/* A server holds serve.lock and has written its address into it. */
static void look_for_server(struct doctor *d)
{
    struct arena *a = &d->cli->arena;
    int fd = -1;
    struct str text;
    d->served = project_serve_lock(d->cli->dir, &fd, NULL) == ERR_BUSY;
    fs_unlock(fd);
    str_init(&text, 1024);
    bool read = d->served && fs_read(fs_join(a, d->cli->dir, "serve.lock"), &text, NULL) == OK;
    d->address = read ? arena_cstr(a, sv_trim(str_sv(&text))) : "";
    str_release(&text);
}

static void project(struct doctor *d)
{
    struct cli *cli = d->cli;
    d->database = project_path(&cli->arena, cli->dir, "holdout.db");
    if (!fs_is_dir(cli->dir) || !fs_exists(d->database)) {
        doctor_say(d, DOCTOR_FAIL, "project", "%s is not a project: `holdout init %s` makes one, "
                   "`holdout restore` brings one back", cli->dir, cli->dir);
        return;
    }
    configuration(d);
    doctor_disk(d);
    doctor_permissions(d);
    database(d);
    look_for_server(d);
    if (d->configured) {
        doctor_descriptors(d);
        doctor_address(d);
        doctor_tls(d);
        doctor_server(d);
        doctor_jobs(d);
    }
}

/* A server that runs and answers, or a failure: nothing else is asked. */
static void only_server(struct doctor *d)
{
    look_for_server(d);
    if (d->served) {
        doctor_server(d);
    } else {
        doctor_say(d, DOCTOR_FAIL, "server", "none is running on %s", d->cli->dir);
    }
}

enum err_code cmd_doctor(struct cli *cli)
{
    struct report r = {.doctor = {.cli = cli}, .lines = cli->json ? json_array() : NULL};
    bool ready = cli_has(cli, "ready");
    if (ready && !cli->dir) {
        return cli_usage(cli, "--ready needs DIR");
    }
    if (ready) {
        only_server(&r.doctor);
    } else {
        doctor_libraries(&r.doctor);
        doctor_models(&r.doctor);
        doctor_clock(&r.doctor);
        doctor_fonts(&r.doctor);
    }
    if (cli->dir && !ready) {
        project(&r.doctor);
    }
    if (r.lines) {
        json_t *all = object(field_json("checks", r.lines), field_int("failed", r.n[DOCTOR_FAIL]),
                             field_int("warnings", r.n[DOCTOR_WARN]));
        json_dumpf(all, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(all);
    }
    cli_note(cli, "%u ok, %u warnings, %u failed", r.n[DOCTOR_OK], r.n[DOCTOR_WARN],
             r.n[DOCTOR_FAIL]);
    return r.n[DOCTOR_FAIL] ? err_set(&cli->err, ERR_CONFLICT, "%u of these must be fixed",
                                      r.n[DOCTOR_FAIL])
                            : OK;
}
