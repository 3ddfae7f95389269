/* label_books.c - which kind of source it is, and books made of what people see. */
#include "measures/core/label_books.h"

#include <string.h>

#include "base/list.h"
#include "base/map.h"
#include "base/sorted.h"
#include "live/labels/review_books.h"
#include "live/objects/seen.h"
#include "store/classes/classes.h"
#include "store/core/events.h"
#include "store/sets/sets.h"
#include "store/work/responses.h"

#define LIVE "classify@"
#define MEMORY ((size_t)1 << 28)
enum { NO_CID = UINT16_MAX - 1 }; /* of a class without a number: no model's answer is it */

static bool is_live(struct sv name) { return sv_starts(name, LIVE); }

/* ---- which versions ---- */

/* The view's version that held at the event; 0: the newest. */
static enum err_code find_view(struct db *db, struct sv name, int64_t as_of, struct arena *a, struct vote_view *out, struct err *err)
{
    struct vote_view *list;
    size_t n = 0, i = 0;
    enum err_code rc = views_find(db, name, a, out, err);
    if (rc != OK || as_of == 0 || out->id <= as_of) {
        return rc;
    }
    rc = views_versions(db, name, a, &list, &n, err);
    while (rc == OK && i < n && list[i].id > as_of) {
        i++;
    }
    if (rc == OK && i < n) {
        *out = list[i];
    }
    return rc != OK || i < n ? rc
                             : err_rule(err, ERR_NOT_FOUND, "label-source", "There was no view " SV_FMT " at event %lld.",
                                        SV_ARG(name), (long long)as_of);
}

/* ---- images with one candidate ---- */

struct easy_images {
    struct response_easy *list; /* each image once, by id */
    size_t n;
};

/* Those of the view's campaigns. */
static enum err_code find_easy(struct db *db, const struct vote_view *view, int64_t as_of, struct arena *a, struct easy_images *out,
                               struct err *err)
{
    int64_t *campaigns;
    size_t n_campaigns = 0, n = 0;
    struct response_easy *all;
    *out = (struct easy_images){.n = 0};
    enum err_code rc = views_campaigns(db, view, a, &campaigns, &n_campaigns, err);
    rc = rc == OK ? responses_easy(db, as_of, a, &all, &n, err) : rc;
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < n; i++) {
        bool again = out->n && all[out->n - 1].image == all[i].image;
        if (!again && sorted_has_i64(campaigns, n_campaigns, all[i].campaign)) {
            all[out->n++] = all[i];
        }
    }
    out->list = all;
    return OK;
}

/* Whether people answered about it nevertheless, in another campaign: then that holds. */
static bool was_asked(const struct seen_objects *o, int64_t image)
{
    const struct seen_image *im = seen_find(o, image);
    return im && im->n_counted;
}

static bool is_easy(const struct easy_images *e, const struct seen_objects *o, int64_t image)
{
    size_t at = sorted_i64(e->list, e->n, sizeof *e->list, offsetof(struct response_easy, image), image);
    return at < e->n && e->list[at].image == image && !was_asked(o, image);
}

/* ---- versions of views ---- */

static void count_book(const struct seen_objects *o, const struct easy_images *e, struct label_version_row *v)
{
    for (size_t i = 0; i < o->n; i++) {
        const struct objects_found *f = &o->images[i].found;
        v->images += !f->few;
        for (uint32_t k = 0; k < o->images[i].n_labels && !f->few; k++) {
            v->labels += f->selected[k] > 0;
        }
    }
    for (size_t i = 0; i < e->n; i++) {
        v->images += !was_asked(o, e->list[i].image);
        v->labels += !was_asked(o, e->list[i].image);
    }
}

/* The live version under the view as of an event (0: the last that matters). */
static enum err_code make_version(struct db *db, const struct vote_view *view, int64_t as_of, struct arena *a,
                                  struct label_version_row *out, struct err *err)
{
    struct seen_hold s;
    struct easy_images easy;
    enum err_code rc = find_easy(db, view, as_of, a, &easy, err);
    rc = rc == OK ? seen_look(db, view, as_of, &s, err) : rc;
    if (rc != OK) {
        return rc;
    }
    *out = (struct label_version_row){.view = view->id, .newest = s.objects->number, .number = as_of ? as_of : s.objects->number,
                                      .kind = LABEL_KIND_OBJECTS, .kind_word = SV("objects"), .format = SV("answers"),
                                      .name = sv_of(arena_printf(a, LIVE SV_FMT, SV_ARG(view->name)))};
    out->id = out->list = out->number;
    out->file = sv_of(arena_printf(a, "answers to CLASSIFY tasks under the view " SV_FMT, SV_ARG(view->name)));
    count_book(s.objects, &easy, out);
    bool any = s.ledger->n > 0;
    seen_let_go(&s);
    if (!any) {
        return err_rule(err, ERR_NOT_FOUND, "label-source", "Nobody has answered a CLASSIFY task yet, so there is no label source " SV_FMT ".",
                        SV_ARG(out->name));
    }
    return events_time(db, out->number, &out->at, err);
}

static enum err_code find_live(struct db *db, struct sv name, struct arena *a, struct label_version_row *out, struct err *err)
{
    struct sv rest = name, source = sv_cut(&rest, '/');
    struct vote_view view;
    int64_t as_of = 0, last = 0;
    bool numbered = source.n < name.n;
    if (numbered && (!sv_i64(rest, &as_of) || as_of < 1)) {
        return err_rule(err, ERR_NOT_FOUND, "label-source", "\"" SV_FMT "\" is no version: name one as " LIVE "VIEW/EVENT.",
                        SV_ARG(name));
    }
    enum err_code rc = events_last(db, &last, err);
    if (rc == OK && as_of > last) {
        rc = err_rule(err, ERR_NOT_FOUND, "label-source", "There is no event %lld yet: the last one is %lld.", (long long)as_of,
                      (long long)last);
    }
    source = sv_make(source.p + strlen(LIVE), source.n - strlen(LIVE));
    rc = rc == OK ? find_view(db, source, as_of, a, &view, err) : rc;
    return rc == OK ? make_version(db, &view, as_of, a, out, err) : rc;
}

enum err_code label_source_find(struct db *db, struct sv name, struct arena *a, struct label_version_row *out, struct err *err)
{
    return is_live(name) ? find_live(db, name, a, out, err) : label_versions_find(db, name, a, out, err);
}

static bool counts_any(const int64_t *campaigns, size_t n, const int64_t *answered, size_t n_answered)
{
    size_t i = 0;
    while (i < n_answered && !sorted_has_i64(campaigns, n, answered[i])) {
        i++;
    }
    return i < n_answered;
}

/* A row for each view that counts answers to CLASSIFY tasks. */
static enum err_code list_live(struct db *db, struct arena *a, struct list *out, struct err *err)
{
    struct vote_view *views;
    int64_t *answered, *campaigns;
    size_t n_views = 0, n_answered = 0, n = 0;
    enum err_code rc = responses_campaigns(db, a, &answered, &n_answered, err);
    rc = rc == OK && n_answered ? views_list(db, a, &views, &n_views, err) : rc;
    for (size_t i = 0; i < n_views && out->n < LABEL_VIEWS_MOST && rc == OK; i++) {
        rc = views_campaigns(db, &views[i], a, &campaigns, &n, err);
        if (rc == OK && counts_any(campaigns, n, answered, n_answered)) {
            rc = make_version(db, &views[i], 0, a, LIST_ADD(out, a, struct label_version_row), err);
        }
    }
    return rc;
}

enum err_code label_source_newest(struct db *db, struct arena *a, struct label_version_row **out, size_t *n, struct err *err)
{
    struct list list = {0};
    struct label_version_row *stored;
    size_t n_stored = 0;
    enum err_code rc = list_live(db, a, &list, err);
    rc = rc == OK ? label_versions_list(db, 0, a, &stored, &n_stored, err) : rc;
    for (size_t i = 0; i < n_stored; i++) {
        *LIST_ADD(&list, a, struct label_version_row) = stored[i];
    }
    *out = list.items;
    *n = list.n;
    return rc;
}

enum err_code label_source_versions(struct db *db, const struct label_version_row *of, struct arena *a,
                                    struct label_version_row **out, size_t *n, struct err *err)
{
    if (of->view == 0) {
        return label_versions_list(db, of->source, a, out, n, err);
    }
    *out = arena_calloc(a, 1, sizeof **out);
    **out = *of;
    *n = 1;
    return OK;
}

/* ---- what they say ---- */

/* The same as of the version's event, with the easy images; what is kept of the newest serves, if it is that. */
static enum err_code look_at(struct db *db, const struct label_version_row *v, struct arena *a, struct seen_hold *out,
                             struct easy_images *easy, struct err *err)
{
    struct vote_view view;
    enum err_code rc = views_version(db, v->view, SV(""), a, &view, err);
    rc = rc == OK ? find_easy(db, &view, v->number, a, easy, err) : rc;
    rc = rc == OK ? seen_look(db, &view, 0, out, err) : rc;
    if (rc == OK && out->objects->number != v->number) {
        seen_let_go(out);
        rc = seen_look(db, &view, v->number, out, err);
    }
    return rc;
}

static void add_image(struct label_book *b, const struct seen_image *im)
{
    const struct objects_found *f = &im->found;
    struct label_image *image = label_book_image(b, im->image);
    image->main_object = f->few ? -1 : (int)f->main_object;
    for (uint32_t i = 0; i < im->n_labels && !f->few; i++) {
        if (f->selected[i]) {
            struct label *l = label_book_label(b, im->labels[i], im->ids[i] < NO_CID ? (uint16_t)im->ids[i] : NO_CID);
            l->votes = f->selected[i];
            l->object = f->of[i] == OBJECT_NONE ? -1 : f->of[i];
            l->main = i == f->main;
        }
    }
}

/* Nobody said so: its label is the only candidate. */
static enum err_code add_easy(struct db *db, struct label_book *b, const struct easy_images *e, const struct seen_objects *o,
                              struct arena *a, struct err *err)
{
    struct class_info *list;
    struct map_u64 cids;
    size_t n = 0;
    map_u64_init(&cids);
    enum err_code rc = e->n ? classes_list(db, a, &list, &n, err) : OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        map_u64_put(&cids, (uint64_t)list[i].id, list[i].cid >= 0 && list[i].cid < NO_CID ? (uint32_t)list[i].cid : NO_CID);
    }
    for (size_t i = 0; i < e->n && rc == OK; i++) {
        if (!was_asked(o, e->list[i].image)) {
            struct label_image *image = label_book_image(b, (uint32_t)e->list[i].image);
            image->inferred = true;
            image->main_object = 0;
            struct label *l = label_book_label(b, (uint32_t)e->list[i].class_id, (uint16_t)map_u64_get(&cids, (uint64_t)e->list[i].class_id));
            l->object = 0;
            l->main = true;
        }
    }
    map_u64_release(&cids);
    return rc;
}

static enum err_code live_read(struct db *db, const struct label_version_row *v, struct arena *a, struct label_book *out, struct err *err)
{
    struct seen_hold s;
    struct easy_images easy;
    enum err_code rc = look_at(db, v, a, &s, &easy, err);
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < s.objects->n; i++) {
        if (s.objects->images[i].n_counted) {
            add_image(out, &s.objects->images[i]);
        }
    }
    rc = add_easy(db, out, &easy, s.objects, a, err);
    seen_let_go(&s);
    return rc;
}

enum err_code label_source_read(struct db *db, const struct label_version_row *v, struct label_book *out, struct err *err)
{
    struct arena a;
    *out = (struct label_book){.n = 0};
    if (v->view == 0) {
        return v->list < 0 ? review_book_copy(db, -v->list, out, err) : label_list_read(db, v->list, out, err);
    }
    arena_init(&a, MEMORY);
    enum err_code rc = live_read(db, v, &a, out, err);
    arena_release(&a);
    return rc;
}

static enum err_code live_covers(struct db *db, const struct label_version_row *v, int64_t revision, struct arena *a, int64_t *has,
                                 int64_t *counts, struct err *err)
{
    struct seen_hold s;
    struct easy_images easy;
    struct revision_image *images;
    size_t n = 0;
    enum err_code rc = revisions_images(db, revision, a, &images, &n, err);
    rc = rc == OK ? look_at(db, v, a, &s, &easy, err) : rc;
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < n; i++) {
        const struct seen_image *im = seen_find(s.objects, images[i].image);
        bool inferred = is_easy(&easy, s.objects, images[i].image);
        *has += inferred || (im && im->n_counted);
        *counts += inferred || (im && !im->found.few);
    }
    seen_let_go(&s);
    return OK;
}

enum err_code label_source_covers(struct db *db, const struct label_version_row *v, int64_t revision, int64_t *has,
                                  int64_t *counts, struct err *err)
{
    struct arena a;
    *has = *counts = 0;
    if (v->list < 0) {
        return review_book_covers(db, -v->list, revision, has, counts, err);
    }
    if (v->view == 0) {
        return label_list_covers(db, v->list, v->kind, revision, has, counts, err);
    }
    arena_init(&a, MEMORY);
    enum err_code rc = live_covers(db, v, revision, &a, has, counts, err);
    arena_release(&a);
    return rc;
}
