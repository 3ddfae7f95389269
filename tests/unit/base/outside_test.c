/* outside_test.c - what a spreadsheet would run, where a link may lead. */
#include "unit.h"

#include "base/outside.h"

TEST(formulas)
{
    static const char *const run[] = {"=1",
                                      "+1",
                                      "-1+2",
                                      "@SUM(A1)",
                                      "\t=1",
                                      "\r=1",
                                      "\n1",
                                      "=HYPERLINK(\"http://x\")",
                                      "-2+3+cmd|' /C calc'!A0",
                                      "\xef\xbc\x9d"
                                      "1",
                                      "\xef\xbc\xa0SUM",
                                      " =1",
                                      " \xc2\xa0 +1",
                                      "\xef\xbb\xbf=1",
                                      "\xe2\x80\x8b@SUM(A1)",
                                      "a;=1",
                                      "a;b; -1",
                                      ";\xef\xbc\x9d"
                                      "1"};
    static const char *const fine[] = {"",  "5f3", "a=1", "a+b@c", "_x",  "\xc3\xa9=", ".",
                                       " ", ";",   "a;b", "a;b=1", "a -b", "\xe2\x80", "\xef"};
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        assert_true(outside_formula(sv_of(run[i])));
        assert_true(outside_runs(sv_of(run[i])));
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        assert_false(outside_formula(sv_of(fine[i])));
        assert_false(outside_runs(sv_of(fine[i])));
    }
    assert_true(outside_formula(SV("-Ab_3-x")));
    assert_false(outside_runs(SV("-Ab_3-x"))); /* a session's number */
    assert_false(outside_formula(sv_make("\0=1", 3)));
}

/* Blanks of every kind before a sign. */
TEST(blanks)
{
    static const char *const blank[] = {"\xc2\x85", "\xc2\xad", "\xe1\x9a\x80", "\xe1\xa0\x8e", "\xe2\x80\x80",
                                        "\xe2\x80\x87", "\xe2\x80\xa8", "\xe2\x81\x9f", "\xe2\x81\xa1", "\xe3\x80\x80"};
    for (size_t i = 0; i < sizeof blank / sizeof *blank; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s%s=1", blank[i], blank[sizeof blank / sizeof *blank - 1 - i]);
        assert_true(outside_formula(sv_of(text)));
        snprintf(text, sizeof text, "%sa=1", blank[i]);
        assert_false(outside_formula(sv_of(text)));
    }
}

TEST(controls)
{
    static const char *const bad[] = {"\x01", "a\nb", "a\x1f", "\x7f", "a\xc2\x80", "\xc2\x85z", "\xc2\x9f", "a\xe2\x80\xa8",
                                      "\xe2\x80\xa9", "\xe2\x80\xaa", "x\xe2\x80\xaey", "\xe2\x81\xa6", "\xe2\x81\xa9"};
    static const char *const fine[] = {"", "a b", "\xc2\xa0", "\xc3\xa9", "\xe2\x80\xa7", "\xe2\x80\xaf", "\xe2\x81\xa5",
                                       "\xf0\x9f\x8e\x89", "\xc2", "\xe2\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(outside_controls(sv_of(bad[i])));
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        assert_false(outside_controls(sv_of(fine[i])));
    }
    assert_true(outside_controls(sv_make("a\0b", 3)));
}

TEST(links)
{
    static const char *const good[] = {
        "http://a", "https://en.wikipedia.org/wiki/Men's_(a)?x=1#y", "HTTPS://A.example",
        "http://[::1]/", "https://\xc3\xa9.fr/"};
    static const char *const bad[] = {"",
                                      "a",
                                      "//a",
                                      "http://",
                                      "https:///x",
                                      "javascript:alert(1)",
                                      "JaVaScRiPt:1",
                                      "data:text/html,x",
                                      "ftp://a",
                                      "https:a",
                                      " https://a",
                                      "https://a b",
                                      "https://a\n",
                                      "https://a\"b",
                                      "https://a<b",
                                      "file:///etc/passwd",
                                      "http://@",
                                      "mailto:a@b"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(outside_web_link(sv_of(good[i])));
        assert_false(outside_script_link(sv_of(good[i])));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(outside_web_link(sv_of(bad[i])));
    }
}

TEST(scripts)
{
    static const char *const run[] = {"javascript:alert(1)", " JavaScript:x",  "java\tscript:x",
                                      "data:text/html,x",    "\x01vbscript:x", "d\nata:x"};
    static const char *const fine[] = {
        "",          "CC-BY 4.0", "data", "Ada: of here", "https://data:80/", "Flickr:javascript",
        "javascript"};
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        assert_true(outside_script_link(sv_of(run[i])));
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        assert_false(outside_script_link(sv_of(fine[i])));
    }
}

TEST(own_paths)
{
    static const char *const own[] = {"/", "/a", "/classes?q=a%20b&from=/x#y", "/a//b", "/a\\b"};
    static const char *const other[] = {"",        "a",       "//a",  "/\\a", "https://a", "/\t/a", "/\n\\a",
                                        "/a b",    "/a\x7f", "\t/a", "/\xc3\xa9"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        assert_true(outside_own_path(sv_of(own[i])));
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        assert_false(outside_own_path(sv_of(other[i])));
    }
    assert_false(outside_own_path(sv_make("/\0a", 3)));
}
