/* review_gate.h - whether an image was searched for near-duplicates, and whether somebody has
 * looked at an image's nearest neighbours closely enough for it to be sampled. Pure rules;
 * distances are the caller's. */
#ifndef DOMAIN_REVIEW_GATE_H
#define DOMAIN_REVIEW_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum review_metric { REVIEW_L2, REVIEW_FC7, REVIEW_DSSIM, REVIEW_METRICS };
extern const char *const review_metrics[REVIEW_METRICS]; /* "l2", "fc7", "dssim" */

/* The published targets: l2 and fc7 are squared distances, dssim is (1 - SSIM) / 2. */
extern const double review_targets[REVIEW_METRICS];

/* Distance of an image with nothing left to review, and of one whose neighbours were never searched. */
#define REVIEW_CLEAR 1e100
#define REVIEW_NEVER 0.0

/* True when an image may be sampled: for every metric its distance is greater than the target, not
 * equal to it. */
bool review_passes(const double distance[REVIEW_METRICS], const double target[REVIEW_METRICS]);

/* Whether sampling asks for a metric, and images with ids up to which count as searched although nothing says so of
 * them: imports of published studies list only what is left to review. */
struct review_metric_state {
    bool enabled;
    bool declared;          /* an import said that images it does not list were searched */
    int64_t searched_until; /* the newest of these; 0: none */
};
struct review_gate {
    struct review_metric_state metric[REVIEW_METRICS];
};
/* Whether an enabled metric never searched the image for near-duplicates; `known`: bit m is set when something is
 * known of it by metric m. */
bool review_unsearched(const struct review_gate *gate, unsigned known, int64_t image);

#endif
