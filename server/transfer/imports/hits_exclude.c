/* hits_exclude.c - reads the lists of HITs that are left out. */
#include "transfer/imports/hits_exclude.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/csv.h"

void hits_exclude_init(struct hits_exclude *x)
{
    *x = (struct hits_exclude){0};
    map_sv_init(&x->names);
}

void hits_exclude_release(struct hits_exclude *x)
{
    map_sv_release(&x->names);
    free(x->reasons);
    free(x->words);
    free(x->met);
}

static struct sv file_name(struct sv path)
{
    const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
    return slash ? sv_make(slash + 1, (size_t)(path.p + path.n - slash - 1)) : path;
}

static void add(struct hits_exclude *x, struct import *im, uint64_t line, struct sv name,
                struct sv reason)
{
    struct arena *a = im->tr->arena;
    name = file_name(sv_trim(name));
    reason = sv_trim(reason);
    if (!name.n || reason.n > HITS_REASON_MOST) {
        import_bad(im, line,
                   "this needs the uuid of a HIT, or the name of a file of HITs, and a reason of at "
                   "most %d bytes",
                   HITS_REASON_MOST);
        return;
    }
    if (map_sv_put(&x->names, name, (uint32_t)x->n) != x->n) {
        return;
    }
    xgrow(&x->reasons, &x->cap, x->n + 1, sizeof *x->reasons);
    xgrow(&x->words, &x->cap_words, x->n + 1, sizeof *x->words);
    xgrow(&x->met, &x->cap_met, x->n + 1, sizeof *x->met);
    x->reasons[x->n] = reason.n ? arena_sv(a, reason) : SV("excluded");
    x->words[x->n] = arena_sv(a, name);
    x->met[x->n++] = false;
}

static struct sv text_of(const json_t *v)
{
    return json_is_string(v) ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

static enum err_code read_json(struct hits_exclude *x, struct import *im)
{
    json_error_t why;
    json_t *whole = json_loadb(im->text.p, im->text.n, JSON_REJECT_DUPLICATES, &why), *v;
    const char *name;
    size_t i;
    uint64_t entry = 0;
    if (!whole) {
        return err_set(im->tr->err, ERR_INPUT, "%s:%d: %s", im->name, why.line, why.text);
    }
    im->by_entry = true;
    json_object_foreach(whole, name, v)
    {
        add(x, im, ++entry, sv_of(name), text_of(v));
    }
    json_array_foreach(whole, i, v)
    {
        add(x, im, i + 1, text_of(v), SV(""));
    }
    json_decref(whole);
    return OK;
}

static enum err_code read_csv(struct hits_exclude *x, struct import *im, int hit,
                              struct csv *csv)
{
    int reason = csv_column(csv, "reason");
    bool more = true;
    enum err_code rc = OK;
    while (rc == OK && (rc = csv_next(csv, &more, im->tr->err)) == OK && more) {
        add(x, im, csv->line, csv->cells[hit], reason >= 0 ? csv->cells[reason] : SV(""));
    }
    return rc;
}

/* CSV when its header has the column hit; otherwise every line is a name. */
static enum err_code read_text(struct hits_exclude *x, struct import *im)
{
    struct sv rest = im->text;
    struct csv csv;
    enum err_code rc = csv_open(&csv, im->name, im->text, im->tr->err);
    int hit = rc == OK ? csv_column(&csv, "hit") : -1;
    if (rc == OK && hit >= 0) {
        rc = read_csv(x, im, hit, &csv);
    }
    csv_close(&csv);
    for (uint64_t line = 1; rc == OK && hit < 0 && rest.n; line++) {
        struct sv name = sv_trim(sv_cut(&rest, '\n'));
        if (name.n) {
            add(x, im, line, name, SV(""));
        }
    }
    return rc;
}

static enum err_code read_file(struct hits_exclude *x, struct transfer *tr, const char *path)
{
    struct import im;
    enum err_code rc = import_open(&im, tr, path);
    struct sv start = rc == OK ? sv_trim(im.text) : SV("");
    if (rc == OK && start.n && (start.p[0] == '{' || start.p[0] == '[')) {
        rc = read_json(x, &im);
    } else if (rc == OK && start.n) {
        rc = read_text(x, &im);
    }
    if (rc == OK && x->n > HITS_EXCLUDE_MOST) {
        rc = err_rule(tr->err, ERR_LIMIT, "import-size",
                      "%s: more than %d HITs are left out. Nothing was written.", path,
                      HITS_EXCLUDE_MOST);
    }
    rc = rc == OK ? import_checked(&im) : rc;
    import_close(&im);
    return rc;
}

enum err_code hits_exclude_read(struct hits_exclude *x, struct transfer *tr, const char **files, size_t n)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = read_file(x, tr, files[i]);
    }
    return rc;
}

struct sv hits_exclude_reason(struct hits_exclude *x, const struct sv *names, size_t n)
{
    struct sv reason = SV("");
    for (size_t i = 0; i < n; i++) {
        struct sv name = file_name(names[i]);
        uint32_t at = name.n ? map_sv_get(&x->names, name) : MAP_NONE;
        if (at != MAP_NONE) {
            x->met[at] = true;
            reason = reason.n ? reason : x->reasons[at];
        }
    }
    return reason;
}

void hits_exclude_tell(const struct hits_exclude *x, const struct transfer *tr)
{
    size_t n = 0;
    struct sv first = SV("");
    for (size_t i = 0; i < x->n; i++) {
        first = !x->met[i] && n == 0 ? x->words[i] : first;
        n += !x->met[i];
    }
    if (n) {
        transfer_warn(tr,
                 "%zu of the %zu names in --exclude are neither a HIT nor a file that was read; the first is "
                 SV_FMT ".",
                 n, x->n, SV_ARG(first));
    }
}
