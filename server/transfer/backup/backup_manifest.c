/* backup_manifest.c - reads, writes and tidies up the folder of a backup. */
#include "transfer/backup/backup_manifest.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/outside.h"
#include "crypto/crypto.h"
#include "json/object.h"

enum { MANIFEST_MOST = 64 * 1024, PATHS_ARENA = 1 << 16 };
_Static_assert((int)BACKUP_HASH_TEXT == 2 * (int)CRYPTO_CONTENT + 1, "hexadecimal, with NUL");
#define HASH "blake2b"

char *backup_stamp(int64_t wall_ms, char buf[BACKUP_STAMP])
{
    char iso[CLOCK_ISO_SIZE];
    char *to = buf;
    for (const char *from = clock_iso(wall_ms, iso); *from; from++) {
        if (!strchr("-:.", *from)) {
            *to++ = *from;
        }
    }
    *to = '\0';
    return buf;
}

int64_t backup_stamp_ms(const char *stamp)
{
    struct tm tm = {0};
    int ms = 0;
    sscanf(stamp, "%4d%2d%2dT%2d%2d%2d%3dZ", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min,
           &tm.tm_sec, &ms);
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    return (int64_t)timegm(&tm) * 1000 + ms;
}

/* ---- parts ---- */

/* `expected`: a file of another size is not read, as it may be of any; -1: read it whatever its size. */
static enum err_code measure(const char *target, const char *file, int64_t expected,
                             struct backup_part *out, struct err *err)
{
    struct arena a;
    struct stat st;
    unsigned char hash[CRYPTO_CONTENT];
    size_t bytes = 0;
    int fd;
    enum err_code rc = fs_open_below(target, file, &fd, err);
    if (rc != OK) {
        return rc;
    }
    if (expected >= 0 && fstat(fd, &st) == 0 && st.st_size != expected) {
        *out = (struct backup_part){.file = file, .bytes = st.st_size};
        close(fd);
        return OK;
    }
    arena_init(&a, PATHS_ARENA);
    rc = crypto_blake2b_fd(fd, fs_join(&a, target, file), hash, &bytes, err);
    close(fd);
    if (rc == OK) {
        *out = (struct backup_part){.file = file, .bytes = (int64_t)bytes};
        crypto_hex(hash, sizeof hash, out->blake2b);
    }
    arena_release(&a);
    return rc;
}

enum err_code backup_part_measure(const char *target, const char *file, struct backup_part *out,
                                  struct err *err)
{
    return measure(target, file, -1, out, err);
}

enum err_code backup_part_check(const char *target, const struct backup_part *part,
                                struct err *err)
{
    struct backup_part now;
    enum err_code rc = measure(target, part->file, part->bytes, &now, err);
    if (rc == OK && now.bytes != part->bytes) {
        rc = err_rule(err, ERR_INPUT, "backup-damaged",
                      "%s/%s has %lld bytes, but had %lld when it was backed up: it is damaged, so use "
                      "another backup",
                      target, part->file, (long long)now.bytes, (long long)part->bytes);
    } else if (rc == OK && strcmp(now.blake2b, part->blake2b) != 0) {
        rc = err_rule(err, ERR_INPUT, "backup-damaged",
                      "%s/%s has different content from when it was backed up: it is damaged, so use another "
                      "backup", target, part->file);
    }
    return rc;
}

/* ---- reading ---- */

struct reading {
    const json_t *root;
    struct arena *arena;
    bool wrong, unhashed; /* a part has no hash, or one of another kind */
};

static const char *text(struct reading *r, const json_t *object, const char *key)
{
    const json_t *v = json_object_get(object, key);
    if (!json_is_string(v)) {
        r->wrong = true;
        return "";
    }
    return arena_strdup(r->arena, json_string_value(v));
}

/* A text that is printed: what is in it tells a terminal nothing. */
static const char *printed(struct reading *r, const char *key)
{
    char *shown = arena_strdup(r->arena, text(r, r->root, key));
    for (char *c = shown; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            *c = '?';
        }
    }
    return shown;
}

static int64_t number(struct reading *r, const json_t *object, const char *key)
{
    const json_t *v = json_object_get(object, key);
    r->wrong = r->wrong || !json_is_integer(v) || json_integer_value(v) < 0;
    return json_integer_value(v);
}

/* A name of this folder, no way out of it, and nothing that a terminal acts on: messages have it. */
static bool plain_name(const char *s)
{
    return *s && *s != '.' && !strchr(s, '/') && !outside_controls(sv_of(s));
}

static struct backup_part part(struct reading *r, const char *key)
{
    const json_t *object = json_object_get(r->root, key);
    struct backup_part p = {.file = text(r, object, "file"), .bytes = number(r, object, "bytes")};
    unsigned char hash[CRYPTO_CONTENT];
    const char *hex = text(r, object, HASH);
    r->unhashed = r->unhashed || (object && !json_object_get(object, HASH));
    r->wrong = r->wrong || !plain_name(p.file) || !crypto_unhex(sv_of(hex), hash, sizeof hash);
    snprintf(p.blake2b, sizeof p.blake2b, "%s", hex);
    return p;
}

static enum err_code parse(const char *path, struct reading *r, struct backup_manifest *m,
                           struct err *err)
{
    int64_t format = number(r, r->root, "format");
    if (!r->wrong && format > BACKUP_FORMAT) {
        return err_rule(err, ERR_CONFLICT, "backup-newer",
                        "%s was written by a newer holdout (format %lld, this one knows %d): use "
                        "that one",
                        path, (long long)format, BACKUP_FORMAT);
    }
    *m = (struct backup_manifest){
        .program = printed(r, "holdout"),
        .project = printed(r, "project"),
        .id = text(r, r->root, "project_id"),
        .made_ms = number(r, r->root, "made_ms"),
        .schema = number(r, r->root, "schema"),
        .event = number(r, r->root, "event"),
        .database = part(r, "database"),
        .files = part(r, "files"),
        .n_files = number(r, r->root, "image_files"),
        .file_bytes = number(r, r->root, "image_bytes"),
        .references = number(r, r->root, "references"),
        .missing = number(r, r->root, "missing"),
        .other_bytes = INT64_MAX,
        .checked = json_is_true(json_object_get(r->root, "checked")),
    };
    r->wrong = r->wrong || m->made_ms > BACKUP_LATEST_MS;
    if (json_object_get(r->root, "other_bytes")) {
        m->other_bytes = number(r, r->root, "other_bytes");
    }
    if (json_object_get(r->root, "config")) {
        m->config = part(r, "config");
    }
    if (r->unhashed) {
        return err_rule(err, ERR_INPUT, "backup-hash",
                        "%s names a file without its " HASH " hash, the only kind that this program "
                        "checks: nothing was changed; use another backup folder, or the holdout "
                        "that wrote this one",
                        path);
    }
    return r->wrong ? err_rule(err, ERR_INPUT, "backup-damaged",
                               "%s is damaged: it lacks entries that every manifest has; use another backup",
                               path)
                    : OK;
}

static enum err_code read_manifest(const char *target, const char *path, struct str *body,
                                   struct err *err)
{
    int fd;
    enum err_code rc = fs_open_below(target, BACKUP_MANIFEST, &fd, err);
    if (rc == OK) {
        rc = fs_read_fd(fd, path, body, err);
        close(fd);
    }
    return rc;
}

enum err_code backup_manifest_read(const char *target, struct arena *a,
                                   struct backup_manifest *out, struct err *err)
{
    const char *path = fs_join(a, target, BACKUP_MANIFEST);
    struct str body;
    struct err why = {0};
    json_error_t wrong;
    str_init(&body, MANIFEST_MOST);
    enum err_code rc = read_manifest(target, path, &body, &why);
    json_t *root = NULL;
    if (rc == ERR_NOT_FOUND) {
        bool cut = fs_exists(fs_join(a, target, BACKUP_UNFINISHED));
        err_rule(err, rc, "no-backup",
                 cut ? "%s is an unfinished backup: run `holdout backup` once more to complete it"
                     : "%s is not a backup: it has no " BACKUP_MANIFEST, target);
    } else if (rc != OK) {
        err_rule(err, rc, why.rule, "%s", why.msg);
    } else if (!(root = json_loadb(body.p ? body.p : "", body.n, JSON_REJECT_DUPLICATES, &wrong))) {
        rc = err_rule(err, ERR_INPUT, "backup-damaged", "%s:%d: %s: the manifest is damaged; use "
                      "another backup", path, wrong.line, wrong.text);
    } else {
        rc = parse(path, &(struct reading){.root = root, .arena = a}, out, err);
    }
    json_decref(root);
    str_release(&body);
    return rc;
}

/* ---- writing ---- */

static json_t *part_json(const struct backup_part *p)
{
    return object(field_text("file", p->file), field_int("bytes", p->bytes),
                  field_text(HASH, p->blake2b));
}

enum err_code backup_manifest_write(const char *target, const struct backup_manifest *m,
                                    struct err *err)
{
    char iso[CLOCK_ISO_SIZE];
    json_t *root = object(
        field_int("format", BACKUP_FORMAT), field_text("holdout", m->program),
        field_text("project", m->project), field_text("project_id", m->id),
        field_text("made_at", clock_iso(m->made_ms, iso)), field_int("made_ms", m->made_ms),
        field_int("schema", m->schema), field_int("event", m->event),
        field_json("database", part_json(&m->database)), field_json("files", part_json(&m->files)),
        field_int("image_files", m->n_files), field_int("image_bytes", m->file_bytes),
        field_int("other_bytes", m->other_bytes), field_int("references", m->references),
        field_int("missing", m->missing), field_bool("checked", m->checked));
    BUG_IF(!root);
    if (m->config.file) {
        json_object_set_new(root, "config", part_json(&m->config));
    }
    char *body = json_dumps(root, JSON_INDENT(2));
    BUG_IF(!body);
    struct arena a;
    arena_init(&a, PATHS_ARENA);
    enum err_code rc = fs_write_whole(fs_join(&a, target, BACKUP_MANIFEST), body, strlen(body),
                                      true, err);
    arena_release(&a);
    free(body);
    json_decref(root);
    return rc;
}

/* ---- tidying up ---- */

bool backup_is_temporary(const char *name)
{
    static const char *const begin[] = {BACKUP_MANIFEST ".tmp-", BACKUP_UNFINISHED ".tmp-"};
    return strncmp(name, begin[0], strlen(begin[0])) == 0 ||
           strncmp(name, begin[1], strlen(begin[1])) == 0;
}

const char *backup_stamp_end(const char *name)
{
    static const char shape[] = "00000000T000000000Z";
    for (const char *s = shape; *s; s++, name++) {
        if (*s == '0' ? *name < '0' || *name > '9' : *name != *s) {
            return NULL;
        }
    }
    return name;
}

const char *backup_stamp_of(const struct backup_manifest *m, struct arena *a)
{
    const char *dash = strchr(m->files.file, '-'), *end = dash ? backup_stamp_end(dash + 1) : NULL;
    return end ? arena_cstr(a, sv_make(dash + 1, (size_t)(end - dash - 1))) : "";
}

/* Whether the name begins with "PREFIX" and a stamp, or is a temporary of fs_write_whole: the folder
 * may hold what others put there. */
static bool is_ours(const char *name)
{
    static const char *const prefixes[] = {"holdout-", "config-", "files-"};
    if (backup_is_temporary(name) || strcmp(name, BACKUP_INCOMING) == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t n = strlen(prefixes[i]);
        const char *end = strncmp(name, prefixes[i], n) == 0 ? backup_stamp_end(name + n) : NULL;
        if (end && *end == '.') {
            return true;
        }
    }
    return false;
}

/* Whether it is a backup's folder of models or features; *stamp is that backup's. */
static bool is_our_folder(const char *name, const char **stamp)
{
    static const char *const prefixes[] = {"models-", "features-"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t n = strlen(prefixes[i]);
        const char *end = strncmp(name, prefixes[i], n) == 0 ? backup_stamp_end(name + n) : NULL;
        if (end && *end == '\0') {
            *stamp = name + n;
            return true;
        }
    }
    return false;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

static bool is_part(const char *name, const struct backup_part *p)
{
    return p->file && strcmp(name, p->file) == 0;
}

static enum err_code sweep_one(const char *target, const char *name,
                               const struct backup_manifest *keep, struct arena *a, struct err *err)
{
    const char *stamp, *path = fs_join(a, target, name);
    if (is_our_folder(name, &stamp)) {
        bool named = keep && strcmp(stamp, backup_stamp_of(keep, a)) == 0;
        return named || nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0
                   ? OK
                   : err_errno(err, errno, "cannot remove %s", path);
    }
    bool named = keep && (is_part(name, &keep->database) || is_part(name, &keep->config) ||
                          is_part(name, &keep->files));
    return !is_ours(name) || named || unlink(path) == 0
               ? OK
               : err_errno(err, errno, "cannot remove %s", path);
}

enum err_code backup_sweep(const char *target, const struct backup_manifest *keep,
                           struct err *err)
{
    struct arena a;
    DIR *d = opendir(target);
    if (!d) {
        return err_errno(err, errno, "cannot read folder %s", target);
    }
    arena_init(&a, PATHS_ARENA);
    enum err_code rc = OK;
    for (struct dirent *e = readdir(d); e && rc == OK; e = readdir(d)) {
        rc = sweep_one(target, e->d_name, keep, &a, err);
        arena_clear(&a);
    }
    arena_release(&a);
    closedir(d);
    return rc;
}

enum err_code backup_folder_empty(const char *folder, struct arena *a, const char **what,
                                  struct err *err)
{
    static const char *const nothing[] = {".", "..", BACKUP_LOCK, "lost+found"};
    DIR *d = opendir(folder);
    *what = NULL;
    if (!d) {
        return err_errno(err, errno, "cannot read folder %s", folder);
    }
    for (struct dirent *e = readdir(d); e && !*what; e = readdir(d)) {
        bool counts = !backup_is_temporary(e->d_name); /* a backup that was killed at its first word */
        for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
            counts = counts && strcmp(e->d_name, nothing[i]) != 0;
        }
        *what = counts ? arena_strdup(a, e->d_name) : NULL;
    }
    closedir(d);
    return OK;
}
