/* bias_json.c - the figures about a set as JSON. */
#include "sets/bias/bias.h"

#define OF(member) RECORD_OF(struct bias_estimate, member)
#define IF(member) RECORD_IF(struct bias_estimate, member)
static RECORD(estimate_record, struct bias_estimate, "bias_estimate", "Mean frequency of the set minus that of the originals.",
              {"value", OF(value), .about = "The difference, from -1 to 1; below 0: the set is harder."},
              {"lo", OF(lo), IF(interval), .about = "Lower bound of its interval, 95 %; null: too few workers for one."},
              {"hi", OF(hi), IF(interval), .about = "Upper bound."});
#undef OF
#undef IF

#define OF(member) RECORD_OF(struct bias_at, member)
static RECORD(design_record, struct bias_at, "bias_design", "A set chosen by some answers of each image, and measured on the others.",
              {NULL, RECORD_PART(struct bias_at, bias), RECORD_BESIDE, .of = &estimate_record},
              {"answers", OF(n), .about = "Answers of each image that chose."},
              {"held_out", OF(held_out), .about = "Answers about the chosen images that did not choose."},
              {"images", OF(chosen), .about = "Chosen images, on average over all ways to hold answers out."},
              {"kept_mean", OF(kept), .about = "Mean frequency of the chosen images by the answers that chose."},
              {"held_out_mean", OF(held), .about = "The same by the others."},
              {"original_mean", OF(original), .about = "Mean frequency of the originals."});
#undef OF

static json_t *designs(const struct matching_bias *b)
{
    json_t *list = json_array();
    for (size_t i = 0; i < b->n_at; i++) {
        json_array_append_new(list, record_json(&design_record, &b->at[i]));
    }
    return list;
}

#define OF(member) RECORD_OF(struct set_bias, member)
static RECORD(bias_review_record, struct set_bias, "bias_review", "What is known of the final review.",
              {"recorded", OF(review.recorded), .about = "Whether some class is recorded as reviewed."},
              {"assumed", OF(review.assumed), .about = "Whether all images of earlier revisions count as looked at, because none is recorded."},
              {"revisions", OF(review.revisions), .about = "Revisions that were read."},
              {"kept", OF(first.kept), .about = "Images of the set that a review kept."},
              {"not_reviewed", OF(first.unseen), .about = "Images of the set that no review saw."},
              {"removed", OF(first.removed), .about = "Candidates that a review removed."});
#undef OF

struct again_face {
    struct set_bias_again g;
    bool any;
    json_t *campaigns;
};
#define OF(member) RECORD_OF(struct again_face, member)
#define IF(member) RECORD_IF(struct again_face, member)
static RECORD(again_record, struct again_face, "bias_measured_again", "What other people said who measured the set again.",
              {"campaigns", OF(campaigns), RECORD_TEXTS, .about = "The campaigns that measured it again."},
              {"difference", RECORD_PART(struct again_face, g.now.raw), IF(any), .of = &estimate_record,
               .about = "By their votes; null: none yet."},
              {"images", OF(g.now.images), .about = "Images of the set with votes."},
              {"originals", OF(g.now.originals), .about = "Originals with votes."},
              {"workers", OF(g.now.workers), .about = "People who voted."},
              {"votes", OF(g.votes), .about = "Their votes."},
              {"left_out_votes", OF(g.votes_met), .about = "Votes left out: of people who had been shown images of the first campaigns."},
              {"left_out_workers", OF(g.people_met), .about = "How many people these are."},
              {"set", OF(g.now.raw_set), IF(any), .about = "Mean frequency of the set's images."},
              {"original", OF(g.now.raw_original), IF(any), .about = "Mean frequency of the originals."},
              {"first_set", OF(g.first_set), IF(any), .about = "What the same images of the set had when it was chosen."},
              {"first_original", OF(g.first_original), IF(any), .about = "What the same originals had then."});
#undef OF
#undef IF

static json_t *again(const struct set_bias_again *g)
{
    if (g->n_campaigns == 0) {
        return NULL;
    }
    const struct again_face face = {*g, g->now.raw.known, json_array()};
    for (size_t i = 0; i < g->n_campaigns; i++) {
        json_array_append_new(face.campaigns, json_stringn(g->campaigns[i].p ? g->campaigns[i].p : "", g->campaigns[i].n));
    }
    return record_json(&again_record, &face);
}

struct leading_face {
    struct bias_leading l;
    const char *method;
};
#define OF(member) RECORD_OF(struct leading_face, member)
RECORD(bias_leading_record, struct leading_face, "bias_leading", "The figure to use, which is not there when its method is none.",
       {NULL, RECORD_PART(struct leading_face, l.estimate), RECORD_BESIDE, RECORD_IF(struct leading_face, l.estimate.known),
        .of = &estimate_record},
       {"method", OF(method), .about = "none, measured_again, estimated or raw."},
       {"holds", OF(l.holds), .about = "Whether the figure holds as far as is known."},
       {"why_not", OF(l.why_not), .maybe = true, .about = "What it does not know; null: it holds."});
#undef OF

json_t *set_bias_leading_json(const struct bias_leading *l)
{
    static const char *const methods[] = {[BIAS_NONE] = "none",
                                          [BIAS_MEASURED_AGAIN] = "measured_again",
                                          [BIAS_ESTIMATED] = "estimated",
                                          [BIAS_RAW] = "raw"};
    const struct leading_face face = {*l, methods[l->method]};
    return record_json(&bias_leading_record, &face);
}

struct bias_face {
    struct set_bias b;
    const char *tool, *strategy;
    double alpha;
    json_t *leading, *again, *designs;
};
#define OF(member) RECORD_OF(struct bias_face, member)
#define IF(member) RECORD_IF(struct bias_face, member)
#define PART(member) RECORD_PART(struct bias_face, member)
RECORD(bias_record, struct bias_face, "matching_bias", "How much harder a set is than its originals because frequencies are noisy.",
       {"tool", OF(tool), .about = "The program and its version."},
       {"set", OF(b.revision.set), .about = "The set's name."},
       {"revision", OF(b.revision.number), .about = "The revision's number."},
       {"view", OF(b.view), .about = "The vote view that counts."},
       {"view_version", OF(b.view_version), .about = "The event that made its version."},
       {"as_of", OF(b.as_of), .about = "The last event that was counted."},
       {"strategy", OF(strategy), .about = "How the set was chosen: matched, threshold, top, keyword or unknown."},
       {"alpha", OF(alpha), .about = "One minus the level of intervals."},
       {"images", OF(b.first.images), .about = "Images of the set with votes."},
       {"originals", OF(b.first.originals), .about = "Originals of its classes with votes."},
       {"pool", OF(b.first.pool), .about = "Candidates of its classes with votes."},
       {"workers", OF(b.first.workers), .about = "People who voted."},
       {"groups", OF(b.first.groups), .about = "Groups of people; each was left out once for intervals."},
       {"seed", OF(b.seed), .about = "The seed that dealt people out to groups."},
       {"answers", OF(b.first.answers), .about = "The usual number of answers of an image."},
       {"leading", OF(leading), .of = &bias_leading_record, .about = "The figure to use."},
       {"measured_again", OF(again), .maybe = true, .of = &again_record, .about = "What others said; null: nobody measured it again."},
       {"estimated", PART(b.first.estimated), IF(b.first.estimated.known), .of = &estimate_record,
        .about = "Estimated from the votes that chose the set; null: they do not tell."},
       {"review", PART(b), .of = &bias_review_record, .about = "What the estimate knows of the final review."},
       {"raw_set", OF(b.first.raw_set), IF(b.first.raw.known), .about = "Mean frequency of the set's images."},
       {"raw_original", OF(b.first.raw_original), IF(b.first.raw.known), .about = "Mean frequency of the originals."},
       {"raw", PART(b.first.raw), IF(b.first.raw.known), .of = &estimate_record, .about = "Their difference, not corrected; null: no votes."},
       {"designs", OF(designs), RECORD_LIST, .of = &design_record, .about = "Measured with fewer answers."});
#undef OF
#undef IF
#undef PART

json_t *set_bias_json(const struct set_bias *b)
{
    const struct bias_leading leading = set_bias_leading(b);
    const struct bias_face face = {
        .b = *b,
        .tool = "holdout " HOLDOUT_VERSION,
        .strategy = b->strategy < SAMPLE_STRATEGIES ? sample_strategies[b->strategy] : "unknown",
        .alpha = 0.05,
        .leading = set_bias_leading_json(&leading),
        .again = again(&b->again),
        .designs = designs(&b->first)};
    return record_json(&bias_record, &face);
}
