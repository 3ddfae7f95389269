/* responses_test.c - formats/responses.h: the three shapes, their order, and every kind of bad row. */
#include "unit.h"

#include <string.h>

#include "formats/responses.h"

static struct names labels;
static struct responses got;

static enum err_code try_read(const char *text, const char *classes)
{
    const struct responses_ask ask = {"r.csv", &labels, classes, 3};
    names_init(&labels);
    unit_err = (struct err){0};
    return responses_read(&ask, sv_of(text), &unit_arena, &got, &unit_err);
}

static void let_go(void)
{
    responses_release(&got);
    names_release(&labels);
}

/* "image/number/worker main:labels" of every response, by image. */
static void expect(const char *text, const char *want)
{
    struct str s;
    str_init(&s, 1 << 16);
    if (try_read(text, NULL) != OK) {
        fail_msg("%s", unit_err.msg);
    }
    for (uint32_t image = 0; image < got.images.n; image++) {
        for (uint32_t i = got.begin[image]; i < got.begin[image + 1]; i++) {
            const struct responses_row *r = &got.rows[i];
            assert_int_equal(r->image, image);
            str_printf(&s, SV_FMT "/%d/" SV_FMT " " SV_FMT ":", SV_ARG(got.images.at[image]), (int)r->number,
                       SV_ARG(r->worker == RESPONSE_ANONYMOUS ? SV("") : got.workers.at[r->worker]),
                       SV_ARG(labels.at[r->main]));
            for (uint32_t k = 0; k < r->n; k++) {
                str_printf(&s, "%s" SV_FMT, k ? "+" : "", SV_ARG(labels.at[got.selected[r->first + k]]));
            }
            str_addc(&s, '\n');
        }
    }
    assert_int_equal(got.begin[got.images.n], got.n);
    assert_string_equal(s.p ? s.p : "", want);
    str_release(&s);
    let_go();
}

static void refuses(const char *text, const char *want)
{
    assert_int_equal(try_read(text, NULL), ERR_INPUT);
    if (!strstr(unit_err.msg, want)) {
        fail_msg("\"%s\" lacks \"%s\"", unit_err.msg, want);
    }
    let_go();
}

#define WHOLE "image,response,main,selected\n"
#define LONG "task,worker,label,main\n"

ARENA_TEST(a_row_per_response)
{
    expect(WHOLE "a,0,5,5\na,1,6,5+6\n", "a/0/ 5:5\na/1/ 6:5+6\n");
    /* In the order of their numbers, images in the order in which they come. */
    expect(WHOLE "b,7,5,5\na,1,6,5 + 6\nb,-2,n1,n1\n", "b/-2/ n1:n1\nb/7/ 5:5\na/1/ 6:5+6\n");
    /* Without numbers they are in the order of the file; other columns are passed over. */
    expect("note,selected,main,worker,image\nx,1,1,p,a\nx,2,2,,b\nx,2+1,2,q,a\n", "a/1/p 1:1\na/3/q 2:2+1\nb/2/ 2:2\n");
    expect(WHOLE, "");
}

ARENA_TEST(a_row_per_label)
{
    expect(LONG "a,p,5,0\nb,p,7,1\na,q,5,1\na,p,6,1\n", "a/1/p 6:5+6\na/3/q 5:5\nb/2/p 7:7\n");
    expect("task,worker,label\na,p,5\na,q,6\n", "a/1/p 5:5\na/2/q 6:6\n");
    refuses("task,worker,label\na,p,5\na,p,6\n", "r.csv:3: a second label of this worker for this task");
    refuses(LONG "a,p,5,1\na,p,6,1\n", "r.csv:3: a second main label; the first is 5");
    refuses(LONG "a,p,5,yes\n", "r.csv:2: main must be 1 or 0");
    refuses(LONG "a,p,5,0\na,p,6,0\nb,p,6,1\n", "r.csv:2: no main label");
    refuses(LONG "a,p,5,0\na,p,5,1\n", "r.csv:2: label 5 is selected twice");
    refuses(LONG "a,,5,0\n", "r.csv:2: the worker's id");
}

ARENA_TEST(json_lines)
{
    expect("{\"image\":\"a\",\"main\":5,\"selected\":[5,\"6\"]}\n\n{\"image\":\"a\",\"response\":0,\"worker\":\"p\",\"main\":\"6\",\"selected\":[6]}",
           "a/0/p 6:6\na/1/ 5:5+6\n");
    refuses("{\"image\":\"a\",\"main\":5,\"selected\":5}", "r.csv:1: selected must be a list of labels");
    refuses("{\"image\":\"a\",\"main\":5,\"selected\":[5.5]}", "r.csv:1: selected must be a list of labels");
    refuses("{\"image\":\"a\",\"main\":[5],\"selected\":[5]}", "r.csv:1: main must be a text or a whole number");
    refuses("{\"image\":\"a\",\"selected\":[5]}", "r.csv:1: no main label");
    refuses("{\"main\":5,\"selected\":[5]}", "r.csv:1: the image needs a name");
    refuses("{\"image\":\"a\",\"main\":5,\"selected\":[5]}\n[]", "r.csv:2: an array; expected one JSON object per line");
}

ARENA_TEST(bad_rows_are_refused)
{
    refuses(WHOLE "a,0,5,5\na,1,5,\n", "r.csv:3: no label is selected");
    refuses(WHOLE "a,0,5,5\na,1,6,5\n", "r.csv:3: the main label 6 is not among those selected");
    refuses(WHOLE "a,0,,5\n", "r.csv:2: no main label");
    refuses(WHOLE "a,0,5,5+6+5\n", "r.csv:2: label 5 is selected twice");
    refuses(WHOLE "a,0,1,1+2+3+4\n", "r.csv:2: 4 labels are selected; expected at most 3");
    refuses(WHOLE "a,0,1,1++2\n", "r.csv:2: a label must have 1 to 64 bytes");
    refuses(WHOLE "a,0,1,1+\n", "r.csv:2: selected ends with \"+\"");
    refuses(WHOLE "a,0,x:y,x:y\n", "r.csv:2: a label must have 1 to 64 bytes");
    refuses(WHOLE "a,one,5,5\n", "r.csv:2: response must be a whole number");
    refuses(WHOLE "b,1,5,5\na,1,5,5\nb,1,6,6\n", "r.csv:4: response 1 of image b appears a second time");
    refuses(WHOLE " ,0,5,5\n", "r.csv:2: the image needs a name");
    refuses("image,worker,main,selected\na,p,5,5\nb,p,5,5\na,p,6,6\n", "r.csv:4: worker p has answered about image a before");
    refuses("image,main\na,5\n", "r.csv:1: there is no column \"selected\"");
    refuses("", "r.csv:1: the file is empty");
    assert_int_equal(try_read(WHOLE "a,0,5,5\n", "classes.csv"), ERR_INPUT);
    assert_non_null(strstr(unit_err.msg, "r.csv:2: label 5 is not among the classes of classes.csv"));
    let_go();
}

/* One more than may be about an image. */
ARENA_TEST(too_many_about_one_image)
{
    struct str s;
    str_init(&s, 1 << 20);
    str_addz(&s, WHOLE);
    for (int i = 0; i <= RESPONSES_OF_IMAGE; i++) {
        str_printf(&s, "a,%d,5,5\n", i);
    }
    assert_int_equal(try_read(s.p, NULL), ERR_LIMIT);
    assert_non_null(strstr(unit_err.msg, "r.csv has more than 10000 responses about image a."));
    let_go();
    str_release(&s);
}

/* A response that is a file of its own is refused before all of it is kept. */
ARENA_TEST(one_response_with_very_many_labels)
{
    struct str s;
    str_init(&s, 1 << 20);
    str_addz(&s, WHOLE "a,0,1,");
    for (int i = 0; i < 1000; i++) {
        str_printf(&s, "%s%d", i ? "+" : "", i);
    }
    refuses(s.p, "r.csv:2: more than 100 labels are selected; expected at most 3");
    str_clear(&s);
    str_addz(&s, LONG);
    for (int i = 0; i < 1000; i++) {
        str_printf(&s, "a,p,%d,0\n", i);
    }
    refuses(s.p, "r.csv:102: more than 100 labels are selected; expected at most 3");
    str_release(&s);
}
