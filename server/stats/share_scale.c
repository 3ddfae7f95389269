/* share_scale.c - percent, probit, logit and their inverses. */
#include "stats/share_scale.h"

#include <math.h>

#include "stats/normal.h"

static const char *const words[] = {
    [SHARE_LINEAR] = "linear", [SHARE_PROBIT] = "probit", [SHARE_LOGIT] = "logit"};

const char *share_scale_word(enum share_scale scale)
{
    return words[scale];
}

bool share_scale_read(struct sv word, enum share_scale *out)
{
    for (int i = SHARE_LINEAR; i <= SHARE_LOGIT; i++) {
        if (sv_is(word, words[i])) {
            *out = (enum share_scale)i;
            return true;
        }
    }
    return false;
}

bool share_scale_takes(enum share_scale scale, double share)
{
    return scale == SHARE_LINEAR ? share >= 0 && share <= 1 : share > 0 && share < 1;
}

double share_scale_at(enum share_scale scale, double share)
{
    switch (scale) {
    case SHARE_PROBIT:
        return normal_quantile(share);
    case SHARE_LOGIT:
        return log(share / (1 - share));
    case SHARE_LINEAR:
        break;
    }
    return 100 * share;
}

double share_scale_inverse(enum share_scale scale, double at)
{
    switch (scale) {
    case SHARE_PROBIT:
        return normal_cdf(at);
    case SHARE_LOGIT:
        return at >= 0 ? 1 / (1 + exp(-at)) : exp(at) / (1 + exp(at));
    case SHARE_LINEAR:
        break;
    }
    return at / 100;
}
