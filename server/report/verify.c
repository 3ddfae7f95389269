/* verify.c - reads a report, compares its files with their digests, makes it once more from the project and compares. */
#include "report/verify.h"

#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "crypto/crypto.h"
#include "report/compare.h"

enum { FILE_MOST = 1 << 28, FILES_MOST = 10000 };

#define OF(member) RECORD_OF(struct verify_finding, member)
RECORD(verify_finding_record, struct verify_finding, "report_finding", "Where a report differs from what was written or from its project.",
       {"file", OF(file), .about = "The file."},
       {"row", OF(row), .maybe = true, .about = "The row, or the line; null: the whole file."},
       {"column", OF(column), .maybe = true, .about = "The column of a table."},
       {"reported", OF(reported), .maybe = true, .about = "What the report says; of a file its digest as it is."},
       {"recomputed", OF(recomputed), .maybe = true, .about = "What the project says; of a file its digest as it was written."});
#undef OF

struct verify {
    const struct verify_ask *ask;
    struct arena *a;
    struct verify_found *out;
    struct err *err;
    struct compare compare;
    json_t *manifest;
    const json_t *files;
};

/* Without leaving the folder. ERR_NOT_FOUND, ERR_INPUT: there is no such file. */
static enum err_code read_file(const struct verify *v, const char *name, struct sv *out, struct err *err)
{
    int fd = -1;
    struct str text;
    enum err_code rc = fs_open_below(v->ask->folder, name, &fd, err);
    if (rc != OK) {
        return rc;
    }
    str_init(&text, FILE_MOST);
    rc = fs_read_fd(fd, name, &text, err);
    close(fd);
    *out = rc == OK ? arena_sv(v->a, str_sv(&text)) : SV("");
    str_release(&text);
    return rc;
}

static void find(struct verify *v, const char *file, const char *row, const char *reported, const char *recomputed)
{
    const struct verify_finding f = {file, row, "", reported, recomputed};
    compare_add(&v->compare, &f);
}

/* ---- the manifest ---- */

static enum err_code no_manifest(const struct verify *v)
{
    return err_rule(v->err, ERR_INPUT, "report-manifest", "%s is no report: %s is missing, or is not what `holdout report` writes.", v->ask->folder,
                    REPORT_MANIFEST);
}

static bool is_ours(const struct verify *v)
{
    const char *format = json_string_value(json_object_get(v->manifest, "format"));
    bool ours = format && strcmp(format, REPORT_FORMAT) == 0 && json_integer_value(json_object_get(v->manifest, "version")) == REPORT_VERSION &&
                json_is_array(v->files) && json_array_size(v->files) <= FILES_MOST && json_is_object(json_object_get(v->manifest, "used"));
    for (size_t i = 0; i < json_array_size(v->files) && ours; i++) {
        const json_t *f = json_array_get(v->files, i);
        ours = json_is_string(json_object_get(f, "file")) && json_is_string(json_object_get(f, "sha256"));
    }
    return ours;
}

static enum err_code read_manifest(struct verify *v)
{
    struct err why = {0};
    struct sv text;
    if (read_file(v, REPORT_MANIFEST, &text, &why) != OK) {
        return no_manifest(v);
    }
    v->manifest = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, NULL);
    v->files = json_object_get(v->manifest, "files");
    if (!is_ours(v)) {
        return no_manifest(v);
    }
    const char *tool = json_string_value(json_object_get(v->manifest, "tool"));
    v->out->tool = arena_strdup(v->a, tool ? tool : "");
    return OK;
}

/* ---- digests ---- */

static bool is_listed(const struct verify *v, const char *name)
{
    bool listed = strcmp(name, REPORT_MANIFEST) == 0;
    for (size_t i = 0; i < json_array_size(v->files) && !listed; i++) {
        listed = strcmp(json_string_value(json_object_get(json_array_get(v->files, i), "file")), name) == 0;
    }
    return listed;
}

static enum err_code check_listed(void *arg, const char *name, struct err *err)
{
    struct verify *v = arg;
    (void)err;
    if (!is_listed(v, name)) {
        find(v, arena_strdup(v->a, name), "", "there", "not part of the report");
    }
    return OK;
}

static void check_digest(struct verify *v, const json_t *file)
{
    const char *name = arena_strdup(v->a, json_string_value(json_object_get(file, "file")));
    const char *written = arena_strdup(v->a, json_string_value(json_object_get(file, "sha256")));
    unsigned char digest[CRYPTO_HASH];
    struct err why = {0};
    struct sv text;
    char hex[2 * CRYPTO_HASH + 1];
    if (read_file(v, name, &text, &why) != OK) {
        find(v, name, "", "missing", written);
        return;
    }
    v->out->files++;
    crypto_sha256(text.p, text.n, digest);
    crypto_hex(digest, sizeof digest, hex);
    if (strcmp(hex, written) != 0) {
        find(v, name, "", arena_strdup(v->a, hex), written);
    }
}

static enum err_code check_files(struct verify *v)
{
    for (size_t i = 0; i < json_array_size(v->files); i++) {
        check_digest(v, json_array_get(v->files, i));
    }
    return fs_walk(v->ask->folder, check_listed, v, v->err);
}

/* ---- numbers ---- */

static enum err_code recompute(struct verify *v)
{
    struct report_ask ask = {.analysis = analysis_usual, .pinned = v->manifest, .progress = v->ask->progress, .arg = v->ask->arg};
    const json_t *plan = json_object_get(json_object_get(v->manifest, "plan"), "name");
    struct report made;
    if (json_is_string(plan)) {
        ask.plan = arena_sv(v->a, sv_of(json_string_value(plan)));
    }
    enum err_code rc = analysis_read_json(json_object_get(v->manifest, "analysis"), REPORT_MANIFEST, v->a, &ask.analysis, v->err);
    rc = rc == OK ? report_make(v->ask->db, &ask, v->a, &made, v->err) : rc;
    for (size_t i = 0; rc == OK && i < made.n; i++) {
        struct err why = {0};
        struct sv text;
        if (read_file(v, made.files[i].name, &text, &why) == OK) {
            compare_files(&v->compare, made.files[i].name, text, made.files[i].text);
        } else if (!is_listed(v, made.files[i].name)) {
            find(v, made.files[i].name, "", "missing", "part of the report");
        }
    }
    v->out->recomputed = rc == OK;
    return rc;
}

enum err_code report_verify(const struct verify_ask *ask, struct arena *a, struct verify_found *out, struct err *err)
{
    struct verify v = {.ask = ask, .a = a, .out = out, .err = err, .compare = {.a = a, .out = out}};
    *out = (struct verify_found){.tool = ""};
    enum err_code rc = read_manifest(&v);
    rc = rc == OK ? check_files(&v) : rc;
    rc = rc == OK && ask->db ? recompute(&v) : rc;
    json_decref(v.manifest);
    out->findings = v.compare.findings.items;
    out->n = v.compare.findings.n;
    return rc;
}
