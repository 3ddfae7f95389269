/* manifest.c - rows of an image manifest. Knows the columns and what they may look like; nothing of
 * the project, and no file but the text in memory. */
#include "formats/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/outside.h"

enum { SHOWN = 100 }; /* bytes of a link in a message */

static const struct {
    const char *name, *also; /* a second name of the column */
    size_t most;
} fields[MANIFEST_FIELDS] = {
    [MANIFEST_ID] = {"id", NULL, MANIFEST_ID_MOST},
    [MANIFEST_PATH] = {"path", NULL, MANIFEST_PATH_MOST},
    [MANIFEST_CLASS] = {"class", NULL, MANIFEST_ID_MOST},
    [MANIFEST_ROLE] = {"role", NULL, MANIFEST_ID_MOST},
    [MANIFEST_TAKEN_AT] = {"taken_at", NULL, MANIFEST_ID_MOST},
    [MANIFEST_SOURCE_ID] = {"source_id", NULL, MANIFEST_ID_MOST},
    [MANIFEST_LINK] = {"link", "source_url", MANIFEST_TEXT_MOST},
    [MANIFEST_AUTHOR] = {"author", NULL, MANIFEST_TEXT_MOST},
    [MANIFEST_LICENCE] = {"licence", NULL, MANIFEST_TEXT_MOST},
    [MANIFEST_KEYWORD] = {"keyword", NULL, MANIFEST_TEXT_MOST},
};
#define KNOWN                                                                                      \
    "id, path, class, role, taken_at, source_id, link (or source_url), author, licence, keyword"

static const char *const roles[] = {"original", "candidate", "reference", "gold", "training"};

int manifest_role(struct sv word)
{
    for (int i = 0; i < (int)(sizeof roles / sizeof *roles); i++) {
        if (sv_is(word, roles[i])) {
            return i;
        }
    }
    return -1;
}

static bool has_control(struct sv text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c < 0x20 || c == 0x7f) {
            return true;
        }
    }
    return false;
}

bool manifest_id_good(struct sv id)
{
    return id.n > 0 && id.n <= MANIFEST_ID_MOST && sv_utf8(id) && !has_control(id);
}

/* The digits of `text` from `at` on as a number; -1 when there is anything else. */
static int number(struct sv text, size_t at, size_t n)
{
    int v = 0;
    for (size_t i = at; i < at + n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9') {
            return -1;
        }
        v = v * 10 + (text.p[i] - '0');
    }
    return v;
}

static bool day_good(struct sv d)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = number(d, 0, 4), month = number(d, 5, 2), day = number(d, 8, 2);
    if (d.p[4] != '-' || d.p[7] != '-' || year < 1 || month < 1 || month > 12) {
        return false;
    }
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return day >= 1 && day <= days[month - 1] + (month == 2 && leap);
}

static bool between(int v, int most)
{
    return v >= 0 && v <= most;
}

bool manifest_date_good(struct sv d)
{
    if (d.n == 10) {
        return day_good(d);
    }
    return d.n == 19 && day_good(d) && d.p[10] == ' ' && d.p[13] == ':' && d.p[16] == ':' &&
           between(number(d, 11, 2), 23) && between(number(d, 14, 2), 59) &&
           between(number(d, 17, 2), 60);
}

/* The field that a column or member is; MANIFEST_FIELDS for an unknown one. */
static size_t field_named(struct sv name)
{
    size_t i = 0;
    while (i < MANIFEST_FIELDS && !sv_is(name, fields[i].name) &&
           !(fields[i].also && sv_is(name, fields[i].also))) {
        i++;
    }
    return i;
}

static enum err_code map_columns(struct manifest *m, struct err *err)
{
    for (size_t c = 0; c < m->csv.n_header; c++) {
        struct sv name = m->csv.header[c];
        size_t f = field_named(name);
        if (f == MANIFEST_FIELDS) {
            return err_set(err, ERR_INPUT, "%s:1: unknown column \"" SV_FMT "\"; the columns are "
                           KNOWN, m->name, SV_ARG(name));
        }
        if (m->column[f] >= 0) {
            return err_set(err, ERR_INPUT, "%s:1: column %s appears twice", m->name,
                           fields[f].name);
        }
        m->column[f] = (int)c;
    }
    for (size_t f = MANIFEST_ID; f <= MANIFEST_CLASS; f++) {
        if (m->column[f] < 0) {
            return err_set(err, ERR_INPUT, "%s:1: there is no column %s. id, path and class are required; "
                           "the columns are " KNOWN, m->name, fields[f].name);
        }
    }
    return OK;
}

/* Told by the name's ending, else by the first character that is not blank. */
static bool is_json(const char *name, struct sv text)
{
    struct sv n = sv_of(name);
    if (sv_ends(n, ".jsonl") || sv_ends(n, ".ndjson") || sv_ends(n, ".json")) {
        return true;
    }
    text = sv_trim(sv_unmarked(text));
    return !sv_ends(n, ".csv") && text.n && text.p[0] == '{';
}

enum err_code manifest_open(struct manifest *m, const char *name, struct sv text, struct err *err)
{
    *m = (struct manifest){.name = name, .json = is_json(name, text)};
    for (size_t i = 0; i < MANIFEST_FIELDS; i++) {
        m->column[i] = -1;
    }
    if (m->json) {
        jsonl_open(&m->lines, name, text);
        return OK;
    }
    enum err_code rc = csv_open(&m->csv, name, text, err);
    if (rc != OK) {
        return rc;
    }
    rc = map_columns(m, err);
    if (rc != OK) {
        csv_close(&m->csv);
    }
    return rc;
}

void manifest_close(struct manifest *m)
{
    if (!m->json) {
        csv_close(&m->csv);
    }
    json_decref(m->object);
    m->object = NULL;
}

/* The readers put "NAME:LINE: " before what they say; here the caller says where. */
static enum err_code without_place(const struct manifest *m, const struct err *why,
                                   struct err *err)
{
    char place[sizeof why->msg];
    int n = snprintf(place, sizeof place, "%s:%" PRIu64 ": ", m->name, m->line);
    bool there = n > 0 && strncmp(why->msg, place, (size_t)n) == 0;
    return err_set(err, why->code, "%s", there ? why->msg + n : why->msg);
}

static enum err_code next_csv(struct manifest *m, bool *more, struct err *err)
{
    struct err why = {OK, "", ""};
    enum err_code rc = csv_next(&m->csv, more, &why);
    m->line = m->csv.line;
    if (rc != OK) {
        *more = true; /* the lines behind a bad one are read as well */
        return without_place(m, &why, err);
    }
    for (size_t f = 0; f < MANIFEST_FIELDS && *more; f++) {
        int c = m->column[f];
        m->field[f] = c < 0 ? SV("") : m->csv.cells[c];
    }
    return OK;
}

/* A text, a whole number, or null for absent. */
static enum err_code take_member(struct manifest *m, const char *key, size_t f, const json_t *v,
                                 struct err *err)
{
    if (json_is_null(v)) {
        return OK;
    }
    if (m->field[f].p) {
        return err_set(err, ERR_INPUT, "%s appears twice", fields[f].name);
    }
    if (json_is_integer(v)) {
        int n = snprintf(m->number[f], sizeof m->number[f], "%" JSON_INTEGER_FORMAT,
                         json_integer_value(v));
        m->field[f] = sv_make(m->number[f], (size_t)n);
        return OK;
    }
    if (!json_is_string(v)) {
        return err_set(err, ERR_INPUT, "\"%.100s\" must be a string", key);
    }
    m->field[f] = sv_make(json_string_value(v), json_string_length(v));
    return OK;
}

static enum err_code next_json(struct manifest *m, bool *more, struct err *err)
{
    struct err why = {OK, "", ""};
    const char *key;
    json_t *v;
    json_decref(m->object);
    m->object = NULL;
    enum err_code rc = jsonl_next(&m->lines, &m->object, &why);
    m->line = m->lines.line;
    *more = rc != OK || m->object;
    if (rc != OK) {
        return without_place(m, &why, err);
    }
    memset(m->field, 0, sizeof m->field);
    json_object_foreach(m->object, key, v) {
        size_t f = field_named(sv_of(key));
        rc = f < MANIFEST_FIELDS
                 ? take_member(m, key, f, v, err)
                 : err_set(err, ERR_INPUT, "unknown member \"%.100s\"; the members are " KNOWN, key);
        if (rc != OK) {
            return rc;
        }
    }
    return OK;
}

static enum err_code check_field(const struct manifest *m, size_t f, struct err *err)
{
    struct sv v = m->field[f];
    if (v.n == 0) {
        return f <= MANIFEST_CLASS ? err_set(err, ERR_INPUT, "there is no %s", fields[f].name) : OK;
    }
    if (v.n > fields[f].most) {
        return err_set(err, ERR_INPUT, "%s has %zu bytes; the limit is %zu", fields[f].name, v.n,
                       fields[f].most);
    }
    if (!sv_utf8(v) || has_control(v)) {
        return err_set(err, ERR_INPUT, "%s must be UTF-8 without control characters",
                       fields[f].name);
    }
    if (f == MANIFEST_ID && outside_runs(v)) {
        return err_set(err, ERR_INPUT, "the id " OUTSIDE_FORMULA_TEXT);
    }
    if (f == MANIFEST_LINK && !outside_web_link(v)) {
        return err_set(err, ERR_INPUT, "link \"%.*s\" must begin with http:// or https:// and contain no "
                       "spaces or quotes", v.n < SHOWN ? (int)v.n : SHOWN, v.p);
    }
    if ((f == MANIFEST_AUTHOR || f == MANIFEST_LICENCE) && outside_script_link(v)) {
        return err_set(err, ERR_INPUT, "%s must be text, or a link with http or https",
                       fields[f].name);
    }
    return OK;
}

static enum err_code check_row(const struct manifest *m, struct err *err)
{
    for (size_t f = 0; f < MANIFEST_FIELDS; f++) {
        enum err_code rc = check_field(m, f, err);
        if (rc != OK) {
            return rc;
        }
    }
    struct sv role = m->field[MANIFEST_ROLE], date = m->field[MANIFEST_TAKEN_AT];
    if (role.n && manifest_role(role) < 0) {
        return err_set(err, ERR_INPUT,
                       "role \"" SV_FMT "\" must be original, candidate, reference, gold or training",
                       SV_ARG(role));
    }
    if (date.n && !manifest_date_good(date)) {
        return err_set(err, ERR_INPUT,
                       "taken_at \"" SV_FMT "\" must be a date YYYY-MM-DD or YYYY-MM-DD HH:MM:SS",
                       SV_ARG(date));
    }
    return OK;
}

enum err_code manifest_next(struct manifest *m, bool *more, struct err *err)
{
    enum err_code rc = m->json ? next_json(m, more, err) : next_csv(m, more, err);
    return rc == OK && *more ? check_row(m, err) : rc;
}
