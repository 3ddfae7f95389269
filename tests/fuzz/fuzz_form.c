/* fuzz_form.c - libFuzzer target: urlencoded forms, percent-decoding, queries and cookies. */
#include "http/cookie.h"
#include "http/form.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct form f;
    struct err err = {0};
    struct sv text = sv_make((const char *)data, size), out;
    arena_init(&a, 64 << 20);
    if (form_urlencoded(&a, text, &f, &err) == OK) {
        BUG_IF(f.n > FORM_FIELDS);
        for (size_t i = 0; i < f.n; i++) {
            BUG_IF(!sv_utf8(f.fields[i].name) || !sv_utf8(f.fields[i].value));
        }
    } else {
        BUG_IF(err.code != ERR_INPUT && err.code != ERR_LIMIT);
    }
    if (form_decode(&a, text, false, &out)) {
        BUG_IF(out.n > size);
    }
    struct sv cookie = cookie_find(text, "a");
    BUG_IF(cookie.n && (cookie.p < text.p || cookie.p + cookie.n > text.p + text.n));
    arena_release(&a);
    return 0;
}
