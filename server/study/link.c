/* link.c - the address that a lead gives to the panel. */
#include "study/link.h"

#include "base/str.h"
#include "crypto/crypto.h"

const char *study_link(struct arena *a, const char *base, const struct campaign *k,
                       const struct study_settings *s)
{
    /* What Prolific replaces; other panels call it otherwise and are told in their own words. */
    static const char *const marks[] = {"{{%PROLIFIC_PID%}}", "{{%STUDY_ID%}}",
                                        "{{%SESSION_ID%}}"};
    struct str out;
    char before = '?';
    str_init(&out, 16 << 10);
    str_printf(&out, "%s/work/campaign/" SV_FMT, base, SV_ARG(k->name));
    if (s->link_key.n) {
        str_printf(&out, "?key=" SV_FMT, SV_ARG(s->link_key));
        before = '&';
    }
    size_t i = 0;
    for (struct sv rest = s->id_parameters; rest.p; i++) {
        struct sv name = sv_cut(&rest, '|');
        str_printf(&out, "%c" SV_FMT "=%s", before, SV_ARG(name),
                   i < sizeof marks / sizeof *marks ? marks[i] : "");
        before = '&';
    }
    const char *link = arena_cstr(a, str_sv(&out));
    str_release(&out);
    return link;
}

struct sv study_new_key(struct arena *a)
{
    unsigned char raw[CRYPTO_TOKEN];
    char *text = arena_alloc(a, CRYPTO_TOKEN_TEXT);
    crypto_token(raw, text);
    return sv_make(text, CRYPTO_TOKEN_TEXT - 1);
}
