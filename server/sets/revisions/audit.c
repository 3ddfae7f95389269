/* audit.c - what domain/sampling/audit.h must know of a revision's images, and its findings in words. */
#include "sets/revisions/audit.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/map.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "store/duplicates/near_pairs.h"
#include "store/images/images.h"
#include "store/images/paths.h"
#include "store/review/blacklist.h"
#include "store/sets/export_images.h"

enum { DETAIL_MOST = 1 << 20 };

struct audit_work {
    struct db *db;
    struct tally *t;
    const char *dir;
    struct set_audit *out;
    struct arena *a;
    struct near_result components;
    struct audit_member *members;
    size_t n;
};

#define OF(member) RECORD_OF(struct audit_image, member)
RECORD(audit_image_record, struct audit_image, "named_image", "An image by its name.",
       {"name", OF(name), .about = "Its name."},
       {"url", OF(url), .maybe = true, .about = "The address of its page; null: pairs name it, and the project does not have it."});
#undef OF

#define OF(member) RECORD_OF(struct audit_line, member)
RECORD(audit_line_record, struct audit_line, "audit_finding", "Something that is wrong with a revision.",
       {"finding", OF(kind), .face = RECORD_CSV},
       {"kind", OF(kind), .face = RECORD_JSON, .about = "What is wrong, as a word."},
       {"wnid", OF(wnid), .about = "The class that the images have in the set."},
       {"synset", OF(synset), .face = RECORD_JSON, .about = "Its words."},
       {"class_url", OF(class_url), .face = RECORD_JSON, .about = "The address of its page."},
       {"images", OF(names), .face = RECORD_CSV},
       {"images", OF(images), RECORD_LIST, .of = &audit_image_record, .about = "The images that it is about, at most 12."},
       {"originals", OF(originals), RECORD_LIST, .of = &audit_image_record, .about = "Originals that they show again, at most 12."},
       {"detail", OF(detail), .about = "More about it, as holdout audit prints it."},
       {"more", OF(more), .face = RECORD_JSON, .about = "How many further images it is about, for people; empty: none."});
#undef OF

/* ---- components ---- */

/* The pool's images, and behind them names that only pairs know: sampling leaves those out, as a
 * candidate that was never kept keeps nobody out; but two images that both show the same photo as a
 * third show the same. */
struct bridging {
    struct audit_work *w;
    struct map_sv names;
    struct near_image *images;
    struct near_edge *edges;
    size_t n, n_edges, cap, cap_edges;
};

static uint32_t bridge(struct bridging *b, struct sv name)
{
    const struct pool *p = &b->w->out->pool;
    uint32_t at = pool_name(p, name);
    if (at != MAP_NONE) {
        return at;
    }
    at = map_sv_put(&b->names, name, (uint32_t)b->n);
    if (at == b->n) {
        xgrow(&b->images, &b->cap, b->n + 1, sizeof *b->images);
        b->images[b->n++] = (struct near_image){.rank = at};
    }
    return at;
}

static enum err_code add_edge(void *arg, const struct near_pair *pair, struct err *err)
{
    struct bridging *b = arg;
    (void)err;
    uint32_t x = bridge(b, pair->a), y = bridge(b, pair->b);
    xgrow(&b->edges, &b->cap_edges, b->n_edges + 1, sizeof *b->edges);
    b->edges[b->n_edges++] = (struct near_edge){x, y};
    return OK;
}

static enum err_code find_components(struct audit_work *w, struct err *err)
{
    const struct pool *p = &w->out->pool;
    struct bridging b = {.w = w, .n = p->n_near};
    w->components = p->duplicates;
    if (p->duplicates.n_unknown == 0) {
        return OK;
    }
    map_sv_init(&b.names);
    xgrow(&b.images, &b.cap, p->n_near + 1, sizeof *b.images);
    memcpy(b.images, p->near, p->n_near * sizeof *b.images);
    xgrow(&b.edges, &b.cap_edges, p->n_edges + 1, sizeof *b.edges);
    memcpy(b.edges, p->edges, p->n_edges * sizeof *b.edges);
    b.n_edges = p->n_edges;
    enum err_code rc = near_pairs_each(w->db, p->as_of, add_edge, &b, err);
    if (rc == OK) {
        const struct near_input in = {b.images, b.n, b.edges, b.n_edges, p->n_classes};
        near_duplicates_resolve(&in, w->a, &w->components);
    }
    free(b.images);
    free(b.edges);
    map_sv_release(&b.names);
    return rc;
}

/* ---- members ---- */

/* Images by name alone have no file that could be missing. */
static bool file_missing(const struct audit_work *w, const struct export_image *i)
{
    struct arena a;
    if (!i->has_source) {
        return false;
    }
    arena_init(&a, 1 << 16);
    BUG_IF(i->sha256.n != IMAGE_SHA);
    const char *path =
        i->reference.n
            ? arena_cstr(&a, i->reference)
            : path_rendition(&a, w->dir, (const unsigned char *)i->sha256.p, RENDITION_SOURCE);
    bool missing = !fs_exists(path);
    arena_release(&a);
    return missing;
}

/* Under the class in the set: the pool has counted those under the image's own. */
static uint32_t answers_of(const struct audit_work *w, uint32_t at, const struct export_image *i)
{
    const struct pool *p = &w->out->pool;
    if (at < p->n && p->classes[p->sample[at].class_index].id == i->class_id) {
        return p->sample[at].shown;
    }
    tally_read_lock(w->t);
    const struct tally_pair *pair = tally_find(w->t, i->image, i->class_id);
    uint32_t shown = pair ? pair->shown : 0;
    tally_read_unlock(w->t);
    return shown;
}

static enum err_code take_member(void *arg, const struct export_image *i, struct err *err)
{
    struct audit_work *w = arg;
    const struct pool *p = &w->out->pool;
    uint32_t at = pool_name(p, i->name);
    (void)err;
    BUG_IF(at == MAP_NONE);
    const struct near_image *near = &p->near[at];
    w->members[w->n++] = (struct audit_member){.image = at,
                                               .rank = near->rank,
                                               .class_index = pool_class(p, i->class_id),
                                               .own_class = near->class_index,
                                               .shown = answers_of(w, at, i),
                                               .component = w->components.component[at],
                                               .blacklisted = near->blacklisted,
                                               .file_missing = file_missing(w, i),
                                               .unsearched = at < p->n && p->sample[at].unsearched,
                                               .original = sv_is(i->role, "original")};
    return OK;
}

/* Originals that are in a component. */
static struct audit_original *originals_of(const struct audit_work *w, size_t *n)
{
    const struct pool *p = &w->out->pool;
    const struct near_result *d = &w->components;
    size_t many = 0;
    for (size_t i = 0; i < d->n_components; i++) {
        many += d->components[i].originals;
    }
    struct audit_original *list = arena_alloc(w->a, (many + 1) * sizeof *list);
    *n = 0;
    for (uint32_t i = 0; i < p->n_near; i++) {
        if (d->component[i] != NEAR_NONE && p->near[i].original) {
            list[(*n)++] = (struct audit_original){d->component[i], p->near[i].rank, i};
        }
    }
    return list;
}

/* ---- findings in words ---- */

/* The note as it was written, or the reason. */
static enum err_code blacklist_words(struct audit_work *w, struct sv name, struct sv *out,
                                     struct err *err)
{
    struct blacklist_entry e;
    bool found = false;
    enum err_code rc = blacklist_of(w->db, name, 0, w->a, &e, &found, err);
    if (rc == OK && found) {
        *out = e.note.n ? e.note : e.reason;
    }
    return rc;
}

static struct sv names_of(const struct audit_work *w, const uint32_t *images, size_t n)
{
    struct str s;
    str_init(&s, DETAIL_MOST);
    for (size_t i = 0; i < n && s.n < DETAIL_MOST / 2; i++) {
        str_addz(&s, i ? " " : "");
        str_addsv(&s, w->out->pool.name[images[i]]);
    }
    struct sv text = arena_sv(w->a, str_sv(&s));
    str_release(&s);
    return text;
}

/* Whether sampling sees them as different photos, because what connects them is not in the project.
 */
static bool bridged(const struct pool *p, const struct audit_finding *f)
{
    const uint32_t *component = p->duplicates.component;
    bool apart = false;
    for (size_t i = 0; i < f->n_images; i++) {
        uint32_t own = component[f->images[i]];
        apart = apart || own == NEAR_NONE || own != component[f->images[0]];
    }
    return apart;
}

static enum err_code put_words(struct audit_work *w, const struct audit_finding *f, uint32_t least,
                               struct sv *out, struct err *err)
{
    const struct pool *p = &w->out->pool;
    *out = SV("");
    switch (f->kind) {
    case AUDIT_BLACKLISTED:
        return blacklist_words(w, p->name[f->images[0]], out, err);
    case AUDIT_HAS_ORIGINAL:
        *out = names_of(w, f->originals, f->n_originals);
        return OK;
    case AUDIT_DUPLICATE:
        *out = sv_of(arena_printf(w->a, "%u times", f->value));
        return OK;
    case AUDIT_FEW_ANSWERS:
        *out = sv_of(arena_printf(w->a, "%u of %u answers", f->value, least));
        return OK;
    case AUDIT_WRONG_CLASS:
        *out = p->classes[f->value].wnid;
        return OK;
    case AUDIT_SAME_COMPONENT:
        *out = bridged(p, f) ? SV("through images that the project has not") : SV("");
        return OK;
    case AUDIT_MISSING_FILE:
    case AUDIT_UNSEARCHED:
    case AUDIT_ORIGINAL:
    case AUDIT_KINDS:
        return OK;
    }
    return OK;
}

static enum err_code find(struct audit_work *w, const struct revision_row *r, uint32_t least,
                          struct err *err)
{
    struct set_audit *out = w->out;
    struct audit_input in = {.answers_least = least,
                             .originals_allowed = sv_is(r->role, "original")};
    w->members = arena_alloc(w->a, ((size_t)r->images + 1) * sizeof *w->members);
    enum err_code rc = find_components(w, err);
    rc = rc == OK ? export_images_of_list(w->db, r->list, take_member, w, err) : rc;
    if (rc != OK) {
        return rc;
    }
    in.members = w->members;
    in.n_members = w->n;
    in.originals = originals_of(w, &in.n_originals);
    audit_find(&in, w->a, &out->findings, &out->n);
    out->detail = arena_calloc(w->a, out->n + 1, sizeof *out->detail);
    for (size_t i = 0; i < out->n && rc == OK; i++) {
        rc = put_words(w, &out->findings[i], least, &out->detail[i], err);
    }
    return rc;
}

uint32_t set_audit_answers(const struct revision_row *r)
{
    json_t *p = json_loadb(r->parameters.n ? r->parameters.p : "", r->parameters.n, 0, NULL);
    json_int_t n = json_integer_value(json_object_get(p, "answers"));
    json_decref(p);
    return n > 0 && n < INT32_MAX ? (uint32_t)n : 0;
}

enum err_code set_audit_make(struct db *db, struct tally *t, const struct revision_row *r,
                             uint32_t answers_least, int64_t flags_to_quarantine, const char *dir,
                             struct set_audit *out, struct err *err)
{
    struct pool_ask ask = {.flags_to_quarantine = flags_to_quarantine};
    struct audit_work w = {.db = db, .t = t, .dir = dir, .out = out, .a = &out->pool.arena};
    *out = (struct set_audit){0};
    enum err_code rc = pool_load(db, t, &ask, &out->pool, err);
    return rc == OK ? find(&w, r, answers_least, err) : rc;
}

void set_audit_release(struct set_audit *audit)
{
    pool_release(&audit->pool);
}
