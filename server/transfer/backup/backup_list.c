/* backup_list.c - reads the list of a backup's files. */
#include "transfer/backup/backup_list.h"

#include <errno.h>
#include <string.h>

#include "base/fs.h"
#include "transfer/backup/backup_manifest.h"

enum { NAME = 2 * CRYPTO_HASH };
static const char images[] = "images/";

bool backup_plain_path(const char *path)
{
    bool begins = true;
    for (; *path; path++) {
        if (*path == '\\' || (unsigned char)*path < ' ' || (begins && (*path == '.' || *path == '/'))) {
            return false;
        }
        begins = *path == '/';
    }
    return !begins;
}

const char *backup_other_name(const char *name, const char **folder)
{
    static const char *const folders[] = {"models", "features"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t n = strlen(folders[i]);
        const char *end = strncmp(name, folders[i], n) == 0 && name[n] == '-'
                              ? backup_stamp_end(name + n + 1)
                              : NULL;
        if (end && *end == '/' && backup_plain_path(end + 1)) {
            *folder = folders[i];
            return end + 1;
        }
    }
    return NULL;
}

bool backup_image_name_ok(const char *name)
{
    static const char *const kinds[] = {".grid", ".source", ".view"};
    unsigned char sha[CRYPTO_HASH];
    const char *ab = name + sizeof images - 1, *hex = ab + 3;
    if (strncmp(name, images, sizeof images - 1) != 0 || strlen(ab) < 3 + NAME || ab[2] != '/' ||
        strncmp(ab, hex, 2) != 0 || !crypto_unhex(sv_make(hex, NAME), sha, sizeof sha)) {
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(hex + NAME, kinds[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool file_name_ok(const char *name)
{
    const char *folder;
    return backup_image_name_ok(name) || backup_other_name(name, &folder);
}

enum err_code backup_list_next(struct backup_list *l, struct err *err)
{
    char line[BACKUP_LINE], before[BACKUP_LINE];
    unsigned char hash[CRYPTO_CONTENT];
    snprintf(before, sizeof before, "%s", l->file);
    l->file[0] = '\0';
    if (!l->f || !fgets(line, sizeof line, l->f)) {
        return l->f && ferror(l->f) ? err_errno(err, errno, "cannot read %s", l->path) : OK;
    }
    l->line++;
    size_t n = strcspn(line, "\n");
    bool whole = line[n] == '\n' && n > BACKUP_HEX + 2;
    line[n] = '\0';
    if (!whole || !crypto_unhex(sv_make(line, BACKUP_HEX), hash, sizeof hash) ||
        strncmp(line + BACKUP_HEX, "  ", 2) != 0 || !file_name_ok(line + BACKUP_HEX + 2) ||
        strcmp(line + BACKUP_HEX + 2, before) <= 0) {
        return err_rule(err, ERR_INPUT, "backup-damaged",
                        "%s:%lld: expected a hash and a file of images/, models or features, sorted", l->path,
                        (long long)l->line);
    }
    snprintf(l->hash, sizeof l->hash, "%.*s", BACKUP_HEX, line);
    snprintf(l->file, sizeof l->file, "%s", line + BACKUP_HEX + 2);
    return OK;
}

enum err_code backup_list_open(struct backup_list *l, const char *folder, const char *name, struct err *err)
{
    int fd;
    *l = (struct backup_list){.path = name};
    if (!folder) {
        return OK;
    }
    enum err_code rc = fs_open_below(folder, name, &fd, err);
    if (rc != OK) {
        return rc;
    }
    l->f = fdopen(fd, "r");
    BUG_IF(!l->f);
    return backup_list_next(l, err);
}

void backup_list_close(struct backup_list *l)
{
    if (l->f) {
        fclose(l->f);
    }
}

enum err_code backup_hash_text(const char *path, char hex[BACKUP_HEX + 1], struct err *err)
{
    unsigned char hash[CRYPTO_CONTENT];
    enum err_code rc = crypto_blake2b_file(path, hash, NULL, err);
    if (rc == OK) {
        crypto_hex(hash, sizeof hash, hex);
    }
    return rc;
}
