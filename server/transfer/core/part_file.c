/* part_file.c - writes part files, resumes one that a killed run left, and reads them. */
#include "transfer/core/part_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool part_number(struct sv text, uint32_t *part, uint32_t *parts)
{
    struct sv rest = text, first = sv_cut(&rest, '/');
    int64_t i = 0, n = 0;
    bool good = sv_i64(first, &i) && rest.p && sv_i64(rest, &n) && n >= 1 && n <= PART_MOST && i >= 1 && i <= n;
    *part = good ? (uint32_t)i - 1 : 0;
    *parts = good ? (uint32_t)n : 1;
    return good;
}

/* ------------------------------------------------------------------ resuming */

static enum err_code read_seen(const char *path, struct sv text,
                               enum err_code (*seen)(void *arg, const json_t *line, struct err *err), void *arg,
                               struct err *err)
{
    struct jsonl lines;
    json_t *line = NULL;
    jsonl_open(&lines, path, text);
    enum err_code rc = jsonl_next(&lines, &line, err); /* the header */
    while (rc == OK && line) {
        json_decref(line);
        line = NULL;
        rc = jsonl_next(&lines, &line, err);
        rc = rc == OK && line ? seen(arg, line, err) : rc;
    }
    json_decref(line);
    return rc;
}

static size_t whole_lines(struct sv text)
{
    while (text.n > 0 && text.p[text.n - 1] != '\n') {
        text.n--;
    }
    return text.n;
}

/* *whole becomes the length up to the last line that is complete. */
static enum err_code resume(const struct part_file *part, struct sv header, const char *others, size_t *whole,
                            enum err_code (*seen)(void *arg, const json_t *line, struct err *err), void *arg,
                            struct err *err)
{
    struct fs_map map;
    enum err_code rc = fs_map(part->path, &map, err);
    if (rc != OK) {
        return rc;
    }
    size_t shared = map.n < header.n ? map.n : header.n;
    if (shared > 0 && memcmp(map.data, header.p, shared) != 0) {
        rc = err_rule(err, ERR_CONFLICT, "part-differs",
                      "%s already holds something else (another %s); remove it or name another file", part->path, others);
    } else if (shared == header.n) {
        *whole = whole_lines(sv_make((const char *)map.data, map.n));
        rc = read_seen(part->path, sv_make((const char *)map.data, *whole), seen, arg, err);
    }
    fs_unmap(&map);
    return rc;
}

enum err_code part_file_open(struct part_file *part, struct sv header, const char *others,
                             enum err_code (*seen)(void *arg, const json_t *line, struct err *err), void *arg,
                             struct err *err)
{
    bool out = strcmp(part->path, "-") == 0;
    size_t whole = 0;
    if (!out && fs_exists(part->path)) {
        enum err_code rc = resume(part, header, others, &whole, seen, arg, err);
        if (rc == OK && truncate(part->path, (off_t)whole) != 0) {
            rc = err_errno(err, errno, "cannot cut %s", part->path);
        }
        if (rc != OK) {
            return rc;
        }
    }
    part->file = out ? stdout : fopen(part->path, "ae");
    if (!part->file || (whole == 0 && fwrite(header.p, 1, header.n, part->file) != header.n)) {
        return err_errno(err, errno, "cannot write %s", part->path);
    }
    return OK;
}

/* ------------------------------------------------------------------ writing */

enum err_code part_file_add(struct part_file *part, json_t *line, struct err *err)
{
    size_t how = JSON_COMPACT | JSON_REAL_PRECISION((size_t)part->digits);
    bool bad = !line || json_dumpf(line, part->file, how) != 0 || fputc('\n', part->file) == EOF;
    json_decref(line);
    return bad ? err_errno(err, errno, "cannot write %s", part->path) : OK;
}

enum err_code part_file_flush(struct part_file *part, struct err *err)
{
    bool out = part->file == stdout;
    if (fflush(part->file) != 0 || (!out && fdatasync(fileno(part->file)) != 0)) {
        return err_errno(err, errno, "cannot write %s", part->path);
    }
    return OK;
}

void part_file_close(struct part_file *part)
{
    if (part->file && part->file != stdout) {
        fclose(part->file);
    }
    part->file = NULL;
}

/* ------------------------------------------------------------------ reading */

enum err_code part_read_open(struct part_read *p, const char *path, json_t **header, struct err *err)
{
    *p = (struct part_read){.path = path};
    *header = NULL;
    enum err_code rc = fs_map(path, &p->map, err);
    if (rc == OK) {
        struct sv text = sv_make((const char *)p->map.data, p->map.n);
        text.n = whole_lines(text);
        jsonl_open(&p->lines, path, text);
        rc = jsonl_next(&p->lines, header, err);
    }
    return rc;
}

void part_read_close(struct part_read *p)
{
    fs_unmap(&p->map);
}
