/* model_facts.h - what people say a model is, so that charts and tables can tell models apart and choose among them. What
 * the reader finds in a model's file is not this. */
#ifndef DOMAIN_MODEL_FACTS_H
#define DOMAIN_MODEL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"

enum { MODEL_FACT_MOST = 120 };
enum { MODEL_GROUP, MODEL_FAMILY, MODEL_ARCHITECTURE, MODEL_YEAR, MODEL_TRAINING_DATA, MODEL_PARAMETERS_SAID, MODEL_FACTS };
struct model_facts {
    struct sv group, family, architecture, training_data; /* empty: not said */
    int64_t year, parameters;                             /* 0: not said */
};
struct model_fact {
    const char *name;  /* of the column, the form's field and the member in JSON */
    const char *label, *hint;
    size_t at;         /* in struct model_facts */
    bool number;
    int64_t least, most;
};
extern const struct model_fact model_fact_list[MODEL_FACTS];

/* Takes the value of one of them, borrowed; empty: not said. ERR_INPUT (rule "model-fact") says what is wrong; the
 * facts are then as they were. */
enum err_code model_facts_set(struct model_facts *f, const struct model_fact *which, struct sv value, struct err *err);
/* Its value as text, in the arena; empty: not said. */
struct sv model_facts_get(const struct model_facts *f, const struct model_fact *which, struct arena *a);
bool model_facts_same(const struct model_facts *a, const struct model_facts *b);

#endif
