/* seen_list.c - copies what is kept, then counts. */
#include "measures/objects/seen_list.h"

#include <math.h>

#include "live/objects/seen.h"
#include "store/classes/classes.h"
#include "store/images/images.h"

static const double SURE = 0.8; /* of votes that find the set's label: nearly everybody */

/* ---- copied ---- */

static uint32_t ticked(const struct seen_image *im)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < im->n_labels; i++) {
        n += im->found.selected[i] > 0;
    }
    return n;
}

static int object_of(const struct seen_image *im)
{
    for (uint32_t i = 0; i < im->n_labels; i++) {
        if (im->labels[i] == im->class_id) {
            return im->found.of[i] == OBJECT_NONE ? -1 : im->found.of[i];
        }
    }
    return -1;
}

static struct seen_row row_of(const struct seen_image *im, struct arena *a)
{
    const struct objects_found *f = &im->found;
    struct seen_row r = {.image = im->image, .class_id = im->class_id, .campaign = im->campaign, .answers = im->n_counted,
                         .responses = f->responses, .none = im->none, .enough = !f->few, .main_object = -1, .label_object = -1};
    if (!r.enough) {
        return r;
    }
    uint32_t *names = arena_calloc(a, f->n, sizeof *names);
    for (uint32_t i = 0; i < f->n; i++) {
        names[i] = im->labels[f->object[i].label];
    }
    r.main = im->labels[f->main];
    r.main_count = f->main_count;
    r.main_tied = f->main_tied;
    r.n = f->n;
    r.n_tied = f->n_tied;
    r.selected = ticked(im);
    r.names = names;
    r.main_object = (int)f->main_object;
    r.label_object = object_of(im);
    r.within_cost = (int64_t)f->within_cost;
    r.n_optimal = f->n_optimal;
    return r;
}

static enum err_code copy_rows(struct db *db, const struct vote_view *v, struct arena *a, struct seen_list *out, struct err *err)
{
    struct seen_hold s;
    enum err_code rc = seen_look(db, v, 0, &s, err);
    if (rc != OK) {
        return rc;
    }
    out->rows = arena_calloc(a, s.objects->n + 1, sizeof *out->rows);
    out->number = s.objects->number;
    out->made = s.objects->made;
    for (size_t i = 0; i < s.objects->n; i++) {
        if (s.objects->images[i].n_counted) {
            out->rows[out->n++] = row_of(&s.objects->images[i], a);
        }
    }
    seen_let_go(&s);
    return OK;
}

/* ---- counted ---- */

static void count(struct seen_list *l, struct arena *a)
{
    struct image_labels *at = arena_calloc(a, l->n + 1, sizeof *at);
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct seen_row *r = &l->rows[i];
        l->summary.responses += r->responses;
        l->summary.left_out += !r->enough;
        if (!r->enough) {
            continue;
        }
        at[n++] = (struct image_labels){r->class_id, r->main, r->names, r->n, r->main_object, r->label_object};
        l->summary.asked++;
        l->summary.ties += r->n > 1 && r->n_optimal > 1;
        l->summary.main_ties += r->main_tied;
        l->summary.number_ties += r->n_tied;
        object_summary_selected(&l->summary, r->selected);
    }
    l->counted = (struct image_list){at, n};
    object_summary_finish(&l->summary, &l->counted, a);
    l->together = pairs_together(&l->counted, SEEN_TOGETHER, a, &l->n_together);
    l->confused = pairs_confused(&l->counted, SEEN_CONFUSED, 0, a, &l->n_confused);
}

enum err_code seen_list_make(struct db *db, const struct vote_view *v, struct arena *a, struct seen_list *out, struct err *err)
{
    *out = (struct seen_list){.n = 0};
    enum err_code rc = copy_rows(db, v, a, out, err);
    if (rc == OK) {
        count(out, a);
    }
    return rc;
}

/* ---- which to look at ---- */

static bool tied(const struct seen_row *r) { return r->main_tied || r->n_tied || (r->n > 1 && r->n_optimal > 1); }

bool seen_shows(const struct seen_row *r, enum seen_show show)
{
    switch (show) {
    case SEEN_ALL: return true;
    case SEEN_SEVERAL: return r->n > 1;
    case SEEN_LOW: return r->enough && 2 * r->main_count <= r->responses;
    case SEEN_TIES: return r->enough && tied(r);
    case SEEN_AMBIGUOUS: return r->enough && r->shown && r->found >= SURE * r->shown && (r->main != r->class_id || tied(r));
    case SEEN_NOT_MAIN: return r->enough && r->main != r->class_id;
    case SEEN_FEW: return !r->enough;
    }
    BUG_IF(true);
}

bool seen_has_pair(const struct seen_row *r, uint32_t a, uint32_t b)
{
    bool has_a = false, has_b = false;
    for (uint32_t i = 0; i < r->n; i++) {
        has_a = has_a || r->names[i] == a;
        has_b = has_b || r->names[i] == b;
    }
    return has_a && has_b;
}

bool seen_confuses(const struct seen_row *r, uint32_t a, uint32_t b)
{
    return r->enough && ((r->class_id == a && r->main == b) || (r->class_id == b && r->main == a));
}

/* ---- named ---- */

#define OF(member) RECORD_OF(struct seen_named, member)
#define IF_ENOUGH RECORD_IF(struct seen_named, enough)
RECORD(seen_named_record, struct seen_named, "seen_image_row", "What people see in an image, in a list of many.",
       {"image", OF(image), .about = "The image."}, {"id", OF(id), .face = RECORD_JSON, .about = "Its number, as in addresses."},
       {"label", OF(label), .about = "The class that its set gives it."},
       {"responses", OF(row.responses), .about = "Answers that count and tick something."},
       {"none_of_these", OF(row.none), .about = "Answers that none of the labels is there."},
       {"num_objects", OF(row.n), IF_ENOUGH, .about = "Objects; empty: too few answers."},
       {"num_objects_tied", OF(row.n_tied), IF_ENOUGH, .about = "Another number is as frequent."},
       {"main_label", OF(main), IF_ENOUGH, .about = "The label that most call the main one."},
       {"main_tied", OF(row.main_tied), IF_ENOUGH, .about = "Another one is called so as often."},
       {"main_agreement", OF(agreement), IF_ENOUGH, .about = "The share of the answers that calls it so."},
       {"object_labels", OF(objects), IF_ENOUGH, .about = "Each object's label, with | between."},
       {"main_object", OF(row.main_object), IF_ENOUGH, .about = "Number of the main object, from 0."},
       {"label_object", OF(label_object), IF_ENOUGH, .about = "Number of the object with the set's label; -1: none."},
       {"within_cost", OF(row.within_cost), IF_ENOUGH, .about = "How often two labels of one object were ticked together."},
       {"n_optimal", OF(row.n_optimal), IF_ENOUGH, .about = "Ways to part the labels that cost as little."},
       {"contains_frequency", OF(frequency), RECORD_IF(struct seen_named, asked), .about = "How often CONTAINS finds the set's label in it; empty: nobody was asked."});
#undef IF_ENOUGH
#undef OF

static struct sv objects_text(const struct seen_row *r, const struct sv *wnid, struct arena *a)
{
    const char *text = "";
    for (uint32_t i = 0; i < r->n; i++) {
        text = arena_printf(a, "%s%s" SV_FMT, text, i ? "|" : "", SV_ARG(wnid[r->names[i]]));
    }
    return sv_of(text);
}

enum err_code seen_names(struct db *db, const struct seen_row *const *rows, size_t n, const struct sv *wnid, struct arena *a,
                         struct seen_named **out, struct err *err)
{
    struct image_row *images = arena_calloc(a, n + 1, sizeof *images);
    int64_t *ids = arena_calloc(a, n + 1, sizeof *ids);
    *out = arena_calloc(a, n + 1, sizeof **out);
    for (size_t i = 0; i < n; i++) {
        ids[i] = rows[i]->image;
    }
    enum err_code rc = images_names(db, ids, n, a, images, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct seen_row *r = rows[i];
        (*out)[i] = (struct seen_named){.image = images[i].name, .label = wnid[r->class_id], .id = r->image, .row = *r, .enough = r->enough,
                                        .asked = r->shown > 0, .label_object = r->label_object,
                                        .main = r->enough ? wnid[r->main] : SV(""), .objects = objects_text(r, wnid, a),
                                        .agreement = r->enough ? (double)r->main_count / r->responses : (double)NAN,
                                        .frequency = r->shown ? (double)r->found / r->shown : (double)NAN};
    }
    return rc;
}

enum err_code seen_class_texts(struct db *db, struct arena *a, struct sv **wnids, struct sv **names, uint32_t *n, struct err *err)
{
    struct class_info *list;
    size_t n_classes = 0;
    enum err_code rc = classes_list(db, a, &list, &n_classes, err);
    *n = 1;
    for (size_t i = 0; i < n_classes && rc == OK; i++) {
        *n = list[i].id >= *n ? (uint32_t)list[i].id + 1 : *n;
    }
    *wnids = arena_calloc(a, *n, sizeof **wnids);
    *names = arena_calloc(a, *n, sizeof **names);
    for (size_t i = 0; i < n_classes && rc == OK; i++) {
        struct sv words = list[i].synset;
        (*wnids)[list[i].id] = list[i].wnid;
        (*names)[list[i].id] = sv_cut(&words, '|');
    }
    return rc;
}
