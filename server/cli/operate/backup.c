/* backup.c - `holdout backup`: makes a backup (transfer/backup/backup_make.h), or looks at one. */
#include <signal.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/core/commands.h"
#include "transfer/backup/backup_make.h"
#include "transfer/backup/backup_verify.h"

enum { KEEP = 7, KEEP_MOST = 100000 };

/* ---- making one ---- */

/* Set by SIGINT and SIGTERM. */
static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

static bool was_stopped(void *arg)
{
    (void)arg;
    return stopped;
}

static void listen_for_stop(void)
{
    struct sigaction a = {.sa_handler = on_signal};
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
}

static void print_json(const struct backup_made *b, double seconds)
{
    const struct backup_counts *c = &b->counts;
    char iso[CLOCK_ISO_SIZE];
    printf("{\"generation\":\"%s\",\"generations\":%zu,\"removed\":%zu,\"made_at\":\"%s\",\"seconds\":%.3f,\"event\":%lld,\"database_bytes\":%lld,"
           "\"image_files\":%lld,\"other_files\":%lld,\"copied\":%lld,\"copied_bytes\":%lld,\"references\":%lld,"
           "\"missing\":%lld}\n",
           b->stamp, b->generations, b->removed, clock_iso(b->m.made_ms, iso), seconds, (long long)b->m.event,
           (long long)b->m.database.bytes, (long long)c->files, (long long)c->others,
           (long long)c->copied, (long long)c->copied_bytes, (long long)c->references, (long long)c->missing);
}

static void print_made(const struct cli *cli, const char *target, const struct backup_made *b, double seconds)
{
    const struct backup_counts *c = &b->counts;
    if (cli->json) {
        print_json(b, seconds);
    }
    cli_note(cli, "%s is a backup of %s as of event %lld: database %lld MiB, %lld image files, "
             "%lld of models and features, %lld files new, in %.1f s.", b->folder, cli->dir,
             (long long)b->m.event, (long long)(b->m.database.bytes >> 20), (long long)c->files,
             (long long)c->others, (long long)c->copied, seconds);
    if (b->generations) {
        cli_note(cli, "%s keeps %zu generation%s%s", target, b->generations, b->generations == 1 ? "" : "s",
                 b->removed ? "; older ones were removed." : ".");
    }
    if (c->unshared) {
        cli_note(cli, "%lld files that the earlier generation has were copied: they could not be hard "
                 "links there (not every file system has those).", (long long)c->unshared);
    }
    if (c->references) {
        cli_note(cli, "%lld originals are kept by reference: only their renditions are in the backup. Back "
                 "up their own folders by other means.",
                 (long long)c->references);
    }
}

static enum err_code make(struct cli *cli)
{
    struct backup_ask ask = {.target = cli->args[1], .link = cli_has(cli, "link"),
                             .verify = cli_has(cli, "verify"), .stop = was_stopped};
    struct backup_made made;
    enum err_code rc = cli_opt_int(cli, "keep", 1, KEEP_MOST, KEEP, &ask.keep);
    rc = rc == OK ? project_open(cli) : rc;
    if (rc != OK) {
        return rc;
    }
    listen_for_stop();
    int64_t began_ns = clock_mono_ns();
    rc = backup_make(cli_transfer(cli), &ask, &made);
    if (made.folder) {
        print_made(cli, ask.target, &made, (double)(clock_mono_ns() - began_ns) / 1e9);
    }
    return rc;
}

/* ---- looking at one ---- */

static void print_damaged(void *arg, const char *path, const char *why)
{
    (void)arg;
    printf("damaged: %s: %s\n", path, why);
}

static void print_verified(const struct cli *cli, const struct backup_verified *v)
{
    const struct backup_manifest *m = &v->g->m;
    char iso[CLOCK_ISO_SIZE];
    if (cli->json) {
        printf("{\"generation\":\"%s\",\"made_at\":\"%s\",\"image_files\":%lld,\"other_files\":%lld,"
               "\"damaged\":%lld,\"checked\":%s}\n",
               v->g->stamp, clock_iso(m->made_ms, iso), (long long)v->counts.files, (long long)v->counts.others,
               (long long)v->damaged, m->checked ? "true" : "false");
    }
    if (v->damaged == 0) {
        cli_note(cli, "%s is intact: the project %s as of %s, %lld image files, %lld of models and "
                 "features%s.", v->g->path, m->project, clock_iso(m->made_ms, iso),
                 (long long)v->counts.files, (long long)v->counts.others,
                 m->checked ? "" : "; it was made by a holdout that did not check databases, but `restore` "
                                   "does");
    }
}

static enum err_code verify(struct cli *cli)
{
    struct backup_verified v;
    enum err_code rc = backup_verify(cli_transfer(cli), cli->args[0], print_damaged, NULL, &v);
    if (v.g) {
        print_verified(cli, &v);
    }
    return rc;
}

/* With one folder alone, --verify looks at a backup and needs no project. */
enum err_code cmd_backup(struct cli *cli)
{
    if (cli->n_args == 2) {
        return make(cli);
    }
    return cli_has(cli, "verify")
               ? verify(cli)
               : cli_usage(cli, "the target is missing: `holdout backup DIR TARGET` makes a backup, `holdout "
                           "backup --verify TARGET` checks one");
}
