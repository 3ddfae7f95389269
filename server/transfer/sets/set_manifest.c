/* set_manifest.c - reads the manifest of an exported set. It comes from outside: nothing in it is
 * believed that can be computed, and what it says of states is written as this project's own
 * decisions. */
#include "transfer/sets/set_manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/crypto.h"
#include "formats/csv.h"
#include "formats/manifest.h"
#include "sets/export/export.h"
#include "store/images/images.h"
#include "store/sets/export_images.h"

enum { STRATEGY_MOST = 40, PARAMETERS_MOST = 1 << 16 };

/* ---- manifest.json ---- */

struct reading {
    struct transfer *tr;
    const char *file;
    struct set_manifest *out;
};

static enum err_code wrong(struct reading *r, const char *what)
{
    return err_rule(r->tr->err, ERR_INPUT, "set-manifest", "%s: %s. Nothing was written.",
                    r->file, what);
}

static struct sv text_of(const json_t *v)
{
    return json_is_string(v) ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

static bool is_word(struct sv s)
{
    bool good = s.n > 0 && s.n <= STRATEGY_MOST;
    for (size_t i = 0; i < s.n && good; i++) {
        good = (s.p[i] >= 'a' && s.p[i] <= 'z') || s.p[i] == '-';
    }
    return good;
}

static enum err_code read_states(struct reading *r, const json_t *list)
{
    struct set_manifest *m = r->out;
    enum revision_state before = REVISION_SEALED;
    size_t i;
    const json_t *v;
    json_array_foreach(list, i, v)
    {
        struct sv word = text_of(json_object_get(v, "state")),
                  reason = text_of(json_object_get(v, "reason"));
        int s = REVISION_RELEASED;
        while (s > REVISION_SEALED && !sv_is(word, revision_state_word((enum revision_state)s))) {
            s--;
        }
        if (m->n_states == MANIFEST_STATES || s <= (int)before || reason.n == 0 ||
            reason.n > SET_REASON) {
            return wrong(r, "\"states\" must lead from sealed to unsealed, frozen and released, each with a "
                            "reason");
        }
        before = (enum revision_state)s;
        m->states[m->n_states].state = before;
        m->states[m->n_states++].reason = arena_sv(r->tr->arena, reason);
    }
    return json_is_array(list) ? OK : wrong(r, "\"states\" must be a list");
}

static enum err_code read_parameters(struct reading *r, const json_t *parameters)
{
    char *text =
        json_is_object(parameters) ? json_dumps(parameters, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    enum err_code rc = !text ? wrong(r, "\"parameters\" must be an object")
                       : strlen(text) > PARAMETERS_MOST
                           ? wrong(r, "\"parameters\" has more than 64 KiB")
                           : OK;
    if (rc == OK) {
        r->out->parameters = arena_sv(r->tr->arena, sv_of(text));
    }
    free(text);
    return rc;
}

static enum err_code read_members(struct reading *r, const json_t *json)
{
    struct set_manifest *m = r->out;
    struct arena *a = r->tr->arena;
    const json_t *valid = json_object_get(json, "valid");
    if (!sv_is(text_of(json_object_get(json, "format")), EXPORT_FORMAT)) {
        return wrong(r, "it is not the manifest of an exported set (\"format\" is not \"" EXPORT_FORMAT
                        "\")");
    }
    if (json_integer_value(json_object_get(json, "format_version")) != EXPORT_VERSION) {
        return wrong(r, "another version of holdout made it: this one reads \"format_version\" 1");
    }
    m->role = arena_sv(a, text_of(json_object_get(json, "role")));
    m->strategy = arena_sv(a, text_of(json_object_get(json, "strategy")));
    m->images = json_integer_value(json_object_get(json, "images"));
    m->withheld = json_integer_value(json_object_get(json, "withheld"));
    m->valid = json_is_boolean(valid) ? json_is_true(valid) : -1;
    if (!sv_is(m->role, "original") && !sv_is(m->role, "new")) {
        return wrong(r, "\"role\" must be original or new");
    }
    if (!is_word(m->strategy)) {
        return wrong(r, "\"strategy\" must be a word");
    }
    if (!crypto_unhex(text_of(json_object_get(json, "digest")), m->digest, SET_DIGEST)) {
        return wrong(r, "\"digest\" must be 64 hex digits");
    }
    enum err_code rc = read_parameters(r, json_object_get(json, "parameters"));
    return rc == OK ? read_states(r, json_object_get(json, "states")) : rc;
}

static enum err_code read_json(struct reading *r)
{
    struct str text;
    json_error_t why;
    str_init(&text, MANIFEST_JSON_MOST);
    enum err_code rc = fs_read(r->file, &text, r->tr->err);
    json_t *json =
        rc == OK ? json_loadb(text.n ? text.p : "", text.n, JSON_REJECT_DUPLICATES, &why) : NULL;
    str_release(&text);
    if (rc == OK && !json) {
        rc = err_set(r->tr->err, ERR_INPUT, "%s:%d: %s", r->file, why.line, why.text);
    }
    rc = rc == OK ? read_members(r, json) : rc;
    json_decref(json);
    return rc;
}

enum err_code set_manifest_read(struct transfer *tr, const char *path, struct set_manifest *out)
{
    struct arena *a = tr->arena;
    const char *slash = strrchr(path, '/');
    bool folder = fs_is_dir(path);
    *out = (struct set_manifest){.given = folder ||
                                          strcmp(slash ? slash + 1 : path, EXPORT_MANIFEST) == 0};
    if (!out->given) {
        return OK;
    }
    const char *dir = folder  ? path
                      : slash ? arena_cstr(a, sv_make(path, (size_t)(slash - path) + 1))
                              : ".";
    struct reading r = {.tr = tr, .file = fs_join(a, dir, EXPORT_MANIFEST), .out = out};
    out->list = fs_join(a, dir, EXPORT_LIST);
    out->tombstones = fs_join(a, dir, EXPORT_TOMBSTONES);
    if (folder && !fs_exists(r.file)) {
        return err_rule(
            tr->err, ERR_NOT_FOUND, "set-manifest",
            "%s has no " EXPORT_MANIFEST ": it is not a folder made by `holdout export set`.", path);
    }
    return read_json(&r);
}

enum err_code set_manifest_check(const struct set_manifest *m, size_t n,
                                 const unsigned char digest[SET_DIGEST], struct err *err)
{
    return m->images == (int64_t)n && memcmp(m->digest, digest, SET_DIGEST) == 0
               ? OK
               : err_rule(err, ERR_INPUT, "set-digest",
                          "%s does not match the digest in the " EXPORT_MANIFEST " beside it: one of the two "
                          "was changed. Nothing was written.",
                          m->list);
}

/* ---- bytes ---- */

struct bytes_check {
    struct csv csv;
    int image, sha256;
    size_t wrong;
    char first[MANIFEST_ID_MOST + 1];
};

static enum err_code check_row(struct transfer *tr, struct bytes_check *c)
{
    unsigned char want[IMAGE_SHA], have[IMAGE_SHA];
    struct sv name = c->csv.cells[c->image];
    bool found = false;
    if (!crypto_unhex(c->csv.cells[c->sha256], want, sizeof want)) {
        return OK; /* the export had no pixels of it */
    }
    enum err_code rc = sources_of_name(tr->db, name, have, &found, tr->err);
    if (rc == OK && found && memcmp(have, want, sizeof have) != 0 && c->wrong++ == 0) {
        snprintf(c->first, sizeof c->first, SV_FMT, SV_ARG(name));
    }
    return rc;
}

static enum err_code check_rows(struct transfer *tr, struct bytes_check *c, const char *file)
{
    bool more = true;
    enum err_code rc = csv_need(&c->csv, "image", &c->image, tr->err);
    rc = rc == OK ? csv_need(&c->csv, "sha256", &c->sha256, tr->err) : rc;
    while (rc == OK && (rc = csv_next(&c->csv, &more, tr->err)) == OK && more) {
        rc = check_row(tr, c);
    }
    return rc != OK || c->wrong == 0
               ? rc
               : err_rule(tr->err, ERR_CONFLICT, "set-bytes",
                          "%zu images have different bytes in this project from those that %s names; the "
                          "first is %s. One of the two was changed after the export. Nothing was written.",
                          c->wrong, file, c->first);
}

enum err_code set_manifest_bytes(struct transfer *tr, const struct set_manifest *m)
{
    struct bytes_check c = {0};
    struct fs_map map = {0};
    enum err_code rc = fs_map(m->list, &map, tr->err);
    if (rc == OK) {
        rc = csv_open(&c.csv, m->list, sv_make((const char *)map.data, map.n), tr->err);
        rc = rc == OK ? check_rows(tr, &c, m->list) : rc;
        csv_close(&c.csv);
    }
    fs_unmap(&map);
    return rc;
}

/* ---- states ---- */

/* How many of the manifest's states the revision has; none when it has others. */
static size_t states_there(const struct set_manifest *m, const struct export_state *list, size_t n)
{
    size_t same = 0;
    while (same < n && same < m->n_states && list[same].state == m->states[same].state &&
           sv_eq(list[same].reason, m->states[same].reason)) {
        same++;
    }
    return same == n ? same : 0;
}

enum err_code set_manifest_states(struct transfer *tr, const struct set_manifest *m, int64_t revision,
                                  bool added, int64_t now)
{
    struct export_state *list;
    size_t n = 0;
    enum err_code rc = export_states(tr->db, revision, tr->arena, &list, &n, tr->err);
    if (rc != OK) {
        return rc;
    }
    size_t from = added ? 1 : states_there(m, list, n);
    if (from == 0 || from >= m->n_states) {
        return OK; /* somebody decided otherwise here, or all is said */
    }
    rc = db_tx_begin(tr->db, tr->err);
    for (size_t i = from; i < m->n_states && rc == OK; i++) {
        rc = revision_state_add(tr->db, revision, m->states[i].state, m->states[i].reason, 0, now,
                                tr->err);
    }
    return db_tx_end(tr->db, rc, tr->err);
}
