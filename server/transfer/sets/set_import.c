/* set_import.c - `holdout import set`: a published list of images with labels becomes a
 * revision of a set; so does a folder that `export set` made, with the state and parameters that
 * its manifest names.
 *
 * The list is final, so the revision is frozen unless `sealed` says that it is under construction.
 * Images that the project does not know are added by name, without pixels, as `import image-list`
 * does. The same list again changes nothing; a killed import is completed by the next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "sets/revisions/digest.h"
#include "transfer/imports/history_file.h"
#include "transfer/imports/imports.h"
#include "transfer/sets/seal_ask.h"
#include "transfer/sets/set_file.h"
#include "transfer/sets/set_manifest.h"
#include "transfer/imports/set_members.h"
#include "transfer/sets/set_name_note.h"
#include "transfer/sets/set_tombstones.h"

enum { PARAMETERS_MOST = 1 << 16 };

struct set_import {
    struct import im;
    struct set_file file;
    struct set_manifest manifest;
    struct set_tombstones tombstones;
    const struct set_ask *ask;
    struct sv role;
    struct set_members members;
    struct revision_image *images;
    struct revision_new r;
    struct revision_facts facts;
    struct seal_asked asked;
};

static enum err_code find_images(struct set_import *si)
{
    struct transfer *tr = si->im.tr;
    struct set_member *list = xcalloc(si->file.n, sizeof *list);
    for (size_t i = 0; i < si->file.n; i++) {
        const struct set_entry *e = &si->file.entries[i];
        list[i] =
            (struct set_member){.name = e->name, .class_id = si->im.class_list[e->class_at].id};
    }
    si->members = (struct set_members){
        .tr = tr, .now = si->im.now, .role = si->role, .list = list, .n = si->file.n};
    return set_members_find(&si->members);
}

/* The revision's images, when all have ids. */
static void take_images(struct set_import *si)
{
    si->images = xcalloc(si->file.n, sizeof *si->images);
    for (size_t i = 0; i < si->file.n; i++) {
        const struct set_member *m = &si->members.list[i];
        si->images[i] = (struct revision_image){m->image, (uint32_t)m->class_id};
    }
}

static void digest_of(const struct set_import *si, unsigned char out[SET_DIGEST])
{
    struct set_line *lines = xcalloc(si->file.n, sizeof *lines);
    for (size_t i = 0; i < si->file.n; i++) {
        const struct set_entry *e = &si->file.entries[i];
        lines[i] = (struct set_line){e->name, si->im.class_list[e->class_at].wnid};
    }
    set_digest(lines, si->file.n, out);
    free(lines);
}

/* JSON of what the file says of how its images were chosen, and what the file is. */
static enum err_code parameters_of(const struct set_import *si, struct sv *out)
{
    struct transfer *tr = si->im.tr;
    const char *slash = strrchr(si->im.name, '/');
    json_t *p = json_object();
    json_object_set_new(p, "file", json_string(slash ? slash + 1 : si->im.name));
    json_object_set_new(p, "format", json_string(si->file.format));
    if (si->file.parameters) {
        json_object_set(p, "dataset", si->file.parameters);
    }
    char *text = json_dumps(p, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(p);
    enum err_code rc = OK;
    if (!text || strlen(text) > PARAMETERS_MOST) {
        rc = err_rule(tr->err, ERR_LIMIT, "set-parameters",
                      "The members of %s other than its images have more than %d bytes. Nothing was written.",
                      si->im.name, PARAMETERS_MOST);
    } else {
        *out = arena_sv(tr->arena, sv_of(text));
    }
    free(text);
    return rc;
}

/* The revision was there: predictions without names follow its order, which may not be this file's.
 */
static enum err_code note_order(struct set_import *si, int64_t id)
{
    struct transfer *tr = si->im.tr;
    struct revision_image *there;
    size_t n = 0;
    enum err_code rc = revisions_images(tr->db, id, tr->arena, &there, &n, tr->err);
    if (rc == OK && (n != si->file.n || memcmp(there, si->images, n * sizeof *there) != 0)) {
        transfer_note(tr,
                 "%s lists the same images in another order. The order that was imported first "
                 "stays; predictions in this order need `import predictions --images %s`.",
                 si->im.name, si->im.name);
    }
    return rc;
}

/* What an exported set was, it is here too, but for `sealed`. */
static void take_manifest(struct set_import *si)
{
    const struct set_manifest *m = &si->manifest;
    struct revision_new *r = &si->r;
    si->facts = (struct revision_facts){.valid = m->valid};
    r->strategy = m->strategy;
    r->parameters = m->parameters;
    r->facts = &si->facts;
    if (!si->ask->how.sealed) {
        r->state = m->n_states ? m->states[0].state : REVISION_SEALED;
        r->state_reason = m->n_states ? m->states[0].reason : SV("");
    }
}

/* The rest of what an exported set was. */
static enum err_code finish_manifest(struct set_import *si, int64_t revision, bool added)
{
    struct transfer *tr = si->im.tr;
    struct set_tombstones *t = &si->tombstones;
    enum err_code rc = set_tombstones_write(tr, t, si->im.now);
    if (rc == OK && !si->ask->how.sealed) {
        rc = set_manifest_states(tr, &si->manifest, revision, added, si->im.now);
    }
    if (rc == OK && t->written) {
        transfer_note(tr, "%zu images were taken down where the set comes from, and now here too.",
                 t->written);
    }
    return rc;
}

/* Everything of the revision but its images, which may not be there yet. */
static enum err_code plan_revision(struct set_import *si)
{
    bool sealed = si->ask->how.sealed;
    si->r = (struct revision_new){.set = si->ask->name,
                                  .role = si->role,
                                  .strategy = SV("import"),
                                  .n = si->file.n,
                                  .state = sealed ? REVISION_SEALED : REVISION_FROZEN,
                                  .state_reason = SV("A published list was imported, which is final.")};
    digest_of(si, si->r.digest);
    if (si->manifest.given) {
        take_manifest(si);
        return OK;
    }
    return parameters_of(si, &si->r.parameters);
}

/* A list on which models may be scored must not hold what is sealed, but for a reason. */
static enum err_code check_seal(struct set_import *si)
{
    struct transfer *tr = si->im.tr;
    uint32_t *ids = arena_calloc(tr->arena, si->file.n + 1, sizeof *ids);
    for (size_t i = 0; i < si->file.n; i++) {
        ids[i] = si->members.list[i].image;
    }
    enum err_code rc = seal_ask_list(tr, &si->r, ids, si->im.name, si->ask->how.unseal, &si->asked);
    si->r.opened = si->asked.opened;
    si->r.n_opened = si->asked.n;
    si->r.opened_reason = si->ask->how.unseal;
    return rc;
}

static enum err_code write_set(struct set_import *si)
{
    struct transfer *tr = si->im.tr;
    bool added = false;
    int64_t id = 0;
    struct revision_row row;
    enum err_code rc = set_members_add(&si->members);
    if (rc == OK) {
        take_images(si);
        si->r.images = si->images;
        rc = revisions_add(tr->db, tr->alone, &si->r, si->im.now, &id, &added, tr->err);
    }
    if (rc == OK && si->manifest.given) {
        rc = finish_manifest(si, id, added);
    }
    rc = rc == OK ? revisions_get(tr->db, id, tr->arena, &row, tr->err) : rc;
    if (rc != OK) {
        return rc;
    }
    transfer_progress_end(tr);
    transfer_note(tr, "%zu images read, %llu new to the project (by name, without pixels).", si->file.n,
             (unsigned long long)si->members.added);
    transfer_note(tr, SV_FMT "/%lld %s, %s.", SV_ARG(row.set), (long long)row.number,
             added ? "is a new revision" : "has these images already: 0 new revisions",
             revision_state_word(row.state));
    seal_ask_note(tr, &si->asked, arena_printf(tr->arena, SV_FMT "/%lld", SV_ARG(row.set), (long long)row.number));
    rc = set_name_note(tr, row.set);
    return rc != OK || added ? rc : note_order(si, id);
}

/* The role that the folder names, unless one is asked for. */
static enum err_code read_manifest(struct set_import *si, struct transfer *tr)
{
    const struct set_ask *ask = si->ask;
    enum err_code rc = set_manifest_read(tr, ask->path, &si->manifest);
    si->role = rc == OK && si->manifest.given && !ask->role_given ? si->manifest.role : ask->how.role;
    return rc == OK ? sets_take(tr->db, ask->name, si->role, tr->err) : rc;
}

static enum err_code import_history(struct set_import *si)
{
    struct history_file h;
    struct history_ask how = si->ask->how;
    how.role = si->role;
    history_file_init(&h, &si->im, si->ask->name);
    enum err_code rc = history_file_read(&h);
    rc = rc == OK ? history_file_read_waiting(&h) : rc;
    rc = rc == OK ? history_file_write(&h, &how) : rc;
    history_file_release(&h);
    return rc;
}

/* What the folder says beside its list must fit the list. */
static enum err_code check_folder(struct set_import *si)
{
    struct transfer *tr = si->im.tr;
    unsigned char digest[SET_DIGEST];
    digest_of(si, digest);
    enum err_code rc = set_manifest_check(&si->manifest, si->file.n, digest, tr->err);
    rc = rc == OK ? set_manifest_bytes(tr, &si->manifest) : rc;
    return rc == OK ? set_tombstones_read(tr, &si->manifest, &si->tombstones) : rc;
}

static enum err_code import_list(struct set_import *si)
{
    struct transfer *tr = si->im.tr;
    enum err_code rc = set_file_read(&si->file, &si->im);
    if (rc == OK && si->file.ignored.n && !si->manifest.given) {
        transfer_note(tr, "Other columns of %s are ignored: " SV_FMT ".", si->im.name,
                 SV_ARG(si->file.ignored));
    }
    if (rc == OK && si->manifest.given) {
        rc = check_folder(si);
    }
    rc = rc == OK ? find_images(si) : rc;
    rc = rc == OK ? plan_revision(si) : rc;
    rc = rc == OK ? check_seal(si) : rc;
    if (rc == OK && tr->dry_run) {
        transfer_progress_end(tr);
        transfer_note(tr, "%zu images read, %llu are new to the project (dry run).", si->file.n,
                 (unsigned long long)si->members.unknown);
    } else if (rc == OK) {
        rc = write_set(si);
    }
    return rc;
}

enum err_code set_import(struct transfer *tr, const struct set_ask *ask)
{
    struct set_import si = {.ask = ask};
    enum err_code rc = read_manifest(&si, tr);
    if (rc != OK) {
        return rc;
    }
    rc = import_open(&si.im, tr, si.manifest.given ? si.manifest.list : ask->path);
    if (rc == OK) {
        bool history = !si.manifest.given && history_file_is(si.im.text);
        rc = history ? import_history(&si) : import_list(&si);
    }
    set_tombstones_release(&si.tombstones);
    free(si.images);
    free(si.members.list);
    set_file_release(&si.file);
    import_close(&si.im);
    return rc;
}

/* ---- a history in several files ---- */

enum err_code sets_import(struct transfer *tr, const char **paths, size_t n_paths,
                          const struct history_ask *ask)
{
    struct import *files = xcalloc(n_paths, sizeof *files);
    struct history_file h;
    size_t n = 0;
    history_file_init(&h, files, SV(""));
    enum err_code rc = OK;
    for (size_t i = 0; i < n_paths && rc == OK; i++) {
        h.im = &files[n++];
        rc = i == 0 ? import_open(h.im, tr, paths[i])
                    : import_open_beside(h.im, files, paths[i]);
        rc = rc == OK ? history_file_read(&h) : rc;
        rc = rc == OK ? import_checked(h.im) : rc;
    }
    rc = rc == OK ? history_file_read_waiting(&h) : rc;
    rc = rc == OK ? history_file_write(&h, ask) : rc;
    history_file_release(&h);
    for (size_t i = 0; i < n; i++) {
        import_close(&files[i]);
    }
    free(files);
    return rc;
}
