/* record_test.c - record/record.h: a row as JSON, as CSV and as schema, kind by kind, known and not. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

#define TEXT(literal) {literal, sizeof(literal) - 1}

struct part {
    struct sv name;
    int n;
};
struct thing {
    struct sv text, parsed;
    const char *string;
    int64_t moment, time, cents;
    unsigned count;
    int change;
    double real, whole;
    bool flag, known;
    const struct part *parts;
    size_t n_parts;
};

static int64_t doubled(const void *row)
{
    return (int64_t)2 * ((const struct thing *)row)->count;
}

static RECORD(part_record, struct part, "part", "A part.",
              {"name", RECORD_OF(struct part, name)}, {"n", RECORD_OF(struct part, n), .maybe = true});

#define OF(member) RECORD_OF(struct thing, member)
static RECORD(record, struct thing, "thing", "A thing.",
              {"text", OF(text), .about = "Says it."},
              {"string", OF(string), .maybe = true},
              {"moment", OF(moment), RECORD_MOMENT, .maybe = true},
              {"minutes", OF(time), RECORD_MINUTES, .maybe = true},
              {"amount", OF(cents), RECORD_AMOUNT, .maybe = true},
              {"count", OF(count)},
              {"change", OF(change), .maybe = true},
              {"doubled", .number = doubled},
              {"real", OF(real), RECORD_IF(struct thing, known)},
              {"printed", OF(real), RECORD_ROUNDED, RECORD_CSV},
              {"whole", OF(whole), RECORD_WHOLE},
              {"flag", OF(flag), .no = "not yet"},
              {"parsed", OF(parsed), RECORD_PARSED, RECORD_JSON, .maybe = true},
              {"parts", RECORD_ROWS(struct thing, parts, n_parts), .face = RECORD_JSON, .of = &part_record});

static const struct part parts[] = {{TEXT("a"), 1}, {TEXT("b"), 0}};
static const struct thing full = {
    .text = TEXT("a, \"b\""), .parsed = TEXT("{\"k\": 1}"), .string = "s", .moment = 1000, .time = 90000, .cents = 1205,
    .count = 4000000000, .change = -3, .real = 87, .whole = -2, .flag = true, .known = true, .parts = parts, .n_parts = 2};
static const struct thing empty = {.cents = -1};

/* What a record holds that was made before, and what is not always there. */
struct frame {
    json_t *one, *many, *words, *numbers;
    double share, late;
};
#undef OF
#define OF(member) RECORD_OF(struct frame, member)
static RECORD(frame_record, struct frame, "frame", "A frame.",
              {"share", OF(share), .maybe = true},
              {"late", OF(late), .maybe = true, .absent = true},
              {"one", OF(one), .maybe = true, .of = &part_record, .about = "Made before."},
              {"many", OF(many), RECORD_LIST, .of = &part_record},
              {"words", OF(words), RECORD_TEXTS, .maybe = true, .absent = true},
              {"numbers", OF(numbers), RECORD_NUMBERS, .maybe = true});

/* Others in it. */
struct whole {
    struct part one, beside;
    size_t total;
    bool known;
    json_t *made, *words;
};
#undef OF
#define OF(member) RECORD_OF(struct whole, member)
static RECORD(more_record, struct part, "more", "More of it.", {"more", RECORD_OF(struct part, n), .about = "So many."});
static RECORD(whole_record, struct whole, "whole", "A thing of others.",
    {"one", RECORD_PART(struct whole, one), RECORD_IF(struct whole, known), .of = &part_record, .about = "The one."},
    {NULL, RECORD_PART(struct whole, beside), RECORD_BESIDE, .of = &more_record},
    {"total", OF(total)},
    {"words", OF(words), RECORD_TEXTS, .holes = true},
    {NULL, OF(made), RECORD_BESIDE, .maybe = true, .of = &part_record});

/* What was made is said where it is known, and taken either way. */
struct told {
    bool known;
    json_t *made, *beside;
};
#undef OF
#define OF(member) RECORD_OF(struct told, member), RECORD_IF(struct told, known)
static RECORD(told_record, struct told, "told", "Made, for some.", {"made", OF(made)},
              {.kind = RECORD_BESIDE, OF(beside), .of = &part_record});

static void is(json_t *value, const char *expected)
{
    char *text = json_dumps(value, JSON_COMPACT);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    json_decref(value);
}

/* The text written at once is that of the values; `row` holds nothing made. */
static void says_both(const struct record *r, const void *row, const char *expected)
{
    struct str out;
    str_init(&out, 4096);
    is(record_json(r, row), expected);
    assert_true(record_text(r, row, &out));
    assert_string_equal(out.p, expected);
    str_release(&out);
}

static void no_text(const struct record *r, const void *row)
{
    struct str out;
    str_init(&out, 4096);
    assert_false(record_text(r, row, &out));
    str_release(&out);
}

/* As is(), of the text. */
static void text_is(const struct record *r, const void *row, const char *expected)
{
    struct str out;
    str_init(&out, 4096);
    assert_true(record_text(r, row, &out));
    assert_string_equal(out.p, expected);
    str_release(&out);
}

TEST(made_for_some)
{
    struct told told = {true, json_integer(1), json_pack("{s:s}", "name", "a")};
    is(record_json(&told_record, &told), "{\"made\":1,\"name\":\"a\"}");
    told = (struct told){false, json_integer(1), json_object()};
    is(record_json(&told_record, &told), "{\"made\":null}");
    told = (struct told){true, NULL, json_object()};
    assert_null(record_json(&told_record, &told));
    told = (struct told){true, json_string("1"), json_pack("{s:s}", "name", "a")};
    text_is(&told_record, &told, "{\"made\":\"1\",\"name\":\"a\"}");
    told = (struct told){false, json_integer(1), json_object()};
    text_is(&told_record, &told, "{\"made\":null}");
    told = (struct told){true, NULL, json_object()};
    no_text(&told_record, &told);
}

TEST(as_json)
{
    says_both(&record, &full,
       "{\"text\":\"a, \\\"b\\\"\",\"string\":\"s\",\"moment\":\"1970-01-01T00:00:01.000Z\",\"minutes\":1.5,"
       "\"amount\":12.050000000000001,\"count\":4000000000,\"change\":-3,\"doubled\":8000000000,\"real\":87.0,"
       "\"whole\":-2,\"flag\":true,\"parsed\":{\"k\":1},\"parts\":[{\"name\":\"a\",\"n\":1},"
       "{\"name\":\"b\",\"n\":null}]}");
    says_both(&record, &empty,
       "{\"text\":\"\",\"string\":null,\"moment\":null,\"minutes\":null,\"amount\":null,\"count\":0,\"change\":null,"
       "\"doubled\":0,\"real\":null,\"whole\":0,\"flag\":false,\"parsed\":null,\"parts\":[]}");
}

TEST(made)
{
    struct frame f = {json_object(), json_array(), json_array(), json_array(), 0.5, 0.25};
    is(record_json(&frame_record, &f),
       "{\"share\":0.5,\"late\":0.25,\"one\":{},\"many\":[],\"words\":[],\"numbers\":[]}");
    f = (struct frame){.many = json_array(), .share = (double)NAN, .late = (double)NAN};
    is(record_json(&frame_record, &f), "{\"share\":null,\"one\":null,\"many\":[],\"numbers\":null}");
    f = (struct frame){.one = json_object(), .numbers = json_array()};
    assert_null(record_json(&frame_record, &f)); /* and what was made is taken */
    f = (struct frame){json_object(), json_array(), json_pack("[s?]", "w"), json_array(), 0.1, (double)NAN};
    text_is(&frame_record, &f, "{\"share\":0.10000000000000001,\"one\":{},\"many\":[],\"words\":[\"w\"],\"numbers\":[]}");
    f = (struct frame){.one = json_object(), .numbers = json_array()};
    no_text(&frame_record, &f);
}

/* No rows where there may be none: not there, or null. */
struct bag {
    struct thing things;
};
static RECORD(bag_record, struct bag, "bag", "A bag.",
              {"absent", RECORD_ROWS(struct bag, things.parts, things.n_parts), .maybe = true, .absent = true, .of = &part_record},
              {"null", RECORD_ROWS(struct bag, things.parts, things.n_parts), .maybe = true, .of = &part_record},
              {"word", RECORD_OF(struct bag, things.string), .maybe = true, .absent = true},
              {"null_word", RECORD_OF(struct bag, things.text), .absent = true});

TEST(no_rows)
{
    struct bag bag = {.things.text = TEXT("null")};
    says_both(&bag_record, &bag, "{\"null\":null,\"null_word\":\"null\"}");
    bag.things = (struct thing){.string = "", .text = TEXT("\x01\b\f\n\r\t\\/\x7f\xc3\xa9\0"), .parts = parts, .n_parts = 1};
    says_both(&bag_record, &bag,
              "{\"absent\":[{\"name\":\"a\",\"n\":1}],\"null\":[{\"name\":\"a\",\"n\":1}],"
              "\"null_word\":\"\\u0001\\b\\f\\n\\r\\t\\\\/\x7f\xc3\xa9\\u0000\"}");
}

TEST(others)
{
    struct whole w = {parts[0], parts[0], 7, true, json_pack("{s:i}", "n", 2), json_array()};
    struct str out;
    is(record_json(&whole_record, &w),
       "{\"one\":{\"name\":\"a\",\"n\":1},\"more\":1,\"total\":7,\"words\":[],\"n\":2}");
    w = (struct whole){.total = 7, .words = json_array()};
    is(record_json(&whole_record, &w), "{\"one\":null,\"more\":0,\"total\":7,\"words\":[]}");
    text_is(&whole_record, &(struct whole){.total = 7, .words = json_array(), .made = json_pack("{s:i}", "n", 2)},
            "{\"one\":null,\"more\":0,\"total\":7,\"words\":[],\"n\":2}");
    str_init(&out, 4096);
    record_csv_names(&whole_record, &out);
    assert_string_equal(out.p, "more,total");
    str_clear(&out);
    record_csv_cells(&whole_record, &w, &out);
    assert_string_equal(out.p, "0,7");
    str_release(&out);
    is(record_schema(&whole_record),
       "{\"type\":\"object\",\"description\":\"A thing of others.\",\"properties\":{"
       "\"one\":{\"allOf\":[{\"$ref\":\"#/components/schemas/part\"}],\"nullable\":true,\"description\":\"The one.\"},"
       "\"more\":{\"type\":\"integer\",\"description\":\"So many.\"},\"total\":{\"type\":\"integer\"},"
       "\"words\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"nullable\":true}},"
       "\"name\":{\"type\":\"string\"},\"n\":{\"type\":\"integer\",\"nullable\":true}},"
       "\"required\":[\"one\",\"more\",\"total\",\"words\"]}");
}

/* A reply is refused then, not shown in part. */
TEST(what_cannot_be_written)
{
    struct thing t = full;
    struct part bad = {sv_make("\xff", 1), 0};
    t.text = bad.name;
    assert_null(record_json(&record, &t));
    no_text(&record, &t);
    t = full;
    t.real = (double)INFINITY;
    assert_null(record_json(&record, &t));
    no_text(&record, &t);
    t = full;
    t.parts = &bad;
    t.n_parts = 1;
    assert_null(record_json(&record, &t));
    no_text(&record, &t);
}

TEST(as_csv)
{
    struct str out;
    str_init(&out, 4096);
    record_csv_names(&record, &out);
    assert_string_equal(out.p, "text,string,moment,minutes,amount,count,change,doubled,real,printed,whole,flag");
    str_clear(&out);
    record_csv_cells(&record, &full, &out);
    assert_string_equal(out.p, "\"a, \"\"b\"\"\",s,1970-01-01T00:00:01.000Z,1.50,12.05,4000000000,-3,8000000000,87.0,87.0,"
                               "-2,yes");
    str_clear(&out);
    record_csv_cells(&record, &empty, &out);
    assert_string_equal(out.p, ",,,,,0,,0,,0.0,0,not yet");
    str_release(&out);
}

/* What a language would read as its own is told apart; a bound stands behind its value, where it is known. */
struct printed {
    const char *name;
    double share, lo, hi;
    unsigned rank;
    struct {
        bool known;
        double lo, hi;
    } ranks;
};
static RECORD(printed_record, struct printed, "printed", "A line of a printed table.",
              {"Name | of_it", RECORD_OF(struct printed, name)},
              {"\xce\x94 %", RECORD_OF(struct printed, share), RECORD_ROUNDED, RECORD_BOUNDS(struct printed, lo, hi)},
              {"Rank", RECORD_OF(struct printed, rank), RECORD_RANGE(struct printed, ranks)},
              {"Share", RECORD_OF(struct printed, share), .decimals = 2, .plus = true},
              {"Exact", RECORD_OF(struct printed, share)});

TEST(as_printed)
{
    static const struct printed rows[] = {{"vgg_16_tf", 82.858, 82.52, 83.19, 1, {true, 1, 2}},
                                          {"[a|b]\\_50%\n$x", -0.25, -1, 2, 12, {false, 1, 2}}};
    struct str out;
    str_init(&out, 4096);
    record_table(&printed_record, RECORD_TABLE_MARKDOWN, rows, 2, &out);
    assert_string_equal(out.p, "| Name \\| of_it | \xce\x94 % | Rank | Share | Exact |\n"
                               "| --- | ---: | ---: | ---: | ---: |\n"
                               "| vgg_16_tf | 82.9 [82.5, 83.2] | 1 [1, 2] | +82.86 | 82.858 |\n"
                               "| \\[a\\|b\\]\\\\\\_50% $x | \xe2\x88\x92" "0.2 [\xe2\x88\x92" "1.0, 2.0] | 12 | \xe2\x88\x92" "0.25 | "
                               "\xe2\x88\x92" "0.25 |\n");
    str_clear(&out);
    record_table(&printed_record, RECORD_TABLE_LATEX, rows, 2, &out);
    assert_string_equal(out.p, "% \\usepackage{booktabs}\n\\begin{tabular}{lrrrr}\n\\toprule\n"
                               "Name \\textbar{} of\\_it & $\\Delta$ \\% & Rank & Share & Exact \\\\\n\\midrule\n"
                               "vgg\\_16\\_tf & 82.9 [82.5, 83.2] & 1 [1, 2] & +82.86 & 82.858 \\\\\n"
                               "{[}a\\textbar{}b]\\textbackslash{}\\_50\\% \\$x & $-$0.2 [$-$1.0, 2.0] & 12 & $-$0.25 & $-$0.25 \\\\\n"
                               "\\bottomrule\n\\end{tabular}\n");
    str_clear(&out);
    record_table(&printed_record, RECORD_TABLE_CSV, rows, 1, &out);
    assert_string_equal(out.p, "Name | of_it,\xce\x94 %,Rank,Share,Exact\nvgg_16_tf,82.9,1,82.86,82.858\n");
    str_clear(&out);
    record_table(&record, RECORD_TABLE_LATEX, &empty, 1, &out);
    assert_non_null(strstr(out.p, "\n & -- & -- & -- & -- & 0 & -- & 0 & -- & 0.0 & 0 & not yet \\\\\n"));
    str_clear(&out);
    record_table_caption(RECORD_TABLE_MARKDOWN, sv_of("a_b _c*"), &out);
    assert_string_equal(out.p, "\na_b \\_c\\*\n");
    str_clear(&out);
    record_table_caption(RECORD_TABLE_LATEX, sv_of("\"50 %\" ~^<>{}#&"), &out);
    assert_string_equal(out.p, "% \\caption{''50 \\%'' \\textasciitilde{}\\textasciicircum{}\\textless{}\\textgreater{}\\{\\}\\#\\&}\n");
    str_release(&out);
}

TEST(as_schema)
{
    is(record_schema(&part_record),
       "{\"type\":\"object\",\"description\":\"A part.\",\"properties\":{\"name\":{\"type\":\"string\"},"
       "\"n\":{\"type\":\"integer\",\"nullable\":true}},\"required\":[\"name\",\"n\"]}");
    json_t *schema = record_schema(&record), *of = json_object_get(schema, "properties");
    assert_int_equal(json_array_size(json_object_get(schema, "required")), json_object_size(of));
    static const char *const want[][2] = {
        {"text", "{\"type\":\"string\",\"description\":\"Says it.\"}"},
        {"moment", "{\"type\":\"string\",\"format\":\"date-time\",\"nullable\":true}"},
        {"amount", "{\"type\":\"number\",\"nullable\":true}"},
        {"doubled", "{\"type\":\"integer\"}"},
        {"real", "{\"type\":\"number\",\"nullable\":true}"},
        {"whole", "{\"type\":\"integer\"}"},
        {"flag", "{\"type\":\"boolean\"}"},
        {"parsed", "{\"type\":\"object\",\"nullable\":true}"},
        {"parts", "{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/part\"}}"},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        is(json_incref(json_object_get(of, want[i][0])), want[i][1]);
    }
    assert_null(json_object_get(of, "printed"));
    json_decref(schema);
    is(record_schema(&frame_record),
       "{\"type\":\"object\",\"description\":\"A frame.\",\"properties\":{"
       "\"share\":{\"type\":\"number\",\"nullable\":true},\"late\":{\"type\":\"number\"},"
       "\"one\":{\"allOf\":[{\"$ref\":\"#/components/schemas/part\"}],\"nullable\":true,\"description\":\"Made before.\"},"
       "\"many\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/part\"}},"
       "\"words\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
       "\"numbers\":{\"type\":\"array\",\"nullable\":true,\"items\":{\"type\":\"number\"}}},"
       "\"required\":[\"share\",\"one\",\"many\",\"numbers\"]}");
}
