/* review_gate.h - by which metrics a project looks for near-duplicates, whether an image was searched by them, and whether
 * somebody has looked at its nearest neighbours closely enough for it to be sampled. Pure rules; distances are the
 * caller's. */
#ifndef DOMAIN_REVIEW_GATE_H
#define DOMAIN_REVIEW_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sv.h"

enum near_kind {
    NEAR_L2,      /* squared distance of all bytes of RGB pixels */
    NEAR_FEATURE, /* squared distance of a model's features */
    NEAR_DSSIM,   /* (1 - SSIM) / 2 with a uniform window */
    NEAR_KINDS
};
extern const char *const near_kinds[NEAR_KINDS]; /* "l2", "feature", "dssim" */

/* The metrics of the published study, which every project knows; others are its own. */
enum review_metric_published { REVIEW_L2, REVIEW_FC7, REVIEW_DSSIM, REVIEW_METRICS };
enum {
    REVIEW_METRICS_MOST = 8,
    REVIEW_NAME = 32,
    REVIEW_MODEL = 64,
    NEAR_SIDE_LEAST = 8, /* pixels */
    NEAR_SIDE_MOST = 1024,
    NEAR_WINDOW_MOST = 101
};

struct review_metric {
    char name[REVIEW_NAME + 1];   /* letters, digits, "-", "_" */
    enum near_kind kind;
    uint32_t side, window;        /* pixels that pictures are brought to, of NEAR_L2 and NEAR_DSSIM; of the latter's window */
    char model[REVIEW_MODEL + 1]; /* NEAR_FEATURE; empty: not searched here, its distances are imported */
    double threshold;             /* pairs up to this distance are reviewed */
    bool enabled;                 /* sampling asks for it */
    bool declared;                /* an import said that images it does not list were searched */
    int64_t searched_until;       /* the newest of these; 0: none */
};
/* All metrics that a project knows: the published ones in their order, then its own by name. */
struct review_gate {
    struct review_metric metric[REVIEW_METRICS_MOST];
    size_t n;
};
struct review_target { /* another threshold than the project's */
    char metric[REVIEW_NAME + 1];
    double threshold;
};
/* How far pairs are kept close at hand, for the histogram beside a threshold and for a higher one. */
enum { REVIEW_REACH_PERCENT = 150 };
double review_reach(double threshold);
/* Of a project that has said nothing: the published metrics as published, none of them enabled. */
void review_gate_usual(struct review_gate *out);
/* The place of a name; gate->n: there is no such metric. */
size_t review_gate_find(const struct review_gate *gate, struct sv name);
/* A metric of that kind with the published size, window and threshold, and no name. */
struct review_metric review_metric_usual(enum near_kind kind);

/* Distance of an image with nothing left to review, and of one whose neighbours were never searched. */
#define REVIEW_CLEAR 1e100
#define REVIEW_NEVER 0.0

/* True when an image may be sampled for all that a metric knows: its nearest neighbour that nobody has reviewed is
 * farther than the threshold, not as far. */
bool review_passes(double distance, double threshold);
/* Whether an enabled metric never searched the image for near-duplicates; `known`: bit m is set when something is
 * known of it by metric m. */
bool review_unsearched(const struct review_gate *gate, unsigned known, int64_t image);

#endif
