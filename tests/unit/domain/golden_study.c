/* golden_study.c - reads the golden study. */
#include "unit.h"

#include "domain/golden_study.h"

#include <string.h>

#include "base/xalloc.h"
#include "domain/review/review_gate.h"
#include "domain/golden_files.h"

bool study_imagenet(struct sv name)
{
    return sv_starts(name, "ILSVRC2012_") || sv_starts(name, "n");
}

static int by_name(const void *a, const void *b, void *names)
{
    const struct sv *list = names;
    return sv_cmp(list[*(const uint32_t *)a], list[*(const uint32_t *)b]);
}

void study_rank(const struct sv *names, struct near_image *images, size_t n)
{
    uint32_t *order = xmalloc((n + 1) * sizeof *order);
    struct sv *copy = xmalloc((n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
        copy[i] = names[i];
    }
    qsort_r(order, n, sizeof *order, by_name, copy);
    for (size_t i = 0; i < n; i++) {
        images[order[i]].rank = (uint32_t)i;
    }
    free(copy);
    free(order);
}

static uint32_t add_image(struct golden_study *s, struct sv name)
{
    uint32_t index = map_sv_put(&s->images, name, (uint32_t)s->n_names);
    if (index == s->n_names) {
        xgrow(&s->name, &s->names_cap, s->n_names + 1, sizeof *s->name);
        xgrow(&s->near, &s->near_cap, s->n_names + 1, sizeof *s->near);
        s->name[s->n_names] = arena_sv(&s->arena, name);
        s->near[s->n_names++] = (struct near_image){.original = study_imagenet(name)};
    }
    return index;
}

uint32_t study_class(const struct golden_study *s, struct sv wnid)
{
    uint32_t index = map_sv_get(&s->classes, wnid);
    assert_true(index < STUDY_CLASSES);
    return index;
}

static void read_classes(struct golden_study *s)
{
    struct csv c;
    golden_table(s->golden, "classes/classes.csv", &c, &s->arena);
    while (golden_row(&c)) {
        uint32_t cid = golden_number(&c, "cid");
        assert_in_range(cid, 0, STUDY_CLASSES - 1);
        s->wnid[cid] = arena_sv(&s->arena, golden_cell(&c, "wnid"));
        map_sv_put(&s->classes, s->wnid[cid], cid);
    }
    csv_close(&c);
    assert_int_equal(s->classes.n, STUDY_CLASSES);
}

static void read_images(struct golden_study *s)
{
    struct csv c;
    golden_table(s->golden, "hits/images.csv.xz", &c, &s->arena);
    while (golden_row(&c)) {
        uint32_t i = add_image(s, golden_cell(&c, "image"));
        struct near_image *image = &s->near[i];
        int64_t source = 0;
        assert_int_equal(golden_number(&c, "idx"), i);
        assert_int_equal(image->original, sv_is(golden_cell(&c, "kind"), "val"));
        image->class_index = study_class(s, golden_cell(&c, "wnid"));
        if (golden_cell(&c, "source_id").n) {
            assert_true(sv_i64(golden_cell(&c, "source_id"), &source) && source > 0);
            image->source = (uint64_t)source;
        }
    }
    csv_close(&c);
    assert_int_equal(s->n_names, STUDY_IMAGES);
}

/* Of (image, class) pairs those of the image's own class. */
static void read_frequencies(struct golden_study *s)
{
    struct csv c;
    size_t rows = 0;
    golden_table(s->golden, "votes_synth/expected_frequency.csv.xz", &c, &s->arena);
    while (golden_row(&c)) {
        uint32_t i = golden_number(&c, "idx");
        assert_true(i < STUDY_IMAGES);
        if (study_class(s, golden_cell(&c, "wnid")) == s->near[i].class_index) {
            s->near[i].shown = golden_number(&c, "n_assignments");
            s->near[i].selected = golden_number(&c, "n_selected");
        }
        rows++;
    }
    csv_close(&c);
    assert_int_equal(rows, 231677);
}

/* An end that is neither the study's nor ImageNet's stays unknown. */
static uint32_t edge_end(struct golden_study *s, struct sv name)
{
    return study_imagenet(name) ? add_image(s, name) : map_sv_get(&s->images, name);
}

static void read_edges(struct golden_study *s, const char *file, int round)
{
    struct csv c;
    size_t n = round ? s->n_edges[round - 1] : 0;
    golden_table(s->golden, file, &c, &s->arena);
    for (; golden_row(&c); n++) {
        xgrow(&s->edges, &s->edges_cap, n + 1, sizeof *s->edges);
        s->edges[n].a = edge_end(s, golden_cell(&c, "a"));
        s->edges[n].b = edge_end(s, golden_cell(&c, "b"));
    }
    csv_close(&c);
    s->n_edges[round] = n;
}

/* The exceptions: everything else has nothing unreviewed. "missing" was never searched. */
static void read_review(struct golden_study *s)
{
    struct csv c;
    s->unreviewed = arena_calloc(&s->arena, STUDY_IMAGES, sizeof *s->unreviewed);
    golden_table(s->golden, "votes_synth/review_thresholds.csv.xz", &c, &s->arena);
    while (golden_row(&c)) {
        struct review_gate gate;
        double given;
        struct sv metric = golden_cell(&c, "metric");
        bool missing = sv_is(metric, "missing");
        uint32_t i = map_sv_get(&s->images, golden_cell(&c, "image"));
        assert_true(i < STUDY_IMAGES);
        assert_true(sv_f64(golden_cell(&c, "min_unreviewed_distance"), &given));
        review_gate_usual(&gate);
        size_t m = review_gate_find(&gate, metric);
        assert_true(missing || m < gate.n);
        s->unreviewed[i] = s->unreviewed[i] || missing || !review_passes(given, gate.metric[m].threshold);
    }
    csv_close(&c);
}

static void read_blacklist(struct golden_study *s, const char *file)
{
    struct csv c;
    golden_table(s->golden, file, &c, &s->arena);
    while (golden_row(&c)) {
        uint32_t i = map_sv_get(&s->images, golden_cell(&c, "image"));
        if (i < s->n_names) {
            s->near[i].blacklisted = true;
        }
    }
    csv_close(&c);
}

void study_open(struct golden_study *s, const char *golden)
{
    *s = (struct golden_study){.golden = golden};
    arena_init(&s->arena, (size_t)1 << 30);
    map_sv_init(&s->classes);
    map_sv_init(&s->images);
    read_classes(s);
    read_images(s);
    read_frequencies(s);
    read_edges(s, "review/near_duplicate_edges.csv", 0);
    read_edges(s, "votes_synth/round1_extra_near_duplicates.csv", 1);
    read_review(s);
    read_blacklist(s, "review/blacklist.csv");
    study_rank(s->name, s->near, s->n_names);
    struct sv keep = sv_trim(golden_text(golden, "review/near_duplicate_override.txt", &s->arena));
    uint32_t kept = map_sv_get(&s->images, keep);
    assert_true(kept < STUDY_IMAGES);
    s->near[kept].keep = true;
    s->sample = arena_calloc(&s->arena, STUDY_IMAGES, sizeof *s->sample);
}

void study_close(struct golden_study *s)
{
    map_sv_release(&s->classes);
    map_sv_release(&s->images);
    free(s->name);
    free(s->near);
    free(s->edges);
    arena_release(&s->arena);
}

void study_round(struct golden_study *s, int round)
{
    if (round == 1) {
        read_blacklist(s, "votes_synth/round1_extra_blacklist.csv");
    }
    struct near_input in = {s->near, s->n_names, s->edges, s->n_edges[round], STUDY_CLASSES};
    near_duplicates_resolve(&in, &s->arena, &s->near_result);
    for (uint32_t i = 0; i < STUDY_IMAGES; i++) {
        const struct near_image *image = &s->near[i];
        s->sample[i] = (struct sample_image){.image = i,
                                             .class_index = image->class_index,
                                             .rank = image->rank,
                                             .shown = image->shown,
                                             .selected = image->selected,
                                             .keyword = SAMPLE_UNKNOWN,
                                             .original = image->original,
                                             .blacklisted = image->blacklisted,
                                             .near_duplicate = s->near_result.out[i],
                                             .unreviewed = s->unreviewed[i]};
    }
}

void study_parent(struct golden_study *s, const char *name)
{
    struct csv c;
    for (uint32_t i = 0; i < STUDY_IMAGES; i++) {
        s->sample[i].in_parent = false;
    }
    golden_table(s->golden, arena_printf(&s->arena, "votes_synth/round0_dataset_%s.csv", name), &c,
                 &s->arena);
    while (golden_row(&c)) {
        uint32_t i = golden_number(&c, "idx");
        assert_true(i < STUDY_CANDIDATES || !s->sample[i].original);
        assert_int_equal(study_class(s, golden_cell(&c, "wnid")), s->sample[i].class_index);
        s->sample[i].in_parent = true;
    }
    csv_close(&c);
}
