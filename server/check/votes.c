/* votes.c - counts the votes by two ways. */
#include "check/parts.h"
#include "store/votes/votes.h"

struct recount {
    struct check *c;
    const struct tally *tally;
    uint64_t pairs, votes;
};

static enum err_code compare_pair(void *arg, const struct vote_pair *p, struct err *err)
{
    (void)err;
    struct recount *r = arg;
    const struct tally_pair *t = tally_find(r->tally, p->image, p->class_id);
    r->pairs++;
    r->votes += (uint64_t)p->shown;
    if (!t || t->shown != p->shown || t->selected != p->selected) {
        check_found(r->c, "counter: image " SV_FMT ", class " SV_FMT ": the counters say %u of %u, but the "
                    "answers say %lld of %lld",
                    SV_ARG(p->image_name), SV_ARG(p->wnid), t ? t->selected : 0, t ? t->shown : 0,
                    (long long)p->selected, (long long)p->shown);
    }
    check_progress(r->c, "recounting votes", r->pairs, 0);
    return OK;
}

enum err_code check_votes(struct check *c, struct tally *t, uint64_t *pairs)
{
    struct recount r = {.c = c, .tally = t};
    struct tally_totals totals;
    enum err_code rc = tally_fold(t, c->db, c->err);
    tally_totals(t, &totals);
    rc = rc == OK ? votes_recount(c->db, compare_pair, &r, c->err) : rc;
    if (rc == OK && totals.votes != r.votes) {
        check_found(c, "counter: the counters hold %llu votes, but the answers hold %llu",
                    (unsigned long long)totals.votes, (unsigned long long)r.votes);
    }
    *pairs = r.pairs;
    return rc;
}

enum err_code check_vote_sums(struct check *c)
{
    struct tally *t = tally_new();
    uint64_t shown = 0, selected = 0, recounted_shown = 0, recounted = 0;
    enum err_code rc = tally_fold(t, c->db, c->err);
    rc = rc == OK ? votes_sum(c->db, &recounted_shown, &recounted, c->err) : rc;
    size_t n = 0;
    const struct tally_pair *pairs = rc == OK ? tally_pairs(t, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        shown += pairs[i].shown;
        selected += pairs[i].selected;
    }
    if (rc == OK && (shown != recounted_shown || selected != recounted)) {
        check_found(c, "counter: the counters say %llu of %llu votes, but the answers say %llu of %llu",
                    (unsigned long long)selected, (unsigned long long)shown,
                    (unsigned long long)recounted, (unsigned long long)recounted_shown);
    }
    tally_free(t);
    return rc;
}
