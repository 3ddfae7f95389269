/* object_summary.c - one pass over images. */
#include "domain/labels/object_summary.h"

#include <math.h>

static bool is_named(const struct image_labels *im, uint32_t id)
{
    bool named = false;
    for (uint32_t i = 0; i < im->n; i++) {
        named = named || im->names[i] == id;
    }
    return named;
}

struct object_summary object_summary_of(const struct image_list *images)
{
    struct object_summary s = {.images = (uint32_t)images->n};
    for (size_t i = 0; i < images->n; i++) {
        const struct image_labels *im = &images->at[i];
        s.by_objects[im->n < SUMMARY_OBJECTS ? im->n : SUMMARY_OBJECTS]++;
        s.main_right += im->main == im->label;
        s.label_missing += im->label_object < 0;
        if (im->n > 1) {
            s.several++;
            s.several_disagree += label_disagrees(im);
            s.several_main_differs += im->main != im->label;
            s.random_object += (double)is_named(im, im->label) / im->n;
            s.random_main += (double)is_named(im, im->main) / im->n;
        }
    }
    s.random_object = s.several ? s.random_object / s.several : (double)NAN;
    s.random_main = s.several ? s.random_main / s.several : (double)NAN;
    return s;
}
