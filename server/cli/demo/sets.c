/* sets.c - the demo's set under review. */
#include "cli/demo/sets.h"

#include "sets/sampling/sample.h"
#include "store/classes/classes.h"
#include "store/people/accounts.h"
#include "store/review/class_decisions.h"
#include "store/sets/images.h"
#include "store/sets/sets.h"

/* Of the first revision every third class is reviewed, and an image of each of these taken out; of
 * the second one more class, so that there is something left to do. */
enum { REVIEWED_EVERY = 3, IMAGES_LOOKED = 1 };
/* That many make a frequency, and a class's histogram, here: the campaign is not at its end. */
enum { ANSWERS = 5, ORIGINALS = 3 };

static enum err_code sample(struct demo_world *w, int64_t account, const char *parent, int64_t now)
{
    struct cli *cli = w->cli;
    struct tally *tally = tally_new();
    struct sample_ask ask = {.rules = sample_rules_usual(SAMPLE_MATCHED),
                             .set = SV(DEMO_SAMPLED_SET),
                             .parent = sv_of(parent)};
    struct sample_job job = {.thresholds = NULL};
    int64_t id;
    ask.rules.answers_least = ask.rules.original_answers_least = ANSWERS;
    ask.rules.originals_least = ORIGINALS;
    ask.rules.upward = true;
    ask.rules.seed = (uint64_t)w->seed;
    ask.pool.flags_to_quarantine = cli->config.flags_to_quarantine;
    enum err_code rc = tally_fold(tally, cli->db, &cli->err);
    rc = rc == OK ? sample_make_plan(cli->db, tally, &ask, &job, &cli->err) : rc;
    rc = rc == OK ? sample_write(cli->db, cli->alone, &job, account, now, &id, &cli->err) : rc;
    sample_release(&job);
    tally_free(tally);
    return rc;
}

/* ---- the review ---- */

struct review {
    struct cli *cli;
    struct revision_row revision;
    int64_t account, now;
};

static enum err_code decide(const struct review *r, const struct class_decision *d)
{
    struct cli *cli = r->cli;
    int64_t id;
    enum err_code rc = db_tx_begin(cli->db, &cli->err);
    if (rc == OK) {
        rc = class_decisions_write(cli->db, d, CLASS_SEEN_ANY, r->account, r->now, &id, &cli->err);
    }
    return db_tx_end(cli->db, rc, &cli->err);
}

/* The class is reviewed; `take_out`: one image of it was not what it should be. */
static enum err_code review_class(const struct review *r, int64_t class_id, bool take_out)
{
    struct cli *cli = r->cli;
    struct set_image *images;
    size_t n = 0;
    enum err_code rc = set_images_list(cli->db, r->revision.list, class_id, 0, IMAGES_LOOKED,
                                       &cli->arena, &images, &n, &cli->err);
    if (rc != OK || n == 0) { /* nothing to review */
        return rc;
    }
    struct decided_image out = {
        .banned = true, .reason = SV("unclear"), .note = SV("hard to make out")};
    struct class_decision d = {
        .class_id = class_id, .revision = r->revision.id, .reviewed = 1, .problematic = 0};
    if (take_out) {
        out.name = images[0].name;
        d.images = &out;
        d.n_images = 1;
    }
    return decide(r, &d);
}

static enum err_code review_some(struct demo_world *w, int64_t account, const char *revision,
                                 size_t first, size_t every, bool take_out, int64_t now)
{
    struct cli *cli = w->cli;
    struct review r = {.cli = cli, .account = account, .now = now};
    struct class_info *classes;
    size_t n = 0;
    enum err_code rc =
        revisions_find(cli->db, sv_of(revision), &cli->arena, &r.revision, &cli->err);
    rc = rc == OK ? classes_list(cli->db, &cli->arena, &classes, &n, &cli->err) : rc;
    for (size_t i = first; i < n && rc == OK; i += every) {
        rc = review_class(&r, classes[i].id, take_out);
    }
    return rc;
}

enum err_code demo_sets_make(struct demo_world *w, int64_t now)
{
    const char *first = DEMO_SAMPLED_SET "/0", *second = DEMO_SAMPLED_SET "/1";
    struct cli *cli = w->cli;
    struct account who;
    enum err_code rc = accounts_find_login(cli->db, SV("admin"), &cli->arena, &who, &cli->err);
    rc = rc == OK ? sample(w, who.id, "", now) : rc;
    rc = rc == OK ? review_some(w, who.id, first, 0, REVIEWED_EVERY, true, now) : rc;
    rc = rc == OK ? review_some(w, who.id, first, 1, REVIEWED_EVERY, false, now) : rc;
    rc = rc == OK ? sample(w, who.id, first, now) : rc;
    return rc == OK ? review_some(w, who.id, second, 0, 2 * REVIEWED_EVERY, false, now) : rc;
}
