/* view_test.c - opening, strictness, public names and JSON for scripts, with built-in files of the
 * test's own: this program defines the table that base/assets.h declares. */
#include "unit.h"

#include <pthread.h>

#include "base/assets.h"
#include "base/hash.h"
#include "base/thread.h"
#include "view/view.h"

#define FILE_OF(name, text)                                                                        \
    {                                                                                              \
        name, (const unsigned char *)(text), sizeof(text) - 1                                      \
    }
const struct asset assets[] = {
    FILE_OF("migrations/0001_x.sql", "select '{{#never compiled'"),
    FILE_OF("static/css/tokens.css", "a{}"),
    FILE_OF("static/img/mark.v2.svg", "<svg/>"),
    FILE_OF("static/js/grid-view.js", ""),
    FILE_OF("static/lang/en.json", "{\"hello\":\"Hello\",\"scripts\":{}}"),
    FILE_OF("templates/a/page.mustache", "<p>{{name}}{{> a/part}}</p>"),
    FILE_OF("templates/a/part.mustache", "({{assets.css_tokens}})"),
    FILE_OF("templates/lost.mustache", "x{{> a/nothing}}y"),
};
const size_t assets_count = sizeof assets / sizeof assets[0];

static struct view *open_view(bool strict)
{
    struct view *v = NULL;
    struct err err = {0};
    if (view_open(strict, &v, &err)) {
        fail_msg("%s", err.msg);
    }
    return v;
}

static json_t *page_data(const struct view *v, const char *name)
{
    json_t *data = json_object();
    json_object_set_new(data, "name", json_string(name));
    json_object_set(data, "assets", view_assets(v));
    return data;
}

TEST(pages_include_partials)
{
    struct view *v = open_view(true);
    json_t *data = page_data(v, "O'Hara & <b>");
    struct str out;
    struct err err = {0};
    str_init(&out, 1024);
    assert_int_equal(view_render(v, "a/page", data, &out, &err), OK);
    char want[256];
    snprintf(want, sizeof want, "<p>O&#39;Hara &amp; &lt;b&gt;(%s)</p>",
             view_asset_url(v, "css/tokens.css"));
    assert_string_equal(out.p, want);
    str_release(&out);
    json_decref(data);
    view_close(v);
    view_close(NULL);
}

TEST(strict_refuses_what_is_missing)
{
    struct view *strict = open_view(true), *lenient = open_view(false);
    json_t *data = json_object();
    struct str out;
    str_init(&out, 1024);
    struct err err = {0};
    assert_int_equal(view_render(strict, "a/page", data, &out, &err), ERR_BUG);
    assert_string_equal(err.msg, "template a/page: the data has no \"name\"");
    err_clear(&err);
    assert_int_equal(view_render(strict, "lost", data, &out, &err), ERR_BUG);
    err_clear(&err);
    assert_int_equal(view_render(strict, "a/unknown", data, &out, &err), ERR_BUG);
    assert_string_equal(err.msg, "there is no template a/unknown");
    err_clear(&err);
    str_clear(&out);
    for (int i = 0; i < 3; i++) { /* logged once, rendered each time */
        assert_int_equal(view_render(lenient, "a/page", data, &out, &err), OK);
        assert_int_equal(view_render(lenient, "lost", data, &out, &err), OK);
    }
    assert_string_equal(out.p, "<p>()</p>xy<p>()</p>xy<p>()</p>xy");
    str_release(&out);
    json_decref(data);
    view_close(strict);
    view_close(lenient);
}

TEST(names_change_with_the_content)
{
    struct view *v = open_view(true);
    char want[64];
    snprintf(want, sizeof want, "/static/css/tokens.%.8lx.css",
             (unsigned long)(hash_stable("a{}", 3) >> 32));
    assert_string_equal(view_asset_url(v, "css/tokens.css"), want);
    snprintf(want, sizeof want, "/static/img/mark.v2.%.8lx.svg",
             (unsigned long)(hash_stable("<svg/>", 6) >> 32));
    assert_string_equal(view_asset_url(v, "img/mark.v2.svg"), want);
    assert_null(view_asset_url(v, "css/other.css"));
    assert_null(view_asset_url(v, "0001_x.sql"));
    const json_t *all = view_assets(v);
    assert_int_equal(json_object_size(all), 4);
    assert_string_equal(json_string_value(json_object_get(all, "js_grid_view")),
                        view_asset_url(v, "js/grid-view.js"));
    assert_string_equal(json_string_value(json_object_get(all, "img_mark_v2")),
                        view_asset_url(v, "img/mark.v2.svg"));
    view_close(v);
}

TEST(public_names_add_to_a_buffer)
{
    struct str out;
    str_init(&out, 256);
    str_addz(&out, "/s/");
    const char *name = asset_public_name(asset_find("static/js/grid-view.js"), &out);
    assert_string_equal(name, "/s/js/grid-view.cbf29ce4.js"); /* FNV-1a of nothing */
    struct asset plain = {"static/well.known/key", (const unsigned char *)"", 0};
    str_clear(&out);
    assert_string_equal(asset_public_name(&plain, &out), "well.known/key.cbf29ce4");
    str_release(&out);
}

TEST(json_cannot_end_its_script)
{
    json_t *value = json_pack("{s:s, s:s}", "</script><!--",
                              "&\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa", "k", "\xc3\xa9\"\\");
    json_t *text = view_json_text(value);
    assert_string_equal(json_string_value(text),
                        "{\"\\u003c/script\\u003e\\u003c!--\":"
                        "\"\\u0026\\u2028\\u2029\xe2\x80\xaa\",\"k\":\"\xc3\xa9\\\"\\\\\"}");
    json_t *back = json_loads(json_string_value(text), 0, NULL);
    assert_true(json_equal(value, back));
    json_decref(back);
    json_decref(text);
    json_decref(value);
    json_t *bare = view_json_text(json_null());
    assert_string_equal(json_string_value(bare), "null");
    json_decref(bare);
}

enum { THREADS = 4, ROUNDS = 200 };

static void *render_often(void *arg)
{
    const struct view *v = arg;
    size_t wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        json_t *data = json_object();
        json_object_set(data, "assets", view_assets(v));
        struct str out;
        str_init(&out, 1024);
        struct err err = {0};
        wrong += view_render(v, "a/page", data, &out, &err) != OK || out.n < 20;
        str_release(&out);
        json_decref(data);
    }
    return wrong ? arg : NULL;
}

TEST(threads_share_a_view)
{
    struct view *v = open_view(false);
    pthread_t threads[THREADS];
    struct err err = {0};
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(thread_start(&threads[i], "render", render_often, v, &err), OK);
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    view_close(v);
}
