/* named.c - a named subset: from words to what is stored, its digest, how many images of a set it means. */
#include "sets/subsets/named.h"

#include <stdlib.h>
#include <string.h>

#include "crypto/crypto.h"
#include "store/classes/classes.h"
#include "store/images/images.h"

enum { NAMES_AT_ONCE = 1024 };
#define NAMES_MOST ((size_t)1 << 31)

/* ---- the digest ---- */

struct naming {
    struct db *db;
    struct arena lines, scratch; /* scratch: of one piece of a part */
    struct sv *list;
    struct str text;
    struct err *err;
};

static int by_bytes(const void *a, const void *b)
{
    return sv_cmp(*(const struct sv *)a, *(const struct sv *)b);
}

static int64_t image_of(const struct subset_part *p, size_t at)
{
    return p->of == SUBSET_PAIRS ? p->ids[at] >> 32 : p->ids[at];
}

static int64_t class_of(const struct subset_part *p, size_t at)
{
    return p->of == SUBSET_PAIRS ? p->ids[at] & UINT32_MAX : p->ids[at];
}

/* Lines of members from `at`, `n` of them. */
static enum err_code name_piece(struct naming *w, const struct subset_part *p, size_t at, size_t n)
{
    struct image_row *images = arena_calloc(&w->scratch, n, sizeof *images);
    struct class_info class = {.wnid = SV("")};
    int64_t *ids = arena_calloc(&w->scratch, n, sizeof *ids);
    enum err_code rc = OK;
    for (size_t i = 0; i < n; i++) {
        ids[i] = image_of(p, at + i);
    }
    rc = p->of == SUBSET_CLASSES ? OK : images_names(w->db, ids, n, &w->scratch, images, w->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const bool pair = p->of == SUBSET_PAIRS;
        rc = p->of == SUBSET_IMAGES ? OK : classes_get(w->db, class_of(p, at + i), &w->scratch, &class, w->err);
        w->list[at + i] = p->of == SUBSET_IMAGES ? arena_sv(&w->lines, images[i].name)
                          : pair ? sv_of(arena_printf(&w->lines, SV_FMT "," SV_FMT, SV_ARG(images[i].name), SV_ARG(class.wnid)))
                                 : arena_sv(&w->lines, class.wnid);
    }
    arena_clear(&w->scratch);
    return rc;
}

static enum err_code add_part(struct naming *w, const struct subset_part *p)
{
    enum err_code rc = OK;
    w->list = arena_calloc(&w->lines, p->n + 1, sizeof *w->list);
    for (size_t at = 0; at < p->n && rc == OK; at += NAMES_AT_ONCE) {
        rc = name_piece(w, p, at, p->n - at < NAMES_AT_ONCE ? p->n - at : NAMES_AT_ONCE);
    }
    if (rc == OK && p->n) {
        qsort(w->list, p->n, sizeof *w->list, by_bytes);
    }
    str_printf(&w->text, "%s%s%s %zu", w->text.n ? "\n" : "", p->without ? "without " : "", subset_of_words[p->of], p->n);
    for (size_t i = 0; i < p->n && rc == OK; i++) {
        str_addc(&w->text, '\n');
        str_addsv(&w->text, w->list[i]);
    }
    arena_clear(&w->lines);
    return rc;
}

static enum err_code digest_of(struct db *db, const struct subset_part *parts, size_t n, unsigned char out[SUBSET_DIGEST], struct err *err)
{
    struct naming w = {.db = db, .err = err};
    enum err_code rc = OK;
    arena_init(&w.lines, NAMES_MOST);
    arena_init(&w.scratch, NAMES_MOST);
    str_init(&w.text, NAMES_MOST);
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = add_part(&w, &parts[i]);
    }
    crypto_sha256(w.text.p, w.text.n, out);
    str_release(&w.text);
    arena_release(&w.scratch);
    arena_release(&w.lines);
    return rc;
}

enum err_code named_digest_holds(struct db *db, const struct subset_row *row, bool *holds, struct err *err)
{
    struct arena a;
    struct subset_part *parts;
    unsigned char digest[SUBSET_DIGEST];
    size_t n = 0;
    arena_init(&a, NAMES_MOST);
    enum err_code rc = subset_parts_read(db, row->id, &a, &parts, &n, err);
    rc = rc == OK ? digest_of(db, parts, n, digest, err) : rc;
    *holds = rc == OK && memcmp(digest, row->digest, sizeof digest) == 0;
    arena_release(&a);
    return rc;
}

/* ---- making one ---- */

enum err_code named_make(struct db *db, const struct subset_when *when, const struct named_ask *ask, struct arena *a,
                         struct named_draft *out, struct err *err)
{
    *out = (struct named_draft){.row = {.name = ask->name, .definition = sv_trim(ask->definition), .note = ask->note, .account = ask->account}};
    enum err_code rc = subset_name_check(ask->name, err);
    if (rc == OK && out->row.definition.n == 0) {
        rc = err_rule(err, ERR_INPUT, "subset-text", "A subset is defined by words such as class:WNID or frequency:0.6-0.8. Nothing was stored.");
    }
    rc = rc == OK ? subset_find(db, when, out->row.definition, a, &out->subset, err) : rc;
    out->row.words = out->subset.name;
    return rc == OK ? digest_of(db, out->subset.parts, out->subset.n, out->row.digest, err) : rc;
}

enum err_code named_store(struct db *db, const struct named_draft *d, int64_t now, int64_t *number, bool *added, struct err *err)
{
    return subsets_add(db, &d->row, d->subset.parts, d->subset.n, d->row.account, now, number, added, err);
}

/* ---- showing it ---- */

#define OF(member) RECORD_OF(struct named_face, member)
RECORD(named_subset_record, struct named_face, "named_subset", "A version of a subset of images under a name.",
       {"name", OF(row.name), .about = "Its name."},
       {"version", OF(row.number), .about = "Its number, from 1."},
       {"subset", OF(word), .about = "The word that means it wherever a subset can be given."},
       {"newest", OF(newest), .about = "Whether it is the newest version, which the name without a number means."},
       {"definition", OF(row.definition), .about = "The words that define it, as they were given."},
       {"words", OF(row.words), .about = "The same with the numbers of sets, views, sources and subsets that they meant."},
       {"note", OF(row.note), .about = "Why it was made."},
       {"sha256", OF(sha256), .about = "Of what the words meant then, by names of images and classes (docs/subsets.md)."},
       {"event", OF(row.id), .about = "The event with which it was made."},
       {"at", OF(row.at), RECORD_MOMENT, .about = "When that was."},
       {"by", OF(row.login), .about = "Who made it; empty: the command line."},
       {"images", OF(images), RECORD_IF(struct named_face, asked), .maybe = true, .about = "Images of the set that was asked for which it means."});
#undef OF

struct named_face named_face(const struct subset_row *row, struct arena *a)
{
    char *hex = arena_calloc(a, 2 * SUBSET_DIGEST + 1, 1);
    crypto_hex(row->digest, SUBSET_DIGEST, hex);
    return (struct named_face){.row = *row,
                               .sha256 = hex,
                               .newest = row->number == row->newest,
                               .word = arena_printf(a, "@" SV_FMT "/%lld", SV_ARG(row->name), (long long)row->number)};
}

enum err_code named_count(struct db *db, const struct revision_row *r, struct arena *a, struct named_face *face, struct err *err)
{
    struct subset s = {.name = SV("")};
    struct revision_image *images;
    size_t n = 0;
    enum err_code rc = subset_parts_read(db, face->row.id, a, &s.parts, &s.n, err);
    rc = rc == OK ? revisions_images(db, r->id, a, &images, &n, err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        face->images += subset_has(&s, images[i].image, images[i].class_id);
    }
    face->asked = rc == OK;
    return rc;
}

struct passing {
    const struct subset *subset;
    enum err_code (*each)(void *arg, struct sv image, struct sv wnid, struct err *err);
    void *arg;
};

static enum err_code pass(void *arg, const struct revision_name *m, struct err *err)
{
    const struct passing *p = arg;
    return subset_has(p->subset, m->image, m->class_id) ? p->each(p->arg, m->name, m->wnid, err) : OK;
}

enum err_code named_images(struct db *db, const struct subset *s, const struct revision_row *r,
                           enum err_code (*each)(void *arg, struct sv image, struct sv wnid, struct err *err), void *arg,
                           struct err *err)
{
    struct passing p = {s, each, arg};
    return revision_images_named(db, r->id, pass, &p, err);
}
