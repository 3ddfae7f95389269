/* fuzz_multipart.c - libFuzzer target: multipart forms. The input's first line is the
 * Content-Type, the rest the body. */
#include "http/form.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct form f;
    struct err err = {0};
    struct sv body = sv_make((const char *)data, size);
    struct sv type = sv_cut(&body, '\n');
    arena_init(&a, 64 << 20);
    if (form_multipart(&a, type, body, &f, &err) == OK) {
        BUG_IF(f.n > FORM_FIELDS);
        for (size_t i = 0; i < f.n; i++) {
            const struct form_field *field = &f.fields[i];
            BUG_IF(!sv_utf8(field->name) || !sv_utf8(field->filename));
            BUG_IF(!field->filename.p && !sv_utf8(field->value));
            BUG_IF(field->value.p < body.p || field->value.p + field->value.n > body.p + body.n);
        }
    } else {
        BUG_IF(err.code != ERR_INPUT && err.code != ERR_LIMIT);
    }
    arena_release(&a);
    return 0;
}
