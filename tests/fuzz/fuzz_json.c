/* fuzz_json.c - any bytes as JSON, on their way into a page: parsed, made safe for a script
 * element, rendered raw and escaped. Checked: no byte that could end the script survives, the text
 * still means the same value, and the escaped form holds no bare special character. */
#include <stddef.h>
#include <stdint.h>

#include "view/mustache.h"
#include "view/view.h"

enum { OUT_MAX = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_script(const json_t *text, const json_t *value)
{
    struct sv s = sv_make(json_string_value(text), json_string_length(text));
    for (size_t i = 0; i < s.n; i++) {
        BUG_IF(s.p[i] == '<' || s.p[i] == '>' || s.p[i] == '&');
    }
    BUG_IF(memmem(s.p, s.n, "\xe2\x80\xa8", 3) || memmem(s.p, s.n, "\xe2\x80\xa9", 3));
    json_t *back = json_loadb(s.p, s.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    BUG_IF(!back || !json_equal(value, back));
    json_decref(back);
}

static void check_html(struct sv s)
{
    for (size_t i = 0; i < s.n; i++) {
        BUG_IF(s.p[i] && strchr("<>\"'", s.p[i]));
        if (s.p[i] == '&') {
            struct sv rest = sv_make(s.p + i, s.n - i);
            BUG_IF(!sv_starts(rest, "&amp;") && !sv_starts(rest, "&lt;") &&
                   !sv_starts(rest, "&gt;") && !sv_starts(rest, "&quot;") &&
                   !sv_starts(rest, "&#39;"));
        }
    }
}

/* Renders `text` with the value under "x" and its safe form under "x_json". */
static void render(struct sv text, json_t *page, struct str *out)
{
    struct mustache *m = NULL;
    struct err err = {0};
    BUG_IF(mustache_compile(text, &m, &err));
    enum err_code rc = mustache_render(m, page, NULL, out, &err);
    BUG_IF(rc != OK && rc != ERR_LIMIT);
    mustache_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    json_t *value = json_loadb((const char *)data, n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (!value) {
        return 0;
    }
    json_t *text = view_json_text(value);
    check_script(text, value);
    json_t *page = json_object();
    json_object_set_new(page, "x", value);
    json_object_set_new(page, "x_json", text);
    struct str out;
    str_init(&out, OUT_MAX);
    render(SV("{{{x_json}}}"), page, &out);
    BUG_IF(!out.over && out.n != json_string_length(text));
    str_clear(&out);
    render(SV("{{x}}{{x_json}}{{#x}}{{.}}{{#.}}{{.}}{{/.}}{{/x}}"), page, &out);
    if (!out.over) {
        check_html(str_sv(&out));
    }
    str_release(&out);
    json_decref(page);
    return 0;
}
