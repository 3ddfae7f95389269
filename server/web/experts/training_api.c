/* training_api.c - training for programs: what the pages say and do, under the same rules. Rows in routes.c. */
#include "base/clock.h"
#include "json/object.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/experts/training.h"

struct group_face {
    struct sv name;
    bool unlocked;
};
static RECORD(group_record, struct group_face, "training_group", "A group of classes that training unlocks.",
              {"name", RECORD_OF(struct group_face, name), .about = "The group."},
              {"unlocked", RECORD_OF(struct group_face, unlocked), .about = "One has passed one of its lists."});

struct lists {
    struct training_facts *items;
    struct group_face *groups;
    size_t n, n_groups;
};
RECORD(training_record, struct lists, "training", "Training lists, and one's own progress in them.",
       {"items", RECORD_ROWS(struct lists, items, n), .of = &training_list_record, .about = "By group and name."},
       {"groups", RECORD_ROWS(struct lists, groups, n_groups), .of = &group_record, .about = "By name."});

/* GET /api/v1/training */
enum err_code api_training(struct ctx *c)
{
    struct training_list_row *rows;
    struct training_group *groups;
    struct lists l = {.n = 0};
    enum err_code rc = training_lists_list(c->db, c->arena, &rows, &l.n, &c->err);
    rc = rc == OK ? training_groups(c->db, c->user.account, c->arena, &groups, &l.n_groups, &c->err) : rc;
    l.items = arena_calloc(c->arena, l.n + 1, sizeof *l.items);
    l.groups = arena_calloc(c->arena, l.n_groups + 1, sizeof *l.groups);
    for (size_t i = 0; i < l.n && rc == OK; i++) {
        rc = training_facts_read(c->db, &rows[i], c->user.account, c->arena, &l.items[i], &c->err);
    }
    for (size_t i = 0; i < l.n_groups && rc == OK; i++) {
        l.groups[i] = (struct group_face){groups[i].unlocks, groups[i].unlocked};
    }
    return rc == OK ? reply_json(c, 200, record_json(&training_record, &l)) : rc;
}

static enum err_code reply_list(struct ctx *c, int status)
{
    struct training_list_row l;
    struct training_facts f;
    enum err_code rc = training_open(c, &l);
    rc = rc == OK ? training_facts_read(c->db, &l, c->user.account, c->arena, &f, &c->err) : rc;
    rc = rc == OK && c->user.role >= ROLE_LEAD ? training_facts_people(c->db, c->arena, &f, &c->err) : rc;
    return rc == OK ? reply_json(c, status, record_json(&training_facts_record, &f)) : rc;
}

/* GET /api/v1/training/:list */
enum err_code api_training_list(struct ctx *c) { return reply_list(c, 200); }

struct made_face {
    struct sv name;
    int64_t images, classes, left_out;
};
RECORD(training_made_record, struct made_face, "training_made", "A training list that was made.",
       {"name", RECORD_OF(struct made_face, name), .about = "Its name."},
       {"images", RECORD_OF(struct made_face, images), .about = "Images that it has."},
       {"classes", RECORD_OF(struct made_face, classes), .about = "Classes that they are of."},
       {"left_out", RECORD_OF(struct made_face, left_out), .about = "Images that could not be taken: sealed, in other work, or hidden."});

/* POST /api/v1/training: fields as of the form; its first step is api_training_plan */
enum err_code api_training_make(struct ctx *c)
{
    const struct training_plan *plan = c->state;
    int64_t id;
    enum err_code rc = training_list_add(c->db, &plan->list, clock_wall_ms(), &id, &c->err);
    const struct made_face f = {plan->list.name, (int64_t)plan->list.n, plan->classes, plan->left_out};
    return rc == OK ? reply_json(c, 201, record_json(&training_made_record, &f)) : rc;
}

struct next_face {
    int64_t position;
    bool any;
    const char *url;
};
RECORD(training_next_record, struct next_face, "training_next", "Which image one looks at next.",
       {"position", RECORD_OF(struct next_face, position), RECORD_IF(struct next_face, any), .about = "Its place in the list; null: nothing is left."},
       {"url", RECORD_OF(struct next_face, url), .maybe = true, .about = "Where it is; null: nothing is left."});

static const char *item_url(struct ctx *c, struct sv list, int64_t position)
{
    return arena_printf(c->arena, "/api/v1/training/" SV_FMT "/items/%lld", SV_ARG(list), (long long)position);
}

/* GET /api/v1/training/:list/next */
enum err_code api_training_next(struct ctx *c)
{
    struct training_list_row l;
    struct next_face f = {.position = -1};
    enum err_code rc = training_open(c, &l);
    rc = rc == OK && sv_is(l.state, "open") ? training_goes_on(c, &l, -1, &f.position) : rc;
    f.any = f.position >= 0;
    f.url = f.any ? item_url(c, l.name, f.position) : NULL;
    return rc == OK ? reply_json(c, 200, record_json(&training_next_record, &f)) : rc;
}

/* ---- one image ---- */

struct suggestion_face {
    bool own;
    struct sv wnid, verdict, comment;
};
static RECORD(suggestion_record, struct suggestion_face, "training_suggestion", "What somebody suggests about a label of an image.",
              {"own", RECORD_OF(struct suggestion_face, own), .about = "It was oneself."},
              {"wnid", RECORD_OF(struct suggestion_face, wnid), .maybe = true, .about = "The label; null: the image as a whole."},
              {"verdict", RECORD_OF(struct suggestion_face, verdict), .about = "correct, wrong, unclear, dontknow or problematic."},
              {"comment", RECORD_OF(struct suggestion_face, comment), .about = "What they wrote."});

struct known_face {
    struct sv wnid;
    int64_t correct, unclear, wrong;
};
static RECORD(known_record, struct known_face, "training_known", "What closed label reviews say of a label.",
              {"wnid", RECORD_OF(struct known_face, wnid), .about = "The label."},
              {"correct", RECORD_OF(struct known_face, correct), .about = "How often it was called correct."},
              {"unclear", RECORD_OF(struct known_face, unclear), .about = "Unclear."}, {"wrong", RECORD_OF(struct known_face, wrong), .about = "Wrong."});

struct item_face {
    struct sv list, chosen, right;
    int64_t position, seen;
    const char *image_url;
    bool answered, fits, first_fits, counts;
    struct suggestion_face *suggested;
    struct known_face *known;
    size_t n_suggested, n_known;
};
#define OF(member) RECORD_OF(struct item_face, member)
#define TOLD RECORD_IF(struct item_face, answered)
RECORD(training_item_record, struct item_face, "training_item", "One image of a training list, as one sees it; what is right once one has answered.",
       {"list", OF(list), .about = "The list."}, {"position", OF(position), .about = "Its place, from 0."},
       {"image_url", OF(image_url), .about = "Its picture."}, {"seen", OF(seen), .about = "One's answers so far: send it with the next one."},
       {"chosen", OF(chosen), .maybe = true, .about = "The class of one's newest answer; null: one has not answered."},
       {"right", OF(right), .maybe = true, .about = "The right class; null until one has answered."},
       {"fits", OF(fits), TOLD, .about = "One's newest answer is right."},
       {"first_fits", OF(first_fits), TOLD, .about = "The first one was."},
       {"counts", OF(counts), TOLD, .about = "The first one counts: the image was new to one."},
       {"suggested", RECORD_ROWS(struct item_face, suggested, n_suggested), .of = &suggestion_record, .about = "What people suggest; empty until one has answered."},
       {"known", RECORD_ROWS(struct item_face, known, n_known), .of = &known_record, .about = "What closed label reviews say; empty until one has answered."});
#undef OF

static enum err_code reply_item(struct ctx *c, const struct training_list_row *l, int64_t position, int status)
{
    struct training_view v;
    enum err_code rc = training_view_read(c->db, l, position, c->user.account, c->arena, &v, &c->err);
    if (rc != OK) {
        return rc;
    }
    struct item_face f = {.list = l->name, .position = position, .seen = (int64_t)v.n, .answered = v.n > 0, .chosen = SV(""), .right = SV(""),
                          .image_url = arena_printf(c->arena, "%s/image", training_item_url(c, l->name, position)),
                          .n_suggested = v.n_suggested, .n_known = v.n_known};
    f.suggested = arena_calloc(c->arena, v.n_suggested + 1, sizeof *f.suggested);
    f.known = arena_calloc(c->arena, v.n_known + 1, sizeof *f.known);
    if (v.n) {
        f.chosen = v.chosen.wnid;
        f.right = v.right.wnid;
        f.fits = v.answers[v.n - 1].fits;
        f.first_fits = v.answers[0].fits;
        f.counts = v.answers[0].counts;
    }
    for (size_t i = 0; i < v.n_suggested; i++) {
        const struct training_suggested *s = &v.suggested[i];
        f.suggested[i] = (struct suggestion_face){s->account == c->user.account, s->wnid, s->verdict, s->comment};
    }
    for (size_t i = 0; i < v.n_known; i++) {
        f.known[i] = (struct known_face){v.known[i].wnid, v.known[i].correct, v.known[i].unclear, v.known[i].wrong};
    }
    return reply_json(c, status, record_json(&training_item_record, &f));
}

/* GET /api/v1/training/:list/items/:position */
enum err_code api_training_item(struct ctx *c)
{
    struct training_list_row l;
    int64_t position;
    enum err_code rc = training_open_item(c, &l, &position);
    return rc == OK ? reply_item(c, &l, position, 200) : rc;
}

/* ---- saying ---- */

/* First step of both. */
enum err_code api_training_read(struct ctx *c)
{
    struct training_list_row l;
    struct training_saying *s = arena_calloc(c->arena, 1, sizeof *s);
    c->state = s;
    enum err_code rc = gate_need_json(c);
    rc = rc == OK ? training_open_item(c, &l, &s->position) : rc;
    s->list = c->req->params[0];
    s->account = c->user.account;
    s->wnid = object_text(c->json, "wnid");
    s->verdict = object_text(c->json, "verdict");
    s->comment = object_text(c->json, "comment");
    s->seen = json_integer_value(json_object_get(c->json, "seen"));
    s->searched = json_is_true(json_object_get(c->json, "searched"));
    s->active_ms = json_integer_value(json_object_get(c->json, "active_ms"));
    return rc;
}

static enum err_code reply_said(struct ctx *c, enum err_code rc)
{
    struct training_list_row l;
    const struct training_saying *s = c->state;
    rc = rc == OK ? training_open(c, &l) : rc;
    return rc == OK ? reply_item(c, &l, s->position, 201) : rc;
}

/* POST /api/v1/training/:list/items/:position */
enum err_code api_training_check(struct ctx *c)
{
    return reply_said(c, training_check(c->db, c->state, clock_wall_ms(), c->arena, &c->err));
}

/* POST /api/v1/training/:list/items/:position/suggest */
enum err_code api_training_suggest(struct ctx *c)
{
    return reply_said(c, training_say(c->db, c->state, clock_wall_ms(), c->arena, &c->err));
}
