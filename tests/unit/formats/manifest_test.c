/* manifest_test.c - formats/manifest.h: both forms, every column, every kind of bad line. */
#include "unit.h"

#include <string.h>

#include "formats/manifest.h"

/* "id|path|class|..." of every row, a line each; what is wrong with a bad one instead. */
static struct str read_all(const char *name, struct sv text)
{
    struct manifest m;
    struct err err = {OK, "", ""};
    struct str out;
    bool more = true;
    str_init(&out, 1 << 20);
    if (manifest_open(&m, name, text, &err) != OK) {
        str_printf(&out, "refused: %s\n", err.msg);
        return out;
    }
    for (;;) {
        err_clear(&err);
        if (manifest_next(&m, &more, &err) != OK) {
            assert_int_equal(err.code, ERR_INPUT);
            assert_true(more);
            str_printf(&out, "%u: %s\n", (unsigned)m.line, err.msg);
            continue;
        }
        if (!more) {
            break;
        }
        str_printf(&out, "%u:", (unsigned)m.line);
        for (size_t f = 0; f < MANIFEST_FIELDS; f++) {
            str_printf(&out, "%s" SV_FMT, f ? "|" : " ", SV_ARG(m.field[f]));
        }
        str_addc(&out, '\n');
    }
    manifest_close(&m);
    return out;
}

static void expect(const char *name, const char *text, const char *want)
{
    struct str got = read_all(name, sv_of(text));
    assert_string_equal(got.p ? got.p : "", want);
    str_release(&got);
}

#define FULL "1: a|x/a.jpg|n1|gold|2014-05-06|s1|https://x.example/|Ada|CC0|sea\n"
#define KNOWN                                                                                      \
    "id, path, class, role, taken_at, source_id, link (or source_url), author, "        \
    "licence, keyword\n"

TEST(columns)
{
    expect("m.csv", "id,path,class\na,a.jpg,n1\n\nb,\"b,2.jpg\",n2\n",
           "2: a|a.jpg|n1|||||||\n4: b|b,2.jpg|n2|||||||\n");
    expect("m.csv",
           "\xef\xbb\xbfkeyword,licence,author,source_url,source_id,taken_at,role,class,path,id\r\n"
           "sea,CC0,Ada,https://x.example/,s1,2014-05-06,gold,n1,x/a.jpg,a\r\n",
           "2: a|x/a.jpg|n1|gold|2014-05-06|s1|https://x.example/|Ada|CC0|sea\n");
    expect("m.jsonl",
           "{\"id\":\"a\",\"path\":\"x/a.jpg\",\"class\":\"n1\",\"role\":\"gold\","
           "\"taken_at\":\"2014-05-06\",\"source_id\":\"s1\",\"link\":\"https://x.example/\","
           "\"author\":\"Ada\",\"licence\":\"CC0\",\"keyword\":\"sea\"}\n",
           FULL);
    expect("m.jsonl", "{\"class\":\"n1\",\"id\":17,\"path\":\"a\",\"source_id\":-5,\"link\":null}\n",
           "1: 17|a|n1|||-5||||\n");
    expect("m.csv", "id,path,class\n", "");
    expect("m.jsonl", "\n \n", "");
}

/* The ending says which form it is, otherwise the first character. */
TEST(which_form)
{
    const char *row = " {\"id\":\"a\",\"path\":\"p\",\"class\":\"c\"}\n";
    expect("standard input", row, "1: a|p|c|||||||\n");
    expect("list", "id,path,class\na,p,c\n", "2: a|p|c|||||||\n");
    struct str got = read_all("m.jsonl", SV("id,path,class\n"));
    assert_non_null(strstr(got.p, "; expected one JSON object\n"));
    str_release(&got);
    got = read_all("m.csv", sv_of(row));
    assert_non_null(strstr(got.p, "refused: m.csv:1: "));
    str_release(&got);
}

TEST(headers)
{
    expect("m.csv", "", "refused: m.csv:1: the file is empty; expected a header row\n");
    expect("m.csv", "id,path,class,colour\n",
           "refused: m.csv:1: unknown column \"colour\"; the columns are " KNOWN);
    expect("m.csv", "id,class\n",
           "refused: m.csv:1: there is no column path. id, path and class are required; the columns are " KNOWN);
    expect("m.csv", "id,path,class,link,source_url\n",
           "refused: m.csv:1: column link appears twice\n");
}

/* One bad line does not hide the next. */
TEST(bad_lines)
{
    expect("m.csv",
           "id,path,class,role,taken_at\n,p,c,,\na,,c,,\na,p,,,\na,p,c,king,\na,p,c,,2014-02-30\n"
           "a,p\na\tb,p,c,,\n\xff,p,c,,\nok,p,c,,2014-02-28 23:59:59\na,\"p,c,,\n",
           "2: there is no id\n3: there is no path\n4: there is no class\n"
           "5: role \"king\" must be original, candidate, reference, gold or training\n"
           "6: taken_at \"2014-02-30\" must be a date YYYY-MM-DD or YYYY-MM-DD HH:MM:SS\n"
           "7: 2 cells; expected 5 as in the header\n"
           "8: id must be UTF-8 without control characters\n"
           "9: not valid UTF-8; expected a file saved as UTF-8 without NUL bytes\n"
           "10: ok|p|c||2014-02-28 23:59:59|||||\n"
           "11: a quote is opened and never closed\n");
    expect("m.jsonl",
           "{\"id\":\"a\",\"path\":\"p\"}\n[]\n{\"id\":\"a\",\"path\":\"p\",\"class\":\"c\",\"x\":1}\n"
           "{\"id\":[],\"path\":\"p\",\"class\":\"c\"}\n"
           "{\"id\":\"a\",\"path\":\"p\",\"class\":\"c\",\"link\":\"l\",\"source_url\":\"l\"}\n"
           "{\"id\":\"ok\",\"path\":\"p\",\"class\":\"c\"}\n",
           "1: there is no class\n2: an array; expected one JSON object per line\n"
           "3: unknown member \"x\"; the members are " KNOWN "4: \"id\" must be a string\n5: link appears twice\n"
           "6: ok|p|c|||||||\n");
}

TEST(lengths)
{
    struct str text;
    str_init(&text, 1 << 20);
    str_addz(&text, "id,path,class,author\n");
    for (int i = 255; i <= 256; i++) {
        for (int k = 0; k < i; k++) {
            str_addc(&text, 'x');
        }
        str_addz(&text, ",p,c,\n");
    }
    str_addz(&text, "a,p,c,");
    for (int k = 0; k < 2001; k++) {
        str_addc(&text, 'y');
    }
    struct str got = read_all("m.csv", str_sv(&text));
    assert_non_null(strstr(got.p, "x|p|c|||||||\n3: id has 256 bytes; the limit is 255\n"
                                  "4: author has 2001 bytes; the limit is 2000\n"));
    str_release(&got);
    str_release(&text);
}

TEST(dates)
{
    static const char *const good[] = {"2000-02-29", "0001-01-01", "9999-12-31",
                                       "2016-12-31 23:59:60", "1999-11-30 00:00:00"};
    static const char *const bad[] = {"", "1900-02-29", "2001-02-29", "2001-13-01", "2001-00-01",
                                      "2001-01-00", "2001-04-31", "2001-1-01", "2001/01/01",
                                      "0000-01-01", "2001-01-01 24:00:00", "2001-01-01 00:60:00",
                                      "2001-01-01T00:00:00", "2001-01-01 00:00", "-001-01-01",
                                      "2001-01-01 00:00:0x"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(manifest_date_good(sv_of(good[i])));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(manifest_date_good(sv_of(bad[i])));
    }
}

TEST(words)
{
    static const char *const roles[] = {"original", "candidate", "reference", "gold", "training"};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(manifest_role(sv_of(roles[i])), i);
    }
    assert_int_equal(manifest_role(SV("")), -1);
    assert_int_equal(manifest_role(SV("Gold")), -1);
    assert_true(manifest_id_good(SV("b\xc3\xa4r 1/2")));
    assert_false(manifest_id_good(SV("")));
    assert_false(manifest_id_good(SV("a\nb")));
    assert_false(manifest_id_good(SV("a\x7f")));
    assert_false(manifest_id_good(SV("\xe4")));
}
