/* nav.c - the table of areas and the counts of open work beside them. */
#include "web/core/nav.h"

#include <string.h>

#include "json/object.h"
#include "web/core/app_internal.h"
#include "web/core/page_data.h"

enum open_work { NO_COUNT, OPEN_FLAGS, OPEN_JOBS };

struct area {
    const char *label, *url;
    enum role role; /* least */
    enum open_work work;
};

enum { AREAS_MOST = 5 }; /* of one group */
static const struct group {
    const char *name, *id; /* name NULL: without a heading */
    struct area areas[AREAS_MOST];
} groups[] = {
    {NULL, "start", {{"Overview", "/", ROLE_EXPERT, NO_COUNT}}},
    {"Collect",
     "collect",
     {{"Campaigns", "/campaigns", ROLE_EXPERT, NO_COUNT},
      {"People", "/workers", ROLE_LEAD, NO_COUNT},
      {"Flags", "/flags", ROLE_LEAD, OPEN_FLAGS},
      {"Decisions", "/decisions", ROLE_LEAD, NO_COUNT}}},
    {"Data",
     "data",
     {{"Classes", "/classes", ROLE_EXPERT, NO_COUNT},
      {"Images", "/images", ROLE_EXPERT, NO_COUNT},
      {"Duplicates", "/duplicates", ROLE_EXPERT, NO_COUNT},
      {"Objects", "/objects", ROLE_LEAD, NO_COUNT}}},
    {"Labels",
     "labels",
     {{"Label review", "/labels", ROLE_EXPERT, NO_COUNT},
      {"Training", "/training", ROLE_EXPERT, NO_COUNT},
      {"Evaluations", "/evaluations", ROLE_EXPERT, NO_COUNT},
      {"Guide", "/guide", ROLE_EXPERT, NO_COUNT}}},
    {"Test sets",
     "test-sets",
     {{"Sets", "/sets", ROLE_EXPERT, NO_COUNT},
      {"Picks", "/picks", ROLE_EXPERT, NO_COUNT},
      {"Vote views", "/views", ROLE_EXPERT, NO_COUNT}}},
    {"Numbers",
     "numbers",
     {{"Models", "/models", ROLE_EXPERT, NO_COUNT},
      {"Measures", "/measures", ROLE_EXPERT, NO_COUNT},
      {"Label sources", "/label-sources", ROLE_EXPERT, NO_COUNT},
      {"Label plans", "/label-plans", ROLE_LEAD, NO_COUNT},
      {"Jobs", "/jobs", ROLE_LEAD, OPEN_JOBS}}},
    {"Project",
     "project",
     {{"History", "/history", ROLE_LEAD, NO_COUNT},
      {"Admin", "/admin", ROLE_ADMIN, NO_COUNT},
      {"Help", "/help", ROLE_EXPERT, NO_COUNT}}},
};

/* What experts at work on a label review or an evaluation may use (web/core/app.h). */
static const char *const desk[] = {"/labels", "/training", "/evaluations", "/guide", "/help"};

static bool shows(const struct ctx *c, const struct area *area)
{
    bool shown = c->user.role >= area->role && !c->user.at_desk;
    for (size_t i = 0; i < sizeof desk / sizeof *desk && c->user.at_desk; i++) {
        shown = shown || strcmp(area->url, desk[i]) == 0;
    }
    return shown;
}

static json_t *area_json(struct ctx *c, const struct area *area)
{
    size_t n = strlen(area->url);
    struct sv path = c->req->path;
    bool below = n > 1 && path.n >= n && memcmp(path.p, area->url, n) == 0 &&
                 (path.n == n || path.p[n] == '/');
    int64_t count = area->work == OPEN_FLAGS  ? app_flags_waiting(c->app)
                    : area->work == OPEN_JOBS ? (int64_t)c->app->open_jobs
                                              : 0;
    return object(field_text("label", area->label), field_text("url", area->url),
                  field_bool("here", below || (n == 1 && path.n == 1)),
                  field_text("count", count ? data_count(c->arena, count) : NULL),
                  field_text("counted", area->work == OPEN_FLAGS  ? "to decide"
                                        : area->work == OPEN_JOBS ? "waiting or running"
                                                                  : NULL));
}

json_t *nav_json(struct ctx *c)
{
    json_t *nav = json_array();
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        json_t *entries = json_array();
        for (size_t k = 0; k < AREAS_MOST && groups[i].areas[k].label; k++) {
            if (shows(c, &groups[i].areas[k])) {
                json_array_append_new(entries, area_json(c, &groups[i].areas[k]));
            }
        }
        if (json_array_size(entries) > 0) {
            object_add(nav, field_text("name", groups[i].name), field_text("id", groups[i].id),
                       field_json("entries", json_incref(entries)));
        }
        json_decref(entries);
    }
    return nav;
}
