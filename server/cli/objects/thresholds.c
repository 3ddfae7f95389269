/* thresholds.c - reads --tau, --least and --most. */
#include "cli/objects/thresholds.h"

#include <math.h>

enum err_code thresholds_read(struct cli *cli, uint32_t *tau, uint32_t *least, uint32_t *most)
{
    int64_t people, labels = CANDIDATE_MOST;
    double share = (double)CANDIDATE_TAU / CANDIDATE_SHARE;
    enum err_code rc = cli_opt_int(cli, "least", 1, CANDIDATE_PEOPLE, CANDIDATE_LEAST, &people);
    rc = rc == OK ? cli_opt_int(cli, "most", 1, CANDIDATE_LABELS, CANDIDATE_MOST, &labels) : rc;
    rc = rc == OK ? cli_opt_real(cli, "tau", 1.0 / CANDIDATE_SHARE, 1, share, &share) : rc;
    *tau = (uint32_t)lround(share * CANDIDATE_SHARE);
    *least = (uint32_t)people;
    *most = (uint32_t)labels;
    if (rc == OK && fabs(share * CANDIDATE_SHARE - *tau) > 1e-9) {
        return cli_usage(cli, "--tau has at most three decimals");
    }
    return rc;
}
