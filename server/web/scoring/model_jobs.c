/* model_jobs.c - finds the jobs of a model by their arguments, which are a command's. */
#include "web/scoring/model_jobs.h"

#include <string.h>

#include "web/parts/job_data.h"

/* What follows `option` among a command's arguments; empty when it is not there. */
static struct sv argument(struct arena *a, struct sv arguments, const char *option)
{
    const char **words;
    size_t n;
    if (job_words(arguments, "DIR", a, &words, &n, NULL) == OK) {
        for (size_t i = 0; i + 1 < n; i++) {
            if (strcmp(words[i], option) == 0) {
                return sv_of(words[i + 1]);
            }
        }
    }
    return SV("");
}

enum err_code model_jobs_open(struct ctx *c, struct model_jobs *out)
{
    struct job_row *all;
    size_t n;
    *out = (struct model_jobs){.n = 0};
    if (jobs_open(c->db, c->arena, &all, &n, &c->err) != OK) {
        return c->err.code;
    }
    out->jobs = arena_calloc(c->arena, n + 1, sizeof *out->jobs);
    out->models = arena_calloc(c->arena, n + 1, sizeof *out->models);
    for (size_t i = 0; i < n; i++) {
        bool adds = sv_is(all[i].kind, "model add");
        struct sv model = argument(c->arena, all[i].arguments, adds ? "--name" : "--model");
        if (model.n) {
            out->jobs[out->n] = all[i];
            out->models[out->n++] = model;
        }
    }
    return OK;
}

json_t *model_jobs_json(struct ctx *c, const struct model_jobs *jobs, struct sv model)
{
    for (size_t i = 0; i < jobs->n; i++) {
        if (sv_eq(jobs->models[i], model) && !sv_is(jobs->jobs[i].kind, "model add")) {
            return job_json(c, &jobs->jobs[i]);
        }
    }
    return json_null();
}
