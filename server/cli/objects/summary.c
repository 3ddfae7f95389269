/* summary.c - `holdout object-summary`: what many images show, in numbers, as JSON. Reads files and no project. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "cli/core/commands.h"
#include "cli/objects/object_files.h"
#include "domain/labels/object_summary.h"
#include "measures/objects/candidate_rows.h"
#include "stats/binomial.h"

struct summary_row {
    struct object_summary s;
    uint32_t asked, easy, left_out, unassigned, ties, main_ties, number_ties;
    uint32_t responses;
    double several_share, several_lo, several_hi, main_share, main_lo, main_hi;
    struct histogram_row *objects, *selected;
    size_t n_objects, n_selected;
};
#define OF(member) RECORD_OF(struct summary_row, member)
static RECORD(
    summary_record, struct summary_row, "object_summary", "What many images show.",
    {"images", OF(s.images), .about = "Images that count."}, {"asked", OF(asked), .about = "Those of them that people were asked about."},
    {"easy", OF(easy), .about = "Those whose only candidate is the set's label."},
    {"left_out", OF(left_out), .about = "Images that do not count: nobody found their label, too few people, or no objects."},
    {"responses", OF(responses), .about = "Responses about the images that people were asked about."},
    {"by_objects", RECORD_ROWS(struct summary_row, objects, n_objects), .of = &image_histogram_record, .about = "Images by number of objects."},
    {"by_selected_labels", RECORD_ROWS(struct summary_row, selected, n_selected), .of = &image_histogram_record,
     .about = "Images that people were asked about, by how many different labels anybody selected."},
    {"several_objects", OF(s.several), .about = "Images with more than one object."},
    {"several_share", OF(several_share), .about = "Their share."},
    {"several_lo", OF(several_lo), .about = "Lower bound, 95 %, by Clopper and Pearson."}, {"several_hi", OF(several_hi), .about = "Upper bound."},
    {"several_label_not_main_object", OF(s.several_disagree), .about = "Of them: the set's label is of another object than the main one."},
    {"several_main_label_not_label", OF(s.several_main_differs), .about = "Of them: the main label is not the set's."},
    {"main_label_is_label", OF(s.main_right), .about = "Images whose main label is the set's."},
    {"main_label_share", OF(main_share), .about = "Their share: the accuracy of the set's label by the main label."},
    {"main_label_lo", OF(main_lo), .about = "Lower bound."}, {"main_label_hi", OF(main_hi), .about = "Upper bound."},
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

static struct summary_row summary_row(const struct object_files *o, struct arena *a)
{
    struct summary_row row = {.s = object_summary_of(&o->list), .easy = (uint32_t)o->inferred, .left_out = (uint32_t)o->left_out};
    enum { SELECTED_MOST = 1000 };
    uint32_t *selected = arena_calloc(a, SELECTED_MOST + 1, sizeof *selected);
    for (size_t i = 0; i < o->list.n; i++) {
        struct object_votes v = object_files_votes(o, i);
        if (v.inferred) {
            continue;
        }
        row.asked++;
        row.responses += v.responses;
        row.unassigned += v.unassigned > 0;
        row.ties += v.n_optimal > 1 && o->list.at[i].n > 1;
        row.main_ties += v.main_tied;
        row.number_ties += v.number_tied;
        selected[v.selected < SELECTED_MOST ? v.selected : SELECTED_MOST]++;
    }
    struct proportion several = binomial_proportion(row.s.several, row.s.images);
    struct proportion main = binomial_proportion(row.s.main_right, row.s.images);
    row.several_share = several.value;
    row.several_lo = several.lo;
    row.several_hi = several.hi;
    row.main_share = main.value;
    row.main_lo = main.lo;
    row.main_hi = main.hi;
    row.objects = histogram(row.s.by_objects, SUMMARY_OBJECTS, a, &row.n_objects);
    row.selected = histogram(selected, SELECTED_MOST, a, &row.n_selected);
    return row;
}

enum err_code cmd_object_summary(struct cli *cli)
{
    struct object_files o;
    object_files_init(&o, cli);
    enum err_code rc = object_files_read(&o, cli);
    if (rc == OK) {
        struct summary_row row = summary_row(&o, &cli->arena);
        json_t *all = record_json(&summary_record, &row);
        BUG_IF(!all);
        bool written = json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
        json_decref(all);
        rc = written ? OK : err_set(&cli->err, ERR_IO, "cannot write the output");
    }
    object_files_release(&o);
    return rc;
}
