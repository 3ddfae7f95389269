/* blacklist_import.c - `holdout import blacklist`: images that must not be in a set, and why.
 *
 * CSV with the column image, and how the reason is given: `reason`, a word of the list or any text;
 * `reason_code`, a number whose text is in another file (code,reason); or not at all, in a list of images alone: a file
 * with other columns instead is of another kind. Or the published JSON, {image: reason}. Texts become the nearest word
 * of the list and are kept as the note.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/csv.h"
#include "store/images/images.h"
#include "store/review/blacklist.h"
#include "store/work/grids.h"
#include "transfer/imports/decisions.h"
#include "transfer/imports/imports.h"

#define NO_REASON "imported without a reason"

struct entry {
    struct sv name, note;
    enum blacklist_reason reason;
};
struct blacklist_import {
    struct decision_import d;
    struct entry *entries;
    size_t cap;
    struct sv *texts; /* of reason codes */
    size_t n_texts, cap_texts;
    struct map_sv codes;
    const char *file, *reasons; /* of the list; of what codes mean, or NULL */
};

/* "3c7987e5-737d-4f07-9905-35b1d76c181a" */
static bool looks_like_uuid(struct sv name)
{
    bool good = name.n == 36;
    for (size_t i = 0; i < name.n && good; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        good = dash ? name.p[i] == '-' : isxdigit((unsigned char)name.p[i]) != 0;
    }
    return good;
}

/* A study's list of bad HITs has the form of its list of bad images. */
static enum err_code refuse_hit(struct db *db, struct sv name, struct err *err)
{
    int64_t image = 0;
    bool hit = false;
    enum err_code rc = images_find(db, name, &image, err);
    rc = rc == OK && !image ? grids_named(db, name, &hit, err) : rc;
    return rc != OK || image || (!hit && !looks_like_uuid(name))
               ? rc
               : err_rule(err, ERR_INPUT, "blacklist-hit",
                          SV_FMT " is the id of a HIT, not of an image. To leave out a HIT, use `import hits "
                                 "--exclude`; if an image really has this name, import it first",
                          SV_ARG(name));
}

static enum err_code put(struct db *db, void *arg, size_t i, int64_t event, bool *added,
                         struct err *err)
{
    const struct blacklist_import *bi = arg;
    const struct entry *e = &bi->entries[i];
    enum err_code rc = event ? OK : refuse_hit(db, e->name, err);
    return rc == OK ? blacklist_put(db, event, e->name, true, sv_of(blacklist_reasons[e->reason]), e->note,
                    added, err)
                    : rc;
}

static bool same_entry(const struct entry *a, const struct entry *b)
{
    return a->reason == b->reason && sv_eq(a->note, b->note);
}

static void add_entry(struct blacklist_import *bi, uint64_t line, struct sv name, struct sv text,
                      struct sv note)
{
    struct import *im = &bi->d.im;
    enum blacklist_reason word = blacklist_reason_of(text);
    struct entry e = {.reason = word < BLACKLIST_REASONS ? word : blacklist_reason_guess(text),
                      .note = note.n                     ? note
                              : word < BLACKLIST_REASONS ? SV("")
                                                         : text};
    bi->d.rows++;
    if (!decision_import_name(&bi->d, line, name)) {
        return;
    }
    if (text.n == 0) {
        e.reason = BLACKLIST_OTHER;
        e.note = note.n ? note : SV(NO_REASON);
    }
    size_t at = decision_import_seen(&bi->d, name);
    if (at < bi->d.n && same_entry(&bi->entries[at], &e)) {
        return;
    }
    if (at < bi->d.n) {
        import_bad(im, line, "image " SV_FMT " is in the list with another reason in %s %llu",
                   SV_ARG(name), im->by_entry ? "entry" : "line",
                   (unsigned long long)bi->d.at[at].line);
        return;
    }
    e.name = arena_sv(im->tr->arena, name);
    e.note = arena_sv(im->tr->arena, e.note);
    xgrow(&bi->entries, &bi->cap, bi->d.n + 1, sizeof *bi->entries);
    bi->entries[decision_import_add(&bi->d, line)] = e;
}

/* ---- reason codes ---- */

static enum err_code read_codes(struct blacklist_import *bi, const char *path)
{
    struct transfer *tr = bi->d.im.tr;
    struct fs_map map = {0};
    struct csv csv;
    int code = 0, reason = 0;
    bool more = true;
    enum err_code rc = fs_map(path, &map, tr->err);
    if (rc != OK) {
        return rc;
    }
    rc = csv_open(&csv, path, sv_make((const char *)map.data, map.n), tr->err);
    rc = rc == OK ? csv_need(&csv, "code", &code, tr->err) : rc;
    rc = rc == OK ? csv_need(&csv, "reason", &reason, tr->err) : rc;
    while (rc == OK && (rc = csv_next(&csv, &more, tr->err)) == OK && more) {
        if (map_sv_put(&bi->codes, csv.cells[code], (uint32_t)bi->n_texts) != bi->n_texts) {
            rc = err_set(tr->err, ERR_INPUT, "%s:%llu: code " SV_FMT " appears twice", path,
                         (unsigned long long)csv.line, SV_ARG(csv.cells[code]));
        }
        xgrow(&bi->texts, &bi->cap_texts, bi->n_texts + 1, sizeof *bi->texts);
        bi->texts[bi->n_texts++] = arena_sv(tr->arena, csv.cells[reason]);
    }
    csv_close(&csv);
    fs_unmap(&map);
    return rc;
}

/* The file that is named, or as the study has it NAME_reasons.csv beside NAME.csv. */
static enum err_code find_codes(struct blacklist_import *bi)
{
    struct transfer *tr = bi->d.im.tr;
    const char *file = bi->file;
    size_t stem = strlen(file);
    if (bi->reasons) {
        return read_codes(bi, bi->reasons);
    }
    if (sv_ends(sv_of(file), ".csv")) {
        stem -= strlen(".csv");
    }
    const char *beside = arena_printf(tr->arena, "%.*s_reasons.csv", (int)stem, file);
    if (strcmp(file, "-") == 0 || !fs_exists(beside)) {
        return err_rule(
            tr->err, ERR_INPUT, "blacklist-codes",
            "%s gives reasons as codes: name the file that says what they mean (code,reason) with "
            "--reasons. Nothing was written.",
            bi->d.im.name);
    }
    transfer_note(tr, "Reasons are read from %s.", beside);
    return read_codes(bi, beside);
}

static struct sv text_of_code(struct blacklist_import *bi, uint64_t line, struct sv code)
{
    uint32_t at = map_sv_get(&bi->codes, code);
    if (at == MAP_NONE) {
        import_bad(&bi->d.im, line, "reason code " SV_FMT " is not in the file of reasons",
                   SV_ARG(code));
        return SV("");
    }
    return bi->texts[at];
}

/* ---- the file ---- */

/* A set's list or predictions have the column image too, and would blacklist all that they name. */
static enum err_code refuse_other_kind(const struct csv *csv, struct err *err)
{
    for (size_t i = 0; i < csv->n_header; i++) {
        if (!sv_is(csv->header[i], "image") && !sv_is(csv->header[i], "note")) {
            return err_rule(err, ERR_INPUT, "blacklist-columns",
                            "%s:1: there is no column reason, and the column \"" SV_FMT "\" is not one of a blacklist. "
                            "A list without reasons has the column image and perhaps note. Nothing was written.",
                            csv->name, SV_ARG(csv->header[i]));
        }
    }
    return OK;
}

static enum err_code read_csv(struct blacklist_import *bi)
{
    struct import *im = &bi->d.im;
    struct err *err = im->tr->err;
    struct csv csv;
    int image = 0;
    bool more = true;
    enum err_code rc = csv_open(&csv, im->name, im->text, err);
    rc = rc == OK ? csv_need(&csv, "image", &image, err) : rc;
    int reason = rc == OK ? csv_column(&csv, "reason") : -1;
    int code = rc == OK ? csv_column(&csv, "reason_code") : -1;
    int note = rc == OK ? csv_column(&csv, "note") : -1;
    if (rc == OK && code >= 0 && reason < 0) {
        rc = find_codes(bi);
    } else if (rc == OK && reason < 0) {
        rc = refuse_other_kind(&csv, err);
    }
    while (rc == OK && (rc = csv_next(&csv, &more, err)) == OK && more) {
        struct sv text = reason >= 0 ? csv.cells[reason]
                         : code >= 0 ? text_of_code(bi, csv.line, csv.cells[code])
                                     : SV("");
        add_entry(bi, csv.line, csv.cells[image], sv_trim(text),
                  note >= 0 ? sv_trim(csv.cells[note]) : SV(""));
        transfer_progress(im->tr, "reading the blacklist", bi->d.n, 0);
    }
    csv_close(&csv);
    return rc;
}

static enum err_code read_json(struct blacklist_import *bi)
{
    json_t *whole = NULL, *reason;
    const char *name;
    uint64_t entry = 0;
    enum err_code rc = decision_import_object(&bi->d, &whole);
    json_object_foreach(whole, name, reason)
    {
        entry++;
        if (!json_is_string(reason)) {
            import_bad(&bi->d.im, entry, "the reason of %s is not text", name);
            continue;
        }
        add_entry(bi, entry, sv_of(name), sv_trim(sv_of(json_string_value(reason))), SV(""));
    }
    json_decref(whole);
    return rc;
}

enum err_code blacklist_import(struct transfer *tr, const char *path, const char *reasons)
{
    struct blacklist_import bi = {
        .d = {.event = "blacklist.import", .what = "Blacklist entries", .put = put},
        .file = path,
        .reasons = reasons};
    bi.d.arg = &bi;
    map_sv_init(&bi.codes);
    enum err_code rc = decision_import_open(&bi.d, tr, path);
    if (rc == OK) {
        struct sv start = sv_trim(bi.d.im.text);
        rc = start.n && (start.p[0] == '{' || start.p[0] == '[') ? read_json(&bi) : read_csv(&bi);
    }
    rc = rc == OK ? decision_import_run(&bi.d) : rc;
    free(bi.entries);
    free(bi.texts);
    map_sv_release(&bi.codes);
    decision_import_close(&bi.d);
    return rc;
}
