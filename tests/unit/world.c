/* world.c - see world.h. */
#include "unit.h"

#include "store/classes/classes.h"
#include "store/core/events.h"
#include "store/images/images.h"
#include "store/people/accounts.h"
#include "store/people/erasure.h"
#include "store/people/people.h"
#include "store/work/grids.h"
#include "store/work/work.h"
#include "world.h"

/* Fails the test with the error's own words. */
static void need(enum err_code rc, const struct err *err)
{
    if (rc != OK) {
        fail_msg("%s: %s", err->rule, err->msg);
    }
}

int64_t world_class(struct db *db, unsigned number)
{
    char wnid[16];
    struct arena a;
    struct err err = {0};
    bool changed;
    arena_init(&a, 1 << 16);
    snprintf(wnid, sizeof wnid, "n%08u", number);
    struct class_info k = {.cid = number,
                           .wnid = sv_of(wnid),
                           .synset = SV("thing|object"),
                           .gloss = SV("made for a test"),
                           .wikipedia = SV("")};
    need(classes_put(db, &k, &changed, &err), &err);
    need(classes_find(db, k.wnid, &a, &k, &err), &err);
    arena_release(&a);
    return k.id;
}

static int64_t put_image(struct db *db, unsigned number, int64_t class_id, const char *role,
                         int64_t source)
{
    char name[32];
    struct err err = {0};
    bool added;
    int64_t id = 0;
    snprintf(name, sizeof name, "image-%u", number);
    struct image_row i = {.name = sv_of(name), .class_id = class_id, .role = sv_of(role),
                          .idx = -1, .source = source};
    need(images_put(db, &i, &added, &err), &err);
    assert_true(added);
    need(images_find(db, i.name, &id, &err), &err);
    return id;
}

int64_t world_image(struct db *db, unsigned number, int64_t class_id, const char *role)
{
    return put_image(db, number, class_id, role, 0);
}

int64_t world_image_of(struct db *db, unsigned number, int64_t class_id, const char *role,
                       unsigned char content)
{
    struct err err = {0};
    struct source_row s = {.bytes = 1, .width = 1, .height = 1, .type = "jpeg", .kept = "copy"};
    s.sha256[0] = content;
    need(sources_put(db, &s, &err), &err);
    return put_image(db, number, class_id, role, s.id);
}

struct campaign world_terms(const char *name)
{
    struct campaign k;
    campaign_defaults(&k);
    k.name = k.title = sv_of(name);
    k.state = SV("open");
    k.answers_per_grid = 3;
    k.grids_per_place = 10000;
    k.max_share = 1;
    return k;
}

int64_t world_campaign(struct db *db, const struct campaign *terms)
{
    struct campaign k = *terms;
    struct err err = {0};
    need(campaigns_create(db, &k, 0, WORLD_NOW, &err), &err);
    return k.id;
}

static int64_t put_grid(struct db *db, struct grid_new *g)
{
    static unsigned made;
    char name[32];
    struct err err = {0};
    int64_t id = 0;
    snprintf(name, sizeof name, "grid-%u", ++made);
    g->name = sv_of(name);
    need(grids_create(db, g, WORLD_NOW, &id, &err), &err);
    assert_true(id > 0);
    need(grids_event(db, g->campaign, false, 1, WORLD_NOW, &err), &err);
    return id;
}

int64_t world_grid_roles(struct db *db, int64_t campaign, int64_t class_id, const int64_t *images,
                         const enum cell_role *roles, unsigned n, const char *excluded)
{
    struct grid_new g = {.campaign = campaign,
                         .class_id = class_id,
                         .number = -1,
                         .excluded = sv_of(excluded),
                         .cells.n = n};
    for (unsigned i = 0; i < n; i++) {
        g.cells.image[i] = images[i];
        g.cells.role[i] = roles ? roles[i] : CELL_CANDIDATE;
    }
    return put_grid(db, &g);
}

int64_t world_task(struct db *db, int64_t campaign, int64_t class_id, int64_t image, const int64_t *options, unsigned n,
                   uint32_t known)
{
    struct grid_new g = {.campaign = campaign,
                         .class_id = class_id,
                         .number = -1,
                         .cells = {1, {image}, {known ? CELL_GOLD : CELL_CANDIDATE}},
                         .options = {.n = n, .known = known}};
    memcpy(g.options.class_id, options, n * sizeof *options);
    return put_grid(db, &g);
}

int64_t world_grid(struct db *db, int64_t campaign, int64_t class_id, const int64_t *images,
                   unsigned n)
{
    return world_grid_roles(db, campaign, class_id, images, NULL, n, "");
}

int64_t world_person(struct db *db)
{
    int64_t person = 0;
    struct err err = {0};
    need(people_create(db, WORLD_NOW, 0, "worker", &person, &err), &err);
    return person;
}

void world_forget(struct db *db, int64_t person)
{
    struct err err = {0};
    bool more = true;
    need(db_tx_begin(db, &err), &err);
    need(people_forget(db, WORLD_NOW, 0, person, &err), &err);
    while (more) {
        need(erasure_slice(db, 1000, &more, &err), &err);
    }
    need(db_tx_commit(db, &err), &err);
}

/* A token of its own for every place and assignment. */
static void next_token(unsigned char token[WORK_TOKEN])
{
    static uint64_t made;
    memset(token, 0, WORK_TOKEN);
    made++;
    memcpy(token, &made, sizeof made);
}

int64_t world_place(struct db *db, int64_t campaign, int64_t person)
{
    struct place p = {.campaign = campaign,
                      .person = person,
                      .code = SV("CODE"),
                      .consent_version = SV("1")};
    struct err err = {0};
    unsigned char hash[WORK_HASH] = {0};
    next_token(hash);
    need(work_place_create(db, &p, hash, WORLD_NOW, &err), &err);
    return p.id;
}

int64_t world_lend(struct db *db, int64_t grid, int64_t person, int64_t place, int64_t at,
                   int64_t until)
{
    struct assignment as = {.grid = grid,
                            .person = person,
                            .place = place,
                            .leased_at = at,
                            .lease_until = until};
    struct err err = {0};
    next_token(as.token);
    need(work_assignment_create(db, &as, &err), &err);
    return as.id;
}

static int64_t put_answer(struct db *db, int64_t assignment, uint64_t mask, int main, bool surplus, int64_t at)
{
    char client[32];
    int64_t id = 0;
    struct err err = {0};
    snprintf(client, sizeof client, "client-%lld", (long long)assignment);
    need(work_answer_create(db, assignment, sv_of(client), mask, main, surplus, 40000, SV(""), at, &id,
                            &err),
         &err);
    return id;
}

int64_t world_answer(struct db *db, int64_t assignment, uint64_t mask, bool surplus, int64_t at)
{
    return put_answer(db, assignment, mask, OPTION_NONE, surplus, at);
}

int64_t world_ticks(struct db *db, int64_t assignment, uint64_t mask, int main, int64_t at)
{
    return put_answer(db, assignment, mask, main, false, at);
}

int64_t world_vote(struct db *db, int64_t campaign, int64_t grid, uint64_t mask, bool surplus)
{
    int64_t person = world_person(db);
    int64_t place = world_place(db, campaign, person);
    int64_t lent = world_lend(db, grid, person, place, WORLD_NOW, WORLD_NOW + 600000);
    return world_answer(db, lent, mask, surplus, WORLD_NOW + 1000);
}

void world_judge(struct db *db, int64_t answer, bool out)
{
    struct err err = {0};
    need(work_answer_state(db, answer, "analysis", out ? "out" : "in", "a test", 0, WORLD_NOW,
                           &err),
         &err);
}

void world_exclude(struct db *db, int64_t grid)
{
    struct err err = {0};
    need(grids_exclude(db, grid, SV("a test"), 0, WORLD_NOW, &err), &err);
}

int64_t world_event(struct db *db, const char *kind)
{
    struct err err = {0};
    int64_t id = 0;
    need(events_add(db, WORLD_NOW, 0, kind, 0, NULL, &id, &err), &err);
    return id;
}

int64_t world_account(struct db *db, const char *login, const char *role)
{
    struct err err = {0};
    int64_t id = 0;
    need(accounts_create(db, WORLD_NOW, 0, sv_of(login), sv_of(role), "no hash", &id, &err), &err);
    return id;
}

struct revision_new world_list(const struct revision_image *images, size_t n)
{
    return (struct revision_new){.set = SV("fresh"),
                                 .role = SV("new"),
                                 .strategy = SV("import"),
                                 .parameters = SV("{}"),
                                 .state = REVISION_SEALED,
                                 .state_reason = SV("test"),
                                 .images = images,
                                 .n = n};
}

int64_t world_revision(struct db *db, const struct revision_new *r)
{
    struct err err = {0};
    int64_t id = 0;
    bool added = false;
    need(revisions_add(db, true, r, WORLD_NOW, &id, &added, &err), &err);
    assert_true(added);
    return id;
}
