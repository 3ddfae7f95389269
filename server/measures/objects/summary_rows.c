/* summary_rows.c - counts, shares with intervals, histograms. */
#include "measures/objects/summary_rows.h"

#include "stats/binomial.h"

#define OF(member) RECORD_OF(struct object_summary_row, member)
RECORD(
    object_summary_record, struct object_summary_row, "object_summary", "What many images show.",
    {"images", OF(s.images), .about = "Images that count."}, {"asked", OF(asked), .about = "Those of them that people were asked about."},
    {"easy", OF(easy), .about = "Those whose only candidate is the set's label."},
    {"left_out", OF(left_out), .about = "Images that do not count: nobody found their label, too few people, or no objects."},
    {"responses", OF(responses), .about = "Responses about the images that people were asked about."},
    {"by_objects", RECORD_ROWS(struct object_summary_row, objects, n_objects), .of = &image_histogram_record, .about = "Images by number of objects."},
    {"by_selected_labels", RECORD_ROWS(struct object_summary_row, selected, n_selected), .of = &image_histogram_record,
     .about = "Images that people were asked about, by how many different labels anybody selected."},
    {"several_objects", OF(s.several), .about = "Images with more than one object."},
    {"several_share", OF(several_share), .maybe = true, .about = "Their share."},
    {"several_lo", OF(several_lo), .maybe = true, .about = "Lower bound, 95 %, by Clopper and Pearson."}, {"several_hi", OF(several_hi), .maybe = true, .about = "Upper bound."},
    {"several_label_not_main_object", OF(s.several_disagree), .about = "Of them: the set's label is of another object than the main one."},
    {"several_main_label_not_label", OF(s.several_main_differs), .about = "Of them: the main label is not the set's."},
    {"main_label_is_label", OF(s.main_right), .about = "Images whose main label is the set's."},
    {"main_label_share", OF(main_share), .maybe = true, .about = "Their share: the accuracy of the set's label by the main label."},
    {"main_label_lo", OF(main_lo), .maybe = true, .about = "Lower bound."}, {"main_label_hi", OF(main_hi), .maybe = true, .about = "Upper bound."},
    {"label_of_no_object", OF(s.label_missing), .about = "Images whose label is of no object."},
    {"images_with_unassigned_labels", OF(unassigned), .about = "Images with labels that were selected but are of no object."},
    {"partition_ties", OF(ties), .about = "Images with several objects whose labels can be parted otherwise as well."},
    {"main_ties", OF(main_ties), .about = "Images where several labels are called the main one as often."},
    {"number_ties", OF(number_ties), .about = "Images where several numbers of objects are as frequent."},
    {"random_object_accuracy", OF(s.random_object), .maybe = true,
     .about = "Of images with several objects: how often the label of one at random is the set's; null: there are none."},
    {"random_object_main", OF(s.random_main), .maybe = true, .about = "How often it is the main label."});
#undef OF


static struct histogram_row *histogram(const uint32_t *images, uint32_t most, struct arena *a, size_t *n)
{
    struct histogram_row *rows = arena_calloc(a, most + 1, sizeof *rows);
    *n = 0;
    for (uint32_t i = 0; i <= most; i++) {
        if (images[i]) {
            rows[(*n)++] = (struct histogram_row){i, images[i]};
        }
    }
    return rows;
}

void object_summary_selected(struct object_summary_row *row, uint32_t labels)
{
    row->by_selected[labels < SUMMARY_SELECTED ? labels : SUMMARY_SELECTED]++;
}

void object_summary_finish(struct object_summary_row *row, const struct image_list *images, struct arena *a)
{
    row->s = object_summary_of(images);
    struct proportion several = binomial_proportion(row->s.several, row->s.images);
    struct proportion main = binomial_proportion(row->s.main_right, row->s.images);
    row->several_share = several.value;
    row->several_lo = several.lo;
    row->several_hi = several.hi;
    row->main_share = main.value;
    row->main_lo = main.lo;
    row->main_hi = main.hi;
    row->objects = histogram(row->s.by_objects, SUMMARY_OBJECTS, a, &row->n_objects);
    row->selected = histogram(row->by_selected, SUMMARY_SELECTED, a, &row->n_selected);
}
