/* math.h - exp and its relatives on vectors.
 *
 * Part of the bodies that avx512.c, avx2.c and base.c compile. Errors against
 * the true value in units of the last place, which kernel_test.c measures: exp at most 2, sigmoid
 * 3, swish 4, tanh 3, erf 3. Sigmoid below -87 stays at its value there (1.6e-38). A NaN stays. */
#ifndef INFER_KERNELS_MATH_H
#define INFER_KERNELS_MATH_H

#include "infer/kernels/simd.h"

/* For |x| < 2^14. e^x = 2^n e^r with |r| <= log(2) / 2. Adding 1.5 * 2^23 rounds to whole numbers;
 * log(2) is taken off in two parts, the first so short that n times it is exact; of the
 * polynomial's degree 6 the error is below half a unit. */
KERNEL_INLINE vf v_exp_within(vf x)
{
    vf n = v_fma(x, v_all(1.44269504f), v_all(12582912.0f)) - 12582912.0f;
    vf r = v_fma(n, v_all(-0.693359375f), x);
    r = v_fma(n, v_all(2.12194440e-4f), r);
    vf p = v_all(1.37805939e-3f);
    p = v_fma(p, r, v_all(8.37312452e-3f));
    p = v_fma(p, r, v_all(4.16695364e-2f));
    p = v_fma(p, r, v_all(1.66664720e-1f));
    p = v_fma(p, r, v_all(4.99999851e-1f));
    p = v_fma(p, r, v_all(1.0f));
    p = v_fma(p, r, v_all(1.0f));
    return v_scale(p, n);
}

KERNEL_INLINE vf v_exp(vf x) { return v_exp_within(v_max(v_all(-104.0f), v_min(v_all(89.0f), x))); }

KERNEL_INLINE vf v_sigmoid(vf x)
{
    x = v_max(v_all(-87.0f), v_min(v_all(87.0f), x));
    return v_recip(v_exp_within(-x) + 1.0f);
}

KERNEL_INLINE vf v_swish(vf x) { return x * v_sigmoid(x); }

/* Small x by an odd polynomial, others by 1 - 2 / (e^2x + 1). */
KERNEL_INLINE vf v_tanh(vf x)
{
    vf t = v_abs(x), s = x * x;
    vf p = v_all(1.57394409e-2f);
    p = v_fma(p, s, v_all(-5.23025580e-2f));
    p = v_fma(p, s, v_all(1.33152470e-1f));
    p = v_fma(p, s, v_all(-3.33327681e-1f));
    vf small = v_fma(p * s, x, x);
    vf e = v_exp(v_min(v_all(40.0f), t + t)) + 1.0f;
    vf large = v_sign_of(v_fma(v_all(-2.0f), v_recip(e), v_all(1.0f)), x);
    return v_pick(t < 0.55f, small, large);
}

/* Small x by an odd polynomial, others by 1 - e^q(|x|). */
KERNEL_INLINE vf v_erf(vf x)
{
    vf t = v_abs(x), s = x * x;
    vf p = v_all(-5.96761703e-4f);
    p = v_fma(p, s, v_all(4.99119423e-3f));
    p = v_fma(p, s, v_all(-2.67681349e-2f));
    p = v_fma(p, s, v_all(1.12819925e-1f));
    p = v_fma(p, s, v_all(-3.76125336e-1f));
    p = v_fma(p, s, v_all(1.28379166e-1f));
    vf small = v_fma(p, x, x);
    vf far = v_min(v_all(4.0f), t), far2 = far * far;
    vf q = v_fma(v_all(-1.72853470e-5f), far, v_all(3.83197126e-4f));
    vf u = v_fma(v_all(-3.88396438e-3f), far, v_all(2.42546219e-2f));
    q = v_fma(q, far2, u);
    q = v_fma(q, far, v_all(-1.06777877e-1f));
    q = v_fma(q, far, v_all(-6.34846687e-1f));
    q = v_fma(q, far, v_all(-1.28717512e-1f));
    q = v_fma(q, far, -far);
    vf large = v_sign_of(1.0f - v_exp(q), x);
    return v_pick(t <= 0.921875f, small, large);
}

KERNEL_INLINE vf v_gelu(vf x) { return 0.5f * x * (1.0f + v_erf(x * 0.70710678f)); }

#endif
