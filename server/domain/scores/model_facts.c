/* model_facts.c - a fact is a row. */
#include "domain/scores/model_facts.h"

#define AT(member) offsetof(struct model_facts, member)
const struct model_fact model_fact_list[MODEL_FACTS] = {
    {"group", "Group", "such as standard, more data, robustness intervention", AT(group), false, 0, 0},
    {"family", "Family", "such as ResNet: models that are variants of one another", AT(family), false, 0, 0},
    {"architecture", "Architecture", "such as ResNet-50", AT(architecture), false, 0, 0},
    {"year", "Year", "when it was published", AT(year), true, 1950, 2200},
    {"training_data", "Training data", "such as ILSVRC 2012", AT(training_data), false, 0, 0},
    {"parameters", "Parameters", "how many weights it has", AT(parameters), true, 1, INT64_C(1) << 50},
};

static void *place_of(struct model_facts *f, const struct model_fact *which)
{
    return (char *)f + which->at;
}

static const void *value_of(const struct model_facts *f, const struct model_fact *which)
{
    return (const char *)f + which->at;
}

static enum err_code set_number(struct model_facts *f, const struct model_fact *which, struct sv value, struct err *err)
{
    int64_t n = 0;
    if (value.n && (!sv_i64(value, &n) || n < which->least || n > which->most)) {
        return err_rule(err, ERR_INPUT, "model-fact", "%s must be a whole number from %lld to %lld, or be left empty.", which->name,
                        (long long)which->least, (long long)which->most);
    }
    *(int64_t *)place_of(f, which) = n;
    return OK;
}

enum err_code model_facts_set(struct model_facts *f, const struct model_fact *which, struct sv value, struct err *err)
{
    value = sv_trim(value);
    if (which->number) {
        return set_number(f, which, value, err);
    }
    if (value.n > MODEL_FACT_MOST || !sv_utf8(value)) {
        return err_rule(err, ERR_INPUT, "model-fact", "%s can have at most %d bytes of UTF-8 text.", which->name, MODEL_FACT_MOST);
    }
    *(struct sv *)place_of(f, which) = value;
    return OK;
}

struct sv model_facts_get(const struct model_facts *f, const struct model_fact *which, struct arena *a)
{
    if (!which->number) {
        return *(const struct sv *)value_of(f, which);
    }
    int64_t n = *(const int64_t *)value_of(f, which);
    return n ? sv_of(arena_printf(a, "%lld", (long long)n)) : SV("");
}

bool model_facts_same(const struct model_facts *a, const struct model_facts *b)
{
    bool same = true;
    for (size_t i = 0; i < MODEL_FACTS; i++) {
        const void *x = value_of(a, &model_fact_list[i]), *y = value_of(b, &model_fact_list[i]);
        same = same && (model_fact_list[i].number ? *(const int64_t *)x == *(const int64_t *)y
                                                  : sv_cmp(*(const struct sv *)x, *(const struct sv *)y) == 0);
    }
    return same;
}
