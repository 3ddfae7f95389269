/* link_test.c - the address that a lead gives to the panel. */
#include "unit.h"

#include "crypto/crypto.h"
#include "study/link.h"

TEST(link)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    struct campaign k = {.name = SV("main")};
    struct study_settings s = {.id_parameters = SV("pid")};
    assert_string_equal(study_link(&a, "", &k, &s),
                        "/work/campaign/main?pid={{%PROLIFIC_PID%}}");
    s.link_key = SV("12345678");
    s.id_parameters = SV("a|b|c|d");
    assert_string_equal(study_link(&a, "https://x.example", &k, &s),
                        "https://x.example/work/campaign/main?key=12345678&a={{%PROLIFIC_PID%}}"
                        "&b={{%STUDY_ID%}}&c={{%SESSION_ID%}}&d=");
    arena_release(&a);
}

TEST(new_key)
{
    struct arena a;
    struct err err = {OK, "", ""};
    assert_int_equal(crypto_init(&err), OK);
    arena_init(&a, 1 << 20);
    struct sv one = study_new_key(&a), two = study_new_key(&a);
    assert_int_equal(one.n, CRYPTO_TOKEN_TEXT - 1);
    assert_false(sv_eq(one, two));
    arena_release(&a);
}
