/* doctor_host.c - what `holdout doctor` says of the machine: libraries, clock, descriptors, disk. */
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "cli/operate/doctor.h"
#include "crypto/crypto.h"
#include "crypto/signature.h"
#include "demo/glyphs.h"
#include "http/http.h"
#include "infer/engine/probe.h"

enum { MIB_FAIL = 100, MIB_WARN = 1024, INODES_WARN = 10000, DESCRIPTORS_BESIDE = 128 };
#define NOVEMBER_2026 INT64_C(1793000000000) /* when this was written: no clock may be before */

void doctor_libraries(struct doctor *d)
{
    doctor_say(d, DOCTOR_OK, "libraries",
               "holdout %s, SQLite %s, libmicrohttpd %s, GnuTLS %s, libsodium %s, jansson %s, oneDNN %s",
               HOLDOUT_VERSION, db_library_version(), http_library_version(),
               signature_library_version(), crypto_library_version(), jansson_version_str(),
               probe_library());
}

/* oneDNN writes code and runs it; who forbids that, stops every job that runs a model. */
void doctor_models(struct doctor *d)
{
    struct err err = {0};
    if (probe_convolution(&err) == OK) {
        doctor_say(d, DOCTOR_OK, "models",
                   "oneDNN %s generates code for this processor and computes correctly",
                   probe_library());
    } else if (strcmp(err.rule, "code-generation") == 0) {
        doctor_say(d, DOCTOR_FAIL, "models", "oneDNN %s is not allowed to generate code while it runs, so "
                   "jobs that run models cannot work: take MemoryDenyWriteExecute= out of the unit, or allow "
                   "it in the security module", probe_library());
    } else if (strcmp(err.rule, "processor") == 0) {
        doctor_say(d, DOCTOR_WARN, "models", "%s", err.msg);
    } else {
        doctor_say(d, DOCTOR_FAIL, "models", "%s: jobs that run models will fail; install the libdnnl of this "
                   "system", err.msg);
    }
}

void doctor_clock(struct doctor *d)
{
    char iso[CLOCK_ISO_SIZE];
    struct timex t = {0};
    int64_t now = clock_wall_ms();
    clock_iso(now, iso);
    if (now < NOVEMBER_2026) {
        doctor_say(d, DOCTOR_FAIL, "clock",
                   "it says %s: set it, because every answer is stored with its time", iso);
    } else if (adjtimex(&t) == TIME_ERROR || (t.status & STA_UNSYNC)) {
        doctor_say(d, DOCTOR_WARN, "clock", "%s, and nothing keeps it in sync: run systemd-timesyncd or "
                   "chrony (a container's host may do so)", iso);
    } else {
        doctor_say(d, DOCTOR_OK, "clock", "%s, kept in sync by the system", iso);
    }
}

void doctor_fonts(struct doctor *d)
{
    if (fs_exists(glyphs_font)) {
        doctor_say(d, DOCTOR_OK, "fonts", "colour emoji for `holdout demo` are installed");
    } else {
        doctor_say(d, DOCTOR_WARN, "fonts", "no colour emoji: `holdout demo` needs them (apt-get "
                   "install fonts-noto-color-emoji), nothing else does");
    }
}

/* The server raises the soft limit to the hard one by itself. */
void doctor_descriptors(struct doctor *d)
{
    const struct config *c = &d->cli->config;
    struct rlimit r;
    unsigned long long needed = (unsigned long long)c->connections + DESCRIPTORS_BESIDE;
    if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_max >= needed) {
        doctor_say(d, DOCTOR_OK, "descriptors", "enough for %lld connections",
                   (long long)c->connections);
    } else {
        doctor_say(d, DOCTOR_FAIL, "descriptors", "a process may open %llu files, and %lld connections "
                   "need %llu: raise `ulimit -Hn` (systemd: LimitNOFILE=) or lower "
                   "server.connections", (unsigned long long)r.rlim_max,
                   (long long)c->connections, needed);
    }
}

/* ---- disk ---- */

struct file_system {
    long type;
    const char *name, *why; /* why: NULL when it is fine */
};

static const char network[] = "it is on another machine, where SQLite's locks are not reliable: move the "
                              "project to a local disk";

/* Numbers of statfs(2). What is not listed is taken to be a disk. */
static const struct file_system file_systems[] = {
    {0xef53, "ext4", NULL},
    {0x58465342, "XFS", NULL},
    {0x9123683e, "Btrfs", NULL},
    {0x2fc12fc1, "ZFS", NULL},
    {0x6969, "NFS", network},
    {0xff534d42, "CIFS", network},
    {0xfe534d42, "SMB", network},
    {0x517b, "SMB", network},
    {0x5346414f, "AFS", network},
    {0x00c36400, "Ceph", network},
    {0x01021997, "9p", network},
    {0x65735546, "FUSE", "it may be on another machine, where SQLite's locks are not reliable: use a local "
                         "disk unless you know that it is one"},
    {0x01021994, "tmpfs", "it is in memory and lost at a restart: use a disk"},
    {0x794c7630, "overlayfs", "it is lost with the container: put the project on a volume"},
};

static void file_system(struct doctor *d)
{
    struct statfs fs;
    const struct file_system *found = NULL;
    if (statfs(d->cli->dir, &fs) != 0) {
        return; /* doctor_disk has said so */
    }
    for (size_t i = 0; i < sizeof file_systems / sizeof *file_systems; i++) {
        if ((unsigned long)fs.f_type == (unsigned long)file_systems[i].type) {
            found = &file_systems[i];
        }
    }
    if (found && found->why) {
        doctor_say(d, DOCTOR_WARN, "file system", "%s: %s", found->name, found->why);
    } else {
        doctor_say(d, DOCTOR_OK, "file system", "%s", found ? found->name : "a local one");
    }
}

void doctor_disk(struct doctor *d)
{
    struct statvfs fs;
    if (statvfs(d->cli->dir, &fs) != 0) {
        doctor_say(d, DOCTOR_FAIL, "disk", "cannot look at %s: %s", d->cli->dir, strerror(errno));
        return;
    }
    uint64_t mib = (uint64_t)fs.f_bavail * fs.f_frsize >> 20;
    if (mib < MIB_FAIL) {
        doctor_say(d, DOCTOR_FAIL, "disk",
                   "only %llu MiB are free, and answers will soon be refused: make room",
                   (unsigned long long)mib);
    } else if (mib < MIB_WARN) {
        doctor_say(d, DOCTOR_WARN, "disk", "only %llu MiB are free: make room before the study continues",
                   (unsigned long long)mib);
    } else if (fs.f_files && fs.f_favail < INODES_WARN) {
        doctor_say(d, DOCTOR_WARN, "disk", "only %llu more files fit: every image needs three; use a "
                   "file system with more inodes", (unsigned long long)fs.f_favail);
    } else {
        doctor_say(d, DOCTOR_OK, "disk", "%llu MiB are free", (unsigned long long)mib);
    }
    file_system(d);
}

/* ---- permissions ---- */

void doctor_permissions(struct doctor *d)
{
    struct stat st;
    const char *config = project_path(&d->cli->arena, d->cli->dir, "config.ini");
    if (access(d->cli->dir, W_OK) != 0 || access(d->database, R_OK | W_OK) != 0) {
        doctor_say(d, DOCTOR_FAIL, "permissions", "this account cannot write %s: run as its owner, or "
                   "chown -R it", access(d->cli->dir, W_OK) != 0 ? d->cli->dir : d->database);
    } else if (stat(d->database, &st) == 0 && (st.st_mode & 077)) {
        doctor_say(d, DOCTOR_WARN, "permissions", "others may read %s (keys, password hashes, who people "
                   "are): chmod 600 it", d->database);
    } else if (stat(config, &st) == 0 && (st.st_mode & 077)) {
        doctor_say(d, DOCTOR_WARN, "permissions", "others may read %s, which may name keys: chmod 600 it",
                   config);
    } else if (stat(d->cli->dir, &st) == 0 && (st.st_mode & 077)) {
        doctor_say(d, DOCTOR_WARN, "permissions", "others may look into %s (images, models, exports): "
                   "chmod 700 it", d->cli->dir);
    } else {
        doctor_say(d, DOCTOR_OK, "permissions", "only its owner can read the project");
    }
}
