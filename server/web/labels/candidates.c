/* candidates.c - one frozen plan of candidate labels: every image's stage and why, and the CLASSIFY campaign that is made of
 * it. Nothing here counts a vote: a plan is as it was frozen. */
#include "json/object.h"
#include "sets/labels/plan_rows.h"
#include "store/campaigns/campaigns.h"
#include "store/classes/classes.h"
#include "web/core/form_refused.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/labels/plans.h"
#include "web/parts/label_ways.h"

enum { IMAGES_A_PAGE = 50, ITEMS_MOST = 1000 };

/* ---- what is asked ---- */

struct query {
    int stage;
    int64_t version, page;
};
static const struct list_word stages[] = {
    {"all", "All", LABEL_PLAN_NO_STAGE}, {"fu", "Several: people choose", CANDIDATES_FU}, {"easy", "Easy", CANDIDATES_EASY},
    {"mis", "Not found", CANDIDATES_MIS}, {"amb", "Too few asked", CANDIDATES_AMB}, {0},
};
#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"version", LIST_NUMBER, AT(version), .least = 1, .most = INT32_MAX},
    {"stage", LIST_WORD, AT(stage), .words = stages, .chips = "Stage"},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
#undef AT
static const struct list_table table = {params, sizeof(struct query), NULL, NULL};
static const struct query usual = {.stage = LABEL_PLAN_NO_STAGE, .page = 1};

struct asked {
    struct query q;
    struct label_plan_row plan;
    int64_t images[CANDIDATE_STAGES];
    struct label_plan_book book; /* of the part that is shown */
    struct plan_names names;
};

static enum err_code read_plan(struct ctx *c, struct asked *a)
{
    *a = (struct asked){.book.n = 0};
    enum err_code rc = list_read(c, &table, &usual, &a->q);
    rc = rc == OK ? plan_asked(c, LABEL_PLAN_CANDIDATES, &a->plan) : rc;
    return rc == OK ? label_plan_stages(c->db, a->plan.list, a->images, &c->err) : rc;
}

/* a->book is the caller's to release once it is OK. */
static enum err_code read_part(struct ctx *c, struct asked *a, struct label_plan_part part)
{
    part.list = a->plan.list;
    part.stage = (unsigned char)a->q.stage;
    enum err_code rc = label_plan_read_part(c->db, &part, c->arena, &a->book, &c->err);
    rc = rc == OK ? plan_names_read(c->db, &a->book, c->arena, &a->names, &c->err) : rc;
    if (rc != OK) {
        label_plan_release(&a->book);
    }
    return rc;
}

/* ---- the page ---- */

/* The least that a candidate's frequency had to be: tau times that of the set's label. */
static const char *why_text(struct ctx *c, const struct label_plan_row *p, const struct candidates_ask *ask,
                            const struct candidates_found *found)
{
    for (size_t i = 0; i < ask->n; i++) {
        const struct contains_count *own = &ask->counts[i];
        if (own->label == ask->label && found->stage != CANDIDATES_MIS && found->stage != CANDIDATES_AMB && own->shown) {
            double share = (double)own->selected / own->shown;
            return arena_printf(c->arena, "%s: candidates are found in %.0f %% or more, %g times the %.0f %% of the set's label",
                                candidate_stage_about(found->stage), 100 * share * (double)p->tau / CANDIDATE_SHARE,
                                (double)p->tau / CANDIDATE_SHARE, 100 * share);
        }
    }
    return candidate_stage_about(found->stage);
}

static json_t *labels_json(struct ctx *c, const struct asked *a, const struct candidates_ask *ask, const struct candidates_found *found)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < ask->n; i++) {
        const struct contains_frequency_row f = contains_frequency_row(SV(""), ask, found, i, a->names.wnid);
        object_add(rows, field_sv("wnid", f.class_text), field_text("name", data_class_called(c, f.class_text)),
                   field_bool("own", ask->counts[i].label == ask->label), field_bool("candidate", f.candidate), field_bool("weak", f.weak),
                   field_int("selected", f.selected), field_int("shown", f.shown),
                   field_text("frequency", f.shown ? arena_printf(c->arena, "%.2f", f.frequency) : "\xe2\x80\x93"),
                   field_text("interval", f.shown ? arena_printf(c->arena, "%.2f\xe2\x80\x93%.2f", f.lo, f.hi) : ""));
    }
    return rows;
}

static json_t *rows_json(struct ctx *c, const struct asked *a)
{
    struct contains_count *counts = arena_calloc(c->arena, CANDIDATE_LABELS, sizeof *counts);
    struct candidates_found *found = arena_calloc(c->arena, 1, sizeof *found);
    json_t *rows = json_array();
    for (size_t i = 0; i < a->book.n; i++) {
        struct candidates_ask ask;
        plan_asked_of(&a->plan, &a->book, i, counts, &ask, found);
        object_add(rows, field_sv("image", a->names.image[i]), field_text("url", arena_printf(c->arena, "/images/%u", a->book.images[i].image)),
                   field_text("stage", candidate_stage_word(found->stage)), field_bool("asked", found->stage == CANDIDATES_FU),
                   field_text("why", why_text(c, &a->plan, &ask, found)), field_count("candidates", found->n),
                   field_text("left_out", found->left_out ? data_count(c->arena, (int64_t)found->left_out) : NULL), field_json("labels", labels_json(c, a, &ask, found)));
    }
    return rows;
}

static json_t *tiles_json(struct ctx *c, const struct asked *a)
{
    json_t *tiles = json_array();
    for (int s = 0; s < CANDIDATE_STAGES; s++) {
        data_tile(tiles, candidate_stage_word((enum candidate_stage)s), data_count(c->arena, a->images[s]),
                  candidate_stage_about((enum candidate_stage)s));
    }
    return tiles;
}

static int64_t images_of(const struct asked *a)
{
    return a->q.stage == LABEL_PLAN_NO_STAGE ? a->plan.images : a->images[a->q.stage];
}

/* GET /label-plans/candidates/:plan?version=&stage=&page= */
enum err_code page_candidate_plan(struct ctx *c)
{
    struct asked a;
    enum err_code rc = read_plan(c, &a);
    const struct list_page part = rc == OK ? list_page_of(images_of(&a), IMAGES_A_PAGE, a.q.page) : (struct list_page){0};
    rc = rc == OK ? read_part(c, &a, (struct label_plan_part){.skip = part.skip, .most = part.most}) : rc;
    json_t *versions = rc == OK ? plan_versions_json(c, &a.plan) : NULL, *campaigns = versions ? plan_campaigns_json(c, &a.plan) : NULL;
    if (!campaigns) {
        json_decref(versions);
        label_plan_release(&a.book);
        return c->err.code;
    }
    const char *title = plan_title(c->arena, &a.plan), *path = arena_printf(c->arena, "/label-plans/candidates/" SV_FMT, SV_ARG(a.plan.name)),
               *api = arena_printf(c->arena, "/api/v1%s", path), *word = list_word_of(stages, a.q.stage);
    json_t *page = object(
        field_json("plan", label_plan_json(c, &a.plan, true)), field_text("title", title), field_json("versions", versions),
        field_json("campaigns", campaigns), field_bool("any_campaigns", json_array_size(campaigns) > 0),
        field_json("tiles", tiles_json(c, &a)), field_json("chips", list_chips(c, &table, path, &a.q)), field_json("rows", rows_json(c, &a)),
        field_text("n_rows", data_count(c->arena, images_of(&a))), field_text("n_tasks", data_count(c->arena, a.images[CANDIDATES_FU])),
        field_bool("any_tasks", a.images[CANDIDATES_FU] > 0), field_text("new_url", arena_printf(c->arena, "/campaigns/new?task=classify&of=%s", title)),
        field_json("pages", list_page_links(c, &part, list_url(c, &table, path, &usual, &a.q, false), "")), field_text("pages_label", "Pages of images"),
        field_text("json_url", arena_printf(c->arena, "%s?version=%lld&stage=%s", api, (long long)a.plan.version, word)),
        field_text("csv_url", arena_printf(c->arena, "%s/file.csv?version=%lld", api, (long long)a.plan.version)),
        field_text("frequencies_url", arena_printf(c->arena, "%s/frequencies.csv?version=%lld", api, (long long)a.plan.version)));
    label_plan_release(&a.book);
    return reply_page(c, 200, "labels/candidates", arena_printf(c->arena, "Candidate labels %s", title), page);
}

/* ---- for scripts ---- */

struct candidates_reply {
    struct label_plan_line plan;
    int64_t easy, fu, mis, amb, next;
    struct candidate_row *items;
    size_t n;
};
#define OF(member) RECORD_OF(struct candidates_reply, member)
RECORD(candidate_plan_record, struct candidates_reply, "candidate_plan", "A frozen plan of candidate labels.",
       {"plan", RECORD_PART(struct candidates_reply, plan), .of = &label_plan_record, .about = "What it was made of."},
       {"easy", OF(easy), .about = "Images of that stage."}, {"fu", OF(fu), .about = "Images of that stage."},
       {"mis", OF(mis), .about = "Images of that stage."}, {"amb", OF(amb), .about = "Images of that stage."},
       {"items", RECORD_ROWS(struct candidates_reply, items, n), .of = &candidate_record, .about = "Its images, by id."},
       {"next", OF(next), .maybe = true, .about = "\"after\" of the images that follow; null: there are none."});
#undef OF

static struct candidate_row row_of(struct ctx *c, const struct asked *a, size_t at, struct contains_count *counts, struct candidates_found *found)
{
    struct candidates_ask ask;
    plan_asked_of(&a->plan, &a->book, at, counts, &ask, found);
    return candidate_row(a->names.image[at], &ask, found, a->names.wnid, c->arena);
}

/* GET /api/v1/label-plans/candidates/:plan?version=&stage=&after=&limit= */
enum err_code api_candidate_plan(struct ctx *c)
{
    struct asked a;
    struct cursor cursor;
    enum err_code rc = cursor_read(c, "after", 100, ITEMS_MOST, &cursor);
    rc = rc == OK ? read_plan(c, &a) : rc;
    rc = rc == OK ? read_part(c, &a, (struct label_plan_part){.after = cursor.from, .most = cursor.limit}) : rc;
    if (rc != OK) {
        return rc;
    }
    struct contains_count *counts = arena_calloc(c->arena, CANDIDATE_LABELS, sizeof *counts);
    struct candidates_found *found = arena_calloc(c->arena, 1, sizeof *found);
    struct candidates_reply r = {.plan = label_plan_line(&a.plan, true, c->arena), .easy = a.images[CANDIDATES_EASY], .fu = a.images[CANDIDATES_FU],
                                 .mis = a.images[CANDIDATES_MIS], .amb = a.images[CANDIDATES_AMB], .n = a.book.n,
                                 .items = arena_calloc(c->arena, a.book.n + 1, sizeof *r.items)};
    for (size_t i = 0; i < a.book.n; i++) {
        r.items[i] = row_of(c, &a, i, counts, found);
    }
    r.next = a.book.n == cursor.limit ? a.book.images[a.book.n - 1].image : 0;
    label_plan_release(&a.book);
    return reply_json(c, 200, record_json(&candidate_plan_record, &r));
}

static enum err_code whole_csv(struct ctx *c, bool frequencies)
{
    struct asked a;
    const struct record *record = frequencies ? &contains_frequency_record : &candidate_record;
    struct contains_count *counts = arena_calloc(c->arena, CANDIDATE_LABELS, sizeof *counts);
    struct candidates_found *found = arena_calloc(c->arena, 1, sizeof *found);
    enum err_code rc = read_plan(c, &a);
    rc = rc == OK ? read_part(c, &a, (struct label_plan_part){.most = LABEL_PLAN_IMAGES}) : rc;
    record_csv_names(record, &c->res->body);
    str_addc(&c->res->body, '\n');
    for (size_t i = 0; i < a.book.n && rc == OK; i++) {
        struct candidate_row row = row_of(c, &a, i, counts, found);
        const struct candidates_ask ask = {a.book.images[i].class_id, counts, a.book.images[i].n, (uint32_t)a.plan.tau, (uint32_t)a.plan.least,
                                           (uint32_t)a.plan.most};
        rc = frequencies ? OK : plan_csv_row(c, record, &row);
        for (size_t k = 0; k < ask.n && frequencies && rc == OK; k++) {
            const struct contains_frequency_row f = contains_frequency_row(a.names.image[i], &ask, found, k, a.names.wnid);
            rc = plan_csv_row(c, record, &f);
        }
    }
    label_plan_release(&a.book);
    return rc == OK ? reply_table_file(c, arena_printf(c->arena, SV_FMT "-%s.csv", SV_ARG(a.plan.name), frequencies ? "frequencies" : "candidates"),
                                       "text/csv; charset=utf-8")
                    : rc;
}

/* GET /api/v1/label-plans/candidates/:plan/file.csv?version=&stage= */
enum err_code api_candidate_csv(struct ctx *c) { return whole_csv(c, false); }

/* GET /api/v1/label-plans/candidates/:plan/frequencies.csv?version=&stage= */
enum err_code api_candidate_frequencies_csv(struct ctx *c) { return whole_csv(c, true); }
