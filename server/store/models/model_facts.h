/* model_facts.h - SQL for what people say of models (domain/scores/model_facts.h); every version stays. */
#ifndef STORE_MODELS_MODEL_FACTS_H
#define STORE_MODELS_MODEL_FACTS_H

#include "db/db.h"
#include "domain/scores/model_facts.h"

struct model_facts_row {
    int64_t model;
    struct model_facts facts;
};
/* Of every model about which something was said, by model id; in the arena. */
enum err_code model_facts_list(struct db *db, struct arena *a, struct model_facts_row **out, size_t *n, struct err *err);
/* Nothing but zeros when nothing was said. */
enum err_code model_facts_of(struct db *db, int64_t model, struct arena *a, struct model_facts *out, struct err *err);
/* Among a list by model id; NULL: nothing was said. */
const struct model_facts *model_facts_find(const struct model_facts_row *list, size_t n, int64_t model);
/* Inside the caller's transaction, which has made the event. */
enum err_code model_facts_put(struct db *db, int64_t event, int64_t model, const struct model_facts *f, struct err *err);

#endif
