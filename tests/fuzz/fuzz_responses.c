/* fuzz_responses.c - any text as responses, CSV of both shapes and JSON lines, with and without a list of classes: what is
 * accepted keeps its promises, and what it says of objects can be found. */
#include <stdint.h>

#include "domain/labels/objects.h"
#include "formats/responses.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { ARENA_MOST = 1 << 28 };

static void check_row(const struct responses *r, const struct names *labels, const struct responses_row *row)
{
    bool main = false;
    BUG_IF(row->n == 0 || row->n > RESPONSE_LABELS || row->image >= r->images.n);
    BUG_IF(row->worker != RESPONSE_ANONYMOUS && row->worker >= r->workers.n);
    for (uint32_t i = 0; i < row->n; i++) {
        uint32_t label = r->selected[row->first + i];
        BUG_IF(label >= labels->n || !response_label_good(labels->at[label]));
        main = main || label == row->main;
        for (uint32_t k = 0; k < i; k++) {
            BUG_IF(r->selected[row->first + k] == label);
        }
    }
    BUG_IF(!main);
}

/* An image's labels by their numbers, if a response has room for them. */
static void find_objects(const struct responses *r, uint32_t image, struct arena *a)
{
    uint32_t first = r->begin[image], n = r->begin[image + 1] - first, labels[OBJECT_LABELS], most = 0;
    struct object_response *list = arena_calloc(a, n + 1, sizeof *list);
    struct objects_found found;
    for (uint32_t i = 0; i < n; i++) {
        const struct responses_row *row = &r->rows[first + i];
        for (uint32_t k = 0; k < row->n; k++) {
            uint32_t label = r->selected[row->first + k];
            if (label >= OBJECT_LABELS) {
                return;
            }
            list[i].selected |= UINT64_C(1) << label;
            most = label >= most ? label + 1 : most;
        }
        list[i].main = row->main;
    }
    for (uint32_t i = 0; i < most; i++) {
        labels[i] = i;
    }
    const struct objects_ask ask = {labels, most, list, n, 1};
    objects_find(&ask, &found);
    uint64_t all = found.unassigned;
    for (uint32_t i = 0; i < found.n; i++) {
        BUG_IF(found.object[i].labels == 0 || found.object[i].labels & all);
        all |= found.object[i].labels;
    }
    for (uint32_t i = 0; i < most; i++) {
        BUG_IF((found.selected[i] > 0) != (all >> i & 1));
    }
    BUG_IF(found.n == 0 || found.main_object >= found.n || found.n_optimal == 0);
}

static void read_with(struct sv text, const char *classes)
{
    struct arena a;
    struct names labels;
    struct responses r;
    struct err err = {0};
    const struct responses_ask ask = {"fuzz", &labels, classes, RESPONSE_LABELS};
    arena_init(&a, ARENA_MOST);
    names_init(&labels);
    names_put(&labels, SV("1"));
    names_put(&labels, SV("2"));
    enum err_code rc = responses_read(&ask, text, &a, &r, &err);
    BUG_IF(rc != err.code || (rc != OK && ((rc != ERR_INPUT && rc != ERR_LIMIT) || !sv_utf8(sv_of(err.msg)))));
    BUG_IF(classes && labels.n != 2);
    for (size_t i = 0; rc == OK && i < r.n; i++) {
        check_row(&r, &labels, &r.rows[i]);
    }
    for (uint32_t i = 0; rc == OK && i < r.images.n; i++) {
        BUG_IF(r.begin[i + 1] <= r.begin[i]);
        find_objects(&r, i, &a);
    }
    responses_release(&r);
    names_release(&labels);
    arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sv text = sv_make((const char *)data, n);
    read_with(text, NULL);
    read_with(text, "classes");
    return 0;
}
