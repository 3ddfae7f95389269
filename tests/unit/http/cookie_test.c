/* cookie_test.c - reading a Cookie header. */
#include "unit.h"

#include "http/cookie.h"

TEST(cookies_are_found)
{
    static const struct {
        const char *header, *name, *value;
    } cases[] = {
        {"a=1", "a", "1"},
        {"a=1; b=2;c=3", "c", "3"},
        {"a=1; a=2", "a", "1"},
        {"session=\"x y\"", "session", "x y"},
        {"session=\"", "session", "\""},
        {"token=a=b==", "token", "a=b=="},
        {" spaced = v ", "spaced", "v"},
        {"aa=1", "a", ""},
        {"b=a=1", "a", ""},
        {"A=1", "a", ""},
        {"a", "a", ""},
        {"a; a=2", "a", "2"},
        {"", "a", ""},
        {";;=;a=1", "a", "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sv got = cookie_find(sv_of(cases[i].header), cases[i].name);
        if (!sv_is(got, cases[i].value)) {
            fail_msg("%s in \"%s\": got \"" SV_FMT "\"", cases[i].name, cases[i].header,
                     SV_ARG(got));
        }
    }
}
