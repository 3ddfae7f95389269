/* pillow_test.c - models get the bytes of Pillow's convert("RGB"): tests/data/pixels, which says
 * how they were made. Where people see something else, image_info says so. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/sv.h"
#include "image/preprocess.h"
#include "image/samples.h"

static const char folder[] = "tests/data/pixels";

struct one {
    char path[256];
    struct fs_map file;
    uint32_t width, height;
    struct sv rgb; /* hex */
};

static unsigned char byte_at(struct sv hex, size_t i)
{
    char two[3] = {hex.p[2 * i], hex.p[2 * i + 1], '\0'};
    return (unsigned char)strtoul(two, NULL, 16);
}

static size_t wrong_bytes(const struct one *o, const unsigned char *data)
{
    size_t wrong = 0, n = (size_t)o->width * o->height * 3;
    assert_int_equal(o->rgb.n, 2 * n);
    for (size_t i = 0; i < n; i++) {
        wrong += data[i] != byte_at(o->rgb, i);
    }
    return wrong;
}

static struct image decode(const struct one *o, enum image_view view)
{
    struct image im = {0};
    struct err err = {0};
    if (image_decode(o->file.data, o->file.n, view, 0, &sample_limits, &im, &err) != OK) {
        fail_msg("%s: %s", o->path, err.msg);
    }
    assert_int_equal(im.width, o->width);
    assert_int_equal(im.height, o->height);
    return im;
}

static void each(void (*see)(const struct one *o))
{
    struct fs_map table;
    struct err err = {0};
    char path[256];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/pixels.csv", folder);
    assert_int_equal(fs_map(path, &table, &err), OK);
    struct sv rest = sv_make((const char *)table.data, table.n), line;
    for (sv_cut(&rest, '\n'); rest.n; count++) {
        struct one o = {0};
        int64_t width = 0, height = 0;
        line = sv_cut(&rest, '\n');
        struct sv name = sv_cut(&line, ',');
        assert_true(sv_i64(sv_cut(&line, ','), &width) && sv_i64(sv_cut(&line, ','), &height));
        o.width = (uint32_t)width;
        o.height = (uint32_t)height;
        o.rgb = line;
        snprintf(o.path, sizeof o.path, "%s/%.*s", folder, (int)name.n, name.p);
        assert_int_equal(fs_map(o.path, &o.file, &err), OK);
        see(&o);
        fs_unmap(&o.file);
    }
    fs_unmap(&table);
    assert_true(count > 30);
}

static void see_for_models(const struct one *o)
{
    struct image im = decode(o, IMAGE_FOR_MODELS);
    size_t wrong = wrong_bytes(o, im.data);
    if (wrong) {
        fail_msg("%s: %zu bytes are not Pillow's", o->path, wrong);
    }
    image_release(&im);
}

TEST(models_get_pillows_bytes)
{
    each(see_for_models);
}

/* The way that predict and features take, which does not decode every file as a whole. */
static void see_preprocessed(const struct one *o)
{
    struct preprocess how = {.crop = o->width > o->height ? o->width : o->height, .scale = 255};
    struct preprocess_room room = {0};
    struct err err = {0};
    unsigned char *out = calloc((size_t)how.crop * how.crop, 3);
    assert_non_null(out);
    assert_int_equal(
        preprocess_bytes(o->file.data, o->file.n, &how, &sample_limits, &room, out, &err), OK);
    size_t top = (how.crop - o->height) / 2; /* black above, and nothing beside */
    assert_int_equal(how.crop, o->width);
    assert_int_equal(wrong_bytes(o, out + top * o->width * 3), 0);
    preprocess_room_release(&room);
    free(out);
}

TEST(preprocessing_too)
{
    each(see_preprocessed);
}

static void see_difference(const struct one *o)
{
    struct image_info info;
    struct err err = {0};
    struct image people = decode(o, IMAGE_FOR_PEOPLE);
    assert_int_equal(image_info(o->file.data, o->file.n, &sample_limits, &info, &err), OK);
    size_t wrong = wrong_bytes(o, people.data);
    if (wrong && !info.views_differ) {
        fail_msg("%s: people see other pixels, and nothing says so", o->path);
    }
    bool expected = strstr(o->path, "alpha") || strstr(o->path, "rgba") ||
                    strstr(o->path, "trns") || strstr(o->path, "gray16") ||
                    strstr(o->path, "unmarked");
    assert_int_equal(info.views_differ, expected);
    image_release(&people);
}

TEST(headers_tell_where_people_see_others)
{
    each(see_difference);
}
