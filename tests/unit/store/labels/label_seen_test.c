/* label_seen_test.c - store/labels/label_seen.h: over random histories nobody is asked about an image that they were shown in a way
 * that the list forbids, and nothing that they may be asked about is kept from them. */
#include "unit.h"

#include "base/rng.h"
#include "experts/eligible.h"
#include "store/labels/label_looks.h"
#include "store/labels/label_seen.h"
#include "temp_project.h"
#include "world.h"

enum { PEOPLE = 3, IMAGES = 14, LISTS = 24, STEPS = 700 };
static const char *const ways[] = {"page", "training", "guide", "evaluation", "review"};
enum { PAGE, TRAINING, GUIDE, EVALUATION, PICTURE, WAYS };

/* What the test remembers of everything that it did: the rule once more, from memory. */
struct memory {
    int64_t shown[PEOPLE][IMAGES][WAYS]; /* when first; 0: never */
    bool task[PEOPLE][IMAGES];
    bool said[PEOPLE][IMAGES][LISTS];
    bool pair[IMAGES][IMAGES]; /* called near-duplicates; the lower one first */
};
struct list_of {
    struct label_review_row r;
    int images[IMAGES]; /* by position */
    int n;
};
struct history {
    struct temp_project *t;
    struct rng r;
    struct memory m;
    struct list_of lists[LISTS];
    int n_lists, handed, near;
    int64_t now, class_id, revision, campaign, images[IMAGES], account[PEOPLE], person[PEOPLE], place[PEOPLE];
};

static bool forbidden_itself(const struct history *h, int who, int image, int list)
{
    const int64_t *shown = h->m.shown[who][image];
    bool is = shown[PAGE] || shown[TRAINING] || shown[GUIDE] || h->m.task[who][image];
    if (!h->lists[list].r.again) {
        is = is || shown[EVALUATION] || (shown[PICTURE] && shown[PICTURE] < h->lists[list].r.at);
        for (int i = 0; i < h->n_lists; i++) {
            is = is || (i != list && h->m.said[who][image][i]);
        }
    }
    return is;
}

/* What shows the image's photo, by walking from pair to pair. */
static void photo_of(const struct history *h, int image, bool *in)
{
    in[image] = true;
    for (int other = 0; other < IMAGES; other++) {
        if (!in[other] && (h->m.pair[image][other] || h->m.pair[other][image])) {
            photo_of(h, other, in);
        }
    }
}

static bool forbidden(const struct history *h, int who, int image, int list)
{
    bool in[IMAGES] = {false}, is = false;
    photo_of(h, image, in);
    for (int other = 0; other < IMAGES; other++) {
        is = is || (in[other] && forbidden_itself(h, who, other, list));
    }
    return is;
}

/* Somebody calls two images near-duplicates, or takes that back. */
static void turn_pair(struct history *h, int one, int two)
{
    if (one != two) {
        bool *pair = &h->m.pair[one < two ? one : two][one < two ? two : one];
        *pair = !*pair;
        assert_int_equal(db_run(h->t->db, "INSERT INTO near_duplicate SELECT min(x.name, y.name), max(x.name, y.name), ?3, ?4"
                                          " FROM image x, image y WHERE x.id = ?1 AND y.id = ?2",
                                DB_VALS(db_int(h->images[one]), db_int(h->images[two]), db_int(world_event(h->t->db, "near")), db_int(*pair)),
                                &h->t->err),
                         OK);
    }
}

static int people_of(const struct history *h, int image, int list)
{
    int n = 0;
    for (int who = 0; who < PEOPLE; who++) {
        n += h->m.said[who][image][list];
    }
    return n;
}

static void show(struct history *h, int who, int image, int way)
{
    assert_int_equal(db_run(h->t->db, "INSERT INTO account_saw VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
                            DB_VALS(db_int(h->account[who]), db_int(h->images[image]), db_str(ways[way]), db_int(h->now)), &h->t->err),
                     OK);
    if (!h->m.shown[who][image][way]) {
        h->m.shown[who][image][way] = h->now;
    }
}

static void give_task(struct history *h, int who, int image)
{
    int64_t grid = world_grid(h->t->db, h->campaign, h->class_id, &h->images[image], 1);
    world_lend(h->t->db, grid, h->person[who], h->place[who], h->now, h->now + 1);
    h->m.task[who][image] = true;
}

static void make_list(struct history *h)
{
    struct list_of *l = &h->lists[h->n_lists];
    struct label_review_item items[IMAGES];
    struct label_review_ask asks[IMAGES];
    char name[24];
    int64_t id = 0;
    snprintf(name, sizeof name, "list-%d", h->n_lists);
    for (int i = 0; i < IMAGES; i++) {
        if (rng_below(&h->r, 2)) {
            asks[l->n] = (struct label_review_ask){(uint32_t)h->class_id, 0, ORIGIN_SET};
            items[l->n] = (struct label_review_item){.image = (uint32_t)h->images[i], .first = (size_t)l->n, .n = 1};
            l->images[l->n++] = i;
        }
    }
    if (l->n == 0) {
        return;
    }
    const struct label_review_new v = {.name = sv_of(name), .models = SV("[]"), .revision = h->revision, .seed = 1, .reviewers = 1 + (int)rng_below(&h->r, 2),
                                       .again = rng_below(&h->r, 4) == 0, .items = items, .n = (size_t)l->n, .asks = asks};
    assert_int_equal(label_review_add(h->t->db, true, &v, h->now, &id, &h->t->err), OK);
    for (int who = 0; who < PEOPLE; who++) {
        assert_int_equal(label_review_assign(h->t->db, id, h->account[who], true, 0, h->now, &h->t->err), OK);
    }
    assert_int_equal(label_reviews_find(h->t->db, sv_of(name), &h->t->arena, &l->r, &h->t->err), OK);
    h->n_lists++;
}

/* One asks for the next image, and most often says something of it. */
static bool review(struct history *h, int who, int list, bool says)
{
    struct list_of *l = &h->lists[list];
    struct label_next next;
    int64_t look;
    assert_int_equal(label_review_next(h->t->db, &l->r, h->account[who], 0, &next, &h->t->err), OK);
    if (next.position < 0) {
        for (int at = 0; at < l->n; at++) {
            int image = l->images[at];
            assert_true(h->m.said[who][image][list] || forbidden(h, who, image, list) || people_of(h, image, list) >= l->r.reviewers);
        }
        return false;
    }
    int image = l->images[next.position];
    assert_false(forbidden(h, who, image, list) || h->m.said[who][image][list]);
    assert_int_equal(label_seen_check(h->t->db, &l->r, next.position, h->account[who], &h->t->err), OK);
    h->handed++;
    show(h, who, image, PICTURE);
    if (says) {
        const struct look_verdict verdict = {(uint32_t)h->class_id, VERDICT_CORRECT};
        const struct label_look_new v = {.review = l->r.id, .position = next.position, .account = h->account[who], .verdicts = &verdict,
                                         .n = 1, .problem = PROBLEMS, .comment = SV("")};
        assert_int_equal(label_look_add(h->t->db, &v, h->now, &look, &h->t->err), OK);
        h->m.said[who][image][list] = true;
    }
    return says;
}

/* What the page and the commands print of each is what the rule says of each image. */
static void compare_lists(struct history *h, int list, int who)
{
    const struct list_of *l = &h->lists[list];
    const struct label_reviewer_row person = {.account = h->account[who], .login = SV("who"), .role = SV("expert"), .active = true};
    struct label_seen_row *rows;
    struct eligible counted;
    size_t n = 0;
    int seen = 0, near = 0;
    assert_int_equal(label_seen_list(h->t->db, &l->r, h->account[who], &h->t->arena, &rows, &n, &h->t->err), OK);
    for (int at = 0; at < l->n; at++) {
        int image = l->images[at];
        bool itself = forbidden_itself(h, who, image, list), there = false;
        bool is = forbidden(h, who, image, list) && !h->m.said[who][image][list];
        for (size_t i = 0; i < n; i++) {
            there = there || rows[i].image == h->images[image];
        }
        seen += is;
        near += is && !itself;
        assert_int_equal(there, itself);
        assert_int_equal(label_seen_check(h->t->db, &l->r, at, h->account[who], &h->t->err), is ? ERR_DENIED : OK);
        err_clear(&h->t->err);
    }
    assert_int_equal(eligible_read(h->t->db, &l->r, &person, 1, &h->t->arena, &counted, &h->t->err), OK);
    assert_int_equal(counted.people[0].seen, seen);
    assert_int_equal(counted.people[0].eligible, l->n - seen);
    assert_int_equal(counted.people[0].how[SEEN_NEAR], near);
    h->near += near;
}

PROJECT_TEST(nobody_is_asked_about_what_they_were_shown)
{
    static struct history h;
    struct revision_image members[IMAGES];
    struct campaign terms = world_terms("main");
    h = (struct history){.t = *state, .now = WORLD_NOW};
    rng_seed(&h.r, 11);
    h.class_id = world_class(h.t->db, 1);
    h.campaign = world_campaign(h.t->db, &terms);
    for (unsigned i = 0; i < IMAGES; i++) {
        h.images[i] = world_image(h.t->db, i, h.class_id, "candidate");
        members[i] = (struct revision_image){.image = (uint32_t)h.images[i], .class_id = (uint32_t)h.class_id};
    }
    const struct revision_new r = world_list(members, IMAGES);
    h.revision = world_revision(h.t->db, &r);
    for (int who = 0; who < PEOPLE; who++) {
        h.account[who] = world_account(h.t->db, (const char *[]){"ada", "grace", "kim"}[who], "expert");
        assert_int_equal(db_one_int(h.t->db, "SELECT person FROM account WHERE id = ?1", DB_VALS(db_int(h.account[who])), &h.person[who], &h.t->err), OK);
        h.place[who] = world_place(h.t->db, h.campaign, h.person[who]);
    }
    for (int step = 0; step < STEPS; step++) {
        int who = (int)rng_below(&h.r, PEOPLE), image = (int)rng_below(&h.r, IMAGES), what = (int)rng_below(&h.r, 100);
        h.now++;
        if (what < 3 && h.n_lists < LISTS) {
            make_list(&h);
        } else if (what < 6) {
            show(&h, who, image, (int)rng_below(&h.r, WAYS - 1));
        } else if (what < 7) {
            give_task(&h, who, image);
        } else if (what < 8) {
            turn_pair(&h, image, (int)rng_below(&h.r, IMAGES));
        } else if (h.n_lists) {
            review(&h, who, h.n_lists - 1 - (int)rng_below(&h.r, h.n_lists < 3 ? (uint64_t)h.n_lists : 3), rng_below(&h.r, 3) > 0);
        }
    }
    for (int list = 0; list < h.n_lists; list++) {
        for (int who = 0; who < PEOPLE; who++) {
            compare_lists(&h, list, who);
            while (review(&h, who, list, true)) {
            }
        }
    }
    assert_true(h.handed > 60 && h.n_lists > 8 && h.near > 5);
}
