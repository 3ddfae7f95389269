/* class_panel.h - the images of one class of a set, by what models, people who named the main object and people who were asked about
 * a label by itself say of them (Tsipras et al. 2020, figure 6); and some of the images at each selection frequency. Images that a
 * sealed revision has are nowhere in it. */
#ifndef MEASURES_CLASS_PANEL_H
#define MEASURES_CLASS_PANEL_H

#include "domain/votes/histogram.h"
#include "live/votes/view_count.h"
#include "measures/images/image_answers.h"

enum { PANEL_LABELS = 12 /* most that are listed */, PANEL_SAMPLE = 8 /* images of each bin */, PANEL_BINS = HISTOGRAM_BINS + 1, PANEL_SEED = 1 };

struct class_panel_ask {
    const struct revision_row *revision;
    const struct subset *subset; /* of images of the class; its label source says what the main object is, the set's own: not known */
    const int64_t *models;
    size_t n_models;
    const struct view_counts *votes;
    int64_t class_id;
    uint64_t seed;               /* of the images that are chosen */
};
struct panel_label {
    uint16_t cid;
    uint32_t answers;            /* first answers of models that say it */
    uint32_t main;               /* images whose main object it is */
    uint32_t asked;              /* images about which people were asked whether it is in them */
    double frequency;            /* mean selection frequency of it over these; NAN: none */
};
struct panel_image {
    uint32_t image, selected, shown, right, predicted; /* votes for the class; models that say it first */
};
struct class_panel {             /* in the caller's arena */
    struct panel_label *labels;  /* the class first, then by the greater of their shares of answers and of main objects */
    size_t n_labels, n_said;     /* in the list; that there are */
    uint32_t images, answers, main, sealed; /* images; answers about them; images of which the main object is known */
    struct panel_image *sample[PANEL_BINS]; /* by selection frequency, the last of those about which nobody was asked */
    size_t n_sample[PANEL_BINS];
    uint32_t in_bin[PANEL_BINS];
};
/* ERR_DENIED (rule "set-sealed"). */
enum err_code class_panel_make(struct model_scores *s, struct db *db, const struct class_panel_ask *ask, struct arena *a,
                               struct class_panel *out, struct err *err);

#endif
