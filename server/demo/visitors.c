/* visitors.c - simulated people at work over HTTP. A few seats; on each one person after the other. */
#include "demo/visitors.h"

#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/rng.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "demo/crowd.h"
#include "domain/grids/grid.h"
#include "json/object.h"
#include "store/campaigns/campaigns.h"
#include "store/campaigns/studies.h"
#include "store/classes/classes.h"
#include "store/images/images.h"
#include "store/people/people.h"
#include "store/work/grids.h"
#include "store/work/work.h"

#define PLAN_AGAIN_NS (INT64_C(60) * 1000000000)
enum { SEATS = 8, REPLY_MOST = 1 << 16, RETRY_MS = 5000, EMPTY_MS = 60000, BETWEEN_MS = 4000 };

struct seat {
    int index;                        /* in the crowd; -1: nobody sits here */
    char place[CRYPTO_TOKEN_TEXT];
    char assignment[CRYPTO_TOKEN_TEXT]; /* empty: none in hand */
    int64_t grid;
    uint64_t shown;                   /* what will be selected, by shown position */
    int64_t active_ms;
    int64_t due_ns;
};
struct visitors {
    struct visitors_plan plan;
    struct truth truth;
    struct db *db;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool stop; /* under the lock */
    struct rng rng;
    struct seat seat[SEATS];
    unsigned part;          /* of the campaign: where people go who come now */
    bool planned;           /* the part behind it is there */
    int64_t plan_ns;        /* not before: a plan that failed is not tried at once again */
    unsigned next;          /* of the part's crowd */
    char (*kept)[CRYPTO_TOKEN_TEXT]; /* the places of the part's people who came: joining is counted */
    bool none_left;         /* the last who asked found no grid: nobody new comes for a round */
    struct arena arena;     /* of one request */
    struct str room;
    enum err_code last;     /* so that a failure is logged once, not every few seconds */
};

static void later(const struct visitors *v, struct seat *s, double ms)
{
    s->due_ns = clock_mono_ns() + (int64_t)(ms * 1e6 / v->plan.pace);
}

/* ------------------------------------------------------------------ HTTP */

/* *body gets a new reference, or NULL for what is no JSON object. */
static enum err_code post(struct visitors *v, const char *path, json_t *data, int *status,
                          json_t **body, struct err *err)
{
    struct client_reply reply = {0, {NULL, 0}};
    char *text = json_dumps(data, JSON_COMPACT);
    json_decref(data);
    enum err_code rc = client_post(&v->plan.server, path, sv_of(text), &v->room, &reply, err);
    free(text);
    *status = reply.status;
    *body = rc == OK ? json_loadb(reply.body.p, reply.body.n, 0, NULL) : NULL;
    return rc;
}

/* What the server refused, in its words. */
static enum err_code refused(const char *what, int status, json_t *body, struct err *err)
{
    const char *detail = json_string_value(json_object_get(body, "detail"));
    return err_set(err, ERR_BUSY, "%s: %d %s", what, status, detail ? detail : "");
}

/* ------------------------------------------------------------------ parts of the campaign */

void visitors_campaign(const char *first, unsigned part, char name[VISITORS_NAME])
{
    if (part == 1) {
        snprintf(name, VISITORS_NAME, "%s", first);
    } else {
        snprintf(name, VISITORS_NAME, "%s-%u", first, part);
    }
}

enum err_code visitors_newest(struct db *db, const char *first, unsigned *part, struct err *err)
{
    struct arena arena;
    enum err_code rc = OK;
    arena_init(&arena, 1 << 20);
    for (*part = 1; rc == OK; *part += rc == OK) {
        struct campaign k;
        char name[VISITORS_NAME];
        visitors_campaign(first, *part + 1, name);
        rc = campaigns_find(db, sv_of(name), &arena, &k, err);
    }
    arena_release(&arena);
    if (rc == ERR_NOT_FOUND) {
        err_clear(err);
        rc = OK;
    }
    return rc;
}

static enum err_code plan_another(struct visitors *v, struct err *err)
{
    if (v->planned || clock_mono_ns() < v->plan_ns) {
        return OK;
    }
    enum err_code rc = v->plan.another(v->plan.arg, v->part + 1, err);
    v->planned = rc == OK;
    v->plan_ns = v->planned ? 0 : clock_mono_ns() + PLAN_AGAIN_NS;
    return rc;
}

/* Before a part runs out the next one is planned; once this one has all its answers or is closed, or
 * everybody had their share of it, people come to the next. */
static enum err_code see_to_parts(struct visitors *v, bool nobody, struct err *err)
{
    struct campaign k;
    char name[VISITORS_NAME];
    int64_t answers = 0, wanted = 0;
    visitors_campaign(v->plan.campaign, v->part, name);
    enum err_code rc = campaigns_find(v->db, sv_of(name), &v->arena, &k, err);
    rc = rc == OK ? campaigns_answered(v->db, k.id, &answers, &wanted, err) : rc;
    bool over = answers >= wanted || sv_is(k.state, "closed") || (nobody && sv_is(k.state, "open"));
    if (rc == OK && (over || answers * 10 >= wanted * 9)) {
        rc = plan_another(v, err);
    }
    if (rc == OK && over && v->planned) {
        v->part++;
        memset(v->kept, 0, v->plan.people * sizeof *v->kept);
        v->planned = false;
        v->next = 0;
        v->none_left = false;
    }
    return rc;
}

/* ------------------------------------------------------------------ who comes next */

/* Whether somebody of the crowd may sit down: whoever did not end their part. */
static enum err_code may_come(struct visitors *v, int64_t person, struct place *place, bool *has,
                              bool *may, struct err *err)
{
    struct campaign k;
    char name[VISITORS_NAME];
    bool ended = false;
    enum study_outcome how;
    visitors_campaign(v->plan.campaign, v->part, name);
    enum err_code rc = campaigns_find(v->db, sv_of(name), &v->arena, &k, err);
    rc = rc == OK ? work_place_of(v->db, k.id, person, &v->arena, place, has, err) : rc;
    if (rc == OK && *has) {
        rc = studies_outcome_of(v->db, place->id, &ended, &how, err);
    }
    *may = !ended;
    return rc;
}

static bool anybody_seated(const struct visitors *v)
{
    bool any = false;
    for (unsigned i = 0; i < SEATS; i++) {
        any = any || v->seat[i].index >= 0;
    }
    return any;
}

static bool is_seated(const struct visitors *v, unsigned index)
{
    bool any = false;
    for (unsigned i = 0; i < SEATS; i++) {
        any = any || v->seat[i].index == (int)index;
    }
    return any;
}

static enum err_code join(struct visitors *v, const char *name, char place[CRYPTO_TOKEN_TEXT],
                          struct err *err)
{
    int status;
    json_t *body;
    char campaign[VISITORS_NAME];
    visitors_campaign(v->plan.campaign, v->part, campaign);
    char *path = arena_printf(&v->arena, "/api/v1/campaigns/%s/places", campaign);
    enum err_code rc = post(v, path, object(field_text("external_id", name)), &status, &body, err);
    const char *token = json_string_value(json_object_get(body, "place"));
    if (rc == OK && (!token || strlen(token) >= CRYPTO_TOKEN_TEXT)) {
        rc = refused("joining", status, body, err);
    }
    if (rc == OK) {
        snprintf(place, CRYPTO_TOKEN_TEXT, "%s", token);
    }
    json_decref(body);
    return rc;
}

static enum err_code take_seat(struct visitors *v, struct seat *s, unsigned index, struct err *err)
{
    char name[CROWD_NAME];
    int64_t person;
    struct place p;
    bool has = false, may = false;
    crowd_name(index, name);
    enum err_code rc = people_find_external(v->db, SV("panel"), sv_of(name), &person, err);
    if (rc == ERR_NOT_FOUND) {
        return OK; /* forgotten meanwhile */
    }
    rc = rc == OK ? may_come(v, person, &p, &has, &may, err) : rc;
    if (rc == OK && may && !has && v->none_left) {
        may = false;
    } else if (rc == OK && may) {
        char *kept = v->kept[index % VISITORS_PART];
        rc = *kept ? OK : join(v, name, kept, err);
        snprintf(s->place, sizeof s->place, "%s", kept);
    }
    s->index = rc == OK && may ? (int)index : -1;
    return rc;
}

/* The next of the crowd who may come; when everybody was asked, nobody for a while. */
static enum err_code sit_down(struct visitors *v, struct seat *s, struct err *err)
{
    enum err_code rc = see_to_parts(v, false, err);
    while (rc == OK && s->index < 0 && v->next < v->plan.people) {
        unsigned index = (v->part - 1) * VISITORS_PART + v->next++;
        rc = is_seated(v, index) ? OK : take_seat(v, s, index, err);
    }
    bool none = s->index < 0 && v->next == v->plan.people;
    if (rc == OK && none && !anybody_seated(v)) {
        rc = see_to_parts(v, true, err);
    }
    v->next = none ? 0 : v->next;
    v->none_left = v->none_left && !none;
    later(v, s, none ? EMPTY_MS : BETWEEN_MS);
    return rc;
}

/* ------------------------------------------------------------------ grids */

static enum err_code look_at(struct visitors *v, const struct assignment *as, struct seat *s,
                             struct err *err)
{
    const struct truth_image *images[GRID_CELLS];
    struct image_row names[GRID_CELLS];
    struct grid_cells cells;
    struct class_info k;
    uint8_t order[GRID_CELLS];
    enum err_code rc = grids_cells(v->db, as->grid, &cells, err);
    rc = rc == OK ? images_names(v->db, cells.image, cells.n, &v->arena, names, err) : rc;
    rc = rc == OK ? classes_get(v->db, as->class_id, &v->arena, &k, err) : rc;
    int class_index = rc == OK ? world_find(k.wnid) : -1;
    if (rc == OK && class_index < 0) {
        rc = err_set(err, ERR_INPUT, "class " SV_FMT " does not belong to the demo", SV_ARG(k.wnid));
    }
    for (unsigned i = 0; i < cells.n && rc == OK; i++) {
        images[i] = truth_of(&v->truth, names[i].name);
    }
    if (rc != OK) {
        return rc;
    }
    struct crowd_answer a = crowd_answer(v->plan.seed, (unsigned)s->index, as->grid,
                                         (unsigned)class_index, images, cells.n);
    grid_order(as->seed, as->has_seed, cells.n, order);
    s->shown = 0;
    for (unsigned i = 0; i < cells.n; i++) {
        s->shown |= (a.mask >> order[i] & 1) << i;
    }
    s->active_ms = a.active_ms;
    s->grid = as->grid;
    return OK;
}

/* The server says that there is nothing for this person: somebody else's turn, or later. */
static void leave(struct visitors *v, struct seat *s, json_t *body)
{
    struct sv reason = sv_of(json_string_value(json_object_get(body, "reason")));
    bool waits = sv_is(reason, "not-open");
    v->none_left = sv_is(reason, "none-left");
    s->index = waits ? s->index : -1;
    later(v, s, waits || v->none_left ? EMPTY_MS : BETWEEN_MS);
}

static enum err_code ask_grid(struct visitors *v, struct seat *s, struct err *err)
{
    unsigned char raw[WORK_TOKEN];
    struct assignment as;
    int status;
    json_t *body;
    char *path = arena_printf(&v->arena, "/api/v1/places/%s/next", s->place);
    enum err_code rc = post(v, path, json_object(), &status, &body, err);
    const char *token = json_string_value(json_object_get(body, "assignment"));
    if (rc == OK && json_is_true(json_object_get(body, "done"))) {
        leave(v, s, body);
    } else if (rc == OK && (!token || !crypto_unbase64url(sv_of(token), raw, sizeof raw))) {
        rc = refused("asking for a grid", status, body, err);
    } else if (rc == OK) {
        rc = work_assignment_find(v->db, raw, &v->arena, &as, err);
        rc = rc == OK ? look_at(v, &as, s, err) : rc;
        if (rc == OK) {
            snprintf(s->assignment, sizeof s->assignment, "%s", token);
            v->none_left = false;
            later(v, s, (double)s->active_ms);
        }
    }
    json_decref(body);
    return rc;
}

static enum err_code submit(struct visitors *v, struct seat *s, struct err *err)
{
    int status;
    json_t *body, *selected = json_array();
    char *path = arena_printf(&v->arena, "/api/v1/assignments/%s/answer", s->assignment);
    char *client = arena_printf(&v->arena, "simulated-%d-%lld", s->index + 1, (long long)s->grid);
    for (unsigned i = 0; i < GRID_CELLS; i++) {
        if (s->shown >> i & 1) {
            json_array_append_new(selected, json_integer(i));
        }
    }
    json_t *data = object(field_text("client_id", client), field_json("selected", selected),
                          field_int("active_ms", s->active_ms));
    enum err_code rc = post(v, path, data, &status, &body, err);
    bool again = rc != OK || status >= 500 || status == 429;
    if (rc == OK && status != 200) {
        rc = refused("answering", status, body, err);
    }
    json_decref(body);
    if (!again) { /* what is refused for good is given up: the next grid is there all the same */
        s->assignment[0] = '\0';
        later(v, s, BETWEEN_MS);
    }
    return rc;
}

/* ------------------------------------------------------------------ the thread */

static void act(struct visitors *v, struct seat *s)
{
    struct err err = {OK, "", ""};
    enum err_code rc = s->index < 0 ? sit_down(v, s, &err)
                       : s->assignment[0] ? submit(v, s, &err) : ask_grid(v, s, &err);
    if (rc != OK) {
        later(v, s, RETRY_MS * v->plan.pace); /* whatever the pace: the server is not pressed */
        if (rc != v->last) {
            log_msg(LOG_WARN, "simulated visitors", LOG_TEXT("error", sv_of(err.msg)));
        }
    }
    v->last = rc;
    arena_clear(&v->arena);
}

static struct seat *first_due(struct visitors *v)
{
    struct seat *first = &v->seat[0];
    for (unsigned i = 1; i < SEATS; i++) {
        first = v->seat[i].due_ns < first->due_ns ? &v->seat[i] : first;
    }
    return first;
}

/* Until the seat's turn; false when it is time to stop. */
static bool wait_for(struct visitors *v, const struct seat *s)
{
    pthread_mutex_lock(&v->lock);
    while (!v->stop && clock_mono_ns() < s->due_ns) {
        thread_cond_wait(&v->wake, &v->lock, s->due_ns - clock_mono_ns());
    }
    bool stop = v->stop;
    pthread_mutex_unlock(&v->lock);
    return !stop;
}

static void *run(void *arg)
{
    struct visitors *v = arg;
    for (unsigned i = 0; i < SEATS; i++) {
        v->seat[i].index = -1;
        later(v, &v->seat[i], 60000 * rng_unit(&v->rng));
    }
    for (struct seat *s = first_due(v); wait_for(v, s); s = first_due(v)) {
        act(v, s);
    }
    return NULL;
}

static void release(struct visitors *v)
{
    db_close(v->db);
    truth_release(&v->truth);
    str_release(&v->room);
    free(v->kept);
    arena_release(&v->arena);
    pthread_cond_destroy(&v->wake);
    pthread_mutex_destroy(&v->lock);
    free(v);
}

enum err_code visitors_start(const struct visitors_plan *plan, struct visitors **out,
                             struct err *err)
{
    struct visitors *v = xcalloc(1, sizeof *v);
    v->plan = *plan;
    v->kept = xcalloc(plan->people, sizeof *v->kept);
    thread_cond_init(&v->wake);
    pthread_mutex_init(&v->lock, NULL);
    arena_init(&v->arena, 4 << 20);
    str_init(&v->room, REPLY_MOST);
    rng_seed(&v->rng, plan->seed);
    enum err_code rc = truth_load(plan->truth, &v->truth, err);
    rc = rc == OK ? db_open(plan->database, DB_READ, &v->db, err) : rc;
    rc = rc == OK ? visitors_newest(v->db, plan->campaign, &v->part, err) : rc;
    rc = rc == OK ? thread_start(&v->thread, "visitors", run, v, err) : rc;
    if (rc != OK) {
        release(v);
        return rc;
    }
    *out = v;
    return OK;
}

void visitors_stop(struct visitors *v)
{
    if (!v) {
        return;
    }
    pthread_mutex_lock(&v->lock);
    v->stop = true;
    pthread_cond_signal(&v->wake);
    pthread_mutex_unlock(&v->lock);
    pthread_join(v->thread, NULL);
    release(v);
}
