/* study_golden_test.c - near-duplicates, plans and draws of every strategy, and the audit, on the
 * published study with synthetic votes: what the authors' programs gave. Tests share one study and run
 * in order: round 0, then round 1. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "domain/sampling/audit.h"
#include "domain/golden_files.h"
#include "domain/golden_study.h"

static struct golden_study study;

static const struct golden_study *need_study(void)
{
    if (!study.golden) {
        print_message("SKIPPED: HOLDOUT_GOLDEN is not set\n");
        skip();
    }
    return &study;
}

/* ---- Near-duplicates --------------------------------------------------------------------------------- */

/* Every image, flagged or not, beside the list of those that must not be sampled. */
static void assert_near_duplicates(int round, const char *column, size_t expected)
{
    struct csv c;
    size_t flagged = 0;
    bool *want = xcalloc(study.n_names, sizeof *want);
    study_round(&study, round);
    golden_table(study.golden, "votes_synth/expected_near_duplicates.csv.xz", &c, &study.arena);
    while (golden_row(&c)) {
        uint32_t i = map_sv_get(&study.images, golden_cell(&c, "image"));
        assert_true(i < study.n_names);
        want[i] = golden_number(&c, column) == 1;
        flagged += want[i];
    }
    csv_close(&c);
    assert_int_equal(flagged, expected);
    assert_int_equal(study.near_result.n_out, expected);
    assert_memory_equal(study.near_result.out, want, study.n_names * sizeof *want);
    free(want);
}

TEST(near_duplicates_0)
{
    need_study();
    assert_near_duplicates(0, "round0", 13645);
    assert_int_equal(study.near_result.n_components, 4749);
}

/* ---- Plans ----------------------------------------------------------------------------------------- */

static struct sample_input sample_input(void)
{
    return (struct sample_input){study.sample, STUDY_IMAGES, STUDY_CLASSES, NULL};
}

static void make_plan(const struct sample_input *in, const struct sample_rules *rules, struct arena *a,
                      struct sample_plan *plan)
{
    struct err err = {0};
    arena_init(a, 256 << 20);
    if (sample_plan(in, rules, a, plan, &err) != OK) {
        fail_msg("%s", err.msg);
    }
}

static void assert_excluded(const struct csv *c, const struct sample_cell *cell)
{
    for (int k = 0; k < SAMPLE_PUBLISHED; k++) {
        assert_int_equal(golden_number(c, sample_reasons[k]), cell->excluded[k]);
    }
}

/* Size and validity of expected_summary.csv, and its average where the set is given by what it is
 * sampled from. */
static void assert_summary(const struct sample_plan *plan, const char *what, double average)
{
    struct arena a;
    struct csv c;
    bool found = false;
    arena_init(&a, 1 << 20);
    golden_table(study.golden, "votes_synth/expected_summary.csv", &c, &a);
    while (golden_row(&c)) {
        double want;
        if (sv_is(golden_cell(&c, "what"), what)) {
            found = true;
            assert_int_equal(golden_number(&c, "n"), plan->chosen);
            assert_int_equal(golden_number(&c, "is_valid"), plan->valid);
            assert_true(sv_f64(golden_cell(&c, "avg_selection_frequency"), &want));
            assert_true(average < 0 || fabs(average - want) < 1e-12);
        }
    }
    assert_true(found);
    csv_close(&c);
    arena_release(&a);
}

static double average_of_parent(void)
{
    double sum = 0;
    size_t n = 0;
    for (uint32_t i = 0; i < STUDY_IMAGES; i++) {
        const struct sample_image *image = &study.sample[i];
        if (image->in_parent) {
            sum += (double)image->selected / image->shown;
            n++;
        }
    }
    return sum / (double)n;
}

/* What holds for every draw, whatever the generator gave. */
static void assert_draw(const struct sample_plan *plan, const struct sample_input *in)
{
    struct arena a;
    struct sample_pick *picks;
    size_t n;
    arena_init(&a, 64 << 20);
    bool *seen = arena_calloc(&a, in->n_images, sizeof *seen);
    uint32_t *filled = arena_calloc(&a, plan->n_cells, sizeof *filled);
    uint32_t *carried = arena_calloc(&a, plan->n_cells, sizeof *carried);
    sample_draw(plan, in, &a, &picks, &n);
    assert_int_equal(n, plan->chosen);
    for (size_t k = 0; k < n; k++) {
        const struct sample_pick *p = &picks[k];
        const struct sample_image *i = &in->images[p->index];
        const struct sample_cell *cell = &plan->cells[p->cell], *from = &plan->cells[p->from];
        assert_false(seen[p->index]);
        seen[p->index] = true;
        assert_int_equal(sample_reason_of(&plan->rules, i, in->thresholds
                                              ? in->thresholds[i->class_index] : -1), SAMPLE_FINE);
        assert_int_equal(cell->class_index, i->class_index);
        assert_int_equal(from->class_index, i->class_index);
        assert_int_equal(p->carried, i->in_parent);
        assert_true(p->from == p->cell || (cell->upward > 0 && from->bin > cell->bin));
        filled[p->cell]++;
        carried[p->cell] += p->carried && p->from == p->cell;
    }
    for (size_t k = 0; k < plan->n_cells; k++) {
        const struct sample_cell *c = &plan->cells[k];
        assert_int_equal(filled[k], c->carried + c->drawn + c->upward);
        assert_int_equal(carried[k], c->carried);
    }
    arena_release(&a);
}

static void check_matched(const char *name, bool upward, const char *parent)
{
    struct arena a, texts;
    struct sample_plan plan;
    struct sample_rules rules = sample_rules_usual(SAMPLE_MATCHED);
    struct sample_input in = sample_input();
    struct csv c;
    rules.upward = upward;
    rules.originals_least = 1; /* a tenth of the HITs, and with them originals, is not in the pack */
    if (parent) {
        study_parent(&study, parent);
    }
    make_plan(&in, &rules, &a, &plan);
    arena_init(&texts, 4 << 20);
    golden_table(study.golden, arena_printf(&texts, "votes_synth/expected_matched_%s.csv", name), &c,
                 &texts);
    size_t k = 0;
    for (; golden_row(&c); k++) {
        const struct sample_cell *cell = &plan.cells[k];
        assert_true(k < plan.n_cells);
        assert_int_equal(study_class(&study, golden_cell(&c, "wnid")), cell->class_index);
        assert_int_equal(golden_number(&c, "bin"), cell->bin);
        assert_int_equal(golden_number(&c, "target"), cell->target);
        assert_int_equal(golden_number(&c, "carried_over"), cell->carried);
        assert_int_equal(golden_number(&c, "available"), cell->available);
        assert_int_equal(golden_number(&c, "upward_sampled"), cell->upward);
        assert_excluded(&c, cell);
    }
    assert_int_equal(k, 5 * STUDY_CLASSES);
    csv_close(&c);
    assert_summary(&plan, name, -1);
    if (parent) {
        assert_summary(&(struct sample_plan){.chosen = upward ? 10000 : 9901, .valid = upward}, parent,
                       average_of_parent());
    }
    assert_draw(&plan, &in);
    arena_release(&texts);
    arena_release(&a);
}

TEST(matched_0)
{
    need_study();
    check_matched("b0", false, NULL);
    check_matched("b0u", true, NULL);
}

static int by_text(const void *a, const void *b)
{
    return sv_cmp(*(const struct sv *)a, *(const struct sv *)b);
}

/* The first 16 digits of the SHA-256 of a cell's available names, sorted, joined by LF. */
static void pool_hash(const struct sample_plan *plan, const struct sample_cell *cell, struct arena *a,
                      char hex[2 * CRYPTO_HASH + 1])
{
    struct sv *names = arena_alloc(a, (cell->available + 1) * sizeof *names);
    unsigned char hash[CRYPTO_HASH];
    struct str text;
    size_t n = 0;
    for (uint32_t k = 0; k < cell->carried + cell->available; k++) {
        uint32_t i = plan->fine[cell->first + k];
        if (!study.sample[i].in_parent) {
            names[n++] = study.name[i];
        }
    }
    assert_int_equal(n, cell->available);
    qsort(names, n, sizeof *names, by_text);
    str_init(&text, 1 << 20);
    for (size_t k = 0; k < n; k++) {
        str_addz(&text, k ? "\n" : "");
        str_addsv(&text, names[k]);
    }
    crypto_sha256(n ? text.p : "", text.n, hash);
    crypto_hex(hash, sizeof hash, hex);
    hex[16] = '\0';
    str_release(&text);
}

static void check_threshold(const char *name, const char *parent)
{
    struct arena a, texts;
    struct sample_plan plan;
    struct sample_rules rules = sample_rules_usual(SAMPLE_THRESHOLD);
    struct sample_input in = sample_input();
    struct csv c;
    double own[STUDY_CLASSES];
    for (size_t k = 0; k < STUDY_CLASSES; k++) {
        own[k] = -1;
    }
    own[study_class(&study, SV("n03014705"))] = .6;
    own[study_class(&study, SV("n02090379"))] = .6;
    own[study_class(&study, SV("n03804744"))] = .5;
    in.thresholds = own;
    if (parent) {
        study_parent(&study, parent);
    }
    make_plan(&in, &rules, &a, &plan);
    arena_init(&texts, 64 << 20);
    golden_table(study.golden, arena_printf(&texts, "votes_synth/expected_threshold_%s.csv", name), &c,
                 &texts);
    size_t k = 0;
    for (; golden_row(&c); k++) {
        const struct sample_cell *cell = &plan.cells[k];
        char hash[2 * CRYPTO_HASH + 1];
        assert_true(k < plan.n_cells);
        assert_int_equal(study_class(&study, golden_cell(&c, "wnid")), k);
        assert_int_equal(golden_number(&c, "carried_over"), cell->carried);
        assert_int_equal(golden_number(&c, "new_pool"), cell->available);
        assert_int_equal(golden_number(&c, "n_sampled"), plan.classes[k].chosen);
        assert_excluded(&c, cell);
        pool_hash(&plan, cell, &texts, hash);
        assert_true(sv_is(golden_cell(&c, "sha256_pool"), hash));
    }
    assert_int_equal(k, STUDY_CLASSES);
    csv_close(&c);
    assert_summary(&plan, name, -1);
    if (parent) {
        assert_summary(&(struct sample_plan){.chosen = 9998}, parent, average_of_parent());
    }
    assert_draw(&plan, &in);
    arena_release(&texts);
    arena_release(&a);
}

TEST(threshold_0)
{
    need_study();
    check_threshold("a0", NULL);
}

/* The whole list in the published order, best first. */
static void assert_top_list(const char *name, const struct sample_plan *plan,
                            const struct sample_input *in)
{
    struct arena a;
    struct sample_pick *picks;
    struct csv c;
    size_t n, rows = 0;
    double sum = 0;
    arena_init(&a, 64 << 20);
    sample_draw(plan, in, &a, &picks, &n);
    assert_int_equal(n, 10 * STUDY_CLASSES);
    uint32_t *ranked = arena_calloc(&a, n, sizeof *ranked);
    for (size_t k = 0; k < n; k++) {
        ranked[plan->cells[picks[k].cell].class_index * 10 + picks[k].place] = picks[k].index;
    }
    golden_table(study.golden, arena_printf(&a, "votes_synth/expected_topimages_%s.csv.xz", name), &c,
                 &a);
    for (; golden_row(&c); rows++) {
        uint32_t class_index = study_class(&study, golden_cell(&c, "wnid"));
        uint32_t i = ranked[class_index * 10 + golden_number(&c, "rank") - 1];
        assert_true(sv_eq(golden_cell(&c, "image"), study.name[i]));
        assert_int_equal(golden_number(&c, "n_selected"), in->images[i].selected);
        assert_int_equal(golden_number(&c, "n_assignments"), in->images[i].shown);
        sum += (double)in->images[i].selected / in->images[i].shown;
    }
    csv_close(&c);
    assert_int_equal(rows, n);
    assert_summary(plan, name, sum / (double)n);
    arena_release(&a);
}

static void check_top(const char *name, const char *parent)
{
    struct arena a, texts;
    struct sample_plan plan;
    struct sample_rules rules = sample_rules_usual(SAMPLE_TOP);
    struct sample_input in = sample_input();
    struct csv c;
    if (parent) {
        study_parent(&study, parent);
    }
    make_plan(&in, &rules, &a, &plan);
    arena_init(&texts, 4 << 20);
    golden_table(study.golden, arena_printf(&texts, "votes_synth/expected_topimages_%s_pool.csv", name),
                 &c, &texts);
    size_t k = 0;
    for (; golden_row(&c); k++) {
        const struct sample_cell *cell = &plan.cells[k];
        assert_true(k < plan.n_cells);
        assert_int_equal(study_class(&study, golden_cell(&c, "wnid")), k);
        assert_int_equal(golden_number(&c, "ok"), cell->carried + cell->available);
        assert_excluded(&c, cell);
    }
    assert_int_equal(k, STUDY_CLASSES);
    csv_close(&c);
    assert_top_list(name, &plan, &in);
    assert_draw(&plan, &in);
    arena_release(&texts);
    arena_release(&a);
}

TEST(top_0)
{
    need_study();
    check_top("c0", NULL);
}

/* Candidates of the cell that anybody was shown: all but those of bin 0 that nobody was. */
static uint32_t shown_candidates(const struct sample_cell *cell, const uint32_t *never_shown)
{
    uint32_t n = cell->carried + cell->available;
    for (int k = 0; k < SAMPLE_REASONS; k++) {
        n += cell->excluded[k];
    }
    return n - (cell->bin == 0 ? never_shown[cell->class_index] : 0);
}

/* Histograms of the originals and of candidates: those of enough answers, neither blacklisted nor a
 * near-duplicate, are what a plan has left and what nobody reviewed. */
TEST(histograms)
{
    struct arena a;
    struct sample_plan plan;
    struct sample_rules rules = sample_rules_usual(SAMPLE_MATCHED);
    struct csv c;
    need_study();
    struct sample_input in = sample_input();
    make_plan(&in, &rules, &a, &plan);
    uint32_t never_shown[STUDY_CLASSES] = {0};
    for (size_t i = 0; i < STUDY_IMAGES; i++) {
        never_shown[in.images[i].class_index] += !in.images[i].original && in.images[i].shown == 0;
    }
    golden_table(study.golden, "votes_synth/expected_histograms.csv", &c, &a);
    size_t k = 0;
    for (; golden_row(&c); k++) {
        assert_int_equal(study_class(&study, golden_cell(&c, "wnid")), k);
        for (int bin = 0; bin < HISTOGRAM_BINS; bin++) {
            const struct sample_cell *cell = &plan.cells[k * HISTOGRAM_BINS + (size_t)bin];
            char column[16];
            snprintf(column, sizeof column, "val%d", bin);
            assert_int_equal(golden_number(&c, column), cell->originals);
            snprintf(column, sizeof column, "target%d", bin);
            assert_int_equal(golden_number(&c, column), cell->target);
            snprintf(column, sizeof column, "valid_cand%d", bin);
            assert_int_equal(golden_number(&c, column),
                             cell->available + cell->excluded[SAMPLE_UNREVIEWED]);
            snprintf(column, sizeof column, "all_cand%d", bin);
            assert_int_equal(golden_number(&c, column), shown_candidates(cell, never_shown));
        }
    }
    csv_close(&c);
    arena_release(&a);
    assert_int_equal(k, STUDY_CLASSES);
}

/* The same input in another order gives the same set in the same order; another seed does not. */
TEST(order_means_nothing)
{
    struct arena a, b;
    struct sample_plan plan, turned;
    struct sample_pick *x, *y;
    size_t n, m;
    struct sample_rules rules = sample_rules_usual(SAMPLE_MATCHED);
    need_study();
    struct sample_input in = sample_input(), other = in;
    struct sample_image *images = xmalloc(STUDY_IMAGES * sizeof *images);
    for (size_t i = 0; i < STUDY_IMAGES; i++) {
        images[i] = study.sample[STUDY_IMAGES - 1 - i];
    }
    other.images = images;
    rules.upward = true;
    rules.seed = 7;
    make_plan(&in, &rules, &a, &plan);
    make_plan(&other, &rules, &b, &turned);
    sample_draw(&plan, &in, &a, &x, &n);
    sample_draw(&turned, &other, &b, &y, &m);
    assert_int_equal(n, m);
    for (size_t k = 0; k < n; k++) {
        assert_int_equal(in.images[x[k].index].image, images[y[k].index].image);
        assert_int_equal(x[k].cell, y[k].cell);
    }
    turned.rules.seed = 8;
    sample_draw(&turned, &other, &b, &y, &m);
    size_t equal = 0;
    for (size_t k = 0; k < n; k++) {
        equal += in.images[x[k].index].image == images[y[k].index].image;
    }
    assert_in_range(equal, 0, n / 100);
    free(images);
    arena_release(&a);
    arena_release(&b);
}

/* ---- Audit ----------------------------------------------------------------------------------------- */

static struct sv joined(const uint32_t *images, size_t n, struct arena *a)
{
    struct str s;
    str_init(&s, 1 << 16);
    for (size_t i = 0; i < n; i++) {
        str_addz(&s, i ? " " : "");
        str_addsv(&s, study.name[images[i]]);
    }
    struct sv text = arena_sv(a, str_sv(&s));
    str_release(&s);
    return text;
}

static struct audit_original *linked_originals(const struct near_result *r, size_t *n, struct arena *a)
{
    struct audit_original *list = arena_alloc(a, (study.n_names + 1) * sizeof *list);
    *n = 0;
    for (uint32_t i = 0; i < study.n_names; i++) {
        if (study.near[i].original && r->component[i] != NEAR_NONE) {
            list[(*n)++] = (struct audit_original){r->component[i], study.near[i].rank, i};
        }
    }
    return list;
}

/* The published set beside the published blacklist and edges, without sources. Runs before round 1
 * changes the blacklist. */
TEST(audit)
{
    struct arena a;
    struct near_result r;
    struct audit_finding *found;
    struct csv c;
    size_t n;
    need_study();
    arena_init(&a, 128 << 20);
    struct near_image *images = arena_alloc(&a, study.n_names * sizeof *images);
    memcpy(images, study.near, study.n_names * sizeof *images);
    for (size_t i = 0; i < study.n_names; i++) {
        images[i].source = 0;
    }
    near_duplicates_resolve(&(struct near_input){images, study.n_names, study.edges, study.n_edges[0],
                                                 STUDY_CLASSES}, &a, &r);
    struct audit_member *members = arena_calloc(&a, 10000, sizeof *members);
    struct audit_input in = {.members = members};
    golden_table(study.golden, "predictions/imagenetv2-b-33.images.csv", &c, &a);
    for (; golden_row(&c); in.n_members++) {
        uint32_t i = map_sv_get(&study.images, golden_cell(&c, "image"));
        assert_true(i < STUDY_IMAGES && in.n_members < 10000);
        members[in.n_members] = (struct audit_member){
            .image = i, .rank = images[i].rank, .own_class = images[i].class_index,
            .class_index = study_class(&study, golden_cell(&c, "wnid")),
            .component = r.component[i], .blacklisted = images[i].blacklisted};
    }
    csv_close(&c);
    in.originals = linked_originals(&r, &in.n_originals, &a);
    audit_find(&in, &a, &found, &n);
    golden_table(study.golden, "expected/audit_imagenetv2-b-33.csv", &c, &a);
    size_t k = 0;
    for (; golden_row(&c); k++) {
        assert_true(k < n);
        assert_true(sv_is(golden_cell(&c, "finding"), audit_kinds[found[k].kind]));
        assert_int_equal(study_class(&study, golden_cell(&c, "wnid")), found[k].class_index);
        assert_true(sv_eq(golden_cell(&c, "images"), joined(found[k].images, found[k].n_images, &a)));
        if (found[k].kind == AUDIT_HAS_ORIGINAL) {
            assert_true(sv_eq(golden_cell(&c, "detail"),
                              joined(found[k].originals, found[k].n_originals, &a)));
        }
    }
    csv_close(&c);
    assert_int_equal(k, 4);
    assert_int_equal(n, 4);
    arena_release(&a);
}

/* ---- Round 1 --------------------------------------------------------------------------------------- */

TEST(near_duplicates_1)
{
    need_study();
    assert_near_duplicates(1, "round1", 13765);
}

TEST(matched_1)
{
    need_study();
    check_matched("b1", false, "b0");
    check_matched("b1u", true, "b0u");
}

TEST(threshold_1)
{
    need_study();
    check_threshold("a1", "a0");
}

TEST(top_1)
{
    need_study();
    check_top("c1", "c0");
}

static int open_all(void **state)
{
    (void)state;
    struct err err = {0};
    const char *golden = getenv("HOLDOUT_GOLDEN");
    if (golden && *golden) {
        study_open(&study, golden);
    }
    return crypto_init(&err) == OK ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    if (study.golden) {
        study_close(&study);
    }
    return 0;
}

TESTS_SHARE(open_all, close_all)
