/* csv_test.c - formats/csv.h: what RFC 4180 allows, what is refused and where, and the speed. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "formats/csv.h"

/* Reads everything and renders it as [cell|cell]@line for comparison. */
static enum err_code render(struct sv text, struct str *out, struct err *err)
{
    struct csv c;
    enum err_code rc = csv_open(&c, "t.csv", text, err);
    if (rc != OK) {
        return rc;
    }
    bool more = true;
    while ((rc = csv_next(&c, &more, err)) == OK && more) {
        for (size_t i = 0; i < c.n_cells; i++) {
            str_addc(out, i ? '|' : '[');
            str_addsv(out, c.cells[i]);
        }
        str_printf(out, "]@%" PRIu64, c.line);
    }
    csv_close(&c);
    return rc;
}

static void expect_rows(struct sv text, const char *want)
{
    struct str out;
    struct err err = {0};
    str_init(&out, 1 << 20);
    str_addz(&out, "");
    if (render(text, &out, &err) != OK) {
        fail_msg("refused: %s", err.msg);
    }
    assert_string_equal(str_sv(&out).p, want);
    str_release(&out);
}

static void expect_error(struct sv text, const char *want)
{
    struct str out;
    struct err err = {0};
    str_init(&out, 1 << 20);
    assert_int_equal(render(text, &out, &err), ERR_INPUT);
    assert_int_equal(err.code, ERR_INPUT);
    if (!strstr(err.msg, want)) {
        fail_msg("message \"%s\" lacks \"%s\"", err.msg, want);
    }
    str_release(&out);
}

TEST(plain)
{
    expect_rows(SV("a,b\n1,2\n3,4\n"), "[1|2]@2[3|4]@3");
    expect_rows(SV("a,b\n1,2\n3,4"), "[1|2]@2[3|4]@3");
    expect_rows(SV("a,b\r\n1,2\r\n3,4\r\n"), "[1|2]@2[3|4]@3");
    expect_rows(SV("\xef\xbb\xbf"
                   "a,b\n,\n"),
                "[|]@2");
    expect_rows(SV("a\n\n\r\nx\n\n"), "[x]@4");
    expect_rows(SV("a"), "");
    expect_rows(SV("a\n\xc3\xa9\xe2\x82\xac\n"), "[\xc3\xa9\xe2\x82\xac]@2");
    expect_rows(SV("\n\na\nx\n"), "[x]@4");
}

TEST(quotes)
{
    expect_rows(SV("a,b\n\"1,5\",\"x\"\n"), "[1,5|x]@2");
    expect_rows(SV("a,b\n\"say \"\"hi\"\"\",\"\"\"\"\n"), "[say \"hi\"|\"]@2");
    expect_rows(SV("a,b\n\"two\nlines\",2\n3,4\n"), "[two\nlines|2]@2[3|4]@4");
    expect_rows(SV("a,b\n\"two\r\nlines\",\"\"\"x\"\r\n3,4"), "[two\r\nlines|\"x]@2[3|4]@4");
    expect_rows(SV("a,b\n1,\"a\n\n\nb\"\n3,4\n"), "[1|a\n\n\nb]@2[3|4]@6");
    expect_rows(SV("a\n\"\"\n\"\"\n"), "[]@2[]@3");
    expect_rows(SV("a,b,c\n\"\"\"a\",plain,\"b\"\"\"\n"), "[\"a|plain|b\"]@2");
}

TEST(refused)
{
    expect_error(SV(""), "t.csv:1: the file is empty");
    expect_error(SV("\n\n"), "t.csv:1: the file is empty");
    expect_error(SV("a,b\n1\n"), "t.csv:2: 1 cells; expected 2");
    expect_error(SV("a,b\n1,2\n1,2,3\n"), "t.csv:3: 3 cells; expected 2");
    expect_error(SV("a,b\n1,\"2\n3,4\n"), "t.csv:2: a quote is opened and never closed");
    expect_error(SV("a,b\n1,2\"\n"), "t.csv:2: a quote");
    expect_error(SV("a,b\n1,x\"y\"\n"), "t.csv:2: a quote inside cell 2");
    expect_error(SV("a,b\n\"1\"x,2\n"), "t.csv:2: text after the closing quote of cell 1");
    expect_error(SV("a,b\n1,\xff\n"), "t.csv:2: not valid UTF-8");
    expect_error(SV("a,b\n1,\"x\n\xc3\"\n"), "t.csv:2: not valid UTF-8");
    expect_error(SV("a,b\n1,\"x\n\xc3\""), "t.csv:2: not valid UTF-8");
    expect_error(SV("a,b\n1,0123\0004567\n"), "t.csv:2: not valid UTF-8");
    expect_error(SV("a,b,a\n1,2,3\n"), "t.csv:1: the column a appears twice");
    expect_error(SV("a,b\r1,2\r"), "t.csv:1: a carriage return");
    struct str wide;
    str_init(&wide, 1 << 16);
    for (int i = 0; i <= CSV_COLUMNS; i++) {
        str_printf(&wide, "%s%d", i ? "," : "", i);
    }
    expect_error(str_sv(&wide), "t.csv:1: more than 256 cells");
    str_release(&wide);
}

TEST(columns)
{
    struct csv c;
    struct err err = {0};
    struct sv text = SV("image,\"the \"\"name\"\"\",n\n\"a\"\"b\",\"c\"\"d\",3\n");
    assert_int_equal(csv_open(&c, "t.csv", text, &err), OK);
    bool more;
    assert_int_equal(csv_next(&c, &more, &err), OK);
    assert_true(more);
    assert_int_equal(csv_column(&c, "image"), 0);
    assert_int_equal(csv_column(&c, "the \"name\""), 1); /* the header outlives the row's buffer */
    assert_int_equal(csv_column(&c, "none"), -1);
    int col = -5;
    assert_int_equal(csv_need(&c, "n", &col, &err), OK);
    assert_int_equal(col, 2);
    assert_int_equal(csv_need(&c, "wnid", &col, &err), ERR_INPUT);
    assert_int_equal(col, 2);
    assert_string_equal(err.msg, "t.csv:1: there is no column \"wnid\" in the header");
    csv_close(&c);
}

static void expect_cell(struct sv cell, const char *want)
{
    struct str out;
    str_init(&out, 1 << 20);
    csv_cell(&out, cell);
    assert_string_equal(str_sv(&out).p, want);
    str_release(&out);
}

TEST(writing)
{
    expect_cell(SV("plain"), "plain");
    expect_cell(SV(""), "");
    expect_cell(SV("a,b"), "\"a,b\"");
    expect_cell(SV("\""), "\"\"\"\"");
    expect_cell(SV("say \"hi\""), "\"say \"\"hi\"\"\"");
    expect_cell(SV("two\nlines"), "\"two\nlines\"");
    expect_cell(SV(" x"), "\" x\"");
    expect_cell(SV("\xef\xbb\xbfx"), "\"\xef\xbb\xbfx\"");
    expect_cell(SV("=1+1"), "=1+1");
}

/* 245,054 rows, 20 MB, as the list of images that ImageNetV2 was made from. */
TEST(large)
{
    enum { ROWS = 245054 };
    struct str text;
    str_init(&text, 64 << 20);
    str_addz(&text, "idx,image,wnid,kind,source_id,date_taken\n");
    for (int i = 0; i < ROWS; i++) {
        str_printf(&text, "%d,%032x,n%08d,candidate,%d0123456,2013-07-%02d 10:11:12\n", i, i * 7919,
                   i % 1000, i, i % 28 + 1);
    }
    struct csv c;
    struct err err = {0};
    uint64_t rows = 0;
    bool more = true;
    int64_t start = clock_mono_ns();
    assert_int_equal(csv_open(&c, "large.csv", str_sv(&text), &err), OK);
    while (csv_next(&c, &more, &err) == OK && more) {
        rows += c.cells[5].n == 19;
    }
    double ms = (double)(clock_mono_ns() - start) / 1e6;
    print_message("%zu bytes, %d rows: %.1f ms\n", text.n, ROWS, ms);
    assert_int_equal(rows, ROWS);
    csv_close(&c);
    str_release(&text);
}

TEST(golden)
{
    const char *dir = getenv("HOLDOUT_GOLDEN");
    if (!dir) {
        printf("SKIPPED: HOLDOUT_GOLDEN is not set\n");
        skip();
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/imagenetv2/classes/classes.csv", dir);
    struct fs_map map;
    struct err err = {0};
    assert_int_equal(fs_map(path, &map, &err), OK);
    struct csv c;
    size_t rows = 0, quotes = 0;
    bool more = true;
    struct sv text = sv_make((const char *)map.data, map.n);
    assert_int_equal(csv_open(&c, path, text, &err), OK);
    int gloss, wnid;
    assert_int_equal(csv_need(&c, "gloss", &gloss, &err), OK);
    assert_int_equal(csv_need(&c, "wnid", &wnid, &err), OK);
    while (csv_next(&c, &more, &err) == OK && more) {
        struct sv g = c.cells[gloss];
        assert_int_equal(c.cells[wnid].n, 9);
        quotes += memchr(g.p, '"', g.n) != NULL;
        rows++;
    }
    assert_int_equal(err.code, OK);
    assert_int_equal(rows, 1000);
    assert_int_equal(quotes, 28); /* as the data's README says */
    csv_close(&c);
    fs_unmap(&map);
}

TEST(numbers)
{
    static const struct {
        double number;
        const char *text;
    } of[] = {{87, "87.0"}, {0, "0.0"}, {100 * (3 / 7.0), "42.857142857142854"}, {1e-7, "1e-07"}, {-0.1, "-0.1"}};
    struct str out;
    str_init(&out, 64);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        str_clear(&out);
        csv_number(&out, of[i].number);
        assert_string_equal(out.p, of[i].text);
    }
    str_release(&out);
}
