/* eligible.c - images of a list beside what each account was shown. */
#include "experts/eligible.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "store/people/accounts.h"

enum { ACCOUNTS_MOST = 500 };

#define OF(member) RECORD_OF(struct eligibility, member)
RECORD(eligibility_record, struct eligibility, "label_eligibility", "Which images of a label review an account may review.",
       {"login", OF(login), .maybe = true, .about = "The account; null: the person was forgotten."},
       {"role", OF(role), .about = "Its role."}, {"active", OF(active), .about = "The review is their work now, or is to be."},
       {"eligible", OF(eligible), .about = "Images that may be theirs: they were not shown them elsewhere, or have reviewed them."},
       {"seen", OF(seen), .about = "The other images of the list, which somebody else reviews."},
       {"seen_pages", OF(how[SEEN_PAGE]), .about = "Of these, images that they saw on pages."},
       {"seen_tasks", OF(how[SEEN_TASK]), .about = "Images of tasks that they had."},
       {"seen_training", OF(how[SEEN_TRAINING]), .about = "Images that they were trained with."},
       {"seen_guide", OF(how[SEEN_GUIDE]), .about = "Images of the guide."},
       {"seen_evaluation", OF(how[SEEN_EVALUATION]), .about = "Images that they were evaluated on."},
       {"seen_reviews", OF(how[SEEN_REVIEW]), .about = "Images that they reviewed in other lists."},
       {"seen_near", OF(how[SEEN_NEAR]), .about = "Images that they were not shown themselves, but near-duplicates of them."});
#undef OF

const char *eligible_why(const struct eligibility *e, struct arena *a)
{
    static const struct {
        const char *did, *where;
    } says[LABEL_SEENS] = {{"saw", " on pages"}, {"had", " in tasks"}, {"were trained with", ""}, {"saw", " in the guide"},
                           {"were evaluated on", ""}, {"reviewed", " in other lists"}, {"saw near-duplicates of", ""}};
    const char *text = NULL;
    for (int i = 0; i < LABEL_SEENS; i++) {
        if (e->how[i]) {
            const char *one = arena_printf(a, "%s %lld%s", says[i].did, (long long)e->how[i], says[i].where);
            text = text ? arena_printf(a, "%s, %s", text, one) : one;
        }
    }
    return text;
}

/* ---- counting ---- */

struct counting {
    struct db *db;
    const struct label_review_row *r;
    const uint32_t *images; /* by position */
    size_t n;
    struct map_u64 at; /* image -> position */
    struct photos photos;
    int64_t *may;      /* by position: people at work who may review it, or who have */
    int64_t *how;      /* by position, of one account at a time: as label_seen_row has it; 0: it may be theirs */
    struct arena *a;
    struct err *err;
};

static enum err_code read_how(struct counting *c, int64_t account)
{
    struct label_seen_row *rows;
    struct map_u64 photos; /* that they were shown */
    int64_t *theirs;
    size_t n = 0, n_theirs = 0;
    map_u64_init(&photos);
    memset(c->how, 0, c->n * sizeof *c->how);
    enum err_code rc = label_seen_list(c->db, c->r, account, c->a, &rows, &n, c->err);
    rc = rc == OK ? label_seen_theirs(c->db, c->r->id, account, c->a, &theirs, &n_theirs, c->err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        const uint32_t at = map_u64_get(&c->at, (uint64_t)rows[i].image);
        map_u64_put(&photos, photos_of(&c->photos, (uint32_t)rows[i].image), 1);
        if (at != MAP_NONE) {
            c->how[at] = rows[i].how;
        }
    }
    for (size_t at = 0; at < c->n && rc == OK; at++) {
        const bool near = c->how[at] == 0 && map_u64_get(&photos, photos_of(&c->photos, c->images[at])) != MAP_NONE;
        c->how[at] = near ? 1 << SEEN_NEAR : c->how[at];
    }
    for (size_t i = 0; i < n_theirs && rc == OK; i++) {
        c->how[theirs[i]] = 0;
    }
    map_u64_release(&photos);
    return rc;
}

static enum err_code count_one(struct counting *c, struct eligibility *e)
{
    enum err_code rc = read_how(c, e->account);
    for (size_t at = 0; at < c->n && rc == OK; at++) {
        c->may[at] += e->active && c->how[at] == 0;
        e->seen += c->how[at] != 0;
        for (int way = 0; way < LABEL_SEENS; way++) {
            e->how[way] += c->how[at] >> way & 1;
        }
    }
    e->eligible = (int64_t)c->n - e->seen;
    return rc;
}

static int active_first(const void *a, const void *b)
{
    const struct eligibility *x = a, *y = b;
    return x->active != y->active ? (x->active < y->active) - (x->active > y->active) : sv_cmp(x->login, y->login);
}

/* To walk from one image takes about 6 us. To read all images of the project at once takes about .6 us for each of them. */
enum { WALKED_MOST = 2000 };

static enum err_code count_all(struct counting *c, struct eligible *out)
{
    enum err_code rc = c->r->id && c->n <= WALKED_MOST ? label_seen_photos(c->db, c->r->id, &c->photos, c->err)
                                                       : photos_read(c->db, &c->photos, c->err);
    for (size_t i = 0; i < out->n && rc == OK; i++) {
        rc = count_one(c, &out->people[i]);
    }
    for (size_t i = 0; i < c->n && rc == OK; i++) {
        out->starved += c->may[i] < c->r->reviewers;
    }
    if (out->n) {
        qsort(out->people, out->n, sizeof *out->people, active_first);
    }
    map_u64_release(&c->at);
    photos_release(&c->photos);
    return rc;
}

static struct counting begin(struct db *db, const struct label_review_row *r, const uint32_t *images, size_t n, struct arena *a,
                             struct err *err)
{
    struct counting c = {.db = db, .r = r, .images = images, .n = n, .a = a, .err = err, .may = arena_calloc(a, n + 1, sizeof *c.may),
                         .how = arena_calloc(a, n + 1, sizeof *c.how)};
    map_u64_init(&c.at);
    for (size_t i = 0; i < n; i++) {
        map_u64_put(&c.at, images[i], (uint32_t)i);
    }
    return c;
}

/* ---- a list that is planned ---- */

enum err_code eligible_accounts(struct db *db, struct sv logins, bool joining, struct arena *a, int64_t **out, size_t *n,
                                struct err *err)
{
    enum err_code rc = OK;
    *out = arena_alloc(a, (logins.n + 1) * sizeof **out);
    *n = 0;
    while (logins.n && rc == OK) {
        struct sv login = sv_trim(sv_cut(&logins, ','));
        struct account who;
        if (login.n == 0) {
            continue;
        }
        rc = accounts_find_login(db, login, a, &who, err);
        if (rc == ERR_NOT_FOUND) {
            return err_rule(err, rc, "no-account", "There is no account " SV_FMT ". Nothing was changed.", SV_ARG(login));
        }
        if (rc == OK && joining && !account_is_expert(&who)) {
            return err_rule(err, ERR_INPUT, "label-review-login", "The account " SV_FMT " is disabled or has a role below expert: choose "
                            "another, or change its role. Nothing was changed.", SV_ARG(login));
        }
        if (rc == OK) {
            (*out)[(*n)++] = who.id;
        }
    }
    return rc;
}

enum err_code eligible_plan(struct db *db, const struct label_review_row *r, const uint32_t *images, size_t n, struct sv logins,
                            struct arena *a, struct eligible *out, struct err *err)
{
    struct account *all;
    int64_t *theirs;
    size_t n_all = 0, n_theirs = 0;
    *out = (struct eligible){.n = 0};
    enum err_code rc = eligible_accounts(db, logins, true, a, &theirs, &n_theirs, err);
    rc = rc == OK ? accounts_list(db, ACCOUNTS_MOST, a, &all, &n_all, err) : rc;
    if (rc != OK) {
        return rc;
    }
    out->people = arena_calloc(a, n_all + 1, sizeof *out->people);
    for (size_t i = 0; i < n_all; i++) {
        struct eligibility e = {.account = all[i].id, .login = all[i].login, .role = all[i].role};
        for (size_t k = 0; k < n_theirs; k++) {
            e.active = e.active || theirs[k] == e.account;
        }
        if (account_is_expert(&all[i])) {
            out->people[out->n++] = e;
        }
    }
    struct counting c = begin(db, r, images, n, a, err);
    return count_all(&c, out);
}

/* ---- a list that exists ---- */

enum err_code eligible_read(struct db *db, const struct label_review_row *r, const struct label_reviewer_row *people, size_t n_people,
                            struct arena *a, struct eligible *out, struct err *err)
{
    struct label_reviewed_row *others;
    uint32_t *images;
    size_t n = 0, n_others = 0;
    *out = (struct eligible){.n = n_people};
    enum err_code rc = label_review_images(db, r->id, a, &images, &n, err);
    rc = rc == OK ? label_review_by_others(db, r->id, a, &others, &n_others, err) : rc;
    if (rc != OK) {
        return rc;
    }
    struct counting c = begin(db, r, images, n, a, err);
    for (size_t i = 0; i < n_others; i++) {
        c.may[others[i].position] += others[i].people;
    }
    out->people = arena_calloc(a, out->n + 1, sizeof *out->people);
    for (size_t i = 0; i < out->n; i++) {
        out->people[i] = (struct eligibility){.account = people[i].account, .login = people[i].login, .role = people[i].role,
                                              .active = people[i].active};
    }
    return count_all(&c, out);
}
