/* share_scale_test.c - stats/share_scale.h. */
#include "unit.h"

#include "near.h"
#include "stats/share_scale.h"

TEST(places_and_back)
{
    assert_near(share_scale_at(SHARE_LINEAR, 0.25), 25, 0);
    assert_near(share_scale_at(SHARE_LOGIT, 0.25), -log(3), 1e-15);
    assert_near(share_scale_at(SHARE_PROBIT, 0.975), 1.959963984540054, 1e-15);
    for (int scale = SHARE_LINEAR; scale <= SHARE_LOGIT; scale++) {
        for (double p = 0.001; p < 1; p += 0.001) {
            enum share_scale s = (enum share_scale)scale;
            assert_true(share_scale_takes(s, p));
            assert_near(share_scale_inverse(s, share_scale_at(s, p)), p, 1e-14);
        }
    }
    /* Neither end of the logistic curve is lost to overflow. */
    assert_true(share_scale_inverse(SHARE_LOGIT, 1000) == 1 && share_scale_inverse(SHARE_LOGIT, -1000) == 0);
}

TEST(none_and_all_have_a_place_on_the_linear_scale_alone)
{
    for (int k = 0; k <= 1; k++) {
        assert_true(share_scale_takes(SHARE_LINEAR, k));
        assert_false(share_scale_takes(SHARE_PROBIT, k) || share_scale_takes(SHARE_LOGIT, k));
    }
    assert_false(share_scale_takes(SHARE_LINEAR, 1.01) || share_scale_takes(SHARE_LINEAR, (double)NAN));
}

TEST(words)
{
    for (int scale = SHARE_LINEAR; scale <= SHARE_LOGIT; scale++) {
        enum share_scale read = SHARE_LINEAR;
        assert_true(share_scale_read(sv_of(share_scale_word((enum share_scale)scale)), &read));
        assert_int_equal(read, scale);
    }
    enum share_scale none;
    assert_false(share_scale_read(SV("log"), &none));
}
