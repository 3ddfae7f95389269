/* list.c - all sets as trees of their revisions, and one set. Rows in routes.c;
 * templates/sets/. One revision: revision.c. */
#include "json/object.h"
#include "store/operate/jobs.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"
#include "web/parts/set_tree.h"
#include "web/sets/plans_data.h"

/* Jobs that wait or run and end in a revision. NULL with c->err set. */
static json_t *sampling_json(struct ctx *c)
{
    struct job_row *jobs;
    size_t n;
    if (jobs_open(c->db, c->arena, &jobs, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        if (sv_is(jobs[i].kind, "sample")) {
            json_array_append_new(list, job_json(c, &jobs[i]));
        }
    }
    return list;
}

/* Sets of originals last: they are what the others are compared with, and they do not change. NULL
 * with c->err set. */
static json_t *trees_json(struct ctx *c, const struct set_row *sets, size_t n)
{
    json_t *list = json_array();
    for (int originals = 0; originals < 2; originals++) {
        for (size_t i = 0; i < n; i++) {
            if (sv_is(sets[i].role, "original") != (originals == 1)) {
                continue;
            }
            json_t *tree = set_tree(c, &sets[i]);
            if (!tree) {
                json_decref(list);
                return NULL;
            }
            json_array_append_new(list, tree);
        }
    }
    return list;
}

/* GET /sets, on a helper thread: it compares every revision with its parent. */
enum err_code page_sets(struct ctx *c)
{
    struct set_row *sets;
    size_t n;
    if (sets_list(c->db, c->arena, &sets, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *trees = trees_json(c, sets, n), *sampling = trees ? sampling_json(c) : NULL;
    if (!sampling) {
        json_decref(trees);
        return c->err.code;
    }
    return reply_page(c, 200, "sets/index", "Sets",
                      object(field_json("live", data_live("jobs,models,review", "/sets")),
                             field_json("sets", trees), field_bool("any", n > 0),
                             field_json("sampling", sampling)));
}

/* GET /sets/:set, on a helper thread too. */
enum err_code page_set(struct ctx *c)
{
    struct set_row set;
    if (sets_find(c->db, c->req->params[0], c->arena, &set, &c->err) != OK) {
        return c->err.code;
    }
    json_t *plans = set_plans_data(c, set.name), *tree = plans ? set_tree(c, &set) : NULL;
    if (!tree) {
        json_decref(plans);
        return c->err.code;
    }
    const char *url = arena_printf(c->arena, "/sets/" SV_FMT, SV_ARG(set.name));
    bool planned = json_array_size(plans) > 0;
    return reply_page(c, 200, "sets/show", arena_cstr(c->arena, set.name),
                      object(field_json("live", data_live("jobs,models,review", url)), field_json("set", tree), field_json("plans", plans),
                             field_bool("planned", planned), field_bool("unplanned", !planned && !sv_is(set.role, "original")),
                             field_text("sample_url", arena_printf(c->arena, "/sets/new?set=" SV_FMT, SV_ARG(set.name)))));
}
