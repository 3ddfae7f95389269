/* model_facts.c - one row a model and event; the newest holds. */
#include "store/models/model_facts.h"

#include "db/rows.h"

DB_ROW(facts_row, struct model_facts_row, model, facts.group, facts.family, facts.architecture, facts.year, facts.training_data,
       facts.parameters);

#define COLUMNS "f.\"group\", f.family, f.architecture, f.year, f.training_data, f.parameters"
#define NEWEST "f.event = (SELECT max(event) FROM model_facts WHERE model = f.model)"
/* A model that a mapping made from texts is what the model is that said them, until something is said of it. */
#define FACTS                                                                                                              \
    "SELECT * FROM (SELECT f.model AS about, " COLUMNS " FROM model_facts f WHERE " NEWEST " UNION SELECT p.model, " COLUMNS     \
    " FROM text_mapped d JOIN prediction_source p ON p.id = d.source JOIN text_source t ON t.id = d.texts"                    \
    " JOIN model_facts f ON f.model = t.model WHERE " NEWEST                                                              \
    "  AND NOT EXISTS (SELECT 1 FROM model_facts o WHERE o.model = p.model)) WHERE ?1 = 0 OR about = ?1 ORDER BY about"

enum err_code model_facts_list(struct db *db, struct arena *a, struct model_facts_row **out, size_t *n, struct err *err)
{
    return db_list(db, facts_row, out, n, a, FACTS, DB_VALS(db_int(0)), err);
}

enum err_code model_facts_of(struct db *db, int64_t model, struct arena *a, struct model_facts *out, struct err *err)
{
    struct model_facts_row row = {.model = model};
    enum err_code rc = db_maybe(db, facts_row, &row, a, FACTS, DB_VALS(db_int(model)), err);
    *out = row.facts;
    return rc;
}

const struct model_facts *model_facts_find(const struct model_facts_row *list, size_t n, int64_t model)
{
    size_t i = 0;
    while (i < n && list[i].model != model) {
        i++;
    }
    return i < n ? &list[i].facts : NULL;
}

enum err_code model_facts_put(struct db *db, int64_t event, int64_t model, const struct model_facts *f, struct err *err)
{
    return db_run(db,
                  "INSERT OR REPLACE INTO model_facts (model, event, \"group\", family, architecture, year, training_data, parameters)"
                  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                  DB_VALS(db_int(model), db_int(event), db_text(f->group), db_text(f->family), db_text(f->architecture),
                          db_int(f->year), db_text(f->training_data), db_int(f->parameters)),
                  err);
}
