/* near_metrics_test.c - a project's metrics: as published at first, changed by hand, as they were at an event. */
#include "unit.h"

#include <string.h>

#include "store/duplicates/near_metrics.h"
#include "temp_project.h"

static struct review_gate gate_of(struct temp_project *t, int64_t as_of)
{
    struct review_gate gate;
    assert_int_equal(near_metrics_get(t->db, as_of, &gate, &t->err), OK);
    return gate;
}

static bool put(struct temp_project *t, const struct review_metric *m)
{
    bool changed = false;
    assert_int_equal(near_metrics_put(t->db, m, 0, 5, &changed, &t->err), OK);
    return changed;
}

PROJECT_TEST(changed_by_hand)
{
    struct temp_project *t = *state;
    struct review_metric l2 = gate_of(t, 0).metric[REVIEW_L2];
    assert_false(l2.enabled);
    l2.enabled = true;
    assert_true(put(t, &l2));
    assert_false(put(t, &l2));
    int64_t then = temp_int(t, "SELECT max(id) FROM event");
    l2.threshold = 5;
    assert_true(put(t, &l2));
    assert_float_equal(gate_of(t, 0).metric[REVIEW_L2].threshold, 5, 0);
    assert_float_equal(gate_of(t, then).metric[REVIEW_L2].threshold, 1.2e8, 0);
    assert_false(gate_of(t, then - 1).metric[REVIEW_L2].enabled);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'near-metrics.changed'"), 2);
}

/* What an import declared holds while pictures are compared as before. */
PROJECT_TEST(declared_of_one_space)
{
    struct temp_project *t = *state;
    bool changed;
    assert_int_equal(near_metrics_cover(t->db, 1 << REVIEW_DSSIM, 5, &changed, &t->err), OK);
    struct review_metric m = gate_of(t, 0).metric[REVIEW_DSSIM];
    assert_true(m.enabled && m.declared);
    m.threshold = .1;
    put(t, &m);
    assert_true(gate_of(t, 0).metric[REVIEW_DSSIM].declared);
    m.window = 7;
    put(t, &m);
    assert_false(gate_of(t, 0).metric[REVIEW_DSSIM].declared);
}

PROJECT_TEST(of_the_projects_own)
{
    struct temp_project *t = *state;
    struct review_metric m = review_metric_usual(NEAR_L2);
    m.side = 32;
    m.enabled = true;
    for (const char *name = "zyxwv"; *name; name++) {
        m.name[0] = *name;
        assert_true(put(t, &m));
    }
    struct review_gate gate = gate_of(t, 0);
    assert_int_equal(gate.n, REVIEW_METRICS_MOST);
    assert_string_equal(gate.metric[REVIEW_METRICS].name, "v"); /* behind the published ones, by name */
    assert_string_equal(gate.metric[REVIEW_METRICS_MOST - 1].name, "z");
    bool changed;
    m.name[0] = 'u';
    assert_int_equal(near_metrics_put(t->db, &m, 0, 5, &changed, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "near-metrics-full");
    assert_int_equal(near_metrics_known(&gate, SV("w"), &t->err), OK);
    assert_int_equal(near_metrics_known(&gate, SV("u"), &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "review-metric");
}

PROJECT_TEST(refused)
{
    struct temp_project *t = *state;
    const struct {
        struct review_metric metric;
        const char *rule;
    } cases[] = {{{.name = "a b", .kind = NEAR_L2, .side = 32, .threshold = 1}, "near-metric-name"},
                 {{.name = "", .kind = NEAR_L2, .side = 32, .threshold = 1}, "near-metric-name"},
                 {{.name = "a", .kind = NEAR_L2, .side = 4, .threshold = 1}, "near-metric-size"},
                 {{.name = "a", .kind = NEAR_FEATURE, .side = 32, .threshold = 1}, "near-metric-size"},
                 {{.name = "a", .kind = NEAR_DSSIM, .side = 32, .window = 33, .threshold = 1}, "near-metric-window"},
                 {{.name = "a", .kind = NEAR_DSSIM, .side = 32, .window = 8, .threshold = 1}, "near-metric-window"},
                 {{.name = "a", .kind = NEAR_L2, .side = 32, .window = 7, .threshold = 1}, "near-metric-window"},
                 {{.name = "a", .kind = NEAR_L2, .side = 32, .model = "net", .threshold = 1}, "near-metric-model"},
                 {{.name = "a", .kind = NEAR_L2, .side = 32, .threshold = 0}, "near-metric-threshold"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool changed;
        assert_int_equal(near_metrics_put(t->db, &cases[i].metric, 0, 5, &changed, &t->err), ERR_INPUT);
        temp_clear(t, ERR_INPUT, cases[i].rule);
    }
    assert_int_equal(temp_int(t, "SELECT count(*) FROM near_metric"), 0);
}
