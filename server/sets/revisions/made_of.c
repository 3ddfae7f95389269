/* made_of.c - a set's name, digest and state; which sources of predictions a model has, and which score it. */
#include "sets/revisions/made_of.h"

#include "crypto/crypto.h"
#include "json/object.h"

json_t *set_data(const struct revision_row *r)
{
    char digest[2 * SET_DIGEST + 1];
    crypto_hex(r->digest, SET_DIGEST, digest);
    return object(field_sv("set", r->set), field_int("revision", r->number), field_sv("role", r->role),
                  field_int("images", r->images), field_text("digest", digest),
                  field_text("state", revision_state_word(r->state)), field_sv("state_reason", r->state_reason));
}

struct made_of {
    struct model_scores *scores;
    struct db *db;
    const struct made_of_ask *ask;
    struct arena *a;
    struct prediction_source *sources;
    size_t n_sources;
};

/* Which of the sources score the model on a set. */
static enum err_code scored_by(const struct made_of *m, const struct revision_row *set, json_t **out, struct err *err)
{
    struct source_score *list;
    size_t n = 0;
    enum err_code rc = model_scores_sources(m->scores, m->db, set, m->ask->model, m->a, &list, &n, err);
    *out = json_array();
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < m->n_sources && list[i].counted; k++) {
            if (m->sources[k].id == list[i].source) {
                object_add(*out, field_int("source", list[i].source), field_sv("made_by", m->sources[k].engine),
                           field_int("images", list[i].counted));
            }
        }
    }
    return rc;
}

static json_t *sources_json(const struct made_of *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->n_sources; i++) {
        char digest[2 * PREDICTION_DIGEST + 1];
        const struct prediction_source *p = &m->sources[i];
        crypto_hex(p->digest, PREDICTION_DIGEST, digest);
        object_add(list, field_int("id", p->id), field_sv("kind", p->kind), field_sv("engine", p->engine), field_sv("bytes", p->bytes),
                   field_sv("recipe", p->recipe), field_text("digest", digest), field_int("k", p->k),
                   field_int("predictions", p->records));
    }
    return list;
}

enum err_code made_of_add(json_t *line, struct model_scores *s, struct db *db, const struct made_of_ask *ask, struct arena *a,
                          struct err *err)
{
    struct made_of m = {.scores = s, .db = db, .ask = ask, .a = a};
    json_t *by;
    enum err_code rc = predictions_sources(db, ask->model, a, &m.sources, &m.n_sources, err);
    if (rc != OK) {
        return rc;
    }
    json_object_set_new(line, "sources", sources_json(&m));
    rc = scored_by(&m, ask->fresh, &by, err);
    json_object_set_new(line, "scored_by", by);
    if (rc == OK && ask->original) {
        rc = scored_by(&m, ask->original, &by, err);
        json_object_set_new(line, "original_scored_by", by);
    }
    return rc;
}
