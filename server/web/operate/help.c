/* help.c - help inside the product: a page per role, one about what the numbers mean, and one for
 * people who answer grids, in their language. The texts are templates/help and the catalogues. */
#include <string.h>

#include "json/object.h"
#include "web/core/charts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"

static const struct {
    const char *name, *template, *title, *about;
    enum role role;    /* whose work it is: what is read first */
    const char *chart; /* NULL: none */
} topics[] = {
    {"lead", "help/lead", "Leading a study",
     "From images to frequencies: plan, launch, watch, decide, export.", ROLE_LEAD, NULL},
    {"numbers", "help/numbers", "What the numbers mean",
     "Selection frequency, intervals, controls, agreement, coverage: how each is computed.",
     ROLE_EXPERT, "help-binomial"},
    {"sets", "help/sets", "From votes to a released set",
     "Sample, review, audit, freeze, export: what each step does and keeps.", ROLE_LEAD, NULL},
    {"models", "help/models", "Models and scores",
     "Add a model, run it, import predictions, train baselines, read the scores.", ROLE_LEAD, NULL},
    {"expert", "help/expert", "For experts", "Find your way: classes, images, vote views, history.",
     ROLE_EXPERT, NULL},
    {"admin", "help/admin", "Running holdout",
     "Accounts, tokens, backup and restore, upgrades, what to watch.", ROLE_ADMIN, NULL},
};

static json_t *topics_json(struct ctx *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        object_add(list, field_text("title", topics[i].title), field_text("about", topics[i].about),
                   field_text("url", arena_printf(c->arena, "/help/%s", topics[i].name)),
                   field_bool("yours", topics[i].role == c->user.role));
    }
    return list;
}

/* GET /help */
enum err_code page_help(struct ctx *c)
{
    return reply_page(c, 200, "help/index", "Help", object(field_json("topics", topics_json(c))));
}

/* GET /help/:topic */
enum err_code page_help_topic(struct ctx *c)
{
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        if (!sv_is(c->req->params[0], topics[i].name)) {
            continue;
        }
        json_t *page = object(field_text("title", topics[i].title));
        if (topics[i].chart) {
            json_t *chart = charts_data(c, topics[i].chart, NULL);
            if (!chart) {
                json_decref(page);
                return c->err.code;
            }
            json_object_set_new(page, "chart", chart);
        }
        return reply_page(c, 200, topics[i].template, topics[i].title, page);
    }
    return err_rule(&c->err, ERR_NOT_FOUND, "no-topic",
                    "There is no help page with that name. All of them are listed at /help.");
}

/* GET /work/help?task=classify: whoever works may read it, signed in or not. */
enum err_code page_work_help(struct ctx *c)
{
    const struct strings *all = view_strings(app_view(c->app));
    c->language = strings_accept(all, request_header(c->req, "Accept-Language"));
    if (sv_is(request_query(c->req, "task"), "classify")) {
        c->language = strings_classify(all, c->language);
    }
    const json_t *t = strings_catalogue(all, c->language);
    static const char *const parts[] = {"what", "sure", "keys", "network", "code", "leave", "data"};
    json_t *sections = json_array();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *head = arena_printf(c->arena, "help_%s", parts[i]);
        const char *more = arena_printf(c->arena, "help_%s_more", parts[i]);
        object_add(sections, field_text("head", json_string_value(json_object_get(t, head))),
                   field_json("paragraphs",
                              data_paragraphs(sv_of(json_string_value(json_object_get(t, more))))));
    }
    const char *title = json_string_value(json_object_get(t, "help_title"));
    return reply_page(c, 200, "work/help", title, object(field_json("sections", sections)));
}
