/* history_write.c - a published history becomes revisions, in its order. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "transfer/imports/history_file.h"
#include "transfer/sets/seal_ask.h"
#include "transfer/sets/set_name_note.h"

/* ids of revisions in the project, by their index in the history. */
struct history_write {
    struct history_file *h;
    const struct history_ask *ask;
    int64_t *ids;
    struct seal_asked *asked; /* what each revision opens */
    size_t added;
};

static enum err_code write_revision(struct history_write *w, size_t at)
{
    struct history_file *h = w->h;
    struct transfer *tr = h->im->tr;
    const struct history_revision *r = &h->revisions[at];
    struct revision_facts facts = {.valid = r->valid};
    struct revision_image *images = xcalloc(r->n + 1, sizeof *images);
    bool added = false;
    for (size_t i = 0; i < r->n; i++) {
        images[i] = (struct revision_image){h->names[r->members[i].name].image,
                                            (uint32_t)h->im->class_list[r->members[i].class_at].id};
    }
    struct revision_new v = {
        .set = r->set,
        .role = w->ask->role,
        .strategy = SV("import"),
        .parameters = r->parameters,
        .parent = r->parent_at != MAP_NONE ? w->ids[r->parent_at] : r->parent_id,
        .state = w->ask->sealed ? REVISION_SEALED : REVISION_FROZEN,
        .state_reason = SV("A published revision was imported, which is final."),
        .images = images,
        .n = r->n,
        .facts = &facts,
        .always = true,
        .rows_unknown = !r->listed,
        .opened = w->asked[at].opened,
        .n_opened = w->asked[at].n,
        .opened_reason = w->ask->unseal,
        .number = r->number + 1};
    memcpy(v.digest, r->digest, sizeof v.digest);
    enum err_code rc =
        revisions_add(tr->db, tr->alone, &v, h->im->now, &w->ids[at], &added, tr->err);
    if (rc == OK) {
        seal_ask_note(tr, &w->asked[at],
                      arena_printf(tr->arena, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number));
    }
    w->added += added;
    free(images);
    transfer_progress(tr, "revisions", at + 1, h->n);
    return rc;
}

static enum err_code write_history(struct history_write *w, struct set_members *members)
{
    struct history_file *h = w->h;
    enum err_code rc = set_members_add(members);
    w->ids = xcalloc(h->n + 1, sizeof *w->ids);
    for (size_t i = 0; i < h->n && rc == OK; i++) {
        w->ids[i] = h->revisions[i].there;
        rc = w->ids[i] ? OK : write_revision(w, i);
    }
    free(w->ids);
    return rc;
}

/* The lists that are new, on which models may be scored, must not hold what is sealed, but for a reason. */
static enum err_code check_seals(struct history_write *w)
{
    struct history_file *h = w->h;
    struct transfer *tr = h->im->tr;
    struct seal_check k = {0};
    w->asked = arena_calloc(tr->arena, h->n + 1, sizeof *w->asked);
    if (w->ask->sealed && !sv_is(w->ask->role, "original")) {
        return OK;
    }
    enum err_code rc = seal_check_open(&k, tr->db, 0, tr->arena, tr->err);
    for (size_t i = 0; i < h->n && rc == OK && k.n; i++) {
        const struct history_revision *r = &h->revisions[i];
        uint32_t *ids = xcalloc(r->n + 1, sizeof *ids);
        for (size_t j = 0; j < r->n; j++) {
            ids[j] = h->names[r->members[j].name].image;
        }
        if (!r->there) {
            seal_check_list(&k, ids, r->n, &w->asked[i]);
            rc = seal_asked_check(&w->asked[i], arena_cstr(tr->arena, r->name), r->n, w->ask->unseal,
                                  tr->err);
        }
        free(ids);
    }
    seal_check_release(&k);
    return rc;
}

static bool first_of_set(const struct history_file *h, size_t i)
{
    return i == 0 || !sv_eq(h->revisions[i].set, h->revisions[i - 1].set);
}

static enum err_code note_names(const struct history_file *h)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < h->n && rc == OK; i++) {
        rc = first_of_set(h, i) ? set_name_note(h->im->tr, h->revisions[i].set) : OK;
    }
    return rc;
}

/* Names of all sets must be free for the role, before anything is written. */
static enum err_code check_sets(const struct history_file *h, struct sv role)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < h->n && rc == OK; i++) {
        rc = first_of_set(h, i)
                 ? sets_take(h->im->tr->db, h->revisions[i].set, role, h->im->tr->err)
                 : OK;
    }
    return rc;
}

enum err_code history_file_write(struct history_file *h, const struct history_ask *ask)
{
    struct transfer *tr = h->im->tr;
    struct history_write w = {.h = h, .ask = ask};
    struct set_members members = {
        .tr = tr, .now = h->im->now, .role = ask->role, .list = h->names, .n = h->n_names};
    enum err_code rc = import_checked(h->im);
    if (rc == OK && h->n == 0) {
        rc = err_rule(tr->err, ERR_INPUT, "set-empty", "%s has no revision. Nothing was written.",
                      h->im->name);
    }
    rc = rc == OK ? check_sets(h, ask->role) : rc;
    rc = rc == OK ? set_members_find(&members) : rc;
    rc = rc == OK ? check_seals(&w) : rc;
    if (rc == OK && !tr->dry_run) {
        rc = write_history(&w, &members);
    }
    transfer_progress_end(tr);
    if (rc == OK && tr->dry_run) {
        transfer_note(
            tr,
            "%zu revisions of %zu images read, %llu of these are new to the project (dry run).",
            h->n, h->n_names, (unsigned long long)members.unknown);
    } else if (rc == OK) {
        transfer_note(tr,
                 "%zu revisions of %zu images read; %llu images are new to the project (by name, "
                 "without "
                 "pixels).",
                 h->n, h->n_names, (unsigned long long)members.added);
        transfer_note(tr, "%zu new revisions, %s.", w.added, ask->sealed ? "sealed" : "frozen");
        rc = note_names(h);
    }
    return rc;
}
