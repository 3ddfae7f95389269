/* fuzz_template.c - any bytes as a template, its partial and its data.
 * Input: template, 0x1e, partial, 0x1e, JSON; what is absent is empty. The partial answers to every
 * name, so that it can call itself. Checked besides memory: the same input renders the same twice,
 * and errors come with a message. */
#include <stddef.h>
#include <stdint.h>

#include "view/mustache.h"

enum { OUT_MAX = 1 << 16, SEPARATOR = 0x1e };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const struct mustache *get_partial(void *arg, struct sv name)
{
    (void)name;
    return arg;
}

static enum err_code render(const struct mustache *m, struct mustache *partial, const json_t *value,
                            struct str *out)
{
    struct mustache_env env = {.partial = get_partial, .arg = partial};
    struct err err = {0};
    enum err_code rc = mustache_render(m, value, &env, out, &err);
    BUG_IF(rc != err.code || !rc != !err.msg[0]);
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sv rest = sv_make((const char *)data, n);
    struct sv text = sv_cut(&rest, SEPARATOR);
    struct sv partial_text = sv_cut(&rest, SEPARATOR);
    struct mustache *m = NULL, *partial = NULL;
    struct err err = {0};
    if (mustache_compile(text, &m, &err)) {
        BUG_IF(err.code == OK || !err.msg[0]);
        return 0;
    }
    err_clear(&err);
    enum err_code partial_rc = mustache_compile(partial_text, &partial, &err);
    json_t *value = json_loadb(rest.n ? rest.p : "{}", rest.n ? rest.n : 2,
                               JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (value && !partial_rc) {
        struct str once, again;
        str_init(&once, OUT_MAX);
        str_init(&again, OUT_MAX);
        BUG_IF(render(m, partial, value, &once) != render(m, partial, value, &again));
        BUG_IF(!sv_eq(str_sv(&once), str_sv(&again)));
        str_release(&once);
        str_release(&again);
    }
    json_decref(value);
    mustache_free(partial);
    mustache_free(m);
    return 0;
}
