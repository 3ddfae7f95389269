/* etag_test.c - whose copy is still good. */
#include "unit.h"

#include "http/etag.h"

TEST(lists_and_weak_tags_count)
{
    static const char *const known[] = {"*", "\"a1\"", "W/\"a1\"", "\"b2\", \"a1\"",
                                        "W/\"b2\",W/\"a1\" , \"c3\""};
    static const char *const unknown[] = {"", ",", "a1", "\"a\"", "\"a11\"", "w/\"a1\"", "W/",
                                          "\"b2\", \"c3\""};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(etag_known(sv_of(known[i]), "\"a1\""));
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_false(etag_known(sv_of(unknown[i]), "\"a1\""));
    }
}
