/* cmd_import_set.c - `holdout import set`: a published list of images with labels becomes a
 * revision of a set; so does a folder that `export set` made, with the state and parameters that
 * its manifest names.
 *
 * The list is final, so the revision is frozen unless --sealed says that it is under construction.
 * Images that the project does not know are added by name, without pixels, as `import image-list`
 * does. The same list again changes nothing; a killed import is completed by the next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/history_file.h"
#include "cli/seal_ask.h"
#include "cli/set_file.h"
#include "cli/set_manifest.h"
#include "cli/set_members.h"
#include "cli/set_name_note.h"
#include "cli/set_tombstones.h"
#include "sets/set_digest.h"

enum { PARAMETERS_MOST = 1 << 16 };

struct set_import {
    struct import im;
    struct set_file file;
    struct set_manifest manifest;
    struct set_tombstones tombstones;
    struct sv name, role;
    struct set_members members;
    struct revision_image *images;
    struct revision_new r;
    struct revision_facts facts;
    struct seal_asked asked;
};

static enum err_code find_images(struct set_import *si)
{
    struct cli *cli = si->im.cli;
    struct set_member *list = xcalloc(si->file.n, sizeof *list);
    for (size_t i = 0; i < si->file.n; i++) {
        const struct set_entry *e = &si->file.entries[i];
        list[i] =
            (struct set_member){.name = e->name, .class_id = si->im.class_list[e->class_at].id};
    }
    si->members = (struct set_members){
        .cli = cli, .now = si->im.now, .role = si->role, .list = list, .n = si->file.n};
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
    struct cli *cli = si->im.cli;
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
        rc = err_rule(&cli->err, ERR_LIMIT, "set-parameters",
                      "What %s says beside its images has more than %d bytes. Nothing was written.",
                      si->im.name, PARAMETERS_MOST);
    } else {
        *out = arena_sv(&cli->arena, sv_of(text));
    }
    free(text);
    return rc;
}

/* The revision was there: predictions without names follow its order, which may not be this file's.
 */
static enum err_code note_order(struct set_import *si, int64_t id)
{
    struct cli *cli = si->im.cli;
    struct revision_image *there;
    size_t n = 0;
    enum err_code rc = revisions_images(cli->db, id, &cli->arena, &there, &n, &cli->err);
    if (rc == OK && (n != si->file.n || memcmp(there, si->images, n * sizeof *there) != 0)) {
        cli_note(cli,
                 "%s lists the same images in another order. The order that was imported first "
                 "stays; predictions in this order need `import predictions --images %s`.",
                 si->im.name, si->im.name);
    }
    return rc;
}

/* What an exported set was, it is here too, but for --sealed. */
static void take_manifest(struct set_import *si)
{
    const struct set_manifest *m = &si->manifest;
    struct revision_new *r = &si->r;
    si->facts = (struct revision_facts){.valid = m->valid};
    r->strategy = m->strategy;
    r->parameters = m->parameters;
    r->facts = &si->facts;
    if (!cli_has(si->im.cli, "sealed")) {
        r->state = m->n_states ? m->states[0].state : REVISION_SEALED;
        r->state_reason = m->n_states ? m->states[0].reason : SV("");
    }
}

/* The rest of what an exported set was. */
static enum err_code finish_manifest(struct set_import *si, int64_t revision, bool added)
{
    struct cli *cli = si->im.cli;
    struct set_tombstones *t = &si->tombstones;
    enum err_code rc = set_tombstones_write(cli, t, si->im.now);
    if (rc == OK && !cli_has(cli, "sealed")) {
        rc = set_manifest_states(cli, &si->manifest, revision, added, si->im.now);
    }
    if (rc == OK && t->written) {
        cli_note(cli, "%zu images were taken down where the set comes from, and are here now too.",
                 t->written);
    }
    return rc;
}

/* Everything of the revision but its images, which may not be there yet. */
static enum err_code plan_revision(struct set_import *si)
{
    bool sealed = cli_has(si->im.cli, "sealed");
    si->r = (struct revision_new){.set = si->name,
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
    struct cli *cli = si->im.cli;
    uint32_t *ids = arena_calloc(&cli->arena, si->file.n + 1, sizeof *ids);
    for (size_t i = 0; i < si->file.n; i++) {
        ids[i] = si->members.list[i].image;
    }
    enum err_code rc = seal_ask_list(cli, &si->r, ids, si->im.name, &si->asked);
    si->r.opened = si->asked.opened;
    si->r.n_opened = si->asked.n;
    si->r.opened_reason = seal_reason(cli);
    return rc;
}

static enum err_code write_set(struct set_import *si)
{
    struct cli *cli = si->im.cli;
    bool added = false;
    int64_t id = 0;
    struct revision_row row;
    enum err_code rc = set_members_add(&si->members);
    if (rc == OK) {
        take_images(si);
        si->r.images = si->images;
        rc = revisions_add(cli->db, cli->alone, &si->r, si->im.now, &id, &added, &cli->err);
    }
    if (rc == OK && si->manifest.given) {
        rc = finish_manifest(si, id, added);
    }
    if (rc == OK) {
        rc = revisions_get(cli->db, id, &cli->arena, &row, &cli->err);
    }
    if (rc != OK) {
        return rc;
    }
    cli_progress_end(cli);
    cli_note(cli, "%zu images read, %llu new to the project (by name, without pixels).", si->file.n,
             (unsigned long long)si->members.added);
    cli_note(cli, SV_FMT "/%lld %s, %s.", SV_ARG(row.set), (long long)row.number,
             added ? "is a new revision" : "has these images already: 0 new revisions",
             revision_state_word(row.state));
    seal_ask_note(cli, &si->asked, arena_printf(&cli->arena, SV_FMT "/%lld", SV_ARG(row.set), (long long)row.number));
    rc = set_name_note(cli, row.set);
    return rc != OK || added ? rc : note_order(si, id);
}

static enum err_code check_arguments(struct set_import *si, struct cli *cli)
{
    si->name = sv_of(cli->args[1]);
    enum err_code rc = history_file_role(cli, &si->role);
    rc = rc == OK ? set_manifest_read(cli, cli->args[2], &si->manifest) : rc;
    if (rc == OK && si->manifest.given && !cli_opt(cli, "role")) {
        si->role = si->manifest.role;
    }
    return rc == OK ? sets_take(cli->db, si->name, si->role, &cli->err) : rc;
}

static enum err_code import_history(struct set_import *si)
{
    struct history_file h;
    history_file_init(&h, &si->im, si->name);
    enum err_code rc = history_file_read(&h);
    rc = rc == OK ? history_file_read_waiting(&h) : rc;
    rc = rc == OK ? history_file_write(&h, si->role) : rc;
    history_file_release(&h);
    return rc;
}

/* What the folder says beside its list must fit the list. */
static enum err_code check_folder(struct set_import *si)
{
    struct cli *cli = si->im.cli;
    unsigned char digest[SET_DIGEST];
    digest_of(si, digest);
    enum err_code rc = set_manifest_check(&si->manifest, si->file.n, digest, &cli->err);
    rc = rc == OK ? set_manifest_bytes(cli, &si->manifest) : rc;
    return rc == OK ? set_tombstones_read(cli, &si->manifest, &si->tombstones) : rc;
}

static enum err_code import_list(struct set_import *si)
{
    struct cli *cli = si->im.cli;
    enum err_code rc = set_file_read(&si->file, &si->im);
    if (rc == OK && si->file.ignored.n && !si->manifest.given) {
        cli_note(cli, "Further columns of %s are not used: " SV_FMT ".", si->im.name,
                 SV_ARG(si->file.ignored));
    }
    if (rc == OK && si->manifest.given) {
        rc = check_folder(si);
    }
    rc = rc == OK ? find_images(si) : rc;
    rc = rc == OK ? plan_revision(si) : rc;
    rc = rc == OK ? check_seal(si) : rc;
    if (rc == OK && cli->dry_run) {
        cli_progress_end(cli);
        cli_note(cli, "%zu images read, %llu are new to the project (dry run).", si->file.n,
                 (unsigned long long)si->members.unknown);
    } else if (rc == OK) {
        rc = write_set(si);
    }
    return rc;
}

enum err_code cmd_import_set(struct cli *cli)
{
    struct set_import si = {0};
    enum err_code rc = check_arguments(&si, cli);
    if (rc != OK) {
        return rc;
    }
    rc = import_open(&si.im, cli, si.manifest.given ? si.manifest.list : cli->args[2]);
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
