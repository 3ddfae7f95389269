/* object_rows.c - an image's objects as texts for CSV and as lists for JSON. */
#include "measures/objects/object_rows.h"

#include "json/object.h"
#include "record/record.h"

/* ---- a label ---- */

struct label_row {
    struct sv image, label;
    uint32_t selected, responses;
    double frequency, share, main;
    double in_object; /* of an object's selections */
};
#define OF(member) RECORD_OF(struct label_row, member)
static RECORD(object_label_record, struct label_row, "object_label", "One label of an object.",
              {"label", OF(label), .about = "The label."},
              {"selected", OF(selected), .about = "Responses that selected it."},
              {"share", OF(in_object), .about = "Its share of the object's selections."},
              {"frequency", OF(frequency), .about = "The share of all responses that selected it."});
static RECORD(soft_record, struct label_row, "soft_label", "How often one label was chosen for an image.",
              {"image", OF(image), .about = "The image."}, {"label", OF(label), .about = "The label."},
              {"selected", OF(selected), .about = "Responses that selected it."},
              {"responses", OF(responses), .about = "All responses about the image."},
              {"frequency", OF(frequency), .about = "selected / responses."},
              {"share", OF(share), .about = "Its share of all selections; adds up to 1 over the image."},
              {"main", OF(main), .about = "The share of responses that call it the main object; adds up to 1."});
#undef OF

static uint32_t main_votes_of(const struct objects_ask *ask, uint32_t at)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ask->n; i++) {
        n += ask->responses[i].main == at;
    }
    return n;
}

static struct label_row label_row(const struct object_image *im, uint32_t at)
{
    const struct objects_found *f = im->found;
    struct label_row row = {.image = im->image, .label = im->names[at], .selected = f->selected[at], .responses = f->responses};
    uint32_t all = 0;
    for (uint32_t i = 0; i < im->ask->n_labels; i++) {
        all += f->selected[i];
    }
    row.frequency = (double)row.selected / row.responses;
    row.share = (double)row.selected / all;
    row.main = (double)main_votes_of(im->ask, at) / row.responses;
    if (f->of[at] != OBJECT_NONE) {
        row.in_object = (double)row.selected / f->object[f->of[at]].selections;
    }
    return row;
}

/* ---- an object ---- */

struct object_row {
    struct sv label;
    uint32_t selections, main_votes;
    struct label_row *labels;
    size_t n_labels;
};
#define OF(member) RECORD_OF(struct object_row, member)
static RECORD(object_record, struct object_row, "object", "Labels that name the same object of an image.",
              {"label", OF(label), .about = "The most selected one, of several the one with the smallest class."},
              {"selections", OF(selections), .about = "How often its labels were selected."},
              {"main_votes", OF(main_votes), .about = "Responses that call one of its labels the main one."},
              {"labels", RECORD_ROWS(struct object_row, labels, n_labels), .of = &object_label_record, .about = "Its labels."});
#undef OF

/* ---- an image ---- */

struct image_row {
    bool enough, labelled, found_label;
    struct sv image, label, main_label, order, dropped, objects, object_labels, main_votes;
    uint32_t responses, n, n_tied, main_tied, n_optimal, main_object, beyond;
    int label_object;
    int64_t within_cost;
    double agreement;
    struct object_row *list;
    size_t n_list;
    json_t *unassigned;
    /* Stability. */
    bool stable;
    uint32_t kept;
    int64_t subsets;
    double same_main, same_n, same;
};
#define OF(member) RECORD_OF(struct image_row, member)
#define IF_ENOUGH RECORD_IF(struct image_row, enough)
static RECORD(
    image_record, struct image_row, "image_objects", "What an image shows according to several people.",
    {"image", OF(image), .about = "The image."},
    {"label", OF(label), .maybe = true, .about = "The label that its set gives it; null: not known."},
    {"num_responses", OF(responses), .about = "Responses that count."},
    {"num_objects", OF(n), IF_ENOUGH, .about = "How many labels most responses have; null: too few responses."},
    {"num_objects_tied", OF(n_tied), IF_ENOUGH, .about = "1: another number was as frequent; the one that came first holds."},
    {"main_label", OF(main_label), IF_ENOUGH, .about = "The label that most responses call the main one."},
    {"main_tied", OF(main_tied), IF_ENOUGH, .about = "1: another label is called so as often; the one that came first holds."},
    {"main_agreement", OF(agreement), IF_ENOUGH, .face = RECORD_JSON, .about = "The share of responses that call it so."},
    {"candidate_order", OF(order), IF_ENOUGH, .face = RECORD_CSV, .about = "Labels of objects in the order that decides ties."},
    {"dropped", OF(dropped), .face = RECORD_CSV, .about = "Labels that were selected but are of no object."},
    {"unassigned", OF(unassigned), .kind = RECORD_TEXTS, .face = RECORD_JSON, .about = "Labels that were selected but are of no object."},
    {"too_many_labels", OF(beyond), IF_ENOUGH, .face = RECORD_JSON, .about = "1: the least selected ones are of no object because there are too many."},
    {"within_cost", OF(within_cost), IF_ENOUGH, .about = "How often two labels of one object were selected together; 0: all agree."},
    {"n_optimal", OF(n_optimal), IF_ENOUGH, .about = "Ways to part the labels that cost as little; 1: no other."},
    {"objects", OF(objects), IF_ENOUGH, .face = RECORD_CSV, .about = "Each object's labels with how often they were selected."},
    {"objects", RECORD_ROWS(struct image_row, list, n_list), .face = RECORD_JSON, .of = &object_record, .about = "The objects."},
    {"object_labels", OF(object_labels), IF_ENOUGH, .face = RECORD_CSV, .about = "Each object's label."},
    {"main_object", OF(main_object), IF_ENOUGH, .about = "Number of the object with most main votes, from 0."},
    {"main_votes", OF(main_votes), IF_ENOUGH, .face = RECORD_CSV, .about = "Each object's main votes."},
    {"label_object", OF(label_object), RECORD_IF(struct image_row, found_label), .about = "Number of the object with the set's label; -1: none."});
static RECORD(stability_record, struct image_row, "stability", "How much depends on who was asked.",
              {"kept", OF(kept), RECORD_IF(struct image_row, stable), .about = "Responses of each subset."},
              {"subsets", OF(subsets), RECORD_IF(struct image_row, stable), .about = "Subsets that were looked at."},
              {"same_main", OF(same_main), RECORD_IF(struct image_row, stable), .about = "The share of them with the same main label."},
              {"same_num_objects", OF(same_n), RECORD_IF(struct image_row, stable), .about = "With as many objects."},
              {"same_objects", OF(same), RECORD_IF(struct image_row, stable), .about = "With the same objects."});
#undef IF_ENOUGH
#undef OF

/* ---- texts ---- */

enum { TEXT_MOST = 1 << 16 };

/* What `add` says of each label of a mask, or of each object, with a separator between. */
static struct sv labels_text(const struct object_image *im, uint64_t mask, bool counts, struct arena *a)
{
    struct str s;
    str_init(&s, TEXT_MOST);
    for (uint32_t i = 0; i < im->ask->n_labels; i++) {
        if (mask >> i & 1) {
            str_printf(&s, "%s" SV_FMT, s.n ? "+" : "", SV_ARG(im->names[i]));
            if (counts) {
                str_printf(&s, ":%u", im->found->selected[i]);
            }
        }
    }
    struct sv text = arena_sv(a, str_sv(&s));
    str_release(&s);
    return text;
}

static struct sv objects_text(const struct object_image *im, struct sv (*of)(const struct object_image *, uint32_t, struct arena *),
                              struct arena *a)
{
    struct str s;
    str_init(&s, TEXT_MOST);
    for (uint32_t i = 0; i < im->found->n; i++) {
        str_addz(&s, i ? "|" : "");
        str_addsv(&s, of(im, i, a));
    }
    struct sv text = arena_sv(a, str_sv(&s));
    str_release(&s);
    return text;
}

static struct sv counted_labels(const struct object_image *im, uint32_t object, struct arena *a)
{
    return labels_text(im, im->found->object[object].labels, true, a);
}

static struct sv object_label(const struct object_image *im, uint32_t object, struct arena *a)
{
    (void)a;
    return im->names[im->found->object[object].label];
}

static struct sv object_main_votes(const struct object_image *im, uint32_t object, struct arena *a)
{
    return sv_of(arena_printf(a, "%u", im->found->object[object].main_votes));
}

/* ---- filled ---- */

static void fill_stability(const struct object_image *im, struct image_row *row)
{
    const struct objects_stability *s = im->stability;
    row->stable = s && s->subsets;
    if (row->stable) {
        double n = (double)s->subsets;
        row->kept = im->kept;
        row->subsets = (int64_t)s->subsets;
        row->same_main = (double)s->same_main / n;
        row->same_n = (double)s->same_n / n;
        row->same = (double)s->same / n;
    }
}

static struct image_row image_row(const struct object_image *im)
{
    const struct objects_found *f = im->found;
    struct image_row row = {.image = im->image, .label = im->label, .responses = f->responses, .enough = !f->few};
    fill_stability(im, &row);
    if (f->few) {
        return row;
    }
    row.found_label = im->label.n > 0;
    row.label_object = row.found_label ? objects_of_class(im->ask, f, im->label_id) : -1;
    row.n = f->n;
    row.n_tied = f->n_tied;
    row.main_label = im->names[f->main];
    row.main_tied = f->main_tied;
    row.agreement = (double)f->main_count / f->responses;
    row.beyond = f->beyond;
    row.within_cost = (int64_t)f->within_cost;
    row.n_optimal = f->n_optimal;
    row.main_object = f->main_object;
    return row;
}

static uint64_t of_objects(const struct objects_found *f)
{
    uint64_t labels = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        labels |= f->object[i].labels;
    }
    return labels;
}

void object_csv_names(bool stability, struct str *out)
{
    record_csv_names(&image_record, out);
    if (stability) {
        str_addc(out, ',');
        record_csv_names(&stability_record, out);
    }
    str_addc(out, '\n');
}

void object_csv_row(const struct object_image *im, struct arena *a, struct str *out)
{
    struct image_row row = image_row(im);
    row.order = labels_text(im, of_objects(im->found), false, a);
    row.dropped = labels_text(im, im->found->unassigned, false, a);
    row.objects = objects_text(im, counted_labels, a);
    row.object_labels = objects_text(im, object_label, a);
    row.main_votes = objects_text(im, object_main_votes, a);
    record_csv_cells(&image_record, &row, out);
    if (im->stability) {
        str_addc(out, ',');
        record_csv_cells(&stability_record, &row, out);
    }
    str_addc(out, '\n');
}

static struct object_row object_row(const struct object_image *im, uint32_t object, struct arena *a)
{
    const struct object *o = &im->found->object[object];
    struct object_row row = {.label = im->names[o->label], .selections = o->selections, .main_votes = o->main_votes};
    row.labels = arena_calloc(a, OBJECT_LABELS, sizeof *row.labels);
    for (uint32_t i = 0; i < im->ask->n_labels; i++) {
        if (o->labels >> i & 1) {
            row.labels[row.n_labels++] = label_row(im, i);
        }
    }
    return row;
}

json_t *object_json(const struct object_image *im, struct arena *a)
{
    struct image_row row = image_row(im);
    row.list = arena_calloc(a, OBJECT_TICKS, sizeof *row.list);
    row.unassigned = json_array();
    for (uint32_t i = 0; i < im->found->n; i++) {
        row.list[row.n_list++] = object_row(im, i, a);
    }
    for (uint32_t i = 0; i < im->ask->n_labels; i++) {
        if (im->found->unassigned >> i & 1) {
            json_array_append_new(row.unassigned, json_stringn(im->names[i].p, im->names[i].n));
        }
    }
    json_t *all = record_json(&image_record, &row);
    if (im->stability) {
        json_object_set_new(all, "stability", record_json(&stability_record, &row));
    }
    return all;
}

/* ---- distributions ---- */

void soft_csv_names(struct str *out)
{
    record_csv_names(&soft_record, out);
    str_addc(out, '\n');
}

void soft_csv_rows(const struct object_image *im, struct str *out)
{
    for (uint32_t i = 0; i < im->ask->n_labels; i++) {
        if (im->found->selected[i]) {
            struct label_row row = label_row(im, i);
            record_csv_cells(&soft_record, &row, out);
            str_addc(out, '\n');
        }
    }
}

json_t *soft_json(const struct object_image *im)
{
    json_t *share = json_object(), *main = json_object();
    for (uint32_t i = 0; i < im->ask->n_labels; i++) {
        if (im->found->selected[i]) {
            struct label_row row = label_row(im, i);
            json_object_setn_new_nocheck(share, row.label.p, row.label.n, json_real(row.share));
            json_object_setn_new_nocheck(main, row.label.p, row.label.n, json_real(row.main));
        }
    }
    return object(field_sv("image", im->image), field_count("responses", im->found->responses), field_json("share", share),
                  field_json("main", main));
}
